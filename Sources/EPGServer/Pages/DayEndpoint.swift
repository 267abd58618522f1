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
