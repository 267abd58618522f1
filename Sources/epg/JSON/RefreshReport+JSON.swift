package import EPGJSON
import EPGModel
import EPGRefresh
import EPGRender

extension RefreshReport: JSONObject {
    /// `{"at", "exitCode", "changedGuide", "prunedAirings", "sources", "upkeepFailure"}`.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("at", now)
        json.member("exitCode", Int(exitCode))
        json.member("changedGuide", changedGuide)
        json.member("prunedAirings", prunedAirings)
        json.member("sources", sources)
        json.member("upkeepFailure", upkeepFailure?.sentence)
    }
}

extension SourceRefresh: JSONObject {
    /// `{"name", "location", "outcome", "next", "byteCount", "difference", "import", "failure", "exitCode", "lastSuccess"}`;
    /// the outcome is `not-due`, `not-configured`, `not-modified`, `unchanged`, `imported` or `failed`, and says which of the others are there.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("location", location)
        json.member("outcome", outcome.keyword)
        switch outcome {
        case .notDue(let next): json.member("next", next)
        case .notModified, .notConfigured: break
        case .unchanged(let byteCount): json.member("byteCount", byteCount)
        case .imported(let imported, let byteCount):
            json.member("byteCount", byteCount)
            json.member("difference", imported.airings)
            json.member("import", imported)
        case .failed(let failure):
            json.member("failure", failure.sentence)
            json.member("exitCode", Int(failure.exitCode))
        }
        json.member("lastSuccess", lastSuccess)
    }
}

extension AiringDifference: JSONObject {
    /// `{"inserted", "removed", "moved", "changed"}`: numbers of airings.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("inserted", inserted)
        json.member("removed", removed)
        json.member("moved", moved)
        json.member("changed", changed)
    }
}
