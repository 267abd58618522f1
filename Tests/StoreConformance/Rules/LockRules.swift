import EPGImport
import EPGModel
import Foundation
import Synchronization
import TestSupport
import Testing

extension StoreRule {
    /// One writer and one refresh run at a time. Others can wait for their turn.
    static let locks: [StoreRule] = [
        StoreRule("A second writer that does not wait is rejected immediately") { guide in
            let other = try guide.reopenedStore()
            try guide.storage.write(waiting: .forOthers) { _ in
                let took = ContinuousClock().measure {
                    #expect(throws: StoreError.busy(path: other.location)) {
                        try other.write(waiting: .never) { _ in Issue.record("two writers at once") }
                    }
                    // Not waiting is the default.
                    #expect(throws: StoreError.busy(path: other.location)) {
                        try other.write { _ in Issue.record("two writers at once") }
                    }
                }
                #expect(took < .seconds(1))
            }
            // The first writer has finished.
            try other.write(waiting: .forOthers) { try $0.save(Source(name: "feed")) }
            try expectEqual(guide.sourceRecords().map(\.source.name), ["feed"])
        },
        StoreRule("A second writer that waits gets its turn") { guide in
            try guide.importing(["one 20:00-21:00 A"])
            let other = try guide.reopenedStore()
            let second = try guide.storage.write(waiting: .forOthers) { writer in
                let second = BackgroundWork { try other.write(waiting: .always) { try $0.generation() } }
                expectEqual(second.keepsRunning(for: .milliseconds(200)), true)
                try writer.importing(text: Day.guide(["one 20:00-21:00 B"]))
                return second
            }
            // It sees the commit of the first writer.
            try expectEqual(second.value(), Generation(2))
        },
        StoreRule("A waiting writer gives up when its condition is met") { guide in
            let other = try guide.reopenedStore()
            let checks = Mutex(0)
            let wait = LockWait.until {
                checks.withLock { checks in
                    checks += 1
                    return checks == 3
                }
            }
            try guide.storage.write(waiting: .forOthers) { _ -> Void in
                #expect(throws: StoreError.busy(path: other.location)) { try other.write(waiting: wait) { _ in } }
            }
            expectEqual(checks.withLock { $0 }, 3)
        },
        StoreRule("Migrations and restores wait for writers") { guide in
            let folder = try TemporaryFolder()
            let copy = folder.path(of: "copy")
            _ = try guide.storage.backUp(to: copy, target: .new)
            let other = try guide.reopenedStore()
            try guide.storage.write(waiting: .forOthers) { _ in
                #expect(throws: StoreError.busy(path: other.location)) { try other.migrate(waiting: .never) }
                #expect(throws: StoreError.busy(path: other.location)) {
                    try other.restore(from: copy, now: Day.now, waiting: .never)
                }
            }
            try guide.storage.withRefreshLock(waiting: .forOthers) { () -> Void in
                #expect(throws: StoreError.refreshing(path: other.location)) {
                    try other.restore(from: copy, now: Day.now, waiting: .never)
                }
            }
            _ = try other.migrate(waiting: .forOthers)
            _ = try other.restore(from: copy, now: Day.now, waiting: .forOthers)
        },
        StoreRule("A second refresh that does not wait is rejected immediately") { guide in
            let other = try guide.reopenedStore()
            try guide.storage.withRefreshLock(waiting: .forOthers) {
                let took = ContinuousClock().measure {
                    #expect(throws: StoreError.refreshing(path: other.location)) {
                        try other.withRefreshLock(waiting: .never) { Issue.record("two refreshes at once") }
                    }
                }
                #expect(took < .seconds(1))
            }
            // The first refresh has ended, so the next one runs.
            try other.withRefreshLock(waiting: .forOthers) {}
        },
        StoreRule("A second refresh that waits gets its turn") { guide in
            let other = try guide.reopenedStore()
            let second = try guide.storage.withRefreshLock(waiting: .forOthers) {
                let second = BackgroundWork { try other.withRefreshLock(waiting: .always) { 7 } }
                expectEqual(second.keepsRunning(for: .milliseconds(200)), true)
                return second
            }
            try expectEqual(second.value(), 7)
        },
        StoreRule("A waiting refresh gives up when its condition is met") { guide in
            let other = try guide.reopenedStore()
            let checks = Mutex(0)
            let wait = LockWait.until {
                checks.withLock { checks in
                    checks += 1
                    return checks == 3
                }
            }
            try guide.storage.withRefreshLock(waiting: .forOthers) { () -> Void in
                #expect(throws: StoreError.refreshing(path: other.location)) {
                    try other.withRefreshLock(waiting: wait) {}
                }
            }
            expectEqual(checks.withLock { $0 }, 3)
        },
        StoreRule("Other processes can write during a refresh") { guide in
            try guide.importing(["one 20:00-21:00 A"])
            try guide.reopenedStore().withRefreshLock(waiting: .forOthers) { () -> Void in
                try guide.importing(["one 20:00-21:00 B"])
            }
            try expectEqual(guide.generation(), Generation(2))
        },
        StoreRule("A refresh that does not wait is rejected while another process writes") { guide in
            let other = try guide.reopenedStore()
            try guide.storage.write(waiting: .forOthers) { _ in
                #expect(throws: StoreError.busy(path: other.location)) { try other.withRefreshLock(waiting: .never) {} }
                // A waiting refresh starts, because it writes later.
                try other.withRefreshLock(waiting: .always) {}
            }
        },
        StoreRule("A failed refresh does not block the next one") { guide in
            struct TestError: Error {}
            #expect(throws: TestError.self) {
                try guide.storage.withRefreshLock(waiting: .forOthers) { throw TestError() }
            }
            try guide.reopenedStore().withRefreshLock(waiting: .forOthers) {}
        },
    ]

    /// Readers and a writer at the same time.
    static let concurrency: [StoreRule] = [
        StoreRule("A reader sees the old guide during an import and the new one after it") { guide in
            try guide.importing(["one 20:00-21:00 Old"])
            let reader = try guide.reopenedStore()
            func expectOld() throws {
                try reader.read { (guide) throws in
                    try expectEqual(guide.stationCount(), 1)
                    try expectEqual(guide.lines(), ["20:00-21:00 Old"])
                    try expectEqual(guide.generation(), Generation(1))
                }
            }
            try guide.withSession { session in
                try session.addSample()
                try expectOld()
                session.cancel()
            }
            try expectOld()
            try guide.withSession { session in
                try session.addSample()
                try expectOld()
                _ = try session.commit(ImportReport(), state: nil)
            }
            try reader.read { (guide) throws in
                try expectEqual(
                    guide.stations(inRows: 0..<9).map(\.station.id), [StationID("one"), StationID("two")])
                try expectEqual(guide.lines(), ["20:00-21:00 Old"])
                try expectEqual(guide.lines(of: "two"), ["20:00-21:00 Sample"])
                try expectEqual(guide.generation(), Generation(2))
            }
        },
        StoreRule("A read that starts during the first import sees an empty guide even after the commit") { guide in
            let reader = try guide.reopenedStore()
            try guide.withSession { session in
                try session.addSample()
                try reader.read { guide in
                    try expectEqual(guide.stationCount(), 0)
                    try expectEqual(guide.generation(), Generation(0))
                    _ = try session.commit(ImportReport(), state: nil)
                    try expectEqual(guide.generation(), Generation(0))
                    try expectEqual(guide.lines(of: "two"), [])
                }
            }
            try expectEqual(reader.read { try $0.lines(of: "two") }, ["20:00-21:00 Sample"])
        },
        StoreRule("Eight threads read consistent generations while one thread writes") { guide in
            func edition(_ round: Int) -> [String] { ["one", "two"].map { "\($0) 20:00-21:00 Round\(round)" } }
            try guide.importSearchable(edition(0))
            let store = try guide.reopenedStore()
            let readers = (0..<8).map { _ in
                BackgroundWork {
                    var wrong: [String] = []
                    for _ in 0..<150 {
                        wrong += try store.read(within: .seconds(60)) { guide in
                            let first = try guide.generation()
                            let titles = try guide.schedules(inRows: 0..<100, during: Day.allTime)
                                .flatMap { $0.schedule.airings.map(\.title) }
                            let isConsistent = titles.count == 2 && Set(titles).count == 1
                            return try isConsistent && guide.version().generation == first
                                ? [] : ["\(titles) at \(first)"]
                        }
                    }
                    return wrong
                }
            }
            for round in 1...10 { try guide.importSearchable(edition(round)) }
            for reader in readers { try expectEqual(reader.value(), []) }
            try expectEqual(guide.lines(), ["20:00-21:00 Round10"])
        },
        StoreRule("A guide is readable while another process writes and refreshes") { guide in
            try guide.importing(["one 20:00-21:00 A"])
            let other = try guide.reopenedStore()
            try guide.storage.withRefreshLock(waiting: .forOthers) {
                try guide.storage.write(waiting: .forOthers) { _ throws in
                    try expectEqual(other.read(within: .seconds(20)) { try $0.lines() }, ["20:00-21:00 A"])
                    try expectEqual(other.check().airings, 1)
                }
            }
        },
    ]
}
