import EPGJSON
import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// Profiles and settings survive all changes of the guide, and do not change it.
    static let profiles: [StoreRule] = [
        StoreRule("Settings are returned as they were saved, survive removals, and leave the generation unchanged") {
            guide in
            try guide.importing(["one 20:00-21:00 News"])
            let before = try guide.contents()
            try expectEqual(guide.storedSettings(), [:])
            try guide.saveSetting("zone", to: ["Europe/London"])
            try guide.saveSetting("private-hosts", to: ["tuner.example", "", "::1"])
            try guide.saveSetting("zone", to: ["Asia/Tokyo"])
            try guide.saveSetting("refresh", to: ["@daily"])
            try guide.saveSetting("refresh", to: nil)
            let stored = ["zone": ["Asia/Tokyo"], "private-hosts": ["tuner.example", "", "::1"]]
            try expectEqual(guide.storedSettings(), stored)
            try expectEqual(guide.contents(), before)
            let folder = try TemporaryFolder()
            _ = try guide.storage.backUp(to: folder.path(of: "copy"), target: .new)
            try guide.saveSetting("zone", to: nil)
            try expectEqual(guide.removeSource(named: "feed"), true)
            try expectEqual(guide.storedSettings(), ["private-hosts": stored["private-hosts"]])
            _ = try guide.storage.restore(from: folder.path(of: "copy"), now: Day.now, waiting: .forOthers)
            try expectEqual(guide.storedSettings(), stored)
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Profiles are returned as they were saved, sorted by name") { guide in
            let kids = try Profile(
                name: "kids", document: Array(#"{"favorites":["one.example","晚间"],  "zoom":300}"#.utf8),
                limit: ParentalLimit(maximumAge: 12, hiddenCategories: [" Horror ", "Éro, \"x\"", "horror"]),
                pinHash: "$y$jAT$x", acceptsRules: true)
            let others = try [Profile(name: "Zoë"), Profile(name: "anna")]
            let stored = try ([kids] + others).map { try guide.saveProfile($0) }
            expectEqual(stored.map(\.version), [1, 1, 1])
            try expectEqual(guide.profiles(), [stored[1], stored[2], stored[0]])
            expectEqual(stored[0].limit.hiddenCategories, ["Horror", "Éro, \"x\""])
            expectEqual(stored[0].document, kids.document)
            expectEqual(stored.map(\.acceptsRules), [true, false, false])
            let changed = try guide.saveProfile(
                stored[0].with(limit: kids.limit, pinHash: nil, acceptsRules: false).with(document: kids.document))
            try expectEqual(guide.profiles(), [stored[1], stored[2], changed])
            expectEqual((changed.acceptsRules, changed.version), (false, 2))
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("A change of a profile needs its version and raises it") { guide in
            let first = try guide.saveProfile(Profile(name: "kids"))
            let second = try guide.saveProfile(first.with(document: Array(#"{"zoom":120}"#.utf8)))
            expectEqual(second.version, 2)
            for stale in [first, try Profile(name: "kids"), try second.with(version: 3)] {
                #expect(throws: ProfileError.stale) { try guide.saveProfile(stale) }
            }
            #expect(throws: ProfileError.stale) { try guide.saveProfile(Profile(name: "other", version: 1)) }
            try expectEqual(guide.profiles(), [second])
        },
        StoreRule("A guide has at most 64 profiles") { guide in
            for number in 1...Profile.maximumCount { _ = try guide.saveProfile(Profile(name: "p\(number)")) }
            #expect(throws: ProfileError.tooMany) { try guide.saveProfile(Profile(name: "one more")) }
            let first = try guide.profiles()[0]
            try expectEqual(guide.saveProfile(first).version, 2)
            try expectEqual(guide.profiles().count, Profile.maximumCount)
        },
        StoreRule("Removing a profile keeps its watch rules") { guide in
            let rule = try WatchRule(name: "news", profile: "kids", WatchConditions(title: "News"))
            try guide.saveWatchRule(rule)
            _ = try guide.saveProfile(Profile(name: "kids"))
            try expectEqual(guide.removeProfile(named: "kids"), true)
            try expectEqual(guide.removeProfile(named: "kids"), false)
            try expectEqual(guide.profiles(), [])
            try expectEqual(guide.watchRules(), [rule])
        },
        StoreRule("Changing profiles leaves the generation and all contents unchanged") { guide in
            try guide.importSearchable(["one 20:00-21:00 News", "two 20:00-21:00 B"])
            let before = try guide.contents()
            let profile = try guide.saveProfile(Profile(name: "kids"))
            _ = try guide.saveProfile(profile)
            try expectEqual(guide.removeProfile(named: "kids"), true)
            try expectEqual(guide.contents(), before)
            try expectEqual(guide.isSearchIndexCurrent(), true)
        },
        StoreRule("Imports, pruning and removals keep profiles") { guide in
            let profile = try guide.saveProfile(Profile(name: "kids"))
            try guide.importing(["one 20:00-21:00 News"])
            try guide.importing(["one 21:00-22:00 Other"])
            #expect(try guide.prune(before: Day.instant("21:00")) > 0)
            try expectEqual(guide.removeSource(named: "feed"), true)
            try expectEqual(guide.profiles(), [profile])
        },
        StoreRule("A restored guide has the profiles of the backup") { guide in
            let folder = try TemporaryFolder()
            try guide.importing(["one 20:00-21:00 News"])
            let profile = try guide.saveProfile(Profile(name: "kids", limit: ParentalLimit(maximumAge: 6)))
            _ = try guide.storage.backUp(to: folder.path(of: "copy"), target: .new)
            try expectEqual(guide.removeProfile(named: "kids"), true)
            _ = try guide.storage.restore(from: folder.path(of: "copy"), now: Day.now, waiting: .forOthers)
            try expectEqual(guide.profiles(), [profile])
            try expectEqual(guide.check().isIntact, true)
        },
        StoreRule("A parental limit equals a brute-force filter of random guides, and reveals no text") { guide in
            for seed in 1...UInt64(TestScope.cases(30)) {
                let random = try RandomProgrammes(seed: seed)
                let other = try guide.another()
                try other.importSearchable(random.records)
                try other.storage.read { reading in try random.compare(reading) }
            }
        },
    ]
}

/// A random guide with ratings and categories. Each text of a programme contains its token, which no other programme has.
private struct RandomProgrammes {
    private struct Entry {
        let age: Int?
        let categories: [String]
    }

    private let seed: UInt64
    private let entries: [Entry]
    private let limit: ParentalLimit
    let records: [String]

    init(seed: UInt64) throws {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        let names = ["Film", "horror", "Horror ", "News", "Crime drama"]
        var entries: [Entry] = []
        var records: [String] = []
        for station in ["a", "b", "c"] {
            var time = 17 * 60
            while time < 30 * 60 {
                let length = Int.random(in: 1...12, using: &random) * 5
                // Some airings repeat an earlier programme.
                let number =
                    Int.random(in: 0..<4, using: &random) == 0 && !entries.isEmpty
                    ? Int.random(in: 0..<entries.count, using: &random) : entries.count
                if number == entries.count {
                    entries.append(
                        Entry(
                            age: [nil, 0, 6, 12, 16, 18].randomElement(using: &random) ?? nil,
                            categories: Array(
                                names.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)))))
                }
                let (entry, token) = (entries[number], Self.token(number))
                var text = "<programme start=\"\(Self.stamp(time))\" stop=\"\(Self.stamp(time + length))\" "
                text += "channel=\"\(station)\"><title>\(token) title</title><sub-title>\(token) part</sub-title>"
                text += "<desc>storm \(token)</desc><credits><actor>\(token) Doe</actor></credits>"
                text += entry.categories.map { "<category>\($0)</category>" }.joined()
                text += "<keyword>\(token)</keyword><icon src=\"http://a.example/\(token).png\"/>"
                text += "<url>http://a.example/\(token)</url><episode-num system=\"onscreen\">\(token)</episode-num>"
                if let age = entry.age { text += "<rating system=\"FSK\"><value>\(age)</value></rating>" }
                records.append(text + "<new/></programme>")
                time += length
            }
        }
        self.entries = entries
        self.records = records
        // The first seeds have an age and a category, only an age, and only a category.
        limit = try ParentalLimit(
            maximumAge: [0, 12, 11, nil, 17][Int(seed % 5)], hiddenCategories: seed % 4 == 2 ? [] : ["HORROR"])
    }

    private static func token(_ number: Int) -> String { "q\(number)q" }

    /// Returns all tokens in a text.
    private static func tokens(in text: String) -> Set<String> {
        var tokens: Set<String> = []
        for part in text.utf8.split(separator: UInt8(ascii: "q")) where part.allSatisfy({ (48...57).contains($0) }) {
            tokens.insert("q\(Substring(part))q")
        }
        return tokens
    }

    private static func stamp(_ minutes: Int) -> String { Day.stamp("\(minutes / 60):\(minutes % 60)") }

    private func isLocked(_ number: Int) -> Bool {
        if let maximum = limit.maximumAge, let age = entries[number].age, age > maximum { return true }
        return !limit.hiddenCategories.isEmpty
            && entries[number].categories.contains { ["horror", "Horror "].contains($0) }
    }

    /// The number of the programme of an airing, by its title.
    private func number(_ title: String) throws -> Int {
        try #require(entries.indices.first { title == "\(Self.token($0)) title" })
    }

    private func expected(_ airing: Airing) throws -> Airing {
        guard try isLocked(number(airing.title)) else { return airing }
        return Airing(
            id: airing.id, station: airing.station, window: airing.window, clump: airing.clump,
            published: airing.published, isStopInferred: airing.isStopInferred, isContinuation: airing.isContinuation,
            isCut: airing.isCut, title: "Locked")
    }

    /// Compares all outputs of a limited guide with the guide's outputs.
    func compare(_ guide: any GuideReading) throws {
        let limited = LimitedGuide(guide, limit)
        let all = Day.window("12:00-36:00")
        var seen: [String] = []
        func note<Value: Equatable>(_ value: Value, _ expected: Value) {
            expectEqual(value, expected)
            seen.append(String(reflecting: value))
        }
        let schedules = try guide.schedules(inRows: 0..<3, during: all)
        let airings = schedules.flatMap(\.schedule.airings)
        note(
            try limited.schedules(inRows: 0..<3, during: all).map(\.schedule.airings),
            try schedules.map { try $0.schedule.airings.map(expected) })
        for station in ["a", "b", "c"].map({ StationID($0) }) {
            note(
                try limited.schedule(of: station, during: all).airings,
                try guide.schedule(of: station, during: all).airings.map(expected))
        }
        for hour in ["17:00", "21:00", "25:30"] {
            let instant = Day.instant(hour)
            note(
                try limited.nowAndNext(at: instant, inRows: 0..<3),
                try guide.nowAndNext(at: instant, inRows: 0..<3).map { entry in
                    var entry = entry
                    entry.now = try entry.now.map(expected)
                    entry.next = try entry.next.map(expected)
                    return entry
                })
        }
        try compareOutlines(limited, guide, all, &seen)
        for airing in airings {
            let detail = try #require(try limited.airing(airing.id))
            let whole = try #require(try guide.airing(airing.id))
            let isLocked = try isLocked(number(airing.title))
            note(detail.airing, try expected(whole.airing))
            #expect(isLocked || detail == whole)
            #expect(!isLocked || detail.programme.titles.map(\.text) == ["Locked"] && detail.transmission == [])
            seen.append(String(reflecting: detail))
            let showings = try guide.showings(of: airing.id, after: Day.instant("12:00"), limit: 100)
            note(
                try limited.showings(of: airing.id, after: Day.instant("12:00"), limit: 100), isLocked ? [] : showings)
        }
        try compareSearches(limited, guide, &seen)
        var counts: [String: Int] = [:]
        for number in entries.indices where !isLocked(number) {
            if let first = entries[number].categories.first { counts[first.trimmed, default: 0] += 1 }
        }
        let categories = try limited.categories()
        expectEqual(Dictionary(categories.map { ($0.name.trimmed, $0.count) }, uniquingKeysWith: +), counts)
        seen.append(String(reflecting: categories))
        var visitor = Exported()
        try limited.export(ExportSelection(), to: &visitor)
        expectEqual(visitor.airings.count, airings.count)
        seen += visitor.airings.map { String(decoding: $0.programme.document, as: UTF8.self) + String(reflecting: $0) }
        let revealed = Self.tokens(in: seen.joined(separator: "\n"))
        expectEqual(
            revealed, Set(entries.indices.filter { !isLocked($0) }.map(Self.token)), "seed \(seed), \(limit)")
    }

    private func compareOutlines(
        _ limited: LimitedGuide, _ guide: any GuideReading, _ window: TimeWindow, _ seen: inout [String]
    ) throws {
        let outlines = try limited.outlines(inRows: [0, 1, 2], during: window).values.flatMap(\.self)
        let briefs = try limited.briefs(ofProgrammes: Array(Set(outlines.map(\.programme))))
        let titles = Dictionary(briefs.map { ($0.number, $0.title) }) { first, _ in first }
        for outline in outlines {
            let whole = try #require(try guide.airing(outline.id)).airing
            try expectEqual(titles[outline.programme], expected(whole).title)
            expectEqual(outline.window, whole.window)
        }
        seen.append(String(reflecting: briefs))
    }

    private func compareSearches(
        _ limited: LimitedGuide, _ guide: any GuideReading, _ seen: inout [String]
    ) throws {
        for order in [SearchQuery.Order.start, .relevance] {
            let all = try guide.search(SearchQuery(words: "storm", now: Day.now, order: order, limit: 10_000)).matches
            let allowed = try all.filter { try !isLocked(number($0.airing.title)) }
            for (offset, limit) in [(0, 1), (0, 10_000), (3, 7), (allowed.count, 5)] {
                let found = try limited.search(
                    SearchQuery(words: "storm", now: Day.now, order: order, offset: offset, limit: limit))
                expectEqual(found.matches, Array(allowed.dropFirst(offset).prefix(limit)))
                expectEqual((found.total, found.isTotalExact), (allowed.count, true))
                seen.append(String(reflecting: found))
            }
        }
        var some = SearchQuery(words: "storm", now: Day.now, order: .any, limit: 10_000)
        let allowed = try guide.search(some).matches.filter { try !isLocked(number($0.airing.title)) }
        for limit in [3, 10_000] {
            some.limit = limit
            let found = try limited.search(some).matches
            expectEqual(found.count, min(limit, allowed.count))
            expectEqual(Set(found).subtracting(allowed), [])
        }
        for number in entries.indices where isLocked(number) {
            try expectEqual(limited.search(SearchQuery(words: Self.token(number), now: Day.now)).total, 0)
        }
    }

    private struct Exported: GuideVisitor {
        var airings: [ExportedAiring] = []

        mutating func begin(header: [ContentAttribute]) {}

        mutating func station(_ station: StationRow, nodes: [ContentNode]) {}

        mutating func airing(_ airing: ExportedAiring) { airings.append(airing) }

        mutating func end() {}
    }
}
