import CPage
import EPGCalendar
import EPGHTTP
import EPGJSON
import EPGModel
import EPGRender
import HTTPTypes
import NIOCore

/// The guide as a whole: its sources, its changes, the versions of its days, and the description of the API.
enum GuideController {
    static let endpoints: [any Endpoint.Type] = [
        SourcesEndpoint.self, ChangesEndpoint.self, VersionsEndpoint.self, OpenAPIEndpoint.self,
    ]
}

/// `/api/v1/sources`: the sources of the guide, with the results of the last refresh and the last import of each, as
/// ``PublicSourceJSON`` writes them.
struct SourcesEndpoint: Endpoint {
    static let path = "/api/v1/sources"

    init(_ parameters: inout ParameterReader) throws(Problem) {}

    /// A refresh changes the state of its source without a new generation.
    var freshness: Freshness { .uncacheable }

    func document(from guide: GuideView) throws -> Document {
        let sources = try guide.guide.sources().map { PublicSourceJSON($0, nextRefresh: guide.nextRefresh?($0)) }
        return .object { $0.member("sources", sources) }
    }
}

/// `/api/v1/changes`: the changes since a generation.
struct ChangesEndpoint: Endpoint {
    static let path = "/api/v1/changes"

    /// The maximum number of airings. Further stations are reported as changed as a whole.
    static let maximumCount = 10_000

    private let since: GenerationName

    init(_ parameters: inout ParameterReader) throws(Problem) {
        let name = try parameters.value(
            "since", maximumLength: 40, expected: "a generation such as 42 or 42.k3f9", GenerationName.init(_:))
        guard let name else {
            throw .badParameter("since", "the generation is missing. Use a generation such as since=42.")
        }
        since = name
        parameters.knownGeneration = name
    }

    func document(from guide: GuideView) throws -> Document {
        // There are no changes from a generation of another guide or edition to this one.
        let isKnown = try since.key == nil || guide.name(of: since.generation) == since
        let changes = isKnown ? try guide.guide.changes(since: since.generation) : nil
        return .object { json in
            json.member("since", since.generation.rawValue)
            json.member("generation", guide.version.generation.rawValue)
            json.member("name", guide.generationName.description)
            json.member("complete", changes != nil)
            guard let changes else { return }
            json.member("stationsChanged", changes.changesStations)
            json.member("stations", changes.stations(withAirings: ChangesEndpoint.maximumCount))
        }
    }
}

/// `/api/v1/versions`: the versions of ``StationDayEndpoint`` for the days of all stations, or of a page of them.
///
/// A client that caches days compares versions and requests only changed days.
struct VersionsEndpoint: Endpoint {
    static let path = "/api/v1/versions"

    private let zone: Zone
    private let days: [CivilDate]
    private let stations: StationSelection
    private let selection: AiringSelection
    private let page: PageRange

    /// The maximum number of stations times days.
    private static let maximumCount = 50_000
    /// The number of stations that are in memory at a time.
    private static let batchSize = 500

    init(_ parameters: inout ParameterReader) throws(Problem) {
        let first: CivilDate
        if let day = try parameters.day("date") {
            first = day
            zone = try parameters.zone()
            // `at` has no effect here, but URLs may contain it.
            _ = try parameters.instant("at")
        } else {
            let (zone, start) = try parameters.today()
            first = zone.date(at: start)
            self.zone = zone
        }
        let count = try parameters.integer("days", default: 7, in: 1...31)
        days = (0..<count).map { first.advanced(byDays: $0) }
        stations = try StationSelection(&parameters, hasRows: false)
        selection = try AiringSelection(&parameters)
        try selection.requireVersionedMembers()
        page = try PageRange(
            &parameters, default: VersionsEndpoint.maximumCount, maximum: VersionsEndpoint.maximumCount)
    }

    var isSlow: Bool { true }

    func document(from guide: GuideView) throws -> Document {
        let listed = try stations.listed(in: guide.guide)
        let rows = listed.rows(at: page.places(inListOf: listed.count))
        guard rows.count * days.count <= VersionsEndpoint.maximumCount else {
            throw Problem(
                .badRequest,
                """
                The request is for \(rows.count) stations and \(days.count) days. Stations times days may be at most \
                \(VersionsEndpoint.maximumCount). Request fewer days, or pages of stations with offset and limit.
                """, parameter: "limit")
        }
        let windows = days.map(zone.window(of:))
        let span = TimeWindow(start: windows[0].start, end: windows[windows.count - 1].end)
        return try .object { json in
            json.member("zone", zone.name)
            json.member("from", days[0].description)
            json.member("days", days.count)
            json.member("total", listed.count)
            json.member("offset", page.offset)
            try json.member(
                "stations",
                array: { json in
                    for start in stride(from: 0, to: rows.count, by: VersionsEndpoint.batchSize) {
                        let batch = rows.rows(at: start..<min(start + VersionsEndpoint.batchSize, rows.count))
                        for range in batch.ranges {
                            let contents = try guide.guide.contents(inRows: range, during: span)
                            for row in try guide.guide.stations(inRows: range) {
                                json.object { json in
                                    json.member("id", row.station.id)
                                    json.member(
                                        "versions",
                                        zip(days, windows).map { day, window in
                                            DayVersion(
                                                of: row.station, day, zone, window, selection,
                                                contents[row.row] ?? []
                                            ).text
                                        })
                                }
                            }
                        }
                    }
                })
        }
    }
}

/// `/openapi.yaml`: the description of the API (OpenAPI 3.1).
struct OpenAPIEndpoint: Endpoint {
    static let path = "/openapi.yaml"

    init(_ parameters: inout ParameterReader) throws(Problem) {}

    func document(from guide: GuideView) throws -> Document {
        Document(MediaType("application/yaml", isText: true), OpenAPIEndpoint.bytes)
    }

    /// The document that is embedded in the program.
    static let bytes: ByteBuffer = {
        var count = 0
        let first = cpage_openapi(&count)
        return ByteBuffer(bytes: UnsafeBufferPointer(start: first, count: count))
    }()
}
