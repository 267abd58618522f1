import EPGModel
import EPGRender

/// `/home`: what is on tonight, on one page.
struct HomeEndpoint: Endpoint {
    static let path = "/home"

    private let view: ViewRequest

    init(_ request: inout RequestReader) throws(Problem) {
        view = try ViewRequest(&request)
    }

    func answer(_ guide: GuideView) throws -> Document {
        let rows = 0..<HomePage.rowLimit
        let evening = HomePage.evening(at: view.now, in: view.zone)
        let onNow = try guide.guide.nowAndNext(at: view.now, inRows: rows)
        let schedules = try guide.guide.schedules(inRows: rows, during: evening)
        var details: [AiringID: AiringDetail] = [:]
        // What is on now comes first, so that a busy evening doesn't take its details away.
        let current = onNow.compactMap(\.now.first?.id)
        let tonight = schedules.flatMap(\.schedule.airings).sorted { $0.window.start < $1.window.start }.map(\.id)
        for id in current + tonight where details[id] == nil && details.count < HomePage.detailLimit {
            details[id] = try guide.guide.airing(id)
        }
        let page = HomePage(
            now: view.now, zone: view.zone, languages: view.languages,
            stationCount: try guide.guide.stationCount(), stations: try guide.guide.stations(inRows: rows),
            onNow: onNow, schedules: schedules, details: details)
        let frame = view.frame("Home", kind: "home", place: .home, site: guide.site)
        return Document(page: HomeHTML(page, frame: frame).bytes)
    }
}
