import TestSupport
import Testing
import XMLTV

/// Repairs are reported exactly once, for any chunks.
///
/// The reader always reads the first thousand bytes together to detect the encoding. Here, they are spaces.
@Suite struct ChunkedRepairTests {
    private static let blanks = String(repeating: " ", count: 1100)

    /// The end of the document, its repairs, and whether the document is rejected. The rest is valid.
    private static let lastPieces: [(String, [String], Bool)] = [
        ("</tv>\n<!-- a\u{1}b -->\n", ["character 1"], false),
        ("</tv><!-- a -- b -->", ["--"], false),
        ("</tv><!-- a\u{1} --><?x \u{2}?>\n", ["character 1", "character 2"], false),
        ("<!-- a\u{1} --></tv>", ["character 1"], false),
        ("</tv><!-- a -- b --><channel id='c'/>\n", ["--", "tail"], false),
        ("<!-- a\u{1} --><programme><title>", ["character 1"], true),
        ("</tv><!-- a\u{1} --><!-- b", ["character 1", "tail"], false),
        ("</tv><!-- a\u{1} --><tv/>", ["character 1", "document"], false),
        (
            "</tv><!-- a -- b --><?xml version='1.0'?><!-- c\u{1} --><!DOCTYPE tv><tv/>",
            ["--", "document", "character 1"], false
        ),
    ]

    @Test(arguments: lastPieces)
    func lastRepairIsReportedForAnyChunks(_ last: String, repairs: [String], isRejected: Bool) {
        let head = Array(("<tv>" + Self.blanks).utf8)
        let tail = Array(last.utf8)
        let whole = RepairReading(ChunkSource(head + tail))
        expectEqual(whole.repairs.map { String($0.brief.drop { $0 != " " }.dropFirst()) }, repairs)
        expectEqual(whole.fault != nil, isRejected)
        for first in stride(from: 0, through: tail.count, by: 2) {
            for size in [1, 100] {
                let reading = RepairReading(Self.source(head + tail, first: head.count + first, size: size))
                expectEqual(reading, whole, "\(first) bytes, then \(size) at a time")
            }
        }
    }

    @Test func repairsBeforeAnErrorAreReportedForAnyChunks() {
        let comments = "<!-- a\u{1} -->\(Self.blanks)<!-- b -- c -->"
        let document = Array("\(comments)<!DOCTYPE tv [<!ENTITY a 'b'>]><tv/>".utf8)
        let whole = RepairReading(ChunkSource(document))
        expectEqual(whole.fault?.reason, .entityDeclaration)
        expectEqual(whole.repairs.map(\.brief), ["1 character 1", "1 --"])
        for chunk in [1, 2, 7, 16, 40] { expectEqual(RepairReading(document, chunk: chunk), whole) }
    }

    /// If the bytes turn out to be windows-1251, a record is read again. Earlier repairs must not be lost.
    @Test(arguments: [
        ("<!-- a\u{1} --><programme><title>", "</title></programme></tv>"), ("<!-- a\u{1} --><!-- ", " --></tv>"),
        ("</tv><!-- a\u{1} --><!-- ", " -->"), ("</tv><!-- a\u{1} --><!-- ", " --><tv/>"),
    ])
    func repairsBeforeAnEncodingChangeAreReported(_ head: String, _ tail: String) {
        let text = "Вечерние новости, прогноз погоды на завтра, документальный фильм о море"
        // By CP1251.TXT, А to я are C0 to FF.
        let bytes = text.unicodeScalars.map { UInt8($0.value < 0x80 ? $0.value : $0.value - 0x410 + 0xC0) }
        let document = Array("<tv>\(Self.blanks)\(head)".utf8) + bytes + Array(tail.utf8)
        let whole = RepairReading(ChunkSource(document))
        expectEqual(whole.fault, nil)
        expectEqual(whole.notes.map(\.kind), [.guessed])
        expectEqual(whole.repairs.map(\.brief), ["1 character 1"] + (tail.hasSuffix("<tv/>") ? ["1 document"] : []))
        for first in stride(from: 1103, through: document.count, by: 10) {
            for size in [1, 100] {
                let reading = RepairReading(Self.source(document, first: first, size: size))
                expectEqual(reading, whole, "\(first) bytes, then \(size) at a time")
            }
        }
    }

    @Test(arguments: ["<!-- a\u{1} -->", "<!-- a\u{1} --><programme><title>A &amp; B", "<!-- a\u{1} --></tv>\n"])
    func repairsBeforeAReadFaultAreReported(_ last: String) {
        let document = Array("<tv>\(Self.blanks)\(last)".utf8)
        for first in stride(from: 1102, through: document.count, by: 3) {
            for size in [1, 100] {
                let reading = RepairReading(Self.source(document, first: first, size: size, fails: true))
                expectEqual(reading.fault?.reason, .unreadable(.truncated(format: "test")))
                expectEqual(reading.repairs.map(\.brief), ["1 character 1"], "\(first) bytes, then \(size) at a time")

                let source = Self.source(document, first: first, size: size, fails: true)
                var scanner = XMLScanner(source, recovery: .repair, reportsEverything: true)
                expectThrows(XMLError.self) { while try scanner.next() != nil {} }
                let repairs = scanner.takeRepairs()
                expectEqual(repairs.map(\.brief), ["1 character 1"], "\(first) bytes, then \(size) at a time")
            }
        }
    }

    /// Returns a source of a first chunk and then fixed-size chunks, which may end in a fault.
    private static func source(_ bytes: [UInt8], first: Int, size: Int, fails: Bool = false) -> some ByteSource {
        var sizes = [first].makeIterator()
        return FailingSource(source: ChunkSource(bytes) { sizes.next() ?? size }, fails: fails)
    }

    private struct FailingSource: ByteSource {
        var source: ChunkSource
        let fails: Bool

        mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
            let got = try source.read(into: &buffer, at: offset, upTo: count)
            guard got > 0 || !fails else { throw .truncated(format: "test") }
            return got
        }
    }
}

/// A guide whose encoding turns out not to be UTF-8. The reader reads the record that shows it again.
@Suite struct ReconsideredEncodingTests {
    private static let titles = [
        "Вечерние новости", "Сегодня в мире", "Прогноз погоды на завтра", "Документальный фильм о море",
        "Художественный фильм", "Спокойной ночи, малыши", "Хоккей: чемпионат страны", "Музыка для всех",
    ]

    /// windows-1251 by CP1251.TXT: А to я are C0 to FF.
    private static func windows1251(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { $0.value < 0x80 ? UInt8($0.value) : UInt8($0.value - 0x410 + 0xC0) }
    }

    /// `head` is ASCII, either short or longer than the first read.
    @Test(arguments: [0, 1, 5000], [1, 7, 1000, 1 << 20])
    func undeclaredGuideIsReadInItsEncoding(_ channels: Int, chunk: Int) {
        let head =
            "<tv>\n"
            + String(
                repeating: "<channel id='c'><display-name>One &amp; two</display-name></channel>\n", count: channels)
        let records = Self.titles.map {
            "<programme start='1'>\n<title>x</title> <desc>\($0) &amp; &</desc></programme>\n"
        }
        let document = Array(head.utf8) + records.flatMap(Self.windows1251) + Array("</tv>\n".utf8)
        let reading = RepairReading(document, chunk: chunk)
        expectEqual(reading.fault, nil)
        expectEqual(reading.records.compactMap { $0.element.child("desc")?.text }, Self.titles.map { "\($0) & &" })
        expectEqual(reading.lines.suffix(8), (0..<8).map { channels + 2 + $0 * 2 })
        expectEqual(reading.repairs.map(\.kind), Self.titles.map { _ in .bareAmpersand })
        expectEqual(reading.notes.map(\.kind), [.guessed])
        expectEqual(reading.notes.first?.used.lowercased(), "windows-1251")
    }
}
