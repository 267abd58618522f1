import EPGJSON
import EPGModel
import EPGRender

/// `/api/v1/stations`: the stations in the order of the guide, a page of those that a filter lets through.
struct StationsEndpoint: Endpoint {
    static let path = "/api/v1/stations"

    private let filter: StationFilter
    private let page: PageRange

    init(_ request: inout RequestReader) throws(Problem) {
        filter = StationFilter(
            text: try request.text("q"), group: try request.text("group"), lineup: try request.text("lineup"))
        page = try PageRange(&request)
    }

    func answer(_ guide: GuideView) throws -> Document {
        let found = try guide.guide.stations(filter, offset: page.offset, limit: page.limit)
        return Document { json in
            json.object { json in
                json.member("generation", guide.generation.rawValue)
                json.member("total", found.total)
                json.member("offset", page.offset)
                json.member("stations", found.stations.map(\.withHTTPAddressesOnly))
            }
        }
    }
}

/// The part of a list that is asked for.
struct PageRange: Hashable, Sendable {
    let offset: Int
    let limit: Int

    /// Reads `offset`, from 0, and `limit`, from 1 to `greatest`.
    init(
        _ request: inout RequestReader, greatest: Int = 500, default limit: Int = 100, last: Int = 999_999_999
    ) throws(Problem) {
        offset = try request.integer("offset", default: 0, in: 0...last)
        self.limit = try request.integer("limit", default: limit, in: 1...greatest)
    }
}
