import Testing
import XMLTV

@Suite struct MutationTests {
    /// Broken documents are refused where libexpat refuses them and read as it reads them elsewhere, however the bytes
    /// come.
    @Test func brokenDocumentsAreTakenAsLibexpatTakesThem() throws {
        let seed = TestRun.seed
        let count = TestRun.mutations
        var guides: [[UInt8]] = []
        if SharedFolder.exists {
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
            if case .contradiction(let words) = verdict {
                Issue.record("mutation \(number) of seed \(seed): \(words)\n\(Self.quote(document))")
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
        #expect(counts["both read the same"] ?? 0 > count / 20)
    }

    private static func quote(_ document: [UInt8]) -> String {
        let text = String(decoding: document.prefix(3000), as: UTF8.self)
        return text.unicodeScalars.map { $0.value < 0x20 && $0 != "\n" ? "\\x\($0.value)" : String($0) }.joined()
    }
}
