import EPGImport
import Testing
import XMLTV

@Suite struct CutFileTests {
    /// All that can be unpacked comes, at least what the program itself gives, and then the fault.
    @Test(arguments: Packer.installed)
    func aFileThatWasCutGivesWhatItHoldsAndThenTheFault(packer: Packer) throws {
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
    func theLastByteIsMissed(packer: Packer) throws {
        let guide = Archives.guide(programmes: 10)
        let result = Outpouring(unpacking: try packer.pack(guide).dropLast())
        #expect(result.fault == .cutOff(format: packer.rawValue))
        if packer != .bzip2 { #expect(result.bytes == guide) }
    }

    @Test(arguments: Packer.installed)
    func aSecondMemberThatWasCutIsMissed(packer: Packer) throws {
        let guide = Archives.guide(programmes: 10)
        let member = try packer.pack(guide)
        for length in 1..<member.count {
            let result = Outpouring(unpacking: member + member[..<length])
            #expect((guide + guide).starts(with: result.bytes) && result.bytes.count >= guide.count)
            #expect(result.fault == .cutOff(format: packer.rawValue), "cut at \(length)")
        }
    }

    @Test(.enabled(if: Archives.has("zip"), "zip is missing"), arguments: ["zip -q - guide.xml", "zip -q - -"])
    func aZipFileThatWasCutGivesWhatItHoldsAndThenTheFault(command: String) throws {
        let guide = Archives.guide(programmes: 2000)
        let packed = try Archives.pack(guide, command)
        // Behind the file stands the list of files, which isn't needed.
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
    func anOuterLayerThatWasCutIsNamed() throws {
        let guide = Archives.guide(programmes: 2000)
        let packed = try Archives.pack(guide, "xz -c | gzip -c")
        let result = Outpouring(unpacking: Array(packed[..<(packed.count / 2)]))
        #expect(result.fault == .cutOff(format: "gzip"))
        #expect(!result.bytes.isEmpty && guide.starts(with: result.bytes))
    }
}
