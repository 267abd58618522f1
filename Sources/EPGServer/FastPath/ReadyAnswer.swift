import HTTPTypes
import NIOCore

/// A cached answer in one encoding, as the bytes that go over the wire but for the status line and the date.
struct ReadyAnswer: Sendable {
    /// The path of its route with the braces, which metrics count by.
    let route: String
    let tag: EntityTag
    /// The fields behind the date, the empty line and the body.
    let full: ByteBuffer
    /// The fields behind the date and the empty line of the answer 304.
    let unmodified: ByteBuffer

    init(_ variant: CachedAnswer.Variant, route: String) {
        self.route = route
        tag = variant.tag
        full = ReadyAnswer.bytes(variant.fields, body: variant.bytes)
        unmodified = ReadyAnswer.bytes(variant.fieldsUnmodified, body: ByteBuffer())
    }

    private static func bytes(_ fields: HTTPFields, body: ByteBuffer) -> ByteBuffer {
        var buffer = ByteBuffer()
        for field in fields { buffer.writeString("\(field.name.rawName): \(field.value)\r\n") }
        buffer.writeString("\r\n")
        buffer.writeImmutableBuffer(body)
        return buffer
    }
}
