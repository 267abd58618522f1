import CArchive
import EPGModel
package import HTTPTypes
import Hummingbird
package import NIOCore
package import NIOHTTP1
import Synchronization

/// A response with all headers, which is compressed on demand.
package final class CachedResponse: Sendable {
    /// A response in one encoding.
    package struct Variant: Sendable {
        /// The tag; `nil` for an uncacheable response.
        package let tag: EntityTag?
        /// The body.
        package let bytes: ByteBuffer
        /// All headers of the response with status 200, except `Date`.
        package let headers: HTTPFields
        /// The same headers in the form that a channel handler writes.
        package let wireHeaders: HTTPHeaders

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
    package let route: String
    /// The uncompressed variant.
    package let plain: Variant
    private let isCompressible: Bool
    private let isKept: Bool
    /// The compressed variant; `nil` until a client requests it.
    private let gzip = Mutex<Variant?>(nil)

    /// - Parameters:
    ///   - route: The path of the endpoint for metrics.
    ///   - freshness: How long clients and caches may keep the response.
    ///   - given: The headers that name the state of the content.
    ///   - pictures: Where the pictures of pages come from.
    package init(
        _ document: Document, route: String, freshness: Freshness, headers given: HTTPFields, pictures: PictureOrigin
    ) {
        self.route = route
        isCompressible = document.isCompressible
        isKept = document.isKept
        var headers: HTTPFields = [.cacheControl: freshness.cacheControl, .contentType: document.mediaType.value]
        headers.append(contentsOf: given)
        headers.append(contentsOf: SecurityHeaders.headers(for: document.mediaType, pictures: pictures))
        headers.append(contentsOf: document.headers)
        // Televisions get other pages.
        let varies = [
            isCompressible ? "Accept-Encoding" : nil, document.mediaType == .html ? "User-Agent" : nil,
            document.headers[.vary],
        ].compactMap(\.self)
        if !varies.isEmpty { headers[.vary] = varies.joined(separator: ", ") }
        plain = Variant(document.bytes, freshness == .uncacheable ? nil : EntityTag(of: document.bytes), headers)
    }

    /// The approximate size in memory in bytes, including the compressed variant.
    var size: Int { plain.bytes.readableBytes * (isCompressible ? 5 : 4) / 4 + 2048 }

    /// Whether the response stays the same until the guide changes.
    package var isCacheable: Bool { plain.tag != nil && isKept }

    /// The compressed variant, or the plain one if compression gains nothing; `nil` if it is not yet compressed.
    package var availableCompressed: Variant? { isCompressible ? gzip.withLockIfAvailable { $0 } ?? nil : plain }

    /// Returns the compressed variant, or the plain one if compression gains nothing.
    ///
    /// - Complexity: O(*n*) in the number of bytes for the first call; concurrent callers wait for it.
    package func compressed() -> Variant {
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
}

/// A strong entity tag (RFC 9110, 8.8.3) that depends on the content only.
///
/// All machines with the same guide send the same tag, and a tag stays valid if other parts of the guide change.
package struct EntityTag: Hashable, Sendable {
    /// The tag with its quotation marks.
    package let value: String

    static let hasher = ContentHasher.fixed

    init(value: String) {
        self.value = value
    }

    /// Creates the tag of a response with uncompressed bytes.
    package init(of bytes: ByteBuffer) {
        self.init(unsafe bytes.withUnsafeReadableBytes { unsafe EntityTag.hasher.hash(Span(_unsafeBytes: $0)) })
    }

    /// Creates the tag of an uncompressed response that a text identifies.
    package init(identifiedBy text: String) {
        self.init(EntityTag.hasher.hash(Array(text.utf8).span))
    }

    private init(_ hash: ContentHash) {
        value = "\"\(hash.base36)\""
    }

    /// The tag of the same response, compressed.
    package var compressed: EntityTag { EntityTag(value: value.dropLast() + "-gz\"") }

    /// Returns whether `If-None-Match` contains this tag by weak comparison (RFC 9110, 13.1.2).
    package func isNamed(in condition: String) -> Bool {
        EntityTag.tags(in: condition) { $0 == "*" || ($0.hasPrefix("W/") ? $0.dropFirst(2) : $0) == value }
    }

    /// Returns whether a list of tags or a star matches this tag by strong comparison (RFC 9110, 8.8.3.2).
    package func isNamedStrongly(in condition: String) -> Bool {
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
        let count = unsafe compressed.writeWithUnsafeMutableBytes(minimumWritableBytes: readableBytes) { room in
            let output = unsafe UnsafeMutableRawBufferPointer(rebasing: room[..<(readableBytes - 1)])
            return unsafe withUnsafeReadableBytes { input in
                guard let encoder = unsafe carchive_encoder_new(6) else { return 0 }
                defer { unsafe carchive_encoder_free(encoder) }
                var (inputCount, outputCount) = (input.count, output.count)
                let outcome = unsafe carchive_encode(
                    encoder, input.bindMemory(to: UInt8.self).baseAddress, &inputCount,
                    output.bindMemory(to: UInt8.self).baseAddress, &outputCount, 1)
                return outcome == CARCHIVE_END ? outputCount : 0
            }
        }
        return count > 0 ? compressed : nil
    }
}
