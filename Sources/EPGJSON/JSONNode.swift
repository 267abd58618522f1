/// A value of a record, with all that is in it.
///
/// What isn't there, or is of another kind, is `nil` or empty: `node["movie"]?["year"]?.text`.
package struct JSONNode {
    let record: JSONRecord
    let index: Int

    init(_ record: JSONRecord, at index: Int) {
        self.record = record
        self.index = index
    }

    /// Parses bytes that hold one value.
    ///
    /// - Throws: ``JSONError``, also where something follows the value.
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        var scanner = JSONScanner(holding: bytes)
        self = try scanner.readValue()
        if try scanner.nextDocument() { throw scanner.error(.expected("the end of the text")) }
    }

    var token: JSONToken { record.tokens[index] }

    package var kind: JSONScanner.Kind { token.kind }

    /// The line of the file on which it begins, from 1.
    package var line: Int { record.line(of: token) }

    /// The bytes of the record that it is of, as they stand in the file.
    package var recordBytes: [UInt8] { record.bytes }

    /// Whether the record that it is of holds bytes that are no UTF-8; they are read as U+FFFD.
    package var hasIllFormedText: Bool {
        let bytes = record.bytes
        do {
            _ = try UTF8Span(validating: bytes.span)
            return false
        } catch {
            return true
        }
    }

    /// Whether a text in the record holds control characters that aren't escaped, such as a line break.
    package var hasControls: Bool { record.tokens.contains { $0.flags.contains(.control) } }

    /// The text of a string.
    package var string: String? { kind == .string ? record.text(token) : nil }

    /// The text of a string, or a number as it is written.
    package var text: String? { kind == .string || kind == .number ? record.text(token) : nil }

    package var bool: Bool? { kind == .bool ? token.flags.contains(.true) : nil }

    /// A whole number: written without fraction and exponent, or as a string of digits.
    package var integer: Int64? { text.flatMap { Int64($0) } }

    /// The value of a member of an object: of several with that key, the last.
    ///
    /// - Complexity: O(*n*) in the number of members.
    package subscript(_ key: String) -> JSONNode? {
        var found: Int?
        for place in children(of: .object) where record.isText(record.tokens[place], key) { found = place + 1 }
        return found.map { JSONNode(record, at: $0) }
    }

    /// The elements of an array; none of anything else.
    package var elements: [JSONNode] { children(of: .array).map { JSONNode(record, at: $0) } }

    /// The members of an object in their order; none of anything else.
    package var members: [(key: String, value: JSONNode)] { children(of: .object).map { member(at: $0) } }

    func member(at place: Int) -> (key: String, value: JSONNode) {
        (record.text(record.tokens[place]), JSONNode(record, at: place + 1))
    }

    /// The places of the elements of an array, or of the keys of an object; none of anything else.
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

/// A value that was read as a whole: its bytes and the tokens that point into them.
final class JSONRecord {
    let bytes: [UInt8]
    let tokens: [JSONToken]
    /// The line of the file on which it begins, from 1.
    private let firstLine: Int

    /// How far lines were counted.
    private var countedBytes = 0
    private var countedLines = 0

    init(bytes: [UInt8], tokens: [JSONToken], firstLine: Int) {
        self.bytes = bytes
        self.tokens = tokens
        self.firstLine = firstLine
    }

    /// The text of a string, or the digits of a number.
    func text(_ token: JSONToken) -> String {
        JSONText.string(bytes[token.range], isEscaped: token.flags.contains(.escaped))
    }

    /// Whether a key or string is this text.
    func isText(_ token: JSONToken, _ text: String) -> Bool {
        if token.flags.contains(.escaped) { return self.text(token).utf8.elementsEqual(text.utf8) }
        return text.utf8.count == Int(token.count) && text.utf8.elementsEqual(bytes[token.range])
    }

    /// The line of the file on which a token begins.
    ///
    /// - Complexity: O(*n*) for all tokens of a record together, asked in their order.
    func line(of token: JSONToken) -> Int {
        let place = Int(token.offset)
        if place < countedBytes { (countedBytes, countedLines) = (0, 0) }
        for index in countedBytes..<place where bytes[index] == 0x0A { countedLines += 1 }
        countedBytes = place
        return firstLine + countedLines
    }
}

/// A value or key of a record, as a place in the record's bytes.
///
/// The tokens of a record stand in document order: an object is followed by key, value, key, value …, an array by its
/// elements.
struct JSONToken {
    struct Flags: OptionSet {
        let rawValue: UInt8

        /// A string with a backslash in it.
        static let escaped = Flags(rawValue: 1)
        /// A string with a control character that isn't escaped.
        static let control = Flags(rawValue: 2)
        /// The word `true`.
        static let `true` = Flags(rawValue: 4)
    }

    /// That of a key is a string.
    let kind: JSONScanner.Kind
    let flags: Flags
    /// Of the first byte, from the beginning of the record; of a string, behind its quotation mark.
    let offset: UInt32
    /// Bytes; of a string, between its quotation marks. 0 for arrays and objects.
    let count: UInt32
    /// The place of the token behind this value, with all that is in it.
    var next: UInt32

    var range: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
}
