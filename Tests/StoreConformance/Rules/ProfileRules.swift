import EPGModel
import Testing

extension StoreRule {
    /// Profiles survive all changes of the guide, and do not change it.
    static let profiles: [StoreRule] = [
        StoreRule("Profiles are returned as they were saved, sorted by name") { guide in
            let kids = try Profile(
                name: "kids", document: Array(#"{"favorites":["one.example","晚间"],  "zoom":300}"#.utf8),
                limit: ParentalLimit(maximumAge: 12, hiddenCategories: [" Horror ", "Éro, \"x\"", "horror"]),
                pinHash: "$y$jAT$x")
            let stored = try [guide.saveProfile(kids), guide.saveProfile(Profile(name: "Zoë")), guide.saveProfile(Profile(name: "anna"))]
            #expect(stored.map(\.version) == [1, 1, 1])
            #expect(try guide.profiles() == [stored[1], stored[2], stored[0]])
            #expect(stored[0].limit.hiddenCategories == ["Horror", "Éro, \"x\""])
            #expect(stored[0].document == kids.document)
            #expect(try guide.check().problems == [])
        },
        StoreRule("A change of a profile needs its version and raises it") { guide in
            let first = try guide.saveProfile(Profile(name: "kids"))
            let second = try guide.saveProfile(first.with(document: Array(#"{"zoom":120}"#.utf8)))
            #expect(second.version == 2)
            for stale in [first, try Profile(name: "kids"), try second.with(version: 3)] {
                #expect(throws: ProfileError.stale) { try guide.saveProfile(stale) }
            }
            #expect(throws: ProfileError.stale) { try guide.saveProfile(Profile(name: "other", version: 1)) }
            #expect(try guide.profiles() == [second])
        },
        StoreRule("A guide has at most 64 profiles") { guide in
            for number in 1...Profile.maximumCount { _ = try guide.saveProfile(Profile(name: "p\(number)")) }
            #expect(throws: ProfileError.tooMany) { try guide.saveProfile(Profile(name: "one more")) }
            let first = try guide.profiles()[0]
            #expect(try guide.saveProfile(first).version == 2)
            #expect(try guide.profiles().count == Profile.maximumCount)
        },
        StoreRule("Removing a profile keeps its watch rules") { guide in
            let rule = try WatchRule(name: "news", profile: "kids", WatchConditions(title: "News"))
            try guide.saveWatchRule(rule)
            _ = try guide.saveProfile(Profile(name: "kids"))
            #expect(try guide.removeProfile(named: "kids"))
            #expect(try !guide.removeProfile(named: "kids"))
            #expect(try guide.profiles() == [])
            #expect(try guide.watchRules() == [rule])
        },
        StoreRule("Changing profiles leaves the generation and all contents unchanged") { guide in
            try guide.importSearchable(["one 20:00-21:00 News", "two 20:00-21:00 B"])
            let before = try guide.contents()
            let profile = try guide.saveProfile(Profile(name: "kids"))
            _ = try guide.saveProfile(profile)
            #expect(try guide.removeProfile(named: "kids"))
            #expect(try guide.contents() == before)
            #expect(try guide.isSearchIndexCurrent())
        },
        StoreRule("Imports, pruning and removals keep profiles") { guide in
            let profile = try guide.saveProfile(Profile(name: "kids"))
            try guide.importing(["one 20:00-21:00 News"])
            try guide.importing(["one 21:00-22:00 Other"])
            #expect(try guide.prune(before: Day.instant("21:00")) > 0)
            #expect(try guide.removeSource(named: "feed"))
            #expect(try guide.profiles() == [profile])
        },
        StoreRule("A restored guide has the profiles of the backup") { guide in
            let folder = try TemporaryFolder()
            try guide.importing(["one 20:00-21:00 News"])
            let profile = try guide.saveProfile(Profile(name: "kids", limit: ParentalLimit(maximumAge: 6)))
            _ = try guide.storage.backUp(to: folder.path(of: "copy"), target: .new)
            #expect(try guide.removeProfile(named: "kids"))
            _ = try guide.storage.restore(from: folder.path(of: "copy"), now: Day.now, waiting: .forOthers)
            #expect(try guide.profiles() == [profile])
            #expect(try guide.check().isIntact)
        },
    ]
}
