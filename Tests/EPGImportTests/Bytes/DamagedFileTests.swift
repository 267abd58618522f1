import EPGImport
import TestSupport
import Testing
import XMLTV

@Suite struct DamagedFileTests {
    /// Compression commands whose output is damaged byte by byte.
    static let commands = [
        "gzip -c", "gzip -1c", "xz -c", "bzip2 -c", "zstd -c", "zstd -c --no-check",
        "zip -q - guide.xml", "zip -q0 - guide.xml", "zip -q - -", "xz -c | gzip -c",
    ]

    /// The source neither traps nor hangs, and accepted data is complete.
    @Test(.needs(.compressors), arguments: commands, [0x01, 0x80, 0xFF] as [UInt8])
    func everyDamagedByteIsHandled(command: String, mask: UInt8) throws {
        let guide = Archives.guide(programmes: 12)
        let compressed = try Archives.compress(guide, command)
        for index in compressed.indices {
            var bytes = compressed
            bytes[index] ^= mask
            var source = DecompressedSource(ChunkSource(bytes))
            let isCompressed = !source.layers().isEmpty
            let result = ReadResult(source)
            if !isCompressed {
                #expect(index < 6, "byte \(index)")
                expectEqual(result.bytes, bytes, "byte \(index)")
            } else if result.fault == nil, !command.contains("no-check") {
                expectEqual(result.bytes, guide, "byte \(index)")
            }
            #expect(result.bytes.count <= 64 << 20)
        }
    }

    @Test func randomDataAfterAnyHeaderIsHandled() {
        let beginnings: [[UInt8]] = [
            [0x1F, 0x8B], [0x1F, 0x8B, 8, 0xFF], [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], [0x42, 0x5A, 0x68, 0x39],
            [0x28, 0xB5, 0x2F, 0xFD], [0x52, 0x2A, 0x4D, 0x18], [0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6],
        ]
        var generator = PseudorandomBytes(state: 7)
        for beginning in beginnings {
            for round in 0..<400 {
                let result = ReadResult(decompressing: beginning + generator.bytes(round))
                #expect(result.fault != nil || beginning[0] == 0x52)
            }
        }
    }

    @Test(.needs(.programs("gzip")))
    func wrongGzipChecksumOrLengthIsDamage() throws {
        let guide = Archives.guide(programmes: 10)
        for index in 1...8 {
            var compressed = try Compressor.gzip.compress(guide)
            compressed[compressed.count - index] ^= 0x10
            let result = ReadResult(decompressing: compressed)
            expectEqual(result.bytes, guide)
            guard case .damaged(format: "gzip", _)? = result.fault else {
                Issue.record("\(String(describing: result.fault))")
                continue
            }
        }
    }

    @Test(.needs(.compressors), arguments: Compressor.allCases)
    func damageIsReportedByEveryRead(compressor: Compressor) throws {
        var compressed = try compressor.compress(Archives.guide(programmes: 2000))
        let middle = compressed.count / 2
        compressed.replaceSubrange(middle..<middle + 64, with: repeatElement(0xA5, count: 64))
        var source = DecompressedSource(ChunkSource(compressed))
        var buffer = [UInt8](repeating: 0, count: 1000)
        var faults: [ByteFault] = []
        var reads = 0
        while faults.count < 3, reads < 10_000 {
            reads += 1
            do throws(ByteFault) {
                if try source.read(into: &buffer, at: 0, upTo: 1000) == 0 { break }
            } catch {
                faults.append(error)
            }
        }
        expectEqual(faults.count, 3)
        expectEqual(Set(faults).count, 1)
    }
}

/// A generator of bytes that are the same in every run.
private struct PseudorandomBytes {
    var state: UInt64

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }
}

@Suite struct TruncatedFileTests {
    /// The source delivers at least as much data as the program itself, and then throws.
    @Test(.needs(.compressors), arguments: Compressor.allCases)
    func truncatedFileDeliversItsDataThenTheFault(compressor: Compressor) throws {
        let guide = Archives.guide(programmes: 2000)
        let compressed = try compressor.compress(guide)
        let parts = TestScope.current >= .integration ? 50 : 9
        for index in stride(from: 6, to: compressed.count, by: compressed.count / parts) {
            let cut = Array(compressed[..<index])
            let result = ReadResult(decompressing: cut)
            #expect(guide.starts(with: result.bytes), "truncated at \(index)")
            expectEqual(result.fault, .truncated(format: compressor.rawValue), "truncated at \(index)")
            let oracle = try compressor.decompress(cut)
            #expect(oracle.status != 0 && result.bytes.count >= oracle.output.count, "truncated at \(index)")
        }
    }

    @Test(.needs(.compressors), arguments: Compressor.allCases)
    func missingLastByteIsDetected(compressor: Compressor) throws {
        let guide = Archives.guide(programmes: 10)
        let result = ReadResult(decompressing: try compressor.compress(guide).dropLast())
        expectEqual(result.fault, .truncated(format: compressor.rawValue))
        if compressor != .bzip2 { expectEqual(result.bytes, guide) }
    }

    @Test(.needs(.compressors), arguments: Compressor.allCases)
    func truncatedSecondMemberIsDetected(compressor: Compressor) throws {
        let guide = Archives.guide(programmes: 10)
        let member = try compressor.compress(guide)
        for length in 1..<member.count {
            let result = ReadResult(decompressing: member + member[..<length])
            #expect((guide + guide).starts(with: result.bytes) && result.bytes.count >= guide.count)
            expectEqual(result.fault, .truncated(format: compressor.rawValue), "truncated at \(length)")
        }
    }

    @Test(.needs(.programs("zip")), arguments: ["zip -q - guide.xml", "zip -q - -"])
    func truncatedZipArchiveDeliversItsDataThenTheFault(command: String) throws {
        let guide = Archives.guide(programmes: 2000)
        let compressed = try Archives.compress(guide, command)
        // The central directory at the end of the archive isn't needed.
        let list = try #require((0..<compressed.count).last { compressed[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
        for index in stride(from: 6, to: list, by: list / 50) {
            let result = ReadResult(decompressing: Array(compressed[..<index]))
            #expect(guide.starts(with: result.bytes), "truncated at \(index)")
            expectEqual(result.fault, .truncated(format: "zip"), "truncated at \(index)")
            #expect(result.bytes.count > guide.count * (index - 100) / list - 40_000)
        }
        for index in list..<compressed.count {
            let result = ReadResult(decompressing: Array(compressed[..<index]))
            expectEqual(result.fault, nil, "truncated at \(index)")
            expectEqual(result.bytes, guide, "truncated at \(index)")
        }
    }

    @Test(.needs(.programs("gzip")))
    func truncatedOuterLayerIsNamed() throws {
        let guide = Archives.guide(programmes: 2000)
        let compressed = try Archives.compress(guide, "xz -c | gzip -c")
        let result = ReadResult(decompressing: Array(compressed[..<(compressed.count / 2)]))
        expectEqual(result.fault, .truncated(format: "gzip"))
        #expect(!result.bytes.isEmpty && guide.starts(with: result.bytes))
    }
}
