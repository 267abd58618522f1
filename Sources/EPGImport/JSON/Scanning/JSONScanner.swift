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
    var line = 1
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

    /// Bytes of the file that are held in memory.
    package var heldBytes: Int { window.capacity }

    /// The place of the next byte in the file.
    package var offset: Int { windowStart + position }

    /// An error at the next byte.
    func error(_ reason: JSONError.Reason) -> JSONError {
        JSONError(reason: reason, line: line, column: offset - lineStart + 1)
    }

    /// The next byte, or `nil` at the end.
    @inline(__always)
    mutating func peek() throws(JSONError) -> UInt8? {
        if position < end { return window[position] }
        return try refill() ? window[position] : nil
    }

    /// Lets go of the file and of what was read of it.
    mutating func close() {
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
