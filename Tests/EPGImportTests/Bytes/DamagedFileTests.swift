import EPGImport
import Testing
import XMLTV

@Suite struct DamagedFileTests {
    /// Compression commands whose output is damaged byte by byte.
    static let commands = [
        "gzip -c", "gzip -1c", "xz -c", "bzip2 -c", "zstd -c", "zstd -c --no-check",
        "zip -q - guide.xml", "zip -q0 - guide.xml", "zip -q - -", "xz -c | gzip -c",
    ].filter { Archives.has(String($0.prefix { $0 != " " })) && Archives.has("gzip") }

    /// Never a crash, never an endless loop, and what isn't rejected is complete.
    @Test(arguments: commands, [0x01, 0x80, 0xFF] as [UInt8])
    func everyDamagedByteIsHandled(command: String, mask: UInt8) throws {
        let guide = Archives.guide(programmes: 12)
        let packed = try Archives.pack(guide, command)
        for place in packed.indices {
            var bytes = packed
            bytes[place] ^= mask
            var source = DecompressedSource(ChunkSource(bytes))
            let isCompressed = !source.layers().isEmpty
            let result = Outpouring(source)
            if !isCompressed {
                #expect(place < 6 && result.bytes == bytes, "byte \(place)")
            } else if result.fault == nil, !command.contains("no-check") {
                #expect(result.bytes == guide, "byte \(place)")
            }
            #expect(result.bytes.count <= 64 << 20)
        }
    }

    @Test func randomDataAfterAnyHeaderIsHandled() {
        let beginnings: [[UInt8]] = [
            [0x1F, 0x8B], [0x1F, 0x8B, 8, 0xFF], [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], [0x42, 0x5A, 0x68, 0x39],
            [0x28, 0xB5, 0x2F, 0xFD], [0x52, 0x2A, 0x4D, 0x18], [0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6],
        ]
        var generator = Noise(state: 7)
        for beginning in beginnings {
            for round in 0..<400 {
                let result = Outpouring(unpacking: beginning + generator.bytes(round))
                #expect(result.fault != nil || beginning[0] == 0x52)
            }
        }
    }

    @Test(.enabled(if: Archives.has("gzip"), "gzip is missing"))
    func wrongGzipChecksumOrLengthIsDamage() throws {
        let guide = Archives.guide(programmes: 10)
        for place in 1...8 {
            var packed = try Packer.gzip.pack(guide)
            packed[packed.count - place] ^= 0x10
            let result = Outpouring(unpacking: packed)
            #expect(result.bytes == guide)
            guard case .damaged(format: "gzip", _)? = result.fault else {
                Issue.record("\(String(describing: result.fault))")
                continue
            }
        }
    }

    @Test(arguments: Packer.installed)
    func damageIsReportedByEveryRead(packer: Packer) throws {
        var packed = try packer.pack(Archives.guide(programmes: 2000))
        packed.replaceSubrange(packed.count / 2..<packed.count / 2 + 64, with: repeatElement(0xA5, count: 64))
        var source = DecompressedSource(ChunkSource(packed))
        var room = [UInt8](repeating: 0, count: 1000)
        var faults: [ByteFault] = []
        var reads = 0
        while faults.count < 3, reads < 10_000 {
            reads += 1
            do throws(ByteFault) {
                if try source.read(into: &room, at: 0, upTo: 1000) == 0 { break }
            } catch {
                faults.append(error)
            }
        }
        #expect(faults.count == 3 && Set(faults).count == 1)
    }
}

/// Pseudorandom bytes, the same in every run.
private struct Noise {
    var state: UInt64

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }
}

@Suite struct CutFileTests {
    /// Everything that can be decompressed is delivered, at least what the program itself delivers, followed by the
    /// fault.
    @Test(arguments: Packer.installed)
    func truncatedFileDeliversItsDataThenTheFault(packer: Packer) throws {
        let guide = Archives.guide(programmes: 2000)
        let packed = try packer.pack(guide)
        for place in stride(from: 6, to: packed.count, by: packed.count / 50) {
            let cut = Array(packed[..<place])
            let result = Outpouring(unpacking: cut)
            #expect(guide.starts(with: result.bytes), "cut at \(place)")
            #expect(result.fault == .cutOff(format: packer.rawValue), "cut at \(place)")
            let oracle = try packer.unpack(cut)
            #expect(oracle.status != 0 && result.bytes.count >= oracle.output.count, "cut at \(place)")
        }
    }

    @Test(arguments: Packer.installed)
    func missingLastByteIsDetected(packer: Packer) throws {
        let guide = Archives.guide(programmes: 10)
        let result = Outpouring(unpacking: try packer.pack(guide).dropLast())
        #expect(result.fault == .cutOff(format: packer.rawValue))
        if packer != .bzip2 { #expect(result.bytes == guide) }
    }

    @Test(arguments: Packer.installed)
    func truncatedSecondMemberIsDetected(packer: Packer) throws {
        let guide = Archives.guide(programmes: 10)
        let member = try packer.pack(guide)
        for length in 1..<member.count {
            let result = Outpouring(unpacking: member + member[..<length])
            #expect((guide + guide).starts(with: result.bytes) && result.bytes.count >= guide.count)
            #expect(result.fault == .cutOff(format: packer.rawValue), "cut at \(length)")
        }
    }

    @Test(.enabled(if: Archives.has("zip"), "zip is missing"), arguments: ["zip -q - guide.xml", "zip -q - -"])
    func truncatedZipArchiveDeliversItsDataThenTheFault(command: String) throws {
        let guide = Archives.guide(programmes: 2000)
        let packed = try Archives.pack(guide, command)
        // The central directory at the end of the archive isn't needed.
        let list = try #require((0..<packed.count).last { packed[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
        for place in stride(from: 6, to: list, by: list / 50) {
            let result = Outpouring(unpacking: Array(packed[..<place]))
            #expect(guide.starts(with: result.bytes), "cut at \(place)")
            #expect(result.fault == .cutOff(format: "zip"), "cut at \(place)")
            #expect(result.bytes.count > guide.count * (place - 100) / list - 40_000)
        }
        for place in list..<packed.count {
            let result = Outpouring(unpacking: Array(packed[..<place]))
            #expect(result.fault == nil && result.bytes == guide, "cut at \(place)")
        }
    }

    @Test(.enabled(if: Archives.has("gzip"), "gzip is missing"))
    func truncatedOuterLayerIsNamed() throws {
        let guide = Archives.guide(programmes: 2000)
        let packed = try Archives.pack(guide, "xz -c | gzip -c")
        let result = Outpouring(unpacking: Array(packed[..<(packed.count / 2)]))
        #expect(result.fault == .cutOff(format: "gzip"))
        #expect(!result.bytes.isEmpty && guide.starts(with: result.bytes))
    }
}
