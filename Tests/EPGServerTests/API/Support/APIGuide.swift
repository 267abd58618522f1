import EPGCalendar
import EPGImport
import EPGModel
import EPGStore
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import NIOPosix
import TestSupport
import XMLTV

@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

/// A guide on disk, filled by imports, and the responses of the service to requests for endpoints. The clock is fixed at
/// ``now``.
final class APIGuide: Sendable {
    /// 2026-10-24T18:00:20Z, an evening of the sample guide.
    static let now = Instant(secondsSince1970: 1_792_864_820)

    let path: String
    private let folder: URL
    private let responder: RouterResponder<ServiceRequestContext>
    private let watch: GuideVersionMonitor
    /// Admits the searches of all tests that use the guide at the same time.
    private let executor = WorkExecutor([.searches: WorkClass.reads.limits])

    /// Imports each guide as a source with the given name, then the lineups.
    convenience init(
        _ sources: [(name: String, guide: Data)], lineups: [(name: String, playlist: Data)] = []
    ) throws {
        try self.init { path in
            let store = try GuideStore(writingTo: path)
            try APIGuide.importGuides(sources, to: store)
            let importer = GuideImporter(store: store)
            for lineup in lineups {
                _ = try importer.importLineup(
                    GuideFile(ChunkSource(Array(lineup.playlist))), named: lineup.name, now: APIGuide.now)
            }
            try store.refreshSearchIndex()
            try store.close()
        }
    }

    /// Copies a guide, as a backup does.
    convenience init(copyOf guide: APIGuide) throws {
        try self.init { _ = try GuideDatabase(path: guide.path).backUp(to: $0, target: .new) }
    }

    /// - Parameter fill: Creates the database at a path.
    private init(filledBy fill: (String) throws -> Void) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "epg-api-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "guide.sqlite").path
        try fill(path)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let storage = GuideDatabase(path: path)
        let site = Site(zone: try Zone(named: "Europe/London"))
        watch = try GuideVersionMonitor(storage, zone: { site.zone }, logger: logger)
        let service = GuideService(
            storage, watch: watch, site: site,
            deadline: TestScope.unreachedTimeLimit,
            executor: executor, now: { APIGuide.now })
        let router = Router(context: ServiceRequestContext.self)
        router.add(middleware: ErrorMiddleware(site: service.site))
        router.add(middleware: ConditionalMiddleware(naming: .guideGeneration))
        for endpoint in GuideServer.endpoints { router.add(endpoint, from: service) }
        responder = router.buildResponder()
        executor.start()
    }

    /// Creates a guide with XMLTV records.
    convenience init(_ records: String...) throws {
        try self.init([APIGuide.feed(records)])
    }

    deinit {
        Task { [executor] in try await executor.shutDown() }
        do { try FileManager.default.removeItem(at: folder) } catch { print("cannot remove \(folder.path): \(error)") }
    }

    /// Imports the source of ``init(_:)-(String...)`` again with other records.
    func update(_ records: String...) throws {
        let store = try GuideStore(writingTo: path)
        try APIGuide.importGuides([APIGuide.feed(records)], to: store)
        try store.refreshSearchIndex()
        try store.close()
        watch.refresh()
    }

    static func feed(_ records: [String]) -> (name: String, guide: Data) {
        ("feed", Data("<tv>\(records.joined(separator: "\n"))</tv>".utf8))
    }

    private static func importGuides(_ sources: [(name: String, guide: Data)], to store: GuideStore) throws {
        let importer = GuideImporter(store: store)
        for source in sources {
            _ = try importer.importGuide(
                ChunkSource(Array(source.guide)), as: Source(name: source.name), now: APIGuide.now)
        }
    }

    /// The sample guide with its oddities and its lineup.
    static func sample() throws -> APIGuide {
        try APIGuide(
            [("evening", try sampleFile("evening.xml")), ("oddities", try sampleFile("oddities.xml"))],
            lineups: [("evening", try sampleFile("evening.m3u"))])
    }

    private static func sampleFile(_ name: String) throws -> Data {
        try Data(contentsOf: URL(filePath: PackageFiles.sample(name)))
    }

    /// Returns the response to GET, or status 500 for an error that no middleware handles.
    ///
    /// - Parameter arrival: Time at which the request arrived and its deadline starts.
    func get(
        _ target: String, headers: HTTPFields = [:], arrival: ContinuousClock.Instant = .now
    ) async -> APIResponse {
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "tv.example", path: target, headerFields: headers)
        do {
            let response = try await responder.respond(
                to: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
                context: APIGuide.context(arrival: arrival))
            let collector = BodyCollector()
            try await response.body.write(collector)
            return APIResponse(status: response.status.code, headers: response.headers, bytes: collector.bytes)
        } catch {
            return APIResponse(status: 500, headers: [:], bytes: Array("\(error)".utf8))
        }
    }

    /// Returns the context of a request from the local machine.
    private static func context(arrival: ContinuousClock.Instant) -> ServiceRequestContext {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var context = ServiceRequestContext(
            source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: logger))
        context.client = RequestClient(address: .local, limitedAddress: nil, arrival: arrival, disconnectSignal: nil)
        return context
    }

    /// Collects the body of a response.
    private final class BodyCollector: ResponseBodyWriter {
        private(set) var bytes: [UInt8] = []

        func write(_ buffer: ByteBuffer) async throws { bytes += buffer.readableBytesView }

        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    /// Reads the store to get expected values.
    func reading<Value>(_ body: (GuideStore) throws -> Value) throws -> Value {
        let store = try GuideStore(readingFrom: path)
        defer { do { try store.close() } catch { print("cannot close the store: \(error)") } }
        return try body(store)
    }
}

/// A response of the API.
struct APIResponse {
    let status: Int
    let headers: HTTPFields
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The body, parsed by Foundation.
    var json: Loose {
        get throws { Loose(try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) }
    }
}

/// A JSON value with access by key and index. A member or element of a missing value is missing, too.
struct Loose {
    let value: Any?

    init(_ value: Any?) { self.value = value }

    subscript(_ key: String) -> Loose { Loose((value as? [String: Any])?[key]) }

    subscript(_ index: Int) -> Loose { Loose(list.indices.contains(index) ? list[index].value : nil) }

    var list: [Loose] { (value as? [Any] ?? []).map(Loose.init) }

    var keys: Set<String> { Set((value as? [String: Any] ?? [:]).keys) }

    var text: String? { value as? String }

    var integer: Int? { value as? Int }

    var number: Double? { (value as? NSNumber)?.doubleValue }

    var flag: Bool? { value as? Bool }

    var texts: [String] { list.compactMap(\.text) }

    var integers: [Int] { list.compactMap(\.integer) }

    var numbers: [Double] { list.compactMap(\.number) }
}

/// Guides that several suites read and no test changes.
enum SharedGuides {
    /// See ``APIGuide/sample()``.
    static let sample = Result { try APIGuide.sample() }

    /// Stations `s000` to `s099` in this order. Each has one airing of 24 hours on each of fifteen days, from
    /// 2026-10-24T00:00:00Z on.
    static let wide = Result {
        let days = (0..<15).map { day in day < 8 ? "202610\(24 + day)" : "2026110\(day - 7)" }
        let records = (0..<100).flatMap { station -> [String] in
            let id = "s" + String(1000 + station).dropFirst()
            return days.indices.map { day in
                let stop = day + 1 < days.count ? days[day + 1] : "20261108"
                return
                    "<programme start=\"\(days[day])000000 +0000\" stop=\"\(stop)000000 +0000\" channel=\"\(id)\"><title>Day \(day)</title></programme>"
            }
        }
        return try APIGuide(records.joined())
    }
}
