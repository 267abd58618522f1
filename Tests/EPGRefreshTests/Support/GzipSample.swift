/// Compressed bodies, created with Python's `gzip.compress(…, mtime=0)`.
enum GzipSample {
    static let guideText = "<tv></tv>\n"

    static let guide: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 179, 41, 41, 179, 179, 209, 7, 18, 92, 0, 72, 112, 113, 139, 10, 0, 0, 0,
    ]

    /// The compressed guide, compressed again.
    static let doubleGuide: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 147, 239, 230, 96, 0, 1, 38, 230, 205, 154, 154, 155, 55, 95, 100, 23, 138, 97,
        240, 40, 40, 236, 230, 2, 138, 1, 0, 184, 237, 97, 30, 28, 0, 0, 0,
    ]

    /// 100,000 bytes of zero.
    static let hundredThousandZeros: [UInt8] =
        [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 49, 1, 0, 0, 0, 194, 160, 245, 79, 109, 13, 15, 160]
        + Array(repeating: 0, count: 96)
        + [128, 87, 3, 125, 149, 17, 212, 160, 134, 1, 0]
}

/// Encodes bytes as gzip (RFC 1952) with stored blocks (RFC 1951, 3.2.4).
enum GzipStore {
    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var encoded: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        let starts = Array(stride(from: 0, to: max(bytes.count, 1), by: 65_535))
        for start in starts {
            let chunk = bytes[min(start, bytes.count)..<min(start + 65_535, bytes.count)]
            let count = UInt16(chunk.count)
            encoded.append(start == starts.last ? 1 : 0)
            encoded += littleEndianBytes(UInt32(count) | UInt32(~count) << 16) + chunk
        }
        return encoded + littleEndianBytes(crc(bytes)) + littleEndianBytes(UInt32(bytes.count))
    }

    private static func littleEndianBytes(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = .max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
