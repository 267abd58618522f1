import EPGCalendar
import EPGImport
import EPGJSON
import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Synchronization

/// A response with all headers, which is compressed on demand.
final class CachedResponse: Sendable {
    /// A response in one encoding.
    struct Variant: Sendable {
        /// The tag; `nil` for an uncacheable response.
        let tag: EntityTag?
        let bytes: ByteBuffer
        /// All headers of the response with status 200, except `Date`.
        let headers: HTTPFields
        /// The same headers in the form that a channel handler writes.
        let wireHeaders: HTTPHeaders

        fileprivate init(_ bytes: ByteBuffer, _ tag: EntityTag?, _ headers: HTTPFields) {
            self.tag = tag
            self.bytes = bytes
            var headers = headers
            headers[.eTag] = tag?.value
            headers[.contentLength] = String(bytes.readableBytes)
            self.headers = headers
            wireHeaders = HTTPHeaders(headers.map { ($0.name.rawName, $0.value) })
        }

        /// The variant in the encoding gzip; `nil` if it is not smaller.
        fileprivate var compressed: Variant? {
            guard let bytes = bytes.gzipped else { return nil }
            var headers = headers
            headers[.contentEncoding] = "gzip"
            return Variant(bytes, tag?.compressed, headers)
        }
    }

    /// The path of the endpoint for metrics.
    let route: String
    let plain: Variant
    private let isCompressible: Bool
    private let isKept: Bool
    /// The compressed variant; `nil` until a client requests it.
    private let gzip = Mutex<Variant?>(nil)

    /// - Parameters:
    ///   - name: The generation of the guide that the document was read from.
    ///   - lastModified: The modification time; `nil` if unknown.
    ///   - artwork: The URLs of pictures in pages.
    init(
        _ document: Document, to query: CanonicalQuery, at name: GenerationName, lastModified: Instant?,
        artwork: ArtworkLinks = .direct
    ) {
        route = query.route
        isCompressible = document.isCompressible
        isKept = document.isKept
        let freshness = document.freshness(of: query)
        var headers: HTTPFields = [.cacheControl: freshness.cacheControl, .contentType: document.mediaType.value]
        headers[named: "Guide-Generation"] = name.description
        if isCompressible { headers[.vary] = "Accept-Encoding" }
        // A response that depends on the clock may change without the guide.
        if freshness != .uncacheable, !query.followsClock, document.isKept {
            headers[.lastModified] = lastModified?.httpDate
        }
        headers.append(contentsOf: SecurityHeaders.headers(for: document.mediaType, artwork: artwork))
        headers.append(contentsOf: document.headers)
        plain = Variant(document.bytes, freshness == .uncacheable ? nil : EntityTag(of: document.bytes), headers)
    }

    /// The approximate size in memory in bytes, including the compressed variant.
    var size: Int { plain.bytes.readableBytes * (isCompressible ? 5 : 4) / 4 + 2048 }

    /// Whether the response stays the same until the guide changes.
    var isCacheable: Bool { plain.tag != nil && isKept }

    /// The compressed variant, or the plain one if compression gains nothing; `nil` if it is not yet compressed.
    var availableCompressed: Variant? { isCompressible ? gzip.withLockIfAvailable { $0 } ?? nil : plain }

    /// Returns the compressed variant, or the plain one if compression gains nothing.
    ///
    /// - Complexity: O(*n*) in the number of bytes for the first call; concurrent callers wait for it.
    func compressed() -> Variant {
        guard isCompressible else { return plain }
        return gzip.withLock { gzip in
            let variant = gzip ?? plain.compressed ?? plain
            gzip = variant
            return variant
        }
    }
}

extension Document {
    /// Below this number of bytes, compression saves less than a packet.
    private static let minimumCompressibleCount = 1000

    fileprivate var isCompressible: Bool {
        mediaType.isText && bytes.readableBytes >= Document.minimumCompressibleCount
    }

    /// Returns the freshness of the document as the response to a query.
    fileprivate func freshness(of query: CanonicalQuery) -> Freshness {
        guard isCacheable else { return .uncacheable }
        guard isKept else { return .checked }
        return isImmutable && query.freshness == .revalidated ? .immutable : query.freshness
    }
}

/// A strong entity tag (RFC 9110, 8.8.3) that depends on the content only.
///
/// All machines with the same guide send the same tag, and a tag stays valid if other parts of the guide change.
struct EntityTag: Hashable, Sendable {
    /// The tag with its quotation marks.
    let value: String

    static let hasher = ContentHasher.fixed

    init(value: String) {
        self.value = value
    }

    /// Creates the tag of a response with uncompressed bytes.
    init(of bytes: ByteBuffer) {
        self.init(bytes.withUnsafeReadableBytes { EntityTag.hasher.hash(Span(_unsafeBytes: $0)) })
    }

    /// Creates the tag of an uncompressed response that a text identifies.
    init(identifiedBy text: String) {
        self.init(EntityTag.hasher.hash(Array(text.utf8).span))
    }

    private init(_ hash: ContentHash) {
        value = "\"\(hash.base36)\""
    }

    /// The tag of the same response, compressed.
    var compressed: EntityTag { EntityTag(value: value.dropLast() + "-gz\"") }

    /// Returns whether `If-None-Match` contains this tag by weak comparison (RFC 9110, 13.1.2).
    func isNamed(in condition: String) -> Bool {
        EntityTag.tags(in: condition) { $0 == "*" || ($0.hasPrefix("W/") ? $0.dropFirst(2) : $0) == value }
    }

    /// Returns whether a list of tags or a star matches this tag by strong comparison (RFC 9110, 8.8.3.2).
    func isNamedStrongly(in condition: String) -> Bool {
        EntityTag.tags(in: condition) { $0 == "*" || $0 == value }
    }

    /// Returns whether any tag of a list meets a condition.
    private static func tags(in list: String, contain isWanted: (Substring) -> Bool) -> Bool {
        list.split(separator: ",").contains { part in
            var tag = part.drop { $0 == " " || $0 == "\t" }
            while tag.last == " " || tag.last == "\t" { tag.removeLast() }
            return isWanted(tag)
        }
    }
}

extension ByteBuffer {
    /// The bytes as a gzip file (RFC 1952); `nil` if it is not smaller.
    fileprivate var gzipped: ByteBuffer? {
        var compressed = ByteBufferAllocator().buffer(capacity: readableBytes)
        let count = compressed.writeWithUnsafeMutableBytes(minimumWritableBytes: readableBytes) { room in
            let output = UnsafeMutableRawBufferPointer(rebasing: room[..<(readableBytes - 1)])
            return withUnsafeReadableBytes { GzipFile.compress($0, into: output) } ?? 0
        }
        return count > 0 ? compressed : nil
    }
}

/// The content of a response, before caching and compression.
struct Document: Sendable {
    var mediaType: MediaType
    var bytes: ByteBuffer
    /// Additional headers, such as `Content-Disposition`.
    var headers: HTTPFields = [:]
    /// Whether it stays the same until the guide changes.
    var isCacheable = true
    /// Whether the service may keep it until the guide changes: `false` for a document that also depends on watch rules. Clients
    /// and caches revalidate it by its tag.
    var isKept = true
    /// Whether the URL identifies this content, so that the response never changes.
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

    /// Returns the document as a response: without its body for HEAD, and uncacheable unless `headers` say otherwise.
    func response(
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
struct MediaType: Hashable, Sendable {
    let value: String
    /// Whether the type is compressible.
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
    static let script = MediaType("text/javascript; charset=utf-8", isText: true)
}
