import EPGImport
import XMLTV

/// Decompresses the input within small limits, in pieces whose size the last byte determines.
func fuzzInflate(_ bytes: [UInt8]) {
    var limits = DecompressionLimits()
    limits.size = 4 << 20
    limits.freeSize = 1 << 20
    limits.window = 1 << 20
    limits.entries = 50

    let piece = Int(bytes.last ?? 0) % 97 * 31 + 1
    var rest = bytes[...]
    let chunks = ChunkSource {
        defer { rest = rest.dropFirst(piece) }
        return rest.isEmpty ? nil : Array(rest.prefix(piece))
    }
    var source = DecompressedSource(chunks, limits: limits)
    var room = [UInt8](repeating: 0, count: 4096)
    var decompressed = 0
    do throws(ByteFault) {
        while true {
            let got = try source.read(into: &room, at: 0, upTo: room.count)
            precondition(got >= 0 && got <= room.count, "the read exceeded the buffer")
            if got == 0 { break }
            decompressed += got
        }
    } catch {
        precondition(!error.description.isEmpty)
    }
    precondition(decompressed <= limits.size || decompressed == bytes.count, "the output exceeded the limit")
    _ = GuideFormat(firstBytes: bytes)
}

#if FUZZING
    @_cdecl("LLVMFuzzerTestOneInput")
    public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        fuzzInflate(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
#endif
