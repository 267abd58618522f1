import Foundation
import TestSupport
import Testing
import XMLTV

/// Documents designed to be slow or large. Reading them stays within the limits.
@Suite(.serialized) struct HostileGuideTests {
    /// Whether this run reads only small documents.
    private static let isSmall = TestRun.isDebug && TestScope.current < .integration

    /// The size of a document in bytes. Debug builds read a small part of it.
    ///
    /// Each fault costs a test some microseconds, because Swift Testing captures a backtrace for each thrown error. The
    /// reader itself takes at most two seconds for a hundred megabytes of any of these documents.
    private static let bytes = isSmall ? 32 << 10 : TestRun.isDebug ? 128 << 10 : 2 << 20

    /// The size of a document that makes the reader give up searching, and the processor time that this takes at most. Without
    /// a limit on rescanned bytes, a debug build would need 25 seconds.
    private static let rescannedBytes = TestRun.isDebug ? 256 << 10 : 2 << 20
    private static let rescanningSeconds = 10.0

    /// Returns a document of a head, pieces repeated up to a size, and a tail.
    private static func source(_ head: String, _ piece: String, _ tail: String, bytes: Int = bytes) -> ChunkSource {
        let chunk = Array(String(repeating: piece, count: max(1, min(64 << 10, bytes) / piece.utf8.count)).utf8)
        var left = bytes / chunk.count
        var parts: [[UInt8]] = [Array(tail.utf8), Array(head.utf8)]
        return ChunkSource {
            if parts.count == 2 { return parts.removeLast() }
            guard left > 0 else { return parts.popLast() }
            left -= 1
            return chunk
        }
    }

    /// The usual limits, except that debug builds use records of a sixteenth of the size, or of a 64th.
    private static let limits: XMLLimits = {
        var limits = XMLLimits()
        if TestRun.isDebug { limits.recordBytes = isSmall ? 256 << 10 : 1 << 20 }
        return limits
    }()

    private struct Outcome {
        var records = 0
        var repairs = 0
        var fault: XMLError?
        /// The processor time.
        var seconds = 0.0
        /// The size in bytes of the largest window, which never shrinks.
        var window = 0
    }

    private static func read(_ source: ChunkSource) -> Outcome {
        var outcome = Outcome()
        outcome.seconds = TestRun.processorSeconds {
            var reader = XMLTVReader(source, limits: limits, recovery: .repair)
            do throws(XMLError) {
                while let record = try reader.next() {
                    if record == .programme || record == .channel { outcome.records += 1 }
                    _ = reader.line()
                }
            } catch {
                outcome.fault = error
            }
            outcome.repairs = reader.repairCount
            outcome.window = reader.scanner.bytes.count
        }
        return outcome
    }

    private static let validRecord = "<programme><title>Z</title></programme>"

    /// The repeated text, and whether the record after it is read.
    @Test(arguments: [
        ("<programme ", true), ("<programme>", true), ("<programme/>", true), ("<programme <", true),
        ("<channel id='c'>", true), ("<a>", true), ("</programme>", true), ("&", true), ("<", true), ("]]>", true),
        ("<tv>", true), ("<?xml version='1.0'?>", true), ("</tv><tv>", true), ("<!DOCTYPE tv>", true),
        ("\u{1}", true), ("<!-- -- ", true), ("<!--", true), ("<programme><a b='c' b='c'>", true), ("<br>", true),
        ("<programme><title>a<br>b</title></programme>", true), ("<programme a=\"", true), ("\"'", true),
    ])
    func repeatedFaultsAreReadInLinearTime(_ piece: String, isRead: Bool) {
        for head in ["<tv>", "<tv><programme><title>", "<tv><programme a='"] {
            func read(_ bytes: Int) -> Outcome {
                Self.read(Self.source(head, piece, "</programme>\(Self.validRecord)</tv>", bytes: bytes))
            }
            let (part, whole) = (read(Self.bytes / 16), read(Self.bytes))
            expectEqual(whole.fault, nil, head)
            #expect(whole.records > 0)
            // For sixteen times the bytes, linear work takes sixteen times as long and quadratic work 256 times.
            #expect(whole.seconds < 100 * max(part.seconds, 0.001), "after \(head): \(part.seconds) s")
        }
    }

    /// After an unterminated comment or section, the reader searches for records as long as that is cheap enough.
    @Test(
        arguments: ["<programme><!-- ", "<programme><![CDATA[ ", "<programme><a b='", "<!-- ", "<![CDATA[ "]
            + (isSmall ? [] : ["<programme><?x "]))
    func bytesAfterUnterminatedConstructAreRescannedOnlyAFewTimes(_ piece: String) {
        let document = Self.source("<tv>", piece, "\(Self.validRecord)</tv>", bytes: Self.rescannedBytes)
        let outcome = Self.read(document)
        #expect(outcome.seconds < Self.rescanningSeconds)
        if let fault = outcome.fault {
            switch fault.reason {
            case .limit, .unexpectedEnd: break
            default: Issue.record("\(fault)")
            }
        }
    }

    @Test func deeplyNestedElementsAffectOnlyTheirRecord() {
        let open = String(repeating: "<a>", count: 200_000)
        let close = String(repeating: "</a>", count: 200_000)
        let document = "<tv><programme>\(open)\(close)</programme>\(Self.validRecord)</tv>"
        let outcome = Self.read(ChunkSource(Array(document.utf8)))
        expectEqual(outcome.records, 1)
        expectEqual(outcome.repairs, 1)
        expectEqual(outcome.fault, nil)
    }

    /// An attribute, text, comment, or name of a gigabyte: memory stays within the limits, and the reader continues after
    /// the token.
    @Test(arguments: [
        "<programme start=\"", "<programme><desc>", "<programme><!-- ", "<programme><![CDATA[", "<programme><a",
        "<!-- ",
        "<programme>&", "<programme>&#",
    ])
    func hugeTokenAffectsOnlyItsRecord(_ head: String) {
        // In debug builds, at least half a megabyte more than the window may have.
        let size = Self.isSmall ? 5 << 19 : TestRun.isDebug ? 11 << 19 : 1 << 30
        let outcome = Self.read(
            Self.source("<tv>\(head)", "1234567890abcdef", "\"</programme>\(Self.validRecord)</tv>", bytes: size))
        expectEqual(outcome.fault, nil)
        expectEqual(outcome.records, 1)
        expectEqual(outcome.repairs, 1)
        #expect(outcome.window <= 4 * Self.limits.recordBytes + (1 << 20))
        #expect(outcome.seconds < 60)
    }

    /// Huge tokens before the root: a document that is not a guide is rejected, however long it is.
    @Test(arguments: ["x", "<!-- ", "<!DOCTYPE tv [", "<!DOCTYPE", "\u{0}", "<"] + (isSmall ? [] : ["<?xml "]))
    func hugeStartIsReadOrRejected(_ piece: String) {
        let document = Self.source("", piece, "]>--> <tv>\(Self.validRecord)</tv>", bytes: Self.rescannedBytes)
        let outcome = Self.read(document)
        #expect(outcome.seconds < Self.rescanningSeconds)
        #expect(outcome.fault != nil || outcome.records == 1)
    }
}

/// The malformed guides of the shared folder. A Python script counted the records: it passed each piece from one
/// `<programme` to the next to libexpat, with bare ampersands escaped and `<img …>` closed.
@Suite(.needs(.sharedData()))
struct MalformedGuideTests {
    struct Guide {
        let path: String
        let programmes: Int
        let channels: Int
        /// The lines of skipped records.
        var lost: [Int] = []
    }

    private static let guides = [
        Guide(path: "iptv-org_epg/history/tvguide.co.uk.xml.gz", programmes: 9482, channels: 538),
        // Four records have half an end tag.
        Guide(path: "AftermathXML_Aftermath-EPG/Snick.XML", programmes: 332, channels: 1, lost: [73, 122, 171, 221]),
        Guide(path: "dshumko_PhpEPG/xmltv.xml.gz", programmes: 1782, channels: 9),
        // The only programme has a title without an end tag.
        Guide(path: "ektotv_xmltv/tests/fixtures/broken.xml", programmes: 1, channels: 1),
        Guide(path: "mbologna_jtvguide/tv_grab-NON-VALID-XML.xml", programmes: 264, channels: 0, lost: [3, 11]),
    ]

    @Test(arguments: guides)
    func validRecordsAreRead(_ guide: Guide) throws {
        let bytes = try SharedFolder.bytes(of: PackageFiles.sharedData.appending(path: guide.path))
        let reading = RepairReading(ChunkSource(bytes))
        expectEqual(reading.fault, nil)
        expectEqual(reading.records.count { $0.kind == .programme }, guide.programmes)
        expectEqual(reading.records.count { $0.kind == .channel }, guide.channels)
        let lost = reading.repairs.filter { if case .skippedRecord = $0.kind { true } else { false } }
        expectEqual(lost.map(\.line), guide.lost)
        #expect(RepairReading(ChunkSource(bytes), recovery: .refuse).fault != nil)
    }

    /// Strict and lenient mode read well-formed guides alike, except where a guide declares a wrong encoding.
    @Test func validGuidesNeedNoRepair() throws {
        var compared = 0
        for file in SharedFolder.documents() {
            let bytes = try SharedFolder.bytes(of: file)
            if TestRun.isDebug, TestScope.current < .release, bytes.count > 20 << 10 { continue }
            let strict = RepairReading(ChunkSource(bytes), recovery: .refuse)
            guard strict.fault == nil else { continue }
            compared += 1
            let reading = RepairReading(ChunkSource(bytes))
            if reading.notes.contains(where: { $0.kind == .contradicted }) { continue }
            if let difference = RepairReading.difference(reading, strict) {
                Issue.record("\(SharedFolder.name(of: file)): \(difference)")
            }
        }
        print("both modes read \(compared) valid guides alike")
        #expect(compared > 100)
    }
}
