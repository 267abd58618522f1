import EPGModel
import TestSupport
import Testing

/// Tests of the compact representation of listings.
@Suite struct ListingTests {
    @Test func stopAndClumpAreIndependent() {
        let stops: [Instant?] = [nil, Instant(secondsSince1970: 0), Instant(secondsSince1970: .max)]
        let clumps = [nil, Clump(index: 0, count: 2), Clump(index: 254, count: 255)]
        for stop in stops {
            for clump in clumps {
                var listing = Listing(
                    start: Instant(secondsSince1970: -5), stop: stop, programme: 3, contentKey: 4, titleKey: 5, line: 6,
                    richness: 7, clump: clump)
                expectEqual(listing.stop, stop)
                expectEqual(listing.clump, clump)
                listing.stop = nil
                expectEqual(listing.clump, clump)
                listing.clump = nil
                listing.stop = stop
                expectEqual(listing.clump, nil)
                expectEqual(listing.stop, stop)
                expectEqual(listing.start, Instant(secondsSince1970: -5))
            }
        }
    }

    @Test(arguments: [(0, 1), (2, 2), (-1, 2), (0, 0), (0, 256), (Int.max, Int.max), (0, Int.min)])
    func invalidClumpsAreNil(index: Int, count: Int) {
        expectEqual(Clump(index: index, count: count), nil)
    }
}

/// Tests of the limits of pruning and imports.
@Suite struct LimitTests {
    @Test(arguments: [(0, 0, true), (1, 1, false), (1, 2, true), (2, 3, false), (50, 100, true), (51, 100, false)])
    func atMostHalfOfAiringsIsPruned(count: Int, total: Int, isAllowed: Bool) {
        let instant = Instant(secondsSince1970: 0)
        #expect((PruningLimit.half.refusal(ofRemoving: count, of: total, before: instant) == nil) == isAllowed)
        expectEqual(PruningLimit.none.refusal(ofRemoving: count, of: total, before: instant), nil)
    }

    @Test func rejectedImportReportsBothCounts() {
        let description = RefusedImport.fewAirings(found: 12, stored: 250, share: 50).description
        expectEqual(
            description, "the new guide has 12 airings; the stored guide has 250 for the same time (minimum: 50%)")
    }
}
