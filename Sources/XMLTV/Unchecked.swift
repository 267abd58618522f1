#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// The only unsafe code of the module: every pointer and every unchecked load is in this file. Each function takes
// checked values, states why it stays within them, and lets no pointer out.

extension Span<UInt8> {
    /// The eight bytes from an offset, the first one lowest.
    ///
    /// `RawSpan` checks the bounds of this load and traps outside them; it counts as unsafe only because a type may have
    /// invalid bit patterns, which `UInt64` has not.
    @inline(__always)
    func eightBytes(at offset: Int) -> UInt64 {
        let loaded = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return UInt64(littleEndian: loaded)
    }

    /// Where a byte stands first in a range.
    ///
    /// The range is checked against the span, and `memchr` reads within it.
    @inline(__always)
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        let found = unsafe extracting(range).withUnsafeBufferPointer { pointer -> Int? in
            guard let base = pointer.baseAddress,
                let place = unsafe memchr(base, Int32(byte), pointer.count)
            else { return nil }
            return unsafe UnsafeRawPointer(place) - UnsafeRawPointer(base)
        }
        return found.map { range.lowerBound &+ $0 }
    }
}

extension [UInt8] {
    /// Appends a piece of a span.
    ///
    /// The piece is checked against the span; the destination has just been grown to hold it, and the two can't overlap
    /// because the array is held exclusively.
    @inlinable package mutating func append(_ source: Span<UInt8>, from start: Int, count pieceCount: Int) {
        let piece = source.extracting(start..<start &+ pieceCount)
        unsafe piece.withUnsafeBufferPointer { pointer in
            unsafe append(contentsOf: pointer)
        }
    }

    /// Moves the bytes from an offset on to the front: `count` of them.
    ///
    /// Both ranges are checked against the array; `memmove` allows them to overlap.
    mutating func moveToFront(from offset: Int, count moved: Int) {
        precondition(offset >= 0 && moved >= 0 && offset <= count - moved)
        unsafe withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            _ = unsafe memmove(base, base + offset, moved)
        }
    }

    /// Reads from a descriptor into the array: at most `length` bytes, to an offset.
    ///
    /// The range is checked against the array, and the system writes at most `length` bytes.
    /// - Returns: The number of bytes, 0 at the end; the error number as a failure.
    mutating func read(from descriptor: Int32, at offset: Int, upTo length: Int) throws(SystemFault) -> Int {
        precondition(offset >= 0 && length >= 0 && offset <= count - length)
        let got = unsafe withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            return unsafe readAgainIfInterrupted(descriptor, base + offset, length)
        }
        guard got >= 0 else { throw SystemFault(number: errno) }
        return got
    }
}

/// `read`, once more whenever a signal came first.
private func readAgainIfInterrupted(_ descriptor: Int32, _ target: UnsafeMutableRawPointer, _ length: Int) -> Int {
    while true {
        let got = unsafe read(descriptor, target, length)
        if got >= 0 || errno != EINTR { return got }
    }
}

/// A system call that failed.
public struct SystemFault: Error, Hashable, Sendable {
    /// The `errno` of it.
    public let number: Int32

    package init(number: Int32) {
        self.number = number
    }

    /// The system's words for it, such as "No such file or directory".
    public var words: String {
        // `strerror` gives a terminated text that stays valid until the next call on this thread.
        unsafe String(cString: strerror(number))
    }
}

/// A file that is open for reading; closed when it goes.
struct FileDescriptor: ~Copyable {
    let number: Int32
    private let closes: Bool

    /// Opens a file; it is not inherited by programs that are started.
    init(opening path: String) throws(SystemFault) {
        // The path is passed as a terminated copy that lives as long as the call.
        number = unsafe open(path, O_RDONLY | O_CLOEXEC)
        closes = true
        guard number >= 0 else { throw SystemFault(number: errno) }
    }

    /// Moves to a byte of a regular file.
    func seek(to offset: Int) throws(SystemFault) {
        guard lseek(number, off_t(offset), SEEK_SET) >= 0 else { throw SystemFault(number: errno) }
    }

    /// Standard input, which stays open.
    static var standardInput: FileDescriptor { FileDescriptor(borrowing: 0) }

    private init(borrowing number: Int32) {
        self.number = number
        closes = false
    }

    deinit {
        if closes && number >= 0 { close(number) }
    }
}

/// A conversion to UTF-8 by the C library.
@safe final class Iconv {
    enum Outcome { case consumedAll, incompleteAtEnd, outputFull, invalid }

    private let descriptor: iconv_t

    /// A converter, or `nil` where the library doesn't know the encoding.
    init?(from encoding: String) {
        // Both names are passed as terminated copies that live as long as the call.
        unsafe descriptor = iconv_open("UTF-8", encoding)
        guard unsafe Int(bitPattern: descriptor) != -1 else { return nil }
    }

    deinit {
        unsafe iconv_close(descriptor)
    }

    /// Converts from a range of the input to a range of the output, as far as it goes.
    ///
    /// Both ranges are checked against their arrays; `iconv` is told their lengths and moves within them.
    func convert(
        _ input: inout [UInt8], _ inputRange: Range<Int>, to output: inout [UInt8], _ outputRange: Range<Int>
    ) -> (consumed: Int, produced: Int, outcome: Outcome) {
        precondition(inputRange.upperBound <= input.count && outputRange.upperBound <= output.count)
        var inputLeft = inputRange.count
        var outputLeft = outputRange.count
        let result = unsafe input.withUnsafeMutableBytes { source in
            unsafe output.withUnsafeMutableBytes { target in
                guard let sourceBase = source.baseAddress, let targetBase = target.baseAddress else { return 0 }
                var next: UnsafeMutablePointer<CChar>? =
                    unsafe (sourceBase + inputRange.lowerBound).assumingMemoryBound(to: CChar.self)
                var free: UnsafeMutablePointer<CChar>? =
                    unsafe (targetBase + outputRange.lowerBound).assumingMemoryBound(to: CChar.self)
                return unsafe iconv(descriptor, &next, &inputLeft, &free, &outputLeft)
            }
        }
        let outcome: Outcome
        if result != -1 {
            outcome = .consumedAll
        } else {
            switch errno {
            case EINVAL: outcome = .incompleteAtEnd
            case E2BIG: outcome = .outputFull
            default: outcome = .invalid
            }
        }
        return (inputRange.count - inputLeft, outputRange.count - outputLeft, outcome)
    }

    /// Writes the character that the converter holds back at the end, if any, to a range of the output.
    ///
    /// Some encodings (windows-1255, windows-1258) write an accent behind its letter, so that a letter has to wait. The
    /// range is checked against the array; `iconv` is told its length and moves within it.
    /// - Returns: The number of bytes.
    func finish(_ output: inout [UInt8], _ range: Range<Int>) -> Int {
        precondition(range.upperBound <= output.count)
        var left = range.count
        _ = unsafe output.withUnsafeMutableBytes { target in
            guard let base = target.baseAddress else { return 0 }
            var free: UnsafeMutablePointer<CChar>? =
                unsafe (base + range.lowerBound).assumingMemoryBound(to: CChar.self)
            return unsafe iconv(descriptor, nil, nil, &free, &left)
        }
        return range.count - left
    }
}
