package import EPGJSON
package import EPGModel

extension ImportOutcome: JSONObject {
    /// The report's numbers under `report`, and what changed in the store; counts by keyword are objects.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("importID", importID)
        json.member("generation", generation.rawValue)
        json.member("changedGuide", changedGuide)
        json.member("airingsInserted", airings.inserted)
        json.member("airingsChanged", airings.changed)
        json.member("airingsMoved", airings.moved)
        json.member("airingsRemoved", airings.removed)
        json.member("airingsUnchanged", airingsUnchanged)
        json.member("stationsInserted", stationsInserted)
        json.member("stationsChanged", stationsChanged)
        json.member("programmesInserted", programmesInserted)
        json.member("report", report)
    }
}

extension LineupOutcome: JSONObject {
    /// `{"channels", "matched": {RULE: n}, "unmatched", "changedGuide"}`
    package func writeMembers(to json: inout JSONWriter) {
        json.member("channels", channels)
        json.member(
            "matched",
            object: { json in
                for rule in ChannelMatchRule.allCases {
                    if let count = matched[rule] { json.member(named: rule.rawValue, count) }
                }
            })
        json.member("unmatched", unmatched)
        json.member("changedGuide", changedGuide)
    }
}

extension ImportReport: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("programmesRead", programmesRead)
        json.member("airingsStored", airingsStored)
        json.member("merged", merged)
        json.member("dropped", counts: dropped)
        json.member("skipped", counts: skipped)
        json.member("filtered", filtered)
        json.member("stationsRead", stationsRead)
        json.member("diagnostics", counts: diagnostics)
    }
}

extension JSONWriter {
    /// Adds numbers by keyword as an object, in the order of the keywords.
    fileprivate mutating func member(_ key: StaticString, counts: [Diagnostic.Keyword: Int]) {
        member(
            key,
            object: { json in
                for keyword in Diagnostic.Keyword.allCases {
                    guard let count = counts[keyword] else { continue }
                    json.member(named: keyword.rawValue, count)
                }
            })
    }
}
