import Foundation
import Testing
import XMLTV

/// The malformed guides of the shared folder. The figures were counted by Python: every piece of the file from one
/// `<programme` to the next is given to libexpat by itself, with bare ampersands escaped and `<img …>` ended.
@Suite(.enabled(if: SharedFolder.exists, "needs the real guides of ../shared/data"))
struct MalformedGuideTests {
    struct Guide {
        let path: String
        let programmes: Int
        let channels: Int
        /// The lines of records that are lost.
        var lost: [Int] = []
    }

    private static let guides = [
        Guide(path: "iptv-org_epg/history/tvguide.co.uk.xml.gz", programmes: 9482, channels: 538),
        // Four records have half an end tag.
        Guide(path: "AftermathXML_Aftermath-EPG/Snick.XML", programmes: 332, channels: 1, lost: [73, 122, 171, 221]),
        Guide(path: "dshumko_PhpEPG/xmltv.xml.gz", programmes: 1782, channels: 9),
        Guide(path: "ektotv_xmltv/tests/fixtures/broken.xml", programmes: 0, channels: 1, lost: [7]),
        Guide(path: "mbologna_jtvguide/tv_grab-NON-VALID-XML.xml", programmes: 264, channels: 0, lost: [3, 11]),
    ]

    @Test(arguments: guides)
    func whatIsSoundIsRead(_ guide: Guide) throws {
        let bytes = try SharedFolder.bytes(of: SharedFolder.url.appending(path: guide.path))
        let reading = RepairReading(ChunkSource(bytes))
        #expect(reading.fault == nil)
        #expect(reading.records.count { $0.kind == .programme } == guide.programmes)
        #expect(reading.records.count { $0.kind == .channel } == guide.channels)
        let lost = reading.repairs.filter { if case .skippedRecord = $0.kind { true } else { false } }
        #expect(lost.map(\.line) == guide.lost)
        #expect(RepairReading(ChunkSource(bytes), recovery: .refuse).fault != nil)
    }

    /// What is well-formed is read by both readers alike, and needs no repair; but where it declares an encoding that it
    /// isn't in.
    @Test func soundGuidesNeedNoRepair() throws {
        var compared = 0
        for file in SharedFolder.documents() {
            let bytes = try SharedFolder.bytes(of: file)
            if TestRun.isDebug, !TestRun.isSlow, bytes.count > 200 << 10 { continue }
            let strict = RepairReading(ChunkSource(bytes), recovery: .refuse)
            guard strict.fault == nil else { continue }
            compared += 1
            let reading = RepairReading(ChunkSource(bytes))
            if reading.notes.contains(where: { $0.kind == .contradicted }) { continue }
            if let difference = RepairReading.difference(reading, strict) {
                Issue.record("\(SharedFolder.name(of: file)): \(difference)")
            }
        }
        print("\(compared) sound guides are read alike")
        #expect(compared > 100)
    }
}
