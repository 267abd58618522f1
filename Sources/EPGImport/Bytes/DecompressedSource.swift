package import XMLTV

/// A source that decompresses a guide if it is compressed with gzip, xz, bzip2, zstd, or in a zip archive.
///
/// It detects the format from the first bytes, never from a name. Bytes that aren't compressed are read directly from
/// the underlying source after the first 4 KiB. From a zip archive, it extracts the first entry that looks like a
/// guide. Nested compression, such as a gzip file in a zip archive, is removed layer by layer.
///
/// It returns all data that it can decompress before it throws an error. ``DecompressionLimits`` bounds the memory.
package struct DecompressedSource: ByteSource {
    private var source: any ByteSource
    private let limits: DecompressionLimits
    private var opened: [CompressionFormat]?

    /// Creates a source that decompresses within limits, without reading anything yet.
    package init(_ base: some ByteSource, limits: DecompressionLimits = DecompressionLimits()) {
        source = base
        self.limits = limits
    }

    /// Returns the compression formats, outermost first; empty for uncompressed bytes. Reads the first bytes.
    package mutating func layers() -> [CompressionFormat] {
        if let opened { return opened }
        var formats: [CompressionFormat] = []
        source = Self.open(source, limits, &formats)
        opened = formats
        return formats
    }

    package mutating func read(
        into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(ByteFault) -> Int {
        if opened == nil { _ = layers() }
        return try source.read(into: &buffer, at: offset, upTo: count)
    }

    /// Returns a source of the decompressed bytes, or, if they can't be decompressed, one that throws the reason.
    private static func open(
        _ base: some ByteSource, _ limits: DecompressionLimits, _ formats: inout [CompressionFormat]
    ) -> any ByteSource {
        var peeked = PeekedSource(base)
        guard let format = format(of: &peeked) else { return peeked }
        let meter = DecompressionMeter(limits)
        return decompress(MeteredSource(peeked, meter: meter), format, limits, meter, &formats)
    }

    private static func decompress(
        _ source: some ByteSource, _ format: CompressionFormat, _ limits: DecompressionLimits,
        _ meter: DecompressionMeter,
        _ formats: inout [CompressionFormat]
    ) -> any ByteSource {
        formats.append(format)
        guard formats.count <= limits.layers else {
            return FailedSource(.tooLarge("it is compressed more than \(limits.layers) times"))
        }
        do throws(ByteFault) {
            guard let method = format.method else {
                return inside(try ZipSource(source, limits: limits, meter: meter), limits, meter, &formats)
            }
            let layer = try CompressedSource(format, method, of: source, limits: limits, meter: meter)
            return inside(layer, limits, meter, &formats)
        } catch {
            return FailedSource(error)
        }
    }

    /// Returns the content of a layer, decompressed further if it is compressed.
    private static func inside(
        _ layer: some ByteSource, _ limits: DecompressionLimits, _ meter: DecompressionMeter,
        _ formats: inout [CompressionFormat]
    ) -> any ByteSource {
        var peeked = PeekedSource(layer)
        guard let format = format(of: &peeked) else { return peeked }
        return decompress(peeked, format, limits, meter, &formats)
    }

    private static func format(of source: inout PeekedSource<some ByteSource>) -> CompressionFormat? {
        do throws(ByteFault) {
            return CompressionFormat(firstBytes: try source.peek())
        } catch {
            // Reading throws it again.
            return nil
        }
    }
}

/// A source that always throws an error.
private struct FailedSource: ByteSource {
    private let fault: ByteFault

    init(_ fault: ByteFault) {
        self.fault = fault
    }

    func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int { throw fault }
}

/// A supported compression format, detected from the first bytes and never from a name.
package enum CompressionFormat: String, CaseIterable, Sendable {
    case gzip, xz, bzip2, zstd, zip

    /// Detects the format from the first bytes. Returns `nil` if it is none of these.
    ///
    /// A skippable frame, with which a zstd file may start, counts as zstd.
    package init?(firstBytes: some Collection<UInt8>) {
        let bytes = Array(firstBytes.prefix(6))
        switch bytes {
        case let bytes where bytes.starts(with: [0x1F, 0x8B]): self = .gzip
        case let bytes where bytes.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]): self = .xz
        // "BZh", then the block size as a digit.
        case let bytes where bytes.count >= 4 && bytes.starts(with: [0x42, 0x5A, 0x68]) && Self.isSize(bytes[3]):
            self = .bzip2
        case let bytes where bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]): self = .zstd
        case let bytes where bytes.count >= 4 && bytes[0] & 0xF0 == 0x50 && bytes[1...3] == [0x2A, 0x4D, 0x18]:
            self = .zstd
        // A local header, or the end of an archive without entries.
        case let bytes where bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]): self = .zip
        case let bytes where bytes.starts(with: [0x50, 0x4B, 0x05, 0x06]): self = .zip
        default: return nil
        }
    }

    /// The decompression method for the file; `nil` for zip, whose entries are compressed one by one.
    var method: Decompressor.Method? {
        switch self {
        case .gzip: .gzip
        case .xz: .xz
        case .bzip2: .bzip2
        case .zstd: .zstd
        case .zip: nil
        }
    }

    private static func isSize(_ byte: UInt8) -> Bool { (0x31...0x39).contains(byte) }
}

/// Limits on compressed guides.
package struct DecompressionLimits: Hashable, Sendable {
    /// The maximum decompressed size of each layer in bytes. The default is 4 GiB.
    package var size = 4 << 30
    /// The maximum ratio of each layer's decompressed size to the compressed file's size, applied above ``freeSize``.
    /// The default is 200.
    package var ratio = 200
    /// The decompressed size in bytes up to which the ratio isn't checked. The default is 16 MiB.
    package var freeSize = 16 << 20
    /// The maximum window or dictionary size in bytes of each xz or zstd layer. The default is 128 MiB.
    ///
    /// This is the limit of zstd itself, and twice what `xz -9` uses. A zstd window is a power of two, so a limit
    /// between two powers counts as the lower one. gzip and bzip2 always need less than 4 MiB.
    package var window = 128 << 20
    /// The maximum number of zip entries to examine for a guide. The default is 1,000.
    package var entries = 1000
    /// The maximum number of nested compression layers. The default is 3.
    package var layers = 3

    /// Creates the default limits.
    package init() {}

    /// Formats a number of bytes, such as "4 GiB", rounded down to a whole number.
    static func formatted(_ bytes: Int) -> String {
        switch bytes {
        case ..<(1 << 20): "\(bytes) bytes"
        case ..<(1 << 30): "\(bytes >> 20) MiB"
        case let bytes where bytes & ((1 << 30) - 1) == 0: "\(bytes >> 30) GiB"
        default: "\(bytes >> 20) MiB"
        }
    }
}

/// A meter that checks that no layer of a compressed file exceeds the limits. All layers of a file share it.
final class DecompressionMeter {
    private let limits: DecompressionLimits
    /// The number of bytes read from the compressed file itself.
    fileprivate(set) var compressedSize = 0

    init(_ limits: DecompressionLimits) {
        self.limits = limits
    }

    /// Checks the total decompressed size of one layer.
    func check(decompressedSize: Int) throws(ByteFault) {
        if decompressedSize > limits.size {
            throw .tooLarge("its decompressed size exceeds \(DecompressionLimits.formatted(limits.size))")
        }
        if decompressedSize > limits.freeSize, decompressedSize / max(1, limits.ratio) > compressedSize {
            throw .tooLarge("it decompresses to more than \(limits.ratio) times its size, like an archive bomb")
        }
    }
}

/// A source that counts its bytes.
private struct MeteredSource<Base: ByteSource>: ByteSource {
    private var base: Base
    private let meter: DecompressionMeter

    init(_ base: Base, meter: DecompressionMeter) {
        self.base = base
        self.meter = meter
    }

    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
        let got = try base.read(into: &buffer, at: offset, upTo: count)
        meter.compressedSize += got
        return got
    }
}

/// A source that decompresses a file in gzip, xz, bzip2, or zstd format.
///
/// Concatenated members, streams, or frames are one text, as with the programs of these names. It ignores the same
/// trailing bytes as they do: for gzip and bzip2, anything that isn't a member; for xz, zero bytes in multiples of
/// four.
private struct CompressedSource: ByteSource {
    private var input: InputBuffer
    private let format: CompressionFormat
    private let decompressor: Decompressor
    private let meter: DecompressionMeter
    private var decompressedSize = 0
    private var place = Place.inside
    private var fault: ByteFault?

    private enum Place { case inside, between, atEnd }

    /// - Throws: `ByteFault` if the library isn't installed.
    init(
        _ format: CompressionFormat, _ method: Decompressor.Method, of source: some ByteSource,
        limits: DecompressionLimits,
        meter: DecompressionMeter
    ) throws(ByteFault) {
        self.format = format
        self.meter = meter
        decompressor = try Decompressor(method, in: format.rawValue, limits: limits)
        input = InputBuffer(source)
    }

    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
        if let fault { throw fault }
        do throws(ByteFault) {
            return try decompress(into: &buffer, offset..<offset + count)
        } catch {
            fault = error
            throw error
        }
    }

    private mutating func decompress(into buffer: inout [UInt8], _ range: Range<Int>) throws(ByteFault) -> Int {
        while true {
            if place == .between { place = try startsAnother() ? .inside : .atEnd }
            if place == .atEnd { return 0 }
            let step = decompressor.decompress(input.bytes, input.range, to: &buffer, range)
            input.drop(step.consumed)
            if step.isAtEnd { place = .between }
            decompressedSize += step.produced
            try meter.check(decompressedSize: decompressedSize)
            if step.produced > 0 {
                fault = step.fault
                return step.produced
            }
            if let fault = step.fault { throw fault }
            if step.isAtEnd { continue }
            if !input.range.isEmpty {
                guard step.consumed > 0 else {
                    throw .damaged(format: format.rawValue, detail: "decompression makes no progress")
                }
            } else if try !input.fill() {
                throw .truncated(format: format.rawValue)
            }
        }
    }

    /// Returns whether another member follows, and prepares the decompressor for it.
    ///
    /// The incomplete start of a member at the very end counts, too: the file is truncated there.
    private mutating func startsAnother() throws(ByteFault) -> Bool {
        switch format {
        case .gzip: guard try follows([0x1F, 0x8B]) else { return false }
        case .bzip2: guard try follows([0x42, 0x5A, 0x68]) else { return false }
        case .xz: guard try followsPadding() else { return false }
        case .zstd: guard try input.fill() else { return false }
        case .zip: return false
        }
        try decompressor.restart()
        return true
    }

    private mutating func follows(_ magic: [UInt8]) throws(ByteFault) -> Bool {
        if try input.fill(atLeast: magic.count) { return input.starts(with: magic) }
        return !input.range.isEmpty && magic.starts(with: input.bytes[input.range])
    }

    /// Returns whether another stream follows, after zero bytes in multiples of four (section 2.2 of the xz file
    /// format).
    private mutating func followsPadding() throws(ByteFault) -> Bool {
        var zeros = 0
        while try input.fill() {
            let run = input.bytes[input.range].prefix { $0 == 0 }.count
            zeros += run
            input.drop(run)
            if !input.range.isEmpty { break }
        }
        guard zeros % 4 == 0 else {
            throw .damaged(
                format: format.rawValue, detail: "the number of zero bytes at the end is not a multiple of four")
        }
        return !input.range.isEmpty
    }
}

/// A buffer of compressed input that holds at most 16 KiB.
struct InputBuffer {
    /// The maximum argument of ``fill(atLeast:)``.
    static let capacity = 16 << 10

    private var source: any ByteSource
    private var hasEnded = false
    /// The buffer. The bytes in ``range`` are available.
    private(set) var bytes = [UInt8](repeating: 0, count: capacity)
    private(set) var range = 0..<0

    init(_ source: any ByteSource) {
        self.source = source
    }

    /// Reads more if the buffer is empty.
    ///
    /// - Returns: Whether bytes are available. `false` means the end of the source.
    mutating func fill() throws(ByteFault) -> Bool {
        if range.isEmpty { try readMore() }
        return !range.isEmpty
    }

    /// Reads until at least `count` contiguous bytes are available, if the source has as many.
    ///
    /// - Returns: Whether they are available.
    mutating func fill(atLeast count: Int) throws(ByteFault) -> Bool {
        while range.count < count, !hasEnded { try readMore() }
        return range.count >= count
    }

    /// Discards bytes at the front.
    mutating func drop(_ count: Int) {
        precondition(count >= 0 && count <= range.count)
        range = range.lowerBound + count..<range.upperBound
    }

    /// Discards bytes at the front, reading more if necessary.
    ///
    /// - Returns: Whether the source had as many.
    mutating func skip(_ count: Int) throws(ByteFault) -> Bool {
        var left = count
        while left > 0 {
            guard try fill() else { return false }
            let taken = min(left, range.count)
            drop(taken)
            left -= taken
        }
        return true
    }

    /// Returns whether the available bytes start with a prefix.
    func starts(with prefix: [UInt8]) -> Bool { bytes[range].starts(with: prefix) }

    /// Returns a little-endian number of two bytes.
    ///
    /// - Precondition: The bytes are available.
    func uint16(at offset: Int) -> Int { Int(number(at: offset, bytes: 2)) }

    /// Returns a little-endian number of four bytes.
    ///
    /// - Precondition: The bytes are available.
    func uint32(at offset: Int) -> UInt32 { UInt32(truncatingIfNeeded: number(at: offset, bytes: 4)) }

    /// Returns a little-endian number of up to eight bytes.
    ///
    /// - Precondition: The bytes are available.
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
