import EPGFilter
import Foundation
import TestSupport
import Testing
import XMLTV

/// The rules of `tv_split`, from its manual page and from `date(1)`.
@Suite struct SplitTests {
    /// Returns the files that a guide is split into.
    private func files(_ template: String, _ guide: [UInt8]) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        let source = FilterSource(name: "guide", source: ChunkSource(guide))
        try SplitFilter(try SplitTemplate(template)).run([source], warn: { _ in }) { files[$0, default: []] += $1 }
        return files
    }

    // Expected by date(1) for 2026-03-29 21:05:07 +0100.
    @Test(arguments: [
        ("%Y%m%d", "20260329"), ("%y-%e", "26-29"), ("%j", "088"), ("%H:%M:%S", "21:05:07"), ("%I %p", "09 PM"),
        ("%A %a %u", "Sunday Sun 7"), ("%B %b %h", "March Mar Mar"), ("%s", "1774814707"), ("%z", "+0100"),
        ("%k", "21"), ("100%%%d", "100%29"), ("%Q", "20260329"), ("%q", "20260329210507"), ("%channel.xml", "a.b.xml"),
    ])
    func directivesGiveTheTimeAsWritten(template: String, expected: String) throws {
        let time = try XMLTVTime("20260329210507 +0100")
        #expect(try SplitTemplate(template).fileName(channel: "a.b", start: time) == expected)
    }

    @Test func digitsArePadded() throws {
        let time = try XMLTVTime("20260105003004 -0130")
        let name = try SplitTemplate("%e|%k|%I%p|%j|%z|%u").fileName(channel: "", start: time)
        #expect(name == " 5| 0|12AM|005|-0130|1")
    }

    @Test(arguments: [
        ("../../etc/x", "%2E.%2F..%2Fetc%2Fx"), ("..", "%2E."), (".a", "%2Ea"), ("a%Y", "a%25Y"),
        ("a\u{0}\n", "a%00%0A"),
        ("é.b", "é.b"),
    ])
    func channelIdentifierCannotChooseFolder(channel: String, expected: String) throws {
        let time = try XMLTVTime("2026")
        #expect(try SplitTemplate("%channel").fileName(channel: channel, start: time) == expected)
    }

    @Test(arguments: [
        ("plain.xml", SplitTemplateError.missingDirective), ("%F", .unknownDirective("F")), ("a%", .trailingPercent),
        ("%%", .missingDirective),
    ])
    func invalidTemplateIsRejected(template: String, expected: SplitTemplateError) {
        #expect(throws: expected) { try SplitTemplate(template) }
    }

    @Test func fileNamedByChannelContainsOnlyThatChannel() throws {
        let guide = #"""
            <tv date="1"><channel id="a"/><channel id="b"/>
            <programme start="20260329" channel="a"/><programme start="20260330" channel="b"/></tv>
            """#
        let byChannel = try files("%channel", Array(guide.utf8))
        #expect(byChannel.keys.sorted() == ["a", "b"])
        #expect(String(decoding: byChannel["a"] ?? [], as: UTF8.self).contains(#"<channel id="b""#) == false)
        let byDay = try files("%d", Array(guide.utf8))
        #expect(byDay.keys.sorted() == ["29", "30"])
        let first = String(decoding: byDay["29"] ?? [], as: UTF8.self)
        #expect(first.contains(#"<tv date="1">"#) && first.contains(#"<channel id="b""#) && first.hasSuffix("</tv>\n"))
    }

    /// Channels are sorted by the bytes of the identifier. A channel after a programme is only in files that start later.
    @Test func fileHasPrecedingChannelsByIdentifier() throws {
        let guide = #"""
            <tv><channel id="b"/><channel id="B"/><channel id="a"/>
            <programme start="20260329" channel="a"/><channel id="A"/><programme start="20260330" channel="b"/></tv>
            """#
        let files = try files("%d", Array(guide.utf8)).mapValues { bytes in
            String(decoding: bytes, as: UTF8.self).matches(of: /<channel id="(.)"/).map { String($0.1) }
        }
        #expect(files == ["29": ["B", "a", "b"], "30": ["A", "B", "a", "b"]])
    }

    /// At most 16 MiB are buffered. The headers of these files alone are 40 MB.
    @Test func headersOfNewFilesCountAsBufferedBytes() throws {
        let note = String(repeating: "x", count: 40_000)
        let programmes = (0..<1000).map { #"<programme start="2026" channel="c\#($0)"/>"# }
        let guide = "<tv source-info-name=\"\(note)\">\(programmes.joined())</tv>"
        var calls: [String: Int] = [:]
        try SplitFilter(try SplitTemplate("%channel")).run(
            [FilterSource(name: "guide", source: ChunkSource(Array(guide.utf8)))], warn: { _ in }
        ) { name, _ in calls[name, default: 0] += 1 }
        // The limit was reached twice, so the first 800 files were written early and completed at the end.
        #expect(calls.count == 1000 && calls.values.count { $0 == 2 } > 800, "\(calls.count)")
    }

    @Test func numberOfFilesIsLimited() {
        let programmes = (0..<20_000).map { #"<programme start="2026" channel="c\#($0)"/>"# }
        #expect(throws: FilterError.tooManyFiles(SplitFilter.maximumFiles)) {
            try files("%channel", Array("<tv>\(programmes.joined())</tv>".utf8))
        }
    }

    @Test(
        .needs(.xmltvPrograms),
        arguments: [
            "%channel-%Y%m%d.out", "%H-%a-%j.out",
        ])
    func randomGuideIsSplitAsByTVSplit(template: String) throws {
        try XMLTVProgram.withFolder { folder in
            let guide = RandomGuide.bytes(seed: 5)
            try Data(guide).write(to: folder.appending(path: "guide.xml"))
            _ = try XMLTVProgram.output(of: "tv_split", ["--output", template, "guide.xml"], in: folder)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter {
                $0.hasSuffix(".out")
            }
            let ours = try files(template, guide)
            #expect(ours.keys.sorted() == names.sorted())
            for name in names {
                let theirs = [UInt8](try Data(contentsOf: folder.appending(path: name)))
                let difference = CanonicalGuide.difference(
                    try CanonicalGuide(ours[name] ?? []), try CanonicalGuide(theirs))
                #expect(difference == nil, "\(name)")
            }
        }
    }
}
