package import EPGJSON
import EPGModel
import EPGRender

/// The report of one imported guide: `{"file", "source", "outcome", "diagnostics"}`.
struct ImportJSON: JSONObject {
    let file: String
    let source: String
    let outcome: ImportOutcome
    /// `nil` where nobody asked for them.
    let diagnostics: [Diagnostic]?

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
    let diagnostics: [Diagnostic]?

    func writeMembers(to json: inout JSONWriter) {
        json.member("file", file)
        json.member("lineup", lineup)
        outcome.writeMembers(to: &json)
        json.member("diagnostics", diagnostics)
    }
}

extension Diagnostic: JSONObject {
    /// `{"severity", "keyword", "action", "line", "station", "listing", "other", "window", "quote"}`; what is unknown is
    /// left out.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("severity", severity.rawValue)
        json.member("keyword", keyword.rawValue)
        json.member("action", action.rawValue)
        json.member("line", line > 0 ? line : nil)
        json.member("station", station)
        json.member("listing", listing)
        json.member("other", other)
        json.member("window", window)
        json.member("quote", quote)
    }
}

extension Diagnostic.Reference: JSONObject {
    /// `{"line", "start", "stop", "title"}`, the times as published.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("line", line)
        json.member("start", start)
        json.member("stop", stop)
        json.member("title", title)
    }
}
