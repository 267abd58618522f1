import TestSupport
import Testing
import XMLTV

@Suite struct MutationTests {
    /// The scanner rejects a broken document if libexpat does, and otherwise reports the same, for any chunks.
    @Test func mutatedDocumentsMatchLibexpat() throws {
        let seed = TestRun.seed
        let count = TestRun.mutations
        var guides: [[UInt8]] = []
        if Requirement.sharedData().isMet {
            let largest = TestRun.isDebug ? 2 << 20 : 32 << 20
            guides = try SharedFolder.documents().map(SharedFolder.bytes).filter { $0.count < largest }
        }
        let pieces = TestRun.isDebug ? 400 : 4000
        let documents = Corpus.written + Corpus.pieces(of: guides, count: pieces, seed: seed)
        var mutator = Mutator(of: documents, seed: seed)
        var random = SplitMix(seed: ~seed)
        var counts: [String: Int] = [:]
        for number in 0..<count {
            let document = mutator.next()
            let (ours, encoding) = ScannerReading.read(ChunkSource(document))
            let verdict = OracleComparison.compare(document, ours, convertedFrom: encoding)
            counts[verdict.heading, default: 0] += 1
            if case .contradiction(let message) = verdict {
                Issue.record("mutation \(number) of seed \(seed): \(message)\n\(Self.quote(document))")
            }
            let largest = Int.random(in: 1...max(1, document.count), using: &random)
            let chunked = ScannerReading.read(
                ChunkSource(document) { Int.random(in: 1...largest, using: &random) }
            ).reading
            if XMLLog.difference(ours.log, chunked.log) != nil || ours.fault != chunked.fault {
                let faults = "\(String(describing: ours.fault)), in chunks \(String(describing: chunked.fault))"
                let place = "mutation \(number) of seed \(seed), chunks up to \(largest)"
                Issue.record("\(place): \(faults)\n\(Self.quote(document))")
            }
        }
        print("\(count) mutations of \(documents.count) documents, seed \(seed):")
        for (heading, count) in counts.sorted(by: { $0.key < $1.key }) { print("  \(count) \(heading)") }
        #expect(counts["both accept"] ?? 0 > count / 20)
    }

    private static func quote(_ document: [UInt8]) -> String {
        let text = String(decoding: document.prefix(3000), as: UTF8.self)
        return text.unicodeScalars.map { $0.value < 0x20 && $0 != "\n" ? "\\x\($0.value)" : String($0) }.joined()
    }
}

@Suite struct TruncationTests {
    /// A document truncated anywhere before its last `>` is rejected, and the message says so.
    @Test(arguments: Corpus.written)
    func truncatedDocumentIsRejected(_ document: [UInt8]) throws {
        let end = try #require(Self.endOfRoot(document))
        expectEqual(ScannerReading.read(document).isAccepted, true)
        for length in 1..<end {
            let fault = ScannerReading.read(Array(document[..<length])).fault
            expectEqual(
                fault?.description.contains("the document is truncated"), true,
                "\(length): \(String(describing: fault))")
        }
    }

    @Test func truncatedUTF16DocumentIsRejected() {
        let document: [UInt8] = [0xFF, 0xFE] + "<tv><a b=\"c\">x</a></tv>".utf8.flatMap { [$0, 0] as [UInt8] }
        expectEqual(ScannerReading.read(document).isAccepted, true)
        for length in 4..<document.count {
            let fault = ScannerReading.read(Array(document[..<length])).fault
            expectEqual(
                fault?.description.contains("the document is truncated"), true,
                "\(length): \(String(describing: fault))")
        }
    }

    @Test func pieceBeforeTruncationIsRead() throws {
        var scanner = XMLScanner(ChunkSource(Array("<tv><a>1</a><b>2".utf8)))
        try expectEqual(scanner.next(), .root)
        try expectEqual(scanner.next(), .child)
        expectThrows(XMLError.self) { try scanner.next() }
    }

    /// Returns the position after the `>` of the root's end tag. The last `>` of a document may belong to a comment.
    private static func endOfRoot(_ document: [UInt8]) -> Int? {
        let closing = Array("</tv>".utf8)
        let places = document.indices.dropLast(closing.count - 1)
        if let place = places.last(where: { document[$0..<$0 + closing.count].elementsEqual(closing) }) {
            return place + closing.count
        }
        return document.count
    }
}

@Suite struct RealGuideTests {
    /// Debug builds skip guides above this size in bytes.
    private static let debugBytes = 64 << 10

    @Test(.needs(.sharedData()))
    func realGuidesMatchLibexpat() throws {
        var counts: [String: Int] = [:]
        var listed: [String] = []
        var bytesRead = 0
        var skipped = 0
        for file in SharedFolder.documents() {
            let bytes = try SharedFolder.bytes(of: file)
            if TestRun.isDebug, TestScope.current < .release, bytes.count > Self.debugBytes {
                skipped += 1
                continue
            }
            bytesRead += bytes.count
            let ours = ScannerReading.read(ChunkSource(bytes))
            let verdict = OracleComparison.compare(bytes, ours.reading, convertedFrom: ours.encoding)
            counts[verdict.heading, default: 0] += 1
            switch verdict {
            case .bothAccept, .bothReject(onTheSameLine: true): break
            case .contradiction(let message): Issue.record("\(SharedFolder.name(of: file)): \(message)")
            default:
                let fault = ours.reading.fault.map { "\($0)" } ?? "accepted"
                listed.append("  \(SharedFolder.name(of: file)): \(fault) (\(verdict.heading))")
            }
        }
        print("real guides: \(bytesRead) bytes read, \(skipped) large files skipped")
        for (heading, count) in counts.sorted(by: { $0.key < $1.key }) { print("  \(count) \(heading)") }
        print(listed.joined(separator: "\n"))
        #expect(counts["both accept"] ?? 0 > 100)
    }
}
