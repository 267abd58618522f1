import EPGImport
import Testing
import XMLTV

@Suite struct DecompressionLimitTests {
    static let ratioFault = ByteFault.tooLarge("it decompresses to more than 200 times its size, like an archive bomb")

    /// Ten gigabytes of zeros, as members of 16 MiB, are rejected early.
    @Test(arguments: Packer.installed)
    func archiveBombIsRejectedEarly(packer: Packer) throws {
        let member = try packer.pack([UInt8](repeating: 0, count: 16 << 20))
        var handedOut = 0
        let endless = ChunkSource {
            handedOut += 1
            return handedOut <= 640 ? member : nil
        }
        var unpacked = 0
        let result = pour(DecompressedSource(endless), count: &unpacked)
        #expect(result == Self.ratioFault)
        // 16 MiB are free, and the compressed bytes are read 64 KiB at a time.
        #expect(unpacked <= 16 << 20 + 200 * (64 << 10) + member.count * 200)
        #expect(handedOut * member.count <= 4 * (64 << 10) + 2 * member.count)
    }

    @Test(.enabled(if: Archives.has("gzip"), "gzip is missing"))
    func ratioLimitAppliesAcrossLayers() throws {
        // Each layer alone is within 200:1, except the inner one: zeros compressed twice.
        let twice = try Archives.pack([UInt8](repeating: 0, count: 64 << 20), "gzip -c | gzip -c")
        var unpacked = 0
        #expect(pour(DecompressedSource(ChunkSource(twice)), count: &unpacked) == Self.ratioFault)
        #expect(unpacked <= 17 << 20)
    }

    @Test(arguments: Packer.installed)
    func decompressedSizeIsLimited(packer: Packer) throws {
        let guide = Archives.guide(programmes: 1000)
        let packed = try packer.pack(guide)
        var limits = DecompressionLimits()
        limits.size = guide.count
        #expect(Outpouring(unpacking: packed, limits: limits).fault == nil)
        limits.size = guide.count - 1
        let fault = Outpouring(unpacking: packed, limits: limits).fault
        #expect(fault == .tooLarge("its decompressed size exceeds \(guide.count - 1) bytes"))
    }

    @Test func defaultLimitsMatchDesign() {
        let limits = DecompressionLimits()
        #expect(limits.size == 4 * 1024 * 1024 * 1024 && limits.ratio == 200 && limits.freeSize == 16 * 1024 * 1024)
        #expect(limits.window == 128 * 1024 * 1024 && limits.entries == 1000 && limits.layers == 3)
    }

    @Test(.enabled(if: Archives.has("gzip"), "gzip is missing"))
    func smallFileMayExceedRatio() throws {
        let zeros = [UInt8](repeating: 0x20, count: 16 << 20)
        var unpacked = 0
        #expect(pour(DecompressedSource(ChunkSource(try Packer.gzip.pack(zeros))), count: &unpacked) == nil)
        #expect(unpacked == 16 << 20)
    }

    /// A frame header by RFC 8878: magic, no flags, a window of 2 to the power of 10 + exponent, and one raw block.
    @Test(arguments: [(exponent: UInt8(17), isTaken: true), (18, false), (21, false), (31, false)])
    func zstdWindowAbove128MiBIsRejected(exponent: UInt8, isTaken: Bool) {
        let block: [UInt8] = [4 << 3 | 1, 0, 0] + Array("<tv>".utf8)
        let result = Outpouring(unpacking: [0x28, 0xB5, 0x2F, 0xFD, 0, exponent << 3] + block)
        if isTaken {
            #expect(result.fault == nil && result.bytes == Array("<tv>".utf8))
        } else {
            #expect(result.fault == .tooLarge("decompressing it (zstd) would take more than 128 MiB of memory"))
        }
    }

    /// The dictionary size is in the block header (section 5.3.1 of the xz file format): 26 is 32 MiB, 30 is 128 MiB,
    /// 40 is 4 GiB.
    @Test(.enabled(if: Archives.has("xz"), "xz is missing"), arguments: [26, 30, 31, 38, 40] as [UInt8])
    func xzDictionaryAbove128MiBIsRejected(size: UInt8) throws {
        let guide = Archives.guide(programmes: 10)
        var packed = try Packer.xz.pack(guide)
        // 12 bytes of stream header; then length / 4 - 1, flags, filter 0x21, one byte of properties, that byte.
        let length = (Int(packed[12]) + 1) * 4
        try #require(packed[14] == 0x21 && packed[15] == 1)
        packed[16] = size
        let checksum = crc32(packed[12..<12 + length - 4])
        for place in 0..<4 { packed[12 + length - 4 + place] = UInt8(truncatingIfNeeded: checksum >> (8 * place)) }
        let result = Outpouring(unpacking: packed)
        if size <= 30 {
            #expect(result.fault == nil && result.bytes == guide)
        } else {
            #expect(result.fault == .tooLarge("decompressing it (xz) would take more than 128 MiB of memory"))
        }
    }

    @Test func zipEntriesBeyondLimitAreNotExamined() {
        // A stored file "a" with the single byte "x", whose CRC-32 is 8cdc1683.
        let entry: [UInt8] =
            [0x50, 0x4B, 3, 4, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x83, 0x16, 0xDC, 0x8C] + [
                1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
            ]
            + Array("ax".utf8)
        #expect(crc32(Array("x".utf8)[...]) == 0x8CDC_1683)
        var handedOut = 0
        let source = ChunkSource {
            handedOut += 1
            return handedOut <= 100_000 ? entry : nil
        }
        let result = Outpouring(DecompressedSource(source))
        #expect(result.fault == .tooLarge("the first 1000 entries of this zip archive have no guide"))
        #expect(handedOut < 4000)
    }

    @Test(.enabled(if: Archives.has("zip"), "zip is missing"))
    func fourthNestedZipLayerIsRejected() throws {
        var packed = Archives.guide(programmes: 10)
        for _ in 0..<4 { packed = try Archives.pack(packed, "zip -q - guide.xml") }
        #expect(Outpouring(unpacking: packed).fault == .tooLarge("it is compressed more than 3 times"))
    }

    /// Reads to the end without keeping anything.
    private func pour(_ source: some ByteSource, count: inout Int) -> ByteFault? {
        var source = source
        var room = [UInt8](repeating: 0, count: 1 << 20)
        do throws(ByteFault) {
            while true {
                let got = try source.read(into: &room, at: 0, upTo: room.count)
                if got == 0 { return nil }
                count += got
            }
        } catch {
            return error
        }
    }

    /// CRC-32 bit by bit, as ISO 3309 defines it.
    private func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(~0 as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }
}
