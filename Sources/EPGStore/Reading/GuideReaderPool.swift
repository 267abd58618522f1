import Dispatch
package import EPGModel
import Synchronization

/// Connections for reading, each of which answers one caller at a time.
///
/// Where another file was renamed to the path of the guide, it is read from the next reading on; where there is none, reading
/// fails until there is one again. A guide that is put in the place of another must not find that one's log (`-wal`): close
/// the writer first, or remove the log.
package final class GuideReaderPool: GuideReading {
    private struct State {
        var idle: [GuideReader] = []
        /// Of which files the readers are.
        var identity: GuideIdentity?
        var isClosed = false

        /// Closes the idle readers; the first error is told when all are closed.
        mutating func closeAll() throws {
            let outcomes = idle.map { reader in Result { try reader.close() } }
            idle.removeAll()
            for outcome in outcomes { try outcome.get() }
        }
    }

    private let path: String
    private let count: Int
    private let state: Mutex<State>
    /// As many as readers that aren't taken.
    private let free: DispatchSemaphore
    /// Held by who waits for all readers to be free.
    private let renewal = Mutex(())

    /// - Parameter connections: How many may read at once, at least 1; others wait.
    /// - Throws: ``StoreError`` where there is no guide.
    package init(path: String, connections: Int = 4) throws {
        self.path = path
        count = max(1, connections)
        free = DispatchSemaphore(value: count)
        let identity = GuideIdentity(path: path)
        state = Mutex(State(idle: [try GuideReader(path: path)], identity: identity))
    }

    package func read<Answer>(
        within limit: Duration?, _ body: (any GuideBrowsing) throws -> Answer
    ) throws -> Answer {
        let deadline = limit.map { ReadingDeadline(after: $0) }
        let reader = try take(until: deadline)
        // A reader goes back before another caller may take one.
        defer { free.signal() }
        defer { giveBack(reader) }
        return try reader.read(until: deadline, body)
    }

    /// Waits for the readings that are on, and closes the connections; who reads later gets an error.
    ///
    /// - Throws: ``StoreError``.
    package func close() throws {
        state.withLock { $0.isClosed = true }
        try withAllFree { try $0.closeAll() }
    }

    /// A reader of the guide that stands; one of the places is taken with it.
    private func take(until deadline: ReadingDeadline?) throws -> GuideReader {
        while true {
            guard wait(until: deadline) else { throw ReadingTookTooLong() }
            do {
                if let reader = try idleReader() { return reader }
            } catch {
                free.signal()
                throw error
            }
            free.signal()
            try renew()
        }
    }

    private func wait(until deadline: ReadingDeadline?) -> Bool {
        guard let deadline else {
            free.wait()
            return true
        }
        let (seconds, attoseconds) = deadline.remaining.components
        let nanoseconds = Int(clamping: seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue)
        return free.wait(timeout: .now() + .nanoseconds(nanoseconds + Int(attoseconds / 1_000_000_000))) == .success
    }

    /// A reader that is idle, or a new one; `nil` where the readers are of files that stand there no more.
    private func idleReader() throws -> GuideReader? {
        let found = GuideIdentity(path: path)
        let (isOpen, isSame, reader) = state.withLock { state in
            (!state.isClosed, state.identity == found, state.identity == found ? state.idle.popLast() : nil)
        }
        guard isOpen else { throw StoreError.inaccessible(path: path, detail: "reading has ended") }
        guard found != nil else { throw StoreError.notFound(path: path) }
        guard isSame else { return nil }
        return try reader ?? GuideReader(path: path)
    }

    private func giveBack(_ reader: GuideReader) {
        state.withLock { $0.idle.append(reader) }
    }

    /// Closes all readers, so that new ones read the files that stand now.
    ///
    /// All at once: connections to two files that share the name of their log would damage each other's view of it.
    private func renew() throws {
        try withAllFree { state in
            let found = GuideIdentity(path: path)
            guard state.identity != found else { return }
            state.identity = found
            try state.closeAll()
        }
    }

    /// Does something while nobody reads.
    private func withAllFree(_ body: (inout State) throws -> Void) throws {
        try renewal.withLock { _ in
            for _ in 0..<count { free.wait() }
            defer { for _ in 0..<count { free.signal() } }
            try state.withLock { try body(&$0) }
        }
    }
}
