import CArchive
import XMLTV

// All unsafe code for decompression is in this file. Each function checks its ranges against the arrays and passes
// their lengths to the C library.

/// A decompressor of one of the C libraries, for consecutive members, streams, or frames.
final class Decompressor {
    /// A compression format. `deflate` is raw, as in zip files.
    enum Method: Sendable {
        case gzip, deflate, xz, bzip2, zstd

        fileprivate var format: carchive_format {
            switch self {
            case .gzip: CARCHIVE_GZIP
            case .deflate: CARCHIVE_DEFLATE
            case .xz: CARCHIVE_XZ
            case .bzip2: CARCHIVE_BZIP2
            case .zstd: CARCHIVE_ZSTD
            }
        }
    }

    /// The result of a decompression step.
    struct Step {
        var consumed: Int
        var produced: Int
        /// Whether the member has ended with a correct checksum.
        var isAtEnd: Bool
        /// The error that stopped the decompressor. Output before it is valid, but no checksum has verified it.
        var fault: ByteFault?
    }

    private let decoder: OpaquePointer
    private let window: Int
    /// The format name for messages.
    private let name: String

    /// - Throws: `ByteFault` if the library isn't installed.
    init(_ method: Method, in name: String, limits: DecompressionLimits) throws(ByteFault) {
        let format = method.format
        if let problem = carchive_load(format) { throw .damaged(format: name, detail: String(cString: problem)) }
        window = max(0, limits.window)
        self.name = name
        guard let decoder = carchive_decoder_new(format, UInt64(window)) else {
            throw Decompressor.noMemory(name)
        }
        self.decoder = decoder
    }

    deinit {
        carchive_decoder_free(decoder)
    }

    /// Prepares for the next member.
    func restart() throws(ByteFault) {
        guard carchive_decoder_restart(decoder) != 0 else { throw Decompressor.noMemory(name) }
    }

    /// Decompresses as much as possible of an input range to an output range.
    func decompress(
        _ input: [UInt8], _ inputRange: Range<Int>, to output: inout [UInt8], _ outputRange: Range<Int>
    ) -> Step {
        precondition(inputRange.lowerBound >= 0 && inputRange.upperBound <= input.count)
        precondition(outputRange.lowerBound >= 0 && outputRange.upperBound <= output.count)
        var consumed = inputRange.count
        var produced = outputRange.count
        let outcome = input.withUnsafeBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                guard let source = source.baseAddress, let target = target.baseAddress else { return CARCHIVE_MORE }
                return carchive_decode(
                    decoder, source + inputRange.lowerBound, &consumed, target + outputRange.lowerBound, &produced)
            }
        }
        return Step(
            consumed: consumed, produced: produced, isAtEnd: outcome == CARCHIVE_END, fault: fault(outcome))
    }

    private func fault(_ outcome: carchive_outcome) -> ByteFault? {
        switch outcome {
        case CARCHIVE_MORE, CARCHIVE_END: nil
        case CARCHIVE_WINDOW_TOO_LARGE:
            .tooLarge(
                "decompressing it (\(name)) would take more than \(DecompressionLimits.formatted(window)) of memory")
        case CARCHIVE_NO_MEMORY: Decompressor.noMemory(name)
        default: .damaged(format: name, detail: String(cString: carchive_error_message(decoder)))
        }
    }

    private static func noMemory(_ name: String) -> ByteFault {
        .damaged(format: name, detail: "out of memory")
    }
}

/// The checksum of gzip and zip files (CRC-32, as in ISO 3309).
struct Checksum {
    private(set) var value: UInt32 = 0

    /// Adds a range of bytes.
    ///
    /// - Precondition: A ``Decompressor`` for deflate has been created, which loads the library.
    mutating func add(_ bytes: [UInt8], _ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        value = bytes.withUnsafeBufferPointer { pointer in
            guard let base = pointer.baseAddress else { return value }
            return carchive_crc32(value, base + range.lowerBound, range.count)
        }
    }
}
