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
    var hasControls: Bool { record.hasControls }

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

    init(_ record: JSONRecord, _ range: Range<Int>) {
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

    init(_ record: JSONRecord, _ range: Range<Int>) {
        self.record = record
        self.range = range
    }

    package mutating func next() -> (key: String, value: JSONNode)? {
        guard let index = range.first else { return nil }
        range = Int(record.tokens[index + 1].next)..<range.upperBound
        return (record.text(record.tokens[index]), JSONNode(record, at: index + 1))
    }
}
