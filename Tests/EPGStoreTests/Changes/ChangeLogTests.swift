import EPGModel
import EPGStore
import StoreConformance
import TestSupport
import Testing

/// The change log keeps at most 2,000 changes of a station per generation.
@Suite struct ChangeLogTests {
    @Test(arguments: [2000, 2001]) func moreThan2000ChangesCountAsCompleteSchedule(count: Int) throws {
        let scratch = try ScratchGuide(["one 0:00-0:01 A"])
        try scratch.importing((1...count).map { "one 0:\($0)-0:\($0 + 1) T\($0)" })
        let extents = try #require(try scratch.store.changes(since: Generation(1))).stations.map(\.extent)
        guard case .airings(let changes)? = extents.first else {
            expectEqual(extents, [.whole])
            expectEqual(count, 2001)
            return
        }
        #expect(count == 2000 && changes.count == 2000 && changes.allSatisfy { $0.kind == .inserted })
    }

    @Test func tooManyChangesOfSeveralGenerationsCountAsCompleteSchedule() throws {
        let scratch = try ScratchGuide(["one 0:00-0:01 A"])
        try scratch.importing((1...2000).map { "one 0:\($0)-0:\($0 + 1) T\($0)" })
        try scratch.importing(["one 0:2001-0:2002 T2001"])
        try expectEqual(scratch.changes(since: 2).count, 1)
        try expectEqual(scratch.changes(since: 1), ["one *"])
    }
}
