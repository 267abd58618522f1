import EPGJSON
import EPGCalendar
import EPGImport
import EPGModel
import EPGRender
import EPGStore
import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOPosix
import XMLTV

@testable import EPGServer

/// A guide on disk, filled by real imports, and the answers of the API over it. The clock stands.
final class APIGuide: Sendable {
    /// 2026-10-24T18:00:20Z, an evening of the sample guide.
    static let now = Instant(secondsSince1970: 1_792_864_820)

    /// How long an answer may take: long enough for a machine that is busy with all other tests.
    static let deadline = Duration.seconds(600)

    let path: String
    private let folder: URL
    private let service: AnswerService
    private let admissions = [RequestAdmission(.questions), RequestAdmission(.searches)]

    /// Imports guides, each as a source of its name, and then lineups.
    init(_ sources: [(name: String, guide: Data)], lineups: [(name: String, playlist: Data)] = []) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "epg-api-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "guide.sqlite").path
        let store = try GuideStore(writingTo: path)
        let importer = GuideImporter(store: store)
        for source in sources {
            _ = try importer.importGuide(
                ChunkSource(Array(source.guide)), as: Source(name: source.name), now: APIGuide.now)
        }
        for lineup in lineups {
            _ = try importer.importLineup(
                GuideFile(ChunkSource(Array(lineup.playlist))), named: lineup.name, now: APIGuide.now)
        }
        try store.refreshSearchIndex()
        try store.close()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let storage = GuideDatabase(path: path)
        service = AnswerService(
            storage, watch: try GuideWatch(storage, logger: logger), site: Site(zone: try Zone(named: "Europe/London")),
            deadline: APIGuide.deadline, questions: admissions[0], searches: admissions[1], now: { APIGuide.now })
        for admission in admissions { admission.threads.start() }
    }

    /// A guide of programmes as XMLTV has them, on stations that nothing else describes.
    convenience init(_ records: String...) throws {
        try self.init([("feed", Data("<tv>\(records.joined(separator: "\n"))</tv>".utf8))])
    }

    deinit {
        for admission in admissions { admission.threads.shutdownGracefully { _ in } }
        do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path): \(error)") }
    }

    /// The sample guide with its oddities and its lineup.
    static func sample() throws -> APIGuide {
        try APIGuide(
            [("evening", try sampleFile("evening.xml")), ("oddities", try sampleFile("oddities.xml"))],
            lineups: [("evening", try sampleFile("evening.m3u"))])
    }

    private static func sampleFile(_ name: String) throws -> Data {
        try Data(contentsOf: root.appending(path: "sample-data").appending(path: name))
    }

    /// The folder of the package.
    static let root = (0..<5).reduce(URL(filePath: #filePath)) { folder, _ in folder.deletingLastPathComponent() }

    /// The answer to GET.
    ///
    /// - Parameter arrival: When the request came, which its deadline counts from.
    func get(_ address: String, arrival: ContinuousClock.Instant = .now) async -> APIReply {
        do {
            let answer = try await answer(address, arrival)
            return APIReply(status: 200, fields: answer.fields, bytes: Array(answer.bytes.readableBytesView))
        } catch let problem as Problem {
            let document = Document(.problem) { $0.write(problem) }
            return APIReply(
                status: problem.status.code, fields: [:], bytes: Array(document.bytes.readableBytesView))
        } catch {
            return APIReply(status: 500, fields: [:], bytes: Array("\(error)".utf8))
        }
    }

    private func answer(_ address: String, _ arrival: ContinuousClock.Instant) async throws -> CachedAnswer.Variant {
        let parts = address.split(separator: "?", maxSplits: 1)
        let path = parts[0].split(separator: "/")
        for route in Route.all {
            guard let captured = route.captures(of: path) else { continue }
            var captures: [String: String] = [:]
            for (name, value) in captured { captures[name] = PercentEncoding.decoded(value.utf8) }
            var reader = try RequestReader(
                query: parts.count > 1 ? String(parts[1]) : nil, captures: captures, clock: service.now(),
                defaultZone: service.site.zone, host: "tv.example")
            let client = RequestingClient(asker: nil, arrival: arrival, departure: nil)
            return try await service.answer(to: try route.question(&reader), for: client, acceptsGzip: false).0
        }
        throw Problem.notFound("no route")
    }

    /// The store, to compare with.
    func reading<Value>(_ body: (GuideStore) throws -> Value) throws -> Value {
        let store = try GuideStore(readingFrom: path)
        defer { do { try store.close() } catch { print("not closed: \(error)") } }
        return try body(store)
    }
}

/// What the API answered.
struct APIReply {
    let status: Int
    let fields: HTTPFields
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The body as Foundation reads it.
    var json: Loose {
        get throws { Loose(try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) }
    }
}

/// A JSON value whose parts are asked for by name and place; what isn't there is `nil` all the way.
struct Loose {
    let value: Any?

    init(_ value: Any?) { self.value = value }

    subscript(_ key: String) -> Loose { Loose((value as? [String: Any])?[key]) }

    subscript(_ place: Int) -> Loose { Loose(list.indices.contains(place) ? list[place].value : nil) }

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

/// Guides that several suites ask and none changes.
enum SharedGuides {
    /// See ``APIGuide/sample()``.
    static let sample = Result { try APIGuide.sample() }

    /// Stations `s000` to `s099` in this order; each has one airing a day for fifteen days, at 2026-10-24T00:00:00Z and so
    /// on, 24 hours long.
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
