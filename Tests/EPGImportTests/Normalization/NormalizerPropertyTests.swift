import EPGImport
import EPGModel
import TestSupport
import Testing

/// Properties of the results for random listings. The argument of each test is the seed.
@Suite struct NormalizerPropertyTests {
    static let seeds = Array(UInt64(1)...200)

    @Test(arguments: seeds) func inputOrderDoesNotMatter(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let listings = NormalizerRandomListings.make(with: &random)
        let result = Normalizer().normalize(listings)
        for _ in 0..<4 {
            expectEqual(Normalizer().normalize(listings.shuffled(using: &random)), result)
        }
    }

    @Test(arguments: seeds) func lineDoesNotMatter(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let listings = NormalizerRandomListings.make(with: &random)
        let renumbered = zip(listings, listings.indices.reversed()).map { listing, number in
            var listing = listing
            listing.line = UInt32(number)
            return listing
        }
        let (result, other) = (Normalizer().normalize(renumbered), Normalizer().normalize(listings))
        // The order in the file is evidence for rule 17 only.
        if (result.repairs + other.repairs).contains(where: { $0.keyword == .twoschedules }) { return }
        expectEqual(result.airings, other.airings)
    }

    @Test(arguments: [["A 20:00-?", "A 20:00-19:00"], ["A 20:00-21:00", "A 20:00-21:00 0/2"]])
    func lineDoesNotMatterForEqualContent(listings: [String]) {
        let (forward, backward) = (
            NormalizerNotation.listings(listings), NormalizerNotation.listings(listings.reversed())
        )
        let (result, other) = (Normalizer().normalize(forward), Normalizer().normalize(backward))
        expectEqual(result.airings, other.airings)
        expectEqual(result.repairs.map(NormalizerNotation.text), other.repairs.map(NormalizerNotation.text))
        expectEqual(result.repairs.map(\.listing.published), other.repairs.map(\.listing.published))
    }

    @Test func contentKeyDecidesBetweenEquallyRichListings() {
        let listings = [(key: UInt64(2), programme: Int64(1)), (key: 1, programme: 2)].map { key, programme in
            Listing(
                start: Instant(secondsSince1970: 0), stop: Instant(secondsSince1970: 60), programme: programme,
                contentKey: key, titleKey: 0, line: 1, richness: 0)
        }
        expectEqual(Normalizer().normalize(listings).airings.map(\.programme), [2])
        expectEqual(Normalizer().normalize(listings.reversed()).airings.map(\.programme), [2])
    }

    @Test(arguments: seeds) func resultIsASchedule(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let result = Normalizer().normalize(NormalizerRandomListings.make(with: &random))
        let airings = result.airings.enumerated().map {
            Airing(
                id: AiringID(Int64($0)), station: StationID("s"), window: $1.window, clump: $1.clump, title: "t")
        }
        _ = try Schedule(checking: airings, of: StationID("s"))
        #expect(result.airings.allSatisfy { !$0.window.isEmpty && $0.window.seconds <= 24 * 3600 })
        // Airings with the same window are parts of one clump, and no others share it.
        for (index, airing) in result.airings.enumerated() {
            let count = result.airings.count { $0.window == airing.window }
            expectEqual(count > 1, airing.clump != nil, "airing \(index)")
        }
    }

    @Test(arguments: seeds) func everyListingIsAccountedForExactlyOnce(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let listings = NormalizerRandomListings.make(with: &random)
        let result = Normalizer().normalize(listings)
        let removed = result.repairs.filter { $0.action == .merged || $0.action == .dropped }
        // A listing that lost against one with its start is in the schedule if it continues.
        let airings = Set(result.airings.map(Shown.init))
        expectEqual(airings.count + removed.count, listings.count)
        #expect(removed.allSatisfy { $0.window == nil })
        // The lines identify the listings.
        let lines = Set(removed.map(\.listing.line))
        expectEqual(lines.count, removed.count)
        let remaining = listings.filter { !lines.contains($0.line) }
        expectEqual(
            remaining.map { Pair($0.start, $0.programme) }.sorted(),
            airings.map { Pair($0.start, $0.programme) }.sorted())
        let changed = result.repairs.filter { [.trimmedStop, .inferredStop, .continued].contains($0.action) }
        expectEqual(changed.count, result.airings.count { $0.published != nil })
        #expect(zip(result.repairs, result.repairs.dropFirst()).allSatisfy { $0.listing.start <= $1.listing.start })
    }

    @Test(arguments: seeds) func publishedTimesAreKeptIfDifferentAndNeverExceeded(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for airing in Normalizer().normalize(NormalizerRandomListings.make(with: &random)).airings {
            guard let published = airing.published else {
                expectEqual(airing.isStopInferred, false)
                continue
            }
            guard let stop = published.stop, stop > published.start else {
                expectEqual(published.start, airing.window.start)
                expectEqual(airing.isStopInferred, true)
                continue
            }
            expectEqual(airing.isStopInferred, false)
            if airing.isContinuation {
                #expect(published.start < airing.window.start && airing.window.end <= stop)
            } else {
                expectEqual(published.start, airing.window.start)
                #expect(airing.window.end < stop)
            }
        }
    }

    @Test(arguments: seeds) func normalizationIsIdempotent(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let once = Normalizer().normalize(NormalizerRandomListings.make(with: &random)).airings
        let again = Normalizer().normalize(
            once.enumerated().map { index, airing in
                Listing(
                    start: airing.window.start, stop: airing.window.end, programme: airing.programme,
                    transmission: airing.transmission, contentKey: UInt64(index), titleKey: UInt32(index), line: 1,
                    richness: UInt16.random(in: 0...99, using: &random), clump: airing.clump)
            })
        expectEqual(again.airings.map(\.window), once.map(\.window))
        expectEqual(again.airings.map(\.programme), once.map(\.programme))
        #expect(again.airings.allSatisfy { $0.published == nil })
        #expect(again.repairs.allSatisfy { $0.action == .kept && $0.keyword == .badclump })
    }

    @Test(arguments: seeds) func coverageContainsEveryStart(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let result = Normalizer().normalize(NormalizerRandomListings.make(with: &random))
        for airing in result.airings {
            expectEqual(result.coverage?.contains(airing.window.start), true)
        }
        expectEqual(result.coverage == nil, result.airings.isEmpty)
    }

    /// A listing of which an airing is in the schedule.
    private struct Shown: Hashable {
        let start: Instant
        let stop: Instant?
        let programme: Int64
        let clump: Clump?

        init(_ airing: ScheduledListing) {
            start = airing.published?.start ?? airing.window.start
            stop = airing.published.map(\.stop) ?? airing.window.end
            (programme, clump) = (airing.programme, airing.clump)
        }
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

/// Tests that extreme times don't trap, and that many listings don't take quadratic time.
@Suite struct NormalizerExtremeTests {
    static let instants: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]

    @Test func extremeTimesAreAccountedFor() {
        var listings: [Listing] = []
        for start in Self.instants {
            for stop in Self.instants.map(Optional.some) + [nil] {
                listings.append(listing(start: start, stop: stop, key: UInt64(listings.count)))
            }
        }
        let result = Normalizer().normalize(listings)
        let removed = result.repairs.count { $0.action == .merged || $0.action == .dropped }
        expectEqual(result.airings.count + removed, listings.count)
        #expect(result.airings.allSatisfy { !$0.window.isEmpty })
        expectEqual(result.airings.map(\.window.start.secondsSince1970), Array(Self.instants.dropLast()))
    }

    @Test func everyPairOfExtremeTimesIsAccountedFor() {
        for start in Self.instants {
            for stop in Self.instants {
                for other in Self.instants {
                    let result = Normalizer().normalize([
                        listing(start: start, stop: stop, key: 1), listing(start: other, stop: nil, key: 2),
                    ])
                    let removed = result.repairs.count { $0.action == .merged || $0.action == .dropped }
                    expectEqual(result.airings.count + removed, 2)
                }
            }
        }
    }

    @Test func listingAtLastInstantIsDropped() {
        let result = Normalizer().normalize([listing(start: .max, stop: nil, key: 1)])
        expectEqual(result.repairs.map(\.keyword), [.badstart])
        expectEmpty(result.airings)
        expectEqual(result.coverage, nil)
    }

    enum ListingPattern: String, CaseIterable, Sendable {
        case identical, nested, otherTitles, withoutStops, partsOfOneClump, chain
    }

    @Test(arguments: ListingPattern.allCases)
    func manyOverlappingListingsTakeNearlyLinearTime(_ pattern: ListingPattern) {
        func seconds(_ count: Int) -> Double {
            let listings = listings(pattern, count)
            return ProcessorTime.seconds {
                let result = Normalizer().normalize(listings)
                let removed = result.repairs.count { $0.action == .merged || $0.action == .dropped }
                expectEqual(Set(result.airings.map(\.programme)).count + removed, count)
            }
        }
        // For sixteen times the listings, sorting takes 23 times as long and quadratic work 256 times.
        let (few, many) = (seconds(1250), seconds(20_000))
        #expect(many < 100 * max(few, 0.001))
    }

    private func listings(_ pattern: ListingPattern, _ count: Int) -> [Listing] {
        (0..<count).map { index in
            switch pattern {
            case .identical: listing(start: 0, stop: 3600, key: 1)
            case .nested: listing(start: Int64(index), stop: Int64(2 * count - index), key: UInt64(index))
            case .otherTitles: listing(start: 0, stop: Int64(1 + index), key: UInt64(index))
            case .withoutStops: listing(start: 0, stop: nil, key: UInt64(index))
            case .partsOfOneClump:
                listing(start: 0, stop: 3600, key: UInt64(index), clump: Clump(index: index % 255, count: 255))
            case .chain: listing(start: Int64(index), stop: Int64(index + count), key: UInt64(index))
            }
        }
    }

    private func listing(start: Int64, stop: Int64?, key: UInt64, clump: Clump? = nil) -> Listing {
        Listing(
            start: Instant(secondsSince1970: start),
            stop: stop.map { Instant(secondsSince1970: $0) },
            programme: Int64(key), contentKey: key, titleKey: UInt32(truncatingIfNeeded: key), line: 1,
            richness: UInt16(key % 100), clump: clump)
    }
}

/// Compares with the XMLTV project's `tv_sort --by-channel` (its files `t/data/tv_sort_by_channel_*.expected`).
///
/// `tv_sort` adds missing stops by rule 1, leaves the last one open, and repairs no overlaps. So each airing must be one of
/// its lines, and each of its starts must occur.
@Suite struct NormalizerOracleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// The file, and the station in it.
        var testDescription: String
        var listings: [String]
        /// The output, with `?` for an open stop and for a programme of zero length that no other one covers (Rules.md, rule 2).
        var sorted: [String]
    }

    static let rows: [Row] = [
        Row(
            testDescription: "sort.xml, 2",
            listings: ["A 03:35-?", "B 04:06-05:06"],
            sorted: ["03:35-04:06", "04:06-05:06"]),
        Row(
            testDescription: "sort1.xml, 1",
            listings: ["A 00:00-02:00", "B 03:00-?", "C 03:00-?", "D 00:00-?", "E 00:00-?", "F 00:00-01:00"],
            sorted: ["00:00-01:00", "00:00-02:00", "03:00-?"]),
        Row(
            testDescription: "sort2.xml, 2",
            listings: ["A 00:00-?", "B 00:00-01:00", "C 00:00-?"],
            sorted: ["00:00-01:00"]),
        Row(
            testDescription: "test_sort_by_channel.xml, 0",
            listings: ["A 00:00-?", "B 00:30-00:30", "C 00:00-00:10"],
            sorted: ["00:00-00:10", "00:30-?"]),
        Row(
            testDescription: "dups.xml, 1",
            listings: ["A 11:31-?", "B 11:31:01-?", "A 11:31-?", "D 11:31:02-?", "B 11:31:01-11:31:02"],
            sorted: ["11:31-11:31:01", "11:31:01-11:31:02", "11:31:02-?"]),
        Row(
            testDescription: "dups.xml, c",
            listings: ["T 01:02-?", "T 01:02-?"],
            sorted: ["01:02-?"]),
        Row(
            testDescription: "overlap.xml, 1",
            listings: [
                "A 11:31-?", "B 11:31:01-?", "C 11:31-?", "D 11:31:01-?", "E 11:31:01-? +12", "F 11:31:01-?",
            ],
            sorted: ["11:31-11:31:01", "11:31:01-?"]),
        Row(
            testDescription: "overlap.xml, a",
            listings: ["Z 00:00-00:00", "H 00:00-01:00", "Y 00:30-00:30"],
            sorted: ["00:00-01:00"]),
        Row(
            testDescription: "clump_extract.xml",
            listings: ["K 08:00-09:00 0/2", "B 08:00-09:00 1/2"],
            sorted: ["08:00-09:00"]),
    ]

    @Test(arguments: rows) func missingStopsMatchTvSort(_ row: Row) {
        let result = Normalizer().normalize(NormalizerNotation.listings(row.listings))
        let sorted = row.sorted.map { NormalizerNotation.listing("X " + $0) }
        for airing in result.airings {
            let isOpen = sorted.contains { $0.start == airing.window.start && $0.stop == nil }
            #expect(
                isOpen
                    ? airing.isStopInferred
                    : sorted.contains { $0.start == airing.window.start && $0.stop == airing.window.end })
        }
        expectEqual(Set(result.airings.map(\.window.start)), Set(sorted.map(\.start)))
    }

    /// `tv_remove_some_overlapping` drops a container that other listings tile. If it keeps both of a pair, only one remains
    /// here.
    @Test func tiledContainersAreRemovedAsInTvRemoveSomeOverlapping() {
        let result = Normalizer().normalize(
            NormalizerNotation.listings([
                "Ca 07:00-07:45", "A0 07:00-07:05", "A1 07:05-07:15", "A2 07:15-07:45",
                "B0 08:00-08:05", "Cb 08:00-08:15", "B1 08:05-08:15",
            ]))
        expectEqual(
            result.airings.map(NormalizerNotation.text),
            [
                "A0 07:00-07:05", "A1 07:05-07:15", "A2 07:15-07:45", "B0 08:00-08:05", "B1 08:05-08:15",
            ])
    }
}
