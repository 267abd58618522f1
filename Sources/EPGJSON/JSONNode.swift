/// A value of a record, with its content.
///
/// A missing value, or one of another kind, is `nil` or empty: `node["movie"]?["year"]?.text`.
package struct JSONNode {
    let record: JSONRecord
    let index: Int

    init(_ record: JSONRecord, at index: Int) {
        self.record = record
        self.index = index
    }

    /// Parses bytes that contain one value.
    ///
    /// - Throws: ``JSONError``, also if anything follows the value.
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        var scanner = JSONScanner(holding: bytes)
        self = try scanner.readValue()
        if try scanner.nextDocument() { throw scanner.error(.expected("the end of the text")) }
    }

    var token: JSONToken { record.tokens[index] }

    /// The kind of the value.
    package var kind: JSONScanner.Kind { token.kind }

    /// The line of the file on which the value starts, from 1.
    package var line: Int { record.line(of: token) }

    /// The bytes of its record, as in the file.
    package var recordBytes: [UInt8] { record.bytes }

    /// Whether its record has invalid UTF-8, which is read as U+FFFD.
    ///
    /// - Complexity: O(bytes of the record).
    package var hasIllFormedText: Bool {
        let bytes = record.bytes
        do {
            _ = try UTF8Span(validating: bytes.span)
            return false
        } catch {
            return true
        }
    }

    /// Whether a string in the record contains unescaped control characters, such as a line break.
    package var hasControlCharacters: Bool { record.tokens.contains { $0.flags.contains(.control) } }

    /// The value of a string; `nil` for any other value.
    package var string: String? { kind == .string ? record.text(token) : nil }

    /// The value of a string, or a number as written; `nil` for any other value.
    package var text: String? { kind == .string || kind == .number ? record.text(token) : nil }

    /// The value of `true` or `false`; `nil` for any other value.
    package var bool: Bool? { kind == .bool ? token.flags.contains(.true) : nil }

    /// An integer, written without fraction and exponent, or as a string of digits; `nil` for any other value, and
    /// outside the range of `Int64`.
    package var integer: Int64? { text.flatMap { Int64($0) } }

    /// The value of a member of an object. The last one with a key wins.
    ///
    /// - Complexity: O(*n*) in the number of members.
    package subscript(_ key: String) -> JSONNode? {
        var found: Int?
        for place in children(of: .object) where record.isText(record.tokens[place], key) { found = place + 1 }
        return found.map { JSONNode(record, at: $0) }
    }

    /// The elements of an array; empty for any other value.
    package var elements: [JSONNode] { children(of: .array).map { JSONNode(record, at: $0) } }

    /// The members of an object in order; empty for any other value.
    package var members: [(key: String, value: JSONNode)] { children(of: .object).map { member(at: $0) } }

    func member(at place: Int) -> (key: String, value: JSONNode) {
        (record.text(record.tokens[place]), JSONNode(record, at: place + 1))
    }

    /// Returns the token indices of the elements of an array, or of the keys of an object; empty for any other value.
    func children(of kind: JSONScanner.Kind) -> Children {
        let end = self.kind == kind ? Int(token.next) : index
        return Children(record: record, isObject: kind == .object, place: index + 1, end: end)
    }

    struct Children: Sequence, IteratorProtocol {
        let record: JSONRecord
        let isObject: Bool
        var place: Int
        let end: Int

        mutating func next() -> Int? {
            guard place < end else { return nil }
            defer { place = Int(record.tokens[isObject ? place + 1 : place].next) }
            return place
        }
    }
}

/// A value in memory: its bytes, and tokens that refer to them.
final class JSONRecord {
    let bytes: [UInt8]
    let tokens: [JSONToken]
    /// The line of the file on which the value starts, from 1.
    private let firstLine: Int

    /// The position up to which lines have been counted.
    private var countedBytes = 0
    private var countedLines = 0

    init(bytes: [UInt8], tokens: [JSONToken], firstLine: Int) {
        self.bytes = bytes
        self.tokens = tokens
        self.firstLine = firstLine
    }

    /// Returns the value of a string, or the digits of a number.
    func text(_ token: JSONToken) -> String {
        JSONText.string(bytes[token.range], isEscaped: token.flags.contains(.escaped))
    }

    /// Returns whether a key or string equals a text.
    fileprivate func isText(_ token: JSONToken, _ text: String) -> Bool {
        if token.flags.contains(.escaped) { return self.text(token).utf8.elementsEqual(text.utf8) }
        return text.utf8.count == Int(token.count) && text.utf8.elementsEqual(bytes[token.range])
    }

    /// Returns the line of the file on which a token starts.
    ///
    /// - Complexity: O(*n*) for all tokens of a record together, in order.
    func line(of token: JSONToken) -> Int {
        let place = Int(token.offset)
        if place < countedBytes { (countedBytes, countedLines) = (0, 0) }
        for index in countedBytes..<place where bytes[index] == 0x0A { countedLines += 1 }
        countedBytes = place
        return firstLine + countedLines
    }
}

/// A value or key of a record, as a range of the record's bytes.
///
/// Tokens are in document order: an object is followed by key, value, key, value, …, and an array by its elements.
struct JSONToken {
    struct Flags: OptionSet {
        let rawValue: UInt8

        /// A string with a backslash.
        static let escaped = Flags(rawValue: 1)
        /// A string with an unescaped control character.
        static let control = Flags(rawValue: 2)
        /// The literal `true`.
        static let `true` = Flags(rawValue: 4)
    }

    /// The kind of the value; string for a key.
    let kind: JSONScanner.Kind
    let flags: Flags
    /// The offset of the first byte in the record; for a string, after its quotation mark.
    let offset: UInt32
    /// The length in bytes; for a string, between its quotation marks; 0 for arrays and objects.
    let count: UInt32
    /// The index of the token after this value and its content.
    var next: UInt32

    var range: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
}
