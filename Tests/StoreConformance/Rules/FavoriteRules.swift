import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// Favorites keep the user's order through all changes of the guide, and do not change the guide.
    static let favorites: [StoreRule] = [
        StoreRule("Favorites are returned in the user's order") { guide in
            try expectEqual(guide.favorites(), [])
            try guide.setFavorites("c", "a", "b")
            try expectEqual(guide.favoriteLine, "c a b")
            try guide.setFavorite("d", to: 1)
            try expectEqual(guide.favoriteLine, "c d a b")
            try guide.setFavorite("e", to: 0)
            try expectEqual(guide.favoriteLine, "e c d a b")
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("A favorite that is set again moves to its new place") { guide in
            for (station, place, order) in [
                ("a", 2, "b c a d"), ("a", 3, "b c d a"), ("d", 0, "d a b c"), ("c", 1, "a c b d"), ("b", 1, "a b c d"),
                ("a", Int.max, "b c d a"), ("d", Int.min, "d a b c"),
            ] {
                let other = try guide.another()
                try other.setFavorites("a", "b", "c", "d")
                try other.setFavorite(station, to: place)
                try expectEqual(other.favoriteLine, order, "\(station) to \(place)")
                try expectEqual(other.check().problems, [])
            }
        },
        StoreRule("Removing a favorite closes the gap") { guide in
            try guide.setFavorites("a", "b", "c")
            try guide.setFavorite("a", to: nil)
            try expectEqual(guide.favoriteLine, "b c")
            try guide.setFavorite("a", to: nil)
            try expectEqual(guide.favoriteLine, "b c")
            try guide.setFavorite("a", to: 1)
            try expectEqual(guide.favoriteLine, "b a c")
            for station in ["a", "b", "c"] { try guide.setFavorite(station, to: nil) }
            try expectEqual(guide.favorites(), [])
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Favorites are compared byte for byte") { guide in
            // One letter in both normalization forms of Unicode.
            try guide.setFavorites("\u{E9}", "e\u{301}", "E")
            try expectEqual(guide.favorites(), ["\u{E9}", "e\u{301}", "E"].map(StationID.init))
            try guide.setFavorite("e\u{301}", to: nil)
            try expectEqual(guide.favorites(), ["\u{E9}", "E"].map(StationID.init))
        },
        StoreRule("Changing favorites leaves the generation and all contents unchanged") { guide in
            try guide.importSearchable(["one 20:00-21:00 A", "two 20:00-21:00 B"])
            let before = try guide.contents()
            try guide.setFavorites("two", "later")
            try guide.setFavorite("two", to: nil)
            try expectEqual(guide.contents(), before)
            try expectEqual(guide.isSearchIndexCurrent(), true)
        },
        StoreRule("Imports, pruning and removals keep favorites") { guide in
            try guide.importing(["one 20:00-21:00 A", "two 20:00-21:00 B"])
            try guide.setFavorites("later", "two", "one")
            try guide.importing(["later 21:00-22:00 C", "one 21:00-22:00 D"], as: Source(name: "other"))
            try guide.importing(["one 20:00-21:00 E"])
            #expect(try guide.prune(before: Day.instant("21:00")) > 0)
            _ = try guide.saveLineup(Lineup("cable", ["two 1"]))
            try expectEqual(guide.removeLineup(named: "cable"), true)
            for source in ["feed", "other"] { try expectEqual(guide.removeSource(named: source), true) }
            try expectEqual(guide.stationCount(), 0)
            try expectEqual(guide.favoriteLine, "later two one")
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("A restored guide has the favorites of the backup") { guide in
            let folder = try TemporaryFolder()
            try guide.importing(["one 20:00-21:00 A"])
            try guide.setFavorites("two", "one")
            _ = try guide.storage.backUp(to: folder.path(of: "copy"), target: .new)
            try guide.setFavorites("three", "two")
            _ = try guide.storage.restore(from: folder.path(of: "copy"), now: Day.now, waiting: .forOthers)
            try expectEqual(guide.favoriteLine, "two one")
            try expectEqual(guide.check().isIntact, true)
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
