import EPGImport
import TestSupport
import Testing
import XMLTV

@Suite struct DecompressionLimitTests {
    static let ratioFault = ByteFault.tooLarge("it decompresses to more than 200 times its size, like an archive bomb")

    /// Ten gigabytes of zeros, as members of 16 MiB, are rejected early.
    @Test(.needs(.compressors), arguments: Compressor.allCases)
    func archiveBombIsRejectedEarly(compressor: Compressor) throws {
        let member = try compressor.compress([UInt8](repeating: 0, count: 16 << 20))
        var servedCount = 0
        let endless = ChunkSource {
            servedCount += 1
            return servedCount <= 640 ? member : nil
        }
        var decompressedCount = 0
        let result = readToEnd(DecompressedSource(endless), count: &decompressedCount)
        expectEqual(result, Self.ratioFault)
        // The first 16 MiB may exceed the ratio, and the source reads 64 KiB of compressed bytes at a time.
        #expect(decompressedCount <= 16 << 20 + 200 * (64 << 10) + member.count * 200)
        #expect(servedCount * member.count <= 4 * (64 << 10) + 2 * member.count)
    }

    @Test(.needs(.programs("gzip")))
    func ratioLimitAppliesAcrossLayers() throws {
        // These are zeros compressed twice. Only the inner layer exceeds 200:1.
        let twice = try Archives.compress([UInt8](repeating: 0, count: 64 << 20), "gzip -c | gzip -c")
        var decompressedCount = 0
        expectEqual(readToEnd(DecompressedSource(ChunkSource(twice)), count: &decompressedCount), Self.ratioFault)
        #expect(decompressedCount <= 17 << 20)
    }

    @Test(.needs(.compressors), arguments: Compressor.allCases)
    func decompressedSizeIsLimited(compressor: Compressor) throws {
        let guide = Archives.guide(programmes: 1000)
        let compressed = try compressor.compress(guide)
        var limits = DecompressionLimits()
        limits.size = guide.count
        expectEqual(ReadResult(decompressing: compressed, limits: limits).fault, nil)
        limits.size = guide.count - 1
        let fault = ReadResult(decompressing: compressed, limits: limits).fault
        expectEqual(fault, .tooLarge("its decompressed size exceeds \(guide.count - 1) bytes"))
    }

    @Test func defaultLimitsMatchDocumentation() {
        let limits = DecompressionLimits()
        expectEqual(limits.size, 4 * 1024 * 1024 * 1024)
        expectEqual(limits.ratio, 200)
        expectEqual(limits.freeSize, 16 * 1024 * 1024)
        expectEqual(limits.window, 128 * 1024 * 1024)
        expectEqual(limits.entries, 1000)
        expectEqual(limits.layers, 3)
    }

    @Test(.needs(.programs("gzip")))
    func ratioLimitIgnoresSmallFiles() throws {
        let zeros = [UInt8](repeating: 0x20, count: 16 << 20)
        var decompressedCount = 0
        let source = DecompressedSource(ChunkSource(try Compressor.gzip.compress(zeros)))
        expectEqual(readToEnd(source, count: &decompressedCount), nil)
        expectEqual(decompressedCount, 16 << 20)
    }

    /// A frame header by RFC 8878: magic, no flags, a window of 2 to the power of 10 + exponent, and one raw block.
    @Test(arguments: [(exponent: UInt8(17), isAccepted: true), (18, false), (21, false), (31, false)])
    func zstdWindowAbove128MiBIsRejected(exponent: UInt8, isAccepted: Bool) {
        let block: [UInt8] = [4 << 3 | 1, 0, 0] + Array("<tv>".utf8)
        let result = ReadResult(decompressing: [0x28, 0xB5, 0x2F, 0xFD, 0, exponent << 3] + block)
        if isAccepted {
            expectEqual(result.fault, nil)
            expectEqual(result.bytes, Array("<tv>".utf8))
        } else {
            expectEqual(result.fault, .tooLarge("decompressing it (zstd) would take more than 128 MiB of memory"))
        }
    }

    /// The dictionary size is in the block header (section 5.3.1 of the xz file format): 26 is 32 MiB, 30 is 128 MiB,
    /// 40 is 4 GiB.
    @Test(.needs(.programs("xz")), arguments: [26, 30, 31, 38, 40] as [UInt8])
    func xzDictionaryAbove128MiBIsRejected(size: UInt8) throws {
        let guide = Archives.guide(programmes: 10)
        var compressed = try Compressor.xz.compress(guide)
        // 12 bytes of stream header; then length / 4 - 1, flags, filter 0x21, one byte of properties, that byte.
        let length = (Int(compressed[12]) + 1) * 4
        try #require(compressed[14] == 0x21 && compressed[15] == 1)
        compressed[16] = size
        let checksum = crc32(compressed[12..<12 + length - 4])
        for index in 0..<4 { compressed[12 + length - 4 + index] = UInt8(truncatingIfNeeded: checksum >> (8 * index)) }
        let result = ReadResult(decompressing: compressed)
        if size <= 30 {
            expectEqual(result.fault, nil)
            expectEqual(result.bytes, guide)
        } else {
            expectEqual(result.fault, .tooLarge("decompressing it (xz) would take more than 128 MiB of memory"))
        }
    }

    @Test func zipEntriesBeyondLimitAreNotExamined() {
        // A stored file "a" with the single byte "x", whose CRC-32 is 8cdc1683.
        let entry: [UInt8] =
            [0x50, 0x4B, 3, 4, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x83, 0x16, 0xDC, 0x8C] + [
                1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
            ]
            + Array("ax".utf8)
        expectEqual(crc32(Array("x".utf8)[...]), 0x8CDC_1683)
        var servedCount = 0
        let source = ChunkSource {
            servedCount += 1
            return servedCount <= 100_000 ? entry : nil
        }
        let result = ReadResult(DecompressedSource(source))
        expectEqual(result.fault, .tooLarge("the first 1000 entries of this zip archive have no guide"))
        #expect(servedCount < 4000)
    }

    @Test(.needs(.programs("zip")))
    func fourthNestedZipLayerIsRejected() throws {
        var compressed = Archives.guide(programmes: 10)
        for _ in 0..<4 { compressed = try Archives.compress(compressed, "zip -q - guide.xml") }
        expectEqual(ReadResult(decompressing: compressed).fault, .tooLarge("it is compressed more than 3 times"))
    }

    /// Reads a source to its end and discards the bytes.
    private func readToEnd(_ source: some ByteSource, count: inout Int) -> ByteFault? {
        var source = source
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        do throws(ByteFault) {
            while true {
                let got = try source.read(into: &buffer, at: 0, upTo: buffer.count)
                if got == 0 { return nil }
                count += got
            }
        } catch {
            return error
        }
    }

    /// CRC-32 bit by bit, as ISO 3309 defines it.
    private func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum: UInt32 = ~0
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = sum & 1 == 1
                sum >>= 1
                if isOdd { sum ^= 0xEDB8_8320 }
            }
        }
        return ~sum
    }
}
