/// Limits on the size and complexity of a document.
///
/// The defaults exceed the needs of every real guide and are small enough to bound memory. A scanner clamps the limits
/// to 1…65,536 levels, 0…65,536 attributes, 1,024…2²⁸ record tokens, 1…65,535 name bytes, and at most 1 GiB for the
/// others.
public struct XMLLimits: Hashable, Sendable {
    /// The limit that a document exceeds.
    public enum Name: Hashable, Sendable {
        case depth, attributes, attributeBytes, textBytes, recordBytes, recordTokens, nameBytes

        func message(_ value: Int) -> String {
            switch self {
            case .depth: "elements are nested deeper than \(value)"
            case .attributes: "a tag has more than \(value) attributes"
            case .attributeBytes: "an attribute value is longer than \(value) bytes"
            case .textBytes: "text is longer than \(value) bytes"
            case .recordBytes: "an element, comment or DOCTYPE is longer than \(value) bytes"
            case .recordTokens: "an element has more than \(value) tags, attributes and texts"
            case .nameBytes: "a name is longer than \(value) bytes"
            }
        }
    }

    /// Maximum nesting depth of elements. The default is 32.
    public var depth = 32
    /// Maximum number of attributes in a tag. The default is 64.
    public var attributes = 64
    /// Maximum length of an attribute value in bytes. The default is 64 KiB.
    public var attributeBytes = 64 << 10
    /// Maximum length of text up to the next tag in bytes. The default is 1 MiB.
    public var textBytes = 1 << 20
    /// Maximum length in bytes of a child of the root element, a comment, or a DOCTYPE. The default is 16 MiB.
    public var recordBytes = 16 << 20
    /// Maximum number of tags, attributes, and texts in a child of the root element. The default is 262,144.
    public var recordTokens = 1 << 18
    /// Maximum length of a name in bytes. The default is 1,024.
    public var nameBytes = 1 << 10

    /// Creates the default limits.
    public init() {}

    /// The limits clamped to what a document needs at least and the scanner can count: a token has 16 bits for the
    /// length of a name and 32 bits for an offset in its record.
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
