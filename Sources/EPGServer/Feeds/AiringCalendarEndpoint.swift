import EPGImport
import EPGModel
import HTTPTypes
import NIOCore

/// `/airings/{id}.ics`: one airing, for calendars (RFC 5545); the same entry as in the calendar of its station.
struct AiringCalendarEndpoint: Endpoint {
    static let path = "/airings/{id}.ics"

    private let id: String

    init(_ request: inout RequestReader) throws(Problem) {
        id = request.capture("id")
    }

    func answer(_ guide: GuideView) throws -> Document {
        guard let number = Int64(id), let detail = try guide.guide.airing(AiringID(number)) else {
            throw Problem.notFound(
                "There is no airing “\(id.prefix(40))” in the guide. It may have been taken out since.")
        }
        var selection = ExportSelection()
        selection.window = detail.airing.window
        selection.stations = { $0.id == detail.airing.station }
        // What a better source hides stands among what its own source says.
        if !detail.isShown { selection.source = detail.source }
        let bytes = CalendarBytes()
        let made = guide.version.since ?? Instant(secondsSince1970: 0)
        var visitor = OneAiring(
            airing: detail.airing,
            exporter: CalendarExporter(name: detail.airing.title, now: made) { bytes.buffer.writeBytes($0) })
        try guide.guide.export(selection, to: &visitor)
        var document = Document(CalendarEndpoint.mediaType, bytes.buffer)
        document.fields[.contentDisposition] = "attachment; filename=\"programme.ics\""
        return document
    }
}

/// Lets one airing through to a calendar, of those that have its time.
private struct OneAiring: GuideVisitor {
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
