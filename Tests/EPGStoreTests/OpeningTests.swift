import EPGModel
import EPGSQL
import EPGStore
import Foundation
import StoreConformance
import TestSupport
import Testing

/// Files that are not guides are rejected and left unchanged.
@Suite struct OpeningTests {
    /// Returns the errors of opening for reading and for writing.
    private func openingErrors(_ path: String) -> [StoreError?] {
        [{ try GuideStore(readingFrom: path) }, { try GuideStore(writingTo: path) }].map { open in
            do {
                _ = try open()
                return nil
            } catch {
                return error as? StoreError
            }
        }
    }

    /// SQLite would wait for the other end of the pipe.
    @Test func pipeIsNotAGuide() throws {
        let scratch = try ScratchGuide()
        try #require(mkfifo(scratch.path, 0o600) == 0)
        let error = StoreError.inaccessible(path: scratch.path, detail: "it is not a regular file")
        expectEqual(openingErrors(scratch.path), [error, error])
    }

    @Test func missingFileIsReportedAndNotCreated() throws {
        let scratch = try ScratchGuide()
        #expect(throws: StoreError.notFound(path: scratch.path)) { try GuideStore(readingFrom: scratch.path) }
        expectEqual(FileManager.default.fileExists(atPath: scratch.path), false)
    }

    @Test func newerSchemaIsRejected() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        try scratch.close()
        try RawDatabase.write(scratch.path, "PRAGMA user_version = 999")
        let expected = StoreError.newerSchema(path: scratch.path, found: 999, known: 14)
        expectEqual(openingErrors(scratch.path), [expected, expected])
    }

    @Test func tooOldSchemaIsRejected() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        try scratch.close()
        try RawDatabase.write(scratch.path, "PRAGMA user_version = 8")
        let expected = StoreError.tooOldSchema(path: scratch.path, found: 8, known: 14)
        expectEqual(openingErrors(scratch.path), [expected, expected])
    }

    @Test func databaseOfAnotherProgramIsRejectedAndUnchanged() throws {
        let scratch = try ScratchGuide()
        try RawDatabase.write(scratch.path, "CREATE TABLE recipe (id INTEGER PRIMARY KEY); PRAGMA user_version = 1")
        let before = try Data(contentsOf: URL(filePath: scratch.path))
        expectEqual(openingErrors(scratch.path), [.notAGuide(path: scratch.path), .notAGuide(path: scratch.path)])
        try expectEqual(Data(contentsOf: URL(filePath: scratch.path)), before)
    }

    /// Larger numbers would overflow, and an import would lose the attributes of transmissions.
    @Test(arguments: [
        ("UPDATE guide SET next_transmission = 4294967296", true),
        ("UPDATE guide SET next_airing = 9223372036854775807", true),
        ("UPDATE guide SET next_programme = 9223372036854775807", true),
        ("UPDATE guide SET generation = 9223372036854775806", true),
        ("UPDATE programme_digest SET first_id = 9223372036854775000", false),
        ("UPDATE programme_digest SET first_id = -9223372036854775000", false),
        (
            "INSERT INTO import SELECT 9223372036854775807, source_id, at, generation, read, stored, merged, dropped, skipped, filtered, "
                + "inserted, changed, removed, diagnostics_of, diagnostics_digest, completed FROM import", false
        ),
        (
            "INSERT INTO station SELECT 9223372036854775807, 'z', name, number, document, described_by, ordinal, source_id, is_shared, 1 "
                + "FROM station", false
        ),
        ("INSERT INTO transmission VALUES (4294967296, randomblob(16), '{}')", false),
    ])
    func numbersOutOfRangeAreRefused(sql: String, concernsReading: Bool) throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        try scratch.close()
        try RawDatabase.write(scratch.path, sql)
        let isDamage = openingErrors(scratch.path).map { error in
            guard case .damaged(_, let detail) = error else { return false }
            return detail.contains("identifiers")
        }
        expectEqual(isDamage, [concernsReading, true])
        guard !concernsReading else { return }
        let problems = try GuideStore(readingFrom: scratch.path).check().problems
        expectEqual(problems.contains { $0.contains("identifiers") }, true, "\(problems)")
    }

    /// The other files contain the same texts, and earlier versions created them readable for all.
    @Test(arguments: [0o600, 0o640] as [mode_t])
    func otherFilesHaveTheModeOfTheGuide(mode: mode_t) throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        func modes() throws -> [String: mode_t] {
            let folder = URL(filePath: scratch.path).deletingLastPathComponent()
            return try Dictionary(
                uniqueKeysWithValues: FileManager.default.contentsOfDirectory(atPath: folder.path).map { name in
                    var status = stat()
                    _ = stat(folder.appending(path: name).path, &status)
                    return (name.replacing("guide.sqlite", with: ""), status.st_mode & 0o777)
                })
        }
        try scratch.store.refreshSearchIndex()
        let files = try modes()
        #expect(Set(files.keys).isSuperset(of: ["", "-search", ".lock"]))
        expectEqual(Set(files.values), [0o600], "\(files)")
        try scratch.close()
        for suffix in ["-search", ".lock"] { chmod(scratch.path + suffix, 0o644) }
        chmod(scratch.path, mode)
        try scratch.importing(["one 20:00-21:00 A", "one 21:00-22:00 B"])
        try scratch.store.refreshSearchIndex()
        let others = try modes()
        expectEqual(Set(others.values), [mode], "\(others)")
    }

    /// A first import that is killed early leaves an empty file.
    @Test func emptyFileIsTreatedAsMissingGuide() throws {
        let scratch = try ScratchGuide()
        try Data().write(to: URL(filePath: scratch.path))
        #expect(throws: StoreError.notFound(path: scratch.path)) { try GuideStore(readingFrom: scratch.path) }
        try GuideStore(writingTo: scratch.path).close()
        try GuideStore(readingFrom: scratch.path).close()
    }

    @Test(arguments: ["<?xml version=\"1.0\"?><tv/>", String(repeating: "no database at all ", count: 1000)])
    func nonDatabaseFileIsRejected(text: String) throws {
        let scratch = try ScratchGuide()
        try Data(text.utf8).write(to: URL(filePath: scratch.path))
        #expect(throws: StoreError.notAGuide(path: scratch.path)) { try GuideStore(readingFrom: scratch.path) }
        #expect(throws: StoreError.notAGuide(path: scratch.path)) { try GuideStore(writingTo: scratch.path) }
        try expectEqual(String(contentsOf: URL(filePath: scratch.path), encoding: .utf8), text)
    }

    @Test func folderIsRejected() throws {
        let folder = FileManager.default.temporaryDirectory.path
        for error in openingErrors(folder) {
            guard case .inaccessible? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test(arguments: [0, 1, 50, 99, 100, 512, 1000, 4096, 5000, 8192, 12_288, 20_000, 40_000])
    func truncatedGuideIsAnError(bytes: Int) throws {
        let scratch = try ScratchGuide((0..<400).map { "one \($0):00-\($0):50 T\($0): Words and words." })
        try scratch.close()
        let intact = try Data(contentsOf: URL(filePath: scratch.path))
        try #require(intact.count > 40_000)
        try Data(intact.prefix(bytes)).write(to: URL(filePath: scratch.path))
        #expect(throws: StoreError.self) {
            let store = try GuideStore(readingFrom: scratch.path)
            _ = try store.schedule(of: StationID("one"), during: Day.allTime)
            // Intact pages are readable. The check finds the damage or fails.
            if try !store.check().problems.isEmpty { throw StoreError.damaged(path: scratch.path, detail: "") }
        }
    }

    @Test(arguments: 0..<20) func damagedPagesAreAnError(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let scratch = try ScratchGuide((0..<200).map { "one \($0):00-\($0):50 T\($0): Words." })
        try scratch.close()
        var bytes = try Data(contentsOf: URL(filePath: scratch.path))
        for _ in 0..<200 {
            bytes[Int.random(in: 100..<bytes.count, using: &generator)] = UInt8.random(
                in: .min ... .max, using: &generator)
        }
        try bytes.write(to: URL(filePath: scratch.path))
        do {
            let store = try GuideStore(readingFrom: scratch.path)
            _ = Result { try store.schedules(inRows: 0..<10, during: Day.allTime) }
            _ = Result { try store.nowAndNext(at: Day.now, inRows: 0..<10) }
            for id in Int64(1)...200 { _ = Result { try store.airing(AiringID(id)) } }
            _ = Result { try store.sources() }
            _ = try store.check()
        } catch {
            #expect(error is StoreError)
        }
    }
}
