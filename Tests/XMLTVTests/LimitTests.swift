import Testing
import XMLTV

@Suite struct LimitTests {
    @Test(arguments: [(31, true), (32, true), (33, false), (200_000, false)])
    func nestingDepthIsLimited(_ depth: Int, isAccepted: Bool) {
        let text = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        let fault = ScannerReading.read(text).fault
        #expect(fault?.reason == (isAccepted ? nil : .limit(.depth, 32)))
        if !isAccepted { #expect(fault?.offset == 32 * 3) }
    }

    @Test func emptyElementCountsAsALevel() {
        let open = String(repeating: "<a>", count: 32)
        #expect(ScannerReading.read(open + "<b/>").fault?.reason == .limit(.depth, 32))
    }

    @Test(arguments: [(0, true), (63, true), (64, true), (65, false), (5000, false)])
    func attributesOfATagAreLimited(_ count: Int, isAccepted: Bool) {
        let attributes = (0..<count).map { " a\($0)='\($0)'" }.joined()
        let fault = ScannerReading.read("<tv><x\(attributes)/></tv>").fault
        #expect(fault?.reason == (isAccepted ? nil : .limit(.attributes, 64)))
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
            #expect(fault?.reason == (isAccepted ? nil : .limit(.attributeBytes, 4096)))
        }
    }

    @Test func defaultLimitsMatchTheDocumentation() {
        let value = String(repeating: "v", count: 64 << 10)
        #expect(ScannerReading.read("<tv a='\(value)'/>").isAccepted)
        #expect(ScannerReading.read("<tv a='\(value)v'/>").fault?.reason == .limit(.attributeBytes, 64 << 10))
        let text = String(repeating: "t", count: 1 << 20)
        #expect(ScannerReading.read("<tv>\(text)</tv>").isAccepted)
        #expect(ScannerReading.read("<tv>\(text)t</tv>").fault?.reason == .limit(.textBytes, 1 << 20))
        #expect(ScannerReading.read("<tv><![CDATA[\(text)]]></tv>").isAccepted)
        #expect(ScannerReading.read("<tv><![CDATA[\(text)t]]></tv>").fault?.reason == .limit(.textBytes, 1 << 20))
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
                #expect(fault?.reason == (isAccepted ? nil : .limit(.textBytes, 4096)), "\(content.prefix(20))")
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
        #expect(ScannerReading.read(source, limits: limits).reading.fault == nil)
    }

    @Test func skippedEntitiesCountAsText() {
        var limits = XMLLimits()
        limits.textBytes = 100
        let document = "<!DOCTYPE tv SYSTEM 'x'><tv>" + String(repeating: "&a;", count: 34) + "</tv>"
        #expect(ScannerReading.read(document, limits: limits).fault?.reason == .limit(.textBytes, 100))
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
            #expect(fault?.reason == (isAccepted ? nil : .limit(.recordBytes, 5000)))
        }
    }

    /// White space and comments between children of the root don't count toward the limit of a record.
    @Test(arguments: [1000, 1 << 20])
    func anyNumberOfCommentsIsAllowedBetweenChildren(_ chunk: Int) {
        var limits = XMLLimits()
        limits.recordBytes = 2000
        let gap = String(repeating: "<!-- \(String(repeating: "c", count: 900)) -->\n", count: 400)
        let document = Array("\(gap)<tv>\(gap)<a/>\(gap)</tv>\(gap)".utf8)
        #expect(Self.plainRead(ChunkSource(document) { chunk }, limits) == nil)
    }

    @Test func nameLengthIsLimited() {
        let name = String(repeating: "n", count: 1024)
        #expect(ScannerReading.read("<\(name)/>").isAccepted)
        #expect(ScannerReading.read("<\(name)n/>").fault?.reason == .limit(.nameBytes, 1024))
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
        #expect(ScannerReading.read("<\(name)></\(name)>", limits: limits).isAccepted)
        #expect(ScannerReading.read("<\(name)n/>", limits: limits).fault?.reason == .limit(.nameBytes, 65_535))
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
        #expect(fault?.reason == .entityDeclaration)
        #expect(fault?.offset == 14)
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
        #expect(fault?.reason == .limit(.attributeBytes, 64 << 10))
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
