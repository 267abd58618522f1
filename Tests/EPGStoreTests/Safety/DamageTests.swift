import EPGModel
import EPGSQL
import EPGStore
import Foundation
import StoreConformance
import TestSupport
import Testing

/// Reads of a database with a flipped bit or a truncated file succeed or fail with a message, and never crash.
@Suite struct DamageTests {
    private let scratch: ScratchGuide
    private let intact: Data

    init() throws {
        let airings = (0..<600).map {
            "s\($0 % 6) \($0 / 6):00-\($0 / 6):50 T\($0) / Part \($0 % 7): Words of \($0 * 977)."
        }
        scratch = try ScratchGuide(airings)
        try scratch.importing((0..<40).map { "s1 \($0):30-\($0 + 1):10 Other\($0)" }, as: Source(name: "other"))
        _ = try scratch.store.saveLineup(Lineup("cable", ["s1 1", "s2 2", "x 3"]), matcher: TableMatcher())
        try scratch.store.refreshSearchIndex()
        try scratch.close()
        intact = try Data(contentsOf: URL(filePath: scratch.path))
    }

    @Test func damagedDatabaseIsReadOrRejectedWithMessage() throws {
        var damaged = DamagedFile(intact, seed: 6)
        var (succeeded, failed, found) = (0, 0, 0)
        for _ in 0..<2 * DamagedFile.cases {
            let (bytes, fault) = damaged.next()
            for suffix in ["-wal", "-shm"] { unlink(scratch.path + suffix) }
            try bytes.write(to: URL(filePath: scratch.path))
            var failures: [any Error] = []
            for query in Self.queries {
                do {
                    try query(GuideStore(readingFrom: scratch.path))
                    succeeded += 1
                } catch {
                    failures.append(error)
                    failed += 1
                }
            }
            let messages = failures.map { "\($0)" }
            #expect(failures.allSatisfy { $0 is StoreError }, "\(fault): \(messages)")
            #expect(messages.allSatisfy { $0.contains(scratch.path) && $0.hasSuffix(".") }, "\(fault): \(messages)")
            found += try Self.finds(in: scratch.path) ? 1 : 0
        }
        print(
            "\(2 * DamagedFile.cases) damaged files: \(succeeded) queries succeeded, \(failed) failed; "
                + "the check found damage in \(found) files")
        #expect(succeeded > 0 && failed > 0 && found > 0)
    }

    @Test func truncatedFileIsAlwaysFoundByCheck() throws {
        // Complete pages, and one byte more or less.
        for page in 0..<intact.count / 4096 {
            for length in [page * 4096, page * 4096 + 1, page * 4096 + 4095] {
                for suffix in ["-wal", "-shm"] { unlink(scratch.path + suffix) }
                try Data(intact.prefix(length)).write(to: URL(filePath: scratch.path))
                try expectEqual(Self.finds(in: scratch.path), true, "\(length) of \(intact.count)")
            }
        }
    }

    @Test func damagedSearchIndexIsReportedAndRebuilt() throws {
        let index = scratch.path + "-search"
        try Data(repeating: 0x2A, count: 8192).write(to: URL(filePath: index))
        for suffix in ["-wal", "-shm"] { unlink(index + suffix) }
        let check = try GuideStore(readingFrom: scratch.path).check()
        expectEqual((check.problems, check.isIntact), ([], false))
        expectEqual(check.searchDamage?.contains(index), true)
        try scratch.store.refreshSearchIndex()
        try scratch.close()
        let again = try GuideStore(readingFrom: scratch.path).check()
        expectEqual((again.isIntact, again.isSearchComplete), (true, true))
    }

    /// Returns whether a check finds damage.
    private static func finds(in path: String) throws -> Bool {
        do {
            return try !GuideStore(readingFrom: path).check().problems.isEmpty
        } catch is StoreError {
            return true
        }
    }

    private static let rows = 0..<20
    private typealias Query = @Sendable (GuideStore) throws -> Void

    /// Queries of the commands and the service. They are appended one by one, because the compiler cannot check one literal of all.
    private static let queries: [Query] = {
        var all: [Query] = []
        all.append { _ = try $0.stations(inRows: rows) }
        all.append { _ = try $0.schedules(inRows: rows, during: Day.window("00:00-30:00")) }
        all.append { _ = try $0.schedules(inRows: rows, during: Day.allTime) }
        all.append { _ = try $0.nowAndNext(at: Day.instant("20:10"), inRows: rows) }
        all.append { store in
            for station in 0..<6 { _ = try store.schedule(of: StationID("s\(station)"), during: Day.allTime) }
        }
        all.append { store in
            for id in stride(from: Int64(1), through: 640, by: 7) { _ = try store.airing(AiringID(id)) }
        }
        all.append { _ = try $0.search(SearchQuery(words: "words", now: Day.instant("20:00"), order: .start)).matches }
        all.append { _ = try $0.search(SearchQuery(words: "part", now: Day.instant("20:00"))) }
        all.append { _ = try $0.sources() }
        all.append { _ = try $0.sourceRecords() }
        all.append { _ = try $0.changes(since: Generation(0)) }
        all.append { _ = try $0.changes(since: .generation(Generation(1)), of: nil) }
        all.append { _ = try $0.stations(StationFilter(text: "s"), offset: 0, limit: 10) }
        all.append { _ = try $0.categories() }
        all.append { _ = try $0.stationGroups() }
        all.append { _ = try $0.guideSpan() }
        all.append { _ = try $0.version() }
        all.append { _ = try $0.hasOldAirings(retention: 0, now: Day.instant("20:00")) }
        all.append { store in
            for name in try store.lineups() {
                _ = try store.lineup(named: name)
            }
        }
        all.append { _ = try $0.mappings() }
        all.append { _ = try $0.favorites() }
        all.append { _ = try ExportLog.of($0) }
        all.append { try $0.diagnostics(ofImport: 1) { _ in true } }
        return all
    }()
}
