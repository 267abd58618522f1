package import EPGJSON
package import EPGModel

extension SourceSummary {
    /// `name`, `location`, `timeZone`, `shift`, `interval`, `priority`, `completes` if it is false, `stationPatterns`, `encoding`, `stations`,
    /// `airings`, `lastAttempt`, `lastSuccess`, `entityTag`, `lastModified`, `lastError`, `lastResult`, `lastDuration`,
    /// `failures`; `shift`, `interval` and `lastDuration` in seconds. A playlist has `channels` and `matched`.
    ///
    /// - Parameter location: The location without secrets; the source's own location may contain a password or a key.
    package func writeMembers(to json: inout JSONWriter, location: String?) {
        json.member("name", source.name)
        json.member("location", location)
        json.member("timeZone", source.timeZone)
        json.member("shift", source.shift)
        json.member("interval", source.interval)
        json.member("priority", source.priority)
        json.member("completes", source.completes ? nil : false)
        json.member("stationPatterns", source.stations.isEmpty ? nil : source.stations)
        json.member("encoding", source.encoding)
        json.member("groupPatterns", source.groups.isEmpty ? nil : source.groups)
        json.member("followsGuides", source.followsGuides ? true : nil)
        json.member("playlist", source.playlist)
        json.member("channels", channels?.all)
        json.member("matched", channels?.matched)
        json.member("stations", stations)
        json.member("airings", airings)
        json.member("lastAttempt", state.lastAttempt)
        json.member("lastSuccess", state.lastSuccess)
        json.member("entityTag", state.entityTag)
        json.member("lastModified", state.lastModified)
        json.member("lastError", state.lastError)
        state.writeLastResult(to: &json)
    }
}

/// The public properties of a source: without its URL, which may contain a key, and error messages, which may contain URLs.
package struct PublicSourceJSON: JSONObject {
    private let summary: SourceSummary
    private let nextRefresh: Instant?

    /// - Parameter nextRefresh: The time of the next scheduled refresh; `nil` if none is scheduled.
    package init(_ summary: SourceSummary, nextRefresh: Instant?) {
        self.summary = summary
        self.nextRefresh = nextRefresh
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", summary.source.name)
        json.member("timeZone", summary.source.timeZone)
        json.member("interval", summary.source.interval)
        json.member("priority", summary.source.priority)
        json.member("playlist", summary.source.playlist)
        json.member("channels", summary.channels?.all)
        json.member("matched", summary.channels?.matched)
        json.member("stations", summary.stations)
        json.member("airings", summary.airings)
        json.member("end", summary.end)
        json.member("lastAttempt", summary.state.lastAttempt)
        json.member("lastSuccess", summary.state.lastSuccess)
        json.member("failed", summary.state.lastError == nil ? nil : true)
        json.member("nextRefresh", nextRefresh)
        summary.state.writeLastResult(to: &json)
        json.member("lastImport", summary.lastImport)
    }
}

extension SourceState {
    /// Writes the outcome of the last refresh: `lastResult`, `lastDuration` in seconds, `failures`.
    fileprivate func writeLastResult(to json: inout JSONWriter) {
        json.member("lastResult", lastResult?.rawValue)
        json.member("lastDuration", lastDuration?.inSeconds)
        json.member("failures", failures)
    }
}

extension Duration {
    /// The duration in seconds, with fractions.
    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1_000_000_000_000_000_000
    }
}

// MARK: - Imports

extension ImportOutcome: JSONObject {
    /// The changes in the store, and the numbers of the report in `report`, with counts by keyword as objects.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("importID", importID)
        json.member("generation", generation.rawValue)
        json.member("changedGuide", changedGuide)
        json.member("airingsInserted", airings.inserted)
        json.member("airingsChanged", airings.changed)
        json.member("airingsMoved", airings.moved)
        json.member("airingsRemoved", airings.removed)
        json.member("airingsUnchanged", airingsUnchanged)
        if !completed.isEmpty {
            json.member(
                "completed",
                object: { json in
                    for (source, count) in completed.sorted(by: { $0.key < $1.key }) {
                        json.member(named: source, count)
                    }
                })
        }
        json.member("stationsInserted", stationsInserted)
        json.member("stationsChanged", stationsChanged)
        json.member("programmesInserted", programmesInserted)
        json.member("report", report)
    }
}

extension CompletionCount: JSONObject {
    /// `{"airings", "fields": {NAME: n}}`
    package func writeMembers(to json: inout JSONWriter) {
        json.member("airings", airings)
        json.member(
            "fields",
            object: { json in
                for field in CompletedField.allCases {
                    if let count = fields[field.rawValue] { json.member(named: field.rawValue, count) }
                }
            })
    }
}

extension LineupOutcome: JSONObject {
    /// `{"channels", "matched": {RULE: n}, "unmatched", "added", "removed", "renamed", "changedGuide"}`
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
        let counts = changes.counts
        json.member("added", counts.added)
        json.member("removed", counts.removed)
        json.member("renamed", counts.renamed)
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
    /// Adds an object with counts by keyword, in the order of the keywords.
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

extension ImportSummary: JSONObject {
    /// `{"at", "generation", "read", "stored", "dropped", "inserted", "changed", "removed", "completed"}`
    package func writeMembers(to json: inout JSONWriter) {
        json.member("at", at)
        json.member("generation", generation.rawValue)
        json.member("read", read)
        json.member("stored", stored)
        json.member("dropped", dropped)
        json.member("inserted", inserted)
        json.member("changed", changed)
        json.member("removed", removed)
        json.member("completed", completed)
    }
}
