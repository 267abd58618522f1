import CPage
import NIOCore

/// `/openapi.yaml`: the description of the API for programs (OpenAPI 3.1).
struct OpenAPIEndpoint: Endpoint {
    static let path = "/openapi.yaml"

    init(_ request: inout RequestReader) throws(Problem) {}

    func answer(_ guide: GuideView) throws -> Document {
        Document(MediaType("application/yaml", isText: true), OpenAPIEndpoint.bytes)
    }

    /// The document, as it is embedded in the program.
    static let bytes: ByteBuffer = {
        var count = 0
        let first = cpage_openapi(&count)
        return ByteBuffer(bytes: UnsafeBufferPointer(start: first, count: count))
    }()
}
