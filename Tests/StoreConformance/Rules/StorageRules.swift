import EPGImport
import EPGModel
import Synchronization
import TestSupport
import Testing

extension StoreRule {
    /// Reading, writing, checking and migrating a store.
    static let operations: [StoreRule] = [
        StoreRule("Reading a missing guide is an error and creates no guide") { guide in
            let store = try guide.vacantStore()
            expectEqual(store.exists, false)
            #expect(throws: StoreError.notFound(path: store.location)) { try store.read { try $0.generation() } }
            #expect(throws: StoreError.self) { try store.check() }
            expectEqual(store.exists, false)
        },
        StoreRule("Writing creates an empty guide if none exists") { guide in
            let store = try guide.vacantStore()
            try store.write { (writer) throws in
                try expectEqual(writer.generation(), Generation(0))
                try expectEqual(writer.stationCount(), 0)
            }
            expectEqual(store.exists, true)
            try expectEqual(store.read { try $0.version() }.since, nil)
        },
        StoreRule("Each store has a unique location") { (guide) throws in
            expectEqual(guide.storage.location.isEmpty, false)
            try expectEqual(guide.reopenedStore().location, guide.storage.location)
            #expect(try guide.another().storage.location != guide.storage.location)
        },
        StoreRule("Another process reads committed changes") { guide in
            try guide.importing(["one 20:00-21:00 A"])
            let expected = try guide.contents()
            let store = try guide.reopenedStore()
            expectEqual(store.exists, true)
            try expectEqual(store.read { try GuideContents($0) }, expected)
        },
        StoreRule("A writer reads its own changes") { guide in
            try guide.storage.write(waiting: .forOthers) { writer in
                try writer.importing(text: Day.guide(["one 20:00-21:00 A"]))
                try expectEqual(writer.lines(), ["20:00-21:00 A"])
                _ = try writer.saveLineup(Lineup("cable", ["one 1"]), matcher: TableMatcher())
                try expectEqual(writer.lineups(), ["cable"])
                try expectEqual(writer.generation(), Generation(2))
            }
        },
        StoreRule("Committed changes remain if a later part of the same write fails") { guide in
            struct TestError: Error {}
            try guide.importing(["one 20:00-21:00 A"])
            #expect(throws: TestError.self) {
                try guide.storage.write(waiting: .forOthers) { writer in
                    try writer.save(Source(name: "b"))
                    throw TestError()
                }
            }
            try expectEqual(guide.sourceRecords().map(\.source.name), ["b", "feed"])
            // Other writers are not blocked.
            try guide.importing(["one 20:00-21:00 B"])
        },
        StoreRule("All results of one read belong to one generation") { guide in
            try guide.importSearchable(evening)
            try guide.storage.read { (reader: any GuideReading) throws in
                let before = try reader.version()
                try expectEqual(reader.titles("news"), ["News"])
                try guide.importSearchable(["one 20:00-21:00 Quiz", "three 20:00-21:00 News"])
                try expectEqual(reader.version(), before)
                try expectEqual(reader.generation(), before.generation)
                try expectEqual(reader.stationCount(), 2)
                try expectEqual(
                    reader.schedules(inRows: 0..<1, during: Day.allTime).first?.schedule.airings.first?.title,
                    "News")
                try expectEqual(reader.titles("news"), ["News"])
                try expectEqual(reader.titles("quiz"), [])
            }
            try expectEqual(guide.generation(), Generation(2))
            try expectEqual(guide.stationCount(), 3)
            try expectEqual(guide.titles("quiz"), ["Quiz"])
        },
        StoreRule("A read that exceeds its time limit fails") { guide in
            try guide.importSearchable((0..<200).map { "station\($0) 20:00-21:00 Title \($0)" })
            let clock = ContinuousClock()
            for query in [{ _ = try $0.stationCount() }, { _ = try $0.titles("title") }]
                as [(any GuideReading) throws -> Void]
            {
                let begin = clock.now
                #expect(throws: ReadingError.timedOut) {
                    try guide.storage.read(within: .milliseconds(50)) { reader in
                        while clock.now - begin < .seconds(20) { try query(reader) }
                    }
                }
                #expect(clock.now - begin < .seconds(10))
                try expectEqual(guide.storage.read(within: .seconds(20)) { try $0.stationCount() }, 200)
                try expectEqual(guide.titles("199"), ["Title 199"])
            }
        },
        StoreRule("A read rethrows errors of its body") { guide in
            struct TestError: Error {}
            try guide.importSearchable(evening)
            #expect(throws: TestError.self) { try guide.storage.read { _ in throw TestError() } }
            #expect(throws: TestError.self) {
                try guide.storage.read(within: .seconds(20)) { reader in
                    _ = try reader.titles("news")
                    throw TestError()
                }
            }
            try expectEqual(guide.titles("news"), ["News"])
        },
        StoreRule("A canceled read fails") { guide in
            try guide.importSearchable(evening)
            let isCancelled = Atomic(false)
            let limit = ReadingLimit(.seconds(600)) { isCancelled.load(ordering: .relaxed) }
            #expect(throws: ReadingError.cancelled) {
                try guide.storage.read(until: limit) { reader in
                    isCancelled.store(true, ordering: .relaxed)
                    while true { _ = try reader.titles("news") }
                }
            }
            #expect(throws: ReadingError.cancelled) {
                try guide.storage.read(until: limit) { _ in Issue.record("the body ran") }
            }
            try expectEqual(guide.titles("news"), ["News"])
        },
        StoreRule("A read whose time limit has passed does not start") { guide in
            let limit = ReadingLimit(.seconds(5), from: .now.advanced(by: .seconds(-6)))
            #expect(throws: ReadingError.timedOut) {
                try guide.storage.read(until: limit) { _ in Issue.record("the body ran") }
            }
        },
        StoreRule("A check counts the contents of an intact guide") { guide in
            try guide.importing([
                "one 20:00-21:00 A", "one 21:00-22:00 B", "two 20:00-21:00 C", "three 20:00-21:00 D",
                "<programme start=\"20260328220000\" stop=\"20260328230000\" clumpidx=\"0/2\" channel=\"one\"><title>E</title></programme>",
                "<programme start=\"20260328220000\" stop=\"20260328230000\" clumpidx=\"1/2\" channel=\"one\"><title>F</title></programme>",
            ])
            try guide.refreshSearchIndex()
            let check = try guide.check()
            expectEqual(check.problems, [])
            expectEqual((check.stations, check.airings, check.programmes), (3, 6, 6))
            expectEqual(check.range, Day.window("20:00-23:00"))
            expectEqual(check.generation, Generation(1))
            expectEqual(check.isSearchComplete, true)
            #expect(check.bytes > 0)
        },
        StoreRule("An empty guide is intact") { guide in
            let check = try guide.check()
            expectEqual(check.isIntact, true)
            expectEqual((check.stations, check.airings, check.programmes), (0, 0, 0))
            expectEqual(check.range, nil)
        },
        StoreRule("Migrating a current guide changes nothing") { guide in
            try guide.importSearchable(evening)
            let before = try guide.snapshot()
            let report = try guide.storage.migrate(waiting: .forOthers)
            expectEqual(report.found, report.current)
            try expectEqual(guide.snapshot(), before)
        },
        StoreRule("Migrating a missing guide is an error and creates no guide") { guide in
            let store = try guide.vacantStore()
            #expect(throws: StoreError.notFound(path: store.location)) { try store.migrate(waiting: .forOthers) }
            expectEqual(store.exists, false)
        },
        StoreRule("A store does not own files in other folders") { guide in
            let folder = try TemporaryFolder()
            expectEqual(guide.storage.owns(file: folder.path(of: "copy")), false)
            _ = try guide.storage.backUp(to: folder.path(of: "copy"), target: .new)
            expectEqual(guide.storage.owns(file: folder.path(of: "copy")), false)
        },
    ]
}

private let evening = ["one 20:00-21:00 News", "two 20:00-22:00 Film"]

extension GuideReading {
    /// Returns the titles of the matches.
    fileprivate func titles(_ words: String) throws -> [String] {
        try search(SearchQuery(words: words, now: Day.instant("19:00"))).matches.map(\.airing.title)
    }
}
