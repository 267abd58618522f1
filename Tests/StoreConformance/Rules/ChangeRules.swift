import EPGImport
import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// The change log reports what changed since a generation, for one week.
    static let changes: [StoreRule] = [
        StoreRule("Changes report each inserted, removed, moved and changed airing") { guide in
            for (edition, expected) in [
                // An identical edition reports no changes.
                (["one 20:00-21:00 News", "one 21:00-22:00 Film", "one 22:00-23:00 Talk"], []),
                // Changed content.
                (
                    ["one 20:00-21:00 Sport", "one 21:00-22:00 Film", "one 22:00-23:00 Talk"],
                    ["one ~ 1 20:00-21:00 20:00-21:00"]
                ),
                // A changed stop, and a move that keeps the identifier.
                (
                    ["one 20:00-21:05 News", "one 21:05-22:00 Film", "one 22:00-23:00 Talk"],
                    ["one ~ 1 20:00-21:00 20:00-21:05", "one > 2 21:00-22:00 21:05-22:00"]
                ),
                // New airings inside the coverage and after it.
                (
                    ["one 20:00-21:00 News", "one 21:00-21:30 Film", "one 21:30-22:00 Ad", "one 22:00-23:00 Talk"],
                    ["one ~ 2 21:00-22:00 21:00-21:30", "one + 4 21:30-22:00"]
                ),
                (["one 23:00-24:00 Night"], ["one + 4 23:00-24:00"]),
                // A removed airing.
                (["one 20:00-21:00 News", "one 22:00-23:00 Talk"], ["one - 2 21:00-22:00"]),
                // An airing that reaches into the coverage is cut.
                (["one 22:30-23:30 Late"], ["one ~ 3 22:00-23:00 22:00-22:30", "one + 4 22:30-23:30"]),
                // Changes are separate for each station.
                (
                    ["two 20:00-21:00 Gold", "one 20:00-20:30 News", "one 20:30-22:00 Film"],
                    ["stations", "one ~ 1 20:00-21:00 20:00-20:30", "one > 2 21:00-22:00 20:30-22:00", "two *"]
                ),
            ] as [([String], [String])] {
                let guide = try guide.another(evening)
                try expectEqual(guide.changeLines(since: 0), ["stations", "one *"])
                try guide.importing(edition)
                // `two` precedes `one` if the file lists it first.
                try expectEqual(Set(guide.changeLines(since: 1)), Set(expected))
                try expectEqual(guide.check().problems, [])
            }
        },
        StoreRule("Changes are sorted by row and time") { guide in
            try guide.importing(["b 20:00-21:00 A", "b 21:00-22:00 B", "a 20:00-21:00 A", "c 20:00-21:00 A"])
            try guide.importing(["b 20:00-21:00 X", "b 21:00-22:00 Y", "a 20:00-21:00 X", "c 20:00-21:00 X"])
            let changes = try #require(try guide.changes(since: Generation(1)))
            expectEqual(changes.stations.map(\.station.rawValue), ["b", "a", "c"])
            expectEqual(changes.stations.map(\.row), [0, 1, 2])
            expectEqual((changes.since, changes.generation), (Generation(1), Generation(2)))
            expectEqual(
                ChangeText.lines(changes),
                [
                    "b ~ 1 20:00-21:00 20:00-21:00", "b ~ 2 21:00-22:00 21:00-22:00", "a ~ 3 20:00-21:00 20:00-21:00",
                    "c ~ 4 20:00-21:00 20:00-21:00",
                ])
        },
        StoreRule("Changes of several generations are combined into one step") { guide in
            try guide.importing(evening)
            try guide.importing(["one 20:00-21:05 News", "one 21:05-22:00 Film", "one 22:00-23:00 Talk"])
            try guide.importing(["one 23:00-24:00 Night"])
            try guide.importing(["one 20:00-21:10 News", "one 21:10-22:00 Film", "one 22:00-23:30 Talk"])
            // The last import cuts nothing. Its coverage ends within Night, which starts in the coverage and is removed.
            try expectEqual(
                guide.changeLines(since: 1),
                [
                    "one ~ 1 20:00-21:00 20:00-21:10", "one > 2 21:00-22:00 21:10-22:00",
                    "one ~ 3 22:00-23:00 22:00-23:30",
                ])
            try expectEqual(
                guide.changeLines(since: 3),
                [
                    "one ~ 1 20:00-21:05 20:00-21:10", "one > 2 21:05-22:00 21:10-22:00",
                    "one ~ 3 22:00-23:00 22:00-23:30",
                    "one - 4 23:00-24:00",
                ])
            try expectEqual(guide.changeLines(since: 4), [])
        },
        StoreRule("Changes of a station with several sources cover its complete schedule") { guide in
            try guide.importing(evening + ["two 20:00-21:00 Gold"])
            try guide.importing(["one 23:00-24:00 Night"], as: other)
            try expectEqual(guide.changeLines(since: 1), ["one *"])
            try guide.importing(["one 20:00-21:00 Sport", "one 21:00-22:00 Film", "one 22:00-23:00 Talk"])
            try expectEqual(guide.changeLines(since: 2), ["one *"])
            try guide.importing(["two 20:00-21:00 Silver"])
            try expectEqual(guide.changeLines(since: 3), ["two ~ 4 20:00-21:00 20:00-21:00"])
            try expectEqual(guide.changeLines(since: 2), ["one *", "two ~ 4 20:00-21:00 20:00-21:00"])
        },
        StoreRule("Changes of a station that had no airings cover its complete schedule") { guide in
            try guide.importing(evening)
            _ = try guide.prune(before: Day.instant("23:00"))
            try guide.importing(["one 24:00-25:00 Night"])
            try expectEqual(guide.changeLines(since: 2), ["one *"])
        },
        StoreRule("A changed station description is reported only as a station change") { guide in
            try guide.importing(["<channel id=\"one\"><display-name>A</display-name></channel>"] + evening)
            try guide.importing(["<channel id=\"one\"><display-name>B</display-name></channel>"] + evening)
            try expectEqual(guide.changeLines(since: 1), ["stations"])
        },
        StoreRule("A changed row order is reported as a station change") { guide in
            try guide.importing(["a 20:00-21:00 A", "b 20:00-21:00 B", "c 20:00-21:00 C"])
            // `b` and `c` still follow `a`, which the file does not list.
            try guide.importing(["b 20:00-21:00 X", "c 20:00-21:00 C"])
            try expectEqual(guide.changeLines(since: 1), ["b ~ 2 20:00-21:00 20:00-21:00"])
            try guide.importing(["c 20:00-21:00 C", "b 20:00-21:00 X"])
            try expectEqual(guide.changeLines(since: 2), ["stations"])
        },
        StoreRule("Changes since a generation that the guide never had are unknown") { guide in
            try expectEqual(guide.changeLines(since: 0), [])
            try expectEqual(guide.changeLines(since: 1), ["unknown"])
            try guide.importing(evening)
            try expectEqual(guide.changeLines(since: 1), [])
            for generation in [2, -1, .min, .max] as [Int64] {
                try expectEqual(guide.changeLines(since: generation), ["unknown"])
            }
        },
        StoreRule("The change log covers one week") { guide in
            try guide.importing("A", days: 0)
            try guide.importing("B", days: 1)
            try expectEqual(guide.changeLines(since: 0), ["stations", "one *"])
            try guide.importing("C", days: 8)
            try expectEqual(guide.changeLines(since: 0), ["unknown"])
            try expectEqual(guide.changeLines(since: 1), ["one ~ 1 20:00-21:00 20:00-21:00"])
            try guide.importing("D", days: 8, seconds: 1)
            try expectEqual(guide.changeLines(since: 1), ["unknown"])
            try expectEqual(guide.changeLines(since: 2), ["one ~ 1 20:00-21:00 20:00-21:00"])
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("The change log keeps the last generation regardless of its age") { guide in
            try guide.importing("A", days: 0)
            // An unchanged guide writes nothing.
            try guide.importing("A", days: 100)
            try expectEqual(guide.changeLines(since: 0), ["stations", "one *"])
            try guide.importing("B", days: 200)
            try expectEqual(guide.changeLines(since: 0), ["unknown"])
            try expectEqual(guide.changeLines(since: 1), ["one ~ 1 20:00-21:00 20:00-21:00"])
        },
        StoreRule("A wrong clock leaves no gap in the change log") { guide in
            for (number, days) in ([0, 30_000, 1, -5000, 2, 3] as [Int64]).enumerated() {
                try guide.importing("T\(number)", days: days)
                try expectEqual(guide.check().problems, [])
                #expect(try guide.changeLines(since: Int64(number)).first != "unknown")
            }
            try expectEqual(guide.changeLines(since: 4), ["one ~ 1 20:00-21:00 20:00-21:00"])
            try expectEqual(guide.changeLines(since: 3), ["unknown"])
        },
        StoreRule("Changes do not report pruned airings") { guide in
            try guide.importing(evening)
            try expectEqual(guide.prune(before: Day.instant("21:00")), 1)
            try expectEqual(guide.generation(), Generation(2))
            try expectEqual(guide.changeLines(since: 1), [])
            try expectEqual(guide.changeLines(since: 0), ["stations", "one *"])
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Changes report the schedule of another source that pruning uncovers") { guide in
            // The airing of the best source hides half an hour of the other airing.
            try guide.importing(["one 19:00-20:00 News", "two 19:00-20:00 X"], as: Source(name: "best", priority: 1))
            try guide.importing(["one 19:30-21:00 Film"], as: other)
            try expectEqual(guide.lines(), ["19:00-20:00 News", "20:00-21:00 Film"])
            try expectEqual(guide.prune(before: Day.instant("20:00")), 2)
            try expectEqual(guide.lines(), ["19:30-21:00 Film"])
            try expectEqual(guide.changeLines(since: 2), ["one *"])
        },
        StoreRule("Changed lineups are reported as station changes") { guide in
            try guide.importing(evening + ["two 20:00-21:00 Gold"])
            _ = try guide.saveLineup(Lineup("cable", ["two 1", "x 2"]))
            try expectEqual(guide.changeLines(since: 1), ["stations"])
            try guide.setMapping("x", to: StationID("one"))
            try expectEqual(guide.changeLines(since: 2), ["stations"])
            try expectEqual(guide.removeLineup(named: "cable"), true)
            try expectEqual(guide.changeLines(since: 3), ["stations"])
            // A mapping without effect writes nothing.
            try guide.setMapping("none", to: nil)
            try expectEqual(guide.generation(), Generation(4))
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Removing a source changes the complete schedules of its stations") { guide in
            try guide.importing(evening + ["two 20:00-21:00 Gold"])
            try guide.importing(["one 23:00-24:00 Night", "three 20:00-21:00 X"], as: other)
            try guide.importing(["three 20:00-21:00 Y"], as: other)
            try expectEqual(guide.changeLines(since: 2), ["three ~ 6 20:00-21:00 20:00-21:00"])
            try expectEqual(guide.removeSource(named: "other"), true)
            try expectEqual(guide.changeLines(since: 3), ["stations", "one *"])
            try expectEqual(guide.changeLines(since: 2), ["stations", "one *"])
            try expectEqual(guide.check().problems, [])
            // The number of the removed station is reused.
            try guide.importing(evening + ["two 20:00-21:00 Gold", "four 20:00-21:00 Z"])
            try expectEqual(guide.changeLines(since: 2), ["stations", "one *", "four *"])
        },
        StoreRule("Removing a source whose stations remain is not a station change") { guide in
            try guide.importing(evening + ["two 20:00-21:00 Gold"])
            try guide.importing(["one 23:00-24:00 Night"], as: other)
            try expectEqual(guide.removeSource(named: "other"), true)
            try expectEqual(guide.changeLines(since: 2), ["one *"])
        },
        StoreRule("A changed priority changes only stations whose sources change rank") { guide in
            try guide.importing(evening + ["two 20:00-21:00 Gold"])
            try guide.importing(["one 20:00-24:00 Night", "three 20:00-21:00 X"], as: other)
            try guide.save(Source(name: "feed", priority: 1))
            try expectEqual(guide.changeLines(since: 2), ["one *"])
            try guide.save(Source(name: "feed", shift: 60, priority: 2))
            try expectEqual(guide.generation(), Generation(3))
        },
        StoreRule("Changes report the final state of a station that a guide lists twice") { guide in
            try guide.importing(evening + ["two 20:00-21:00 Gold", "three 20:00-21:00 A"])
            try guide.importing([
                "one 20:00-21:00 News", "one 21:00-22:00 Film", "one 22:00-23:00 Talk", "three 20:00-21:00 B",
                "two 20:00-21:00 Gold", "one 23:00-24:00 Night", "three 21:00-22:00 C",
            ])
            try expectEqual(
                Set(guide.changeLines(since: 1).filter { $0 != "stations" }),
                [
                    "one + 6 23:00-24:00", "three ~ 5 20:00-21:00 20:00-21:00", "three + 7 21:00-22:00",
                ])
        },
        StoreRule("A failed import adds nothing to the change log") { guide in
            try guide.importing(evening)
            let before = try guide.contents()
            var strict = ImportOptions()
            strict.isStrict = true
            #expect(throws: (any Error).self) {
                try guide.importing(text: Day.guide(["one 23:00-24:00 Night"]) + "<tv/>", options: strict)
            }
            try guide.withSession { session in
                try session.replaceSchedule(of: StationID("one"), with: listings(["23:00-24:00"]))
                session.cancel()
            }
            try guide.importing(evening)
            try expectEqual(guide.contents(), before)
            try expectEqual(guide.changeLines(since: 1), [])
            try expectEqual(guide.changeLines(since: 0), ["stations", "one *"])
        },
        StoreRule("Applying changes to any earlier generation yields the current one") { guide in
            for seed in 1...UInt64(TestScope.cases(30)) {
                var generator = SeededGenerator(seed: seed)
                let guide = try guide.another()
                var feeds = [Feed(stations: ["a", "b", "c"]), Feed(stations: ["c", "d"])]
                // Known states of the guide, each with the latest instant of pruning since then.
                var clients = [(client: try Client(guide), pruned: Instant(secondsSince1970: .min))]
                var reportedCount = 0
                for _ in 0..<12 {
                    switch Int.random(in: 0..<12, using: &generator) {
                    case 0:
                        let pruned = Day.instant("0:\(Int.random(in: 1100...1300, using: &generator))")
                        _ = try guide.prune(before: pruned)
                        for index in clients.indices { clients[index].pruned = max(clients[index].pruned, pruned) }
                    case 1: _ = try guide.removeSource(named: "f1")
                    case 2:
                        let priority = Int.random(in: 0...3, using: &generator)
                        if try guide.sources().count > 1 {
                            try guide.save(Source(name: "f1", priority: priority))
                        }
                    case let number:
                        let place = number < 9 ? 0 : 1
                        feeds[place].change(using: &generator)
                        try guide.importing(feeds[place].edition(using: &generator), as: Source(name: "f\(place)"))
                    }
                    let now = try Client(guide)
                    for (client, pruned) in clients {
                        let changes = try #require(try guide.changes(since: client.generation), "seed \(seed)")
                        reportedCount += changes.stations.count { $0.extent != .whole }
                        var updated = client
                        try updated.apply(changes, now: now)
                        updated.removePruned(until: pruned, now: now)
                        let isCorrect = updated.stations == now.stations && updated.schedules == now.schedules
                        expectEqual(
                            isCorrect, true,
                            "seed \(seed), since \(client.generation): \(ChangeText.lines(changes))")
                        if !isCorrect { return }
                    }
                    if now.generation != clients.last?.client.generation {
                        clients.append((now, Instant(secondsSince1970: .min)))
                    }
                }
                #expect(reportedCount > 0, "seed \(seed)")
                try expectEqual(guide.check().problems, [])
            }
        },
    ]
}

private let evening = ["one 20:00-21:00 News", "one 21:00-22:00 Film", "one 22:00-23:00 Talk"]
private let other = Source(name: "other")

/// Returns listings without contents for an import session.
private func listings(_ windows: [String]) -> NormalizedListings {
    let airings = windows.map { ScheduledListing(window: Day.window($0), programme: 1) }
    guard let first = airings.first, let last = airings.last else { return NormalizedListings() }
    return NormalizedListings(
        airings: airings, coverage: TimeWindow(start: first.window.start, end: last.window.end))
}

extension GuideUnderTest {
    /// Imports one airing with a delay after ``Day/now``.
    fileprivate func importing(_ title: String, days: Int64, seconds: Int64 = 0) throws {
        try importing(["one 20:00-21:00 \(title)"], now: Day.now.advanced(by: days * 86_400 + seconds))
    }
}

/// An airing that a client keeps.
private struct ClientAiring: Hashable {
    var window: TimeWindow
    var title: String
}

/// The state of a guide that a client keeps.
private struct Client {
    var generation: Generation
    var stations: [StationRow]
    var schedules: [StationID: [AiringID: ClientAiring]] = [:]

    init(_ guide: some GuideReading) throws {
        generation = try guide.generation()
        stations = try guide.stations(inRows: 0..<99)
        for row in try guide.schedules(inRows: 0..<99, during: Day.allTime) {
            schedules[row.schedule.station] = Dictionary(
                uniqueKeysWithValues: row.schedule.airings.map {
                    ($0.id, ClientAiring(window: $0.window, title: $0.title))
                }
            )
        }
    }

    /// Removes airings that ended by an instant and are missing in the current guide.
    mutating func removePruned(until instant: Instant, now: Client) {
        for (station, airings) in schedules {
            let known = now.schedules[station] ?? [:]
            schedules[station] = airings.filter { $0.value.window.end > instant || known[$0.key] != nil }
        }
    }

    /// Applies changes. Contents come from the current guide.
    mutating func apply(_ changes: GuideChanges, now: Client) throws {
        try #require(changes.since == generation)
        generation = changes.generation
        if changes.changesStations {
            stations = now.stations
            schedules = schedules.filter { now.schedules[$0.key] != nil }
        }
        for station in changes.stations {
            try #require(stations[station.row].station.id == station.station)
            switch station.extent {
            case .whole: schedules[station.station] = now.schedules[station.station]
            case .airings(let airings):
                for change in airings { try apply(change, to: station.station, now) }
            }
        }
    }

    private mutating func apply(_ change: AiringChange, to station: StationID, _ now: Client) throws {
        let old = schedules[station]?.removeValue(forKey: change.id)
        expectEqual(old?.window, change.before, "\(station) \(ChangeText.line(change))")
        guard let window = change.after else { return }
        // An airing that was pruned later is already missing. Its title does not matter.
        let title = now.schedules[station]?[change.id]?.title ?? ""
        schedules[station, default: [:]][change.id] = ClientAiring(window: window, title: title)
    }
}

/// A feed that changes between editions, with minutes of the day and titles of each station.
private struct Feed {
    let stations: [String]
    var listings: [String: [(minutes: Range<Int>, title: String)]] = [:]

    /// Renames, moves, shortens and drops some listings, and appends new ones.
    mutating func change(using generator: inout SeededGenerator) {
        for station in stations where listings[station] == nil || Int.random(in: 0..<3, using: &generator) > 0 {
            var new: [(minutes: Range<Int>, title: String)] = []
            var end = Int.random(in: 1080...1110, using: &generator)
            for listing in listings[station] ?? [] {
                var (start, stop, title) = (listing.minutes.lowerBound, listing.minutes.upperBound, listing.title)
                switch Int.random(in: 0..<12, using: &generator) {
                case 0: title = "T\(Int.random(in: 0..<9, using: &generator))"
                case 1: start += Int.random(in: -10...10, using: &generator)
                case 2: stop -= Int.random(in: 0...10, using: &generator)
                case 3: continue
                default: break
                }
                start = max(start, new.last?.minutes.upperBound ?? 0)
                guard stop > start else { continue }
                new.append((start..<stop, title))
                end = stop
            }
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let stop = end + Int.random(in: 5...60, using: &generator)
                new.append((end..<stop, "T\(Int.random(in: 0..<9, using: &generator))"))
                end = stop
            }
            listings[station] = new
        }
    }

    /// Returns an edition that omits some stations and starts each other station at a random listing.
    func edition(using generator: inout SeededGenerator) -> [String] {
        var records: [String] = []
        for station in stations where Int.random(in: 0..<8, using: &generator) > 0 {
            let all = listings[station] ?? []
            records += all.dropFirst(Int.random(in: 0...all.count / 2, using: &generator)).map { listing in
                typealias Minute = OverlayOracle.Broadcast
                return "\(station) \(Minute.clock(listing.minutes.lowerBound))-"
                    + "\(Minute.clock(listing.minutes.upperBound)) \(listing.title)"
            }
        }
        // Some files are not sorted by station.
        return Int.random(in: 0..<3, using: &generator) == 0 ? records.shuffled(using: &generator) : records
    }
}
