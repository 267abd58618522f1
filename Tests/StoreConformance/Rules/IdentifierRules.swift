import EPGImport
import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// Airings keep their identifiers, and no identifier is used twice.
    static let identifiers: [StoreRule] = [
        StoreRule("An airing with new content at the same start keeps its identifier") { guide in
            try guide.importing(evening)
            let before = try guide.airings().map(\.id)
            let outcome = try guide.importing(["one 20:00-21:00 News", "one 21:00-22:00 Match", "one 22:00-23:00 Talk"])
            expectEqual(outcome.generation, Generation(2))
            expectEqual((outcome.airings.changed, outcome.airings.inserted, outcome.airings.removed), (1, 0, 0))
            try expectEqual(guide.airings().map(\.id), before)
            try expectEqual(guide.airings().map(\.title), ["News", "Match", "Talk"])
            try expectEqual(guide.generation(), Generation(2))
        },
        StoreRule("An airing that moves by five minutes keeps its identifier") { guide in
            try guide.importing(evening)
            let (film, talk) = (try guide.identifier(of: "Film"), try guide.identifier(of: "Talk"))
            let outcome = try guide.importing([
                "one 20:00-21:05 News", "one 21:05-22:00 Film", "one 22:00-23:00 Talk",
            ])
            expectEqual(outcome.airings, AiringDifference(moved: 1, changed: 1))
            try expectEqual(guide.identifier(of: "Film"), film)
            try expectEqual(guide.identifier(of: "Talk"), talk)
            try expectEqual(guide.lines(), ["20:00-21:05 News", "21:05-22:00 Film", "22:00-23:00 Talk"])
        },
        StoreRule("Airings that move ambiguously get new identifiers") { guide in
            // Two airings of the same programme move, so their identities are ambiguous.
            let frame = ["one 19:00-20:00 News", "one 22:00-23:00 Talk"]
            try guide.importing(frame + ["one 20:00-20:30 Ad", "one 21:00-21:30 Ad"])
            let before = try guide.airings()
            try guide.importing(frame + ["one 20:05-20:30 Ad", "one 21:05-21:30 Ad"])
            let kept = Set(try guide.airings().map(\.id)).intersection(before.map(\.id))
            expectEqual(Set(before.filter { kept.contains($0.id) }.map(\.title)), ["News", "Talk"])
        },
        StoreRule("An identifier is never reused") { guide in
            try guide.importing(evening)
            var seen = Set(try guide.airings().map(\.id))
            try expectEqual(guide.prune(before: Day.instant("23:00")), 3)
            try expectEqual(guide.airings(), [])
            for titles in [["A", "B", "C"], ["D", "E", "F"]] {
                try guide.importing(
                    zip(["20:00-21:00", "21:00-22:00", "22:00-23:00"], titles).map { "one \($0) \($1)" })
                let identifiers = try guide.airings().map(\.id)
                expectEqual(seen.isDisjoint(with: identifiers), true)
                seen.formUnion(identifiers)
                _ = try guide.prune(before: Day.instant("23:00"))
            }
        },
        StoreRule("An identifier belongs to one airing") { guide in
            try guide.importing(evening + ["two 20:00-21:00 News", "two 21:00-22:00 News"])
            let identifiers = try ["one", "two"].flatMap { try guide.airings(of: $0).map(\.id) }
            expectEqual(Set(identifiers).count, 5)
            for id in identifiers { try expectEqual(guide.airing(id)?.airing.id, id) }
            try expectEqual(guide.airing(AiringID(0)), nil)
            try expectEqual(guide.airing(AiringID(.max)), nil)
        },
        StoreRule("Equal contents are stored as one programme") { guide in
            try guide.importing((0..<10).map { "one \($0):00-\($0):30 News: The same." })
            try expectEqual(guide.check().programmes, 1)
            let numbers = try guide.outlines(inRow: 0, during: Day.allTime).map(\.programme)
            expectEqual(Set(numbers).count, 1)
            try expectEqual(guide.airings().count, 10)
        },
    ]
}

private let evening = ["one 20:00-21:00 News", "one 21:00-22:00 Film", "one 22:00-23:00 Talk"]
