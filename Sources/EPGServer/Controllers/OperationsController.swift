import EPGHTTP
import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird
import Logging

/// `/healthz`, `/readyz` and `/metrics`, for operators.
struct OperationsController: Sendable {
    let report: MetricsReport
    let draining: Flag
    let logger: Logger
    private let probes = SingleFlight<Bool>()

    func addRoutes(to router: AccessRouter) {
        router[.everybody].onRead("/healthz") { request, _ in response(to: request, .ok, "alive\n") }
        router[.everybody].onRead("/readyz") { try await readiness($0, $1) }
        router[.metrics].onRead("/metrics") { try await metrics($0, $1) }
    }

    private func readiness(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        guard !draining.isSet else { return response(to: request, .serviceUnavailable, "shutting down\n") }
        // All clients share one read, so that reads do not pile up while the database hangs.
        let isReadable = try await probes.join("version", until: context.client.disconnectSignal) {
            try await report.service.executor[.operations].run(for: nil) { _ in read { try $0.version() } != nil }
        }
        guard isReadable else { return response(to: request, .serviceUnavailable, "the guide is unavailable\n") }
        return response(to: request, .ok, "ready\n" + (report.service.watch.server.map { "\($0)\n" } ?? ""))
    }

    private func metrics(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let text = try await report.service.executor[.operations].run(for: context.client.limitedAddress) { _ in
            let contents = read { (sources: try $0.sources(), reminders: try $0.reminders()) }
            return report.text(sources: contents?.sources, reminders: contents?.reminders ?? [])
        }
        let type = MediaType("text/plain; version=0.0.4; charset=utf-8", isText: true)
        return Document(type, text: text).response(to: request)
    }

    /// Reads from the guide; `nil` if it is unavailable.
    private func read<Value>(_ body: (any GuideReading) throws -> Value) -> Value? {
        do {
            return try report.service.guide.read(within: .seconds(2), body)
        } catch {
            logger.warning("guide is unavailable", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    private func response(to request: Request, _ status: HTTPResponse.Status, _ text: String) -> Response {
        Document(.plain, text: text).response(status, to: request)
    }
}

/// The content of `/metrics`.
struct MetricsReport: Sendable {
    let service: GuideService
    let feeds: FeedLibrary
    let requests: RequestMetrics
    let clients: ClientTable
    /// The path of the database, if it is known.
    let database: String?

    /// Returns the report. Blocks the thread for system calls.
    ///
    /// - Parameters:
    ///   - sources: `nil` if the guide is unavailable.
    ///   - reminders: The recorded reminders.
    func text(sources: [SourceSummary]?, reminders: [Reminder]) -> String {
        var text = MetricsText()
        writeRequests(to: &text)
        writeConnections(to: &text)
        writeAdmissions(to: &text)
        writeMemory(to: &text)
        writeArtwork(to: &text)
        text.writeGuide(
            at: service.watch.version, server: service.watch.server, sources: sources, database: database,
            now: service.now())
        if !reminders.isEmpty {
            text.metric(
                "epg_reminders", .gauge,
                "Recorded reminders of the watchlist by state: sending includes those to be sent again.",
                of: Reminder.State.allCases, { [("state", $0.rawValue)] },
                { state in reminders.count { $0.state == state } })
        }
        text.writeProcess(began: service.site.began)
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
        text.histogram(
            "epg_http_request_duration_seconds", "Time until the response is ready, by route.",
            bounds: RequestMetrics.bounds.map { Double($0) / 1_000_000_000 },
            of: used, { [("route", $0.route)] }, { ($0.bucketCounts, Double($0.totalNanoseconds) / 1_000_000_000) })
        text.metric(
            "epg_http_prepared_responses_total", .counter, "Responses sent in front of the router.",
            requests.prepared.value)
        text.metric("epg_http_requests_in_flight", .gauge, "Requests in flight.", requests.inFlight.value)
        text.metric(
            "epg_http_refusals_total", .counter, "Rejected connections and requests by reason.",
            of: Refusal.allCases, { [("reason", $0.rawValue)] },
            { [counts = clients.counts.refusals] in counts[$0] ?? 0 })
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
            ("read", service.executor[.reads].counts), ("search", service.executor[.searches].counts),
            ("feed", service.executor[.feeds].counts),
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

    private func writeArtwork(to text: inout MetricsText) {
        guard let artwork = service.artwork else { return }
        let (counts, usage) = (artwork.counts, artwork.store.usage)
        text.metric("epg_artwork_hits_total", .counter, "Pictures read from the folder.", counts.hits)
        text.metric("epg_artwork_misses_total", .counter, "Pictures not found in the folder.", counts.misses)
        text.metric("epg_artwork_fetches_total", .counter, "Downloads of pictures.", counts.fetches)
        text.metric("epg_artwork_failures_total", .counter, "Downloads without a usable picture.", counts.failures)
        text.metric("epg_artwork_fetched_bytes_total", .counter, "Downloaded bytes of pictures.", counts.fetchedBytes)
        text.metric("epg_artwork_pictures", .gauge, "Pictures in the folder.", usage.count)
        text.metric("epg_artwork_bytes", .gauge, "Bytes of the folder of pictures on the disk.", usage.bytes)
    }
}
