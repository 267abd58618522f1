import EPGModel
import Testing

/// What a pruning or an import may take away.
@Suite struct LimitTests {
    @Test(arguments: [(0, 0, true), (1, 1, false), (1, 2, true), (2, 3, false), (50, 100, true), (51, 100, false)])
    func atMostHalfMayBePruned(count: Int, total: Int, mayGo: Bool) {
        let instant = Instant(secondsSince1970: 0)
        #expect((PruningLimit.half.refusal(ofRemoving: count, of: total, before: instant) == nil) == mayGo)
        #expect(PruningLimit.none.refusal(ofRemoving: count, of: total, before: instant) == nil)
    }

    @Test func refusedImportNamesBothNumbers() {
        let description = RefusedImport.fewAirings(found: 12, stored: 250, share: 50).description
        #expect(description == "the guide has 12 airings where 250 stand for the same time, less than 50 %")
    }
}
