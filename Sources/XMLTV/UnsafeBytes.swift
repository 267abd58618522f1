#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// This file holds all unsafe code of the module: every pointer and every unchecked load. Each function takes validated
// values, documents why it stays in bounds, and lets no pointer escape.

extension Span<UInt8> {
    /// Returns the eight bytes from an offset on as a number, the first one lowest.
    ///
    /// `RawSpan` checks the bounds of this load and traps outside them. The load counts as unsafe only because a type
    /// may have invalid bit patterns, which `UInt64` does not.
    @inlinable @inline(__always)
    package func eightBytes(at offset: Int) -> UInt64 {
        let loaded = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return UInt64(littleEndian: loaded)
    }

    /// Returns the first index of a byte in a range.
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
    /// Appends a part of a span.
    ///
    /// `extracting` checks the part against the span. Exclusive access to the array rules out overlap.
    @inlinable package mutating func append(_ source: Span<UInt8>, from start: Int, count pieceCount: Int) {
        let piece = source.extracting(start..<start &+ pieceCount)
        unsafe piece.withUnsafeBufferPointer { pointer in
            unsafe append(contentsOf: pointer)
        }
    }

    /// Moves `count` bytes from an offset to the front.
    ///
    /// Both ranges are checked against the array. `memmove` allows overlap.
    mutating func moveToFront(from offset: Int, count moved: Int) {
        precondition(offset >= 0 && moved >= 0 && offset <= count - moved)
        unsafe withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            _ = unsafe memmove(base, base + offset, moved)
        }
    }
}

/// A conversion to UTF-8 by iconv of the C library.
@safe final class Iconv {
    enum Outcome { case consumedAll, incompleteAtEnd, outputFull, invalid }

    private let descriptor: iconv_t

    /// Creates a converter, or returns `nil` if the library doesn't support the encoding.
    init?(from encoding: String) {
        // Both names are passed as null-terminated copies that live for the duration of the call.
        unsafe descriptor = iconv_open("UTF-8", encoding)
        guard unsafe Int(bitPattern: descriptor) != -1 else { return nil }
    }

    deinit {
        unsafe iconv_close(descriptor)
    }

    /// Converts as much as possible of an input range to an output range.
    ///
    /// Both ranges are checked against their arrays. `iconv` receives their lengths and stays within them.
    ///
    /// - Returns: The number of bytes consumed and produced, and the reason why the conversion stopped.
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
    /// Some encodings (windows-1255, windows-1258) write an accent after its letter, so the converter must delay
    /// letters. The range is checked against the array. `iconv` receives its length and stays within it.
    /// - Returns: The number of bytes written.
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
