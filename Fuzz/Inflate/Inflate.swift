import EPGImport
import XMLTV

/// Unpacks whatever comes, within small limits, in pieces of a size that the last byte says.
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
    var unpacked = 0
    do throws(ByteFault) {
        while true {
            let got = try source.read(into: &room, at: 0, upTo: room.count)
            precondition(got >= 0 && got <= room.count, "more bytes came than there was room for")
            if got == 0 { break }
            unpacked += got
        }
    } catch {
        precondition(!error.words.isEmpty)
    }
    precondition(unpacked <= limits.size || unpacked == bytes.count, "the limit didn't hold")
    _ = GuideFormat(firstBytes: bytes)
}

#if FUZZING
    @_cdecl("LLVMFuzzerTestOneInput")
    public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        fuzzInflate(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
#endif
