import XMLTV

/// Packed bytes on their way to what unpacks them; 16 KiB at most are held.
struct InputBuffer {
    /// The most that ``need(_:)`` can be asked for.
    static let capacity = 16 << 10

    private var source: any ByteSource
    private var hasEnded = false
    /// The bytes, of which those in ``range`` are held.
    private(set) var bytes = [UInt8](repeating: 0, count: capacity)
    private(set) var range = 0..<0

    init(_ source: any ByteSource) {
        self.source = source
    }

    /// Reads more if nothing is held.
    ///
    /// - Returns: Whether something is held; false at the end.
    mutating func fill() throws(ByteFault) -> Bool {
        if range.isEmpty { try readMore() }
        return !range.isEmpty
    }

    /// Holds at least so many bytes, one after the other, if there are as many.
    ///
    /// - Returns: Whether there are.
    mutating func need(_ count: Int) throws(ByteFault) -> Bool {
        while range.count < count, !hasEnded { try readMore() }
        return range.count >= count
    }

    /// Gives up bytes at the front.
    mutating func drop(_ count: Int) {
        precondition(count >= 0 && count <= range.count)
        range = range.lowerBound + count..<range.upperBound
    }

    /// Gives up bytes at the front, more than are held if need be.
    ///
    /// - Returns: Whether there were as many.
    mutating func pass(_ count: Int) throws(ByteFault) -> Bool {
        var left = count
        while left > 0 {
            guard try fill() else { return false }
            let taken = min(left, range.count)
            drop(taken)
            left -= taken
        }
        return true
    }

    /// Whether what is held begins so.
    func starts(with prefix: [UInt8]) -> Bool { bytes[range].starts(with: prefix) }

    /// A number of two bytes, the lowest first.
    ///
    /// - Precondition: Two bytes are held from the offset on.
    func short(at offset: Int) -> Int { Int(number(at: offset, bytes: 2)) }

    /// A number of four bytes, the lowest first.
    ///
    /// - Precondition: Four bytes are held from the offset on.
    func word(at offset: Int) -> UInt32 { UInt32(truncatingIfNeeded: number(at: offset, bytes: 4)) }

    /// A number of up to eight bytes, the lowest first.
    ///
    /// - Precondition: So many bytes are held from the offset on.
    func number(at offset: Int, bytes length: Int) -> UInt64 {
        precondition(offset >= 0 && length <= 8 && offset + length <= range.count)
        return (0..<length).reduce(0) { $0 | UInt64(bytes[range.lowerBound + offset + $1]) << (8 * $1) }
    }

    private mutating func readMore() throws(ByteFault) {
        guard !hasEnded else { return }
        if range.lowerBound > 0 {
            for index in 0..<range.count { bytes[index] = bytes[range.lowerBound + index] }
            range = 0..<range.count
        }
        precondition(range.upperBound < Self.capacity)
        let got = try source.read(into: &bytes, at: range.upperBound, upTo: Self.capacity - range.upperBound)
        if got == 0 { hasEnded = true }
        range = 0..<range.upperBound + got
    }
}
