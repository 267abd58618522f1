package import EPGModel

/// A streaming writer of JSON (RFC 8259). Keys are written in the order in which they are added.
///
/// ```swift
/// var json = JSONWriter()
/// json.write([1, 2])      // [1,2]
/// let bytes = json.takeBytes()
/// ```
package struct JSONWriter: Sendable {
    /// The line breaking of the output.
    package enum Style: Hashable, Sendable {
        /// Everything on one line.
        case compact
        /// Each element of the outermost array or object on its own line.
        case lines
    }

    private let style: Style
    /// The bytes written but not taken; only ``JSONText`` appends to them.
    private var bytes: [UInt8] = []
    private var depth = 0
    /// Whether the next member of the container is its first one.
    private var isFirst = true
    /// Whether the next value belongs to a key.
    private var isAfterKey = false

    /// Creates a writer, compact by default.
    package init(style: Style = .compact) {
        self.style = style
    }

    /// Returns the bytes written since the last call, so that a long response can be sent in pieces.
    package mutating func takeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// The text written but not taken.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Reserves room for `count` more bytes.
    package mutating func reserveCapacity(_ count: Int) {
        bytes.reserveCapacity(bytes.count + count)
    }

    // MARK: - Values

    /// Writes a value: the document, or the next element of an array.
    package mutating func write(_ value: some JSONValue) {
        value.write(to: &self)
    }

    /// Writes `null`.
    package mutating func writeNull() { value { $0.append(contentsOf: "null".utf8) } }

    /// Writes an object. The closure adds its members.
    package mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
        try container(open: UInt8(ascii: "{"), close: UInt8(ascii: "}"), members)
    }

    /// Writes an array. The closure writes its elements.
    package mutating func array(_ elements: (inout JSONWriter) throws -> Void) rethrows {
        try container(open: UInt8(ascii: "["), close: UInt8(ascii: "]"), elements)
    }

    /// Adds a member to an object. A missing value is omitted.
    package mutating func member(_ key: StaticString, _ value: (some JSONValue)?) {
        guard let value else { return }
        write(key: key)
        value.write(to: &self)
    }

    /// Adds a list to an object. An empty list is omitted.
    package mutating func member(_ key: StaticString, list: [some JSONValue]) {
        guard !list.isEmpty else { return }
        write(key: key)
        list.write(to: &self)
    }

    /// Adds an object to an object. The closure adds its members.
    package mutating func member(_ key: StaticString, object members: (inout JSONWriter) throws -> Void) rethrows {
        write(key: key)
        try object(members)
    }

    /// Adds an array to an object. The closure writes its elements.
    package mutating func member(_ key: StaticString, array elements: (inout JSONWriter) throws -> Void) rethrows {
        write(key: key)
        try array(elements)
    }

    /// Adds an array of objects to an object. The closure adds the members of each.
    package mutating func member<Element>(
        _ key: StaticString, objects elements: some Sequence<Element>,
        _ members: (Element, inout JSONWriter) throws -> Void
    ) rethrows {
        try member(
            key,
            array: { json in
                for element in elements { try json.object { try members(element, &$0) } }
            })
    }

    /// Adds an array of integers to an object, on one line. This is faster than writing them one by one.
    ///
    /// - Parameters:
    ///   - count: The number of integers.
    ///   - value: Returns the integer at an index below `count`.
    package mutating func member(_ key: StaticString, integers count: Int, _ value: (Int) -> Int64) {
        write(key: key)
        self.value { bytes in
            bytes.append(UInt8(ascii: "["))
            JSONText.append(decimals: count, value, to: &bytes)
            bytes.append(UInt8(ascii: "]"))
        }
    }

    /// Adds an array of strings to an object, on one line. The closure appends each one quoted and escaped.
    package mutating func member(_ key: StaticString, texts count: Int, _ append: (Int, inout [UInt8]) -> Void) {
        write(key: key)
        value { bytes in
            bytes.append(UInt8(ascii: "["))
            for index in 0..<count {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(index, &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        }
    }

    /// Adds a member whose key is data.
    package mutating func member(named key: String, _ value: some JSONValue) {
        separate()
        JSONText.append(quoted: key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        isAfterKey = true
        value.write(to: &self)
    }

    private mutating func write(key: StaticString) {
        separate()
        JSONText.append(key: key, to: &bytes)
        isAfterKey = true
    }

    private mutating func container(open: UInt8, close: UInt8, _ body: (inout JSONWriter) throws -> Void) rethrows {
        value { $0.append(open) }
        depth += 1
        isFirst = true
        try body(&self)
        depth -= 1
        if style == .lines, depth == 0, !isFirst { bytes.append(UInt8(ascii: "\n")) }
        bytes.append(close)
        isFirst = false
    }

    /// Writes a value that the closure appends, after a comma unless it is the first one or belongs to a key.
    fileprivate mutating func value(_ append: (inout [UInt8]) -> Void) {
        if !isAfterKey { separate() }
        isAfterKey = false
        append(&bytes)
    }

    private mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        if style == .lines, depth == 1 { bytes.append(UInt8(ascii: "\n")) }
        isFirst = false
    }
}

/// A type that can be written as a JSON value.
package protocol JSONValue {
    /// Writes exactly one value.
    func write(to json: inout JSONWriter)
}

/// A type that can be written as a JSON object.
package protocol JSONObject: JSONValue {
    /// Writes the members, possibly into an object that has other members, too.
    func writeMembers(to json: inout JSONWriter)
}

extension JSONObject {
    package func write(to json: inout JSONWriter) { json.object { writeMembers(to: &$0) } }
}

extension String: JSONValue {
    /// Writes a quoted string, escaped by ``JSONText/append(quoted:to:)-(String,_)``.
    package func write(to json: inout JSONWriter) { json.value { JSONText.append(quoted: self, to: &$0) } }
}

extension Bool: JSONValue {
    /// Writes `true` or `false`.
    package func write(to json: inout JSONWriter) { json.value { $0.append(contentsOf: description.utf8) } }
}

extension Int: JSONValue {
    /// Writes an integer.
    package func write(to json: inout JSONWriter) { json.write(Int64(self)) }
}

extension Int64: JSONValue {
    /// Writes an integer.
    package func write(to json: inout JSONWriter) {
        json.value { JSONText.append(decimals: 1, { _ in self }, to: &$0) }
    }
}

extension Double: JSONValue {
    /// Writes the shortest digits that restore the number, and no decimals for an integer: `1500`, `0.5`.
    ///
    /// JSON has only finite numbers (RFC 8259, 6): infinity and NaN become `null`.
    package func write(to json: inout JSONWriter) {
        if magnitude < 9_007_199_254_740_992, Double(Int64(self)) == self {
            json.write(Int64(self))
        } else {
            json.value { $0.append(contentsOf: (isFinite ? description : "null").utf8) }
        }
    }
}

extension Instant: JSONValue {
    /// Writes ISO 8601 in UTC, such as `2026-03-29T00:30:00Z`.
    package func write(to json: inout JSONWriter) { json.value { JSONText.append(instant: self, to: &$0) } }
}

extension Array: JSONValue where Element: JSONValue {
    /// Writes an array of the elements, in order.
    package func write(to json: inout JSONWriter) {
        json.array { json in
            for value in self { json.write(value) }
        }
    }
}
