import EPGCalendar
import EPGImport
import EPGModel
import HTTPTypes
import NIOCore
import NIOHTTP1
import Synchronization

/// A response with all its headers, compressed when a client first wants it compressed.
final class CachedResponse: Sendable {
    /// A response in one encoding.
    struct Variant: Sendable {
        /// `nil` for a response that nobody may keep.
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

    /// The path of the endpoint, as metrics name it.
    let route: String
    let plain: Variant
    private let isCompressible: Bool
    /// The compressed variant; `nil` until a client asks for it.
    private let gzip = Mutex<Variant?>(nil)

    /// - Parameters:
    ///   - name: The generation of the guide that the document was read from.
    ///   - lastModified: When the document became what it is; `nil` if that is unknown.
    init(_ document: Document, to query: CanonicalQuery, at name: GenerationName, lastModified: Instant?) {
        route = query.route
        isCompressible = document.isCompressible
        let freshness = document.freshness(of: query)
        var headers: HTTPFields = [.cacheControl: freshness.cacheControl, .contentType: document.mediaType.value]
        headers[named: "Guide-Generation"] = name.description
        if isCompressible { headers[.vary] = "Accept-Encoding" }
        // A response that follows the clock may change without the guide.
        if freshness != .uncacheable, !query.followsClock { headers[.lastModified] = lastModified?.httpDate }
        headers.append(contentsOf: SecurityHeaders.headers(for: document.mediaType))
        headers.append(contentsOf: document.headers)
        plain = Variant(document.bytes, freshness == .uncacheable ? nil : EntityTag(of: document.bytes), headers)
    }

    /// The approximate size in memory in bytes, including the compressed variant.
    var size: Int { plain.bytes.readableBytes * (isCompressible ? 5 : 4) / 4 + 2048 }

    /// Whether the response stays the same until the guide changes.
    var isCacheable: Bool { plain.tag != nil }

    /// The compressed variant, or the plain one if compression gains nothing; `nil` if it has yet to be compressed, or
    /// another thread compresses it at this moment.
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
    static let minimumCompressibleCount = 1000

    fileprivate var isCompressible: Bool {
        mediaType.isText && bytes.readableBytes >= Document.minimumCompressibleCount
    }

    /// How long clients and caches may keep the document as the response to a query.
    fileprivate func freshness(of query: CanonicalQuery) -> Freshness {
        guard isCacheable else { return .uncacheable }
        return isImmutable && query.freshness == .revalidated ? .immutable : query.freshness
    }
}

/// A strong entity tag (RFC 9110, 8.8.3), made of the content alone.
///
/// All machines with the same guide send the same tag, and the tag of a response stays valid when the guide changes elsewhere.
struct EntityTag: Hashable, Sendable {
    /// The tag with its quotation marks.
    let value: String

    static let hasher = ContentHasher.fixed

    init(value: String) {
        self.value = value
    }

    /// The tag of a response with these bytes, before compression.
    init(of bytes: ByteBuffer) {
        self.init(bytes.withUnsafeReadableBytes { EntityTag.hasher.hash(Span(_unsafeBytes: $0)) })
    }

    /// The tag of a response that a text identifies, before compression.
    init(identifiedBy text: String) {
        self.init(EntityTag.hasher.hash(Array(text.utf8).span))
    }

    private init(_ hash: ContentHash) {
        value = "\"\(hash.base36)\""
    }

    /// The tag of the same response, compressed.
    var compressed: EntityTag { EntityTag(value: value.dropLast() + "-gz\"") }

    /// Whether the condition `If-None-Match` names this tag by weak comparison (RFC 9110, 13.1.2).
    func isNamed(in condition: String) -> Bool {
        EntityTag.tags(in: condition) { $0 == "*" || ($0.hasPrefix("W/") ? $0.dropFirst(2) : $0) == value }
    }

    /// Whether a list of tags, or a star, names this tag by strong comparison (RFC 9110, 8.8.3.2).
    func isNamedStrongly(in condition: String) -> Bool {
        EntityTag.tags(in: condition) { $0 == "*" || $0 == value }
    }

    /// Whether a tag of a list meets a condition.
    private static func tags(in list: String, contain isWanted: (Substring) -> Bool) -> Bool {
        list.split(separator: ",").contains { part in
            var tag = part.drop { $0 == " " || $0 == "\t" }
            while tag.last == " " || tag.last == "\t" { tag.removeLast() }
            return isWanted(tag)
        }
    }
}

extension ByteBuffer {
    /// The bytes as a gzip file (RFC 1952); `nil` if it is not smaller, or zlib is missing.
    fileprivate var gzipped: ByteBuffer? {
        var compressed = ByteBufferAllocator().buffer(capacity: readableBytes)
        let count = compressed.writeWithUnsafeMutableBytes(minimumWritableBytes: readableBytes) { room in
            let output = UnsafeMutableRawBufferPointer(rebasing: room[..<(readableBytes - 1)])
            return withUnsafeReadableBytes { GzipFile.pack($0, into: output) } ?? 0
        }
        return count > 0 ? compressed : nil
    }
}
