import EPGImport
import EPGModel
import Synchronization
import Testing
import XMLTV

@testable import EPGRefresh

/// A fake service and a fetcher with its own folder and clock.
final class SchedulesDirectFixture: Sendable {
    let fake: FakeSchedulesDirect
    let folder: TestFolder
    let tokens = SchedulesDirectTokens()
    /// Initially Saturday, March 28, 2026, 12:00 UTC.
    private let time = Mutex<(now: Int64, uptime: Duration)>((1_774_699_200, .zero))
    private let waits = Mutex<[Duration]>([])

    init(_ change: (inout FakeSchedulesDirect.ServiceState) -> Void = { _ in }) throws {
        fake = try FakeSchedulesDirect(change)
        folder = try TestFolder()
    }

    var cachePath: String { "\(folder.path)/guide.json" }

    /// Returns the waits since the last call.
    func takeWaits() -> [Duration] {
        waits.withLock { waits in
            defer { waits = [] }; return waits
        }
    }

    /// Whether the fetcher has waited since the last call of ``takeWaits()``.
    var hasWaited: Bool { waits.withLock { !$0.isEmpty } }

    func advance(_ seconds: Int64) {
        time.withLock { $0 = ($0.now + seconds, $0.uptime + .seconds(seconds)) }
    }

    private var clock: FetchClock {
        FetchClock(
            uptime: { self.time.withLock { $0.uptime } },
            now: { Instant(secondsSince1970: self.time.withLock { $0.now }) },
            wait: { duration, _ in self.waits.withLock { $0.append(duration) } }, random: { 0 })
    }

    func fetcher(
        password: String = "secret", lineups: [String] = [], limits: SchedulesDirectLimits = SchedulesDirectLimits(),
        fetchLimits: FetchLimits = FetchLimits(), cachePath: String? = nil, tokens: SchedulesDirectTokens? = nil,
        names: [String] = []
    ) -> SchedulesDirectFetcher {
        var web = CurlFetcher(
            userAgent: "swift-epg/test", limits: fetchLimits, retries: RetryPolicy(attempts: 3),
            temporaryFolder: folder.path)
        web.clock = clock
        web.proxy = EnvironmentProxy { _ in nil }
        web.resolvedHosts = names
        return SchedulesDirectFetcher(
            account: SchedulesDirectAccount(username: "viewer@example.org", password: password, lineups: lineups),
            cachePath: cachePath ?? self.cachePath, tokens: tokens ?? self.tokens, web: web, limits: limits)
    }

    /// Fetches with the entity tag of the last guide.
    func fetch(
        _ fetcher: SchedulesDirectFetcher? = nil, known tag: String? = nil, watch: FetchObserver = .none
    ) throws -> FetchResult {
        try (fetcher ?? self.fetcher()).fetch(
            FetchRequest(location: .url(fake.url), entityTag: tag), watch: watch)
    }

    /// Fetches a guide, which must have changed, and returns its entity tag.
    func tag(_ fetcher: SchedulesDirectFetcher? = nil, known tag: String? = nil) throws -> String? {
        guard case .body(let body) = try fetch(fetcher, known: tag) else { return nil }
        return body.entityTag
    }

    /// Reads the cached guide and returns its airings, such as `101 2026-03-28T20:00:00Z Harbour`.
    func airings() throws -> [String] {
        var reader = GuideJSONReader(try FileSource(path: cachePath))
        var lines: [String] = []
        while let record = try reader.next() {
            guard case .airing(let airing) = record, case .instant(let start) = airing.start else { continue }
            let title = airing.nodes.lazy.compactMap { node -> String? in
                guard case .element(let element) = node, element.name == "title",
                    case .text(let text)? = element.children.first
                else { return nil }
                return text
            }.first
            lines.append("\(airing.station.rawValue.dropFirst().prefix(3)) \(start) \(title ?? "-")")
        }
        return lines.sorted()
    }

    /// Expects the requests and the waits since the last call, all cached airings, and one of the cached airings.
    func expect(
        requests: [String]? = nil, waits: [Duration]? = nil, airings: [String]? = nil, airing: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        if let requests { #expect(fake.takeRequests() == requests, sourceLocation: sourceLocation) }
        if let waits { #expect(takeWaits() == waits, sourceLocation: sourceLocation) }
        if let airings { #expect(try self.airings() == airings, sourceLocation: sourceLocation) }
        if let airing { #expect(try self.airings().contains(airing), sourceLocation: sourceLocation) }
    }

    /// Expects a fetch to fail, and returns the error.
    func error(
        _ fetcher: SchedulesDirectFetcher? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> FetchError {
        try fetchError(sourceLocation: sourceLocation) { try fetch(fetcher) }
    }

    /// Expects an unmodified guide.
    func expectNotModified(known tag: String?, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let result = try fetch(known: tag)
        guard case .notModified = result else {
            Issue.record("Expected an unmodified guide, not \(result)", sourceLocation: sourceLocation)
            return
        }
    }
}
