import EPGModel
import Testing

extension StoreRule {
    /// Favorites keep the user's order through all changes of the guide, and do not change the guide.
    static let favorites: [StoreRule] = [
        StoreRule("Favorites are returned in the user's order") { guide in
            #expect(try guide.favorites() == [])
            try guide.setFavorites("c", "a", "b")
            #expect(try guide.favoriteLine == "c a b")
            try guide.setFavorite("d", to: 1)
            #expect(try guide.favoriteLine == "c d a b")
            try guide.setFavorite("e", to: 0)
            #expect(try guide.favoriteLine == "e c d a b")
            #expect(try guide.check().problems == [])
        },
        StoreRule("A favorite that is set again moves to its new place") { guide in
            for (station, place, order) in [
                ("a", 2, "b c a d"), ("a", 3, "b c d a"), ("d", 0, "d a b c"), ("c", 1, "a c b d"), ("b", 1, "a b c d"),
                ("a", Int.max, "b c d a"), ("d", Int.min, "d a b c"),
            ] {
                let other = try guide.another()
                try other.setFavorites("a", "b", "c", "d")
                try other.setFavorite(station, to: place)
                #expect(try other.favoriteLine == order, "\(station) to \(place)")
                #expect(try other.check().problems == [])
            }
        },
        StoreRule("Removing a favorite closes the gap") { guide in
            try guide.setFavorites("a", "b", "c")
            try guide.setFavorite("a", to: nil)
            #expect(try guide.favoriteLine == "b c")
            try guide.setFavorite("a", to: nil)
            #expect(try guide.favoriteLine == "b c")
            try guide.setFavorite("a", to: 1)
            #expect(try guide.favoriteLine == "b a c")
            for station in ["a", "b", "c"] { try guide.setFavorite(station, to: nil) }
            #expect(try guide.favorites() == [])
            #expect(try guide.check().problems == [])
        },
        StoreRule("Favorites are compared byte for byte") { guide in
            // One letter in both normalization forms of Unicode.
            try guide.setFavorites("\u{E9}", "e\u{301}", "E")
            #expect(try guide.favorites() == ["\u{E9}", "e\u{301}", "E"].map(StationID.init))
            try guide.setFavorite("e\u{301}", to: nil)
            #expect(try guide.favorites() == ["\u{E9}", "E"].map(StationID.init))
        },
        StoreRule("Changing favorites leaves the generation and all contents unchanged") { guide in
            try guide.importSearchable(["one 20:00-21:00 A", "two 20:00-21:00 B"])
            let before = try guide.contents()
            try guide.setFavorites("two", "later")
            try guide.setFavorite("two", to: nil)
            #expect(try guide.contents() == before)
            #expect(try guide.isSearchIndexCurrent())
        },
        StoreRule("Imports, pruning and removals keep favorites") { guide in
            try guide.importing(["one 20:00-21:00 A", "two 20:00-21:00 B"])
            try guide.setFavorites("later", "two", "one")
            try guide.importing(["later 21:00-22:00 C", "one 21:00-22:00 D"], as: Source(name: "other"))
            try guide.importing(["one 20:00-21:00 E"])
            #expect(try guide.prune(before: Day.instant("21:00")) > 0)
            _ = try guide.saveLineup(Lineup("cable", ["two 1"]))
            #expect(try guide.removeLineup(named: "cable"))
            for source in ["feed", "other"] { #expect(try guide.removeSource(named: source)) }
            #expect(try guide.stationCount() == 0)
            #expect(try guide.favoriteLine == "later two one")
            #expect(try guide.check().problems == [])
        },
        StoreRule("A restored guide has the favorites of the backup") { guide in
            let folder = try TemporaryFolder()
            try guide.importing(["one 20:00-21:00 A"])
            try guide.setFavorites("two", "one")
            _ = try guide.storage.backUp(to: folder.path(of: "copy"), target: .new)
            try guide.setFavorites("three", "two")
            _ = try guide.storage.restore(from: folder.path(of: "copy"), now: Day.now, waiting: .forOthers)
            #expect(try guide.favoriteLine == "two one")
            #expect(try guide.check().isIntact)
        },
    ]
}

extension GuideUnderTest {
    /// Appends stations to the favorites.
    fileprivate func setFavorites(_ stations: String...) throws {
        for station in stations { try setFavorite(station, to: .max) }
    }

    /// The favorites in order, such as `one two`.
    fileprivate var favoriteLine: String {
        get throws { try favorites().map(\.rawValue).joined(separator: " ") }
    }
}
