import EPGCalendar
package import EPGModel

extension MetricsText {
    /// Writes the state of a guide and its sources. Blocks the thread for the sizes of files.
    ///
    /// - Parameters:
    ///   - sources: `nil` if the guide is unavailable.
    ///   - database: The path of the database, if it is known.
    package mutating func writeGuide(
        at version: GuideVersion, sources: [SourceSummary]?, database: String?, now: Instant
    ) {
        metric("epg_guide_generation", .gauge, "Generation of the guide.", version.generation.rawValue)
        metric(
            "epg_guide_generation_age_seconds", .gauge, "Seconds since the last change of the guide.",
            version.since?.seconds(to: now))
        metric("epg_guide_readable", .gauge, "1 if the guide is available, 0 if not.", sources == nil ? 0 : 1)
        if let database {
            metric(
                "epg_database_bytes", .gauge, "Bytes of the files of the database.",
                of: [("main", ""), ("wal", "-wal"), ("search", "-search")], { [("file", $0.0)] },
                { SystemFile.size(ofFile: database + $0.1) })
        }
        if let sources, !sources.isEmpty { write(sources, now: now) }
    }

    /// Writes what the guide stores about each source, including refreshes by other processes.
    private mutating func write(_ sources: [SourceSummary], now: Instant) {
        func metric<Value: Numeric>(
            _ name: StaticString, _ help: StaticString, as kind: MetricsText.Kind = .gauge,
            _ value: (SourceSummary) -> Value?
        ) {
            self.metric(name, kind, help, of: sources, { [("source", $0.source.name)] }, value)
        }
        metric("epg_source_airings", "Airings of the source.") { $0.airings }
        metric("epg_source_stations", "Stations of the source.") { $0.stations }
        metric("epg_source_end_timestamp_seconds", "End of its last airing in seconds since 1970.") {
            $0.end?.secondsSince1970
        }
        metric("epg_source_failed", "1 if its last refresh failed, 0 if not.") { $0.state.lastError == nil ? 0 : 1 }
        metric("epg_source_attempt_age_seconds", "Seconds since the last attempt to refresh it.") {
            $0.state.lastAttempt?.seconds(to: now)
        }
        metric("epg_source_success_age_seconds", "Seconds since it was last known to be up to date.") {
            $0.state.lastSuccess?.seconds(to: now)
        }
        metric("epg_source_success_timestamp_seconds", "When it was last up to date, in seconds since 1970.") {
            $0.state.lastSuccess?.secondsSince1970
        }
        metric("epg_source_refresh_duration_seconds", "Duration of its last refresh.") {
            $0.state.lastDuration?.inSeconds
        }
        // The guide counts an unfinished import as a failure until it succeeds, but a counter must not decrease.
        metric("epg_source_refresh_failures_total", "Failed refreshes of the source.", as: .counter) {
            $0.state.failures - ($0.state.hasUnfinishedImport ? 1 : 0)
        }
        metric("epg_import_age_seconds", "Seconds since its last import.") { $0.lastImport?.at.seconds(to: now) }
        self.metric(
            "epg_source_refresh_result", .gauge, "1 for the result of its last refresh, 0 for others.",
            of: sources.flatMap { source in RefreshEnding.allCases.map { (source, $0) } },
            { [("source", $0.0.source.name), ("result", $0.1.rawValue)] },
            { source, result in source.state.lastEnding.map { $0 == result ? 1 : 0 } })
        let outcomes: KeyValuePairs<String, KeyPath<ImportSummary, Int>> = [
            "read": \.read, "stored": \.stored, "dropped": \.dropped, "inserted": \.inserted, "changed": \.changed,
            "removed": \.removed,
        ]
        self.metric(
            "epg_import_airings", .gauge, "Programmes of the last import of the source by outcome.",
            of: sources.flatMap { source in outcomes.map { (source, $0) } },
            { [("source", $0.0.source.name), ("outcome", $0.1.key)] },
            { source, outcome in source.lastImport?[keyPath: outcome.value] })
    }
}
