import EPGCalendar
import EPGHTTP
import EPGImport
import EPGModel
import EPGOutput
import HTTPTypes
import Hummingbird
import NIOCore

/// The formats that other programs import: feeds, playlists and calendars.
struct FeedController: Sendable {
    static let endpoints: [any Endpoint.Type] = [
        PlaylistEndpoint.self, LogoEndpoint.self, StationCalendarEndpoint.self, AiringCalendarEndpoint.self,
        AiringStreamEndpoint.self,
    ]

    let service: GuideService
    let library: FeedLibrary

    /// Adds the feeds, which may be larger than memory and are sent in pieces.
    ///
    /// `/xmltv.xml` is the guide as XMLTV, `/xmltv.xml.gz` the same as a compressed file, and `/guide.json` the guide
    /// as EPG JSON, an object on each line.
    func addRoutes(to router: AccessRouter) {
        let router = router[.reading]
        let feeds: [(path: RouterPath, format: ExportRequest.Format, form: FeedForm)] = [
            ("/xmltv.xml", .xmltv, .text(mediaType: "application/xml")),
            ("/xmltv.xml.gz", .xmltv, .file(mediaType: "application/gzip")),
            ("/guide.json", .json, .text(mediaType: "application/x-ndjson")),
        ]
        for feed in feeds {
            router.onRead(feed.path) { request, context in
                var parameters = try service.parameters(of: request, context)
                let query = try FeedQuery(feed.format, &parameters, site: service.site)
                return try await FeedResponse(
                    query: query, form: feed.form, request: request, client: context.client, service: service,
                    feeds: library
                ).response()
            }
        }
    }
}

/// `/playlist.m3u`: an imported lineup, or all of them, as ``PlayerPlaylist`` writes it, with the URL of this guide.
struct PlaylistEndpoint: Endpoint {
    static let path = "/playlist.m3u"

    private let lineup: String?
    private let origin: String?
    /// The token for the URLs of the guide and of logos, if readers must log in.
    private let token: String?
    /// The parental limit for the URL of the guide.
    private let limit: ParentalLimit

    init(_ parameters: inout ParameterReader) throws(Problem) {
        lineup = try parameters.text("lineup")
        limit = parameters.limit
        token = try parameters.token(isWritten: true)
        origin = parameters.origin()
    }

    func document(from guide: GuideView) throws -> Document {
        let names = try guide.guide.lineups()
        if let lineup, !names.contains(lineup) {
            throw Problem.notFound("There is no lineup “\(lineup)”. /api/v1/lineups lists all of them.")
        }
        guard !names.isEmpty else { throw Problem.notFound("There is no lineup. Import a playlist first.") }
        let query = limit.query(after: token.map { "token=\($0.percentEncoded)" } ?? "")
        let service = guide.site.publicURL ?? origin
        var bytes = ByteBuffer()
        var logos = guide.site.logos
        logos.query = token.map { "?token=\($0.percentEncoded)" } ?? ""
        if logos.folder != nil, guide.site.publicURL == nil, let service { logos.base = service + Logos.path }
        try PlayerPlaylist(of: lineup.map { [$0] } ?? names, in: guide.guide, logos: logos)
            .write(guideURL: service.map { $0 + "/xmltv.xml" + query }) { bytes.writeBytes($0) }
        return Document(MediaType("audio/x-mpegurl; charset=utf-8", isText: true), bytes)
    }
}

/// `/logos/{name}`: a picture in the folder of logos, as it was when the service first read it for this version of the guide.
struct LogoEndpoint: Endpoint {
    static let path = "/logos/{name}"

    private let name: String

    init(_ parameters: inout ParameterReader) throws(Problem) {
        name = parameters.path("name")
    }

    func document(from guide: GuideView) throws -> Document {
        guard let picture = guide.site.logos.folder?.picture(named: name) else {
            throw Problem.notFound("There is no logo “\(name.prefix(80))”.")
        }
        return Document(
            MediaType(picture.mediaType, isText: picture.mediaType.hasSuffix("xml")), ByteBuffer(bytes: picture.bytes))
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
        window = try parameters.days()
        // Without `days`, they have no effect, but URLs may contain them.
        if window == nil { (_, _) = (try parameters.zone(), try parameters.instant("at")) }
    }

    func document(from guide: GuideView) throws -> Document {
        guard let row = try guide.guide.station(station) else {
            throw Problem.notFound("The guide has no station “\(station)”. /api/v1/stations lists all stations.")
        }
        var selection = ExportSelection()
        selection.window = window
        selection.stations = { [station] in $0.id == station }
        return try guide.calendar(of: selection, named: row.station.name) { $0 }
    }
}

/// `/airings/{id}.ics`: an airing as a calendar with the entry that it has in the calendar of its station.
struct AiringCalendarEndpoint: Endpoint {
    static let path = "/airings/{id}.ics"

    private let id: String
    private let airing: AiringID?

    init(_ parameters: inout ParameterReader) throws(Problem) {
        (id, airing) = (parameters.path("id"), parameters.pathAiring())
    }

    func document(from guide: GuideView) throws -> Document {
        guard let airing, let detail = try guide.guide.airing(airing) else {
            throw Problem.notFound("The guide has no airing “\(id.prefix(40))”. An update may have removed it.")
        }
        var selection = ExportSelection()
        selection.window = detail.airing.window
        selection.stations = { $0.id == detail.airing.station }
        // An airing that another source hides is only in the listings of its own source.
        if !detail.isShown { selection.source = detail.source }
        var document = try guide.calendar(of: selection, named: detail.airing.shownTitle) { [airing = detail.airing] in
            FilteredAirings(for: $0) { other in
                other.window.start == airing.window.start && other.clump?.index == airing.clump?.index
            }
        }
        document.headers[.contentDisposition] = "attachment; filename=\"programme.ics\""
        return document
    }
}

/// `/airings/{id}.m3u`: a playlist with only the stream of an airing that is on, or else its recording, which a device opens in its
/// player.
struct AiringStreamEndpoint: Endpoint {
    static let path = "/airings/{id}.m3u"

    private let id: String
    private let airing: AiringID?
    private let now: Instant
    private let zone: Zone

    init(_ parameters: inout ParameterReader) throws(Problem) {
        (id, airing) = (parameters.path("id"), parameters.pathAiring())
        now = try parameters.minute()
        zone = try parameters.zone()
    }

    func document(from guide: GuideView) throws -> Document {
        guard let airing, let detail = try guide.guide.airing(airing) else {
            throw Problem.notFound("The guide has no airing “\(id.prefix(40))”. An update may have removed it.")
        }
        guard let stream = try guide.stream(of: detail, at: (now, zone)) else {
            throw Problem.notFound("No channel has a stream or a recording of the airing \(id.prefix(40)).")
        }
        let title = "\(detail.airing.shownTitle) · \(detail.stationName)".map { $0.isNewline ? " " : $0 }
        var document = Document(
            MediaType("audio/x-mpegurl; charset=utf-8", isText: true),
            text: "#EXTM3U\n#EXTINF:-1,\(String(title))\n\(stream)\n")
        document.headers[.contentDisposition] = "attachment; filename=\"programme.m3u\""
        return document
    }
}

extension GuideView {
    /// Returns the URL of the live stream of an airing, or else of its recording; `nil` if there is neither, and for an airing that the
    /// parental limit hides.
    ///
    /// - Complexity: One seek for each channel of the station.
    func stream(of detail: AiringDetail, at time: (now: Instant, zone: Zone)) throws -> String? {
        guard detail.airing.window.start <= time.now, try !guide.isLocked(detail.airing.id) else { return nil }
        let links = try linkContext(for: detail.airing.station, at: time)
        return links.links(of: detail).first { $0.kind == .live }?.url ?? links.catchup(of: detail).first?.url.text
    }

    /// Returns a part of the guide as a calendar that was created when this version of the guide was.
    ///
    /// - Parameter visitor: Returns a visitor that writes airings with the exporter.
    fileprivate func calendar<Visitor: GuideVisitor>(
        of selection: ExportSelection, named name: String, _ visitor: (CalendarExporter) -> Visitor
    ) throws -> Document {
        var bytes = ByteBuffer()
        let visitor = visitor(
            CalendarExporter(name: name, now: version.since ?? Instant(secondsSince1970: 0)) { bytes.writeBytes($0) })
        var shaped = ShapedGuide(for: visitor, site.output, site.logos)
        try guide.export(selection, to: &shaped)
        return Document(MediaType("text/calendar; charset=utf-8", isText: true), bytes)
    }
}
