import EPGModel
import EPGStore
import Foundation
import Synchronization
import Testing

/// Two refreshes never run at once, and none keeps others from writing while it waits for a server.
@Suite struct RefreshLockTests {
    @Test func secondRefreshIsRefusedAtOnce() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        try scratch.close()
        let guide = GuideDatabase(path: scratch.path)
        try guide.refreshing(waiting: .never) {
            let took = ContinuousClock().measure {
                #expect(throws: StoreError.refreshing(path: scratch.path)) { try guide.refreshing(waiting: .never) {} }
            }
            #expect(took < .seconds(1))
        }
        #expect(StoreError.refreshing(path: "x").description.contains("--wait"))
        // It is over, and the next one runs.
        try guide.refreshing(waiting: .never) {}
    }

    @Test func othersWriteWhileARefreshWaitsForAServer() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        try scratch.close()
        try GuideDatabase(path: scratch.path).refreshing(waiting: .never) {
            try scratch.importing(["one 20:00-21:00 B"])
            try scratch.close()
        }
        #expect(try GuideStore(readingFrom: scratch.path).generation() == Generation(2))
    }

    @Test func refreshThatDoesNotWaitIsRefusedWhereAnotherProcessWrites() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        _ = try scratch.store
        #expect(throws: StoreError.busy(path: scratch.path)) {
            try GuideDatabase(path: scratch.path).refreshing(waiting: .never) {}
        }
        try GuideDatabase(path: scratch.path).refreshing(waiting: .always) {}
    }

    @Test func refreshWaitsForItsTurnToWrite() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        _ = try scratch.store
        let path = scratch.path
        let generation = Mutex<Generation?>(nil)
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            let read = Result { try GuideDatabase(path: path).write(waiting: .always) { try $0.generation() } }
            if case .success(let read) = read { generation.withLock { $0 = read } }
            done.signal()
        }
        #expect(done.wait(timeout: .now() + .milliseconds(200)) == .timedOut)
        try scratch.importing(["one 20:00-21:00 B"])
        try scratch.close()
        #expect(done.wait(timeout: .now() + .seconds(10)) == .success)
        #expect(generation.withLock { $0 } == Generation(2))
    }

    @Test func nobodyWaitsLongerThanThereIsUseInIt() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        let looks = Mutex(0)
        let guide = GuideDatabase(path: scratch.path)
        let wait = LockWait.unless {
            looks.withLock { looks in
                looks += 1
                return looks % 3 == 0
            }
        }
        // The scratch guide's store writes.
        _ = try scratch.store
        #expect(throws: StoreError.busy(path: scratch.path)) { try guide.write(waiting: wait) { _ in } }
        #expect(looks.withLock { $0 } == 3)
        try GuideDatabase(path: scratch.path).refreshing(waiting: .always) {
            let refusal = StoreError.refreshing(path: scratch.path)
            #expect(throws: refusal) { try guide.refreshing(waiting: wait) {} }
        }
        #expect(looks.withLock { $0 } == 6)
        // It isn't even looked whether there is any where nobody else is at work.
        try scratch.close()
        try guide.write(waiting: wait) { _ in }
        try guide.refreshing(waiting: wait) {}
        #expect(looks.withLock { $0 } == 6)
    }

    @Test func whatWasCommittedStandsThoughTheRestFails() throws {
        struct Later: Error {}
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        try scratch.close()
        let guide = GuideDatabase(path: scratch.path)
        #expect(throws: Later.self) {
            try guide.write { store in
                try store.save(Source(name: "b"), now: ScratchGuide.now)
                throw Later()
            }
        }
        #expect(try guide.read { try $0.sourceRecords().map(\.source.name) } == ["b", "feed"])
        // And the lock is given back.
        try guide.refreshing(waiting: .never) {}
    }
}
