import EPGImport
import EPGModel
import Foundation
import Synchronization
import TestSupport
import Testing

extension StoreRule {
    /// A backup is a consistent copy of one generation. A restore replaces the guide with it and starts a new generation.
    static let backups: [StoreRule] = [
        StoreRule("A backup contains all data of the guide") { guide in
            let folder = try TemporaryFolder()
            try guide.importSearchable(
                (0..<200).map { "s\($0 % 5) \($0 / 5):00-\($0 / 5):50 T\($0): Words and words." })
            try guide.importing(
                ["s1 20:00-22:00 Better", "other 20:00-21:00 O"], as: Source(name: "best", priority: 2))
            _ = try guide.saveLineup(Lineup("cable", ["s1 1", "x 2"]))
            try guide.setMapping("x", to: StationID("s4"))
            for favorite in ["s4", "later", "s1"] { try guide.setFavorite(favorite, to: .max) }
            var state = SourceState()
            (state.entityTag, state.failures) = ("tag", 2)
            try guide.saveState(state, ofSource: "feed")
            let check = try guide.storage.backUp(to: folder.path(of: "copy"), target: .new)
            expectEqual(check.problems, [])
            expectEqual((check.airings, check.stations, check.generation), (202, 6, try guide.generation()))
            let copy = try guide.vacantStore()
            let report = try copy.restore(from: folder.path(of: "copy"), now: Day.now, waiting: .forOthers)
            expectEqual(report.replaced, .nothing)
            expectEqual((report.restored.airings, report.restored.stations), (202, 6))
            try expectEqual(copy.read { try GuideListings($0) }, guide.listings())
            try expectEqual(
                copy.read { try $0.contents(inRows: 0..<100, during: Day.allTime) },
                guide.contents(inRows: 0..<100, during: Day.allTime))
            try expectEqual(copy.read { try $0.sourceRecords() }, guide.sourceRecords())
            try expectEqual(copy.read { try $0.lineups() }, ["cable"])
            try expectEqual(copy.read { try $0.favorites() }, ["s4", "later", "s1"].map(StationID.init))
            try expectEqual(copy.check().isIntact, true)
            try expectEqual(folder.names(), ["copy"])
        },
        StoreRule("A backup of an empty guide can be restored") { guide in
            let folder = try TemporaryFolder()
            _ = try guide.storage.backUp(to: folder.path(of: "copy"), target: .new)
            try guide.importSearchable(["one 20:00-21:00 A"])
            let before = try guide.version()
            let report = try guide.storage.restore(from: folder.path(of: "copy"), now: Day.now, waiting: .forOthers)
            expectEqual((report.restored.stations, report.restored.airings), (0, 0))
            #expect(try guide.version().generation > before.generation)
            try expectEqual(guide.stationCount(), 0)
            try expectEqual(guide.check().isIntact, true)
        },
        StoreRule("A backup leaves the guide unchanged") { guide in
            let folder = try TemporaryFolder()
            try guide.importSearchable(["one 20:00-21:00 A"])
            let before = try guide.snapshot()
            _ = try guide.storage.backUp(to: folder.path(of: "copy"), target: .new)
            try expectEqual(guide.snapshot(), before)
        },
        StoreRule("A backup replaces a file only on request") { guide in
            let folder = try TemporaryFolder()
            let file = URL(filePath: folder.path(of: "copy"))
            try guide.importing(["one 20:00-21:00 A"])
            try Data("mine".utf8).write(to: file)
            #expect(throws: BackupError.exists(path: file.path)) {
                try guide.storage.backUp(to: file.path, target: .new)
            }
            try expectEqual(Data(contentsOf: file), Data("mine".utf8))
            _ = try guide.storage.backUp(to: file.path, target: .replaced)
            let copy = try guide.vacantStore()
            _ = try copy.restore(from: file.path, now: Day.now, waiting: .forOthers)
            try expectEqual(copy.read { try $0.stationCount() }, 1)
        },
        StoreRule("Only the owner can read a backup file") { guide in
            let folder = try TemporaryFolder()
            _ = try guide.storage.backUp(to: folder.path(of: "copy"), target: .new)
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path(of: "copy"))[.posixPermissions]
            expectEqual(mode as? Int, 0o600)
        },
        StoreRule("A backup into a missing folder is an error") { guide in
            #expect {
                try guide.storage.backUp(to: "/no such folder/copy", target: .new)
            } throws: { error in
                if case BackupError.cannotWrite(let path, _) = error { path == "/no such folder/copy" } else { false }
            }
        },
        StoreRule("A backup during imports contains exactly one edition") { guide in
            let folder = try TemporaryFolder()
            let (count, rounds) = TestScope.current > .contribution ? (300, 12) : (120, 5)
            let editions = ["A", "B"].map { letter in
                (0..<count).map { "s\($0 % 6) \($0 / 6):00-\($0 / 6):30 \(letter)\($0)" }
            }
            try guide.importing(editions[0])
            let running = Flag()
            let writer = BackgroundWork {
                var round = 1
                while running.isSet {
                    try guide.importing(editions[round % 2])
                    round += 1
                }
            }
            let store = try guide.reopenedStore()
            let copy = try guide.vacantStore()
            var seen: Set<Generation> = []
            let deadline = ContinuousClock.now.advanced(by: .seconds(60))
            var round = 0
            while round < rounds || seen.count < 2 && ContinuousClock.now < deadline {
                round += 1
                let path = folder.path(of: "copy\(round)")
                seen.insert(try store.backUp(to: path, target: .new).generation)
                _ = try copy.restore(from: path, now: Day.now, waiting: .forOthers)
                let titles = try copy.read { guide in
                    try guide.schedules(inRows: 0..<6, during: Day.allTime).flatMap { $0.schedule.airings.map(\.title) }
                }
                expectEqual(titles.count, count)
                expectEqual(Set(titles.map { $0.prefix(1) }).count, 1)
            }
            running.clear()
            try writer.value()
            #expect(seen.count > 1)
        },
        StoreRule("A restored guide contains the backup and is searchable") { guide in
            let (folder, copy) = try guide.backedUp()
            let bytes = try Data(contentsOf: URL(filePath: copy))
            let report = try guide.storage.restore(from: copy, now: Day.now, waiting: .forOthers)
            expectEqual((report.restored.stations, report.restored.airings), (4, 40))
            guard case .guide(let replaced) = report.replaced else {
                Issue.record("\(report.replaced)")
                return
            }
            expectEqual((replaced.stations, replaced.airings), (6, 60))
            try expectEqual(guide.titles, oldTitles)
            try expectEqual(guide.found("old7"), ["Old7"])
            try expectEqual(guide.found("new7"), [])
            let check = try guide.check()
            expectEqual((check.isIntact, check.isSearchComplete), (true, true), "\(check.problems)")
            try expectEqual(Data(contentsOf: URL(filePath: copy)), bytes)
            try expectEqual(folder.names(), ["copy"])
        },
        StoreRule("A restored guide is a new generation with a new nonce") { guide in
            let (folder, copy) = try guide.backedUp()
            var versions = [try guide.version()]
            let restored = Day.now.advanced(by: 3600)
            for _ in 0..<3 {
                _ = try guide.storage.restore(from: copy, now: restored, waiting: .forOthers)
                versions.append(try guide.version())
            }
            expectEqual(Set(versions.map(\.nonce)).count, 4)
            #expect(zip(versions, versions.dropFirst()).allSatisfy { $0.generation < $1.generation })
            #expect(versions.dropFirst().allSatisfy { $0.since == restored })
            // The change log starts over.
            try expectEqual(guide.changes(since: versions[0].generation), nil)
            try expectEqual(guide.changes(since: versions[3].generation)?.stations, [])
            withExtendedLifetime(folder) {}
        },
        StoreRule("A restored guide does not reuse identifiers of the replaced guide") { guide in
            let (folder, copy) = try guide.backedUp()
            let used = try Set((0..<6).flatMap { try guide.airings(of: "s\($0)").map(\.id) })
            _ = try guide.storage.restore(from: copy, now: Day.now, waiting: .forOthers)
            try guide.importing(["extra 20:00-21:00 Extra"], as: Source(name: "other"))
            let extra = try #require(try guide.identifier(of: "Extra", on: "extra"))
            #expect(!used.contains(extra))
            withExtendedLifetime(folder) {}
        },
        StoreRule("An import after a restore recognizes unchanged contents") { guide in
            let (folder, copy) = try guide.backedUp()
            _ = try guide.storage.restore(from: copy, now: Day.now, waiting: .forOthers)
            try expectEqual(guide.importing(old).airings, AiringDifference())
            try expectEqual(guide.titles, oldTitles)
            withExtendedLifetime(folder) {}
        },
        StoreRule("A restore rejects invalid backups and leaves the guide unchanged") { guide in
            let (folder, copy) = try guide.backedUp()
            let before = try guide.snapshot()
            let bad = folder.path(of: "bad")
            #expect(throws: RestoreError.notFound(path: bad)) {
                try guide.storage.restore(from: bad, now: Day.now, waiting: .forOthers)
            }
            let bytes = try Data(contentsOf: URL(filePath: copy))
            for content in [Data(), Data("no guide".utf8), bytes.prefix(bytes.count / 2), bytes.prefix(100)] {
                try content.write(to: URL(filePath: bad))
                #expect {
                    try guide.storage.restore(from: bad, now: Day.now, waiting: .forOthers)
                } throws: { error in
                    if case RestoreError.badBackup(bad, _) = error { true } else { false }
                }
                try expectEqual(guide.snapshot(), before)
            }
        },
        StoreRule("Readers see either the old guide or the restored guide") { guide in
            let (folder, first) = try guide.backedUp()
            let second = folder.path(of: "second")
            _ = try guide.storage.backUp(to: second, target: .new)
            let store = try guide.reopenedStore()
            let running = Flag()
            let readers = (0..<4).map { _ in
                BackgroundWork {
                    var (wrong, reads) = ([String](), 0)
                    while running.isSet || reads == 0 {
                        wrong += try store.read(within: .seconds(60)) { guide in
                            let version = try guide.version()
                            let titles = Set(
                                try guide.schedules(inRows: 0..<10, during: Day.allTime)
                                    .flatMap { $0.schedule.airings.map(\.title) })
                            let isConsistent =
                                try (titles == oldTitles || titles == newTitles) && guide.version() == version
                            return isConsistent ? [] : ["a mixture of \(titles.count) titles"]
                        }
                        reads += 1
                    }
                    return wrong
                }
            }
            for round in 0..<(TestScope.current > .contribution ? 12 : 4) {
                _ = try guide.storage.restore(
                    from: round % 2 == 0 ? first : second, now: Day.now, waiting: .forOthers)
            }
            running.clear()
            for reader in readers { try expectEqual(reader.value(), []) }
            try expectEqual(guide.titles, newTitles)
            try expectEqual(store.read { try $0.generation() }, guide.generation())
        },
    ]
}

private let old = (0..<40).map { "s\($0 % 4) \($0 / 4 + 1):00-\($0 / 4 + 1):50 Old\($0)" }
private let new = (0..<60).map { "s\($0 % 6) \($0 / 6 + 1):00-\($0 / 6 + 1):50 New\($0)" }
private let oldTitles = Set((0..<40).map { "Old\($0)" })
private let newTitles = Set((0..<60).map { "New\($0)" })

extension GuideUnderTest {
    /// Imports two editions and backs up the first one.
    fileprivate func backedUp() throws -> (folder: TemporaryFolder, copy: String) {
        let folder = try TemporaryFolder()
        try importSearchable(old)
        _ = try storage.backUp(to: folder.path(of: "copy"), target: .new)
        try importSearchable(new)
        return (folder, folder.path(of: "copy"))
    }

    /// The titles of all airings.
    fileprivate var titles: Set<String> {
        get throws {
            Set(try schedules(inRows: 0..<10, during: Day.allTime).flatMap { $0.schedule.airings.map(\.title) })
        }
    }

    fileprivate func found(_ words: String) throws -> [String] {
        try search(SearchQuery(words: words, now: Day.instant("00:00"))).matches.map(\.airing.title)
    }
}

/// A flag that is set until a thread clears it.
private final class Flag: Sendable {
    private let value = Atomic(true)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func clear() { value.store(false, ordering: .relaxed) }
}
