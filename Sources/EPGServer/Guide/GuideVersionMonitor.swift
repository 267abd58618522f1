import EPGModel
import Logging
import NIOPosix
import ServiceLifecycle
import Synchronization

/// A service that tracks the current version of the guide and announces new ones.
///
/// It reads the version from the store a few times a second, so that requests need not, and the state of its server less often.
final class GuideVersionMonitor: Service {
    private struct State {
        var version: GuideVersion
        var server: DatabaseServer?
        /// The version for which the search index was updated last.
        var searchedVersion: GuideVersion?
        var subscribers: [Int: AsyncStream<GuideVersion>.Continuation] = [:]
        var nextSubscriber = 0
    }

    private let guide: any GuideStorage
    private let interval: Duration
    private let logger: Logger
    private let state: Mutex<State>
    /// A thread of its own, because the state of the server may take seconds to read.
    private let serverThread = NIOThreadPool(numberOfThreads: 1)
    private static let serverInterval = Duration.seconds(2)
    private let counter = Atomic<UInt64>(0)
    /// The error of the last read. Held during reads, so that concurrent reads cannot publish an older version last.
    private let lastFailure = Mutex<String?>(nil)

    /// - Throws: An error of the store.
    convenience init(_ guide: any GuideStorage, interval: Duration = .milliseconds(250), logger: Logger) throws {
        // Not in the designated initializer: the optimizer of Swift 6.3 crashes if an initializer throws after setting atomics.
        self.init(guide, at: try guide.read(within: nil) { try $0.version() }, interval: interval, logger: logger)
    }

    private init(_ guide: any GuideStorage, at version: GuideVersion, interval: Duration, logger: Logger) {
        self.guide = guide
        self.interval = interval
        self.logger = logger
        state = Mutex(State(version: version))
    }

    /// The version of the last read.
    var version: GuideVersion { state.withLock { $0.version } }

    /// The server that reads used last; `nil` for a guide in a file.
    var server: DatabaseServer? { state.withLock { $0.server } }

    /// A counter that increases with each new version; cheaper to compare than ``version``.
    var epoch: UInt64 { counter.load(ordering: .acquiring) }

    /// The number of unfinished streams of ``versions()``.
    var subscriberCount: Int { state.withLock { $0.subscribers.count } }

    /// Returns a stream of future versions, which buffers only the newest one.
    func versions() -> AsyncStream<GuideVersion> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: GuideVersion.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.nextSubscriber += 1
            state.subscribers[state.nextSubscriber] = continuation
            return state.nextSubscriber
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.subscribers.removeValue(forKey: number) }
        }
        return stream
    }

    func run() async throws {
        serverThread.start()
        do {
            try await cancelWhenGracefulShutdown {
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    tasks.addTask {
                        while true {
                            try await Task.sleep(for: self.interval)
                            try await NIOThreadPool.singleton.runIfActive { self.refresh() }
                        }
                    }
                    tasks.addTask {
                        while try await self.serverThread.runIfActive({ self.refreshServer() }) {
                            try await Task.sleep(for: GuideVersionMonitor.serverInterval)
                        }
                    }
                    try await tasks.waitForAll()
                }
            }
        } catch is CancellationError {
            // The service is shutting down.
        }
        let subscribers = state.withLock { Array($0.subscribers.values) }
        for subscriber in subscribers { subscriber.finish() }
        try await serverThread.shutdownGracefully()
    }

    /// Reads the version from the store, and announces it if it is new. Blocks the thread for up to a second.
    func refresh() {
        lastFailure.withLock { lastFailure in
            do {
                announce(try guide.read(within: .seconds(1)) { try $0.version() })
                if lastFailure != nil { logger.notice("guide is available again") }
                lastFailure = nil
            } catch {
                // Log a persistent failure once.
                let reason = "\(error)"
                if lastFailure != reason { logger.warning("guide is unavailable", metadata: ["reason": "\(reason)"]) }
                lastFailure = reason
            }
        }
    }

    /// Reads the state of the server. Returns `false` if the guide has none. Blocks the thread for up to some seconds.
    private func refreshServer() -> Bool {
        let server: DatabaseServer?
        do {
            server = try guide.server()
        } catch {
            // `refresh()` logs the reason.
            return true
        }
        let former = state.withLock { state in
            defer { state.server = server }
            return state.server
        }
        guard let server else { return false }
        if former?.host != server.host || former?.role != server.role {
            logger.notice("the guide is read from a \(server.role)", metadata: ["host": "\(server.host)"])
        }
        prepareSearches()
        return true
    }

    /// Updates the search index once for each version.
    private func prepareSearches() {
        let isPrepared = state.withLock { state in
            defer { state.searchedVersion = state.version }
            return state.searchedVersion == state.version
        }
        guard !isPrepared else { return }
        do {
            try guide.prepareSearches()
        } catch {
            logger.warning("the search index is not updated", metadata: ["reason": "\(error)"])
        }
    }

    private func announce(_ version: GuideVersion) {
        let subscribers = state.withLock { state -> [AsyncStream<GuideVersion>.Continuation] in
            guard version != state.version else { return [] }
            state.version = version
            counter.add(1, ordering: .releasing)
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.yield(version) }
    }
}
