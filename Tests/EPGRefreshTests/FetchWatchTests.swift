import Synchronization
import Testing

@testable import EPGRefresh

@Suite struct FetchWatchTests {
    /// Keeps what it hears, and cancels once it has heard so much.
    private final class Listener: Sendable {
        let heard = Mutex<[FetchProgress]>([])
        let cancelsAfter: Int64

        init(cancelsAfter: Int64 = .max) { self.cancelsAfter = cancelsAfter }

        var watch: FetchWatch {
            FetchWatch(
                progress: { [self] step in heard.withLock { $0.append(step) } },
                isCancelled: { [self] in heard.withLock { $0.last?.byteCount ?? 0 } >= cancelsAfter })
        }
    }

    @Test func progressCountsWhatAnEarlierAttemptBrought() throws {
        let server = try RangeServer(RangeServer.Manner())
        defer { server.server.stop() }
        let listener = Listener()
        let request = FetchRequest(location: .address(server.server.address()))
        _ = try CurlFetcher(.test(attempts: 2)).fetch(request, watch: listener.watch)
        let size = Int64(RangeServer.guide.utf8.count)
        let heard = listener.heard.withLock { $0 }
        #expect(heard.contains(FetchProgress(byteCount: 300, total: size)))
        #expect(heard.last == FetchProgress(byteCount: size, total: size))
        #expect(heard.map(\.byteCount) == heard.map(\.byteCount).sorted())
    }

    @Test func transferEndsWhereItIsCancelled() throws {
        let server = try LoopbackServer(replies: [
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<tv>", stalls: true)
        ])
        defer { server.stop() }
        let request = FetchRequest(location: .address(server.address()))
        let error = #expect(throws: FetchError.self) {
            try CurlFetcher(.test(attempts: 4)).fetch(request, watch: Listener(cancelsAfter: 4).watch)
        }
        #expect(error?.reason == .cancelled)
        #expect(error?.attempts == 1)
    }

    @Test func waitEndsWhereItIsCancelled() throws {
        let server = try LoopbackServer(replies: [.status("503 Busy", headers: ["Retry-After: 299"])])
        defer { server.stop() }
        var settings = CurlSettings.test(attempts: 4)
        settings.clock = .system
        let asked = Mutex(0)
        // Once before the request and at least once within it; then in the wait.
        let watch = FetchWatch(isCancelled: {
            asked.withLock { $0 += 1 }
            return !server.requests.isEmpty && asked.withLock { $0 } > 20
        })
        let error = #expect(throws: FetchError.self) {
            try CurlFetcher(settings).fetch(FetchRequest(location: .address(server.address())), watch: watch)
        }
        #expect(error?.reason == .cancelled)
        #expect(server.requests.count == 1)
    }

    @Test func commandEndsWhereItIsCancelled() throws {
        let listener = Listener(cancelsAfter: 5)
        let error = #expect(throws: FetchError.self) {
            try CommandFetcher().fetch(["/bin/sh", "-c", "echo '<tv>'; sleep 60"], watch: listener.watch)
        }
        #expect(error?.reason == .cancelled)
        #expect(listener.heard.withLock { $0 } == [FetchProgress(byteCount: 5, total: nil)])
    }
}
