import TestSupport
import Testing
import XMLTV

@Suite struct LimitTests {
    /// A document, and the reason of its rejection by the default limits.
    private struct Row: CustomTestStringConvertible {
        let testDescription: String
        let document: String
        let reason: XMLError.Reason?

        init(_ rule: String, _ document: String, _ reason: XMLError.Reason? = nil) {
            (testDescription, self.document, self.reason) = (rule, document, reason)
        }
    }

    private static let depthRows: [Row] = [31, 32, 33, 200_000].map { (depth: Int) -> Row in
        let text = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        return Row("depth \(depth)", text, depth <= 32 ? nil : .limit(.depth, 32))
    }

    private static let attributeRows: [Row] = [0, 63, 64, 65, 5000].map { (count: Int) -> Row in
        let attributes = (0..<count).map { " a\($0)='\($0)'" }.joined()
        return Row("\(count) attributes", "<tv><x\(attributes)/></tv>", count <= 64 ? nil : .limit(.attributes, 64))
    }

    /// The limits of the documentation.
    private static let lengthRows: [Row] = {
        let value = String(repeating: "v", count: 64 << 10)
        let text = String(repeating: "t", count: 1 << 20)
        let name = String(repeating: "n", count: 1024)
        return [
            Row("value", "<tv a='\(value)'/>"),
            Row("long value", "<tv a='\(value)v'/>", .limit(.attributeBytes, 64 << 10)),
            Row("text", "<tv>\(text)</tv>"), Row("long text", "<tv>\(text)t</tv>", .limit(.textBytes, 1 << 20)),
            Row("section", "<tv><![CDATA[\(text)]]></tv>"),
            Row("long section", "<tv><![CDATA[\(text)t]]></tv>", .limit(.textBytes, 1 << 20)),
            Row("name", "<\(name)/>"), Row("long name", "<\(name)n/>", .limit(.nameBytes, 1024)),
            Row(
                "empty elements count as levels", String(repeating: "<a>", count: 32) + "<b/>", .limit(.depth, 32)),
        ]
    }()

    @Test(arguments: depthRows + attributeRows + lengthRows)
    private func documentAboveDefaultLimitIsRejected(_ row: Row) {
        expectEqual(ScannerReading.read(row.document).fault?.reason, row.reason)
    }

    @Test func faultOfDepthIsAtTheFirstElementTooDeep() {
        for row in Self.depthRows where row.reason != nil {
            expectEqual(ScannerReading.read(row.document).fault?.offset, 32 * 3)
        }
    }

    @Test func skippedEntitiesCountAsText() {
        var limits = XMLLimits()
        limits.textBytes = 100
        let document = "<!DOCTYPE tv SYSTEM 'x'><tv>" + String(repeating: "&a;", count: 34) + "</tv>"
        expectEqual(ScannerReading.read(document, limits: limits).fault?.reason, .limit(.textBytes, 100))
    }

    /// One byte above the limit is rejected, wherever the limit falls within a character.
    @Test(arguments: ["x", "\u{E9}", "\u{4E2D}", "\u{1F600}", "&amp;", "\n"], [1, 1000, 1 << 20])
    func attributeLengthIsLimited(_ unit: String, chunk: Int) {
        var limits = XMLLimits()
        limits.attributeBytes = 4096
        for (count, isAccepted) in [(4095, true), (4096, true), (4097, false)] {
            let value = Self.text(of: unit, count: count)
            let document = Array("<tv a='\(value)'/>".utf8)
            let fault = ScannerReading.read(ChunkSource(document) { chunk }, limits: limits).reading.fault
            expectEqual(fault?.reason, isAccepted ? nil : .limit(.attributeBytes, 4096))
        }
    }

    /// Text and CDATA sections up to the next tag count as one text, and so does white space.
    @Test(arguments: ["x", "\u{E9}", "\u{1F600}", "]", "\n"], [1, 999, 1 << 20])
    func textLengthIsLimited(_ unit: String, chunk: Int) {
        var limits = XMLLimits()
        limits.textBytes = 4096
        for (count, isAccepted) in [(4095, true), (4096, true), (4097, false)] {
            let text = Self.text(of: unit, count: count)
            let half = Self.text(of: "y", count: 2000)
            let rest = Self.text(of: unit, count: count - 2000)
            let mixed = ["\(half)<![CDATA[\(rest)]]>", "<![CDATA[\(half)]]><!-- -->\(rest)"]
            for content in [text, "<![CDATA[\(text)]]>"] + mixed {
                let document = Array("<tv><a>\(content)</a></tv>".utf8)
                let fault = ScannerReading.read(ChunkSource(document) { chunk }, limits: limits).reading.fault
                expectEqual(fault?.reason, isAccepted ? nil : .limit(.textBytes, 4096), "\(content.prefix(20))")
            }
        }
    }

    /// A chunk that ends within `]]>` adds nothing to the text.
    @Test func endOfCDATASectionIsNotCounted() {
        var limits = XMLLimits()
        limits.textBytes = 4096
        let beginning = Array("<tv><![CDATA[\(String(repeating: "x", count: 4096))]]".utf8)
        var chunks = [beginning, Array("></tv>".utf8)]
        let source = ChunkSource { chunks.isEmpty ? nil : chunks.removeFirst() }
        expectEqual(ScannerReading.read(source, limits: limits).reading.fault, nil)
    }

    /// A child of the root counts from its `<` to its end, for any chunks.
    @Test(arguments: [1, 7, 4096, 1 << 20])
    func recordLengthIsLimited(_ chunk: Int) {
        var limits = XMLLimits()
        limits.recordBytes = 5000
        for (count, isAccepted) in [(4999, true), (5000, true), (5001, false)] {
            let child = "<a>" + String(repeating: "<b/>", count: 1000)
            let rest = String(repeating: "x", count: count - child.utf8.count - 4)
            let document = Array("<tv>\(String(repeating: " ", count: 3000))<c/>\n  \(child)\(rest)</a></tv>".utf8)
            let fault = Self.plainRead(ChunkSource(document) { chunk }, limits)
            expectEqual(fault?.reason, isAccepted ? nil : .limit(.recordBytes, 5000))
        }
    }

    /// White space and comments between children of the root don't count toward the limit of a record.
    @Test(arguments: [1000, 1 << 20])
    func anyNumberOfCommentsIsAllowedBetweenChildren(_ chunk: Int) {
        var limits = XMLLimits()
        limits.recordBytes = 2000
        let gap = String(repeating: "<!-- \(String(repeating: "c", count: 900)) -->\n", count: 400)
        let document = Array("\(gap)<tv>\(gap)<a/>\(gap)</tv>\(gap)".utf8)
        expectEqual(Self.plainRead(ChunkSource(document) { chunk }, limits), nil)
    }

    @Test func limitsAreClampedToTheCountableRange() {
        var limits = XMLLimits()
        limits.depth = .max
        limits.attributes = .max
        limits.attributeBytes = .max
        limits.textBytes = .max
        limits.recordBytes = .max
        limits.nameBytes = .max
        let name = String(repeating: "n", count: 65_535)
        expectEqual(ScannerReading.read("<\(name)></\(name)>", limits: limits).isAccepted, true)
        expectEqual(ScannerReading.read("<\(name)n/>", limits: limits).fault?.reason, .limit(.nameBytes, 65_535))
    }

    @Test func negativeLimitsRejectWithoutTrap() {
        var limits = XMLLimits()
        limits.depth = -1
        limits.attributes = .min
        limits.attributeBytes = -5
        limits.textBytes = -1
        limits.recordBytes = -1
        limits.nameBytes = .min
        #expect(ScannerReading.read("<tv a=''><b/></tv>", limits: limits).fault != nil)
    }

    /// `<!ENTITY` is rejected before an entity can expand.
    @Test func entityBombIsRejected() {
        var document = "<!DOCTYPE tv [<!ENTITY a0 'lol'>"
        for level in 1...9 {
            let references = String(repeating: "&a\(level - 1);", count: 10)
            document += "<!ENTITY a\(level) '\(references)'>"
        }
        let fault = ScannerReading.read(document + "]><tv>&a9;</tv>").fault
        expectEqual(fault?.reason, .entityDeclaration)
        expectEqual(fault?.offset, 14)
    }

    @Test(arguments: [1 << 10, 64 << 10, 1 << 20])
    func unclosedAttributeOf20MBIsRejectedEarly(_ chunk: Int) {
        var served = 0
        var isFirst = true
        let source = ChunkSource {
            guard served < 20 << 20 else { return nil }
            served += chunk
            defer { isFirst = false }
            return isFirst ? Array("<tv a=\"".utf8) : [UInt8](repeating: 0x78, count: chunk)
        }
        let fault = ScannerReading.read(source).reading.fault
        expectEqual(fault?.reason, .limit(.attributeBytes, 64 << 10))
        #expect(served < 4 << 20)
    }

    private static func text(of unit: String, count: Int) -> String {
        let size = unit.utf8.count
        return String(repeating: unit, count: count / size) + String(repeating: "z", count: count % size)
    }

    /// Reads a document without requesting the tokens that only tests need.
    private static func plainRead(_ source: ChunkSource, _ limits: XMLLimits) -> XMLError? {
        var scanner = XMLScanner(source, limits: limits)
        do throws(XMLError) {
            while try scanner.next() != nil {}
            return nil
        } catch {
            return error
        }
    }
}
