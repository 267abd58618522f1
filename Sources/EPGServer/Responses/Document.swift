import EPGJSON
import EPGRender
import HTTPTypes
import Hummingbird
import NIOCore

/// The content of a response, before caching and compression.
struct Document: Sendable {
    var mediaType: MediaType
    var bytes: ByteBuffer
    /// Further headers that belong to it, such as `Content-Disposition`.
    var headers: HTTPFields = [:]
    /// Whether it stays the same until the guide changes.
    var isCacheable = true
    /// Whether the URL names this very content, so that the response never changes.
    var isImmutable = false

    init(_ mediaType: MediaType, _ bytes: ByteBuffer) {
        self.mediaType = mediaType
        self.bytes = bytes
    }

    init(_ mediaType: MediaType, text: String) {
        self.init(mediaType, ByteBuffer(string: text))
    }

    /// A page.
    init(page bytes: [UInt8]) {
        self.init(.html, ByteBuffer(bytes: bytes))
    }

    /// A JSON document.
    init(_ mediaType: MediaType = .json, json value: some JSONValue) {
        self.init(mediaType) { $0.write(value) }
    }

    /// A JSON document, written by a closure.
    init(_ mediaType: MediaType = .json, _ write: (inout JSONWriter) throws -> Void) rethrows {
        var json = JSONWriter()
        try write(&json)
        self.init(mediaType, ByteBuffer(bytes: json.takeBytes()))
    }

    /// A JSON object whose members a closure writes.
    static func object(_ writeMembers: (inout JSONWriter) throws -> Void) rethrows -> Document {
        try Document { json in try json.object(writeMembers) }
    }

    /// The document as a response that nobody keeps, without its body for HEAD.
    func response(
        _ status: HTTPResponse.Status = .ok, to request: Request, headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.contentType] = mediaType.value
        headers[.cacheControl] = Freshness.uncacheable.cacheControl
        headers[.contentLength] = String(bytes.readableBytes)
        let body = request.method == .head ? ResponseBody() : ResponseBody(byteBuffer: bytes)
        return Response(status: status, headers: headers, body: body)
    }
}

/// The type of a document, as `Content-Type` states it.
struct MediaType: Hashable, Sendable {
    let value: String
    /// Whether compression makes it smaller.
    let isText: Bool

    init(_ value: String, isText: Bool) {
        self.value = value
        self.isText = isText
    }

    static let json = MediaType("application/json", isText: true)
    static let problem = MediaType("application/problem+json", isText: true)
    static let html = MediaType("text/html; charset=utf-8", isText: true)
    static let svg = MediaType("image/svg+xml", isText: true)
    static let plain = MediaType("text/plain; charset=utf-8", isText: true)
}
