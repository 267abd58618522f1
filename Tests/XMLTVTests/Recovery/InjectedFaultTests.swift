import TestSupport
import Testing
import XMLTV

/// A valid guide with one fault in one record: the other records are unaffected.
@Suite struct InjectedFaultTests {
    private static let records: [[UInt8]] = (0..<24).map { number in
        let text = "Sendung \(number) \u{FC}ber K\u{F6}ln &amp; \u{4E2D}\u{6587} ]] > x"
        let record =
            if number % 6 == 0 {
                "<channel id=\"c\(number)\"><display-name lang='de'>\(text)</display-name><icon src=\"x.png\"/></channel>\n"
            } else {
                """
                <programme start="20231127\(1000 + number)00 +0100" channel='c0'>
                  <title lang="de">\(text)</title><desc><![CDATA[<b>\(text)</b>]]></desc>
                  <credits><actor role="x">A</actor><!-- nobody else --></credits>
                </programme>\n
                """
            }
        return Array(record.utf8)
    }

    private static let faults: [[UInt8]] =
        [
            "&", "&#0;", "&eacute;", "&none;", "\u{0}", "\u{1}", "\u{FFFE}", "<", "<x", "<x>", "</x>", "</", "<!",
            "<!--",
            "<![CDATA[", "<?", "<?xml version='1.0'?>", "\"", "'", ">", "/", "=", "--", "]]>", "<a b='c' b='d'/>",
            "<a b=c>",
            "<br>", "</title>", "<desc>", "<a\u{E9}\u{0}>",
        ].map { Array($0.utf8) } + [[0xE9], [0xFF, 0xFE], [0xC3]]

    /// The number of documents to try.
    private static let count = TestRun.isDebug ? TestRun.mutations / 2 : TestRun.mutations

    @Test func faultAffectsAtMostItsRecord() {
        var random = SplitMix(seed: TestRun.seed)
        let head = Array("<?xml version=\"1.0\"?>\n<tv>\n".utf8)
        let tail = Array("</tv>\n".utf8)
        let intact = RepairReading(ChunkSource(head + Self.records.joined() + tail))
        expectEqual(intact.records.count, 1 + Self.records.count)
        expectEmpty(intact.repairs)
        var lost = 0
        var sameCount = 0
        for number in 0..<Self.count {
            let place = Int.random(in: 0..<Self.records.count, using: &random)
            var record = Self.records[place]
            // After the first characters of the start tag, so that the reader recognizes the record, and before its end.
            let offset = Self.characterBoundary(record, Int.random(in: 11..<record.count - 2, using: &random))
            if Bool.random(using: &random) {
                record.insert(contentsOf: Self.faults.randomElement(using: &random) ?? [], at: offset)
            } else {
                let end = Self.characterBoundary(record, offset + Int.random(in: 1...30, using: &random))
                record.removeSubrange(offset..<end)
            }
            var records = Self.records
            records[place] = record
            let document = head + records.joined() + tail
            let whole = RepairReading(ChunkSource(document), asksForLines: number % 2 == 0)
            let name = "\(number): \(String(decoding: record, as: UTF8.self))"
            let strict = RepairReading(ChunkSource(document), recovery: .refuse, asksForLines: number % 2 == 0)
            if whole.fault != nil { Issue.record("\(name)\n\(String(describing: whole.fault))") }
            if strict.fault == nil {
                // Well-formed text keeps its meaning, even if a section now ends in the next record.
                sameCount += 1
                if let difference = RepairReading.difference(whole, strict) { Issue.record("\(name)\n\(difference)") }
            } else {
                if whole.repairs.isEmpty { Issue.record("\(name)\nno repairs") }
                let wanted = intact.records.enumerated().filter { $0.offset != place + 1 }.map(\.element.element)
                let missing = Self.missing(wanted, in: whole.records.map(\.element))
                if !missing.isEmpty { Issue.record("\(name)\n\(missing.count) missing: \(whole.summary)") }
                if whole.records.count < intact.records.count { lost += 1 }
            }
            let largest = Int.random(in: 1...17, using: &random)
            let chunked = RepairReading(
                ChunkSource(document) { Int.random(in: 1...largest, using: &random) }, asksForLines: number % 2 == 0)
            if let difference = RepairReading.difference(whole, chunked) { Issue.record("\(name)\n\(difference)") }
        }
        print("\(lost) of \(Self.count) faults lost a record; \(sameCount) guides stayed well-formed")
        #expect(lost > Self.count / 4)
    }

    /// Returns the nearest position that splits no character. A split character would be a second fault.
    private static func characterBoundary(_ record: [UInt8], _ offset: Int) -> Int {
        // Don't split the end of a section or comment, either.
        record[min(offset, record.count)...].firstIndex { $0 & 0xC0 != 0x80 && ![0x5D, 0x2D, 0x3E].contains($0) }
            ?? record.count
    }

    /// Returns the elements that are missing from a sequence.
    private static func missing(_ wanted: [XMLTVElement], in found: [XMLTVElement]) -> [XMLTVElement] {
        var missing: [XMLTVElement] = []
        var index = 0
        for element in wanted {
            if let next = found[index...].firstIndex(of: element) { index = next + 1 } else { missing.append(element) }
        }
        return missing
    }

    /// With any number of faults anywhere, the result is the same for any chunks, and the lines are correct.
    @Test func anyDocumentIsReadAlikeInChunks() {
        let documents =
            Corpus.written + Corpus.written.map(Self.lengthened)
            + [Array("<tv>\n".utf8) + Self.records.joined() + Array("</tv>\n".utf8)]
        var mutator = Mutator(of: documents, seed: TestRun.seed)
        var random = SplitMix(seed: ~TestRun.seed)
        for number in 0..<Self.count {
            let document = mutator.next() + (number % 5 == 0 ? mutator.next() : [])
            let whole = RepairReading(ChunkSource(document))
            let largest = Int.random(in: 1...17, using: &random)
            let chunked = RepairReading(ChunkSource(document) { Int.random(in: 1...largest, using: &random) })
            if let difference = RepairReading.difference(whole, chunked) {
                Issue.record("\(number): \(difference)\n\(Self.quote(document))")
            }
            let strict = RepairReading(ChunkSource(document), recovery: .refuse)
            if strict.fault == nil, whole != strict {
                // Valid text that is read differently is reported: HTML entities, nested documents, wrong declarations.
                if whole.repairs.isEmpty, whole.notes.isEmpty { Issue.record("\(number): \(Self.quote(document))") }
            }
            if number % 2 == 0 {
                let withoutLines = RepairReading(ChunkSource(document), asksForLines: false)
                if withoutLines.repairs != whole.repairs { Issue.record("lines of \(number): \(Self.quote(document))") }
            }
        }
    }

    /// Returns a document with spaces before its root, because the reader always reads the first thousand bytes together
    /// to detect the encoding.
    private static func lengthened(_ document: [UInt8]) -> [UInt8] {
        let start = document.indices.first { document[$0...].starts(with: "<tv".utf8) } ?? 0
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 900)
        return Array(document[..<start]) + blanks + document[start...]
    }

    private static func quote(_ document: [UInt8]) -> String {
        String(decoding: document.prefix(3000).map { $0 == 0 ? 0x23 : $0 }, as: UTF8.self)
    }
}
