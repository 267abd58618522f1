import EPGImport
import Foundation
import Testing
import XMLTV

@Suite struct UnpackingTests {
    static let guide = Archives.guide(programmes: 3000)

    @Test(arguments: Packer.installed)
    func aPackedGuideUnpacksToItself(packer: Packer) throws {
        var source = UnpackedSource(ChunkSource(try packer.pack(Self.guide)))
        #expect(source.layers().map(\.rawValue) == [packer.rawValue])
        let result = Outpouring(source)
        #expect(result.fault == nil)
        #expect(result.bytes == Self.guide)
    }

    @Test(arguments: Packer.installed)
    func membersThatFollowOneAnotherAreOneText(packer: Packer) throws {
        let halves = [Array(Self.guide[..<100_000]), [], Array(Self.guide[100_000...])]
        let packed = try halves.flatMap { try packer.pack($0) }
        let result = Outpouring(unpacking: packed)
        #expect(result.fault == nil)
        #expect(result.bytes == Self.guide)
    }

    @Test(arguments: Packer.installed)
    func aTextWithoutBytesIsEmpty(packer: Packer) throws {
        let result = Outpouring(unpacking: try packer.pack([]))
        #expect(result.fault == nil && result.bytes.isEmpty)
    }

    @Test(arguments: Packer.installed)
    func aByteAtATimeGivesTheSame(packer: Packer) throws {
        let guide = Archives.guide(programmes: 20)
        var rest = try packer.pack(guide)[...]
        let source = UnpackedSource(ChunkSource { rest.isEmpty ? nil : [rest.removeFirst()] })
        let result = Outpouring(source, piece: 1)
        #expect(result.fault == nil)
        #expect(result.bytes == guide)
    }

    /// What stands behind the last member is taken as the program itself takes it.
    @Test(arguments: Packer.installed, ["rubbish", "\0\0\0\0", "\0\0\0", "\0\0\0\0\0\0\0\0rubbish", "B", "(", "\u{1}"])
    func whatStandsBehindIsTakenAsTheProgramTakesIt(packer: Packer, rest: String) throws {
        let guide = Archives.guide(programmes: 20)
        let packed = try packer.pack(guide) + Array(rest.utf8)
        // gzip says 2 for a warning; bzip2 warns without a status. A single byte gzip takes for a member that was cut
        // off, whatever it is; here it must be the first of one.
        let status = try packer.unpack(packed).status
        let isTaken = status == 0 || packer == .gzip && (status == 2 || rest.utf8.count == 1)
        let result = Outpouring(unpacking: packed)
        #expect(result.bytes == guide)
        // The beginning of "BZh" may be the beginning of a member that was cut off.
        if packer == .bzip2, rest == "B" { return }
        let fault = String(describing: result.fault)
        #expect((result.fault == nil) == isTaken, "\(packer) ends with \(status), we with \(fault)")
    }

    @Test(.enabled(if: Archives.has("gzip") && Archives.has("zip"), "gzip or zip is missing"))
    func layersAreUnpackedOneByOne() throws {
        let twice = try Archives.pack(Self.guide, "gzip -c | gzip -c")
        #expect(Outpouring(unpacking: twice).bytes == Self.guide)
        let inZip = try Archives.pack(Self.guide, "gzip guide.xml && zip -q a.zip guide.xml.gz && cat a.zip")
        var source = UnpackedSource(ChunkSource(inZip))
        #expect(source.layers() == [.zip, .gzip])
        let result = Outpouring(source)
        #expect(result.fault == nil)
        #expect(result.bytes == Self.guide)
    }

    @Test(.enabled(if: Archives.has("gzip"), "gzip is missing"))
    func threeLayersAreTakenAndFourRefused() throws {
        let three = try Archives.pack(Self.guide, "gzip -c | gzip -c | gzip -c")
        #expect(Outpouring(unpacking: three).bytes == Self.guide)
        let result = Outpouring(unpacking: try Archives.pack(three, "gzip -c"))
        #expect(result.bytes.isEmpty)
        #expect(result.fault == .tooLarge("it is packed more than 3 times over"))
    }

    @Test(.enabled(if: Archives.has("gzip"), "gzip is missing"))
    func theNameOfAFileIsNotAsked() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)-guide.xml")
        defer {
            do { try FileManager.default.removeItem(at: file) } catch { Issue.record(error) }
        }
        try Data(try Packer.gzip.pack(Self.guide)).write(to: file)
        #expect(Outpouring(UnpackedSource(try FileSource(path: file.path))).bytes == Self.guide)
        try Data(Self.guide).write(to: file)
        #expect(Outpouring(UnpackedSource(try FileSource(path: file.path))).bytes == Self.guide)
    }

    /// The oracle is gzip; the large ones are read with EPG_SLOW.
    @Test(.enabled(if: RealGuide.isThere && Archives.has("gzip"), "real guides or gzip are missing"))
    func realPackedGuidesUnpackToWhatGzipMakesOfThem() throws {
        let files = FileManager.default.enumerator(at: RealGuide.folder, includingPropertiesForKeys: [.fileSizeKey])
        var count = 0
        for case let file as URL in try #require(files) where file.pathExtension == "gz" {
            let size = try #require(try file.resourceValues(forKeys: [.fileSizeKey]).fileSize)
            guard size * 8 < RealGuide.limit || RealGuide.limit == .max else { continue }
            let oracle = try Packer.gzip.unpack(Array(try Data(contentsOf: file)))
            let result = Outpouring(UnpackedSource(try FileSource(path: file.path)), piece: 1 << 17)
            #expect(result.bytes == oracle.output, "\(file.lastPathComponent)")
            #expect((result.fault == nil) == (oracle.status == 0), "\(file.lastPathComponent)")
            count += 1
        }
        #expect(count > 0)
    }
}
