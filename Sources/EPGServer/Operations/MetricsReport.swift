import EPGModel
import EPGRender
import Glibc

/// What `/metrics` tells.
struct MetricsReport {
    let requests: RequestMetrics
    let refusals: RefusalCounts
    let connections: PeerTable.Counts
    let cache: AnswerCache.Counts
    /// Bytes of schedules in memory.
    let scheduleBytes: Int
    /// The classes of requests that read the guide.
    let admissions: [(name: String, counts: RequestAdmission.Counts)]
    let version: GuideVersion
    let subscribers: Int
    let now: Instant
    /// The sources; `nil` where the guide can't be read.
    let sources: [SourceSummary]?
    /// The path of the database, where it is known.
    let database: String?

    var text: String {
        var text = MetricsText()
        writeRequests(to: &text)
        writeConnections(to: &text)
        writeAdmissions(to: &text)
        writeCache(to: &text)
        writeGuide(to: &text)
        writeSources(to: &text)
        writeRefreshes(to: &text)
        writeImports(to: &text)
        writeProcess(to: &text)
        return text.text
    }

    private func writeRequests(to text: inout MetricsText) {
        // Routes that nobody asked take no lines.
        let asked = requests.all.filter { $0.bucketCounts.contains { $0 > 0 } }
        text.begin("epg_http_requests_total", .counter, "Requests that were answered, by route and class of status.")
        for figures in asked {
            for digit in 1...5 where figures.count(ofStatusClass: digit) > 0 {
                text.sample(
                    "epg_http_requests_total", [("route", figures.route), ("status", "\(digit)xx")],
                    figures.count(ofStatusClass: digit))
            }
        }
        text.begin("epg_http_request_duration_seconds", .histogram, "Time until the answer stood, by route.")
        for figures in asked {
            var count = 0
            for (bound, inBucket) in zip(RequestMetrics.bounds.map(Optional.some) + [nil], figures.bucketCounts) {
                count += inBucket
                let limit = bound.map { "\(Double($0) / 1_000_000_000)" } ?? "+Inf"
                text.sample(
                    "epg_http_request_duration_seconds_bucket", [("route", figures.route), ("le", limit)], count)
            }
            text.sample(
                "epg_http_request_duration_seconds_sum", [("route", figures.route)],
                Double(figures.totalNanoseconds) / 1_000_000_000)
            text.sample("epg_http_request_duration_seconds_count", [("route", figures.route)], count)
        }
        text.metric("epg_http_requests_in_flight", .gauge, "Requests that are being answered.", requests.inFlight.value)
        text.begin("epg_http_refusals_total", .counter, "Connections and requests that were refused, by reason.")
        for refusal in Refusal.allCases {
            text.sample("epg_http_refusals_total", [("reason", refusal.name)], refusals[refusal])
        }
    }

    private func writeConnections(to text: inout MetricsText) {
        text.metric("epg_connections", .gauge, "Open connections.", connections.connections)
        text.metric("epg_connections_accepted_total", .counter, "Connections that were accepted.", connections.accepted)
        text.metric("epg_connections_refused_total", .counter, "Connections that were refused.", connections.refused)
        text.metric("epg_addresses", .gauge, "Addresses of clients that are remembered.", connections.peers)
        text.metric("epg_subscribers", .gauge, "Clients that follow the guide's changes.", subscribers)
    }

    private func writeAdmissions(to text: inout MetricsText) {
        func write(
            _ name: StaticString, _ kind: MetricsText.Kind, _ help: StaticString,
            _ value: KeyPath<RequestAdmission.Counts, Int>
        ) {
            text.begin(name, kind, help)
            for (label, counts) in admissions { text.sample("\(name)", [("class", label)], counts[keyPath: value]) }
        }
        write("epg_readings_running", .gauge, "Requests that read the guide now, by class.", \.running)
        write("epg_readings_waiting", .gauge, "Requests that wait to read the guide, by class.", \.waiting)
        text.begin(
            "epg_readings_refused_total", .counter,
            "Requests refused because the client had its share of a class, or because the class was full.")
        for (label, counts) in admissions {
            for (reason, count) in [("share", counts.refusedByShare), ("full", counts.refusedByPlaces)] {
                text.sample("epg_readings_refused_total", [("class", label), ("reason", reason)], count)
            }
        }
        write(
            "epg_readings_cancelled_total", .counter,
            "Requests that ended because no client waited any more, by class.",
            \.cancelled)
    }

    private func writeCache(to text: inout MetricsText) {
        text.metric("epg_cache_hits_total", .counter, "Answers that were found in memory.", cache.hits)
        text.metric("epg_cache_misses_total", .counter, "Answers that weren't found in memory.", cache.misses)
        text.metric("epg_cache_evictions_total", .counter, "Answers that made room for others.", cache.evictions)
        text.metric("epg_cache_entries", .gauge, "Answers in memory.", cache.entries)
        text.metric("epg_cache_bytes", .gauge, "Bytes of answers in memory.", cache.bytes)
        text.metric("epg_schedule_bytes", .gauge, "Bytes of schedules in memory.", scheduleBytes)
    }

    private func writeGuide(to text: inout MetricsText) {
        text.metric("epg_guide_generation", .gauge, "The generation of the guide.", version.generation.rawValue)
        if let since = version.since {
            text.metric(
                "epg_guide_generation_age_seconds", .gauge, "Seconds since the guide last changed.",
                since.seconds(to: now))
        }
        text.metric("epg_guide_readable", .gauge, "Whether the guide can be read.", sources == nil ? 0 : 1)
        guard let database else { return }
        text.begin("epg_database_bytes", .gauge, "Bytes of the database's files.")
        for (part, suffix) in [("main", ""), ("wal", "-wal"), ("search", "-search")] {
            var status = stat()
            guard stat(database + suffix, &status) == 0 else { continue }
            text.sample("epg_database_bytes", [("file", part)], Int(status.st_size))
        }
    }

    private func writeSources(to text: inout MetricsText) {
        guard let sources, !sources.isEmpty else { return }
        text.begin(
            "epg_source_end_timestamp_seconds", .gauge,
            "When the last airing of a source ends: how far its guide reaches.")
        for source in sources {
            if let end = source.end {
                text.sample("epg_source_end_timestamp_seconds", label(source), end.secondsSince1970)
            }
        }
        text.begin("epg_source_airings", .gauge, "Airings that a source gave.")
        for source in sources { text.sample("epg_source_airings", label(source), source.airings) }
        text.begin("epg_source_stations", .gauge, "Stations of which a source has spoken.")
        for source in sources { text.sample("epg_source_stations", label(source), source.stations) }
        text.begin("epg_source_failed", .gauge, "Whether the last attempt to refresh a source failed.")
        for source in sources {
            text.sample("epg_source_failed", label(source), source.state.lastError == nil ? 0 : 1)
        }
        text.begin("epg_source_attempt_age_seconds", .gauge, "Seconds since a source was last asked.")
        for source in sources {
            guard let instant = source.state.lastAttempt else { continue }
            text.sample("epg_source_attempt_age_seconds", label(source), instant.seconds(to: now))
        }
        text.begin("epg_source_success_age_seconds", .gauge, "Seconds since a source was last known to be up to date.")
        for source in sources {
            guard let instant = source.state.lastSuccess else { continue }
            text.sample("epg_source_success_age_seconds", label(source), instant.seconds(to: now))
        }
        text.begin(
            "epg_source_success_timestamp_seconds", .gauge,
            "When a source was last known to be up to date, in seconds since 1970.")
        for source in sources {
            guard let instant = source.state.lastSuccess else { continue }
            text.sample("epg_source_success_timestamp_seconds", label(source), instant.secondsSince1970)
        }
    }

    /// What refreshes did, whoever made them: it is the guide that remembers it.
    private func writeRefreshes(to text: inout MetricsText) {
        guard let sources, !sources.isEmpty else { return }
        text.begin("epg_source_refresh_duration_seconds", .gauge, "How long the last refresh of a source took.")
        for source in sources {
            guard let duration = source.state.lastDuration else { continue }
            text.sample("epg_source_refresh_duration_seconds", label(source), duration.inSeconds)
        }
        text.begin("epg_source_refresh_result", .gauge, "Whether the last refresh of a source ended with this result.")
        for source in sources {
            guard let ending = source.state.lastEnding else { continue }
            for result in RefreshEnding.allCases {
                text.sample(
                    "epg_source_refresh_result", label(source) + [("result", result.rawValue)],
                    result == ending ? 1 : 0)
            }
        }
        text.begin("epg_source_refresh_failures_total", .counter, "Refreshes of a source that failed.")
        for source in sources {
            text.sample(
                "epg_source_refresh_failures_total", label(source),
                // A counter doesn't fall when the import turns out well; one that didn't counts from the next attempt on.
                source.state.failures - (source.state.hasUnfinishedImport ? 1 : 0))
        }
    }

    private func writeImports(to text: inout MetricsText) {
        let imports = (sources ?? []).compactMap { source in source.lastImport.map { (source.source.name, $0) } }
        guard !imports.isEmpty else { return }
        text.begin("epg_import_airings", .gauge, "What became of the programmes of a source's last import.")
        for (source, last) in imports {
            let outcomes = [
                ("read", last.read), ("stored", last.stored), ("dropped", last.dropped), ("inserted", last.inserted),
                ("changed", last.changed), ("removed", last.removed),
            ]
            for (outcome, count) in outcomes {
                text.sample("epg_import_airings", [("source", source), ("outcome", outcome)], count)
            }
        }
        text.begin("epg_import_age_seconds", .gauge, "Seconds since a source's last import.")
        for (source, last) in imports {
            text.sample("epg_import_age_seconds", [("source", source)], last.at.seconds(to: now))
        }
    }

    private func label(_ source: SourceSummary) -> [(name: StaticString, value: String)] {
        [("source", source.source.name)]
    }

    private func writeProcess(to text: inout MetricsText) {
        let process = ProcessReadings()
        text.metric("process_cpu_seconds_total", .counter, "Processor time in seconds.", process.seconds)
        if let bytes = process.residentBytes {
            text.metric("process_resident_memory_bytes", .gauge, "Memory in use.", bytes)
        }
        if let bytes = process.virtualBytes {
            text.metric("process_virtual_memory_bytes", .gauge, "Memory that is addressed.", bytes)
        }
        if let count = process.openFiles { text.metric("process_open_fds", .gauge, "Open file descriptors.", count) }
        if let count = process.greatestOpenFiles {
            text.metric("process_max_fds", .gauge, "File descriptors that may be open.", count)
        }
        if let time = process.startTime {
            text.metric("process_start_time_seconds", .gauge, "When the process began, in seconds since 1970.", time)
        }
    }
}
