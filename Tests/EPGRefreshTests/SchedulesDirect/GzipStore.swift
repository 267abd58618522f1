/// Packs bytes by gzip (RFC 1952) without making them fewer: in stored blocks (RFC 1951, 3.2.4).
enum GzipStore {
    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        let starts = Array(stride(from: 0, to: max(bytes.count, 1), by: 65_535))
        for start in starts {
            let chunk = bytes[min(start, bytes.count)..<min(start + 65_535, bytes.count)]
            let count = UInt16(chunk.count)
            packed.append(start == starts.last ? 1 : 0)
            packed += little(UInt32(count) | UInt32(~count) << 16) + chunk
        }
        return packed + little(crc(bytes)) + little(UInt32(bytes.count))
    }

    private static func little(_ value: UInt32) -> [UInt8] {
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
