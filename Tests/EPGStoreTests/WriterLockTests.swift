import EPGModel
import EPGStore
import Foundation
import Synchronization
import Testing

/// Only one writes at a time; everything else reads, also while one writes.
@Suite struct WriterLockTests {
    @Test func aSecondWriterIsRefusedAtOnce() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        let first = try scratch.store
        let took = ContinuousClock().measure {
            #expect(throws: StoreError.busy(path: scratch.path)) { try GuideStore(writingTo: scratch.path) }
        }
        #expect(took < .seconds(1))
        #expect(StoreError.busy(path: scratch.path).description.contains("--wait"))
        try first.close()
    }

    /// SQLite's log is beside the file that a link leads to.
    @Test func writersByASymbolicLinkAndByTheFileItselfExcludeEachOther() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        try scratch.store.refreshSearchIndex()
        let links = [scratch.path + "-link", scratch.path + "-second"]
        try #require(symlink(URL(filePath: scratch.path).lastPathComponent, links[0]) == 0)
        try #require(symlink(links[0], links[1]) == 0)
        for link in links {
            #expect(throws: StoreError.busy(path: link)) { try GuideStore(writingTo: link) }
            #expect(try GuideStore(readingFrom: link).check().isSearchComplete)
        }
        try scratch.close()
        try GuideStore(writingTo: links[1]).close()
        let names = try FileManager.default.contentsOfDirectory(
            atPath: URL(filePath: scratch.path).deletingLastPathComponent().path)
        #expect(!names.contains { $0.hasSuffix("-link.lock") || $0.hasSuffix("-second.lock") }, "\(names)")
    }

    @Test func aSecondWriterThatWaitsGetsItsTurn() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        _ = try scratch.store
        let hasTurn = Mutex(false)
        let path = scratch.path
        let done = DispatchSemaphore(value: 0)
        let failure = Mutex<String?>(nil)
        DispatchQueue.global().async {
            do {
                let second = try GuideStore(writingTo: path, waiting: .always)
                hasTurn.withLock { $0 = true }
                try second.close()
            } catch {
                failure.withLock { $0 = "\(error)" }
            }
            done.signal()
        }
        #expect(done.wait(timeout: .now() + .milliseconds(200)) == .timedOut)
        #expect(hasTurn.withLock { $0 } == false)
        try scratch.close()
        #expect(done.wait(timeout: .now() + .seconds(10)) == .success)
        #expect(hasTurn.withLock { $0 })
        #expect(failure.withLock { $0 } == nil)
    }

    @Test func closingReleasesTheLock() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        let first = try scratch.store
        try first.close()
        try withExtendedLifetime(first) {
            try GuideStore(writingTo: scratch.path).close()
        }
    }

    @Test func readersAreNeverRefused() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        let readers = try (0..<8).map { _ in try GuideStore(readingFrom: scratch.path) }
        for reader in readers { #expect(try reader.stationCount() == 1) }
    }

    @Test func aReaderSeesTheOldGuideDuringAnImportAndTheNewOneAfterIt() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 Old"])
        let reader = try GuideStore(readingFrom: scratch.path)
        let session = try scratch.store.beginImport(of: Source(name: "feed"), now: ScratchGuide.now)
        _ = try session.takeContentIndex()
        try session.setStations([
            StationRow(row: 0, station: Station(id: StationID("one"))),
            StationRow(row: 0, station: Station(id: StationID("two"))),
        ])
        func titles() throws -> [String] {
            try reader.schedule(of: StationID("one"), during: Day.allTime).airings.map(\.title)
        }
        #expect(try reader.stationCount() == 1)
        #expect(try titles() == ["Old"])
        session.cancel()
        #expect(try reader.stationCount() == 1)
        try scratch.importing(["one 20:00-21:00 New", "two 20:00-21:00 Two"])
        #expect(try reader.stationCount() == 2)
        #expect(try titles() == ["New"])
        #expect(try reader.generation() == Generation(2))
    }

    @Test func aSessionThatIsDroppedLeavesTheGuideAsItWas() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 Old"])
        let before = try GuideDump(path: scratch.path)
        do {
            let session = try scratch.store.beginImport(of: Source(name: "other"), now: ScratchGuide.now)
            try session.setStations([StationRow(row: 0, station: Station(id: StationID("two")))])
        }
        #expect(try GuideDump(path: scratch.path) == before)
        #expect(try !scratch.importing(["one 20:00-21:00 Old"]).changedGuide)
    }
}
