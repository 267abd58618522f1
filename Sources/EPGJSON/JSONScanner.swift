import EPGModel
package import XMLTV

/// A streaming scanner of JSON (RFC 8259) of any length.
///
/// ```swift
/// var json = JSONScanner(source)
/// while try json.nextDocument() {                 // JSON Lines and concatenated documents: one after the other
///     try json.enterArray()
///     while try json.nextElement() {
///         let record = try json.readValue()       // a small tree
///     }
/// }
/// ```
///
/// The largest value that ``readValue()`` returns bounds the memory (``JSONLimits/recordBytes``). Values that are
/// skipped or entered may be larger. Structure, numbers, and escapes are checked strictly. In strings, invalid UTF-8 is
/// read as U+FFFD and reported by the record, and an unpaired surrogate becomes U+FFFD, too. Of duplicate keys, the
/// last one wins, as in `JSON.parse`.
package struct JSONScanner {
    /// The kind of a value.
    package enum Kind: Hashable, Sendable {
        case null, bool, number, string, array, object
    }

    /// An open array or object.
    private struct Container {
        let isObject: Bool
        /// The index of its token, if it is part of a record.
        let token: Int
        /// Whether nothing in it has been read.
        var isFresh = true
    }

    private var source: any ByteSource
    private let limits: JSONLimits
    /// Whether strings may contain unescaped control characters, including line breaks. By default, they are errors
    /// (RFC 8259, 7).
    package var allowsControlCharacters = false

    /// The buffered bytes.
    private var window: [UInt8] = []
    /// The index of the next byte.
    private var position = 0
    /// The end of the buffered bytes.
    private var end = 0
    /// The position of the window in the file.
    private var windowStart = 0
    /// The position in the file from which on the window must be kept; `nil` if nothing before ``position`` is needed.
    private var pin: Int?
    private var sourceEnded = false

    /// The line number, from 1.
    package private(set) var line = 1
    /// The position in the file where the line starts.
    private var lineStart = 0

    private var containers: [Container] = []
    /// The position in the file of the value that ``readValue()`` reads; `nil` while values are skipped.
    private var recordStart: Int?
    /// The tokens of that value.
    private var tokens: [JSONToken] = []

    private static let chunk = 64 << 10
    /// The minimum free space after the buffered bytes. With less, the window is moved or grows.
    private static let minimumRoom = 4 << 10

    /// Creates a scanner without reading anything yet.
    package init(_ source: any ByteSource, limits: JSONLimits = JSONLimits()) {
        self.source = source
        self.limits = limits
    }

    /// Creates a scanner of bytes in memory, limited only by the 32-bit offsets of tokens.
    init(holding bytes: [UInt8]) {
        self.init(ChunkSource([]), limits: JSONLimits(depth: .max, recordBytes: .max, recordValues: .max))
        (window, end, sourceEnded) = (bytes, bytes.count, true)
    }

    /// The memory for buffered bytes of the file, in bytes.
    package var heldBytes: Int { window.capacity }

    /// The position of the next byte in the file.
    package var offset: Int { windowStart + position }

    /// Creates an error at the next byte.
    package func error(_ reason: JSONError.Reason) -> JSONError {
        JSONError(reason: reason, line: line, column: offset - lineStart + 1)
    }

    /// Returns the next byte without consuming it, or `nil` at the end of the file.
    ///
    /// - Throws: ``JSONError`` if the file can't be read, or if a record exceeds its limit.
    @inline(__always)
    package mutating func peek() throws(JSONError) -> UInt8? {
        if position < end { return window[position] }
        return try refill() ? window[position] : nil
    }

    /// Returns the next byte without consuming it.
    ///
    /// - Throws: `unexpectedEnd` at the end.
    @inline(__always)
    private mutating func nextByte(inside place: String? = nil) throws(JSONError) -> UInt8 {
        if let byte = try peek() { return byte }
        let container = containers.last.map { $0.isObject ? "an object" : "an array" }
        throw error(.unexpectedEnd(inside: place ?? container ?? "a value"))
    }

    /// Releases the file and the buffered bytes.
    package mutating func close() {
        self = JSONScanner(ChunkSource([]), limits: limits)
    }

    /// Reads more bytes. Returns `false` at the end of the file.
    private mutating func refill() throws(JSONError) -> Bool {
        guard !sourceEnded else { return false }
        let kept = (pin.map { $0 - windowStart }) ?? position
        if let pin, windowStart + end - pin >= limits.recordBytes {
            throw error(.limit(.recordBytes, limits.recordBytes))
        }
        makeRoom(keeping: kept)
        do throws(ByteFault) {
            let got = try source.read(into: &window, at: end, upTo: min(Self.chunk, window.count - end))
            sourceEnded = got == 0
            end += got
        } catch {
            throw self.error(.unreadable(error))
        }
        return !sourceEnded
    }

    /// Makes room after the buffered bytes. Bytes before an index may be discarded.
    private mutating func makeRoom(keeping kept: Int) {
        if kept == end {
            drop(kept)
            end = 0
        }
        guard window.count - end < Self.minimumRoom else { return }
        // A growing record doubles the window, so that it is copied only a few times.
        let held = end - kept
        var moved = [UInt8](repeating: 0, count: max(Self.chunk, min(2 * held, limits.recordBytes)) + held)
        moved.replaceSubrange(0..<held, with: window[kept..<end])
        window = moved
        drop(kept)
        end = held
    }

    /// Discards bytes at the start of the window.
    private mutating func drop(_ count: Int) {
        position -= count
        windowStart += count
    }

    /// Skips white space and counts lines.
    @inline(__always)
    private mutating func skipWhite() throws(JSONError) {
        while true {
            while position < end {
                switch window[position] {
                case 0x20, 0x09, 0x0D: position += 1
                case 0x0A: skipLineFeed()
                default: return
                }
            }
            guard try refill() else { return }
        }
    }

    private mutating func skipLineFeed() {
        position += 1
        line += 1
        lineStart = offset
    }

    /// Skips the byte order mark of UTF-8 at the start of a file, and rejects other encodings.
    private mutating func checkEncoding() throws(JSONError) {
        while end < 4, try refill() {}
        let first = window.prefix(min(end, 4))
        if first.starts(with: [0xEF, 0xBB, 0xBF]) {
            (position, lineStart) = (3, 3)
            return
        }
        if let wide = WideEncoding(firstBytes: first) { throw error(.encoding(wide.name)) }
    }
}

/// Navigation.
extension JSONScanner {
    /// Advances to the next document of the file. Returns `false` at its end.
    ///
    /// - Precondition: The previous document has been read or skipped completely.
    /// - Throws: ``JSONError`` if the file can't be read or is not UTF-8.
    package mutating func nextDocument() throws(JSONError) -> Bool {
        precondition(containers.isEmpty, "the previous document is incomplete")
        if offset == 0 { try checkEncoding() }
        try skipWhite()
        return try peek() != nil
    }

    /// Returns the kind of the next value.
    ///
    /// - Precondition: A value is next; see ``nextDocument()``, ``nextElement()``, and ``nextKey()``.
    package mutating func nextKind() throws(JSONError) -> Kind {
        try skipWhite()
        switch try nextByte() {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        default: throw error(.expected("a value"))
        }
    }

    /// Enters the next value, an array.
    ///
    /// - Throws: `expected` for any other value; `limit` if it is nested too deeply.
    package mutating func enterArray() throws(JSONError) {
        guard try nextKind() == .array else { throw error(.expected("an array")) }
        try open(isObject: false)
    }

    /// Enters the next value, an object.
    ///
    /// - Throws: `expected` for any other value; `limit` if it is nested too deeply.
    package mutating func enterObject() throws(JSONError) {
        guard try nextKind() == .object else { throw error(.expected("an object")) }
        try open(isObject: true)
    }

    /// Advances to the next element of the array entered last. Returns `false` at its end, and leaves it.
    package mutating func nextElement() throws(JSONError) -> Bool {
        precondition(containers.last?.isObject == false, "no array was entered")
        return try nextMember()
    }

    /// Advances to the next member of the object entered last. Returns `nil` at its end, and leaves it.
    ///
    /// - Returns: The key. Its value is next.
    package mutating func nextKey() throws(JSONError) -> String? {
        precondition(containers.last?.isObject == true, "no object was entered")
        guard try nextMember() else { return nil }
        return try pinned { (json, start) throws(JSONError) in
            let flags = try json.scanString()
            let text = json.window[start + 1 - json.windowStart..<json.position - 1]
            let key = JSONText.string(text, isEscaped: flags.contains(.escaped))
            try json.skipColon()
            return key
        }
    }

    /// Skips the next value, of any size.
    ///
    /// - Throws: ``JSONError`` if it is malformed or nested too deeply.
    package mutating func skipValue() throws(JSONError) {
        recordStart = nil
        try scanValue()
    }

    /// Reads the next value as a tree.
    ///
    /// - Throws: ``JSONError`` if it is malformed, or exceeds a limit.
    package mutating func readValue() throws(JSONError) -> JSONNode {
        try skipWhite()
        let firstLine = line
        return try pinned { (json, start) throws(JSONError) in
            json.recordStart = start
            json.tokens.removeAll(keepingCapacity: true)
            try json.scanValue()
            let bytes = Array(json.window[start - json.windowStart..<json.position])
            return JSONNode(JSONRecord(bytes: bytes, tokens: json.tokens, firstLine: firstLine), at: 0)
        }
    }

    /// Calls a closure while the window keeps the bytes from the next one on.
    private mutating func pinned<Result>(
        _ body: (inout JSONScanner, _ start: Int) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        let outer = pin
        let start = offset
        pin = outer ?? start
        defer { pin = outer }
        return try body(&self, start)
    }

    /// Calls a closure that reads ahead, and then returns to the current position.
    ///
    /// - Throws: `limit` if the closure reads more bytes than a record may have.
    package mutating func lookAhead<Result>(
        _ body: (inout JSONScanner) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        try pinned { (json, start) throws(JSONError) in
            let place = (line: json.line, lineStart: json.lineStart, containers: json.containers)
            defer {
                json.position = start - json.windowStart
                (json.line, json.lineStart, json.containers) = place
            }
            return try body(&json)
        }
    }

    /// Abandons the next or current document, and advances to the next line that starts with `{`.
    package mutating func skipDocument() throws(JSONError) {
        containers.removeAll()
        pin = nil
        // If a brace is missing, the error was found at the start of the next line.
        while let byte = try peek() {
            if offset == lineStart, byte == UInt8(ascii: "{") { return }
            if byte == 0x0A { skipLineFeed() } else { position += 1 }
        }
    }

    /// Advances to the next member of the innermost container. Returns `false` at its end, and closes it.
    @inline(__always)
    private mutating func nextMember() throws(JSONError) -> Bool {
        let last = containers.count - 1
        let isObject = containers[last].isObject
        try skipWhite()
        let byte = try nextByte()
        if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            position += 1
            containers.removeLast()
            return false
        }
        if containers[last].isFresh {
            containers[last].isFresh = false
        } else {
            guard byte == UInt8(ascii: ",") else {
                throw error(.expected(isObject ? "a comma or '}'" : "a comma or ']'"))
            }
            position += 1
            try skipWhite()
        }
        if isObject, try nextByte() != UInt8(ascii: "\"") { throw error(.expected("a key in quotation marks")) }
        return true
    }
}

/// Grammar of values.
extension JSONScanner {
    /// Scans the next value.
    private mutating func scanValue() throws(JSONError) {
        let outside = containers.count
        value: while true {
            switch try nextKind() {
            case .string: try scanText()
            case .number: try scanNumber()
            case .null: try scanLiteral("null", .null)
            case .bool:
                let isTrue = window[position] == UInt8(ascii: "t")
                try scanLiteral(isTrue ? "true" : "false", .bool, isTrue ? .true : [])
            case let kind:
                let token = tokens.count
                try append(kind, offset..<offset)
                try open(isObject: kind == .object, token: token)
            }
            while containers.count > outside {
                let container = containers[containers.count - 1]
                if try nextMember() {
                    if container.isObject {
                        try scanText()
                        try skipColon()
                    }
                    continue value
                }
                if recordStart != nil { tokens[container.token].next = UInt32(truncatingIfNeeded: tokens.count) }
            }
            return
        }
    }

    /// Opens an array or object, whose first byte is the next one.
    private mutating func open(isObject: Bool, token: Int = 0) throws(JSONError) {
        guard containers.count < limits.depth else { throw error(.limit(.depth, limits.depth)) }
        position += 1
        containers.append(Container(isObject: isObject, token: token))
    }

    /// Adds the token of a value, given its range in the file, if it is part of a record.
    @inline(__always)
    private mutating func append(
        _ kind: Kind, _ range: Range<Int>, _ flags: JSONToken.Flags = []
    ) throws(JSONError) {
        guard let recordStart else { return }
        guard tokens.count < limits.recordValues else { throw error(.limit(.recordValues, limits.recordValues)) }
        tokens.append(
            JSONToken(
                kind: kind, flags: flags, offset: UInt32(truncatingIfNeeded: range.lowerBound - recordStart),
                count: UInt32(truncatingIfNeeded: range.count), next: UInt32(truncatingIfNeeded: tokens.count + 1)))
    }

    // MARK: - Strings

    private mutating func skipColon() throws(JSONError) {
        try skipWhite()
        guard try nextByte() == UInt8(ascii: ":") else { throw error(.expected("a colon")) }
        position += 1
    }

    /// Scans a string or a key.
    private mutating func scanText() throws(JSONError) {
        let start = offset + 1
        let flags = try scanString()
        try append(.string, start..<offset - 1, flags)
    }

    /// Scans a string including both quotation marks.
    private mutating func scanString() throws(JSONError) -> JSONToken.Flags {
        position += 1
        var flags: JSONToken.Flags = []
        while true {
            position = JSONText.endOfPlainASCII(window.span.extracting(..<end), from: position)
            switch try nextByte(inside: "a string") {
            case UInt8(ascii: "\""):
                position += 1
                return flags
            case UInt8(ascii: "\\"):
                flags.insert(.escaped)
                try scanEscape()
            case let byte where byte < 0x20:
                guard allowsControlCharacters else {
                    throw error(
                        .malformed(
                            "unescaped control character U+00\(byte.hexDigits) in a string"))
                }
                flags.insert(.control)
                if byte == 0x0A { skipLineFeed() } else { position += 1 }
            default:
                // JSONNode.hasIllFormedText validates the UTF-8 of the complete record.
                while position < end, window[position] >= 0x7F { position += 1 }
            }
        }
    }

    /// Scans an escape sequence: `\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, or `\uXXXX`.
    private mutating func scanEscape() throws(JSONError) {
        position += 1
        let letter = try nextByte(inside: "a string")
        var isKnown = "\"\\/bfnrtu".utf8.contains(letter)
        if isKnown { position += 1 }
        if letter == UInt8(ascii: "u") {
            for _ in 0..<4 where isKnown {
                isKnown = try nextByte(inside: "a string").hexDigit != nil
                if isKnown { position += 1 }
            }
        }
        guard isKnown else {
            throw error(.malformed("unknown escape sequence; write a backslash as \\\\"))
        }
    }

    // MARK: - Scalars

    private mutating func scanLiteral(
        _ word: String, _ kind: Kind, _ flags: JSONToken.Flags = []
    ) throws(JSONError) {
        let start = offset
        for expected in word.utf8 {
            guard try nextByte() == expected else { throw error(.expected("'\(word)'")) }
            position += 1
        }
        if try isInWord() { throw error(.expected("'\(word)'")) }
        try append(kind, start..<offset, flags)
    }

    /// Scans `[-] (0 | 1-9 digits) [. digits] [(e | E) [+ | -] digits]`.
    private mutating func scanNumber() throws(JSONError) {
        let start = offset
        if try peek() == UInt8(ascii: "-") { position += 1 }
        if try peek() == UInt8(ascii: "0") { position += 1 } else { try scanDigits() }
        if try peek() == UInt8(ascii: ".") {
            position += 1
            try scanDigits()
        }
        if let mark = try peek(), mark | 0x20 == UInt8(ascii: "e") {
            position += 1
            if let sign = try peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            try scanDigits()
        }
        if try isInWord() { throw badNumber() }
        try append(.number, start..<offset)
    }

    /// Scans one or more digits.
    private mutating func scanDigits() throws(JSONError) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard digits.contains(try nextByte()) else { throw badNumber() }
        while let digit = try peek(), digits.contains(digit) { position += 1 }
    }

    private func badNumber() -> JSONError { error(.malformed("malformed number")) }

    /// Returns whether the next byte would continue a number or word: a letter, digit, sign, or period.
    private mutating func isInWord() throws(JSONError) -> Bool {
        guard let byte = try peek() else { return false }
        return switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), 0x80...0xFF:
            true
        default: false
        }
    }
}

/// Limits on the size and complexity of a JSON document.
///
/// The defaults exceed the needs of every real guide and are small enough to bound memory. A record is a value that
/// ``JSONScanner/readValue()`` returns.
package struct JSONLimits: Hashable, Sendable {
    /// The limit that a document exceeds.
    package enum Name: Hashable, Sendable {
        case depth, recordBytes, recordValues
    }

    /// The maximum nesting depth of arrays and objects, 1…1,024. The default is 128.
    package let depth: Int
    /// The maximum length of a record or key in bytes, 16 bytes…1 GiB. The default is 16 MiB.
    package let recordBytes: Int
    /// The maximum number of values and keys in a record, 1…2²⁸. Each takes 16 bytes of memory. The default is 2²⁰.
    package let recordValues: Int

    /// Creates limits, clamped to their ranges: a token has a 32-bit offset in its record.
    package init(depth: Int = 128, recordBytes: Int = 16 << 20, recordValues: Int = 1 << 20) {
        self.depth = min(max(depth, 1), 1 << 10)
        self.recordBytes = min(max(recordBytes, 16), 1 << 30)
        self.recordValues = min(max(recordValues, 1), 1 << 28)
    }
}
