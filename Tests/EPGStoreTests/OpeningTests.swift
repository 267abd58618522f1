import EPGModel
import EPGStore
import Foundation
import StoreConformance
import Testing

/// What is no guide is refused with advice, and nothing is done to it.
@Suite struct OpeningTests {
    /// Opens for reading and for writing; both must fail alike.
    private func refusals(_ path: String) -> [StoreError?] {
        [{ try GuideStore(readingFrom: path) }, { try GuideStore(writingTo: path) }].map { open in
            do {
                _ = try open()
                return nil
            } catch {
                return error as? StoreError
            }
        }
    }

    /// SQLite would wait for the other end.
    @Test func pipeIsNoGuide() throws {
        let scratch = try ScratchGuide()
        try #require(mkfifo(scratch.path, 0o600) == 0)
        let refusal = StoreError.inaccessible(path: scratch.path, detail: "it is not a regular file")
        #expect(refusals(scratch.path) == [refusal, refusal])
    }

    @Test func missingFileIsNotAGuide() throws {
        let scratch = try ScratchGuide()
        #expect(throws: StoreError.notFound(path: scratch.path)) { try GuideStore(readingFrom: scratch.path) }
        #expect(!FileManager.default.fileExists(atPath: scratch.path))
    }

    @Test func aNewerSchemaIsRefused() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        try scratch.close()
        try RawDatabase.write(scratch.path, "PRAGMA user_version = 999")
        let expected = StoreError.newerSchema(path: scratch.path, found: 999, known: 7)
        #expect(refusals(scratch.path) == [expected, expected])
    }

    @Test func tooOldSchemaIsRejected() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        try scratch.close()
        try RawDatabase.write(scratch.path, "PRAGMA user_version = 4")
        let expected = StoreError.tooOldSchema(path: scratch.path, found: 4, known: 7)
        #expect(refusals(scratch.path) == [expected, expected])
    }

    @Test func databaseOfAnotherProgramIsRejectedAndUnchanged() throws {
        let scratch = try ScratchGuide()
        try RawDatabase.write(scratch.path, "CREATE TABLE recipe (id INTEGER PRIMARY KEY); PRAGMA user_version = 1")
        let before = try Data(contentsOf: URL(filePath: scratch.path))
        #expect(refusals(scratch.path) == [.notAGuide(path: scratch.path), .notAGuide(path: scratch.path)])
        #expect(try Data(contentsOf: URL(filePath: scratch.path)) == before)
    }

    /// What a first import leaves that was killed when it had only made the file.
    @Test func emptyFileIsNotAGuide() throws {
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
        #expect(try String(contentsOf: URL(filePath: scratch.path), encoding: .utf8) == text)
    }

    @Test func aFolderIsRefused() throws {
        let folder = FileManager.default.temporaryDirectory.path
        for refusal in refusals(folder) {
            guard case .inaccessible? = refusal else {
                Issue.record("\(String(describing: refusal))")
                continue
            }
        }
    }

    @Test(arguments: [0, 1, 50, 99, 100, 512, 1000, 4096, 5000, 8192, 12_288, 20_000, 40_000])
    func truncatedGuideIsAnError(bytes: Int) throws {
        let scratch = try ScratchGuide((0..<400).map { "one \($0):00-\($0):50 T\($0): Words and words." })
        try scratch.close()
        let whole = try Data(contentsOf: URL(filePath: scratch.path))
        try #require(whole.count > 40_000)
        try Data(whole.prefix(bytes)).write(to: URL(filePath: scratch.path))
        #expect(throws: StoreError.self) {
            let store = try GuideStore(readingFrom: scratch.path)
            _ = try store.schedule(of: StationID("one"), during: Day.allTime)
            // What can still be read is read; the check finds the damage, or fails with it.
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
