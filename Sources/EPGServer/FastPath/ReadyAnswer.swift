import HTTPTypes
import NIOCore
import NIOHTTP1

/// A cached answer in one encoding, ready for the wire but for the date.
struct ReadyAnswer: Sendable {
    /// Where requests of its route are counted.
    let figures: RequestMetrics.Figures
    let tag: EntityTag?
    let body: ByteBuffer
    /// The fields of the answer 200.
    let fields: HTTPHeaders
    /// The fields of the answer 304.
    let fieldsUnmodified: HTTPHeaders

    init(_ variant: CachedAnswer.Variant, figures: RequestMetrics.Figures) {
        self.figures = figures
        tag = variant.tag
        body = variant.bytes
        fields = HTTPHeaders(variant.fields.map { ($0.name.rawName, $0.value) })
        fieldsUnmodified = HTTPHeaders(variant.fieldsUnmodified.map { ($0.name.rawName, $0.value) })
    }
}
