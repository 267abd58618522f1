import EPGCalendar
import EPGImport
import EPGModel
import HTTPTypes
import NIOCore

/// `/stations/{id}.ics`: what is on at one station, for calendars (RFC 5545).
struct CalendarEndpoint: Endpoint {
    static let path = "/stations/{id}.ics"
    static let mediaType = MediaType("text/calendar; charset=utf-8", isText: true)

    private let station: StationID
    /// Airings that overlap it; `nil` for all.
    private let window: TimeWindow?

    init(_ request: inout RequestReader) throws(Problem) {
        station = StationID(request.capture("id"))
        let days = try request.integer("days", default: 0, in: 0...3660)
        guard days > 0 else {
            window = nil
            return
        }
        let (zone, start) = try request.today()
        window = TimeWindow(
            start: start, end: max(start, zone.start(of: zone.date(at: start).advanced(byDays: days))))
    }

    func answer(_ guide: GuideView) throws -> Document {
        guard let row = try guide.guide.station(station) else {
            throw Problem.notFound("There is no station “\(station)”; /api/v1/stations lists those of the guide.")
        }
        var selection = ExportSelection()
        selection.window = window
        selection.stations = { [station] in $0.id == station }
        let made = guide.version.since ?? Instant(secondsSince1970: 0)
        let bytes = CalendarBytes()
        var exporter = CalendarExporter(name: row.station.name, now: made) { bytes.buffer.writeBytes($0) }
        try guide.guide.export(selection, to: &exporter)
        return Document(CalendarEndpoint.mediaType, bytes.buffer)
    }
}
