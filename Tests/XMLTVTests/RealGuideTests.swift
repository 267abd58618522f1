import Testing
import XMLTV

@Suite struct RealGuideTests {
    /// In the plain debug run guides above this are left out.
    private static let debugBytes = 2 << 20

    @Test(.enabled(if: SharedFolder.exists, "needs the real guides of ../shared/data"))
    func realGuidesAreReadAsLibexpatReadsThem() throws {
        var counts: [String: Int] = [:]
        var listed: [String] = []
        var bytesRead = 0
        var skipped = 0
        for file in SharedFolder.documents() {
            let bytes = try SharedFolder.bytes(of: file)
            if TestRun.isDebug, !TestRun.isSlow, bytes.count > Self.debugBytes {
                skipped += 1
                continue
            }
            bytesRead += bytes.count
            let ours = ScannerReading.read(ChunkSource(bytes))
            let verdict = OracleComparison.compare(bytes, ours.reading, convertedFrom: ours.encoding)
            counts[verdict.heading, default: 0] += 1
            switch verdict {
            case .bothAccept, .bothRefuse(onTheSameLine: true): break
            case .contradiction(let words): Issue.record("\(SharedFolder.name(of: file)): \(words)")
            default:
                let fault = ours.reading.fault.map { "\($0)" } ?? "accepted"
                listed.append("  \(SharedFolder.name(of: file)): \(fault) (\(verdict.heading))")
            }
        }
        print("real guides: \(bytesRead) bytes read, \(skipped) large files left out")
        for (heading, count) in counts.sorted(by: { $0.key < $1.key }) { print("  \(count) \(heading)") }
        print(listed.joined(separator: "\n"))
        #expect(counts["both read the same"] ?? 0 > 100)
    }
}
