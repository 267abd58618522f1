import EPGCalendar
import EPGModel
import Foundation
import TestSupport
import Testing

/// Compares with an independent implementation in Python; see `oracle.py`.
@Suite struct CronScheduleOracleTests {
    /// A row of `oracle.tsv`.
    struct Row: Sendable, CustomTestStringConvertible {
        let zone: String
        let expression: String
        let after: Int64
        let endOfWalk: Int64
        let runs: [Int64]

        init?(_ line: Substring) {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 5, let after = Int64(fields[2]), let end = Int64(fields[3]) else { return nil }
            zone = fields[0]
            expression = fields[1]
            self.after = after
            endOfWalk = end
            runs = fields[4].split(separator: " ").compactMap { Int64($0) }
        }

        var testDescription: String { "\(expression) \(zone) after \(after)" }
    }

    static func rows() throws -> [Row] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "oracle.tsv")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { try #require(Row($0), "\($0)") }
    }

    @Test func runsMatchTheOracle() throws {
        let rows = try CronScheduleOracleTests.rows()
        #expect(rows.count >= 500)
        for row in rows {
            let schedule = try schedule(row.expression, row.zone)
            var found: [Int64] = []
            var instant = Instant(secondsSince1970: row.after)
            while found.count < CronScheduleOracleTests.runsPerRow, let next = schedule.next(after: instant),
                next.secondsSince1970 < row.endOfWalk
            {
                found.append(next.secondsSince1970)
                instant = next
            }
            expectEqual(found, row.runs, "\(row.testDescription)")
        }
    }

    @Test func nextRunIsTheSameFromEveryInstantAfterPreviousRun() throws {
        for row in try CronScheduleOracleTests.rows() {
            guard let first = row.runs.first else { continue }
            let schedule = try schedule(row.expression, row.zone)
            for share in [0, 1, 2, 3] as [Int64] {
                let between = row.after + (first - 1 - row.after) * share / 3
                expectEqual(
                    schedule.next(after: Instant(secondsSince1970: between))?.secondsSince1970, first,
                    "\(row.testDescription), from \(between)")
            }
        }
    }

    /// The number of runs that `oracle.py` writes for each row.
    private static let runsPerRow = 5
}
