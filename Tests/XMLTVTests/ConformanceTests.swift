import Testing
import XMLTV

@Suite struct ConformanceTests {
    @Test(.enabled(if: ConformanceSuite.isAvailable, "needs ../shared/data/xmlts20130923.zip and unzip"))
    func w3cSuiteIsReadAsItMustBe() throws {
        let suite = try ConformanceSuite()
        #expect(suite.cases.count == 2586)
        var counts: [ConformanceOutcome: [ConformanceCase.Kind: Int]] = [:]
        var exceptions: [ConformanceOutcome: [String]] = [:]
        for test in suite.cases {
            let bytes = try suite.bytes(of: test)
            let ours = ScannerReading.read(ChunkSource(bytes))
            let verdict = OracleComparison.compare(bytes, ours.reading, convertedFrom: ours.encoding)
            let outcome = ConformanceOutcome(test, bytes, ours.reading, verdict) { suite.entity($0, of: test) }
            counts[outcome, default: [:]][test.kind, default: 0] += 1
            if outcome.isException { exceptions[outcome, default: []].append(test.path) }
            if outcome == .violation {
                let fault = ours.reading.fault.map { "\($0)" } ?? "accepted"
                Issue.record("\(test.kind.rawValue) \(test.path): \(fault); \(verdict)")
            }
        }
        print(Self.table(counts))
        print(Self.list(exceptions))
        // The suite must have been able to fail: what it is there for has happened many times.
        #expect(counts[.refusedFault]?[.notWellFormed] ?? 0 > 500)
        #expect(counts[.readTheSame]?[.valid] ?? 0 > 300)
    }

    private static func table(_ counts: [ConformanceOutcome: [ConformanceCase.Kind: Int]]) -> String {
        let kinds = ConformanceCase.Kind.allCases
        var lines = [kinds.map { column($0.rawValue) }.joined() + "  outcome"]
        for outcome in ConformanceOutcome.allCases {
            guard let row = counts[outcome] else { continue }
            lines.append(kinds.map { column("\(row[$0] ?? 0)") }.joined() + "  \(outcome.rawValue)")
        }
        return lines.joined(separator: "\n")
    }

    private static func column(_ text: String) -> String {
        String(repeating: " ", count: max(1, 9 - text.count)) + text
    }

    private static func list(_ exceptions: [ConformanceOutcome: [String]]) -> String {
        var lines: [String] = []
        for outcome in ConformanceOutcome.allCases {
            guard let paths = exceptions[outcome] else { continue }
            lines.append("\(outcome.rawValue): \(paths.sorted().joined(separator: " "))")
        }
        return lines.joined(separator: "\n")
    }
}
