import CArchive

// All unsafe code for compression is in this file. Each function checks its ranges against the arrays and passes their
// lengths to the C library.

/// The reason why bytes can't be compressed.
package enum CompressionError: Error, CustomStringConvertible, Sendable {
    /// The system is out of memory.
    case noMemory

    package var description: String {
        switch self {
        case .noMemory: "out of memory for gzip compression"
        }
    }
}

/// A gzip file that is written in pieces.
///
/// With the same version of zlib, the same bytes give the same file: it contains neither a name nor a time.
package final class GzipFile {
    private let compressor: Compressor
    private let output: ([UInt8]) throws -> Void
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private var isFinished = false

    /// Creates a file whose bytes are passed to a closure in pieces of at most 64 KiB.
    ///
    /// - Parameters:
    ///   - level: The compression level from 1 (fast) to 9 (small), clamped. The default is 6, as in gzip.
    ///   - output: Receives the pieces. Its errors end the write.
    /// - Throws: ``CompressionError``.
    package init(level: Int = 6, to output: @escaping ([UInt8]) throws -> Void) throws {
        compressor = try Compressor(level: level)
        self.output = output
    }

    /// Compresses and appends bytes.
    ///
    /// - Precondition: ``finish()`` hasn't been called.
    /// - Throws: Any error of the output closure.
    package func write(_ bytes: [UInt8]) throws {
        precondition(!isFinished, "a gzip file was written to after its end")
        _ = try compress(bytes, 0..<bytes.count, finishing: false)
    }

    /// Compresses and appends bytes, like ``write(_:)-([UInt8])``.
    package func write(_ bytes: ArraySlice<UInt8>) throws {
        try write(Array(bytes))
    }

    /// Writes buffered data and the checksum.
    ///
    /// Further calls do nothing. Without this call, the file is truncated.
    /// - Throws: Any error of the output closure.
    package func finish() throws {
        guard !isFinished else { return }
        isFinished = true
        while try !compress([], 0..<0, finishing: true) {}
    }

    /// Compresses a range and passes the output on.
    ///
    /// - Returns: Whether the file is complete.
    private func compress(_ bytes: [UInt8], _ range: Range<Int>, finishing: Bool) throws -> Bool {
        var rest = range
        while true {
            let step = compressor.compress(bytes, rest, to: &buffer, finishing: finishing)
            rest = rest.lowerBound + step.consumed..<rest.upperBound
            if step.produced > 0 { try output(Array(buffer[0..<step.produced])) }
            if step.isAtEnd { return true }
            if rest.isEmpty, step.produced < buffer.count { return false }
        }
    }
}

/// A compressor for one gzip member, implemented by zlib.
private final class Compressor {
    private let encoder: OpaquePointer

    /// - Throws: ``CompressionError`` if memory runs out.
    init(level: Int) throws(CompressionError) {
        guard let encoder = carchive_encoder_new(Int32(min(max(level, 1), 9))) else { throw CompressionError.noMemory }
        self.encoder = encoder
    }

    deinit {
        carchive_encoder_free(encoder)
    }

    /// Compresses as much as possible of an input range to the output.
    ///
    /// - Returns: The number of bytes consumed and produced, and whether the member is complete.
    func compress(
        _ input: [UInt8], _ inputRange: Range<Int>, to output: inout [UInt8], finishing: Bool
    ) -> (consumed: Int, produced: Int, isAtEnd: Bool) {
        precondition(inputRange.lowerBound >= 0 && inputRange.upperBound <= input.count)
        var consumed = inputRange.count
        var produced = output.count
        let outcome = input.withUnsafeBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                guard let target = target.baseAddress else { return CARCHIVE_MORE }
                let start = source.baseAddress.map { $0 + inputRange.lowerBound }
                return carchive_encode(encoder, start, &consumed, target, &produced, finishing ? 1 : 0)
            }
        }
        return (consumed, produced, outcome == CARCHIVE_END)
    }
}
