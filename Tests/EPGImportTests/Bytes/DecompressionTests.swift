import EPGImport
import Foundation
import TestSupport
import Testing
import XMLTV

@Suite struct DecompressionTests {
    static let guide = Archives.guide(programmes: 3000)

    /// One or several members, which are one text, or an empty text.
    @Test(.needs(.compressors), arguments: Compressor.allCases)
    func compressedMembersAreOneText(compressor: Compressor) throws {
        let halves = [Array(Self.guide[..<100_000]), [], Array(Self.guide[100_000...])]
        for members in [[Self.guide], halves, [[]]] {
            let compressed = try members.flatMap { try compressor.compress($0) }
            var source = DecompressedSource(ChunkSource(compressed))
            expectEqual(source.layers().map(\.rawValue), [compressor.rawValue])
            let result = ReadResult(source)
            expectEqual(result.fault, nil, "\(members.count) members")
            expectEqual(result.bytes, Array(members.joined()), "\(members.count) members")
        }
    }

    @Test(.needs(.compressors), arguments: Compressor.allCases)
    func byteByByteReadingGivesSameResult(compressor: Compressor) throws {
        let guide = Archives.guide(programmes: 20)
        var rest = try compressor.compress(guide)[...]
        let source = DecompressedSource(ChunkSource { rest.isEmpty ? nil : [rest.removeFirst()] })
        let result = ReadResult(source, piece: 1)
        expectEqual(result.fault, nil)
        expectEqual(result.bytes, guide)
    }

    /// Bytes after the last member have the same result as in the program itself.
    @Test(
        arguments: Compressor.allCases,
        ["rubbish", "\0\0\0\0", "\0\0\0", "\0\0\0\0\0\0\0\0rubbish", "B", "(", "\u{1}"])
    func trailingBytesAreHandledAsByTheProgram(compressor: Compressor, rest: String) throws {
        let guide = Archives.guide(programmes: 20)
        let compressed = try compressor.compress(guide) + Array(rest.utf8)
        // gzip exits with 2 for a warning, and bzip2 with 0. gzip treats any single byte as a truncated member. The
        // source does so only for the first byte of a member.
        let status = try compressor.decompress(compressed).status
        let isAccepted = status == 0 || compressor == .gzip && (status == 2 || rest.utf8.count == 1)
        let result = ReadResult(decompressing: compressed)
        expectEqual(result.bytes, guide)
        // The start of "BZh" may be the start of a truncated member.
        if compressor == .bzip2, rest == "B" { return }
        let fault = String(describing: result.fault)
        expectEqual(result.fault == nil, isAccepted, "\(compressor) exits with \(status), the source with \(fault)")
    }

    @Test(.needs(.programs("gzip", "zip")))
    func nestedLayersAreDecompressed() throws {
        let twice = try Archives.compress(Self.guide, "gzip -c | gzip -c")
        expectEqual(ReadResult(decompressing: twice).bytes, Self.guide)
        let inZip = try Archives.compress(Self.guide, "gzip guide.xml && zip -q a.zip guide.xml.gz && cat a.zip")
        var source = DecompressedSource(ChunkSource(inZip))
        expectEqual(source.layers(), [.zip, .gzip])
        let result = ReadResult(source)
        expectEqual(result.fault, nil)
        expectEqual(result.bytes, Self.guide)
    }

    @Test(.needs(.programs("gzip")))
    func threeLayersAreAcceptedAndFourRejected() throws {
        let three = try Archives.compress(Self.guide, "gzip -c | gzip -c | gzip -c")
        expectEqual(ReadResult(decompressing: three).bytes, Self.guide)
        let result = ReadResult(decompressing: try Archives.compress(three, "gzip -c"))
        expectEmpty(result.bytes)
        expectEqual(result.fault, .tooLarge("it is compressed more than 3 times"))
    }

    @Test(.needs(.programs("gzip")))
    func fileNameIsIgnored() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)-guide.xml")
        defer {
            do { try FileManager.default.removeItem(at: file) } catch { Issue.record(error) }
        }
        try Data(try Compressor.gzip.compress(Self.guide)).write(to: file)
        expectEqual(ReadResult(DecompressedSource(try FileSource(path: file.path))).bytes, Self.guide)
        try Data(Self.guide).write(to: file)
        expectEqual(ReadResult(DecompressedSource(try FileSource(path: file.path))).bytes, Self.guide)
    }

    /// gzip is the oracle. Large guides are only read for a release.
    @Test(.needs(.sharedData(), .programs("gzip")))
    func realCompressedGuidesMatchGzipProgram() throws {
        let files = FileManager.default.enumerator(
            at: PackageFiles.sharedData, includingPropertiesForKeys: [.fileSizeKey])
        var count = 0
        for case let file as URL in try #require(files) where file.pathExtension == "gz" {
            let size = try #require(try file.resourceValues(forKeys: [.fileSizeKey]).fileSize)
            guard size * 8 < RealGuide.limit || RealGuide.limit == .max else { continue }
            let oracle = try Compressor.gzip.decompress(Array(try Data(contentsOf: file)))
            let result = ReadResult(DecompressedSource(try FileSource(path: file.path)), piece: 1 << 17)
            expectEqual(result.bytes, oracle.output, "\(file.lastPathComponent)")
            expectEqual(result.fault == nil, oracle.status == 0, "\(file.lastPathComponent)")
            count += 1
        }
        #expect(count > 0)
    }
}

@Suite struct GzipFileTests {
    /// Returns the output for bytes written in pieces.
    private func compressed(_ bytes: [UInt8], piece: Int, level: Int = 6) throws -> [UInt8] {
        var output: [UInt8] = []
        let file = try GzipFile(level: level) { output += $0 }
        for start in stride(from: 0, to: bytes.count, by: piece) {
            try file.write(bytes[start..<min(start + piece, bytes.count)])
        }
        try file.finish()
        try file.finish()
        return output
    }

    @Test(.needs(.programs("gzip")), arguments: [1, 6, 9])
    func gzipProgramReadsOutput(level: Int) throws {
        for bytes in [[], [0x3C], Archives.guide(programmes: 5000)] {
            let oracle = try Compressor.gzip.decompress(try compressed(bytes, piece: 1000, level: level))
            expectEqual(oracle.status, 0)
            expectEqual(oracle.output, bytes)
        }
    }

    @Test func outputDecompressesToInput() throws {
        let guide = Archives.guide(programmes: 5000)
        let result = ReadResult(decompressing: try compressed(guide, piece: 7777))
        expectEqual(result.fault, nil)
        expectEqual(result.bytes, guide)
    }

    @Test func incompressibleBytesRoundTrip() throws {
        var state: UInt64 = 1
        let noise = (0..<300_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        expectEqual(ReadResult(decompressing: try compressed(noise, piece: 299_999)).bytes, noise)
    }

    /// By RFC 1952, section 2.3, a header without flags has no name, and a time of zero means none.
    @Test func headerHasNeitherNameNorTime() throws {
        let guide = Archives.guide(programmes: 500)
        let first = try compressed(guide, piece: 100)
        expectEqual(first[0..<8], [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
        try expectEqual(compressed(guide, piece: guide.count), first)
    }

    @Test func errorOfOutputClosureIsRethrown() throws {
        struct Full: Error {}
        let file = try GzipFile { _ in throw Full() }
        expectThrows(Full.self) {
            try file.write(Archives.guide(programmes: 5000))
            try file.finish()
        }
    }
}
