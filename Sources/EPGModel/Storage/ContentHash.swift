/// The identity of content: a hash of its bytes with the key of the database.
///
/// The probability of a collision among n programmes is about n²/2¹²⁹. Each database has a random key, so that feeds cannot
/// provoke collisions.
public struct ContentHash: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    /// The approximate size of an entry in a dictionary from hashes to numbers.
    package static let bytesPerEntry = 2 * (MemoryLayout<ContentHash>.stride + MemoryLayout<Int64>.stride)

    /// Creates a hash from its two halves of 64 bits.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Both halves in base 36, such as `2k9x7c1p0m3q4-1y2p0ij32e8e7`.
    package var base36: String { "\(String(high, radix: 36))-\(String(low, radix: 36))" }

    /// Adds two numbers to content with a hash of the fixed key.
    package mutating func add(_ first: Int64, _ second: Int64) {
        let nothing: [UInt8] = []
        self = ContentHasher.fixed.hash(
            nothing.span,
            after: ContentHash(high: high ^ UInt64(bitPattern: first), low: low ^ UInt64(bitPattern: second)))
    }

    /// Combines half of the hash, which suffices for hash tables.
    public func hash(into hasher: inout Hasher) { hasher.combine(low) }
}

/// A keyed hash function that uses two lanes of 64 × 64 → 128-bit multiplications, as in wyhash.
package struct ContentHasher: Sendable {
    /// A hasher with a fixed key, so that all machines compute the same hashes.
    package static let fixed = ContentHasher(
        key: ContentHash(high: 0x9E37_79B9_7F4A_7C15, low: 0xC2B2_AE3D_27D4_EB4F))

    private let key: ContentHash

    /// - Parameter key: A random or arbitrary key. With a key of zeros, zeros in the data would cancel the preceding data.
    package init(key: ContentHash) {
        self.key = key
    }

    /// Returns the hash of bytes.
    ///
    /// - Parameter seed: The hash of preceding bytes.
    /// - Complexity: O(n), about four bytes per cycle.
    package func hash(_ bytes: Span<UInt8>, after seed: ContentHash = ContentHash(high: 0, low: 0)) -> ContentHash {
        let count = bytes.count
        var first = key.high ^ seed.high ^ 0xA076_1D64_78BD_642F
        var second = key.low ^ seed.low ^ 0xE703_7ED1_A0B4_28DB
        let raw = unsafe bytes.bytes
        var offset = 0
        while offset &+ 16 <= count {
            // The loop condition keeps the loads within the span, and every bit pattern is a valid UInt64.
            let left = unsafe raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let right = unsafe raw.unsafeLoadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
            first = Self.fold(left ^ 0x8EBC_6AF0_9C88_C6E3 ^ first, right ^ key.low)
            second = Self.fold(right ^ 0x5899_65CC_7537_4CC3 ^ second, left ^ key.high)
            offset &+= 16
        }
        let (left, right) = Self.tail(bytes, from: offset)
        first = Self.fold(left ^ first ^ 0x1D8E_4E27_C47D_124F, right ^ UInt64(count) ^ key.low)
        second = Self.fold(right ^ second ^ 0xEB44_ACCA_B455_D165, left ^ UInt64(count) ^ key.high)
        return ContentHash(
            high: Self.fold(first ^ 0xA076_1D64_78BD_642F, second ^ key.high),
            low: Self.fold(second ^ 0xE703_7ED1_A0B4_28DB, first ^ key.low))
    }

    /// Returns the hash of a programme: of its JSON document, and of the texts in columns.
    ///
    /// - Parameters:
    ///   - texts: Title, subtitle and description, concatenated.
    ///   - title: The number of bytes of the title; `nil` for none.
    ///   - subtitle: The number of bytes of the subtitle; `nil` for none.
    ///   - description: The number of bytes of the description; `nil` for none.
    package func programme(
        _ document: Span<UInt8>, texts: Span<UInt8>, title: Int?, subtitle: Int?, description: Int?
    ) -> ContentHash {
        func word(_ count: Int?) -> UInt64 { UInt64(truncatingIfNeeded: (count ?? -1) &+ 1) }
        // Lengths distinguish texts that are split differently. The odd factors keep them from canceling each other.
        let counts =
            word(title) &* 0x9E37_79B9_7F4A_7C15 ^ word(subtitle) &* 0xC2B2_AE3D_27D4_EB4F
            ^ word(description) &* 0x1656_67B1_9E37_79F9
        return hash(document, after: hash(texts, after: ContentHash(high: counts, low: 0)))
    }

    /// Returns the last bytes, fewer than 16, as a little-endian number.
    private static func tail(_ bytes: Span<UInt8>, from offset: Int) -> (UInt64, UInt64) {
        let count = bytes.count &- offset
        guard bytes.count >= 8 else {
            var word: UInt64 = 0
            for index in offset..<bytes.count { word |= UInt64(bytes[index]) << (UInt64(index &- offset) &* 8) }
            return (word, 0)
        }
        // Within the span as above. Shifts remove the bytes before the offset from the last eight.
        let raw = unsafe bytes.bytes
        let last = unsafe raw.unsafeLoadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
        guard count >= 8 else { return (last >> (64 &- count &* 8), 0) }
        let first = unsafe raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return (first, last >> (128 &- count &* 8))
    }

    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

extension ContentHash {
    /// Creates a hash from a blob of 16 bytes, high word first; `nil` for other blobs.
    package init?(blob: [UInt8]) {
        guard blob.count == 16 else { return nil }
        func word(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(blob.prefix(8)), low: word(blob.suffix(8)))
    }

    /// The bytes of the blob.
    package var blob: [UInt8] { unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { unsafe Array($0) } }
}
