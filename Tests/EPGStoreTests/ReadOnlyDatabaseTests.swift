import EPGModel
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import EPGSearch

/// Reading a guide in a read-only folder creates no files.
@Suite struct ReadOnlyDatabaseTests {
    @Test(arguments: ["guide.sqlite", "50 % off?.sqlite", "führer#1.sqlite", "a&b=c+d.sqlite"])
    func databaseWithoutLogIsOpenedAsImmutable(name: String) throws {
        let (scratch, path) = try copied(to: name)
        let uri = try ReadOnlyDatabase.name(for: path) { _ in false }
        #expect(uri.hasPrefix("file:%2F"))
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: uri, configuration: configuration)
        try expectEqual(queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM airing") }, 1)
        try queue.close()
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder(of: path)), [name])
        try scratch.close()
    }

    @Test func pathInWritableFolderIsUnchanged() throws {
        let (scratch, path) = try copied(to: "guide.sqlite")
        try expectEqual(ReadOnlyDatabase.name(for: path) { _ in true }, path)
        try scratch.close()
    }

    @Test func logWithoutIndexIsRejectedWithAdvice() throws {
        let (scratch, path) = try copied(to: "guide.sqlite")
        try Data([1]).write(to: URL(filePath: path + "-wal"))
        #expect {
            try ReadOnlyDatabase.name(for: path) { _ in false }
        } throws: {
            "\($0)".contains("guide.sqlite-wal, which cannot be read") && "\($0)".contains("copy the files")
        }
        try scratch.close()
    }

    private func folder(of path: String) -> String { URL(filePath: path).deletingLastPathComponent().path }

    /// Copies only the database file to a separate folder.
    private func copied(to name: String) throws -> (ScratchGuide, String) {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        try scratch.close()
        let folder = scratch.path + "-read-only"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/" + name
        try FileManager.default.copyItem(atPath: scratch.path, toPath: path)
        return (scratch, path)
    }
}
