import EPGFiles
import EPGModel
import EPGRender
import Foundation
import TestSupport
import Testing

@testable import EPGServer

/// Tests of the folder of pictures.
@Suite struct ArtworkStoreTests {
    /// A folder that is removed with it.
    private final class Folder: Sendable {
        let path = FileManager.default.temporaryDirectory.appending(path: "epgd-art-\(UUID().uuidString)").path

        deinit { _ = Result { try FileManager.default.removeItem(atPath: path) } }

        /// The paths and sizes of all files.
        var files: [(path: String, size: Int)] {
            let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
            return names.compactMap { name in
                let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
                guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
                return (path + "/" + name, attributes?[.size] as? Int ?? 0)
            }
        }
    }

    private static let now = Instant(secondsSince1970: 1_800_000_000)

    private static func name(_ number: Int, _ size: ArtworkSize = .logo) throws -> ArtworkName {
        ArtworkName(key: ArtworkKey(of: try #require(HTTPURL("http://logos.example/\(number).png"))), size: size)
    }

    private static func file(_ number: Int, byteCount: Int = 100) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* number &+ number) }
    }

    @Test func pictureIsReadBackAlsoAfterARestart() throws {
        let folder = Folder()
        let store = ArtworkStore(folder: folder.path, capacity: 1 << 20)
        expectEqual(try store.picture(Self.name(1), at: Self.now), nil)
        try store.insert(Self.file(1), as: Self.name(1), at: Self.now)
        try store.insert(Self.file(2), as: Self.name(1, .picture), at: Self.now)
        for store in [store, ArtworkStore(folder: folder.path, capacity: 1 << 20)] {
            expectEqual(try store.picture(Self.name(1), at: Self.now), Self.file(1))
            expectEqual(try store.picture(Self.name(1, .picture), at: Self.now), Self.file(2))
            expectEqual(store.fetchTime(of: try Self.name(1)), Self.now)
            expectEqual(store.usage.count, 2)
            expectEqual(store.usage.bytes, 8192)
        }
    }

    @Test func picturesStayWithinTheLimit() throws {
        let folder = Folder()
        // A file takes at least a block of 4 KiB.
        let blocks = TestScope.current >= .integration ? 5000 : 300
        let capacity = blocks * 4096
        let store = ArtworkStore(folder: folder.path, capacity: capacity)
        let last = 4 * blocks - 1
        for number in 0...last {
            try store.insert(Self.file(number), as: Self.name(number), at: Self.now.advanced(by: Int64(number)))
            if store.usage.bytes > capacity { Issue.record("\(store.usage) after \(number)") }
        }
        expectEqual(folder.files.count, store.usage.count)
        #expect((blocks / 10 * 9...blocks).contains(store.usage.count))
        expectEqual(try store.picture(Self.name(0), at: Self.now), nil)
        expectEqual(try store.picture(Self.name(last), at: Self.now), Self.file(last))
        expectEqual(ArtworkStore(folder: folder.path, capacity: capacity).usage.count, store.usage.count)
    }

    @Test func leastRecentlyUsedPicturesGoFirstAlsoAfterARestart() throws {
        let folder = Folder()
        let store = ArtworkStore(folder: folder.path, capacity: 100 * 4096)
        for number in 0..<100 {
            try store.insert(Self.file(number), as: Self.name(number), at: Self.now.advanced(by: Int64(number)))
        }
        // The use of an old picture a day later.
        #expect(try store.picture(Self.name(3), at: Self.now.advanced(by: 86_400)) != nil)
        // No reading in between: a file system may record it as a use.
        let later = ArtworkStore(folder: folder.path, capacity: 50 * 4096)
        expectEqual(later.usage.count, 45)
        expectEqual(try later.picture(Self.name(3), at: Self.now), Self.file(3))
        expectEqual(try later.picture(Self.name(55), at: Self.now), nil)
        expectEqual(try later.picture(Self.name(56), at: Self.now), Self.file(56))
        expectEqual(folder.files.count, 45)
    }

    @Test func severalProcessesKeepTheLimitOfTheirFolder() throws {
        let folder = Folder()
        let blocks = TestScope.current >= .integration ? 400 : 100
        let stores = (0..<3).map { _ in ArtworkStore(folder: folder.path, capacity: blocks * 4096) }
        let count = blocks * 15 / 2
        for number in 0..<count {
            try stores[number % 3].insert(
                Self.file(number), as: Self.name(number), at: Self.now.advanced(by: Int64(number)))
            // Each store may miss a twentieth, and a file, that each of the others has written.
            if number % 50 == 0 { #expect(folder.files.count <= blocks + 2 * (blocks / 20 + 1)) }
        }
        #expect(folder.files.count > blocks * 5 / 8)
        // A store finds what the others have written, once it has read the folder again.
        for number in count..<count + blocks * 3 / 40 {
            try stores[0].insert(Self.file(number), as: Self.name(number), at: Self.now)
        }
        expectEqual(try stores[0].picture(Self.name(count - 1), at: Self.now), Self.file(count - 1))
        expectEqual(try stores[0].picture(Self.name(0), at: Self.now), nil)
    }

    @Test func useByAnotherProcessKeepsAPicture() throws {
        let folder = Folder()
        let capacity = 100 * 4096
        let store = ArtworkStore(folder: folder.path, capacity: capacity)
        for number in 0..<100 {
            try store.insert(Self.file(number), as: Self.name(number), at: Self.now.advanced(by: Int64(number)))
        }
        let other = ArtworkStore(folder: folder.path, capacity: capacity)
        #expect(try other.picture(Self.name(3), at: Self.now.advanced(by: 86_400)) != nil)
        // Deletes until a tenth is free.
        try store.insert(Self.file(100), as: Self.name(100), at: Self.now.advanced(by: 86_401))
        expectEqual(store.usage.count, 90)
        expectEqual(try store.picture(Self.name(2), at: Self.now), nil)
        expectEqual(try store.picture(Self.name(3), at: Self.now), Self.file(3))
    }

    @Test func logosAreCountedSeparately() throws {
        let folder = Folder()
        let capacity = 100 * 4096
        let store = ArtworkStore(folder: folder.path, capacity: capacity)
        for number in 0..<40 {
            try store.insert(Self.file(number), as: Self.name(number), at: Self.now)
            try store.insert(Self.file(number), as: Self.name(number, .picture), at: Self.now.advanced(by: 1))
        }
        // The larger logo is the oldest one, so that it is deleted first.
        try store.insert(Self.file(1, byteCount: 5000), as: Self.name(1), at: Self.now.advanced(by: -1))
        expectEqual(store.logoBytes, 41 * 4096)
        expectEqual(ArtworkStore(folder: folder.path, capacity: capacity).logoBytes, 41 * 4096)
        // Only the 40 pictures, which are newer, and 5 logos are left.
        let later = ArtworkStore(folder: folder.path, capacity: 50 * 4096)
        expectEqual(later.usage.bytes, later.logoBytes + 40 * 4096)
        expectEqual(later.logoBytes, 5 * 4096)
        expectEqual(folder.files.count, later.usage.count)
    }

    @Test func missingFoldersAreCreated() throws {
        let folder = Folder()
        let store = ArtworkStore(folder: folder.path + "/cache/epg/guide-art", capacity: 1 << 20)
        try store.insert(Self.file(1), as: Self.name(1), at: Self.now)
        expectEqual(try store.picture(Self.name(1), at: Self.now), Self.file(1))
    }

    @Test func pictureThatCannotBeWrittenIsAnError() throws {
        // A file has no files.
        let store = ArtworkStore(folder: "/dev/null", capacity: 1 << 20)
        #expect(throws: SystemFault(number: ENOTDIR)) { try store.insert(Self.file(1), as: Self.name(1), at: Self.now) }
        expectEqual(store.usage.count, 0)
        expectEqual(try store.picture(Self.name(1), at: Self.now), nil)
    }

    @Test func newPictureReplacesTheOldOne() throws {
        let folder = Folder()
        let store = ArtworkStore(folder: folder.path, capacity: 1 << 20)
        for number in [1, 2, 2] {
            try store.insert(Self.file(number), as: Self.name(0), at: Self.now)
            expectEqual(folder.files.count, 1)
            expectEqual(store.usage.bytes, 4096)
        }
        expectEqual(try store.picture(Self.name(0), at: Self.now), Self.file(2))
    }

    @Test(arguments: [[], [1, 2, 3], [UInt8](repeating: 0, count: 100)] as [[UInt8]])
    func damagedFileIsAMissingOne(bytes: [UInt8]) throws {
        let folder = Folder()
        let store = ArtworkStore(folder: folder.path, capacity: 1 << 20)
        try store.insert(Self.file(1), as: Self.name(1), at: Self.now)
        try Data(bytes).write(to: URL(filePath: try #require(folder.files.first).path))
        for store in [ArtworkStore(folder: folder.path, capacity: 1 << 20), store] {
            expectEqual(try store.picture(Self.name(1), at: Self.now), nil)
            expectEqual(store.usage.count, 0)
            expectEqual(store.usage.bytes, 0)
        }
        #expect(folder.files.isEmpty)
    }

    /// Whether the file system supports reads that do not wait, which some file systems of containers do not.
    static let readsWithoutWaiting = withExtendedLifetime(Folder()) { folder in
        let store = ArtworkStore(folder: folder.path, capacity: 1 << 20)
        guard let name = try? name(1), (try? store.insert(file(1), as: name, at: now)) != nil else { return false }
        return store.pictureInMemory(name, at: now) != nil
    }

    /// A file that was just written is in memory.
    @Test(.enabled(if: readsWithoutWaiting, "the file system does not read without waiting"))
    func pictureInMemoryIsReadAtOnce() throws {
        let folder = Folder()
        let store = ArtworkStore(folder: folder.path, capacity: 1 << 20)
        for (number, count) in [(1, 100), (2, 4096), (3, 5000)] {
            let file = Self.file(number, byteCount: count)
            try store.insert(file, as: Self.name(number), at: Self.now)
            expectEqual(store.pictureInMemory(try Self.name(number), at: Self.now), file)
        }
    }

    @Test func missingDamagedAndLargePicturesAreNotReadAtOnce() throws {
        let folder = Folder()
        let store = ArtworkStore(folder: folder.path, capacity: 4 << 20)
        expectEqual(store.pictureInMemory(try Self.name(1), at: Self.now), nil)
        // A longer file that begins with the picture, and a shorter one, are damaged. Only the other method removes them.
        for bytes in [Self.file(1) + [0], Array(Self.file(1).dropLast()), []] {
            try store.insert(Self.file(1), as: Self.name(1), at: Self.now)
            let path = try #require(folder.files.first { $0.size == 100 }?.path)
            try Data(bytes).write(to: URL(filePath: path))
            expectEqual(store.pictureInMemory(try Self.name(1), at: Self.now), nil)
            #expect(FileStatus.exists(path))
            expectEqual(try store.picture(Self.name(1), at: Self.now), nil)
            #expect(!FileStatus.exists(path))
        }
        // Large files are read in another thread.
        try store.insert(Self.file(4, byteCount: 300 << 10), as: Self.name(4), at: Self.now)
        expectEqual(store.pictureInMemory(try Self.name(4), at: Self.now), nil)
        expectEqual(try store.picture(Self.name(4), at: Self.now), Self.file(4, byteCount: 300 << 10))
    }

    @Test func pictureThatCannotBeReadIsKept() throws {
        let folder = Folder()
        let store = ArtworkStore(folder: folder.path, capacity: 1 << 20)
        try store.insert(Self.file(1), as: Self.name(1), at: Self.now)
        let path = try #require(folder.files.first).path
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        // The first page of a process is not mapped, so that reading it fails.
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/proc/self/mem")
        #expect(throws: SystemFault(number: EIO)) { try store.picture(Self.name(1), at: Self.now) }
        expectEqual(store.usage.count, 1)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        expectEqual(try store.picture(Self.name(1), at: Self.now), Self.file(1))
    }

    @Test func leftoversAreDeletedAndOtherFilesIgnored() throws {
        let folder = Folder()
        let store = ArtworkStore(folder: folder.path, capacity: 1 << 20)
        try store.insert(Self.file(1), as: Self.name(1), at: Self.now)
        let shard = URL(filePath: try #require(folder.files.first).path).deletingLastPathComponent()
        for name in [".epg-aaaaaa", ".epg-bbbbbb", "README", "0.128.1-1.webp"] {
            try Data([1]).write(to: shard.appending(path: name))
        }
        let old = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -4000)]
        try FileManager.default.setAttributes(old, ofItemAtPath: shard.appending(path: ".epg-aaaaaa").path)
        expectEqual(ArtworkStore(folder: folder.path, capacity: 1 << 20).usage.count, 1)
        expectEqual(folder.files.count, 4)
    }
}
