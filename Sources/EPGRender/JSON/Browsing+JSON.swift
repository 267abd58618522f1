package import EPGJSON
package import EPGModel

extension ImportSummary: JSONObject {
    /// `{"at", "generation", "read", "stored", "dropped", "inserted", "changed", "removed"}`
    package func writeMembers(to json: inout JSONWriter) {
        json.member("at", at)
        json.member("generation", generation.rawValue)
        json.member("read", read)
        json.member("stored", stored)
        json.member("dropped", dropped)
        json.member("inserted", inserted)
        json.member("changed", changed)
        json.member("removed", removed)
    }
}
