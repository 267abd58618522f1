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
                json.member(
                    "categories",
                    array: { json in
                        for category in categories {
                            json.object { json in
                                json.member("name", category.name)
                                json.member("count", category.count)
                                json.member("genre", Genre(categories: [category.name])?.rawValue)
                            }
                        }
                    })
            }
        }
    }
}
