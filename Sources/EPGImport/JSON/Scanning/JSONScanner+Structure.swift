/// Moving through a document.
extension JSONScanner {
    /// What kind of value comes next.
    package enum Kind: Hashable, Sendable {
        case null, bool, number, string, array, object
    }

    /// Moves on to the next document of the file; `false` at its end.
    ///
    /// - Precondition: The document before was read or skipped to its end.
    package mutating func nextDocument() throws(JSONError) -> Bool {
        precondition(containers.isEmpty, "the document before isn't done with")
        if offset == 0 { try checkEncoding() }
        try skipWhite()
        return try peek() != nil
    }

    /// The kind of the value that comes next.
    ///
    /// - Precondition: A value comes next: see ``nextDocument()``, ``nextElement()`` and ``nextKey()``.
    package mutating func nextKind() throws(JSONError) -> Kind {
        try skipWhite()
        guard let byte = try peek() else { throw unexpectedEnd() }
        switch byte {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        default: throw error(.expected("a value"))
        }
    }

    /// Enters the array that comes next.
    package mutating func enterArray() throws(JSONError) {
        try enter(.array)
    }

    /// Enters the object that comes next.
    package mutating func enterObject() throws(JSONError) {
        try enter(.object)
    }

    private mutating func enter(_ kind: Kind) throws(JSONError) {
        guard try nextKind() == kind else { throw error(.expected(kind == .array ? "an array" : "an object")) }
        try open(Container(isObject: kind == .object))
    }

    /// Moves on to the next element of the array that was entered last; `false` at its end, which leaves it.
    package mutating func nextElement() throws(JSONError) -> Bool {
        precondition(containers.last?.isObject == false, "no array was entered")
        return try nextMember()
    }

    /// Moves on to the next member of the object that was entered last; `nil` at its end, which leaves it.
    ///
    /// - Returns: The key. Its value comes next.
    package mutating func nextKey() throws(JSONError) -> String? {
        precondition(containers.last?.isObject == true, "no object was entered")
        guard try nextMember() else { return nil }
        let outer = pin
        let start = offset
        if pin == nil { pin = start }
        defer { pin = outer }
        tokens.removeAll(keepingCapacity: true)
        let flags = try scanString()
        let first = start + 1 - windowStart
        let text = JSONText.string(window.span, first..<position - 1, flags)
        try expectColon()
        return text
    }

    /// Skips the value that comes next, whatever its size.
    package mutating func skipValue() throws(JSONError) {
        try scanValue(recordStart: nil)
    }

    /// Reads the value that comes next as a tree.
    ///
    /// - Throws: `limit` where it passes one of the limits.
    package mutating func readValue() throws(JSONError) -> JSONNode {
        try skipWhite()
        let outer = pin
        let start = offset
        let firstLine = line
        if pin == nil { pin = start }
        defer { pin = outer }
        tokens.removeAll(keepingCapacity: true)
        try scanValue(recordStart: start)
        let bytes = Array(window[start - windowStart..<position])
        return JSONNode(JSONRecord(bytes: bytes, tokens: Array(tokens), firstLine: firstLine), at: 0)
    }

    /// Moves to the next member of the innermost container; `false` at its end, which closes it.
    private mutating func nextMember() throws(JSONError) -> Bool {
        guard let container = containers.last else { return false }
        try skipWhite()
        let close = container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        guard let byte = try peek() else { throw unexpectedEnd() }
        if byte == close {
            position += 1
            containers.removeLast()
            return false
        }
        if container.isFresh {
            containers[containers.count - 1].isFresh = false
        } else {
            guard byte == UInt8(ascii: ",") else { throw error(.expected(container.following)) }
            position += 1
            try skipWhite()
        }
        guard let first = try peek() else { throw unexpectedEnd() }
        if container.isObject, first != UInt8(ascii: "\"") { throw error(.expected("a key in quotation marks")) }
        if !container.isObject { _ = try nextKind() }
        return true
    }
}

extension JSONScanner.Container {
    /// What may stand behind a value in it, in words.
    var following: String { isObject ? "a comma or '}'" : "a comma or ']'" }
}
