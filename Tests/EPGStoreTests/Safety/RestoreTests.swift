import EPGModel
import Foundation
import GRDB
import Glibc
import StoreConformance
import Synchronization
import TestSupport
import Testing

@testable import EPGStore

/// A restore replaces the guide with a verified copy of a backup, or changes nothing.
@Suite struct RestoreTests {
    private static let old = (0..<40).map { "s\($0 % 4) \($0 / 4 + 1):00-\($0 / 4 + 1):50 Old\($0)" }
    private static let new = (0..<60).map { "s\($0 % 6) \($0 / 6 + 1):00-\($0 / 6 + 1):50 New\($0)" }

    /// Creates a guide with the second edition and a backup of the first edition.
    private func prepared() throws -> (scratch: ScratchGuide, backup: String) {
        let scratch = try ScratchGuide(Self.old)
        try scratch.store.refreshSearchIndex()
        try scratch.close()
        let backup = scratch.path + "-backup"
        _ = try GuideStore(readingFrom: scratch.path).backUp(to: backup, target: .new)
        try scratch.importing(Self.new)
        try scratch.store.refreshSearchIndex()
        try scratch.close()
        return (scratch, backup)
    }

    private func restore(_ backup: String, to path: String, waits: Bool = false) throws -> RestoreReport {
        try GuideDatabase(path: path).restore(from: backup, now: Day.now, waiting: waits ? .always : .never)
    }

    private func titles(_ path: String) throws -> Set<String> {
        let store = try GuideStore(readingFrom: path)
        defer { _ = Result { try store.close() } }
        return Set(
            try store.schedules(inRows: 0..<10, during: Day.allTime).flatMap { $0.schedule.airings.map(\.title) })
    }

    private func found(_ word: String, _ path: String) throws -> [String] {
        let store = try GuideStore(readingFrom: path)
        defer { _ = Result { try store.close() } }
        return try store.search(SearchQuery(words: word, now: Day.instant("00:00"))).matches.map(\.airing.title)
    }

    private func names(beside path: String) throws -> [String] {
        let folder = URL(filePath: path).deletingLastPathComponent()
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    private let oldTitles = Set((0..<40).map { "Old\($0)" })
    private let newTitles = Set((0..<60).map { "New\($0)" })

    @Test(arguments: [
        ("CREATE TRIGGER t AFTER INSERT ON airing BEGIN DELETE FROM station; END", "trigger t"),
        ("CREATE TRIGGER sqlitet AFTER INSERT ON airing BEGIN DELETE FROM station; END", "trigger sqlitet"),
        ("DROP INDEX airing_by_id; CREATE INDEX airing_by_id ON airing (id)", "index airing_by_id"),
        ("CREATE VIEW v AS SELECT 1", "view v"), ("DROP INDEX station_by_position", "index station_by_position"),
        ("UPDATE guide SET next_airing = 1", "identifiers"),
        ("UPDATE guide SET next_programme = \(Int64.max)", "identifiers"),
    ])
    func invalidBackupIsRejected(sql: String, words: String) throws {
        let (scratch, backup) = try prepared()
        try RawDatabase.write(backup, sql)
        let error = #expect(throws: RestoreError.self) { try restore(backup, to: scratch.path) }
        #expect("\(try #require(error))".contains(words))
        try expectEqual(titles(scratch.path), newTitles)
    }

    @Test func pipeIsNotABackup() throws {
        let (scratch, _) = try prepared()
        let pipe = scratch.path + "-pipe"
        expectEqual(mkfifo(pipe, 0o600), 0)
        #expect(throws: RestoreError.badBackup(path: pipe, detail: "it is not a regular file")) {
            try restore(pipe, to: scratch.path)
        }
    }

    @Test func missingGuideIsRestoredWithoutStaleLog() throws {
        let (scratch, backup) = try prepared()
        // A write-ahead log that was not checkpointed and belongs to the removed guide.
        let reader = try GuideStore(readingFrom: scratch.path)
        try RawDatabase.write(scratch.path, "UPDATE programme SET title = 'of the log'")
        try Data(contentsOf: URL(filePath: scratch.path + "-wal")).write(to: URL(filePath: scratch.path + "-kept"))
        try reader.close()
        for suffix in ["", "-wal", "-shm"] { unlink(scratch.path + suffix) }
        try #require(rename(scratch.path + "-kept", scratch.path + "-wal") == 0)
        let report = try restore(backup, to: scratch.path)
        expectEqual(report.replaced, .nothing)
        try expectEqual(titles(scratch.path), oldTitles)
        expectEqual(mode(scratch.path), 0o600)
    }

    @Test(arguments: [0, 4096, 20_000]) func damagedGuideIsReplaced(intactBytes: Int) throws {
        let (scratch, backup) = try prepared()
        var bytes = try Data(contentsOf: URL(filePath: scratch.path))
        try #require(bytes.count > intactBytes)
        bytes.replaceSubrange(intactBytes..., with: Data(repeating: 0x41, count: bytes.count - intactBytes))
        try bytes.write(to: URL(filePath: scratch.path))
        _ = try restore(backup, to: scratch.path)
        try expectEqual(titles(scratch.path), oldTitles)
        try expectEqual(found("old7", scratch.path), ["Old7"])
    }

    @Test func fileModeIsPreserved() throws {
        let (scratch, backup) = try prepared()
        try #require(chmod(scratch.path, 0o640) == 0)
        _ = try restore(backup, to: scratch.path)
        expectEqual(mode(scratch.path), 0o640)
        expectEqual(mode(scratch.path + "-search"), 0o640)
    }

    @Test func symbolicLinkIsPreserved() throws {
        let (scratch, backup) = try prepared()
        let real = scratch.path + "-real"
        try #require(rename(scratch.path, real) == 0)
        try #require(symlink(real, scratch.path) == 0)
        _ = try restore(backup, to: scratch.path)
        try expectEqual(FileManager.default.destinationOfSymbolicLink(atPath: scratch.path), real)
        try expectEqual(titles(scratch.path), oldTitles)
        try expectEqual(found("old7", scratch.path), ["Old7"])
    }

    @Test func badBackupsAreRejectedAndGuideIsUnchanged() throws {
        let (scratch, backup) = try prepared()
        let before = try GuideDump(path: scratch.path)
        let bytes = try Data(contentsOf: URL(filePath: backup))
        let bad = scratch.path + "-bad"
        func isRejected(_ expected: (RestoreError) -> Bool) throws -> Bool {
            do {
                _ = try restore(bad, to: scratch.path)
                return false
            } catch let error as RestoreError {
                return try expected(error) && GuideDump(path: scratch.path) == before
            }
        }
        let isBadBackup: (RestoreError) -> Bool = { if case .badBackup(bad, _) = $0 { true } else { false } }
        try expectEqual(isRejected { $0 == .notFound(path: bad) }, true)
        for content in [Data(), Data("no guide".utf8), bytes.prefix(bytes.count / 2), bytes.prefix(100)] {
            try content.write(to: URL(filePath: bad))
            try expectEqual(isRejected(isBadBackup), true, "\(content.count) bytes")
        }
        for sql in [
            "PRAGMA user_version = 15", "PRAGMA user_version = 11", "PRAGMA user_version = 10",
            "PRAGMA user_version = 9",
            "PRAGMA user_version = 8",
            "PRAGMA application_id = 7",
            "PRAGMA ignore_check_constraints = 1; UPDATE airing SET stop = start WHERE id = (SELECT min(id) FROM airing)",
            "UPDATE airing SET programme_id = 999999 WHERE id = (SELECT min(id) FROM airing)",
        ] {
            try bytes.write(to: URL(filePath: bad))
            try RawDatabase.write(bad, sql)
            try expectEqual(isRejected(isBadBackup), true, "\(sql)")
        }
        #expect(try names(beside: scratch.path).allSatisfy { !$0.hasPrefix(".epg") })
        #expect(throws: RestoreError.isGuide(path: scratch.path)) { try restore(scratch.path, to: scratch.path) }
    }

    @Test func copiesOfKilledRestoresAreRemoved() throws {
        let (scratch, backup) = try prepared()
        let folder = URL(filePath: scratch.path).deletingLastPathComponent()
        let stale = ["", "-wal", "-search", "-search-shm", ".lock"].map { ".epg-restore.guide.sqlite.aB3dE6\($0)" }
        let others = [".epg-restore.guide.sqlite.other.aB3dE6", ".epg-restore.guide.sqlite.aB3dE6-mine"]
        for name in stale + others { try Data("x".utf8).write(to: folder.appending(path: name)) }
        _ = try restore(backup, to: scratch.path)
        try expectEqual(names(beside: scratch.path).filter { $0.hasPrefix(".epg") }, others.sorted())
    }

    @Test func databaseOfAnotherProgramIsNotReplaced() throws {
        let (scratch, backup) = try prepared()
        let other = scratch.path + "-other"
        try Data().write(to: URL(filePath: other))
        try RawDatabase.write(other, "CREATE TABLE photo (id INTEGER)")
        #expect {
            try restore(backup, to: other)
        } throws: { error in
            if case RestoreError.notReplaceable(other, _) = error { true } else { false }
        }
        try expectEqual(RawDatabase.number(other, "SELECT count(*) FROM photo"), 0)
    }

    @Test func restoreFailsWhileOldStateIsRead() async throws {
        let (scratch, backup) = try prepared()
        let reader = try GuideStore(readingFrom: scratch.path)
        try reader.read { database in
            try expectEqual(Int.fetchOne(database, sql: "SELECT count(*) FROM airing"), 60)
            try scratch.importing(["s0 1:00-2:00 Newer"])
            try scratch.close()
            let log = try Data(contentsOf: URL(filePath: scratch.path + "-wal"))
            try #require(!log.isEmpty)
            #expect(throws: RestoreError.inUse(path: scratch.path)) {
                try GuideDatabase(path: scratch.path).restore(
                    from: backup, now: Day.now, waiting: .never, minimumWait: .milliseconds(200))
            }
            try expectEqual(Int.fetchOne(database, sql: "SELECT count(*) FROM airing"), 60)
        }
        #expect(try titles(scratch.path).contains("Newer"))
        _ = try restore(backup, to: scratch.path)
        try expectEqual(titles(scratch.path), oldTitles)
    }

    // MARK: - Overwritten files

    @Test(arguments: ["a smaller file", "a larger file", "truncation", "removal of its end", "zeros"])
    func readersSurviveOverwrittenFile(method: String) async throws {
        let (scratch, backup) = try prepared()
        let (count, rounds) = TestScope.current > .contribution ? (3000, 60) : (1000, 12)
        let intact = try Data(contentsOf: URL(filePath: scratch.path))
        let other: Data
        switch method {
        case "a smaller file": other = try Data(contentsOf: URL(filePath: backup))
        case "a larger file":
            let large = try ScratchGuide(
                (0..<count).map { "s\($0 % 100) \($0 / 100 % 23):00-\($0 / 100 % 23):50 Large\($0)" })
            try large.close()
            other = try Data(contentsOf: URL(filePath: large.path))
            try #require(other.count > intact.count)
        case "truncation": other = Data()
        case "removal of its end": other = intact.prefix(intact.count / 3)
        default: other = Data(count: intact.count)
        }
        let pool = GuideDatabase(path: scratch.path)
        let path = scratch.path
        let log = ReadLog()
        try await readConcurrently(pool, log) { guide in
            let words = try guide.schedules(inRows: 0..<100, during: Day.allTime).flatMap { row in
                row.schedule.airings.map { String($0.title.prefix { $0.isLetter }) }
            }
            _ = try guide.search(SearchQuery(words: "new*", now: Day.instant("00:00")))
            return Set(words)
        } body: {
            for round in 0..<rounds {
                let count = log.count
                try overwrite(path, with: round % 2 == 0 ? other : intact)
                // Every state of the file is read.
                try #require(waitUntil { log.count >= count + 8 })
            }
        }
        expectEqual(log.unexpectedErrors, [])
        // No read returns airings of two files.
        #expect(log.answers.contains(["New"]))
        #expect(log.answers.allSatisfy { $0.count <= 1 }, "\(log.answers)")
        // The file is intact again, so every reader recovers.
        for _ in 0..<12 {
            let titles = try readAfterRecovery(pool) { guide in
                Set(
                    try guide.schedules(inRows: 0..<10, during: Day.allTime).flatMap {
                        $0.schedule.airings.map(\.title)
                    })
            }
            expectEqual(titles, newTitles)
        }
        if method == "a smaller file" || method == "a larger file" {
            let key = try pool.read(within: nil) { try $0.version() }
            try overwrite(path, with: other)
            for _ in 0..<12 {
                let titles = try readAfterRecovery(pool) { guide in
                    #expect(try guide.version() != key)
                    return Set(
                        try guide.schedules(inRows: 0..<10, during: Day.allTime)
                            .flatMap { $0.schedule.airings.map(\.title) })
                }
                #expect(titles.allSatisfy { $0.hasPrefix(method == "a smaller file" ? "Old" : "Large") })
            }
        }
    }

    /// Overwrites a file in place like `cp`, which truncates the file before it writes.
    private func overwrite(_ path: String, with bytes: Data) throws {
        let file = open(path, O_WRONLY | O_TRUNC)
        try #require(file >= 0)
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.prefix(65_536).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            try #require(count > 0)
            rest = rest.dropFirst(count)
        }
    }

    /// Reads with retries, because each connection can fail once before it is replaced.
    private func readAfterRecovery<Answer>(_ pool: GuideDatabase, _ body: (any GuideReading) throws -> Answer) throws
        -> Answer
    {
        for _ in 0..<5 {
            if case .success(let value) = Result(catching: { try pool.read(within: nil, body) }) { return value }
        }
        return try pool.read(within: nil, body)
    }

    /// Reads on four threads while the body runs.
    private func readConcurrently(
        _ pool: GuideDatabase, _ log: ReadLog,
        _ reading: @escaping @Sendable (any GuideReading) throws -> Set<String>, body: () throws -> Void
    ) async throws {
        let threads = (0..<4).map { _ in
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                repeat { log.add(Result { try pool.read(within: .seconds(20), reading) }) } while !log.isOver
                done.signal()
            }
            return done
        }
        let outcome = Result { try body() }
        log.end()
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                for done in threads { done.wait() }
                continuation.resume()
            }
        }
        try outcome.get()
    }
}

/// The results of concurrent reads.
private final class ReadLog: Sendable {
    private struct State {
        var count = 0
        var answers: Set<Set<String>> = []
        var unexpectedErrors: Set<String> = []
        var isOver = false
    }

    private let state = Mutex(State())

    func add(_ result: Result<Set<String>, any Error>) {
        state.withLock { state in
            state.count += 1
            switch result {
            case .success(let answer): state.answers.insert(answer)
            // The search index does not belong to the other file.
            case .failure(is StoreError), .failure(is SearchIndexMissing): break
            case .failure(let error): state.unexpectedErrors.insert("\(type(of: error)): \(error)")
            }
        }
    }

    func end() { state.withLock { $0.isOver = true } }

    var isOver: Bool { state.withLock { $0.isOver } }
    /// Number of reads.
    var count: Int { state.withLock { $0.count } }
    var answers: Set<Set<String>> { state.withLock { $0.answers } }
    /// The errors that no program can explain.
    var unexpectedErrors: Set<String> { state.withLock { $0.unexpectedErrors } }
}
