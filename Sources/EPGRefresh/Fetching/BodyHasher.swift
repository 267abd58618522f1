package import EPGModel

/// Hashes a body that arrives in pieces, however it is cut.
///
/// The scheme: the bytes are taken in chunks of 1 MiB, the last one shorter. The first chunk is hashed by
/// ``ContentHasher`` with a fixed key, and each hash is the key of the next chunk. The result is the hash of the number
/// of bytes (8 bytes, the lowest first), with the last chunk's hash as key.
///
/// The key is known, so a server could make two bodies of one hash on purpose. All that it gets is that its second body
/// isn't imported: the hash only says "the same bytes as last time".
package struct BodyHasher: Sendable {
    /// Bytes of a chunk.
    package static let chunkByteCount = 1 << 20

    /// The first 32 hexadecimal digits after the point of π.
    package static let key = ContentHash(high: 0x243F_6A88_85A3_08D3, low: 0x1319_8A2E_0370_7344)

    private var hash = BodyHasher.key
    private var chunk: [UInt8] = []
    /// The bytes so far.
    package private(set) var byteCount: Int64 = 0

    package init() {}

    /// Takes the next bytes.
    ///
    /// - Complexity: O(n); keeps at most one chunk.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset < bytes.count {
            let count = min(BodyHasher.chunkByteCount - chunk.count, bytes.count - offset)
            chunk.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
            offset += count
            if chunk.count == BodyHasher.chunkByteCount { closeChunk() }
        }
        byteCount += Int64(bytes.count)
    }

    /// The hash of all bytes: 32 hexadecimal digits.
    package consuming func finish() -> String {
        if !chunk.isEmpty { closeChunk() }
        let count = UInt64(byteCount)
        let countBytes = (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
        return ContentHasher(key: hash).hash(countBytes.span).hexadecimal
    }

    private mutating func closeChunk() {
        hash = ContentHasher(key: hash).hash(chunk.span)
        chunk.removeAll(keepingCapacity: true)
    }
}

extension ContentHash {
    /// 32 hexadecimal digits, the high half first.
    var hexadecimal: String {
        [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
