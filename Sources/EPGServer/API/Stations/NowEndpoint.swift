import EPGModel
import EPGRender

/// `/api/v1/now`: what is on in some rows at an instant, and what comes next.
struct NowEndpoint: Endpoint {
    static let path = "/api/v1/now"

    private let query: MomentQuery

    init(_ request: inout RequestReader) throws(Problem) {
        query = try MomentQuery(&request)
    }

    func answer(_ guide: GuideView) throws -> Document {
        try query.answer(guide) { entry in entry }
    }
}
