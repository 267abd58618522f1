/// Writes JSON (RFC 8259) as it goes, with keys in the order in which they are given.
///
/// ```swift
/// var json = JSONWriter()
/// json.write([1, 2])      // [1,2]
/// let bytes = json.takeBytes()
/// ```
///
/// The text is ASCII-safe where it matters: besides what the format demands, DEL, C1 controls, line separators and
/// bidirectional controls are escaped, so that JSON shown in a terminal or put into a script stays what it is.
package struct JSONWriter: Sendable {
    /// How the text is broken into lines.
    package enum Style: Hashable, Sendable {
        /// Everything on one line.
        case compact
        /// The elements of the outermost array or object on a line each.
        case lines
    }

    private let style: Style
    private var bytes: [UInt8] = []
    private var depth = 0
    /// Whether the next member of the container is its first one.
    private var isFirst = true
    /// Whether a key stands before the value that comes next.
    private var isAfterKey = false

    package init(style: Style = .compact) {
        self.style = style
    }

    /// What has been written since the last call, so that a long answer can be sent in pieces.
    package mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// What has been written and not taken.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    // MARK: - Values

    /// Writes a value: the whole text, or the next element of an array.
    package mutating func write(_ value: some JSONValue) {
        value.write(to: &self)
    }

    /// Writes an object; the closure adds its members.
    package mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
        try container(open: UInt8(ascii: "{"), close: UInt8(ascii: "}"), members)
    }

    /// Writes an array; the closure writes its elements.
    package mutating func array(_ elements: (inout JSONWriter) throws -> Void) rethrows {
        try container(open: UInt8(ascii: "["), close: UInt8(ascii: "]"), elements)
    }

    /// Adds a member to an object; one that is not known is left out.
    package mutating func member(_ key: StaticString, _ value: (some JSONValue)?) {
        guard let value else { return }
        member(named: "\(key)", value)
    }

    /// Adds a list to an object; an empty one is left out.
    package mutating func member(_ key: StaticString, list: [some JSONValue]) {
        if !list.isEmpty { member(named: "\(key)", list) }
    }

    /// Adds an object to an object; the closure adds its members.
    package mutating func member(_ key: StaticString, object members: (inout JSONWriter) throws -> Void) rethrows {
        write(key: "\(key)")
        try object(members)
    }

    /// Adds an array to an object; the closure writes its elements.
    package mutating func member(_ key: StaticString, array elements: (inout JSONWriter) throws -> Void) rethrows {
        write(key: "\(key)")
        try array(elements)
    }

    /// Adds a member whose key is data.
    package mutating func member(named key: String, _ value: some JSONValue) {
        write(key: key)
        value.write(to: &self)
    }

    private mutating func write(key: String) {
        separate()
        append(quoted: key)
        bytes.append(UInt8(ascii: ":"))
        isAfterKey = true
    }

    private mutating func container(open: UInt8, close: UInt8, _ body: (inout JSONWriter) throws -> Void) rethrows {
        beginValue()
        bytes.append(open)
        depth += 1
        isFirst = true
        try body(&self)
        depth -= 1
        if style == .lines, depth == 0, !isFirst { bytes.append(UInt8(ascii: "\n")) }
        bytes.append(close)
        isFirst = false
    }

    /// Parts a value from the one before it, unless it belongs to a key.
    private mutating func beginValue() {
        if !isAfterKey { separate() }
        isAfterKey = false
    }

    private mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        if style == .lines, depth == 1 { bytes.append(UInt8(ascii: "\n")) }
        isFirst = false
    }
}

// MARK: - Scalars

extension JSONWriter {
    /// Writes a value as it stands: a number, `true`, `null`.
    mutating func literal(_ text: String) {
        beginValue()
        append(text)
    }

    /// Writes a string.
    mutating func string(_ text: String) {
        beginValue()
        append(quoted: text)
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends a string with everything escaped that must be (RFC 8259, 7) or had better be.
    private mutating func append(quoted text: String) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5C: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(truncatingIfNeeded: scalar.value)])
            case 0x08: append("\\b")
            case 0x09: append("\\t")
            case 0x0A: append("\\n")
            case 0x0C: append("\\f")
            case 0x0D: append("\\r")
            case 0x20...0x7E: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
                let digits = String(scalar.value, radix: 16)
                append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
