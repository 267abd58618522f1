import EPGModel
import HTTPTypes
import NIOCore

/// An answer in each of its encodings, with the fields that go with it.
struct CachedAnswer: Sendable {
    /// An answer in one encoding.
    struct Variant: Sendable {
        let tag: EntityTag
        let bytes: ByteBuffer
        /// All fields of the answer 200, the length too.
        let fields: HTTPFields
        /// Those of the answer 304 (RFC 9110, 15.4.5).
        let fieldsUnmodified: HTTPFields
    }

    let plain: Variant
    /// The same with gzip; `nil` where that gains nothing.
    let compressed: Variant?

    /// Bytes that it takes in memory, roughly.
    var size: Int { plain.bytes.readableBytes + (compressed?.bytes.readableBytes ?? 0) + 1024 }

    init(_ document: Document, of question: Question, at version: GuideVersion) {
        let packed = document.mediaType.isText ? Gzip.packed(document.bytes) : nil
        plain = CachedAnswer.variant(
            document, document.bytes, isCompressed: false, varies: packed != nil, of: question, at: version)
        compressed = packed.map {
            CachedAnswer.variant(document, $0, isCompressed: true, varies: true, of: question, at: version)
        }
    }

    /// The variant for what a client accepts.
    func variant(acceptsGzip: Bool) -> Variant {
        acceptsGzip ? compressed ?? plain : plain
    }

    private static func variant(
        _ document: Document, _ bytes: ByteBuffer, isCompressed: Bool, varies: Bool, of question: Question,
        at version: GuideVersion
    ) -> Variant {
        let tag = EntityTag(version: version, key: question.key, isCompressed: isCompressed)
        var fields: HTTPFields = [:]
        fields[.eTag] = tag.value
        fields[.cacheControl] = question.freshness.cacheControl
        if varies { fields[.vary] = "Accept-Encoding" }
        if let since = version.since { fields[.lastModified] = since.httpDate }
        let fieldsUnmodified = fields
        fields[.contentType] = document.mediaType.value
        if isCompressed { fields[.contentEncoding] = "gzip" }
        fields[.contentLength] = String(bytes.readableBytes)
        for field in document.fields { fields.append(field) }
        return Variant(tag: tag, bytes: bytes, fields: fields, fieldsUnmodified: fieldsUnmodified)
    }
}

extension Freshness {
    /// The field `Cache-Control` (RFC 9111, RFC 5861).
    var cacheControl: String {
        switch self {
        case .live: "public, max-age=0, s-maxage=5, stale-while-revalidate=60, stale-if-error=86400"
        case .never: "no-store"
        case .immutable: "public, max-age=31536000, immutable"
        }
    }
}
