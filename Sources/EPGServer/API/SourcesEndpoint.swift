import EPGModel
import EPGRender

/// `/api/v1/sources`: where the guide comes from.
struct SourcesEndpoint: Endpoint {
    static let path = "/api/v1/sources"

    init(_ request: inout RequestReader) throws(Problem) {}

    func answer(_ guide: GuideView) throws -> Document {
        let sources = try guide.guide.sources()
        return Document { json in
            json.object { json in
                json.member("generation", guide.generation.rawValue)
                json.member("sources", sources)
            }
        }
    }
}
