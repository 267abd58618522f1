import CArchive
import EPGCalendar
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
    }

    let plain: Variant
    private let document: Document
    private let query: CanonicalQuery
    private let name: GenerationName
    private let lastModified: Instant?
    /// The compressed variant; `nil` until a client asks for it.
    private let gzip = Mutex<Variant?>(nil)

    /// - Parameters:
    ///   - name: The generation of the guide that the document was read from.
    ///   - lastModified: When the document became what it is; `nil` if that is unknown.
    init(_ document: Document, to query: CanonicalQuery, at name: GenerationName, lastModified: Instant?) {
        self.document = document
        self.query = query
        self.name = name
        // A response that follows the clock may change without the guide.
        self.lastModified = query.followsClock ? nil : lastModified
        plain = CachedResponse.variant(document, document.bytes, isCompressed: false, query, name, self.lastModified)
    }

    /// The path of the endpoint, as metrics name it.
    var route: String { query.route }

    /// The approximate size in memory in bytes, including the compressed variant.
    var size: Int { document.bytes.readableBytes * (isCompressible ? 5 : 4) / 4 + 2048 }

    /// Whether the response stays the same until the guide changes.
    var isCacheable: Bool { plain.tag != nil }

    private var isCompressible: Bool { Gzip.isWorthwhile(document) }

    /// The compressed variant, or the plain one if compression gains nothing; `nil` if it has yet to be compressed, or
    /// another thread compresses it at this moment.
    var availableCompressed: Variant? { isCompressible ? gzip.withLockIfAvailable { $0 } ?? nil : plain }

    /// Returns the compressed variant, or the plain one if compression gains nothing.
    ///
    /// - Complexity: O(*n*) in the number of bytes for the first call; concurrent callers wait for it.
    func compressed() -> Variant {
        guard isCompressible else { return plain }
        return gzip.withLock { gzip in
            if let gzip { return gzip }
            let variant =
                Gzip.compressed(document.bytes).map {
                    CachedResponse.variant(document, $0, isCompressed: true, query, name, lastModified)
                } ?? plain
            gzip = variant
            return variant
        }
    }

    private static func variant(
        _ document: Document, _ bytes: ByteBuffer, isCompressed: Bool, _ query: CanonicalQuery, _ name: GenerationName,
        _ lastModified: Instant?
    ) -> Variant {
        let freshness = document.freshness(of: query)
        var headers: HTTPFields = [.cacheControl: freshness.cacheControl]
        headers[named: "Guide-Generation"] = name.description
        if Gzip.isWorthwhile(document) { headers[.vary] = "Accept-Encoding" }
        var tag: EntityTag?
        if freshness != .uncacheable {
            tag = EntityTag(of: document.bytes, isCompressed: isCompressed)
            headers[.eTag] = tag?.value
            headers[.lastModified] = lastModified?.httpDate
        }
        headers[.contentType] = document.mediaType.value
        if isCompressed { headers[.contentEncoding] = "gzip" }
        headers[.contentLength] = String(bytes.readableBytes)
        headers.append(contentsOf: SecurityHeaders.headers(for: document.mediaType))
        headers.append(contentsOf: document.headers)
        return Variant(
            tag: tag, bytes: bytes, headers: headers,
            wireHeaders: HTTPHeaders(headers.map { ($0.name.rawName, $0.value) }))
    }
}

extension Document {
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

    /// Its key is fixed, so that all machines compute the same hashes.
    static let hasher = ContentHasher(
        key: ContentHash(high: 0x9E37_79B9_7F4A_7C15, low: 0xC2B2_AE3D_27D4_EB4F))

    init(value: String) {
        self.value = value
    }

    /// The tag of a response with these bytes before compression.
    init(of bytes: ByteBuffer, isCompressed: Bool) {
        let hash = bytes.withUnsafeReadableBytes {
            EntityTag.hasher.hash(Span(_unsafeBytes: UnsafeRawBufferPointer($0)))
        }
        self.init(hash, isCompressed: isCompressed)
    }

    /// The tag of a response that a text identifies.
    init(identifiedBy text: String, isCompressed: Bool) {
        self.init(EntityTag.hasher.hash(Array(text.utf8).span), isCompressed: isCompressed)
    }

    private init(_ hash: ContentHash, isCompressed: Bool) {
        value = "\"\(String(hash.high, radix: 36))-\(String(hash.low, radix: 36))\(isCompressed ? "-gz" : "")\""
    }

    /// Whether the condition `If-None-Match` names this tag by weak comparison (RFC 9110, 13.1.2).
    func isNamed(in condition: String) -> Bool {
        condition.split(separator: ",").contains { part in
            var tag = part.drop { $0 == " " || $0 == "\t" }
            while tag.last == " " || tag.last == "\t" { tag.removeLast() }
            if tag == "*" { return true }
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            return tag == value
        }
    }

    /// Whether a list of tags, or a star, names this tag by strong comparison (RFC 9110, 8.8.3.2).
    func isNamedStrongly(in condition: String) -> Bool {
        condition.split(separator: ",").contains { part in
            let tag = part.filter { $0 != " " && $0 != "\t" }
            return tag == "*" || tag == value
        }
    }
}

/// Compression of responses (RFC 1952).
enum Gzip {
    /// Below this number of bytes, compression saves less than a packet.
    static let minimumCount = 1000

    static func isWorthwhile(_ document: Document) -> Bool {
        document.mediaType.isText && document.bytes.readableBytes >= minimumCount
    }

    /// Returns the compressed bytes; `nil` if they are not fewer, or zlib is missing.
    static func compressed(_ bytes: ByteBuffer, level: Int32 = 6) -> ByteBuffer? {
        let count = bytes.readableBytes
        guard carchive_load(CARCHIVE_GZIP) == nil, let encoder = carchive_encoder_new(level) else { return nil }
        defer { carchive_encoder_free(encoder) }
        // Incompressible data grows by five bytes for each 16 KiB, and by the header and the trailer.
        var compressed = ByteBufferAllocator().buffer(capacity: count + count / 3000 + 64)
        let outcome = compressed.withUnsafeMutableWritableBytes { output in
            bytes.withUnsafeReadableBytes { input -> Int? in
                var inputCount = input.count
                var outputCount = output.count
                let outcome = carchive_encode(
                    encoder, input.bindMemory(to: UInt8.self).baseAddress, &inputCount,
                    output.bindMemory(to: UInt8.self).baseAddress, &outputCount, 1)
                return outcome == CARCHIVE_END ? outputCount : nil
            }
        }
        guard let outcome, outcome < count else { return nil }
        compressed.moveWriterIndex(forwardBy: outcome)
        return compressed
    }
}
