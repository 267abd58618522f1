import EPGJSON
import EPGModel
import EPGRender

/// `/api/v1/next`: what starts next in some rows after an instant.
struct NextEndpoint: Endpoint {
    static let path = "/api/v1/next"

    private let query: MomentQuery

    init(_ request: inout RequestReader) throws(Problem) {
        query = try MomentQuery(&request)
    }

    func answer(_ guide: GuideView) throws -> Document {
        try query.answer(guide, NextEntry.init)
    }
}

/// What comes next on a station; nothing at the end of its schedule.
private struct NextEntry: JSONObject {
    let entry: NowAndNext

    func writeMembers(to json: inout JSONWriter) {
        json.member("row", entry.row)
        json.member("station", entry.station)
        json.member("stationName", entry.stationName)
        json.member("next", entry.next)
    }
}
