import CArchive

// This is the only unsafe code of the module. It passes complete arrays with their lengths to the C library.

/// Decompresses a zlib stream (RFC 1950) in parts. Does not verify the checksum, because PNG has its own.
@safe final class ZlibReader {
    private let decoder: OpaquePointer
    private let input: [UInt8]
    private var offset = 2

    init(_ input: [UInt8]) throws(PictureError) {
        guard input.count > 2 else { throw .truncated }
        guard input[0] & 0x0F == 8, (Int(input[0]) << 8 | Int(input[1])) % 31 == 0, input[1] & 0x20 == 0 else {
            throw .damaged("the header of the compressed data")
        }
        guard let decoder = unsafe carchive_decoder_new(CARCHIVE_DEFLATE, 1 << 15) else {
            preconditionFailure("out of memory")
        }
        unsafe self.decoder = decoder
        self.input = input
    }

    deinit {
        unsafe carchive_decoder_free(decoder)
    }

    /// Fills an array completely.
    func read(into output: inout [UInt8]) throws(PictureError) {
        var filled = 0
        while filled < output.count {
            let (offset, start) = (offset, filled)
            var (consumed, produced) = (input.count - offset, output.count - start)
            let outcome = unsafe input.withUnsafeBufferPointer { source in
                unsafe output.withUnsafeMutableBufferPointer { target in
                    guard let source = source.baseAddress, let target = target.baseAddress else {
                        return CARCHIVE_DAMAGED
                    }
                    return unsafe carchive_decode(decoder, source + offset, &consumed, target + start, &produced)
                }
            }
            self.offset += consumed
            filled += produced
            guard outcome == CARCHIVE_MORE || outcome == CARCHIVE_END else { throw .damaged("the compressed data") }
            if filled < output.count, outcome == CARCHIVE_END || produced == 0 && consumed == 0 { throw .truncated }
        }
    }
}

/// The checksum of a PNG chunk.
///
/// - Precondition: The range is within the bytes.
func crc32(_ bytes: [UInt8], _ range: Range<Int>) -> UInt32 {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    return unsafe bytes.withUnsafeBufferPointer { pointer in
        guard let base = pointer.baseAddress else { return 0 }
        return unsafe carchive_crc32(0, base + range.lowerBound, range.count)
    }
}
