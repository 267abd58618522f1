import EPGCalendar
import EPGModel
import Logging
import NIOPosix
import ServiceLifecycle
import Synchronization

/// A service that tracks the current version of the guide and announces new ones.
///
/// It reads the version from the store a few times a second, so that requests need not, and the state of its server less often.
package final class GuideVersionMonitor: Service {
    private struct State {
        var version: GuideVersion
        var zone: Zone
        var server: DatabaseServer?
        /// The version for which the search index was updated last.
        var searchedVersion: GuideVersion?
        var subscribers: [Int: AsyncStream<GuideVersion>.Continuation] = [:]
        var nextSubscriber = 0
    }

    private let guide: any GuideStorage
    private let currentZone: @Sendable () -> Zone
    private let settingsChanged: @Sendable () -> Bool
    private let interval: Duration
    private let logger: Logger
    private let state: Mutex<State>
    /// Threads of its own, because the state of the server and the search index may take long.
    private let slowThreads = NIOThreadPool(numberOfThreads: 2)
    private static let serverInterval = Duration.seconds(2)
    private let counter = Atomic<UInt64>(0)
    /// The error of the last read. Held during reads, so that concurrent reads cannot publish an older version last.
    private let lastFailure = Mutex<String?>(nil)

    /// - Parameters:
    ///   - zone: Returns the current time zone of the service.
    ///   - settingsChanged: Called when settings in the database have changed; returns whether they took effect.
    /// - Throws: An error of the store.
    convenience init(
        _ guide: any GuideStorage, zone: @escaping @Sendable () -> Zone,
        settingsChanged: @escaping @Sendable () -> Bool = { true }, interval: Duration = .milliseconds(250),
        logger: Logger
    ) throws {
        // Not in the designated initializer: the optimizer of Swift 6.3 crashes if an initializer throws after setting atomics.
        self.init(
            guide, at: try guide.read(within: nil) { try $0.version() }, zone: zone, settingsChanged: settingsChanged,
            interval: interval, logger: logger)
    }

    private init(
        _ guide: any GuideStorage, at version: GuideVersion, zone: @escaping @Sendable () -> Zone,
        settingsChanged: @escaping @Sendable () -> Bool, interval: Duration, logger: Logger
    ) {
        self.guide = guide
        currentZone = zone
        self.settingsChanged = settingsChanged
        self.interval = interval
        self.logger = logger
        state = Mutex(State(version: version, zone: zone()))
    }

    /// The version of the last read.
    var version: GuideVersion { state.withLock { $0.version } }

    /// The time zone of the service. ``epoch`` increases when it changes.
    var zone: Zone { state.withLock { $0.zone } }

    /// The server that reads used last; `nil` for a guide in a file.
    var server: DatabaseServer? { state.withLock { $0.server } }

    /// A counter that increases with each new version and time zone; cheaper to compare.
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
        slowThreads.start()
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
                        while try await self.slowThreads.runIfActive({ self.refreshServer() }) {
                            try await Task.sleep(for: GuideVersionMonitor.serverInterval)
                        }
                    }
                    tasks.addTask {
                        while true {
                            try await self.slowThreads.runIfActive { self.prepareSearches() }
                            try await Task.sleep(for: GuideVersionMonitor.serverInterval)
                        }
                    }
                    tasks.addTask {
                        var known = try await self.slowThreads.runIfActive { self.storedSettings() }
                        while true {
                            try await Task.sleep(for: GuideVersionMonitor.serverInterval)
                            let stored = try await self.slowThreads.runIfActive { self.storedSettings() }
                            guard let stored, stored != known else { continue }
                            if try await self.slowThreads.runIfActive(self.settingsChanged) { known = stored }
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
        try await slowThreads.shutdownGracefully()
    }

    /// Reads the version from the store, and announces it if it is new. Blocks the thread for up to a second.
    package func refresh() {
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
            state.withLock { $0.server = nil }
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
        return true
    }

    /// Updates the search index once for each version. Blocks the thread for as long as that takes.
    private func prepareSearches() {
        let version = version
        guard state.withLock({ $0.searchedVersion }) != version else { return }
        do {
            try guide.prepareSearches()
            state.withLock { $0.searchedVersion = version }
        } catch {
            logger.warning("the search index is not updated", metadata: ["reason": "\(error)"])
        }
    }

    /// Returns the settings in the database; `nil` if they cannot be read now.
    private func storedSettings() -> [String: [String]]? {
        try? guide.read(within: .seconds(1)) { try $0.storedSettings() }
    }

    private func announce(_ version: GuideVersion) {
        let zone = currentZone()
        let subscribers = state.withLock { state -> [AsyncStream<GuideVersion>.Continuation] in
            let isNew = version != state.version
            guard isNew || zone != state.zone else { return [] }
            (state.version, state.zone) = (version, zone)
            counter.add(1, ordering: .releasing)
            return isNew ? Array(state.subscribers.values) : []
        }
        for subscriber in subscribers { subscriber.yield(version) }
    }
}
