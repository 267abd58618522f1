import EPGCalendar
import EPGModel
import EPGRender

/// `/stations/{id}`: a day of a station; today unless `day` says which.
struct DayEndpoint: Endpoint {
    static let path = "/stations/{id}"

    private let view: ViewRequest
    private let station: StationID
    private let day: CivilDate

    init(_ request: inout RequestReader) throws(Problem) {
        view = try ViewRequest(&request)
        station = StationID(request.capture("id"))
        day = try request.day() ?? view.zone.date(at: view.now)
    }

    func answer(_ guide: GuideView) throws -> Document {
        guard let row = try guide.guide.station(station) else {
            throw Problem.notFound("There is no station \(station.rawValue.prefix(80)) in the guide.")
        }
        let schedule = try guide.guide.schedule(of: station, during: view.zone.window(of: day))
        let page = DayPage(
            station: row, date: day,
            schedule: Schedule(
                station: station, airings: try guide.guide.airings(schedule.airings, in: view.languages)),
            now: view.now,
            zone: view.zone, span: try guide.guide.guideSpan())
        let frame = view.frame("\(row.station.name), \(day)", kind: "day", site: guide.site)
        return Document(page: DayHTML(page, frame: frame).bytes)
    }
}

extension RequestReader {
    /// `day`: a date of the calendar, such as `2026-03-29`, between the years 1900 and 2200; `nil` where none is given.
    fileprivate mutating func day() throws(Problem) -> CivilDate? {
        guard let text = try text("day", atMost: 40) else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 10, parts.count == 3, parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
            let year = Int64(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), 1900...2199 ~= year,
            let date = CivilDate(year: year, month: month, day: day)
        else {
            throw .badParameter("day", "“\(text.prefix(40))” isn't a day from 1900 to 2200, such as 2026-03-29.")
        }
        return date
    }
}
