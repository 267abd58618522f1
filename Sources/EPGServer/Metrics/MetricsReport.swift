import EPGCalendar
import EPGModel
import EPGRender
import Glibc

/// The content of `/metrics`.
struct MetricsReport {
    let service: GuideService
    let feeds: FeedLibrary
    let requests: RequestMetrics
    let refusals: RefusalCounts
    let clients: ClientTable
    /// The sources; `nil` if the guide is unavailable.
    let sources: [SourceSummary]?
    /// The path of the database, if it is known.
    let database: String?

    /// Returns the report. Blocks the thread for system calls.
    func text() -> String {
        var text = MetricsText()
        writeRequests(to: &text)
        writeConnections(to: &text)
        writeAdmissions(to: &text)
        writeMemory(to: &text)
        writeGuide(to: &text)
        if let sources, !sources.isEmpty { writeSources(sources, to: &text) }
        writeProcess(to: &text)
        return text.text
    }

    private func writeRequests(to text: inout MetricsText) {
        // Routes without requests have no samples.
        let used = requests.all.filter { $0.bucketCounts.contains { $0 > 0 } }
        text.metric(
            "epg_http_requests_total", .counter, "Responses by route and class of status.",
            of: used.flatMap { figures in (1...5).map { (figures, $0) } },
            { [("route", $0.0.route), ("status", "\($0.1)xx")] },
            { figures, digit in figures.count(ofStatusClass: digit) > 0 ? figures.count(ofStatusClass: digit) : nil })
        let name: StaticString = "epg_http_request_duration_seconds"
        text.begin(name, .histogram, "Time until the response is ready, by route.")
        for figures in used {
            var count = 0
            for (bound, inBucket) in zip(RequestMetrics.bounds.map(Optional.some) + [nil], figures.bucketCounts) {
                count += inBucket
                let limit = bound.map { "\(Double($0) / 1_000_000_000)" } ?? "+Inf"
                text.sample("\(name)_bucket", [("route", figures.route), ("le", limit)], count)
            }
            let seconds = Double(figures.totalNanoseconds) / 1_000_000_000
            text.sample("\(name)_sum", [("route", figures.route)], seconds)
            text.sample("\(name)_count", [("route", figures.route)], count)
        }
        text.metric(
            "epg_http_prepared_responses_total", .counter, "Responses sent in front of the router.",
            requests.prepared.value)
        text.metric("epg_http_requests_in_flight", .gauge, "Requests in flight.", requests.inFlight.value)
        text.metric(
            "epg_http_refusals_total", .counter, "Rejected connections and requests by reason.",
            of: Refusal.allCases, { [("reason", $0.rawValue)] }, { refusals[$0] })
    }

    private func writeConnections(to text: inout MetricsText) {
        let counts = clients.counts
        text.metric("epg_connections", .gauge, "Open connections.", counts.connections)
        text.metric("epg_connections_accepted_total", .counter, "Accepted connections.", counts.accepted)
        text.metric("epg_connections_refused_total", .counter, "Rejected connections.", counts.refused)
        text.metric("epg_addresses", .gauge, "Remembered client addresses.", counts.clients)
        text.metric("epg_subscribers", .gauge, "Clients that listen to events.", service.watch.subscriberCount)
    }

    private func writeAdmissions(to text: inout MetricsText) {
        let classes: [(name: String, counts: RequestAdmission.Counts)] = [
            ("read", service.reads.counts), ("search", service.searches.counts), ("feed", feeds.counts),
        ]
        for (name, kind, help, value) in [
            ("epg_readings_running", .gauge, "Running reads of the guide by class.", \.running),
            ("epg_readings_waiting", .gauge, "Waiting reads of the guide by class.", \.waiting),
            ("epg_readings_cancelled_total", .counter, "Reads of the guide whose clients left, by class.", \.cancelled),
        ] as [(StaticString, MetricsText.Kind, StaticString, KeyPath<RequestAdmission.Counts, Int>)] {
            text.metric(name, kind, help, of: classes, { [("class", $0.name)] }, { $0.counts[keyPath: value] })
        }
        text.metric(
            "epg_readings_refused_total", .counter,
            "Reads of the guide rejected by the limit per client (share) or the limit in total (full), by class.",
            of: classes.flatMap { name, counts in
                [(name, "share", counts.refusedByShare), (name, "full", counts.refusedByPlaces)]
            }, { [("class", $0.0), ("reason", $0.1)] }, { $0.2 })
    }

    private func writeMemory(to text: inout MetricsText) {
        let cache = service.cache.counts
        text.metric("epg_cache_hits_total", .counter, "Responses found in the cache.", cache.hits)
        text.metric("epg_cache_misses_total", .counter, "Responses not found in the cache.", cache.misses)
        text.metric("epg_cache_evictions_total", .counter, "Responses evicted from the cache.", cache.evictions)
        text.metric("epg_cache_entries", .gauge, "Responses in the cache.", cache.entries)
        text.metric("epg_cache_bytes", .gauge, "Bytes of responses in the cache.", cache.bytes)
        text.metric("epg_schedule_bytes", .gauge, "Bytes of schedules in memory.", service.schedules.size)
    }

    private func writeGuide(to text: inout MetricsText) {
        let version = service.watch.version
        let age = version.since?.seconds(to: service.now())
        text.metric("epg_guide_generation", .gauge, "Generation of the guide.", version.generation.rawValue)
        text.metric("epg_guide_generation_age_seconds", .gauge, "Seconds since the last change of the guide.", age)
        text.metric("epg_guide_readable", .gauge, "1 if the guide is available, 0 if not.", sources == nil ? 0 : 1)
        guard let database else { return }
        text.metric(
            "epg_database_bytes", .gauge, "Bytes of the files of the database.",
            of: [("main", ""), ("wal", "-wal"), ("search", "-search")], { [("file", $0.0)] },
            { SystemFile.size(ofFile: database + $0.1) })
    }

    /// Writes what the guide stores about each source, including refreshes by other processes.
    private func writeSources(_ sources: [SourceSummary], to text: inout MetricsText) {
        func metric<Value: Numeric>(
            _ name: StaticString, _ help: StaticString, as kind: MetricsText.Kind = .gauge,
            _ value: (SourceSummary) -> Value?
        ) {
            text.metric(name, kind, help, of: sources, { [("source", $0.source.name)] }, value)
        }
        let now = service.now()
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
        text.metric(
            "epg_source_refresh_result", .gauge, "1 for the result of its last refresh, 0 for others.",
            of: sources.flatMap { source in RefreshEnding.allCases.map { (source, $0) } },
            { [("source", $0.0.source.name), ("result", $0.1.rawValue)] },
            { source, result in source.state.lastEnding.map { $0 == result ? 1 : 0 } })
        let outcomes: KeyValuePairs<String, KeyPath<ImportSummary, Int>> = [
            "read": \.read, "stored": \.stored, "dropped": \.dropped, "inserted": \.inserted, "changed": \.changed,
            "removed": \.removed,
        ]
        text.metric(
            "epg_import_airings", .gauge, "Programmes of the last import of the source by outcome.",
            of: sources.flatMap { source in outcomes.map { (source, $0) } },
            { [("source", $0.0.source.name), ("outcome", $0.1.key)] },
            { source, outcome in source.lastImport?[keyPath: outcome.value] })
    }

    /// Writes the metrics of the process (proc(5)) that Prometheus defines for all programs.
    private func writeProcess(to text: inout MetricsText) {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
        text.metric(
            "process_cpu_seconds_total", .counter, "Total user and system CPU time in seconds.",
            Double(seconds) + Double(microseconds) / 1_000_000)
        if case .bytes(let bytes) = SystemFile.content(ofFile: "/proc/self/statm", limit: 1000) {
            let pages = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
            let bytes = pages.prefix(2).map { $0 * Int(getpagesize()) }
            text.metric("process_virtual_memory_bytes", .gauge, "Virtual memory size in bytes.", bytes.first)
            text.metric("process_resident_memory_bytes", .gauge, "Resident memory size in bytes.", bytes.last)
        }
        if let folder = opendir("/proc/self/fd") {
            // Without `.`, `..` and the descriptor of the folder.
            var count = -3
            while readdir(folder) != nil { count += 1 }
            closedir(folder)
            text.metric("process_open_fds", .gauge, "Number of open file descriptors.", count)
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            let count = Int(clamping: limit.rlim_cur)
            text.metric("process_max_fds", .gauge, "Maximum number of open file descriptors.", count)
        }
        text.metric(
            "process_start_time_seconds", .gauge, "Start of the service in seconds since 1970.",
            service.site.began?.secondsSince1970)
    }
}
