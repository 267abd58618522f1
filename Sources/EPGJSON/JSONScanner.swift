package import XMLTV

/// Reads JSON (RFC 8259) of any length, value by value.
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
/// Memory is that of the largest value that is read as a whole (``JSONLimits/recordBytes``), whatever is skipped or
/// entered. Structure, numbers and escapes are checked strictly. In strings, bytes that are no UTF-8 are read as U+FFFD
/// and reported by the record; a surrogate without its other half is U+FFFD, too. Of a key that stands twice, the last
/// value counts, as in `JSON.parse`.
package struct JSONScanner {
    /// What kind of value comes next.
    package enum Kind: Hashable, Sendable {
        case null, bool, number, string, array, object
    }

    /// An array or object that is open.
    private struct Container {
        let isObject: Bool
        /// The place of its token, where it is read as a whole.
        let token: Int
        /// Whether nothing in it has been read.
        var isFresh = true
    }

    private var source: any ByteSource
    private let limits: JSONLimits
    /// Whether control characters may stand in strings as they are, line breaks among them; by default they are errors
    /// (RFC 8259, 7).
    package var takesControls = false

    /// The bytes that are at hand.
    private var window: [UInt8] = []
    /// The next byte.
    private var position = 0
    /// Behind the last byte at hand.
    private var end = 0
    /// The place of the window in the file.
    private var windowStart = 0
    /// The place in the file from which on the window has to stay; `nil` where nothing before ``position`` is needed.
    private var pin: Int?
    private var sourceEnded = false

    /// From 1.
    package private(set) var line = 1
    /// The place in the file where the line begins.
    private var lineStart = 0

    private var containers: [Container] = []
    /// The place in the file of the value that is read as a whole; `nil` while values are skipped.
    private var recordStart: Int?
    /// The tokens of that value.
    private var tokens: [JSONToken] = []

    private static let chunk = 64 << 10
    /// With fewer free bytes behind those at hand the window is moved or grows.
    private static let leastRoom = 4 << 10

    package init(_ source: any ByteSource, limits: JSONLimits = JSONLimits()) {
        self.source = source
        self.limits = limits
    }

    /// A scanner of bytes that are in memory, within the limits of a token's 32 bits.
    init(holding bytes: [UInt8]) {
        self.init(ChunkSource([]), limits: JSONLimits(depth: .max, recordBytes: .max, recordValues: .max))
        (window, end, sourceEnded) = (bytes, bytes.count, true)
    }

    /// Bytes of the file that are held in memory.
    package var heldBytes: Int { window.capacity }

    /// The place of the next byte in the file.
    package var offset: Int { windowStart + position }

    /// An error at the next byte.
    package func error(_ reason: JSONError.Reason) -> JSONError {
        JSONError(reason: reason, line: line, column: offset - lineStart + 1)
    }

    /// The next byte, or `nil` at the end.
    @inline(__always)
    package mutating func peek() throws(JSONError) -> UInt8? {
        if position < end { return window[position] }
        return try refill() ? window[position] : nil
    }

    /// The next byte.
    ///
    /// - Throws: `unexpectedEnd` where there is none.
    @inline(__always)
    private mutating func nextByte(inside place: String? = nil) throws(JSONError) -> UInt8 {
        if let byte = try peek() { return byte }
        let container = containers.last.map { $0.isObject ? "an object" : "an array" }
        throw error(.unexpectedEnd(inside: place ?? container ?? "a value"))
    }

    /// Lets go of the file and of what was read of it.
    package mutating func close() {
        self = JSONScanner(ChunkSource([]), limits: limits)
    }

    /// Reads more bytes behind those at hand; `false` at the end of the file.
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

    /// Makes room for bytes behind those at hand; what stands before a place may go.
    private mutating func makeRoom(keeping kept: Int) {
        if kept == end {
            drop(kept)
            end = 0
        }
        guard window.count - end < Self.leastRoom else { return }
        // A record that grows doubles the window, so that it is copied a few times only.
        let held = end - kept
        var moved = [UInt8](repeating: 0, count: max(Self.chunk, min(2 * held, limits.recordBytes)) + held)
        moved.replaceSubrange(0..<held, with: window[kept..<end])
        window = moved
        drop(kept)
        end = held
    }

    /// Counts bytes at the beginning of the window as gone.
    private mutating func drop(_ count: Int) {
        position -= count
        windowStart += count
    }

    /// Skips white space, and counts lines.
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

    /// Skips the mark of UTF-8 at the beginning of a file, and refuses other encodings.
    private mutating func checkEncoding() throws(JSONError) {
        while end < 4, try refill() {}
        let first = window.prefix(min(end, 4))
        if first.starts(with: [0xEF, 0xBB, 0xBF]) {
            (position, lineStart) = (3, 3)
            return
        }
        let marks: [(name: String, bytes: [UInt8])] = [
            ("UTF-32BE", [0x00, 0x00, 0xFE, 0xFF]), ("UTF-32LE", [0xFF, 0xFE, 0x00, 0x00]),
            ("UTF-16BE", [0xFE, 0xFF]), ("UTF-16LE", [0xFF, 0xFE]),
        ]
        if let mark = marks.first(where: { first.starts(with: $0.bytes) }) { throw error(.encoding(mark.name)) }
        // A document begins with an ASCII character, which in a wider encoding has a zero beside it (RFC 4627, 3).
        guard first.count > 1, first[0] == 0 || first[1] == 0, first[0] != first[1] else { return }
        throw error(.encoding(first[0] == 0 ? "UTF-16BE" : "UTF-16LE"))
    }
}

/// Moving through a document.
extension JSONScanner {
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

    /// Enters the array that comes next.
    package mutating func enterArray() throws(JSONError) {
        guard try nextKind() == .array else { throw error(.expected("an array")) }
        try open(isObject: false)
    }

    /// Enters the object that comes next.
    package mutating func enterObject() throws(JSONError) {
        guard try nextKind() == .object else { throw error(.expected("an object")) }
        try open(isObject: true)
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
        return try pinned { (json, start) throws(JSONError) in
            let flags = try json.scanString()
            let text = json.window[start + 1 - json.windowStart..<json.position - 1]
            let key = JSONText.string(text, isEscaped: flags.contains(.escaped))
            try json.skipColon()
            return key
        }
    }

    /// Skips the value that comes next, whatever its size.
    package mutating func skipValue() throws(JSONError) {
        recordStart = nil
        try scanValue()
    }

    /// Reads the value that comes next as a tree.
    ///
    /// - Throws: `limit` where it passes one of the limits.
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

    /// Does something with the bytes from the next one on, which stay in the window.
    private mutating func pinned<Result>(
        _ body: (inout JSONScanner, _ start: Int) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        let outer = pin
        let start = offset
        pin = outer ?? start
        defer { pin = outer }
        return try body(&self, start)
    }

    /// Does something with what comes next, and returns to the place before it.
    ///
    /// - Throws: `limit` where it goes on for more bytes than a record may have.
    package mutating func lookAhead<Result>(
        _ look: (inout JSONScanner) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        try pinned { (json, start) throws(JSONError) in
            let place = (line: json.line, lineStart: json.lineStart, containers: json.containers)
            defer {
                json.position = start - json.windowStart
                (json.line, json.lineStart, json.containers) = place
            }
            return try look(&json)
        }
    }

    /// Gives up the document that comes next or is open, and moves on to the next line that begins with `{`.
    package mutating func skipDocument() throws(JSONError) {
        containers.removeAll()
        pin = nil
        // Where a brace is missing, the error was found at the beginning of the next line.
        while let byte = try peek() {
            if offset == lineStart, byte == UInt8(ascii: "{") { return }
            if byte == 0x0A { skipLineFeed() } else { position += 1 }
        }
    }

    /// Moves to the next member of the innermost container; `false` at its end, which closes it.
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

/// The grammar of values.
extension JSONScanner {
    /// Scans the value that comes next.
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

    /// Opens an array or object; its first byte is the next one.
    private mutating func open(isObject: Bool, token: Int = 0) throws(JSONError) {
        guard containers.count < limits.depth else { throw error(.limit(.depth, limits.depth)) }
        position += 1
        containers.append(Container(isObject: isObject, token: token))
    }

    /// Keeps the token of a value at a place of the file, where it is part of a record.
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

    /// Scans a string from its first quotation mark to behind the last.
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
                guard takesControls else {
                    throw error(
                        .malformed(
                            "the control character U+00\(byte < 16 ? "0" : "")"
                                + "\(String(byte, radix: 16, uppercase: true)) stands in a string; JSON writes it "
                                + "with a backslash"))
                }
                flags.insert(.control)
                if byte == 0x0A { skipLineFeed() } else { position += 1 }
            default:
                // Whether this is UTF-8, JSONNode.hasIllFormedText tells of the record as a whole.
                while position < end, window[position] >= 0x7F { position += 1 }
            }
        }
    }

    /// `\" \\ \/ \b \f \n \r \t \uXXXX`
    private mutating func scanEscape() throws(JSONError) {
        position += 1
        let letter = try nextByte(inside: "a string")
        var isKnown = "\"\\/bfnrtu".utf8.contains(letter)
        if isKnown { position += 1 }
        if letter == UInt8(ascii: "u") {
            for _ in 0..<4 where isKnown {
                isKnown = JSONText.hexValue(try nextByte(inside: "a string")) != nil
                if isKnown { position += 1 }
            }
        }
        guard isKnown else {
            throw error(.malformed("'\\' escapes nothing here; a backslash itself is written \\\\"))
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

    /// `[-] (0 | 1-9 digits) [. digits] [(e | E) [+ | -] digits]`
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

    /// Scans one digit or more.
    private mutating func scanDigits() throws(JSONError) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard digits.contains(try nextByte()) else { throw badNumber() }
        while let digit = try peek(), digits.contains(digit) { position += 1 }
    }

    private func badNumber() -> JSONError { error(.malformed("this number isn't written as JSON writes numbers")) }

    /// Whether a byte follows that would belong to a number or word: a letter, a digit, a sign or a point.
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

/// How much a JSON document may ask of the reader.
///
/// The defaults are beyond every real guide and small enough that no document exhausts memory.
package struct JSONLimits: Hashable, Sendable {
    /// Which limit was passed.
    package enum Name: Hashable, Sendable {
        case depth, recordBytes, recordValues
    }

    /// Open arrays and objects at once.
    package let depth: Int
    /// Bytes of a value that is read as a whole, or of a key.
    package let recordBytes: Int
    /// Values and keys of a value that is read as a whole; each takes 16 bytes.
    package let recordValues: Int

    /// Limits within what the scanner can count: a token has 32 bits for a place in its record.
    package init(depth: Int = 128, recordBytes: Int = 16 << 20, recordValues: Int = 1 << 20) {
        self.depth = min(max(depth, 1), 1 << 10)
        self.recordBytes = min(max(recordBytes, 16), 1 << 30)
        self.recordValues = min(max(recordValues, 1), 1 << 28)
    }
}
