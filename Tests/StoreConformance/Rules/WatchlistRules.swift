import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// Watch rules and reminders survive all changes of the guide, and do not change it.
    static let watchlists: [StoreRule] = [
        StoreRule("Watch rules are returned as they were saved, sorted by profile and name") { guide in
            let rules = try [
                WatchRule(name: "b", profile: "zoe", WatchConditions(title: "News")),
                WatchRule(
                    name: "c",
                    WatchConditions(
                        title: "É 晚间", words: "storm \"high tide\" sur*", anyWords: ["ferry", "\"low tide\" é"],
                        excludedWords: ["repeat"], pattern: TextPattern("^the \\w+ [“\"]"), category: "Film",
                        station: StationID("one.example"),
                        times: TimesOfDay(start: 1320, end: 60), isNew: true,
                        airing: AiringReference(
                            id: AiringID(7), start: Day.now, siblings: [AiringID(8), AiringID(12)])),
                    isOncePerEpisode: true, minutesBefore: 10_080, created: Day.now),
                WatchRule(name: "a", WatchConditions(station: StationID("one")), minutesBefore: 0),
                WatchRule(name: "d", WatchConditions(anyWords: ["ferry"])),
                WatchRule(name: "e", WatchConditions(pattern: TextPattern("x"))),
            ]
            for rule in rules { try guide.saveWatchRule(rule) }
            try expectEqual(guide.watchRules(), [rules[2], rules[1], rules[3], rules[4], rules[0]])
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("A watch rule with the name of another rule replaces it and keeps the identifier") { guide in
            let first = try WatchRule(name: "news", WatchConditions(title: "News"))
            let second = try WatchRule(
                name: "news", profile: "anna", WatchConditions(words: "storm"), minutesBefore: 1, created: Day.now)
            try guide.saveWatchRule(first)
            try guide.saveWatchRule(second)
            let stored = try guide.watchRules()
            expectEqual(stored.map(\.id), [first.id])
            expectEqual(stored.map(\.created), [first.created])
            expectEqual(stored.first?.isEquivalent(to: second), true)
        },
        StoreRule("A watch rule with another name keeps its identifier and reminders") { guide in
            let rules = try [WatchRule(name: "one", .news, created: Day.now), WatchRule(name: "two", .news)]
            for rule in rules { try guide.saveWatchRule(rule) }
            let reminder = Reminder.sample("k", of: rules[0])
            _ = try guide.claimReminders([reminder])
            let edited = try WatchRule(
                id: rules[0].id, name: "zero", profile: "anna",
                WatchConditions(anyWords: ["ferry"], pattern: TextPattern("tide$")), created: Day.now)
            try guide.saveWatchRule(edited)
            try expectEqual(guide.watchRules(), [edited, rules[1]])
            try expectEqual(guide.reminders(), [reminder])
            let taken = try WatchRule(id: rules[0].id, name: "two", .news)
            #expect(throws: WatchRuleError.nameInUse("two")) { try guide.saveWatchRule(taken) }
            try expectEqual(guide.watchRules(), [edited, rules[1]])
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Removing a watch rule removes its reminders") { guide in
            let (one, two) = (try WatchRule(name: "one", .news), try WatchRule(name: "two", .news))
            for rule in [one, two] { try guide.saveWatchRule(rule) }
            let reminders = [Reminder.sample("k1", of: one), Reminder.sample("k2", of: two)]
            try expectEqual(guide.claimReminders(reminders), reminders)
            try expectEqual(guide.removeWatchRule(named: "one"), true)
            try expectEqual(guide.removeWatchRule(named: "one"), false)
            try expectEqual(guide.watchRules(), [two])
            try expectEqual(guide.reminders(), [reminders[1]])
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("A claimed reminder is returned until it is sent") { guide in
            let rule = try WatchRule(name: "news", .news)
            try guide.saveWatchRule(rule)
            let (phone, desk) = (
                Reminder.sample("k", of: rule, to: "phone"), Reminder.sample("k", of: rule, to: "desk")
            )
            try expectEqual(guide.claimReminders([phone]), [phone])
            // Claimed by another process that was killed: the stored reminder counts.
            var other = phone
            other.changed = Day.instant("19:00")
            try expectEqual(guide.claimReminders([other, desk]), [phone, desk])
            var (sent, failed) = (phone, desk)
            sent.state = .sent
            failed.fail("the server responded with status 500", at: Day.now)
            try guide.saveReminders([sent, failed])
            try expectEqual(guide.reminders(), [failed, sent])
            try expectEqual(guide.claimReminders([phone, desk]), [failed])
            var givenUp = failed
            givenUp.state = .failed
            try guide.saveReminders([givenUp])
            try expectEqual(guide.claimReminders([phone, desk]), [failed])
            try expectEqual(guide.reminders(), [failed, sent])
        },
        StoreRule("Claiming a reminder for another airing replaces it unless it was sent") { guide in
            let rule = try WatchRule(name: "news", .news, isOncePerEpisode: true)
            try guide.saveWatchRule(rule)
            var first = Reminder.sample("k", of: rule)
            _ = try guide.claimReminders([first])
            first.fail("refused", at: Day.now)
            first.state = .failed
            try guide.saveReminders([first])
            var repeated = Reminder.sample(
                "k", of: rule, airing: AiringID(3), window: Day.window("22:00-23:00"), siblings: [])
            try expectEqual(guide.claimReminders([repeated]), [repeated])
            try expectEqual(guide.reminders(), [repeated])
            repeated.state = .sent
            try guide.saveReminders([repeated])
            try expectEqual(guide.claimReminders([first]), [])
            try expectEqual(guide.reminders(), [repeated])
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("A reminder of a removed watch rule is neither claimed nor saved") { guide in
            let rule = try WatchRule(name: "news", .news)
            let reminder = Reminder.sample("k", of: rule)
            try expectEqual(guide.claimReminders([reminder]), [])
            try guide.saveReminders([reminder])
            try expectEqual(guide.reminders(), [])
        },
        StoreRule("Changing watch rules and reminders leaves the generation and all contents unchanged") { guide in
            try guide.importSearchable(["one 20:00-21:00 News", "two 20:00-21:00 B"])
            let before = try guide.contents()
            let rule = try WatchRule(name: "news", .news)
            try guide.saveWatchRule(rule)
            _ = try guide.claimReminders([.sample("k", of: rule)])
            try expectEqual(guide.removeWatchRule(named: "news"), true)
            try expectEqual(guide.contents(), before)
            try expectEqual(guide.isSearchIndexCurrent(), true)
        },
        StoreRule("Imports, pruning and removals keep watch rules") { guide in
            let rule = try WatchRule(name: "news", .news)
            try guide.saveWatchRule(rule)
            try guide.importing(["one 20:00-21:00 News"])
            try guide.importing(["one 21:00-22:00 Other"])
            #expect(try guide.prune(before: Day.instant("21:00")) > 0)
            try expectEqual(guide.removeSource(named: "feed"), true)
            try expectEqual(guide.watchRules(), [rule])
        },
        StoreRule("Pruning removes reminders of removed airings, and of episodes after a year") { guide in
            try guide.importing(["one 20:00-21:00 News", "one 21:00-22:00 Late"])
            let ids = try guide.airings().map(\.id)
            let (each, once) = (
                try WatchRule(name: "each", .news), try WatchRule(name: "once", .news, isOncePerEpisode: true)
            )
            for rule in [each, once] { try guide.saveWatchRule(rule) }
            let reminders = [each, once].flatMap { rule in
                zip(ids, ["20:00-21:00", "21:00-22:00"]).map { id, window in
                    Reminder.sample("\(rule.name) \(window)", of: rule, airing: id, window: Day.window(window))
                }
            }
            _ = try guide.claimReminders(reminders)
            _ = try guide.prune(before: Day.instant("21:00"))
            try expectEqual(
                guide.reminders().map(\.key), ["once 20:00-21:00", "each 21:00-22:00", "once 21:00-22:00"])
            let year = Day.instant("21:00").advanced(by: Reminder.episodeRetention)
            _ = try guide.prune(before: year)
            try expectEqual(guide.reminders().map(\.key), ["once 21:00-22:00"])
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("A restored guide has the watch rules and reminders of the backup") { guide in
            let folder = try TemporaryFolder()
            try guide.importing(["one 20:00-21:00 News"])
            let rule = try WatchRule(name: "news", .news)
            try guide.saveWatchRule(rule)
            let reminder = Reminder.sample("k", of: rule)
            _ = try guide.claimReminders([reminder])
            _ = try guide.storage.backUp(to: folder.path(of: "copy"), target: .new)
            try expectEqual(guide.removeWatchRule(named: "news"), true)
            _ = try guide.storage.restore(from: folder.path(of: "copy"), now: Day.now, waiting: .forOthers)
            try expectEqual(guide.watchRules(), [rule])
            try expectEqual(guide.reminders(), [reminder])
            try expectEqual(guide.check().isIntact, true)
        },
        StoreRule("One process sends reminders, and others go on") { guide in
            let other = try guide.reopenedStore()
            let outcome = try guide.storage.withReminderLock { () -> Int in
                try expectEqual(other.withReminderLock { 2 }, nil)
                // The guide can be written and refreshed at the same time.
                try other.write(waiting: .forOthers) { try $0.setFavorite(StationID("one"), to: 0) }
                try other.withRefreshLock(waiting: .forOthers) {}
                return 1
            }
            expectEqual(outcome, 1)
            try expectEqual(other.withReminderLock { 3 }, 3)
        },
        StoreRule("Watch rules and once per episode equal a brute-force evaluation of random guides") { guide in
            for seed in 1...UInt64(TestScope.cases(40)) {
                let random = try RandomWatchlist(seed: seed)
                let other = try guide.another()
                try other.importSearchable(random.airings)
                let ids = try RandomWatchlist.identifiers(in: other)
                try other.storage.read { guide in
                    for turn in 0..<12 { try random.compare(turn, ids, in: guide) }
                }
                // All rules at once give each airing its rules. For many titles, a pass over the guide replaces searches.
                let now = random.now(0)
                let all = try (0..<400).map { try random.rule($0, ids, now: now) }
                let titles = all.filter { rule in
                    let conditions = rule.conditions
                    return conditions.title != nil && conditions.words == nil && conditions.anyWords.isEmpty
                        && conditions.station == nil
                }
                #expect(titles.count > 8)
                let end = now.advanced(by: 20 * 3600)
                for rules in [Array(all.prefix(12)), titles] {
                    let list = try other.storage.read { reading in
                        try Watchlist(reading, now: now) { Int($0.secondsSince1970 % 86_400 / 60) }
                            .airings(of: rules, until: end).airings
                    }
                    for rule in rules {
                        let own = list.filter { $0.rules.contains(rule) }
                        expectEqual(
                            own.map { "\($0.airing.station) \(Day.line($0.airing))" },
                            random.expected(rule, [], ids, from: now, until: end), "seed \(seed), \(rule)")
                    }
                }
            }
        },
        StoreRule("What evaluations keep in memory does not change their results") { guide in
            for seed in 1...UInt64(TestScope.cases(12)) {
                let random = try RandomWatchlist(seed: seed)
                let (other, index) = (try guide.another(), WatchIndex())
                for part in [random.half(), random, random.half()] {
                    // The first import adds airings, the second removes some, so that programmes come and go.
                    try other.importSearchable(part.airings)
                    if part.airings.count < random.airings.count { try other.importSearchable(part.airings) }
                    let ids = try RandomWatchlist.identifiers(in: other)
                    try other.storage.read { guide in
                        for turn in 0..<8 { try part.compare(turn, ids, in: guide, index) }
                    }
                    if part.airings.count == random.airings.count { _ = try other.removeSource(named: "feed") }
                }
            }
        },
        StoreRule("After an import, an evaluation examines only new programmes") { guide in
            let rules = try [
                WatchRule(name: "title", WatchConditions(title: "news")),
                WatchRule(name: "words", WatchConditions(words: "storm")),
                WatchRule(name: "pattern", WatchConditions(pattern: TextPattern("^(news|storm)$"))),
            ]
            let index = WatchIndex()
            func evaluate() throws -> (found: [String], examined: [Int64]) {
                try guide.storage.read { reading in
                    let examined = ExaminedProgrammes(reading)
                    let found = try Watchlist(examined, now: Day.now, index: index) { _ in 0 }
                        .airings(of: rules, until: Day.instant("40:00")).airings
                    return (found.map(\.airing.title), examined.above)
                }
            }
            try guide.importSearchable(["one 20:00-21:00 News", "one 21:00-22:00 Storm", "one 22:00-23:00 C"])
            // A pattern is examined apart from the others.
            var (found, examined) = try evaluate()
            expectEqual((found, examined), (["News", "Storm"], [0, 0]))
            (found, examined) = try evaluate()
            expectEqual((found, examined), (["News", "Storm"], []))
            try guide.importSearchable(
                [
                    "one 20:00-21:00 News", "one 21:00-22:00 Storm", "one 22:00-23:00 Storm again",
                    "two 20:00-21:00 news",
                ])
            (found, examined) = try evaluate()
            expectEqual((found, examined), (["News", "news", "Storm", "Storm again"], [3, 3]))
            // A new rule is checked without a search.
            try guide.storage.read { reading in
                let examined = ExaminedProgrammes(reading)
                try Watchlist.checkWords(of: rules[1], in: examined)
                expectEqual(examined.above, [.max])
            }
        },
        StoreRule("A list has the first airings of each rule and of all rules") { guide in
            let airings = (0..<300).map { "s\($0 % 20) \(20 + $0 / 20):00-\(20 + $0 / 20):30 News" }
            try guide.importSearchable(airings)
            let rules = try [
                WatchRule(name: "all", .news), WatchRule(name: "one", WatchConditions(station: StationID("s19"))),
            ]
            for (limit, count, isComplete) in [(300, 300, true), (299, 299, false), (25, 25, false)] {
                let list = try guide.storage.read { reading in
                    try Watchlist(reading, now: Day.now) { _ in 0 }
                        .airings(of: rules, until: Day.instant("40:00"), limit: limit)
                }
                expectEqual((list.airings.count, list.isComplete), (count, isComplete))
                // 20 airings start each hour.
                expectEqual(
                    list.airings.map { Day.clock($0.airing.window.start) },
                    (0..<count).map { Day.clock(Day.instant("\(20 + $0 / 20):00")) })
            }
        },
        StoreRule("An airing that has ended makes a later one of the same episode a repeat, unless the rule is newer") {
            guide in
            try guide.importSearchable([
                "one 20:00-21:00 Tide / First", "one 22:00-23:00 Tide / First", "one 23:00-24:00 Tide / Second",
            ])
            for (conditions, label) in [
                (WatchConditions(title: "tide"), "title"), (WatchConditions(words: "tide"), "words"),
                (WatchConditions(station: StationID("one")), "station"),
            ] {
                for (clock, created, starts) in [
                    ("19:00", "18:00", ["20:00", "23:00"]), ("20:59", "18:00", ["20:00", "23:00"]),
                    ("21:00", "18:00", ["23:00"]), ("21:30", "21:00", ["22:00", "23:00"]),
                ] {
                    let rule = try WatchRule(
                        name: "tide", conditions, isOncePerEpisode: true, created: Day.instant(created))
                    let list = try guide.storage.read { reading in
                        try Watchlist(reading, now: Day.instant(clock)) { _ in 0 }
                            .airings(of: [rule], until: Day.instant("40:00")).airings
                    }
                    expectEqual(list.map { Day.clock($0.airing.window.start) }, starts, "\(label) at \(clock)")
                }
            }
        },
        StoreRule("Numbers in texts identify the episode on all stations") { guide in
            try guide.importSearchable([
                "one 20:00-21:00 Tide S01E01", "two 21:00-22:00 Tide / S1 E1", "one 22:00-23:00 Tide S01E02",
                "two 23:00-24:00 Tide / Season 1, Episode 2",
            ])
            let rule = try WatchRule(
                name: "tide", WatchConditions(words: "tide"), isOncePerEpisode: true, created: Day.instant("18:00"))
            let list = try guide.storage.read { reading in
                try Watchlist(reading, now: Day.now) { _ in 0 }.airings(of: [rule], until: Day.instant("40:00")).airings
            }
            expectEqual(list.map { Day.clock($0.airing.window.start) }, ["20:00", "22:00"])
            expectEqual(list.map(\.airing.episode), ["S1 E1", "S1 E2"])
        },
        StoreRule("Alternatives, exclusions and patterns are searched in title, subtitle and description") { guide in
            try guide.importSearchable([
                programme(20, "Tide", subtitle: "Ferry", description: "A storm."),
                programme(21, "Tide", subtitle: "Lighthouse"), programme(22, "Storm surge"),
                programme(23, "News", description: "Ferries in a STORM"),
            ])
            let cases: [(WatchConditions, [String])] = [
                (WatchConditions(anyWords: ["lighthouse", "surge"]), ["21:00", "22:00"]),
                (WatchConditions(title: "tide", anyWords: ["ferry", "surge"]), ["20:00"]),
                (WatchConditions(words: "storm", excludedWords: ["tide", "surge"]), ["23:00"]),
                (WatchConditions(excludedWords: ["storm"], station: StationID("one")), ["21:00"]),
                (WatchConditions(anyWords: ["storm", "lighthouse"], excludedWords: ["ferr*"]), ["21:00", "22:00"]),
                (WatchConditions(pattern: try TextPattern("^(ferry|news)$")), ["20:00", "23:00"]),
                (WatchConditions(pattern: try TextPattern("ferr(y|ies)\\b")), ["20:00", "23:00"]),
                (WatchConditions(excludedWords: ["news"], pattern: try TextPattern("storm\\.?$")), ["20:00"]),
                // A pattern is not searched across texts.
                (WatchConditions(pattern: try TextPattern("tide.ferry")), []),
            ]
            try guide.storage.read { reading in
                for (conditions, expected) in cases {
                    let list = try Watchlist(reading, now: Day.now) { _ in 0 }
                        .airings(of: [WatchRule(name: "r", conditions)], until: Day.instant("24:00"))
                    expectEqual(list.airings.map { Day.clock($0.airing.window.start) }, expected, "\(conditions)")
                }
            }
        },
        StoreRule("A rule with unusable words does not affect the others") { guide in
            try guide.importSearchable(["one 20:00-21:00 News"])
            let (bad, good) = (
                try WatchRule(name: "bad", WatchConditions(words: "a* b*")), try WatchRule(name: "good", .news)
            )
            try guide.storage.read { reading in
                for (conditions, field) in [
                    (bad.conditions, WatchRuleError.Field.words),
                    (WatchConditions(anyWords: ["tide", "a* b*"]), .any),
                    (WatchConditions(title: "News", excludedWords: ["a* b*"]), .without),
                ] {
                    #expect(throws: WatchRuleError.unsearchable(field, .prefixTooShort("b"))) {
                        try Watchlist.checkWords(of: WatchRule(name: "bad", conditions), in: reading)
                    }
                }
                try Watchlist.checkWords(of: good, in: reading)
                let list = try Watchlist(reading, now: Day.now) { _ in 0 }
                    .airings(of: [bad, good], until: Day.instant("24:00"))
                expectEqual(list.airings.map { $0.rules.map(\.name) }, [["good"]])
                expectEqual(list.failures.map(\.rule), [bad])
                #expect(list.failures.allSatisfy { $0.error is SearchExpressionError })
            }
        },
        StoreRule("A pattern that takes too long affects only its rule, and is not tried again for the same guide") {
            guide in
            try guide.importSearchable(["one 20:00-21:00 News"])
            let rules = try [
                WatchRule(name: "bad", WatchConditions(pattern: TextPattern("news"))), WatchRule(name: "good", .news),
            ]
            let index = WatchIndex()
            func attempts() throws -> Int {
                try guide.storage.read { reading in
                    let expensive = ExpensivePatterns(reading)
                    let list = try Watchlist(expensive, now: Day.now, index: index) { _ in 0 }
                        .airings(of: rules, until: Day.instant("24:00"))
                    expectEqual(list.failures.map(\.rule.name), ["bad"])
                    expectEqual(list.airings.map { $0.rules.map(\.name) }, [["good"]])
                    return expensive.attempts
                }
            }
            try expectEqual([attempts(), attempts()], [1, 0])
            try guide.importSearchable(["one 20:00-21:00 News", "two 20:00-21:00 B"])
            try expectEqual([attempts(), attempts()], [1, 0])
        },
        StoreRule("A rule for one airing follows it, and never becomes one for another airing") { guide in
            let fixed = ["one 18:00-19:00 Before", "one 23:00-24:00 News"]
            for (later, clocks) in [
                (["one 20:00-21:00 Sport"], []),
                (["one 20:00-20:30 Sport", "one 20:30-21:00 News"], ["20:30"]),
                (["one 20:10-21:00 News"], ["20:10"]),
            ] {
                try guide.importSearchable(fixed + ["one 20:00-21:00 News"])
                let airings = try guide.airings()
                let news = airings.first { $0.title == "News" && $0.window == Day.window("20:00-21:00") }
                let id = try #require(news?.id)
                let detail = try #require(try guide.airing(id))
                let rule = try WatchRule(
                    name: "one",
                    WatchConditions(
                        title: "News", station: StationID("one"), airing: AiringReference(detail.airing, in: guide)))
                try guide.importSearchable(fixed + later)
                let list = try guide.storage.read { reading in
                    try Watchlist(reading, now: Day.now) { _ in 0 }
                        .airings(of: [rule], until: Day.instant("26:00")).airings
                }
                expectEqual(list.map { Day.clock($0.airing.window.start) }, clocks, "\(later)")
            }
        },
        StoreRule("Conflicts are the times at which more stations are watched than there are tuners") { guide in
            try guide.importing([
                "a 20:00-21:00 News", "a 21:00-22:00 News", "b 20:30-21:30 News", "c 21:00-22:00 News",
                "c 22:00-23:00 News",
            ])
            try guide.refreshSearchIndex()
            let list = try guide.storage.read { reading in
                try Watchlist(reading, now: Day.now) { _ in 0 }
                    .airings(of: [WatchRule(name: "news", .news)], until: Day.instant("26:00")).airings
            }
            func conflicts(_ tuners: Int) -> [String] {
                WatchConflicts(in: list, tuners: tuners).list.map { conflict in
                    let stations = conflict.airings.compactMap { id in
                        list.first { $0.id == id }?.airing.station.rawValue
                    }
                    return "\(Day.clock(conflict.window.start))-\(Day.clock(conflict.window.end)) \(stations.joined())"
                }
            }
            expectEqual(conflicts(1), ["20:30-21:00 ab", "21:00-21:30 bac", "21:30-22:00 ac"])
            expectEqual(conflicts(2), ["21:00-21:30 bac"])
            expectEqual(conflicts(3), [])
            for (tuners, stations) in [(1, "abac"), (2, "bac"), (3, "")] {
                let airings = WatchConflicts(in: list, tuners: tuners).airings
                expectEqual(
                    list.filter { airings.contains($0.id) }.map(\.airing.station.rawValue).joined(), stations)
            }
        },
        StoreRule("A list of conflicts is limited, and says how many there are") { guide in
            // 8 stations with 120 airings of a minute each, and 20 more stations in the first minute.
            let airings =
                (0..<8).flatMap { station in (0..<120).map { "s\(station) 20:\($0)-20:\($0 + 1) News" } }
                + (0..<20).map { "t\($0) 20:00-20:01 News" }
            try guide.importing(airings)
            let list = try guide.storage.read { reading in
                try Watchlist(reading, now: Day.now) { _ in 0 }
                    .airings(of: [WatchRule(name: "news", .news)], until: Day.instant("23:00")).airings
            }
            let conflicts = WatchConflicts(in: list, tuners: 2)
            expectEqual((conflicts.count, conflicts.list.count, conflicts.airings.count), (120, 100, 980))
            expectEqual((conflicts.list[0].count, conflicts.list[0].airings.count), (28, 20))
            expectEqual((conflicts.list[1].count, conflicts.list[1].airings.count), (8, 8))
            expectEqual(WatchConflicts(in: list, tuners: 8).list.map(\.window), [Day.window("20:00-20:01")])
        },
    ]
}

extension WatchConditions {
    fileprivate static let news = WatchConditions(title: "news")
}

/// Returns the record of an airing of an hour.
private func programme(_ hour: Int, _ title: String, subtitle: String? = nil, description: String? = nil) -> String {
    """
    <programme start="\(Day.stamp("\(hour):00"))" stop="\(Day.stamp("\(hour + 1):00"))" channel="one"><title>\(title)</title>\
    \(subtitle.map { "<sub-title>\($0)</sub-title>" } ?? "")\(description.map { "<desc>\($0)</desc>" } ?? "")</programme>
    """
}

extension Reminder {
    /// A reminder that was claimed at ``Day/now``.
    static func sample(
        _ key: String, of rule: WatchRule, to target: String = "phone", airing: AiringID = AiringID(1),
        window: TimeWindow = Day.window("20:00-21:00"), siblings: [AiringID] = [AiringID(7), AiringID(9)]
    ) -> Reminder {
        Reminder(
            key: key, target: target, rule: rule.id, airing: airing, station: StationID("one"), window: window,
            title: "News",
            episode: EpisodeIdentity(rawValue: "e"), generation: Generation(1), siblings: siblings,
            state: .sending, failures: 0,
            changed: Day.now, notBefore: nil, error: nil)
    }
}

/// Records the numbers above which programmes are examined. Searches are refused.
private final class ExaminedProgrammes: ForwardingReading, @unchecked Sendable {
    private(set) var above: [Int64] = []

    override func programmes(
        meeting conditions: [ProgrammeCondition], above number: Int64
    ) throws -> [Result<ProgrammeMatches, any Error>] {
        above.append(number)
        return try super.programmes(meeting: conditions, above: number)
    }

    override func search(_ query: SearchQuery) throws -> SearchResults { throw SearchIndexMissing() }
}

/// Gives up all patterns, and counts them.
private final class ExpensivePatterns: ForwardingReading, @unchecked Sendable {
    private(set) var attempts = 0

    override func programmes(
        meeting conditions: [ProgrammeCondition], above number: Int64
    ) throws -> [Result<ProgrammeMatches, any Error>] {
        try zip(conditions, super.programmes(meeting: conditions, above: number)).map { condition, result in
            guard case .pattern = condition else { return result }
            attempts += 1
            return .failure(TextPatternError(.tooExpensive))
        }
    }
}

/// A random guide of one evening and night, and rules for it, with an evaluation that looks at every airing.
private struct RandomWatchlist {
    private struct Entry {
        let station: String
        let row: Int
        let start: Int
        let stop: Int
        let title: String
        let subtitle: String?
        let words: String?
        let category: String?
        let episode: Int?
        /// The `dd_progid`, which feeds use for the same title.
        let identifier: String?
        let isNew: Bool

        /// Identifies the airing.
        var place: String { "\(station) \(start)" }

        /// What identifies the episode; `nil` if only the title is known.
        var identity: String? {
            if let episode { return "\(title.lowercased()) \(episode)" }
            if let identifier { return "id \(identifier)" }
            return subtitle == nil && words == nil ? nil : "\(title.lowercased())|\(subtitle ?? "")|\(words ?? "")"
        }
    }

    private static let titles = ["News", "news", "Harbor", "Late News", "Film: Tide"]
    private static let words = ["storm", "surge", "lighthouse", "ferry"]
    private let entries: [Entry]
    private let seed: UInt64

    init(seed: UInt64) throws {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        var entries: [Entry] = []
        for (row, station) in ["a", "b", "c"].enumerated() {
            var time = 17 * 60 + Int.random(in: 0..<60, using: &random)
            while time < 40 * 60 {
                let length = Int.random(in: 1...12, using: &random) * 5
                if Int.random(in: 0..<5, using: &random) > 0 {
                    let hasWords = Bool.random(using: &random)
                    let title = Self.titles.randomElement(using: &random) ?? ""
                    let number = Int.random(in: 1...12, using: &random)
                    entries.append(
                        Entry(
                            station: station, row: row, start: time, stop: time + length,
                            title: title,
                            subtitle: Bool.random(using: &random) ? Self.words.randomElement(using: &random) : nil,
                            words: hasWords
                                ? Self.words.shuffled(using: &random).prefix(2).joined(separator: " ") : nil,
                            category: ["Film", "film", "Sport", nil].randomElement(using: &random) ?? nil,
                            episode: Bool.random(using: &random) ? Int.random(in: 1...3, using: &random) : nil,
                            identifier: number < 4 ? "EP0000\(title.utf8.count).000\(number)" : nil,
                            isNew: Bool.random(using: &random)))
                }
                time += length
            }
        }
        self.entries = entries
    }

    private init(_ entries: [Entry], seed: UInt64) {
        self.entries = entries
        self.seed = seed
    }

    /// A guide without every other airing.
    func half() -> RandomWatchlist {
        RandomWatchlist(entries.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element), seed: seed)
    }

    /// The records of the guide for ``Day``.
    var airings: [String] {
        entries.map { entry in
            var text = "<programme start=\"\(Self.stamp(entry.start))\" stop=\"\(Self.stamp(entry.stop))\" "
            text += "channel=\"\(entry.station)\"><title>\(entry.title)</title>"
            if let subtitle = entry.subtitle { text += "<sub-title>\(subtitle)</sub-title>" }
            if let words = entry.words { text += "<desc>\(words)</desc>" }
            if let category = entry.category { text += "<category>\(category)</category><category>Other</category>" }
            if let identifier = entry.identifier {
                text += "<episode-num system=\"dd_progid\">\(identifier)</episode-num>"
            }
            if let episode = entry.episode {
                text += "<episode-num system=\"xmltv_ns\">0.\(episode - 1).</episode-num>"
            }
            return text + (entry.isNew ? "<new/>" : "") + "</programme>"
        }
    }

    private static func stamp(_ minutes: Int) -> String { Day.stamp("\(minutes / 60):\(minutes % 60)") }

    func now(_ turn: Int) -> Instant {
        var random = SeededGenerator(seed: seed * 1000 + UInt64(turn))
        return Day.instant("17:00").advanced(by: Int64.random(in: 0..<20 * 3600, using: &random))
    }

    /// Returns the identifiers of the airings of a guide by ``Entry/place``.
    static func identifiers(in guide: GuideUnderTest) throws -> [String: AiringID] {
        let midnight = Day.instant("0:00")
        let airings = try guide.airings().map { airing in
            ("\(airing.station) \(midnight.seconds(to: airing.window.start) / 60)", airing.id)
        }
        return Dictionary(uniqueKeysWithValues: airings)
    }

    func rule(_ turn: Int, _ ids: [String: AiringID], now: Instant) throws -> WatchRule {
        var random = SeededGenerator(seed: seed * 77 + UInt64(turn))
        func chosen(_ values: [String]) -> String? {
            Bool.random(using: &random) ? values.randomElement(using: &random) : nil
        }
        var conditions = WatchConditions(
            title: chosen(["NEWS", "harbor", "Film: Tide", "Film"]), words: chosen(Self.words + ["storm ferry"]),
            anyWords: Bool.random(using: &random) ? Array(Self.words.shuffled(using: &random).prefix(2)) : [],
            excludedWords: Bool.random(using: &random) ? [Self.words.randomElement(using: &random) ?? ""] : [],
            pattern: try chosen(["^(late )?news$", "st.rm", "[^u]ge"]).map { try TextPattern($0) },
            category: chosen(["film", "Sport"]), station: chosen(["a", "b", "c", "d"]).map { StationID($0) },
            times: Bool.random(using: &random)
                ? TimesOfDay(
                    start: Int.random(in: 0..<1440, using: &random), end: Int.random(in: 1...1440, using: &random))
                : nil,
            isNew: Bool.random(using: &random))
        if conditions.title == nil, conditions.words == nil, conditions.category == nil, conditions.station == nil {
            conditions.title = "News"
        }
        if turn % 4 == 3, let entry = entries.randomElement(using: &random), let id = ids[entry.place] {
            conditions = WatchConditions(
                title: entry.title, station: StationID(entry.station), isNew: conditions.isNew,
                airing: AiringReference(id: id, start: Self.instant(entry.start)))
        }
        let created = [.beginningOfTime, now.advanced(by: -Int64.random(in: 0..<8 * 3600, using: &random))]
            .randomElement(using: &random)
        return try WatchRule(
            name: "rule", conditions, isOncePerEpisode: Bool.random(using: &random), created: created ?? now)
    }

    /// Compares the airings of a rule, for some lengths of time.
    func compare(
        _ turn: Int, _ ids: [String: AiringID], in guide: any GuideReading, _ index: WatchIndex = WatchIndex()
    ) throws {
        let now = now(turn)
        let rule = try rule(turn, ids, now: now)
        let reminders = try reminders(turn, of: rule, ids, in: guide)
        for minutes: Int64 in [45, 3 * 60, 30 * 60] {
            let end = now.advanced(by: minutes * 60)
            let list = Watchlist(guide, now: now, reminders: reminders, index: index) {
                Int($0.secondsSince1970 % 86_400 / 60)
            }
            let found = try list.airings(of: [rule], until: end)
            let marks = try list.marks(of: [rule], during: TimeWindow(start: now, end: end))
            expectEqual(
                found.airings.map { "\($0.airing.station) \(Day.line($0.airing))" },
                expected(rule, reminders, ids, from: now, until: end),
                "seed \(seed), turn \(turn), \(rule), \(minutes) min")
            expectEqual(found.isComplete, true)
            expectEqual(Set(marks.keys), Set(found.airings.map(\.id)))
        }
    }

    /// Returns former reminders of a rule, of airings that match its title or not.
    private func reminders(
        _ turn: Int, of rule: WatchRule, _ ids: [String: AiringID], in guide: any GuideReading
    ) throws -> [Reminder] {
        var random = SeededGenerator(seed: seed * 33 + UInt64(turn))
        guard Bool.random(using: &random) else { return [] }
        let generation = try guide.generation()
        return try entries.filter { _ in Int.random(in: 0..<6, using: &random) == 0 }.compactMap { entry in
            guard let id = ids[entry.place], let detail = try guide.airing(id) else { return nil }
            return Reminder(
                key: entry.place, target: "phone", rule: rule.id, airing: id, station: StationID(entry.station),
                window: TimeWindow(start: Self.instant(entry.start), end: Self.instant(entry.stop)),
                title: entry.title, episode: EpisodeIdentity(detail.programme), generation: generation,
                siblings: [], state: Reminder.State.allCases.randomElement(using: &random) ?? .sent, failures: 0,
                changed: Day.now, notBefore: nil, error: nil)
        }
    }

    private static func instant(_ minutes: Int) -> Instant { Day.instant("\(minutes / 60):\(minutes % 60)") }

    /// The lines that a list must have.
    func expected(
        _ rule: WatchRule, _ reminders: [Reminder], _ ids: [String: AiringID], from now: Instant, until end: Instant
    ) -> [String] {
        let conditions = rule.conditions
        let regex = conditions.pattern.flatMap { try? Regex($0.text).ignoresCase() }
        let matching = entries.filter { entry in
            if let airing = conditions.airing, airing.id != ids[entry.place] { return false }
            if let title = conditions.title, title.lowercased() != entry.title.lowercased() { return false }
            let text = [entry.title, entry.subtitle, entry.words].compactMap { $0 }.joined(separator: " ").lowercased()
            if let words = conditions.words, !words.split(separator: " ").allSatisfy({ text.contains($0) }) {
                return false
            }
            if !conditions.anyWords.isEmpty, !conditions.anyWords.contains(where: { text.contains($0) }) {
                return false
            }
            if conditions.excludedWords.contains(where: { text.contains($0) }) { return false }
            if let regex, ![entry.title, entry.subtitle, entry.words].contains(where: { $0?.contains(regex) ?? false })
            {
                return false
            }
            if let category = conditions.category, category.lowercased() != entry.category?.lowercased() {
                return false
            }
            if let station = conditions.station, station.rawValue != entry.station { return false }
            if conditions.isNew, !entry.isNew { return false }
            guard let times = conditions.times else { return true }
            let minute = entry.start % 1440
            return times.start < times.end
                ? times.start <= minute && minute < times.end : minute >= times.start || minute < times.end
        }
        // The states of the reminders of each episode, with whether their airing has ended.
        var records: [String: [(state: Reminder.State, stop: Int)]] = [:]
        for reminder in reminders {
            guard let entry = entries.first(where: { $0.place == reminder.key }), let identity = entry.identity else {
                continue
            }
            records[identity, default: []].append((reminder.state, entry.stop))
        }
        var seen: Set<String> = []
        for (identity, own) in records {
            let last = own.filter { $0.state == .sent }.map(\.stop).max()
            if let last, Self.instant(last) <= now { seen.insert(identity) }
        }
        for entry in matching where Self.instant(entry.stop) <= now && Self.instant(entry.stop) > rule.created {
            if let identity = entry.identity, records[identity] == nil { seen.insert(identity) }
        }
        return matching.filter { Self.instant($0.stop) > now && Self.instant($0.start) < end }
            .sorted { ($0.start, $0.row) < ($1.start, $1.row) }.filter { entry in
                guard rule.isOncePerEpisode, let identity = entry.identity else { return true }
                return seen.insert(identity).inserted
            }.map { entry in
                let times = [entry.start, entry.stop].map { Day.clock(Self.instant($0)) }.joined(separator: "-")
                return "\(entry.station) \(times) \(entry.title)"
            }
    }
}
