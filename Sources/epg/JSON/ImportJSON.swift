package import EPGJSON
import EPGModel
import EPGRender

/// The report of one imported guide: `{"file", "source", "outcome", "diagnostics"}`.
struct ImportJSON: JSONObject {
    let file: String
    let source: String
    let outcome: ImportOutcome
    /// `nil` where nobody asked for them.
    let diagnostics: [LoggedDiagnostic]?

    func writeMembers(to json: inout JSONWriter) {
        json.member("file", file)
        json.member("source", source)
        json.member("outcome", outcome)
        json.member("diagnostics", diagnostics)
    }
}

/// The report of an imported playlist: `{"file", "lineup", "channels", "matched": {RULE: n}, "unmatched", "changedGuide",
/// "diagnostics"}`.
struct LineupJSON: JSONObject {
    let file: String
    let lineup: String
    let outcome: LineupOutcome
    /// `nil` where nobody asked for them.
    let diagnostics: [LoggedDiagnostic]?

    func writeMembers(to json: inout JSONWriter) {
        json.member("file", file)
        json.member("lineup", lineup)
        json.member("channels", outcome.channels)
        json.member("matched", RuleCounts(counts: outcome.matched))
        json.member("unmatched", outcome.unmatched)
        json.member("changedGuide", outcome.changedGuide)
        json.member("diagnostics", diagnostics)
    }
}

private struct RuleCounts: JSONObject {
    let counts: [ChannelMatchRule: Int]

    func writeMembers(to json: inout JSONWriter) {
        for rule in ChannelMatchRule.allCases {
            if let count = counts[rule] { json.member(named: rule.rawValue, count) }
        }
    }
}

extension LoggedDiagnostic: JSONObject {
    /// `{"severity", "keyword", "action", "line", "station", "listing", "other", "window", "quote"}`; what is unknown is
    /// left out.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("severity", diagnostic.severity.rawValue)
        json.member("keyword", diagnostic.keyword.rawValue)
        json.member("action", diagnostic.action.rawValue)
        json.member("line", diagnostic.line > 0 ? diagnostic.line : nil)
        json.member("station", diagnostic.station)
        json.member("listing", diagnostic.listing.map { ListingJSON(reference: $0, title: title) })
        json.member("other", diagnostic.other.map { ListingJSON(reference: $0, title: otherTitle) })
        json.member("window", diagnostic.window)
        json.member("quote", diagnostic.quote)
    }
}

/// A listing that a diagnostic is about: `{"line", "start", "stop", "title"}`, the times as published.
private struct ListingJSON: JSONObject {
    let reference: Diagnostic.Reference
    let title: String?

    func writeMembers(to json: inout JSONWriter) {
        json.member("line", reference.line)
        json.member("start", reference.start)
        json.member("stop", reference.stop)
        json.member("title", title)
    }
}
