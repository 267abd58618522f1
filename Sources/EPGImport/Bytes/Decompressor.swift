import CArchive
import XMLTV

// The only unsafe code of this folder: every pointer is in this file. Each function checks its ranges against the
// arrays, and the C library is told their lengths.

/// One of the compression libraries, at work on one member, stream or frame after the other.
final class Decompressor {
    /// What it unpacks; `deflate` is bare, as in zip files.
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

        /// The Debian package of its library.
        fileprivate var package: String {
            switch self {
            case .gzip, .deflate: "zlib1g"
            case .xz: "liblzma5"
            case .bzip2: "libbz2-1.0"
            case .zstd: "libzstd1"
            }
        }
    }

    /// How far a step came.
    struct Step {
        var consumed: Int
        var produced: Int
        /// Whether the member is at its end, with the right checksum.
        var isAtEnd: Bool
        /// Why it can't go on; what was produced before is good as far as can be told without the checksum.
        var fault: ByteFault?
    }

    private let decoder: OpaquePointer
    private let window: Int
    /// The format in messages.
    private let name: String

    /// - Throws: `ByteFault` where the library isn't installed.
    init(_ method: Method, in name: String, limits: UnpackingLimits) throws(ByteFault) {
        let format = method.format
        guard carchive_load(format) == nil else {
            let library = String(cString: carchive_library(format))
            throw .damaged(format: name, detail: "unpacking needs \(library) (Debian: \(method.package))")
        }
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

    /// Gets ready for the next member.
    func restart() throws(ByteFault) {
        guard carchive_decoder_restart(decoder) != 0 else { throw Decompressor.noMemory(name) }
    }

    /// Unpacks from a range of the input to a range of the output, as far as it goes.
    func unpack(
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
            .tooLarge("unpacking it (\(name)) would take more than \(UnpackingLimits.words(window)) of memory")
        case CARCHIVE_NO_MEMORY: Decompressor.noMemory(name)
        default: .damaged(format: name, detail: String(cString: carchive_words(decoder)))
        }
    }

    private static func noMemory(_ name: String) -> ByteFault {
        .damaged(format: name, detail: "there is no memory left to unpack it")
    }
}

/// The checksum of gzip and zip (CRC-32, as in ISO 3309).
struct Checksum {
    private(set) var value: UInt32 = 0

    /// Adds a range of bytes.
    ///
    /// - Precondition: A ``Decompressor`` of deflate was made, which loads the library.
    mutating func add(_ bytes: [UInt8], _ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        value = bytes.withUnsafeBufferPointer { pointer in
            guard let base = pointer.baseAddress else { return value }
            return carchive_crc32(value, base + range.lowerBound, range.count)
        }
    }
}

/// zlib packing one gzip member.
final class Compressor {
    private let encoder: OpaquePointer

    /// - Throws: ``PackingError`` where the library isn't installed.
    init(level: Int) throws(PackingError) {
        guard carchive_load(CARCHIVE_GZIP) == nil else { throw PackingError.noLibrary }
        guard let encoder = carchive_encoder_new(Int32(min(max(level, 1), 9))) else { throw PackingError.noMemory }
        self.encoder = encoder
    }

    deinit {
        carchive_encoder_free(encoder)
    }

    /// Packs from a range of the input to the whole output, as far as it goes.
    ///
    /// - Returns: How much was taken and made, and whether that was the last of it.
    func pack(
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

extension GzipFile {
    /// Whether zlib is installed.
    package static var isAvailable: Bool { carchive_load(CARCHIVE_GZIP) == nil }

    /// Packs bytes as a whole file into a buffer.
    ///
    /// - Parameter level: As for ``init(level:to:)``.
    /// - Returns: The number of bytes of the file; `nil` if the buffer has no room for it, or zlib is missing.
    package static func pack(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, level: Int = 6
    ) -> Int? {
        guard isAvailable, let encoder = carchive_encoder_new(Int32(min(max(level, 1), 9))) else { return nil }
        defer { carchive_encoder_free(encoder) }
        var (inputCount, outputCount) = (input.count, output.count)
        let outcome = carchive_encode(
            encoder, input.bindMemory(to: UInt8.self).baseAddress, &inputCount,
            output.bindMemory(to: UInt8.self).baseAddress, &outputCount, 1)
        return outcome == CARCHIVE_END ? outputCount : nil
    }
}
