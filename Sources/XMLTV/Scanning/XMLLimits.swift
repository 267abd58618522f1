/// How much a document may ask of the reader.
///
/// The defaults are beyond every real guide and small enough that no document exhausts memory. Whatever is set, a
/// scanner allows no more than 65,536 levels and attributes, names of 65,535 bytes, and 1 GiB of anything else.
public struct XMLLimits: Hashable, Sendable {
    /// Which limit was passed.
    public enum Name: Hashable, Sendable {
        case depth, attributes, attributeBytes, textBytes, recordBytes, recordTokens, nameBytes

        func words(_ value: Int) -> String {
            switch self {
            case .depth: "elements are nested deeper than \(value)"
            case .attributes: "a tag has more than \(value) attributes"
            case .attributeBytes: "the value of an attribute is longer than \(value) bytes"
            case .textBytes: "a text is longer than \(value) bytes"
            case .recordBytes: "an element, comment or DOCTYPE is longer than \(value) bytes"
            case .recordTokens: "an element has more than \(value) tags, attributes and texts"
            case .nameBytes: "a name is longer than \(value) bytes"
            }
        }
    }

    /// Open elements at once. The default is 32.
    public var depth = 32
    /// Attributes of one tag. The default is 64.
    public var attributes = 64
    /// Bytes of one attribute's value. The default is 64 KiB.
    public var attributeBytes = 64 << 10
    /// Bytes of a text, up to the next tag. The default is 1 MiB.
    public var textBytes = 1 << 20
    /// Bytes of a child of the root element, or of anything else that is read as a whole. The default is 16 MiB.
    public var recordBytes = 16 << 20
    /// Tags, attributes and texts of a child of the root element. The default is 262,144.
    public var recordTokens = 1 << 18
    /// Bytes of a name. The default is 1,024.
    public var nameBytes = 1 << 10

    public init() {}

    /// These limits, no lower than a document needs and no higher than the scanner can count: a token has 16 bits for the
    /// length of a name and 32 bits for a place in its record.
    var bounded: XMLLimits {
        var limits = self
        limits.depth = min(max(depth, 1), 1 << 16)
        limits.attributes = min(max(attributes, 0), 1 << 16)
        limits.recordBytes = min(max(recordBytes, 1), 1 << 30)
        limits.recordTokens = min(max(recordTokens, 1024), 1 << 28)
        limits.attributeBytes = min(max(attributeBytes, 0), 1 << 30)
        limits.textBytes = min(max(textBytes, 0), 1 << 30)
        limits.nameBytes = min(max(nameBytes, 1), Int(UInt16.max))
        return limits
    }
}
