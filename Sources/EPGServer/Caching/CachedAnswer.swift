import EPGModel
import HTTPTypes
import NIOCore
import Synchronization

/// An answer with the fields that go with it, packed with gzip when that is first asked for.
final class CachedAnswer: Sendable {
    /// An answer in one encoding.
    struct Variant: Sendable {
        /// `nil` for one that nobody may keep.
        let tag: EntityTag?
        /// When it became what it is; `nil` where that isn't known.
        let lastModified: Instant?
        let bytes: ByteBuffer
        /// All fields of the answer 200, the length too.
        var fields: HTTPFields
        /// Those of the answer 304 (RFC 9110, 15.4.5).
        var fieldsUnmodified: HTTPFields
    }

    /// As it was written.
    let plain: Variant
    private let document: Document
    private let question: Question
    private let version: GuideVersion
    /// What came of packing it; `nil` where nobody asked yet.
    private let packed = Mutex<Variant?>(nil)

    init(_ document: Document, of question: Question, at version: GuideVersion) {
        self.document = document
        self.question = question
        self.version = version
        plain = CachedAnswer.variant(document, document.bytes, isCompressed: false, of: question, at: version)
    }

    /// Bytes that it takes in memory, roughly, packed ones too.
    var size: Int { document.bytes.readableBytes * (document.isCompressible ? 5 : 4) / 4 + 1024 }

    /// Whether ``compressed()`` has no work to do; it has some while another one packs.
    var isPacked: Bool { !document.isCompressible || packed.withLockIfAvailable { $0 != nil } ?? false }

    /// Whether it stays what it is for as long as the guide does.
    var isLasting: Bool { plain.tag != nil }

    /// The answer with gzip; as it is where that gains nothing.
    ///
    /// Who asks while another one packs waits for that.
    func compressed() -> Variant {
        guard document.isCompressible else { return plain }
        return packed.withLock { packed in
            if let packed { return packed }
            let variant =
                Gzip.packed(document.bytes).map {
                    CachedAnswer.variant(document, $0, isCompressed: true, of: question, at: version)
                } ?? plain
            packed = variant
            return variant
        }
    }

    private static func variant(
        _ document: Document, _ bytes: ByteBuffer, isCompressed: Bool, of question: Question, at version: GuideVersion
    ) -> Variant {
        let freshness = document.isPassing ? .never : question.freshness
        var fields: HTTPFields = [.cacheControl: freshness.cacheControl]
        if document.isCompressible { fields[.vary] = "Accept-Encoding" }
        var tag: EntityTag?
        var lastModified: Instant?
        // What may change under one version of the guide has nothing that a condition could name.
        if freshness != .never {
            tag = EntityTag(
                version: version, edition: document.edition.name, key: question.key, isCompressed: isCompressed)
            fields[.eTag] = tag?.value
            // What follows the clock may change without the guide.
            lastModified = question.followsClock ? nil : document.edition.lastModified(of: version)
            fields[.lastModified] = lastModified?.httpDate
        }
        let fieldsUnmodified = fields
        fields[.contentType] = document.mediaType.value
        if isCompressed { fields[.contentEncoding] = "gzip" }
        fields[.contentLength] = String(bytes.readableBytes)
        for field in SecurityFields.fields(for: document.mediaType) { fields.append(field) }
        for field in document.fields { fields.append(field) }
        return Variant(
            tag: tag, lastModified: lastModified, bytes: bytes, fields: fields, fieldsUnmodified: fieldsUnmodified)
    }
}

extension Document {
    /// Whether there is something to gain from gzip.
    fileprivate var isCompressible: Bool { mediaType.isText && bytes.readableBytes >= Gzip.leastCount }
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
