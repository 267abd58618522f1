import EPGImport
import EPGModel
import EPGSQL
import EPGStore
import Foundation
import TestSupport
import Testing

/// Importing an exported guide gives the same guide.
@Suite struct ExportRoundTripTests {
    private func xmltv(of guide: GuideStore, _ options: ExportOptions = ExportOptions()) throws -> [UInt8] {
        let output = OutputBuffer()
        var exporter = XMLTVExporter(options, to: output.append)
        try guide.export(ExportSelection(), to: &exporter)
        return output.bytes
    }

    private func sample(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: PackageFiles.sample(name))))
    }

    @Test(arguments: ["evening.xml", "evening-next.xml"])
    func sampleGuideRoundTrips(name: String) throws {
        let first = try ImportedGuide(bytes: sample(name))
        let second = try ImportedGuide(bytes: xmltv(of: first.store))
        let (before, after) = try (RecordedGuide(first.store), RecordedGuide(second.store))
        expectEqual(before, after, "\(before.difference(to: after))")
        #expect(!before.airings.isEmpty)
    }

    /// `oddities.xml` has programmes without a title and an undeclared station.
    @Test func elementsRequiredByDTDAreAddedOnce() throws {
        let first = try ImportedGuide(bytes: sample("oddities.xml"))
        let exact = try ImportedGuide(bytes: xmltv(of: first.store, ExportOptions(addsRequired: false)))
        try expectEqual(RecordedGuide(exact.store), RecordedGuide(first.store))
        let second = try ImportedGuide(bytes: xmltv(of: first.store))
        let third = try ImportedGuide(bytes: xmltv(of: second.store))
        try expectEqual(RecordedGuide(third.store), RecordedGuide(second.store))
    }

    @Test(
        .needs(.xmltvDTD),
        arguments: ["evening.xml", "evening-next.xml", "oddities.xml"])
    func exportedSampleGuideIsValid(name: String) throws {
        let guide = try ImportedGuide(bytes: sample(name))
        let strict = String(decoding: try xmltv(of: guide.store, ExportOptions(isStrict: true)), as: UTF8.self)
        try expectEqual(Validator.dtdErrors(in: strict), "")
    }

    /// `oddities.xml` has content that the DTD does not allow, and that a lossless export keeps.
    @Test(.needs(.xmltvDTD), arguments: ["evening.xml", "evening-next.xml"])
    func losslessExportOfValidGuideIsValid(name: String) throws {
        let guide = try ImportedGuide(bytes: sample(name))
        let lossless = String(decoding: try xmltv(of: guide.store), as: UTF8.self)
        try expectEqual(Validator.dtdErrors(in: lossless), "")
    }

    @Test(
        .needs(.programs("tv_validate_file"), .sharedData("xmltv.dtd")),
        arguments: ["evening.xml", "evening-next.xml"],
        [true, false])
    func validatorOfXMLTVProjectAcceptsExport(name: String, isStrict: Bool) throws {
        let guide = try ImportedGuide(bytes: sample(name))
        let text = String(decoding: try xmltv(of: guide.store, ExportOptions(isStrict: isStrict)), as: UTF8.self)
        try expectEqual(Validator.projectErrors(in: text), [])
    }

    @Test(
        .needs(.sharedData(), .xmltvDTD),
        arguments: RealGuide.surveys.filter { $0.isGuide && $0.bytes < RealGuide.limit })
    func realGuideRoundTrips(survey: Survey) throws {
        let first = try ImportedGuide(bytes: RealGuide(survey).bytes())
        let bytes = try xmltv(of: first.store, ExportOptions(addsRequired: false))
        let second = try ImportedGuide(bytes: bytes)
        var (before, after) = try (RecordedGuide(first.store), RecordedGuide(second.store))
        before.dropGenerator()
        after.dropGenerator()
        expectEqual(before, after, "\(before.difference(to: after))")
        let strict = String(decoding: try xmltv(of: first.store, ExportOptions(isStrict: true)), as: UTF8.self)
        try expectEqual(Validator.dtdErrors(in: strict), "")
    }

    /// The listing that determines an inferred stop may be a zero-length heading, which the export does not contain.
    @Test(arguments: [
        """
        <programme start="20261122180000 +0000" channel="a"><title>Open</title></programme>
        <programme start="20261122183000 +0000" stop="20261122183000 +0000" channel="a"><title>Heading</title></programme>
        <programme start="20261122190000 +0000" stop="20261122200000 +0000" channel="a"><title>Film</title></programme>
        """,
        """
        <programme start="20261122180000 +0000" channel="a"><title>Last</title></programme>
        <programme start="20261122201500 +0000" stop="20261122201500 +0000" channel="a"><title>Heading</title></programme>
        """,
        """
        <programme start="20261122180000 +0000" stop="20261122170000 +0000" channel="a"><title>Reversed</title></programme>
        <programme start="20261122181000 +0000" stop="20261122181000 +0000" channel="a"><title>Heading</title></programme>
        <programme start="20261122180000 +0000" channel="b"><title>Other</title></programme>
        """,
    ])
    func stopInferredFromDroppedListingRoundTrips(programmes: String) throws {
        let first = try ImportedGuide("<tv>\(programmes)</tv>")
        let second = try ImportedGuide(bytes: xmltv(of: first.store))
        let (before, after) = try (RecordedGuide(first.store), RecordedGuide(second.store))
        expectEqual(before.airings, after.airings, "\(before.difference(to: after))")
        let output = OutputBuffer()
        var exporter = JSONExporter(to: output.append)
        try first.store.export(ExportSelection(), to: &exporter)
        let third = try ImportedGuide(bytes: output.bytes)
        let last = try RecordedGuide(third.store)
        expectEqual(before.airings, last.airings, "\(before.difference(to: last))")
    }

    @Test func identifierWithTrailingSpaceRoundTrips() throws {
        let first = try ImportedGuide("<tv><channel id=\"one \"/></tv>")
        let second = try ImportedGuide(bytes: xmltv(of: first.store))
        let (before, after) = try (RecordedGuide(first.store), RecordedGuide(second.store))
        expectEqual(before.stations, after.stations, "\(before.difference(to: after))")
    }
}
