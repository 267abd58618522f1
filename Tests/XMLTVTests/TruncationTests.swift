import Testing
import XMLTV

@Suite struct TruncationTests {
    /// A document cut off anywhere before its last `>` is refused, and the message says so.
    @Test(arguments: Corpus.written)
    func documentCutOffAnywhereIsRefused(_ document: [UInt8]) throws {
        let end = try #require(Self.endOfRoot(document))
        #expect(ScannerReading.read(document).isAccepted)
        for length in 1..<end {
            let fault = ScannerReading.read(Array(document[..<length])).fault
            #expect(fault?.description.hasSuffix("it was cut off") == true, "\(length): \(String(describing: fault))")
        }
    }

    @Test func documentInUTF16CutOffAnywhereIsRefused() {
        let document: [UInt8] = [0xFF, 0xFE] + "<tv><a b=\"c\">x</a></tv>".utf8.flatMap { [$0, 0] as [UInt8] }
        #expect(ScannerReading.read(document).isAccepted)
        for length in 4..<document.count {
            let fault = ScannerReading.read(Array(document[..<length])).fault
            #expect(fault?.description.hasSuffix("it was cut off") == true, "\(length): \(String(describing: fault))")
        }
    }

    @Test func pieceBeforeTheCutIsStillRead() throws {
        var scanner = XMLScanner(ChunkSource(Array("<tv><a>1</a><b>2".utf8)))
        #expect(try scanner.next() == .root)
        #expect(try scanner.next() == .child)
        #expect(throws: XMLError.self) { try scanner.next() }
    }

    /// Behind the `>` of the root's end tag. The last `>` of a document may be a comment's.
    private static func endOfRoot(_ document: [UInt8]) -> Int? {
        let closing = Array("</tv>".utf8)
        let places = document.indices.dropLast(closing.count - 1)
        if let place = places.last(where: { document[$0..<$0 + closing.count].elementsEqual(closing) }) {
            return place + closing.count
        }
        return document.count
    }
}
