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
    /// An array or object that is open.
    struct Container {
        var isObject: Bool
        /// Whether nothing in it has been read.
        var isFresh = true
        /// The place of its token, where it is read as a whole.
        var token = 0
    }

    private var source: any ByteSource
    let limits: JSONLimits
    /// Whether control characters may stand in strings as they are, line breaks among them; by default they are errors
    /// (RFC 8259, 7).
    package var takesControls = false

    /// The bytes that are at hand.
    private(set) var window: [UInt8] = []
    /// The next byte.
    var position = 0
    /// Behind the last byte at hand.
    private(set) var end = 0
    /// The place of the window in the file.
    private(set) var windowStart = 0
    /// The place in the file from which on the window has to stay; `nil` where nothing before ``position`` is needed.
    var pin: Int?
    private var sourceEnded = false

    /// From 1.
    package internal(set) var line = 1
    /// The place in the file where the line begins.
    var lineStart = 0

    var containers: [Container] = []
    /// The tokens of the value that is read as a whole.
    var tokens: [JSONToken] = []

    private static let chunk = 64 << 10
    /// With fewer free bytes behind those at hand the window is moved or grows.
    private static let leastRoom = 4 << 10

    package init(_ source: any ByteSource, limits: JSONLimits = JSONLimits()) {
        self.source = source
        self.limits = limits.bounded
    }

    /// A scanner of bytes that are in memory, within the limits of a token's 32 bits.
    init(holding bytes: [UInt8]) {
        source = ChunkSource([])
        var limits = JSONLimits()
        (limits.depth, limits.recordBytes, limits.recordValues) = (.max, .max, .max)
        self.limits = limits.bounded
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

    /// Lets go of the file and of what was read of it.
    package mutating func close() {
        source = ChunkSource([])
        (window, tokens, containers) = ([], [], [])
        (position, end, pin) = (0, 0, nil)
        sourceEnded = true
    }

    /// Reads more bytes behind those at hand; `false` at the end of the file.
    mutating func refill() throws(JSONError) -> Bool {
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
    mutating func skipWhite() throws(JSONError) {
        while true {
            while position < end {
                switch window[position] {
                case 0x20, 0x09, 0x0D: position += 1
                case 0x0A:
                    position += 1
                    line += 1
                    lineStart = offset
                default: return
                }
            }
            guard try refill() else { return }
        }
    }

    /// Skips the mark of UTF-8 at the beginning of a file, and refuses other encodings.
    mutating func checkEncoding() throws(JSONError) {
        while end < 4, try refill() {}
        let first = Array(window[0..<min(end, 4)])
        if first.starts(with: [0xEF, 0xBB, 0xBF]) {
            position = 3
            lineStart = 3
            return
        }
        let marks: [(name: String, bytes: [UInt8])] = [
            ("UTF-32BE", [0x00, 0x00, 0xFE, 0xFF]), ("UTF-32LE", [0xFF, 0xFE, 0x00, 0x00]),
            ("UTF-16BE", [0xFE, 0xFF]), ("UTF-16LE", [0xFF, 0xFE]),
        ]
        if let mark = marks.first(where: { first.starts(with: $0.bytes) }) { throw error(.encoding(mark.name)) }
        // A document begins with an ASCII character, which in a wider encoding has a zero beside it (RFC 4627, 3).
        guard first.count > 1, first[0] == 0 || first[1] == 0, first[0] != first[1] else { return }
        let isBig = first[0] == 0
        throw error(.encoding(isBig ? "UTF-16BE" : "UTF-16LE"))
    }
}

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

/// Looking ahead, and going on after an error.
extension JSONScanner {
    /// Does something with what comes next, and returns to the place before it.
    ///
    /// - Throws: `limit` where it goes on for more bytes than a record may have.
    package mutating func lookAhead<Result>(
        _ look: (inout JSONScanner) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        let start = offset
        let place = (line: line, lineStart: lineStart, containers: containers, pin: pin)
        if pin == nil { pin = start }
        defer {
            position = start - windowStart
            (line, lineStart, containers, pin) = place
        }
        return try look(&self)
    }

    /// Gives up the document that comes next or is open, and moves on to the next line that begins with `{`.
    package mutating func skipDocument() throws(JSONError) {
        containers.removeAll()
        pin = nil
        // Where a brace is missing, the error was found at the beginning of the next line.
        var isLineStart = offset == lineStart
        while let byte = try peek() {
            if isLineStart, byte == UInt8(ascii: "{") { return }
            isLineStart = byte == 0x0A
            position += 1
            if isLineStart {
                line += 1
                lineStart = offset
            }
        }
    }
}

/// The grammar of values.
extension JSONScanner {
    /// Scans the value that comes next; its tokens are kept where it is part of a record.
    ///
    /// - Parameter recordStart: The place in the file where the record begins.
    mutating func scanValue(recordStart: Int?) throws(JSONError) {
        let outside = containers.count
        value: while true {
            try skipWhite()
            guard let byte = try peek() else { throw unexpectedEnd() }
            switch byte {
            case UInt8(ascii: "\""): try scanText(.string, recordStart)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let isObject = byte == UInt8(ascii: "{")
                let token = tokens.count
                if let recordStart {
                    let place = UInt32(truncatingIfNeeded: offset - recordStart)
                    try append(JSONToken(kind: isObject ? .object : .array, offset: place))
                }
                try open(Container(isObject: isObject, token: token))
                try skipWhite()
                if try peek() != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    if isObject { try scanKey(recordStart) }
                    continue value
                }
            case UInt8(ascii: "t"): try scanLiteral("true", .true, recordStart)
            case UInt8(ascii: "f"): try scanLiteral("false", .false, recordStart)
            case UInt8(ascii: "n"): try scanLiteral("null", .null, recordStart)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanNumber(recordStart)
            default: throw error(.expected("a value"))
            }
            while containers.count > outside {
                let container = containers[containers.count - 1]
                try skipWhite()
                guard let next = try peek() else { throw unexpectedEnd() }
                if next == UInt8(ascii: ",") {
                    position += 1
                    if container.isObject {
                        try skipWhite()
                        try scanKey(recordStart)
                    }
                    continue value
                }
                guard next == (container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw error(.expected(container.following))
                }
                position += 1
                containers.removeLast()
                if recordStart != nil { tokens[container.token].next = UInt32(truncatingIfNeeded: tokens.count) }
            }
            return
        }
    }

    /// Opens an array or object; its first byte is the next one.
    mutating func open(_ container: Container) throws(JSONError) {
        guard containers.count < limits.depth else { throw error(.limit(.depth, limits.depth)) }
        position += 1
        containers.append(container)
    }

    func unexpectedEnd() -> JSONError {
        error(.unexpectedEnd(inside: containers.last.map { $0.isObject ? "an object" : "an array" } ?? "a value"))
    }

    @inline(__always)
    private mutating func append(_ token: JSONToken) throws(JSONError) {
        guard tokens.count < limits.recordValues else { throw error(.limit(.recordValues, limits.recordValues)) }
        tokens.append(token)
    }

    // MARK: - Strings

    private mutating func scanKey(_ recordStart: Int?) throws(JSONError) {
        guard try peek() == UInt8(ascii: "\"") else {
            if try peek() == nil { throw unexpectedEnd() }
            throw error(.expected("a key in quotation marks"))
        }
        try scanText(.key, recordStart)
        try expectColon()
    }

    mutating func expectColon() throws(JSONError) {
        try skipWhite()
        guard let byte = try peek() else { throw unexpectedEnd() }
        guard byte == UInt8(ascii: ":") else { throw error(.expected("a colon")) }
        position += 1
    }

    private mutating func scanText(_ kind: JSONToken.Kind, _ recordStart: Int?) throws(JSONError) {
        let start = offset + 1
        let flags = try scanString()
        guard let recordStart else { return }
        try append(
            JSONToken(
                kind: kind, flags: flags, offset: UInt32(truncatingIfNeeded: start - recordStart),
                count: UInt32(truncatingIfNeeded: offset - 1 - start),
                next: UInt32(truncatingIfNeeded: tokens.count + 1)))
    }

    /// Scans a string from its first quotation mark to behind the last.
    mutating func scanString() throws(JSONError) -> JSONToken.Flags {
        position += 1
        var flags: JSONToken.Flags = []
        while true {
            position = JSONText.endOfPlain(window.span, from: position, to: end)
            guard let byte = try peek() else { throw error(.unexpectedEnd(inside: "a string")) }
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return flags
            case UInt8(ascii: "\\"):
                flags.insert(.escaped)
                try scanEscape()
            case 0..<0x20:
                guard takesControls else { throw error(.controlCharacter(byte)) }
                flags.insert(.control)
                position += 1
                if byte == 0x0A {
                    line += 1
                    lineStart = offset
                }
            case 0x20..<0x80: position += 1
            default:
                while end - position < 4, try refill() {}
                let length = JSONText.characterLength(window.span, at: position, to: end)
                if length == 0 { flags.insert(.illFormed) }
                position += max(length, 1)
            }
        }
    }

    /// `\" \\ \/ \b \f \n \r \t \uXXXX`
    private mutating func scanEscape() throws(JSONError) {
        position += 1
        guard let letter = try peek() else { throw error(.unexpectedEnd(inside: "a string")) }
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            position += 1
            for _ in 0..<4 {
                guard let digit = try peek() else { throw error(.unexpectedEnd(inside: "a string")) }
                guard JSONText.hexValue(digit) != nil else { throw error(.badEscape) }
                position += 1
            }
        default: throw error(.badEscape)
        }
    }

    // MARK: - Scalars

    private mutating func scanLiteral(
        _ word: StaticString, _ kind: JSONToken.Kind, _ recordStart: Int?
    ) throws(JSONError) {
        let start = offset
        for expected in "\(word)".utf8 {
            guard let byte = try peek() else { throw unexpectedEnd() }
            guard byte == expected else { throw error(.expected("'\(word)'")) }
            position += 1
        }
        try finishScalar(JSONToken(kind: kind, offset: 0), from: start, recordStart) {
            $0.error(.expected("'\(word)'"))
        }
    }

    /// `[-] (0 | 1-9 digits) [. digits] [(e | E) [+ | -] digits]`
    private mutating func scanNumber(_ recordStart: Int?) throws(JSONError) {
        let start = offset
        var flags: JSONToken.Flags = .integer
        if try peek() == UInt8(ascii: "-") { position += 1 }
        if try peek() == UInt8(ascii: "0") { position += 1 } else { try scanDigits() }
        if try peek() == UInt8(ascii: ".") {
            flags = []
            position += 1
            try scanDigits()
        }
        if let mark = try peek(), mark | 0x20 == UInt8(ascii: "e") {
            flags = []
            position += 1
            if let sign = try peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            try scanDigits()
        }
        try finishScalar(JSONToken(kind: .number, flags: flags, offset: 0), from: start, recordStart) {
            $0.error(.badNumber)
        }
    }

    /// Scans one digit or more.
    private mutating func scanDigits() throws(JSONError) {
        guard let first = try peek() else { throw unexpectedEnd() }
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { throw error(.badNumber) }
        while let digit = try peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) { position += 1 }
    }

    /// Keeps the token of a scalar that ends here, if nothing follows that would belong to it.
    private mutating func finishScalar(
        _ token: JSONToken, from start: Int, _ recordStart: Int?, _ fault: (JSONScanner) -> JSONError
    ) throws(JSONError) {
        if let byte = try peek(), byte >= 0x80 || JSONText.isWordByte(byte) { throw fault(self) }
        guard let recordStart else { return }
        var whole = token
        whole.offset = UInt32(truncatingIfNeeded: start - recordStart)
        whole.count = UInt32(truncatingIfNeeded: offset - start)
        whole.next = UInt32(truncatingIfNeeded: tokens.count + 1)
        try append(whole)
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

    /// Open arrays and objects at once. The default is 128.
    package var depth = 128
    /// Bytes of a value that is read as a whole, or of a key. The default is 16 MiB.
    package var recordBytes = 16 << 20
    /// Values and keys of a value that is read as a whole; each takes 16 bytes. The default is 1,048,576.
    package var recordValues = 1 << 20

    package init() {}

    /// These limits within what the scanner can count: a token has 32 bits for a place in its record.
    var bounded: JSONLimits {
        var limits = self
        limits.depth = min(max(depth, 1), 1 << 10)
        limits.recordBytes = min(max(recordBytes, 16), 1 << 30)
        limits.recordValues = min(max(recordValues, 1), 1 << 28)
        return limits
    }
}
