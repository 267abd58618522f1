/// A value of a record, with all that is in it.
///
/// What isn't there, or is of another kind, is `nil` or empty: `node["movie"]?["year"]?.text`.
package struct JSONNode {
    package let record: JSONRecord
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
        try scanner.skipWhite()
        try scanner.scanValue(recordStart: 0)
        if try scanner.nextDocument() { throw scanner.error(.expected("the end of the text")) }
        self.init(JSONRecord(bytes: bytes, tokens: scanner.tokens, firstLine: 1), at: 0)
    }

    var token: JSONToken { record.tokens[index] }

    package var kind: JSONScanner.Kind {
        switch token.kind {
        case .null: .null
        case .true, .false: .bool
        case .number: .number
        case .string, .key: .string
        case .array: .array
        case .object: .object
        }
    }

    /// The line of the file on which it begins, from 1.
    package var line: Int { record.line(of: token) }

    /// The bytes of the record that it is of, as they stand in the file.
    package var recordBytes: [UInt8] { record.bytes }

    /// Whether the record that it is of holds bytes that are no UTF-8; they are read as U+FFFD.
    package var hasIllFormedText: Bool { record.isIllFormed }

    /// Whether a text in it holds control characters that aren't escaped.
    package var hasControls: Bool { record.hasControls }

    /// The text of a string.
    package var string: String? { token.kind == .string ? record.text(token) : nil }

    /// The text of a string, or a number as it is written.
    package var text: String? {
        token.kind == .string || token.kind == .number ? record.text(token) : nil
    }

    package var bool: Bool? {
        switch token.kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// A whole number: written without fraction and exponent, or as a string of digits.
    package var integer: Int64? {
        switch token.kind {
        case .number where token.flags.contains(.integer), .string: Int64(record.text(token))
        default: nil
        }
    }

    /// A number; `nil` where it is beyond the range of `Double`.
    package var double: Double? {
        guard token.kind == .number, let value = Double(record.text(token)), value.isFinite else { return nil }
        return value
    }

    /// The value of a member of an object: of several with that key, the last.
    ///
    /// - Complexity: O(*n*) in the number of members.
    package subscript(_ key: String) -> JSONNode? {
        var found: Int?
        guard token.kind == .object else { return nil }
        var place = index + 1
        let end = Int(token.next)
        while place < end {
            let value = place + 1
            if record.isText(record.tokens[place], key) { found = value }
            place = Int(record.tokens[value].next)
        }
        return found.map { JSONNode(record, at: $0) }
    }

    /// The elements of an array; none of anything else.
    package var elements: JSONElements {
        JSONElements(record, token.kind == .array ? index + 1..<Int(token.next) : index..<index)
    }

    /// The members of an object in their order; none of anything else.
    package var members: JSONMembers {
        JSONMembers(record, token.kind == .object ? index + 1..<Int(token.next) : index..<index)
    }
}

/// The elements of an array.
package struct JSONElements: Sequence, IteratorProtocol {
    private let record: JSONRecord
    private var range: Range<Int>

    package init(_ record: JSONRecord, _ range: Range<Int>) {
        self.record = record
        self.range = range
    }

    package mutating func next() -> JSONNode? {
        guard let index = range.first else { return nil }
        range = Int(record.tokens[index].next)..<range.upperBound
        return JSONNode(record, at: index)
    }
}

/// The members of an object.
package struct JSONMembers: Sequence, IteratorProtocol {
    private let record: JSONRecord
    private var range: Range<Int>

    package init(_ record: JSONRecord, _ range: Range<Int>) {
        self.record = record
        self.range = range
    }

    package mutating func next() -> (key: String, value: JSONNode)? {
        guard let index = range.first else { return nil }
        range = Int(record.tokens[index + 1].next)..<range.upperBound
        return (record.text(record.tokens[index]), JSONNode(record, at: index + 1))
    }
}

/// A value that was read as a whole: its bytes and the tokens that point into them.
package final class JSONRecord {
    let bytes: [UInt8]
    let tokens: [JSONToken]
    /// The line of the file on which it begins, from 1.
    let firstLine: Int

    /// How far lines were counted.
    private var countedBytes = 0
    private var countedLines = 0

    init(bytes: [UInt8], tokens: [JSONToken], firstLine: Int) {
        self.bytes = bytes
        self.tokens = tokens
        self.firstLine = firstLine
    }

    /// Whether a string in it holds bytes that are no UTF-8.
    var isIllFormed: Bool { tokens.contains { $0.flags.contains(.illFormed) } }

    /// Whether a string in it holds control characters that aren't escaped, such as a line break.
    var hasControls: Bool { tokens.contains { $0.flags.contains(.control) } }

    /// The text of a string, or the digits of a number.
    func text(_ token: JSONToken) -> String {
        let range = Int(token.offset)..<Int(token.offset) + Int(token.count)
        let bytes = bytes
        if token.flags.contains(.escaped) { return JSONText.string(bytes.span, range, token.flags) }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// Whether a key or string is this text.
    func isText(_ token: JSONToken, _ text: String) -> Bool {
        if token.flags.rawValue != 0 { return self.text(token).utf8.elementsEqual(text.utf8) }
        let start = Int(token.offset)
        let utf8 = text.utf8
        return utf8.count == Int(token.count) && utf8.elementsEqual(bytes[start..<start + Int(token.count)])
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
    enum Kind: UInt8 {
        case null, `false`, `true`, number, string, array, object, key
    }

    struct Flags: OptionSet {
        let rawValue: UInt8

        /// A string with a backslash in it.
        static let escaped = Flags(rawValue: 1)
        /// A string with bytes that are no UTF-8.
        static let illFormed = Flags(rawValue: 2)
        /// A number without a fraction and an exponent.
        static let integer = Flags(rawValue: 4)
        /// A string with a control character that isn't escaped.
        static let control = Flags(rawValue: 8)
    }

    var kind: Kind
    var flags: Flags = []
    /// Of the first byte, from the beginning of the record; of a string, behind its quotation mark.
    var offset: UInt32
    /// Bytes; of a string, between its quotation marks. 0 for arrays and objects.
    var count: UInt32 = 0
    /// The place of the token behind this value, with all that is in it.
    var next: UInt32 = 0
}
