import TestSupport
import Testing
import XMLTV

@Suite struct ChunkTests {
    private static let splitDocuments: [[UInt8]] = [
        "<tv>a]]&gt;b] ]]x</tv>", "<tv><![CDATA[a]]]]><![CDATA[>]]]></tv>", "<tv>a\r\nb\rc\r\r\n</tv>",
        "<tv a='\r\n\r \n'/>", "<tv>\u{1F600}\u{4E2D}\u{E9}</tv>", "<tv>&#x1F600;&#00000000000000065;&lt;</tv>",
        "<\u{E9}\u{4E2D} \u{E9}='\u{1F600}'></\u{E9}\u{4E2D}>", "<tv>]]></tv>", "<tv><!-- -- --></tv>",
    ].map { Array($0.utf8) }

    /// `]]>`, CR LF, multi-byte characters, tags: a chunk may end anywhere.
    @Test(arguments: Corpus.written + splitDocuments)
    func chunkSizeDoesNotMatter(_ document: [UInt8]) {
        let whole = ScannerReading.read(document)
        for size in 1...max(1, min(document.count, 64)) {
            let chunked = ScannerReading.read(ChunkSource(document) { size }).reading
            expectEqual(XMLLog.difference(whole.log, chunked.log), nil)
            expectEqual(whole.fault, chunked.fault)
        }
    }

    /// Odd chunks fill a window unevenly. No byte may be lost.
    @Test(arguments: [1 << 10, 90_000, 131_071, 180_001, 262_143, 524_289])
    func largeTextsAreCompleteInOddChunks(_ size: Int) {
        // More than the largest chunk, and in CI nearly the longest text that the limits allow.
        let text = String(repeating: "0123456789", count: TestScope.current >= .integration ? 100_000 : 30_000)
        let document = Array("<tv><a>\(text)</a><b>\(text)</b></tv>".utf8)
        let reading = ScannerReading.read(ChunkSource(document) { size }).reading
        expectEqual(reading.fault, nil)
        expectEqual(reading.log.bytes.count, 2 * (text.utf8.count + 4) + 4)
    }

    @Test func emptyChunksAreNotTheEnd() {
        var chunks: [[UInt8]] = [[], Array("<t".utf8), [], [], Array("v/>".utf8), []]
        let source = ChunkSource { chunks.isEmpty ? nil : chunks.removeFirst() }
        expectEqual(ScannerReading.read(source).reading.fault, nil)
    }

    /// The work is linear in the bytes, not quadratic: a text of a megabyte in single bytes.
    @Test func singleBytesOfALargeTextAreReadInLinearTime() {
        func seconds(_ count: Int) -> Double {
            let document = Array("<tv>".utf8) + [UInt8](repeating: 0x78, count: count) + Array("</tv>".utf8)
            return TestRun.processorSeconds {
                expectEqual(ScannerReading.read(ChunkSource(document) { 1 }).reading.fault, nil)
            }
        }
        let base = seconds(20_000)
        // For sixteen times the bytes, linear work takes sixteen times as long and quadratic work 256 times.
        #expect(seconds(320_000) < 100 * max(base, 0.001))
    }
}

@Suite(.serialized) struct MemoryTests {
    /// A guide of any length is read in the memory of one record.
    @Test func memoryDoesNotGrowWithTheGuide() throws {
        let title = String(repeating: "t", count: 900)
        let record = Array("<programme channel='a'><title>\(title)</title></programme>\n".utf8)
        let chunk = [[UInt8]](repeating: record, count: 64).flatMap { $0 }
        let wanted = TestRun.isDebug ? 200 : 4000
        var served = -1
        let source = ChunkSource {
            served += 1
            if served == 0 { return Array("<tv>".utf8) }
            return served <= wanted ? chunk : served == wanted + 1 ? Array("</tv>".utf8) : nil
        }
        var scanner = XMLScanner(source)
        var children = 0
        var largest = 0
        while let piece = try scanner.next() {
            guard piece == .child else { continue }
            children += 1
            largest = max(largest, scanner.bytes.capacity)
        }
        expectEqual(children, wanted * 64)
        // The window holds one read, and nothing that has already been processed.
        #expect(largest < 1 << 20)
    }

    @Test func windowGrowsOnlyToTheLargestRecord() throws {
        let text = String(repeating: "x", count: 1 << 20)
        let children = String(repeating: "<a><b>\(text)</b></a>", count: 4)
        var scanner = XMLScanner(ChunkSource(Array("<tv>\(children)</tv>".utf8)) { 10_000 })
        var largest = 0
        while try scanner.next() != nil { largest = max(largest, scanner.bytes.capacity) }
        #expect(largest < 5 << 20)
    }
}
