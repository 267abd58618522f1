import EPGImport
import EPGModel
import Testing

/// What holds of every result, on random listings; the seed is the test's argument.
@Suite struct NormaliserPropertyTests {
    static let seeds = Array(UInt64(1)...200)

    @Test(arguments: seeds) func theOrderOfTheInputDecidesNothing(seed: UInt64) {
        var random = NormaliserGenerator(seed: seed)
        let listings = NormaliserRandomListings.make(with: &random)
        let result = Normaliser().normalise(listings)
        for _ in 0..<4 {
            #expect(Normaliser().normalise(listings.shuffled(using: &random)) == result)
        }
    }

    @Test(arguments: seeds) func theLineDecidesNothing(seed: UInt64) {
        var random = NormaliserGenerator(seed: seed)
        let listings = NormaliserRandomListings.make(with: &random)
        let renumbered = zip(listings, listings.indices.reversed()).map { listing, number in
            var listing = listing
            listing.line = UInt32(number)
            return listing
        }
        let result = Normaliser().normalise(renumbered)
        #expect(result.airings == Normaliser().normalise(listings).airings)
    }

    @Test(arguments: [["A 20:00-?", "A 20:00-19:00"], ["A 20:00-21:00", "A 20:00-21:00 0/2"]])
    func theLineDecidesNotEvenBetweenListingsOfOneContent(listings: [String]) {
        let (forward, backward) = (
            NormaliserNotation.listings(listings), NormaliserNotation.listings(listings.reversed())
        )
        let (result, other) = (Normaliser().normalise(forward), Normaliser().normalise(backward))
        #expect(result.airings == other.airings)
        #expect(result.repairs.map(NormaliserNotation.text) == other.repairs.map(NormaliserNotation.text))
        #expect(result.repairs.map(\.listing.published) == other.repairs.map(\.listing.published))
    }

    @Test func theContentKeyDecidesBetweenEquallyRichOnes() {
        let listings = [(key: UInt64(2), programme: Int64(1)), (key: 1, programme: 2)].map { key, programme in
            Listing(
                start: Instant(secondsSince1970: 0), stop: Instant(secondsSince1970: 60), programme: programme,
                contentKey: key, titleKey: 0, line: 1, richness: 0)
        }
        #expect(Normaliser().normalise(listings).airings.map(\.programme) == [2])
        #expect(Normaliser().normalise(listings.reversed()).airings.map(\.programme) == [2])
    }

    @Test(arguments: seeds) func theResultIsASchedule(seed: UInt64) throws {
        var random = NormaliserGenerator(seed: seed)
        let result = Normaliser().normalise(NormaliserRandomListings.make(with: &random))
        let airings = result.airings.enumerated().map {
            Airing(
                id: AiringID(Int64($0)), station: StationID("s"), window: $1.window, clump: $1.clump, title: "t")
        }
        _ = try Schedule(checking: airings, of: StationID("s"))
        #expect(result.airings.allSatisfy { !$0.window.isEmpty && $0.window.seconds <= 24 * 3600 })
        // Those of one window are parts of one clump, and nobody else is.
        for (index, airing) in result.airings.enumerated() {
            let count = result.airings.count { $0.window == airing.window }
            #expect((count > 1) == (airing.clump != nil), "airing \(index)")
        }
    }

    @Test(arguments: seeds) func everyListingIsAccountedForOnce(seed: UInt64) {
        var random = NormaliserGenerator(seed: seed)
        let listings = NormaliserRandomListings.make(with: &random)
        let result = Normaliser().normalise(listings)
        let gone = result.repairs.filter { $0.action == .merged || $0.action == .dropped }
        #expect(result.airings.count + gone.count == listings.count)
        #expect(gone.allSatisfy { $0.window == nil })
        // The lines tell the listings apart.
        let lines = Set(gone.map(\.listing.line))
        #expect(lines.count == gone.count)
        let standing = listings.filter { !lines.contains($0.line) }
        #expect(
            standing.map { Pair($0.start, $0.programme) }.sorted()
                == result.airings.map { Pair($0.window.start, $0.programme) }.sorted())
        let changed = result.repairs.filter { $0.action == .trimmedStop || $0.action == .inferredStop }
        #expect(changed.count == result.airings.count { $0.published != nil })
        #expect(zip(result.repairs, result.repairs.dropFirst()).allSatisfy { $0.listing.start <= $1.listing.start })
    }

    @Test(arguments: seeds) func whatWasPublishedIsKeptWhereItDiffersAndNeverExceeded(seed: UInt64) {
        var random = NormaliserGenerator(seed: seed)
        for airing in Normaliser().normalise(NormaliserRandomListings.make(with: &random)).airings {
            guard let published = airing.published else {
                #expect(!airing.isStopInferred)
                continue
            }
            #expect(published.start == airing.window.start)
            guard let stop = published.stop, stop > published.start else {
                #expect(airing.isStopInferred)
                continue
            }
            #expect(!airing.isStopInferred && airing.window.end < stop)
        }
    }

    @Test(arguments: seeds) func aScheduleNormalisedAgainIsTheSame(seed: UInt64) {
        var random = NormaliserGenerator(seed: seed)
        let once = Normaliser().normalise(NormaliserRandomListings.make(with: &random)).airings
        let again = Normaliser().normalise(
            once.enumerated().map { index, airing in
                Listing(
                    start: airing.window.start, stop: airing.window.end, programme: airing.programme,
                    transmission: airing.transmission, contentKey: UInt64(index), titleKey: UInt32(index), line: 1,
                    richness: UInt16.random(in: 0...99, using: &random), clump: airing.clump)
            })
        #expect(again.airings.map(\.window) == once.map(\.window))
        #expect(again.airings.map(\.programme) == once.map(\.programme))
        #expect(again.airings.allSatisfy { $0.published == nil })
        #expect(again.repairs.allSatisfy { $0.action == .kept && $0.keyword == .badclump })
    }

    @Test(arguments: seeds) func theCoverageHoldsEveryStart(seed: UInt64) {
        var random = NormaliserGenerator(seed: seed)
        let result = Normaliser().normalise(NormaliserRandomListings.make(with: &random))
        for airing in result.airings {
            #expect(result.coverage?.contains(airing.window.start) == true)
        }
        #expect((result.coverage == nil) == result.airings.isEmpty)
    }

    private struct Pair: Hashable, Comparable {
        let start: Instant
        let programme: Int64

        init(_ start: Instant, _ programme: Int64) {
            self.start = start
            self.programme = programme
        }

        static func < (lhs: Pair, rhs: Pair) -> Bool {
            (lhs.start, lhs.programme) < (rhs.start, rhs.programme)
        }
    }
}
