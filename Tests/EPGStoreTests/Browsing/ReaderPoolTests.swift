import EPGModel
import EPGStore
import Foundation
import StoreConformance
import Synchronization
import TestSupport
import Testing

/// Each read sees one state of the guide. The pool limits the number and duration of reads and recovers from replaced files.
@Suite struct ReaderPoolTests {
    private static let guide = ["one 20:00-21:00 News", "two 20:00-22:00 Film"]

    /// Creates a guide with a search index and without an open writer.
    private func scratch(_ airings: [String] = guide) throws -> ScratchGuide {
        let scratch = try ScratchGuide(airings)
        try scratch.store.refreshSearchIndex()
        try scratch.close()
        return scratch
    }

    private func search(_ words: String, _ guide: any GuideReading) throws -> [String] {
        try guide.search(SearchQuery(words: words, now: Day.instant("19:00"))).matches.map(\.airing.title)
    }

    @Test func callersWaitIfAllConnectionsAreInUse() async throws {
        let scratch = try scratch()
        let pool = GuideDatabase(path: scratch.path, connections: 2)
        let reading = Shared((callers: 0, now: 0, maximum: 0))
        let reads = await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    await onThread {
                        reading.value.withLock { $0.callers += 1 }
                        return Result {
                            try pool.read(within: nil) { _ in
                                reading.value.withLock { $0 = ($0.callers, $0.now + 1, max($0.maximum, $0.now + 1)) }
                                defer { reading.value.withLock { $0.now -= 1 } }
                                // All eight ask for a connection while two have one.
                                return waitUntil { reading.value.withLock { $0.callers == 8 && $0.maximum >= 2 } }
                            }
                        }
                    }
                }
            }
            return await group.reduce(into: []) { $0.append(try? $1.get()) }
        }
        expectEqual(reads, Array(repeating: true, count: 8))
        expectEqual(reading.value.withLock { $0.maximum }, 2)
        expectEqual(reading.value.withLock { $0.now }, 0)
    }

    @Test func waitForConnectionCountsTowardReadLimit() throws {
        let scratch = try scratch()
        let pool = GuideDatabase(path: scratch.path, connections: 1)
        try pool.read(within: nil) { (_: any GuideReading) throws -> Void in
            #expect(throws: ReadingError.timedOut) {
                try pool.read(within: .milliseconds(20)) { try $0.generation() }
            }
        }
        try expectEqual(pool.read(within: .seconds(20)) { try $0.stationCount() }, 2)
    }

    @Test func replacedFileIsReadByNextRead() throws {
        let old = try scratch()
        let new = try scratch(["three 20:00-21:00 Opera"])
        let pool = GuideDatabase(path: old.path)
        let versions = try [pool.read(within: nil) { try $0.version() }]
        try expectEqual(pool.read(within: nil) { try search("news", $0) }, ["News"])
        for suffix in ["", "-search"] {
            expectEqual(rename(new.path + suffix, old.path + suffix), 0)
        }
        try pool.read(within: nil) { (guide: any GuideReading) throws in
            try expectEqual(guide.stations(inRows: 0..<9).map(\.station.id), [StationID("three")])
            try expectEqual(search("opera", guide), ["Opera"])
            try expectEqual(search("news", guide), [])
            #expect(try guide.version().nonce != versions[0].nonce)
        }
    }

    /// A read of the old file continues until another read uses the new file. Then the first read restarts on the new file.
    @Test(.timeLimit(.minutes(30)), arguments: [nil, Duration.seconds(600)])
    func readOfReplacedFileRestartsOnNewFile(limit: Duration?) async throws {
        let old = try scratch()
        let new = try scratch(["three 20:00-21:00 Opera"])
        let pool = GuideDatabase(path: old.path)
        let (began, starter) = AsyncStream.makeStream(of: Void.self)
        let seen = Shared<[Int]>([])
        async let outcome = onThread {
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
        for suffix in ["", "-search"] { expectEqual(rename(new.path + suffix, old.path + suffix), 0) }
        let found = await onThread {
            Result { try pool.read(within: .seconds(600)) { try $0.stations(inRows: 0..<9).map(\.station.id) } }
        }
        try expectEqual(found.get(), [StationID("three")])
        #expect(try await outcome.get() == [StationID("three")])
        expectEqual(seen.value.withLock { $0 }, [2, 1])
        try pool.close()
    }

    @Test func missingGuideIsReportedUntilItReappears() throws {
        let scratch = try scratch()
        let pool = GuideDatabase(path: scratch.path)
        expectEqual(rename(scratch.path, scratch.path + "-away"), 0)
        for _ in 0..<6 {
            #expect(throws: StoreError.notFound(path: scratch.path)) {
                try pool.read(within: .seconds(20)) { try $0.generation() }
            }
        }
        expectEqual(rename(scratch.path + "-away", scratch.path), 0)
        for _ in 0..<6 { try expectEqual(pool.read(within: .seconds(20)) { try $0.stationCount() }, 2) }
    }

    @Test func otherFileAtPathIsNotAGuide() throws {
        let scratch = try scratch()
        let pool = GuideDatabase(path: scratch.path)
        try Data("no guide, but long enough to be looked at".utf8).write(to: URL(filePath: scratch.path + "-new"))
        expectEqual(rename(scratch.path, scratch.path + "-old"), 0)
        expectEqual(rename(scratch.path + "-new", scratch.path), 0)
        #expect(throws: StoreError.notAGuide(path: scratch.path)) {
            try pool.read(within: .seconds(20)) { try $0.generation() }
        }
        expectEqual(rename(scratch.path + "-old", scratch.path), 0)
        try expectEqual(pool.read(within: .seconds(20)) { try $0.stationCount() }, 2)
    }

    @Test func closedDatabaseRejectsReads() throws {
        let scratch = try scratch()
        let pool = GuideDatabase(path: scratch.path)
        try pool.close()
        #expect(throws: StoreError.inaccessible(path: scratch.path, detail: "the database is closed")) {
            try pool.read(within: nil) { try $0.generation() }
        }
        try pool.close()
    }

    @Test func indexCreatedLaterIsFound() throws {
        let scratch = try scratch()
        try FileManager.default.removeItem(atPath: scratch.path + "-search")
        let pool = GuideDatabase(path: scratch.path, connections: 1)
        #expect(throws: SearchIndexMissing.self) { try pool.read(within: nil) { try search("news", $0) } }
        try scratch.store.refreshSearchIndex()
        try expectEqual(pool.read(within: nil) { try search("news", $0) }, ["News"])
    }
}

/// A value that several threads modify.
private final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }
}

/// Runs blocking work on its own thread.
private func onThread<Outcome: Sendable>(_ body: @escaping @Sendable () -> Outcome) async -> Outcome {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
