import EPGModel
import EPGStore
import Foundation
import StoreConformance
import TestSupport
import Testing

/// A backup is a consistent copy of one generation. A failed backup overwrites nothing.
@Suite struct BackupTests {
    private let guide = (0..<200).map { "s\($0 % 5) \($0 / 5):00-\($0 / 5):50 T\($0): Words and words." }

    /// Creates a guide, and returns it with a path for its copy.
    private func prepared() throws -> (scratch: ScratchGuide, copy: String) {
        let scratch = try ScratchGuide(guide)
        _ = try scratch.store.saveLineup(Lineup("cable", ["s1 1", "x 2"]), matcher: TableMatcher())
        try scratch.store.refreshSearchIndex()
        try scratch.close()
        return (scratch, scratch.path + "-copy")
    }

    private func names(beside scratch: ScratchGuide) throws -> [String] {
        let folder = URL(filePath: scratch.path).deletingLastPathComponent()
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func backupEqualsGuide() throws {
        let (scratch, copy) = try prepared()
        let check = try GuideStore(readingFrom: scratch.path).backUp(to: copy, target: .new)
        expectEqual((check.airings, check.stations, check.generation), (200, 5, Generation(2)))
        expectEqual(check.problems, [])
        try expectEqual(GuideDump(path: copy), GuideDump(path: scratch.path))
        let restored = try GuideStore(writingTo: copy)
        try expectEqual(restored.check().problems, [])
        try restored.refreshSearchIndex()
        try expectEqual(restored.check().isSearchComplete, true)
        try restored.close()
        #expect(try names(beside: scratch).allSatisfy { !$0.hasPrefix(".epg") })
    }

    @Test func backupIsSingleFileReadableInReadOnlyFolder() throws {
        let (scratch, copy) = try prepared()
        _ = try GuideStore(readingFrom: scratch.path).backUp(to: copy, target: .new)
        try expectEqual(names(beside: scratch).filter { $0.contains("-copy") }, ["guide.sqlite-copy"])
        // Bytes 18 and 19 mean that the file needs no write-ahead log (sqlite.org/fileformat.html, 1.3.3).
        let header = try Data(contentsOf: URL(filePath: copy)).prefix(20)
        expectEqual(header[18...19], Data([1, 1]))
    }

    @Test(arguments: ["", "-wal", "-search", ".lock"]) func backupNeverOverwritesGuide(suffix: String) throws {
        let (scratch, _) = try prepared()
        let before = try GuideDump(path: scratch.path)
        let path = scratch.path + suffix
        #expect(throws: BackupError.isGuide(path: path)) {
            try GuideStore(readingFrom: scratch.path).backUp(to: path, target: .replaced)
        }
        try expectEqual(GuideDump(path: scratch.path), before)
    }

    /// A running backup holds a lock on its file.
    @Test func copiesOfKilledBackupsAreRemoved() throws {
        let (scratch, copy) = try prepared()
        let folder = URL(filePath: copy).deletingLastPathComponent()
        let name = URL(filePath: copy).lastPathComponent
        let (stale, active) = (".epg-backup.\(name).aB3dE6", ".epg-backup.\(name).zY3xW6")
        for file in [stale, stale + "-journal", active] { try Data("x".utf8).write(to: folder.appending(path: file)) }
        let descriptor = open(folder.appending(path: active).path, O_RDWR)
        defer { close(descriptor) }
        try #require(flock(descriptor, LOCK_EX) == 0)
        _ = try GuideStore(readingFrom: scratch.path).backUp(to: copy, target: .new)
        try expectEqual(names(beside: scratch).filter { $0.hasPrefix(".epg") }, [active])
    }

    @Test func damagedGuideKeepsPreviousBackup() throws {
        let (scratch, copy) = try prepared()
        _ = try GuideStore(readingFrom: scratch.path).backUp(to: copy, target: .new)
        let before = try Data(contentsOf: URL(filePath: copy))
        try RawDatabase.write(
            scratch.path, "UPDATE airing SET programme_id = 999999 WHERE id = (SELECT min(id) FROM airing)")
        #expect {
            try GuideStore(readingFrom: scratch.path).backUp(to: copy, target: .replaced)
        } throws: { error in
            if case BackupError.damaged(let path, _) = error { path == scratch.path } else { false }
        }
        try expectEqual(Data(contentsOf: URL(filePath: copy)), before)
        #expect(try names(beside: scratch).allSatisfy { !$0.hasPrefix(".epg") })
    }
}
