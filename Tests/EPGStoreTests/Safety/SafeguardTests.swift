import EPGImport
import EPGModel
import EPGStore
import Testing

/// A guide that would take too much away isn't taken, and one that only moved on is.
@Suite struct SafeguardTests {
    /// Airings of six hours from midnight to midnight: four a day and station. Day 0 is 2026-03-28, now is its 18:00.
    private static func guide(_ days: Range<Int>, stations: Range<Int> = 0..<10) -> [String] {
        stations.flatMap { station in
            days.flatMap { day in
                (0..<4).map { quarter in
                    let hour = day * 24 + quarter * 6
                    return "s\(station) \(hour):00-\(hour + 6):00 T\(station).\(hour)"
                }
            }
        }
    }

    private func options(_ share: Int?, stations: [String] = []) -> ImportOptions {
        var options = ImportOptions(stations: stations.map { StationPattern($0) })
        options.minimumShare = share
        return options
    }

    @discardableResult
    private func importing(
        _ airings: [String], into scratch: ScratchGuide, share: Int? = 50, stations: [String] = [], day: Int64 = 0
    ) throws -> ImportOutcome {
        try scratch.importing(
            text: Day.guide(airings), options: options(share, stations: stations),
            now: ScratchGuide.now.advanced(by: day * 86_400))
    }

    /// Imports over a week of ten stations; what is refused leaves every row as it was.
    private func refusal(
        of airings: [String], over standing: [String] = guide(0..<7), share: Int? = 50, stations: [String] = [],
        day: Int64 = 0
    ) throws -> RefusedImport? {
        let scratch = try ScratchGuide(standing)
        let before = try GuideDump(path: scratch.path)
        do {
            try importing(airings, into: scratch, share: share, stations: stations, day: day)
            #expect(try scratch.store.check().problems == [])
            return nil
        } catch let refusal as RefusedImport {
            #expect(try GuideDump(path: scratch.path) == before)
            // The next import is as if nothing had been.
            #expect(try !importing(standing, into: scratch).changedGuide)
            #expect(try scratch.store.check().problems == [])
            return refusal
        }
    }

    // MARK: - What passes

    @Test func firstImportHasNothingToBeComparedWith() throws {
        let scratch = try ScratchGuide()
        #expect(try importing(["one 20:00-21:00 A"], into: scratch).airingsInserted == 1)
        // Another source's listings are no measure, either.
        let other = try ScratchGuide(Self.guide(0..<7))
        try other.importing(
            text: Day.guide(["s1 20:00-21:00 A"]), as: Source(name: "other"), options: options(50))
    }

    @Test(arguments: [1, 3, 6, 30]) func guideThatMovedOnPasses(days: Int) throws {
        #expect(try refusal(of: Self.guide(days..<days + 7), day: Int64(days)) == nil)
    }

    @Test(arguments: [1, 2, 6]) func guideThatReachesLessFarPasses(days: Int) throws {
        // What stands beyond it stays.
        #expect(try refusal(of: Self.guide(0..<days)) == nil)
    }

    @Test func sourceWhoseListingsWereOverMayShrink() throws {
        #expect(try refusal(of: Self.guide(9..<12, stations: 0..<1), day: 9) == nil)
    }

    @Test func guideThatIsOverItselfTakesNothingAway() throws {
        #expect(try refusal(of: Self.guide(0..<2, stations: 0..<2), day: 3) == nil)
    }

    @Test func halfTheStationsAreEnough() throws {
        #expect(try refusal(of: Self.guide(0..<7, stations: 0..<5)) == nil)
    }

    @Test func newStationsMakeUpForLostOnes() throws {
        #expect(try refusal(of: Self.guide(0..<7, stations: 8..<18)) == nil)
    }

    @Test func stationsThatAreNoLongerTakenByChoiceAreNotMissed() throws {
        #expect(try refusal(of: Self.guide(0..<7), stations: ["s1"]) == nil)
        #expect(try refusal(of: Self.guide(0..<7, stations: 1..<2), stations: ["s?"]) != nil)
    }

    @Test func stationThatReachesFartherThanTheOthersIsNoMeasureForThem() throws {
        // The others have a day, it has the week.
        let airings = Self.guide(0..<1, stations: 1..<10) + Self.guide(0..<7, stations: 0..<1)
        #expect(try refusal(of: airings) == nil)
    }

    @Test func withoutASafeguardEverythingIsTaken() throws {
        #expect(try refusal(of: Self.guide(0..<7, stations: 0..<1), share: nil) == nil)
        #expect(try refusal(of: [], share: nil) == nil)
    }

    // MARK: - What is refused

    @Test(arguments: [(4, 50, true), (5, 51, true), (9, 91, true), (9, 90, false), (1, 10, false), (1, 0, false)])
    func stationsBelowTheShareAreRefused(stations: Int, share: Int, isRefused: Bool) throws {
        let refusal = try refusal(of: Self.guide(0..<7, stations: 0..<stations), share: share)
        let expected = RefusedImport(.fewStations(found: stations, stood: 10, share: share))
        #expect(refusal == (isRefused ? expected : nil))
    }

    @Test func airingsBelowTheShareAreRefused() throws {
        // Of each station's 28 airings the first and the last. Three of them are over at 18:00, the first among them.
        let thin = Self.guide(0..<7).enumerated().filter { $0.offset % 28 == 0 || $0.offset % 28 == 27 }
        #expect(
            try refusal(of: thin.map(\.element))
                == RefusedImport(.fewAirings(found: 10, stood: 250, share: 50)))
    }

    @Test func onlyWhatIsToComeIsCompared() throws {
        // On the sixth day at 18:00 the last quarter of it and the seventh day are to come: five of each station.
        let few = Self.guide(0..<7, stations: 0..<4)
        #expect(try refusal(of: few, day: 5) == RefusedImport(.fewStations(found: 4, stood: 10, share: 50)))
        #expect(try refusal(of: few, day: 7) == nil)
    }

    @Test(arguments: [0, 50, 100]) func emptySourceIsRefusedWhateverTheShareIs(share: Int) throws {
        #expect(try refusal(of: [], share: share) == RefusedImport(.empty(programmesRead: 0)))
        let declared = ["<channel id=\"s1\"><display-name>One</display-name></channel>"]
        #expect(try refusal(of: declared, share: share) == RefusedImport(.empty(programmesRead: 0)))
        let scratch = try ScratchGuide()
        #expect(throws: RefusedImport(.empty(programmesRead: 1))) {
            try importing(["one 20:00-21:00 A"], into: scratch, share: share, stations: ["two"])
        }
        #expect(try scratch.store.sources().isEmpty)
    }

    @Test func reasonHasBothNumbers() {
        let words = RefusedImport(.fewAirings(found: 12, stood: 250, share: 50)).description
        #expect(words == "the guide has 12 airings where 250 stand for the same time, less than 50 %")
    }

    /// Against a count of all airings of both guides, one by one.
    @Test(arguments: 0..<40) func numbersAreThoseOfACountByHand(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func random() -> [String] {
            Self.guide(0..<4, stations: 0..<6).filter { _ in Int.random(in: 0..<3, using: &generator) > 0 }
                .filter { $0.hasPrefix("s0") || Bool.random(using: &generator) }
        }
        let (old, new) = (random(), random())
        let now = Day.instant("30:00")
        let scratch = try ScratchGuide(old)
        let sizes = Self.sizes(old, new, now: now)
        var outcome: RefusedImport?
        do {
            try scratch.importing(text: Day.guide(new), options: options(100), now: now)
        } catch let refusal as RefusedImport {
            outcome = refusal
        }
        let expected: RefusedImport? =
            if new.isEmpty { RefusedImport(.empty(programmesRead: 0)) } else {
                ImportSafeguard(minimumShare: 100).refusal(found: sizes.found, stood: sizes.stood)
            }
        #expect(outcome == expected)
    }

    private static func sizes(
        _ old: [String], _ new: [String], now: Instant
    ) -> (found: ListingsSize, stood: ListingsSize) {
        func windows(_ lines: [String]) -> [Substring: [TimeWindow]] {
            Dictionary(grouping: lines) { $0.prefix(2) }.mapValues { lines in
                lines.map { Day.window(String($0.split(separator: " ")[1])) }
            }
        }
        func size(_ stations: [[TimeWindow]]) -> ListingsSize {
            ListingsSize(stations: stations.count { !$0.isEmpty }, airings: stations.reduce(0) { $0 + $1.count })
        }
        let (before, after) = (windows(old), windows(new))
        let all = after.values.joined()
        guard let start = all.map(\.start).min(), let end = all.map(\.end).max() else {
            return (ListingsSize(), ListingsSize())
        }
        let stood = before.map { station, airings in
            let own = after[station]
            let from = own?.map(\.start).min() ?? start
            let to = own?.map(\.end).max() ?? end
            return airings.filter { $0.end > max(now, from) && $0.start < to && (own == nil || $0.start >= from) }
        }
        return (size(after.values.map { $0.filter { $0.end > now } }), size(stood))
    }
}
