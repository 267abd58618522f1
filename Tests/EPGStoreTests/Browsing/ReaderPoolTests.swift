import EPGModel
import EPGStore
import Foundation
import Synchronization
import Testing

/// Readers see one state of the guide each, are bounded in number and time, and outlive what happens to the file.
@Suite struct ReaderPoolTests {
    private static let guide = ["one 20:00-21:00 News", "two 20:00-22:00 Film"]

    /// A guide with an index, and nobody who writes.
    private func scratch(_ airings: [String] = guide) throws -> ScratchGuide {
        let scratch = try ScratchGuide(airings)
        try scratch.store.refreshSearchIndex()
        try scratch.close()
        return scratch
    }

    private func search(_ words: String, _ guide: any GuideReading) throws -> [String] {
        try guide.search(RankedQuery(words: words, now: Day.instant("19:00"))).matches.map(\.airing.title)
    }

    @Test func allAnswersOfOneReadingBelongToOneGeneration() throws {
        let scratch = try scratch()
        let pool = GuideDatabase(path: scratch.path)
        try pool.read(within: nil) { (guide: any GuideReading) throws in
            let before = try guide.version()
            #expect(try search("news", guide) == ["News"])
            try scratch.importing(["one 20:00-21:00 Quiz", "three 20:00-21:00 News"])
            try scratch.store.refreshSearchIndex()
            #expect(try guide.version() == before)
            #expect(try guide.generation() == before.generation)
            #expect(try guide.stationCount() == 2)
            #expect(
                try guide.schedules(inRows: [0], during: Day.allTime).first?.schedule.airings.first?.title == "News")
            #expect(try search("news", guide) == ["News"])
            #expect(try search("quiz", guide) == [])
        }
        try pool.read(within: nil) { (guide: any GuideReading) throws in
            #expect(try guide.generation() == scratch.store.generation())
            #expect(try guide.stationCount() == 3)
            #expect(try search("quiz", guide) == ["Quiz"])
        }
    }

    @Test func aReadingThatTakesTooLongEndsAndTheConnectionReadsOn() throws {
        let scratch = try scratch((0..<200).map { "station\($0) 20:00-21:00 Title \($0)" })
        let pool = GuideDatabase(path: scratch.path, connections: 1)
        let clock = ContinuousClock()
        for question in [{ _ = try $0.stationCount() }, { _ = try search("title", $0) }]
            as [(any GuideReading) throws -> Void]
        {
            let begin = clock.now
            #expect(throws: ReadingTookTooLong()) {
                try pool.read(within: .milliseconds(50)) { guide in
                    while clock.now - begin < .seconds(20) { try question(guide) }
                }
            }
            #expect(clock.now - begin < .seconds(10))
            #expect(try pool.read(within: .seconds(20)) { try $0.stationCount() } == 200)
            #expect(try pool.read(within: nil) { try search("199", $0) } == ["Title 199"])
        }
    }

    @Test func whatTheBodyThrowsPassesThrough() throws {
        struct Mine: Error {}
        let scratch = try scratch()
        let pool = GuideDatabase(path: scratch.path, connections: 1)
        #expect(throws: Mine.self) { try pool.read(within: nil) { _ in throw Mine() } }
        #expect(throws: Mine.self) {
            try pool.read(within: .seconds(20)) { guide in
                _ = try search("news", guide)
                throw Mine()
            }
        }
        #expect(try pool.read(within: nil) { try search("news", $0) } == ["News"])
    }

    @Test func callersWaitWhereAllConnectionsAreTaken() async throws {
        let scratch = try scratch()
        let pool = GuideDatabase(path: scratch.path, connections: 2)
        let reading = Shared((now: 0, most: 0))
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    await inThread {
                        _ = Result {
                            try pool.read(within: nil) { _ in
                                reading.value.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                                Thread.sleep(forTimeInterval: 0.02)
                                reading.value.withLock { $0.now -= 1 }
                            }
                        }
                    }
                }
            }
        }
        #expect(reading.value.withLock { $0.most } == 2)
        #expect(reading.value.withLock { $0.now } == 0)
    }

    @Test func waitingForAConnectionCountsAsReading() throws {
        let scratch = try scratch()
        let pool = GuideDatabase(path: scratch.path, connections: 1)
        try pool.read(within: nil) { (_: any GuideReading) throws -> Void in
            #expect(throws: ReadingTookTooLong()) {
                try pool.read(within: .milliseconds(20)) { try $0.generation() }
            }
        }
        #expect(try pool.read(within: .seconds(20)) { try $0.stationCount() } == 2)
    }

    @Test func eightThreadsReadWhileOneWrites() async throws {
        let scratch = try scratch()
        let pool = GuideDatabase(path: scratch.path)
        let wrong = Shared<[String]>([])
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    await inThread {
                        for _ in 0..<150 {
                            let outcome = Result {
                                try pool.read(within: .seconds(60)) { (guide: any GuideReading) throws -> String? in
                                    // The rounds of the writer: one station more each, all with one title.
                                    let first = try guide.generation()
                                    let schedules = try guide.schedules(inRows: 0..<100, during: Day.allTime)
                                    let titles = Set(schedules.compactMap { $0.schedule.airings.last?.title })
                                    let isOne =
                                        try titles.count <= 1
                                        || first.rawValue == 1
                                            && guide.stationCount() == schedules.count
                                    let isSame = try guide.version().generation == first
                                    return isOne && isSame ? nil : "\(titles) at \(first)"
                                }
                            }
                            switch outcome {
                            case .success(nil): break
                            case .success(let text?): wrong.value.withLock { $0.append(text) }
                            case .failure(let error): wrong.value.withLock { $0.append("\(error)") }
                            }
                        }
                    }
                }
            }
            for round in 0..<10 {
                let outcome = Result {
                    try scratch.importing(["one", "two"].map { "\($0) 20:00-21:00 Round\(round)" })
                    try scratch.store.refreshSearchIndex()
                }
                if case .failure(let error) = outcome { wrong.value.withLock { $0.append("\(error)") } }
            }
        }
        #expect(wrong.value.withLock { $0 } == [])
        try pool.close()
    }

    @Test func aGuideThatIsRenamedToThePathIsReadFromThenOn() throws {
        let old = try scratch()
        let new = try scratch(["three 20:00-21:00 Opera"])
        let pool = GuideDatabase(path: old.path)
        let versions = try [pool.read(within: nil) { try $0.version() }]
        #expect(try pool.read(within: nil) { try search("news", $0) } == ["News"])
        for suffix in ["", "-search"] {
            #expect(rename(new.path + suffix, old.path + suffix) == 0)
        }
        try pool.read(within: nil) { (guide: any GuideReading) throws in
            #expect(try guide.stations(inRows: 0..<9).map(\.station.id) == [StationID("three")])
            #expect(try search("opera", guide) == ["Opera"])
            #expect(try search("news", guide) == [])
            #expect(try guide.version().nonce != versions[0].nonce)
        }
    }

    /// While a reading of the old file goes on for as long as the test likes, another one reads the new file; then the first
    /// one has begun again on the new file too.
    @Test(.timeLimit(.minutes(2)), arguments: [nil, Duration.seconds(600)])
    func aLongReadingOfTheOldFileIsInterruptedAndRunsAgainOnTheNewOne(limit: Duration?) async throws {
        let old = try scratch()
        let new = try scratch(["three 20:00-21:00 Opera"])
        let pool = GuideDatabase(path: old.path)
        let (began, starter) = AsyncStream.makeStream(of: Void.self)
        let seen = Shared<[Int]>([])
        async let outcome = inThread {
            Result {
                try pool.read(within: limit) { guide in
                    let count = try guide.stationCount()
                    seen.value.withLock { $0.append(count) }
                    starter.yield()
                    while count == 2 { _ = try search("news", guide) }
                    return try guide.stations(inRows: 0..<9).map(\.station.id)
                }
            }
        }
        for await _ in began { break }
        for suffix in ["", "-search"] { #expect(rename(new.path + suffix, old.path + suffix) == 0) }
        let found = await inThread {
            Result { try pool.read(within: .seconds(60)) { try $0.stations(inRows: 0..<9).map(\.station.id) } }
        }
        #expect(try found.get() == [StationID("three")])
        #expect(try await outcome.get() == [StationID("three")])
        #expect(seen.value.withLock { $0 } == [2, 1])
        try pool.close()
    }

    @Test func aCancelledReadingEndsAndTheConnectionReadsOn() throws {
        let scratch = try scratch()
        let pool = GuideDatabase(path: scratch.path, connections: 1)
        let isCancelled = Shared(false)
        let limit = ReadingLimit(.seconds(600)) { isCancelled.value.withLock { $0 } }
        #expect(throws: ReadingCancelled()) {
            try pool.read(until: limit) { guide in
                isCancelled.value.withLock { $0 = true }
                while true { _ = try search("news", guide) }
            }
        }
        #expect(throws: ReadingCancelled()) { try pool.read(until: limit) { _ in Issue.record("it is read") } }
        #expect(try pool.read(within: .seconds(20)) { try search("news", $0) } == ["News"])
    }

    @Test func aReadingWhoseTimeIsOverDoesNotBegin() throws {
        let scratch = try scratch()
        let pool = GuideDatabase(path: scratch.path)
        let limit = ReadingLimit(.seconds(5), from: .now.advanced(by: .seconds(-6)))
        #expect(throws: ReadingTookTooLong()) { try pool.read(until: limit) { _ in Issue.record("it is read") } }
    }

    @Test func whereTheGuideIsMissingThatIsSaidUntilItIsThereAgain() throws {
        let scratch = try scratch()
        let pool = GuideDatabase(path: scratch.path)
        #expect(rename(scratch.path, scratch.path + "-away") == 0)
        for _ in 0..<6 {
            #expect(throws: StoreError.notFound(path: scratch.path)) {
                try pool.read(within: .seconds(20)) { try $0.generation() }
            }
        }
        #expect(rename(scratch.path + "-away", scratch.path) == 0)
        for _ in 0..<6 { #expect(try pool.read(within: .seconds(20)) { try $0.stationCount() } == 2) }
    }

    @Test func anotherFileInThePlaceOfTheGuideIsNoGuide() throws {
        let scratch = try scratch()
        let pool = GuideDatabase(path: scratch.path)
        try Data("no guide, but long enough to be looked at".utf8).write(to: URL(filePath: scratch.path + "-new"))
        #expect(rename(scratch.path, scratch.path + "-old") == 0)
        #expect(rename(scratch.path + "-new", scratch.path) == 0)
        #expect(throws: StoreError.notAGuide(path: scratch.path)) {
            try pool.read(within: .seconds(20)) { try $0.generation() }
        }
        #expect(rename(scratch.path + "-old", scratch.path) == 0)
        #expect(try pool.read(within: .seconds(20)) { try $0.stationCount() } == 2)
    }

    @Test func nothingIsReadWithoutAGuide() throws {
        let scratch = try ScratchGuide()
        let guide = GuideDatabase(path: scratch.path)
        #expect(!guide.exists)
        #expect(throws: StoreError.notFound(path: scratch.path)) { try guide.read { try $0.generation() } }
    }

    @Test func nobodyReadsAfterTheEnd() throws {
        let scratch = try scratch()
        let pool = GuideDatabase(path: scratch.path)
        try pool.close()
        #expect(throws: StoreError.inaccessible(path: scratch.path, detail: "reading has ended")) {
            try pool.read(within: nil) { try $0.generation() }
        }
        try pool.close()
    }

    @Test func anIndexThatComesLaterIsFound() throws {
        let scratch = try scratch()
        try FileManager.default.removeItem(atPath: scratch.path + "-search")
        let pool = GuideDatabase(path: scratch.path, connections: 1)
        #expect(throws: SearchIndexMissing.self) { try pool.read(within: nil) { try search("news", $0) } }
        try scratch.store.refreshSearchIndex()
        #expect(try pool.read(within: nil) { try search("news", $0) } == ["News"])
    }
}

/// A value that several threads change.
private final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }
}

/// Does something that blocks on a thread of its own.
private func inThread<Outcome: Sendable>(_ body: @escaping @Sendable () -> Outcome) async -> Outcome {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
