import EPGJSON
import EPGModel
import EPGRender

/// `/api/v1/categories`: what the feeds call their programmes, the most frequent first.
struct CategoriesEndpoint: Endpoint {
    static let path = "/api/v1/categories"

    init(_ request: inout RequestReader) throws(Problem) {}

    func answer(_ guide: GuideView) throws -> Document {
        let categories = try guide.guide.categories()
        return Document { json in
            json.object { json in
                json.member("generation", guide.generation.rawValue)
                json.member("categories", categories)
            }
        }
    }
}
