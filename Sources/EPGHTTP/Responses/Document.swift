package import EPGJSON
package import HTTPTypes
package import Hummingbird
package import NIOCore

/// The content of a response, before caching and compression.
package struct Document: Sendable {
    /// The type of the content.
    package var mediaType: MediaType
    /// The content, uncompressed.
    package var bytes: ByteBuffer
    /// Additional headers, such as `Content-Disposition`.
    package var headers: HTTPFields = [:]
    /// Whether it stays the same until the content changes.
    package var isCacheable = true
    /// Whether the service may keep it until the content changes: `false` for a document that depends on anything else. Clients and
    /// caches revalidate it by its tag.
    package var isKept = true
    /// Whether the URL identifies this content, so that the response never changes.
    package var isImmutable = false

    /// Creates a cacheable document.
    package init(_ mediaType: MediaType, _ bytes: ByteBuffer) {
        self.mediaType = mediaType
        self.bytes = bytes
    }

    /// Creates a cacheable document with a text.
    package init(_ mediaType: MediaType, text: String) {
        self.init(mediaType, ByteBuffer(string: text))
    }

    /// A page.
    package init(page bytes: [UInt8]) {
        self.init(.html, ByteBuffer(bytes: bytes))
    }

    /// A JSON document.
    package init(_ mediaType: MediaType = .json, json value: some JSONValue) {
        self.init(mediaType) { $0.write(value) }
    }

    /// A JSON document, written by a closure.
    package init(_ mediaType: MediaType = .json, _ write: (inout JSONWriter) throws -> Void) rethrows {
        var json = JSONWriter()
        try write(&json)
        self.init(mediaType, ByteBuffer(bytes: json.takeBytes()))
    }

    /// A JSON object whose members a closure writes.
    package static func object(_ writeMembers: (inout JSONWriter) throws -> Void) rethrows -> Document {
        try Document { json in try json.object(writeMembers) }
    }

    /// Returns the document as a response: without its body for HEAD, and uncacheable unless `headers` say otherwise.
    package func response(
        _ status: HTTPResponse.Status = .ok, to request: Request, headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.contentType] = mediaType.value
        headers[.cacheControl] = headers[.cacheControl] ?? Freshness.uncacheable.cacheControl
        headers[.contentLength] = String(bytes.readableBytes)
        let body = request.method == .head ? ResponseBody() : ResponseBody(byteBuffer: bytes)
        return Response(status: status, headers: headers, body: body)
    }
}

/// The value of `Content-Type`.
package struct MediaType: Hashable, Sendable {
    /// The value of the header.
    package let value: String
    /// Whether the type is compressible.
    let isText: Bool

    /// Creates a type.
    package init(_ value: String, isText: Bool) {
        self.value = value
        self.isText = isText
    }

    /// Types that responses have often.
    static let json = MediaType("application/json", isText: true)
    package static let problem = MediaType("application/problem+json", isText: true)
    package static let html = MediaType("text/html; charset=utf-8", isText: true)
    package static let svg = MediaType("image/svg+xml", isText: true)
    package static let plain = MediaType("text/plain; charset=utf-8", isText: true)
    package static let script = MediaType("text/javascript; charset=utf-8", isText: true)
}

/// The time for which clients and caches may keep a response.
package enum Freshness: Hashable, Sendable {
    /// The response depends on the guide: browsers revalidate each time, shared caches after a few seconds.
    case revalidated
    /// The response depends on more than the guide: browsers and caches revalidate each time.
    case checked
    /// The response must not be cached.
    case uncacheable
    /// The URL names one state of the guide, so the response never changes.
    case immutable
    /// The response changes rarely, and need not be revalidated for a week.
    case lasting

    /// The header `Cache-Control` (RFC 9111, RFC 5861).
    package var cacheControl: String {
        switch self {
        case .revalidated: "public, max-age=0, s-maxage=5, stale-while-revalidate=60, stale-if-error=86400"
        case .checked: "no-cache"
        case .uncacheable: "no-store"
        case .immutable: "public, max-age=31536000, immutable"
        case .lasting: "public, max-age=604800, immutable"
        }
    }
}
