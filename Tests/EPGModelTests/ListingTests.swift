import EPGModel
import Testing

/// A listing packs its parts into few bytes; each must come out as it went in.
@Suite struct ListingTests {
    @Test func stopAndClumpKeepApart() {
        let stops: [Instant?] = [nil, Instant(secondsSince1970: 0), Instant(secondsSince1970: .max)]
        let clumps = [nil, Clump(index: 0, count: 2), Clump(index: 254, count: 255)]
        for stop in stops {
            for clump in clumps {
                var listing = Listing(
                    start: Instant(secondsSince1970: -5), stop: stop, programme: 3, contentKey: 4, titleKey: 5, line: 6,
                    richness: 7, clump: clump)
                #expect(listing.stop == stop)
                #expect(listing.clump == clump)
                listing.stop = nil
                #expect(listing.clump == clump)
                listing.clump = nil
                listing.stop = stop
                #expect(listing.clump == nil)
                #expect(listing.stop == stop)
                #expect(listing.start == Instant(secondsSince1970: -5))
            }
        }
    }

    @Test(arguments: [(0, 1), (2, 2), (-1, 2), (0, 0), (0, 256), (Int.max, Int.max), (0, Int.min)])
    func whatSharesNoWindowIsNoClump(index: Int, count: Int) {
        #expect(Clump(index: index, count: count) == nil)
    }
}
