import EPGCalendar
import EPGImport
import EPGModel
import HTTPTypes
import Hummingbird
import NIOCore

/// The formats that other programs import: feeds, playlists and calendars.
struct FeedController: Sendable {
    static let endpoints: [any Endpoint.Type] = [
        PlaylistEndpoint.self, StationCalendarEndpoint.self, AiringCalendarEndpoint.self,
    ]

    let service: GuideService
    let feeds: FeedLibrary

    /// Adds the feeds, which may be larger than memory and are sent in pieces.
    ///
    /// `/xmltv.xml` is the guide as XMLTV, `/xmltv.xml.gz` the same as a compressed file, and `/guide.json` the guide
    /// as EPG JSON, an object on each line.
    func addRoutes(to router: some RouterMethods<GuideRequestContext>) {
        add("/xmltv.xml", .xmltv, as: .text(mediaType: "application/xml"), to: router)
        add("/xmltv.xml.gz", .xmltv, as: .file(mediaType: "application/gzip"), to: router)
        add("/guide.json", .json, as: .text(mediaType: "application/x-ndjson"), to: router)
    }

    private func add(
        _ path: RouterPath, _ format: FeedOrder.Format, as form: FeedForm,
        to router: some RouterMethods<GuideRequestContext>
    ) {
        for method in [HTTPRequest.Method.get, .head] {
            router.on(path, method: method) { [service, feeds] request, context in
                var parameters = try service.parameters(of: request, context)
                let order = try FeedOrder(format, &parameters)
                return try await FeedResponse(
                    order: order, form: form, request: request, client: context.client, service: service, feeds: feeds
                ).response()
            }
        }
    }
}

/// `/playlist.m3u`: an imported lineup, or all of them, as ``PlayerPlaylist`` writes it, with the URL of this guide.
struct PlaylistEndpoint: Endpoint {
    static let path = "/playlist.m3u"

    private let lineup: String?
    private let host: String?

    init(_ parameters: inout ParameterReader) throws(Problem) {
        lineup = try parameters.text("lineup")
        host = parameters.host()
        if let host {
            guard host.utf8.count <= 300, host.utf8.allSatisfy(PlaylistEndpoint.mayBeInHost) else {
                throw Problem(.badRequest, "The header Host is not the name of a host.")
            }
        }
    }

    func document(from guide: GuideView) throws -> Document {
        let lineups = try lineups(of: guide.guide)
        let service = guide.site.publicAddress ?? host.map { "http://" + $0 }
        var bytes = ByteBuffer()
        try PlayerPlaylist(of: lineups, in: guide.guide)
            .write(guideAddress: service.map { $0 + "/xmltv.xml" }) { bytes.writeBytes($0) }
        return Document(MediaType("audio/x-mpegurl; charset=utf-8", isText: true), bytes)
    }

    private func lineups(of guide: any GuideReading) throws -> [String] {
        let names = try guide.lineups()
        guard let lineup else {
            guard !names.isEmpty else { throw Problem.notFound("There is no lineup. Import a playlist first.") }
            return names
        }
        guard names.contains(lineup) else {
            throw Problem.notFound("There is no lineup “\(lineup)”. /api/v1/lineups lists all of them.")
        }
        return [lineup]
    }

    /// Whether a byte occurs in the names, addresses and ports of hosts.
    private static func mayBeInHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._:[]".utf8.contains(byte)
        }
    }
}

/// `/stations/{id}.ics`: the schedule of a station as a calendar (RFC 5545), of `days` days or in full.
struct StationCalendarEndpoint: Endpoint {
    static let path = "/stations/{id}.ics"

    private let station: StationID
    /// Selects airings that overlap it; `nil` for all.
    private let window: TimeWindow?

    init(_ parameters: inout ParameterReader) throws(Problem) {
        station = StationID(parameters.path("id"))
        let days = try parameters.integer("days", default: 0, in: 0...3660)
        guard days > 0 else {
            // They have no effect here, but URLs may contain them.
            (_, _) = (try parameters.zone(), try parameters.instant("at"))
            window = nil
            return
        }
        let (zone, start) = try parameters.today()
        window = TimeWindow(
            start: start, end: max(start, zone.start(of: zone.date(at: start).advanced(byDays: days))))
    }

    func document(from guide: GuideView) throws -> Document {
        guard let row = try guide.guide.station(station) else {
            throw Problem.notFound("The guide has no station “\(station)”. /api/v1/stations lists all stations.")
        }
        var selection = ExportSelection()
        selection.window = window
        selection.stations = { [station] in $0.id == station }
        let output = CalendarOutput()
        var exporter = output.exporter(named: row.station.name, at: guide.version)
        try guide.guide.export(selection, to: &exporter)
        return output.document
    }
}

/// `/airings/{id}.ics`: an airing as a calendar with the entry that it has in the calendar of its station.
struct AiringCalendarEndpoint: Endpoint {
    static let path = "/airings/{id}.ics"

    private let id: String

    init(_ parameters: inout ParameterReader) throws(Problem) {
        id = parameters.path("id")
    }

    func document(from guide: GuideView) throws -> Document {
        guard let number = Int64(id), let detail = try guide.guide.airing(AiringID(number)) else {
            throw Problem.notFound("The guide has no airing “\(id.prefix(40))”. An update may have removed it.")
        }
        var selection = ExportSelection()
        selection.window = detail.airing.window
        selection.stations = { $0.id == detail.airing.station }
        // An airing that another source hides is only in the listings of its own source.
        if !detail.isShown { selection.source = detail.source }
        let output = CalendarOutput()
        var visitor = SingleAiringVisitor(
            airing: detail.airing, exporter: output.exporter(named: detail.airing.title, at: guide.version))
        try guide.guide.export(selection, to: &visitor)
        var document = output.document
        document.headers[.contentDisposition] = "attachment; filename=\"programme.ics\""
        return document
    }
}

/// The bytes of a calendar.
private final class CalendarOutput {
    private var buffer = ByteBuffer()

    /// An exporter that writes here. The calendar is as old as the version of the guide.
    func exporter(named name: String, at version: GuideVersion) -> CalendarExporter {
        CalendarExporter(name: name, now: version.since ?? Instant(secondsSince1970: 0)) {
            self.buffer.writeBytes($0)
        }
    }

    var document: Document { Document(MediaType("text/calendar; charset=utf-8", isText: true), buffer) }
}

/// Passes one airing on to a calendar.
private struct SingleAiringVisitor: GuideVisitor {
    let airing: Airing
    var exporter: CalendarExporter

    mutating func begin(header: [ContentAttribute]) throws { try exporter.begin(header: header) }

    mutating func station(_ station: StationRow, nodes: [ContentNode]) throws {
        try exporter.station(station, nodes: nodes)
    }

    mutating func airing(_ other: ExportedAiring) throws {
        guard other.window.start == airing.window.start, other.clump?.index == airing.clump?.index else { return }
        try exporter.airing(other)
    }

    mutating func end() throws { try exporter.end() }
}
