/// How much a JSON document may ask of the reader.
///
/// The defaults are beyond every real guide and small enough that no document exhausts memory.
package struct JSONLimits: Hashable, Sendable {
    /// Which limit was passed.
    package enum Name: Hashable, Sendable {
        case depth, recordBytes, recordValues
    }

    /// Open arrays and objects at once. The default is 128.
    package var depth = 128
    /// Bytes of a value that is read as a whole, or of a key. The default is 16 MiB.
    package var recordBytes = 16 << 20
    /// Values and keys of a value that is read as a whole; each takes 16 bytes. The default is 1,048,576.
    package var recordValues = 1 << 20

    package init() {}

    /// These limits within what the scanner can count: a token has 32 bits for a place in its record.
    var bounded: JSONLimits {
        var limits = self
        limits.depth = min(max(depth, 1), 1 << 10)
        limits.recordBytes = min(max(recordBytes, 16), 1 << 30)
        limits.recordValues = min(max(recordValues, 1), 1 << 28)
        return limits
    }
}
