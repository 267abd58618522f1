import EPGModel
import Logging
import NIOPosix
import ServiceLifecycle
import Synchronization

/// Knows which version of the guide stands, and tells those who wait for the next one.
///
/// The store is asked a few times a second, so that a request needn't.
final class GuideWatch: Service {
    private struct State {
        var version: GuideVersion
        var subscribers: [Int: AsyncStream<GuideVersion>.Continuation] = [:]
        var nextSubscriber = 0
    }

    private let guide: any GuideStorage
    private let interval: Duration
    private let logger: Logger
    private let state: Mutex<State>
    private let counter = Atomic<UInt64>(0)
    /// Held by who asks the store: of two that ask at once, the one with the older answer would else speak last. It holds why
    /// the guide couldn't be read the last time.
    private let looking = Mutex<String?>(nil)

    /// - Throws: An error of the store.
    init(_ guide: any GuideStorage, interval: Duration = .milliseconds(250), logger: Logger) throws {
        self.guide = guide
        self.interval = interval
        self.logger = logger
        state = Mutex(State(version: try guide.read(within: nil) { try $0.version() }))
    }

    /// The version that stood when the store was last asked.
    var version: GuideVersion { state.withLock { $0.version } }

    /// A number that grows with every new version: cheaper to compare than the version itself.
    var epoch: UInt64 { counter.load(ordering: .acquiring) }

    /// How many wait for the next version.
    var subscriberCount: Int { state.withLock { $0.subscribers.count } }

    /// The versions that come from now on; of those that come while one is worked on only the last is kept.
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
        do {
            try await cancelWhenGracefulShutdown {
                while true {
                    try await Task.sleep(for: self.interval)
                    try await NIOThreadPool.singleton.runIfActive { self.look() }
                }
            }
        } catch is CancellationError {
            // The service ends.
        }
        let subscribers = state.withLock { Array($0.subscribers.values) }
        for subscriber in subscribers { subscriber.finish() }
    }

    /// Asks the store.
    func look() {
        looking.withLock { failure in
            do {
                take(try guide.read(within: .seconds(1)) { try $0.version() })
                if failure != nil { logger.notice("the guide can be read again") }
                failure = nil
            } catch {
                // It is told once, not four times a second.
                let reason = "\(error)"
                if failure != reason { logger.warning("the guide can't be read", metadata: ["reason": "\(reason)"]) }
                failure = reason
            }
        }
    }

    /// Tells the version to those who wait, where it is a new one.
    private func take(_ version: GuideVersion) {
        let subscribers = state.withLock { state -> [AsyncStream<GuideVersion>.Continuation] in
            guard version != state.version else { return [] }
            state.version = version
            counter.add(1, ordering: .releasing)
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.yield(version) }
    }
}
