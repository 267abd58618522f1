import CArchive
import NIOCore

/// Packing of answers (RFC 1952).
enum Gzip {
    /// Below this many bytes packing gains less than a packet.
    static let leastCount = 1000

    /// The packed bytes, or `nil` where that gains nothing or zlib isn't there.
    static func packed(_ bytes: ByteBuffer, level: Int32 = 6) -> ByteBuffer? {
        let count = bytes.readableBytes
        guard count >= leastCount, carchive_load(CARCHIVE_GZIP) == nil, let encoder = carchive_encoder_new(level) else {
            return nil
        }
        defer { carchive_encoder_free(encoder) }
        // The room for what is kept as it is: five bytes for each 16 KiB, and the header and trailer.
        let room = count + count / 3000 + 64
        var packed = ByteBufferAllocator().buffer(capacity: room)
        let outcome = packed.withUnsafeMutableWritableBytes { output in
            bytes.withUnsafeReadableBytes { input -> Int? in
                var inputCount = input.count
                var outputCount = output.count
                let outcome = carchive_encode(
                    encoder, input.bindMemory(to: UInt8.self).baseAddress, &inputCount,
                    output.bindMemory(to: UInt8.self).baseAddress, &outputCount, 1)
                return outcome == CARCHIVE_END ? outputCount : nil
            }
        }
        guard let outcome, outcome < count else { return nil }
        packed.moveWriterIndex(forwardBy: outcome)
        return packed
    }
}
