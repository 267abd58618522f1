import EPGModel
import EPGStore
import Testing

/// Over random editions, what is told leads from what was shown at any earlier generation to exactly what is shown now.
@Suite struct ChangePropertyTests {
    /// An airing as a reader keeps it.
    private struct Kept: Hashable {
        var window: TimeWindow
        var title: String
    }

    /// All that a reader knows of a guide.
    private struct Reader {
        var generation: Generation
        var stations: [StationRow]
        var schedules: [StationID: [AiringID: Kept]] = [:]

        init(_ store: GuideStore) throws {
            generation = try store.generation()
            stations = try store.stations(inRows: 0..<99)
            for row in try store.schedules(inRows: 0..<99, during: Day.allTime) {
                schedules[row.schedule.station] = Dictionary(
                    uniqueKeysWithValues: row.schedule.airings.map { ($0.id, Kept(window: $0.window, title: $0.title)) }
                )
            }
        }

        /// Forgets what was pruned: what was over at an instant, and isn't there now.
        mutating func forget(until instant: Instant, now: Reader) {
            for (station, airings) in schedules {
                let known = now.schedules[station] ?? [:]
                schedules[station] = airings.filter { $0.value.window.end > instant || known[$0.key] != nil }
            }
        }

        /// Takes changes over; contents come from the guide as it is now.
        mutating func apply(_ changes: GuideChanges, now: Reader) throws {
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

        private mutating func apply(_ change: AiringChange, to station: StationID, _ now: Reader) throws {
            let old = schedules[station]?.removeValue(forKey: change.id)
            #expect(old?.window == change.before, "\(station) \(ChangeText.line(change))")
            guard let window = change.after else { return }
            // One that was pruned later is gone already; its title no longer matters.
            let title = now.schedules[station]?[change.id]?.title ?? ""
            schedules[station, default: [:]][change.id] = Kept(window: window, title: title)
        }
    }

    /// A feed that changes from edition to edition: minutes of the day and titles, station by station.
    private struct Feed {
        let stations: [String]
        var listings: [String: [(minutes: Range<Int>, title: String)]] = [:]

        /// Something of everything: retitled, shifted, made shorter, dropped, and new ones at the end.
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

        /// The edition: each station from some listing on.
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
            // Some files aren't sorted by station.
            return Int.random(in: 0..<3, using: &generator) == 0 ? records.shuffled(using: &generator) : records
        }
    }

    @Test(arguments: 0..<30) func whatIsToldLeadsFromAnyEarlierGenerationToThisOne(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let scratch = try ScratchGuide()
        var feeds = [Feed(stations: ["a", "b", "c"]), Feed(stations: ["c", "d"])]
        /// What a reader knows, and until when the guide was pruned since.
        var readers = [(reader: try Reader(scratch.store), pruned: Instant(secondsSince1970: .min))]
        var told = 0
        for _ in 0..<12 {
            switch Int.random(in: 0..<12, using: &generator) {
            case 0:
                let pruned = Day.instant("0:\(Int.random(in: 1100...1300, using: &generator))")
                _ = try scratch.store.prune(before: pruned)
                for index in readers.indices { readers[index].pruned = max(readers[index].pruned, pruned) }
            case 1: _ = try scratch.store.removeSource(named: "f1")
            case 2:
                let priority = Int.random(in: 0...3, using: &generator)
                if try scratch.store.sources().count > 1 {
                    try scratch.store.save(Source(name: "f1", priority: priority))
                }
            case let number:
                let place = number < 9 ? 0 : 1
                feeds[place].change(using: &generator)
                try scratch.importing(feeds[place].edition(using: &generator), as: Source(name: "f\(place)"))
            }
            let now = try Reader(scratch.store)
            for (reader, pruned) in readers {
                let changes = try #require(try scratch.store.changes(since: reader.generation), "seed \(seed)")
                told += changes.stations.count { $0.extent != .whole }
                var led = reader
                try led.apply(changes, now: now)
                led.forget(until: pruned, now: now)
                let isRight = led.stations == now.stations && led.schedules == now.schedules
                #expect(isRight, "seed \(seed), since \(reader.generation): \(ChangeText.lines(changes))")
                if !isRight { return }
            }
            if now.generation != readers.last?.reader.generation {
                readers.append((now, Instant(secondsSince1970: .min)))
            }
        }
        #expect(told > 0, "seed \(seed)")
        #expect(try scratch.store.check().problems == [])
    }
}
