import EPGFiles
import EPGHTTP
import EPGModel
import EPGPicture
import EPGRender
import Glibc
import Logging
import NIOPosix
import Synchronization

/// Where the service keeps the pictures of the guide, and how it gets them.
package struct ArtworkSettings: Sendable {
    /// Downloads the picture at a URL. Blocks; `isCancelled` is called at least once a second.
    package typealias Fetch =
        @Sendable (_ url: String, _ isCancelled: @escaping @Sendable () -> Bool) throws(ArtworkFailure) -> [UInt8]

    /// The path of the folder. The first picture creates it.
    package var folder: String
    /// The maximum size of the folder in bytes (default: 256 MiB).
    package var capacity = 256 << 20
    let fetch: Fetch

    package init(folder: String, fetch: @escaping Fetch) {
        self.folder = folder
        self.fetch = fetch
    }
}

/// The reason why a picture is missing.
package struct ArtworkFailure: Error, Hashable, Sendable {
    /// What the service does without for some time after a failure.
    package enum Scope: Hashable, Sendable {
        /// The picture, for a day.
        case picture
        /// The picture, for ten minutes: another attempt may succeed.
        case attempt
        /// The picture, for ten minutes. After some failures in a row, all pictures of the host: it is unreachable or too slow.
        case host
        /// All pictures, for ten minutes: this machine cannot store them, or lacks a library.
        case machine
    }

    let reason: String
    let scope: Scope

    package init(reason: String, scope: Scope) {
        self.reason = reason
        self.scope = scope
    }
}

/// The pictures of the guide that this service keeps, so that pages name no other server.
///
/// Equal requests share a fetch (single-flight). At most ``maximumRunning`` fetches run, at most ``maximumRunningPerHost`` of
/// them from one host, and ``maximumWaiting`` wait, at most ``maximumWaitingPerHost`` of them for one host. A picture is decoded,
/// scaled down and encoded again: browsers get no bytes of the original file. A failure is remembered, for ten minutes
/// if it may be temporary, otherwise for a day. So is a host that failed ``maximumHostFailures`` times in a row.
final class Artwork: Sendable {
    /// Counts since the start.
    struct Counts: Hashable, Sendable {
        /// Pictures read from the folder.
        var hits = 0
        /// Requests for pictures that are not in the folder.
        var misses = 0
        var fetches = 0
        var failures = 0
        /// Downloaded bytes.
        var fetchedBytes = 0
    }

    private struct Job: Sendable {
        let name: ArtworkName
        let url: String
        let host: String
    }

    /// What a request for a fetch leads to.
    enum Progress: Hashable, Sendable {
        /// The fetch waits or runs.
        case pending
        /// A recent attempt failed.
        case failed
        /// Too many others wait.
        case refused
    }

    private struct State {
        var waiting: [Job] = []
        /// The number of running fetches by host.
        var running: [String: Int] = [:]
        /// The requests that wait for each picture that is being fetched.
        var flights: [ArtworkName: [AsyncStream<Void>.Continuation]] = [:]
        /// When the failure of each picture expires.
        var failures: [ArtworkKey: Instant] = [:]
        /// The number of failures in a row of each host, and when the last one expires.
        var hosts: [String: (failures: Int, expiry: Instant)] = [:]
        /// When the last failure of this machine expires.
        var machineExpiry: Instant?
        var counts = Counts()
        /// Whether the last picture could not be read or written.
        var hasWarned = false

        func hasFailed(_ key: ArtworkKey, at now: Instant) -> Bool {
            (failures[key] ?? now) > now || (machineExpiry ?? now) > now
        }

        func hasFailed(host: String, at now: Instant) -> Bool {
            guard let found = hosts[host] else { return false }
            return found.failures >= Artwork.maximumHostFailures && found.expiry > now
        }

        /// Records a failure, and forgets all if there are too many.
        mutating func remember(_ failure: ArtworkFailure, of job: Job, at now: Instant) {
            let lifetime = failure.scope == .picture ? Artwork.failureLifetime : Artwork.transientFailureLifetime
            let expiry = now.advanced(by: lifetime)
            switch failure.scope {
            case .machine: machineExpiry = expiry
            case .host: hosts[job.host] = ((hosts[job.host]?.failures ?? 0) + 1, expiry)
            case .picture, .attempt: hosts[job.host] = nil
            }
            failures[job.name.key] = expiry
            if failures.count > Artwork.maximumFailureCount {
                failures = failures.filter { $0.value > now }
                if failures.count > Artwork.maximumFailureCount { failures.removeAll() }
            }
            if hosts.count > Artwork.maximumFailureCount { hosts.removeAll() }
        }
    }

    let store: ArtworkStore
    /// The threads that fetch, which the owner of the service starts and stops.
    let threads = NIOThreadPool(numberOfThreads: Artwork.maximumRunning)
    private let fetch: ArtworkSettings.Fetch
    private let now: @Sendable () -> Instant
    private let logger: Logger
    /// Set when the service shuts down.
    private let isStopping: Flag
    private let state = Mutex(State())
    /// Held while a picture is decoded, which may take 200 MiB.
    private let decoding = Mutex(())

    static let maximumRunning = 8
    static let maximumRunningPerHost = 4
    static let maximumWaiting = 512
    static let maximumWaitingPerHost = 64
    static let maximumHostFailures = 4
    /// The maximum number of pixels of a picture: 3840 × 2160, and some rows more.
    static let pixelLimit = 3840 * 2176
    /// The seconds after which a picture is fetched again.
    private static let lifetime: Int64 = 30 * 86_400
    private static let transientFailureLifetime: Int64 = 600
    private static let failureLifetime: Int64 = 86_400
    private static let maximumFailureCount = 100_000
    /// The nice value of the threads: pages come first.
    private static let niceness: Int32 = 10

    init(_ settings: ArtworkSettings, isStopping: Flag, logger: Logger, now: @escaping @Sendable () -> Instant) {
        store = ArtworkStore(folder: settings.folder, capacity: settings.capacity)
        fetch = settings.fetch
        self.isStopping = isStopping
        self.logger = logger
        self.now = now
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// Returns a picture; `nil` if it has to be fetched. Blocks to read it.
    ///
    /// - Throws: ``SystemFault`` if it cannot be read.
    func picture(_ name: ArtworkName) throws(SystemFault) -> [UInt8]? {
        let file: [UInt8]?
        do throws(SystemFault) {
            file = try store.picture(name, at: now())
        } catch {
            warn("\(error)")
            throw error
        }
        state.withLock { state in
            if file == nil { state.counts.misses += 1 } else { state.counts.hits += 1 }
        }
        return file
    }

    /// Returns a picture whose file the kernel has in memory; `nil` if reading it could block, or if it has to be fetched.
    func pictureInMemory(_ name: ArtworkName) -> [UInt8]? {
        guard !isOutdated(name), let file = store.pictureInMemory(name, at: now()) else { return nil }
        state.withLock { $0.counts.hits += 1 }
        return file
    }

    /// Whether a picture is missing, or was fetched so long ago that it may have changed.
    func isOutdated(_ name: ArtworkName) -> Bool {
        guard let time = store.fetchTime(of: name) else { return true }
        return time.seconds(to: now()) > Artwork.lifetime
    }

    /// Whether a recent attempt to fetch a picture failed, or this machine cannot store any.
    func hasFailed(_ key: ArtworkKey) -> Bool {
        let now = self.now()
        return state.withLock { $0.hasFailed(key, at: now) }
    }

    /// Whether this machine recently could not store a picture.
    var isUnableToStore: Bool {
        let now = self.now()
        return state.withLock { $0.machineExpiry ?? now } > now
    }

    /// Starts to fetch a picture, unless that is in progress or failed recently.
    @discardableResult
    func request(_ url: HTTPURL, as name: ArtworkName) -> Progress {
        let (now, host) = (self.now(), Artwork.host(of: url))
        let (progress, jobs) = state.withLock { state -> (Progress, [Job]) in
            guard state.flights[name] == nil else { return (.pending, []) }
            guard !state.hasFailed(name.key, at: now), !state.hasFailed(host: host, at: now) else {
                return (.failed, [])
            }
            guard state.waiting.count < Artwork.maximumWaiting,
                state.waiting.count(where: { $0.host == host }) < Artwork.maximumWaitingPerHost
            else { return (.refused, []) }
            state.flights[name] = []
            state.waiting.append(Job(name: name, url: url.text, host: host))
            return (.pending, begin(&state))
        }
        jobs.forEach(submit)
        return progress
    }

    /// Waits until a picture that is being fetched is in the folder, or has failed.
    ///
    /// - Parameter limit: The maximum time.
    func awaitFetch(of name: ArtworkName, within limit: Duration) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let isRunning = state.withLock { state in
            state.flights[name]?.append(continuation)
            return state.flights[name] != nil
        }
        guard isRunning else { return }
        let timer = Task {
            try await Task.sleep(for: limit)
            continuation.finish()
        }
        // Ends with the fetch, the timer, or the task.
        for await _ in stream {}
        timer.cancel()
    }

    // MARK: - Fetching

    /// Removes the jobs that may run from those that wait.
    private func begin(_ state: inout State) -> [Job] {
        var jobs: [Job] = []
        while state.running.values.reduce(0, +) < Artwork.maximumRunning,
            let index = state.waiting.firstIndex(where: {
                state.running[$0.host, default: 0] < Artwork.maximumRunningPerHost
            })
        {
            let job = state.waiting.remove(at: index)
            state.running[job.host, default: 0] += 1
            jobs.append(job)
        }
        return jobs
    }

    private func submit(_ job: Job) {
        threads.submit { [self] threadState in
            if case .active = threadState {
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Artwork.niceness)
                perform(job)
            }
            let (waiters, jobs) = state.withLock { state in
                let count = state.running[job.host, default: 1] - 1
                state.running[job.host] = count > 0 ? count : nil
                return (state.flights.removeValue(forKey: job.name) ?? [], begin(&state))
            }
            for waiter in waiters { waiter.finish() }
            jobs.forEach(submit)
        }
    }

    private func perform(_ job: Job) {
        // Another fetch may have ended after the request found the picture missing.
        guard isOutdated(job.name) else { return }
        // While it waited, its host or this machine may have failed.
        let start = now()
        let hasFailed = state.withLock { state in
            state.hasFailed(job.name.key, at: start) || state.hasFailed(host: job.host, at: start)
        }
        guard !isStopping.isSet, !hasFailed else { return }
        state.withLock { $0.counts.fetches += 1 }
        do throws(ArtworkFailure) {
            let bytes = try fetch(job.url) { [isStopping] in isStopping.isSet }
            state.withLock { $0.counts.fetchedBytes += bytes.count }
            let file = try Artwork.encode(bytes, job.name.size, one: decoding)
            do throws(SystemFault) {
                try store.insert(file, as: job.name, at: now())
            } catch {
                throw ArtworkFailure(reason: "cannot write the picture: \(error)", scope: .machine)
            }
            state.withLock { state in
                state.failures[job.name.key] = nil
                state.hosts[job.host] = nil
                state.hasWarned = false
            }
        } catch {
            guard !isStopping.isSet else { return }
            logger.debug("no picture", metadata: ["url": "\(job.url)", "reason": "\(error.reason)"])
            if error.scope == .machine { warn(error.reason) }
            let time = now()
            state.withLock { state in
                state.counts.failures += 1
                state.remember(error, of: job, at: time)
            }
        }
    }

    /// Logs a failure of this machine, unless the previous picture failed, too.
    private func warn(_ reason: String) {
        let isFirst = state.withLock { state in
            defer { state.hasWarned = true }
            return !state.hasWarned
        }
        guard isFirst else { return }
        logger.warning("cannot keep pictures", metadata: ["folder": "\(store.folder)", "reason": "\(reason)"])
    }

    /// Decodes, scales down and encodes a picture.
    private static func encode(
        _ bytes: [UInt8], _ size: ArtworkSize, one decoding: borrowing Mutex<Void>
    ) throws(ArtworkFailure) -> [UInt8] {
        do throws(PictureError) {
            let box = size.rawValue
            let bitmap = try decoding.withLock { _ throws(PictureError) in
                try Bitmap(decoding: bytes, pixelLimit: pixelLimit).scaled(maxWidth: box, maxHeight: box)
            }
            return try bitmap.webP()
        } catch .missingLibrary(let problem) {
            throw ArtworkFailure(reason: problem, scope: .machine)
        } catch {
            // Without its length, a response that is cut off looks complete.
            throw ArtworkFailure(
                reason: "not a picture that is supported: \(error)", scope: error == .truncated ? .attempt : .picture)
        }
    }

    private static func host(of url: HTTPURL) -> String {
        let rest = url.text.drop { $0 != "/" }.dropFirst(2)
        return rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lowercased()
    }
}
