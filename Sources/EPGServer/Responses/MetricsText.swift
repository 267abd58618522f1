import EPGFiles
import EPGModel
import EPGRender
import Glibc

/// A writer of metrics in the Prometheus text format 0.0.4.
struct MetricsText: Sendable {
    /// The type of a metric.
    enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    typealias Labels = [(name: StaticString, value: String)]

    /// The metrics written so far.
    private(set) var text = ""

    /// Creates a writer without metrics.
    init() {}

    /// Begins a metric, whose samples follow.
    ///
    /// - Parameter help: A sentence without line breaks and backslashes.
    mutating func begin(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Writes a metric with one sample; nothing if the value is `nil`.
    mutating func metric(_ name: StaticString, _ kind: Kind, _ help: StaticString, _ value: (some Numeric)?) {
        guard let value else { return }
        begin(name, kind, help)
        sample("\(name)", [], value)
    }

    /// Writes a metric with one sample for each element, except those whose value is `nil`.
    mutating func metric<Element, Value: Numeric>(
        _ name: StaticString, _ kind: Kind, _ help: StaticString, of elements: [Element],
        _ labels: (Element) -> Labels, _ value: (Element) -> Value?
    ) {
        begin(name, kind, help)
        for element in elements {
            if let value = value(element) { sample("\(name)", labels(element), value) }
        }
    }

    /// Writes a histogram with one series for each element.
    ///
    /// - Parameters:
    ///   - bounds: The upper bounds of the buckets, ascending; the last bucket has none.
    ///   - values: Returns the number of values in each bucket without those in the buckets below, and the sum of all values.
    mutating func histogram<Element>(
        _ name: StaticString, _ help: StaticString, bounds: [Double], of elements: [Element],
        _ labels: (Element) -> Labels, _ values: (Element) -> (counts: [Int], sum: Double)
    ) {
        begin(name, .histogram, help)
        for element in elements {
            let labels = labels(element)
            let (counts, sum) = values(element)
            var total = 0
            for (limit, count) in zip(bounds.map { "\($0)" } + ["+Inf"], counts) {
                total += count
                sample("\(name)_bucket", labels + [("le", limit)], total)
            }
            sample("\(name)_sum", labels, sum)
            sample("\(name)_count", labels, total)
        }
    }

    /// Writes a sample.
    mutating func sample(_ name: String, _ labels: Labels, _ value: some Numeric) {
        text += name
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.name)=\"\(MetricsText.escaped($0.value))\"" }
            text += "{\(pairs.joined(separator: ","))}"
        }
        text += " \(value)\n"
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension MetricsText {
    /// Writes the state of a guide and its sources. Blocks the thread for the sizes of files.
    ///
    /// - Parameters:
    ///   - server: The server of the database; `nil` if it is a file.
    ///   - sources: `nil` if the guide is unavailable.
    ///   - database: The path of the database, if it is known.
    mutating func writeGuide(
        at version: GuideVersion, server: DatabaseServer?, sources: [SourceSummary]?, database: String?, now: Instant
    ) {
        metric("epg_guide_generation", .gauge, "Generation of the guide.", version.generation.rawValue)
        metric(
            "epg_guide_generation_age_seconds", .gauge, "Seconds since the last change of the guide.",
            version.since?.seconds(to: now))
        metric("epg_guide_readable", .gauge, "1 if the guide is available, 0 if not.", sources == nil ? 0 : 1)
        if let database, server == nil {
            metric(
                "epg_database_bytes", .gauge, "Bytes of the files of the database.",
                of: [("main", ""), ("wal", "-wal"), ("search", "-search")], { [("file", $0.0)] },
                { FileStatus(path: database + $0.1)?.size })
        }
        if let server { write(server) }
        if let sources, !sources.isEmpty { write(sources, now: now) }
    }

    private mutating func write(_ server: DatabaseServer) {
        let labels: (DatabaseServer.Role) -> Labels = {
            [(name: "host", value: server.host), (name: "role", value: $0.rawValue)]
        }
        metric(
            "epg_database_role", .gauge, "1 for the role of the server from which the guide is read, 0 for others.",
            of: DatabaseServer.Role.allCases, labels, { $0 == server.role ? 1 : 0 })
        metric(
            "epg_database_lag_seconds", .gauge, "Seconds by which this server is behind the primary.",
            server.lag.inSeconds)
        metric(
            "epg_database_lag_generations", .gauge,
            "Generations by which this server is behind the primary; missing while the primary is not available.",
            server.generationsBehind)
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
            of: sources.flatMap { source in RefreshResult.allCases.map { (source, $0) } },
            { [("source", $0.0.source.name), ("result", $0.1.rawValue)] },
            { source, result in source.state.lastResult.map { $0 == result ? 1 : 0 } })
        let outcomes: KeyValuePairs<String, KeyPath<ImportSummary, Int>> = [
            "read": \.read, "stored": \.stored, "dropped": \.dropped, "inserted": \.inserted, "changed": \.changed,
            "removed": \.removed, "completed": \.completed,
        ]
        self.metric(
            "epg_import_airings", .gauge, "Programmes of the last import of the source by outcome.",
            of: sources.flatMap { source in outcomes.map { (source, $0) } },
            { [("source", $0.0.source.name), ("outcome", $0.1.key)] },
            { source, outcome in source.lastImport?[keyPath: outcome.value] })
    }
}

extension MetricsText {
    /// Writes the metrics of the process (proc(5)) that Prometheus defines for all programs.
    ///
    /// - Parameter start: When the program started.
    mutating func writeProcess(began start: Instant?) {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
        metric(
            "process_cpu_seconds_total", .counter, "Total user and system CPU time in seconds.",
            Double(seconds) + Double(microseconds) / 1_000_000)
        if let bytes = try? OpenFile.bytes(ofFile: "/proc/self/statm", upTo: 1000) {
            let pages = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
            let bytes = pages.prefix(2).map { $0 * Int(getpagesize()) }
            metric("process_virtual_memory_bytes", .gauge, "Virtual memory size in bytes.", bytes.first)
            metric("process_resident_memory_bytes", .gauge, "Resident memory size in bytes.", bytes.last)
        }
        if let folder = opendir("/proc/self/fd") {
            // Without `.`, `..` and the descriptor of the folder.
            var count = -3
            while readdir(folder) != nil { count += 1 }
            closedir(folder)
            metric("process_open_fds", .gauge, "Number of open file descriptors.", count)
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            let count = Int(clamping: limit.rlim_cur)
            metric("process_max_fds", .gauge, "Maximum number of open file descriptors.", count)
        }
        metric(
            "process_start_time_seconds", .gauge, "Start of the service in seconds since 1970.",
            start?.secondsSince1970)
    }
}
