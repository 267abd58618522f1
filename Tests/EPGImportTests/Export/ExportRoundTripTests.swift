import EPGImport
import EPGModel
import EPGStore
import Foundation
import Testing

/// What is imported, exported and imported again is the same guide.
@Suite struct ExportRoundTripTests {
    private func xmltv(of guide: GuideStore, _ options: ExportOptions = ExportOptions()) throws -> [UInt8] {
        let output = Gathered()
        var exporter = XMLTVExporter(options, to: output.append)
        try guide.export(ExportSelection(), to: &exporter)
        return output.bytes
    }

    private func sample(_ name: String) throws -> [UInt8] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: root.appending(path: "sample-data/\(name)")))
    }

    @Test(arguments: ["evening.xml", "evening-next.xml"])
    func aSampleGuideComesBackWhole(name: String) throws {
        let first = try ImportedGuide(bytes: sample(name))
        let second = try ImportedGuide(bytes: xmltv(of: first.store))
        let (before, after) = try (RecordedGuide(first.store), RecordedGuide(second.store))
        #expect(before == after, "\(before.difference(to: after))")
        #expect(!before.airings.isEmpty)
    }

    /// The oddities have programmes without a title and a station that nothing declares.
    @Test func whatTheDTDDemandsIsAddedOnce() throws {
        let first = try ImportedGuide(bytes: sample("oddities.xml"))
        let exact = try ImportedGuide(bytes: xmltv(of: first.store, ExportOptions(addsRequired: false)))
        #expect(try RecordedGuide(exact.store) == RecordedGuide(first.store))
        let second = try ImportedGuide(bytes: xmltv(of: first.store))
        let third = try ImportedGuide(bytes: xmltv(of: second.store))
        #expect(try RecordedGuide(third.store) == RecordedGuide(second.store))
    }

    @Test(
        .enabled(if: Validator.hasXMLLint, Comment(rawValue: Validator.noXMLLint)),
        arguments: ["evening.xml", "evening-next.xml", "oddities.xml"])
    func aSampleGuideIsExportedValid(name: String) throws {
        let guide = try ImportedGuide(bytes: sample(name)).store
        let strict = String(decoding: try xmltv(of: guide, ExportOptions(isStrict: true)), as: UTF8.self)
        #expect(try Validator.complaints(byDTDAbout: strict) == "")
        guard name != "oddities.xml" else { return }
        let lossless = String(decoding: try xmltv(of: guide), as: UTF8.self)
        #expect(try Validator.complaints(byDTDAbout: lossless) == "")
        guard Validator.tvValidateFile != nil else { return }
        #expect(try Validator.complaints(byProjectAbout: lossless) == [])
        #expect(try Validator.complaints(byProjectAbout: strict) == [])
    }

    @Test(
        .enabled(if: RealGuide.isThere, Comment(rawValue: RealGuide.absence)),
        arguments: RealGuide.surveys.filter { $0.isGuide && $0.bytes < RealGuide.limit })
    func aRealGuideComesBackWhole(survey: Survey) throws {
        let first = try ImportedGuide(bytes: RealGuide(survey).bytes())
        let bytes = try xmltv(of: first.store, ExportOptions(addsRequired: false))
        let second = try ImportedGuide(bytes: bytes)
        var (before, after) = try (RecordedGuide(first.store), RecordedGuide(second.store))
        before.dropGenerator()
        after.dropGenerator()
        #expect(before == after, "\(before.difference(to: after))")
        guard Validator.hasXMLLint else { return }
        let strict = String(decoding: try xmltv(of: first.store, ExportOptions(isStrict: true)), as: UTF8.self)
        #expect(try Validator.complaints(byDTDAbout: strict) == "")
    }
}
