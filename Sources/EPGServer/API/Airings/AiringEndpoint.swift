import EPGJSON
import EPGModel
import EPGRender

/// `/api/v1/airings/{id}`: an airing with everything that is known of it, and when its programme is on again.
struct AiringEndpoint: Endpoint {
    static let path = "/api/v1/airings/{id}"

    private let id: String
    private let now: Instant
    private let languages: [String]

    /// The most other showings that are told.
    private static let showingCount = 20

    init(_ request: inout RequestReader) throws(Problem) {
        id = request.capture("id")
        now = try request.minute()
        languages = try request.languages()
    }

    func answer(_ guide: GuideView) throws -> Document {
        guard let number = Int64(id), let found = try guide.guide.airing(AiringID(number)) else {
            throw Problem.notFound(
                "There is no airing “\(id.prefix(40))” any more, or there never was; /api/v1/search?q=… finds others.")
        }
        let detail = told(found)
        let station = try guide.guide.station(detail.airing.station)?.withHTTPAddressesOnly
        let showings = try guide.guide.showings(of: detail.airing.id, after: now, limit: AiringEndpoint.showingCount)
        var document = Document { json in
            json.object { json in
                json.member("generation", guide.generation.rawValue)
                json.member("airing", detail)
                json.member("station", station)
                json.member("showings", showings)
            }
        }
        document.isPassing = try !guide.guide.isSearchIndexCurrent()
        return document
    }

    /// The detail in the languages that are wanted, with safe addresses only.
    private func told(_ detail: AiringDetail) -> AiringDetail {
        var detail = detail
        detail.programme = detail.programme.withHTTPAddressesOnly
        if !languages.isEmpty { detail.airing = detail.airing.told(by: detail.programme, in: languages) }
        return detail
    }
}
