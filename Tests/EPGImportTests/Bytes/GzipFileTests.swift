import EPGImport
import Testing

@Suite struct GzipFileTests {
    /// What comes out when bytes are written in pieces.
    private func packed(_ bytes: [UInt8], piece: Int, level: Int = 6) throws -> [UInt8] {
        var output: [UInt8] = []
        let file = try GzipFile(level: level) { output += $0 }
        for start in stride(from: 0, to: bytes.count, by: piece) {
            try file.write(bytes[start..<min(start + piece, bytes.count)])
        }
        try file.finish()
        try file.finish()
        return output
    }

    @Test(.enabled(if: Archives.has("gzip"), "gzip is missing"), arguments: [1, 6, 9])
    func gzipReadsWhatIsWritten(level: Int) throws {
        for bytes in [[], [0x3C], Archives.guide(programmes: 5000)] {
            let oracle = try Packer.gzip.unpack(try packed(bytes, piece: 1000, level: level))
            #expect(oracle.status == 0)
            #expect(oracle.output == bytes)
        }
    }

    @Test func whatIsWrittenUnpacksToItself() throws {
        let guide = Archives.guide(programmes: 5000)
        let result = Outpouring(unpacking: try packed(guide, piece: 7777))
        #expect(result.fault == nil && result.bytes == guide)
    }

    @Test func bytesWithoutAPatternPassToo() throws {
        var state: UInt64 = 1
        let noise = (0..<300_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        #expect(Outpouring(unpacking: try packed(noise, piece: 299_999)).bytes == noise)
    }

    /// RFC 1952, section 2.3: no flags, so no name, and a time of zero.
    @Test func neitherANameNorATimeIsInIt() throws {
        let guide = Archives.guide(programmes: 500)
        let first = try packed(guide, piece: 100)
        #expect(first[0..<8] == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
        #expect(try packed(guide, piece: guide.count) == first)
    }

    @Test func whatTheOutputThrowsIsThrown() throws {
        struct Full: Error {}
        let file = try GzipFile { _ in throw Full() }
        #expect(throws: Full.self) {
            try file.write(Archives.guide(programmes: 5000))
            try file.finish()
        }
    }
}
