import EPGModel
import EPGStore
import Testing

/// An airing keeps its identifier while station and start stand; an unambiguous shift of the same programme keeps it too.
@Suite struct IdentifierTests {
    private let evening = ["one 20:00-21:00 News", "one 21:00-22:00 Film", "one 22:00-23:00 Talk"]

    @Test func otherContentAtTheSameStartKeepsTheIdentifierAndRaisesTheGenerationByOne() throws {
        let scratch = try ScratchGuide(evening)
        let before = try scratch.airings().map(\.id)
        let outcome = try scratch.importing(["one 20:00-21:00 News", "one 21:00-22:00 Match", "one 22:00-23:00 Talk"])
        #expect(outcome.generation == Generation(2))
        #expect((outcome.airingsChanged, outcome.airingsInserted, outcome.airingsRemoved) == (1, 0, 0))
        #expect(try scratch.airings().map(\.id) == before)
        #expect(try scratch.airings().map(\.title) == ["News", "Match", "Talk"])
        #expect(try scratch.store.generation() == Generation(2))
    }

    @Test func aShiftOfFiveMinutesKeepsTheIdentifier() throws {
        let scratch = try ScratchGuide(evening)
        let (film, talk) = (try scratch.identifier(of: "Film"), try scratch.identifier(of: "Talk"))
        let outcome = try scratch.importing([
            "one 20:00-21:05 News", "one 21:05-22:00 Film", "one 22:00-23:00 Talk",
        ])
        #expect(outcome.difference == AiringDifference(moved: 1, changed: 1))
        #expect(try scratch.identifier(of: "Film") == film)
        #expect(try scratch.identifier(of: "Talk") == talk)
        #expect(try scratch.lines() == ["20:00-21:05 News", "21:05-22:00 Film", "22:00-23:00 Talk"])
    }

    @Test func anAmbiguousShiftGetsNewIdentifiers() throws {
        // Two of the same programme move: which is which can't be known.
        let frame = ["one 19:00-20:00 News", "one 22:00-23:00 Talk"]
        let scratch = try ScratchGuide(frame + ["one 20:00-20:30 Ad", "one 21:00-21:30 Ad"])
        let before = try scratch.airings()
        try scratch.importing(frame + ["one 20:05-20:30 Ad", "one 21:05-21:30 Ad"])
        let kept = Set(try scratch.airings().map(\.id)).intersection(before.map(\.id))
        #expect(Set(before.filter { kept.contains($0.id) }.map(\.title)) == ["News", "Talk"])
    }

    @Test func anIdentifierIsNeverUsedAgain() throws {
        let scratch = try ScratchGuide(evening)
        var seen = Set(try scratch.airings().map(\.id))
        #expect(try scratch.store.prune(before: Day.instant("23:00")) == 3)
        #expect(try scratch.airings().isEmpty)
        for titles in [["A", "B", "C"], ["D", "E", "F"]] {
            try scratch.importing(zip(["20:00-21:00", "21:00-22:00", "22:00-23:00"], titles).map { "one \($0) \($1)" })
            let identifiers = try scratch.airings().map(\.id)
            #expect(seen.isDisjoint(with: identifiers))
            seen.formUnion(identifiers)
            _ = try scratch.store.prune(before: Day.instant("23:00"))
            // A program that starts anew knows them, too.
            try scratch.close()
        }
    }

    @Test func anIdentifierBelongsToOneAiringOnly() throws {
        let scratch = try ScratchGuide(evening + ["two 20:00-21:00 News", "two 21:00-22:00 News"])
        let identifiers = try ["one", "two"].flatMap { try scratch.airings(of: $0).map(\.id) }
        #expect(Set(identifiers).count == 5)
        for id in identifiers { #expect(try scratch.store.airing(id)?.airing.id == id) }
        #expect(try scratch.store.airing(AiringID(0)) == nil)
        #expect(try scratch.store.airing(AiringID(.max)) == nil)
    }

    @Test func aProgrammeOfTheSameContentIsStoredOnce() throws {
        let scratch = try ScratchGuide((0..<10).map { "one \($0):00-\($0):30 News: The same." })
        #expect(try RawDatabase.number(scratch.path, "SELECT count(*) FROM programme") == 1)
        #expect(try scratch.airings().count == 10)
    }
}
