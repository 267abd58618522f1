import EPGImport
import EPGModel
import HTTPTypes
import Logging
import Synchronization

/// Feeds that were written to the disk, once for each version of the guide and each way to ask for it.
///
/// One is written at a time; who asks for one that is being written waits for it. Those of versions that stand no more go
/// first, then those that were not asked for longest.
final class FeedLibrary: Sendable {
    private struct State {
        /// The last that was asked for stands last.
        var kept: [(key: String, feed: StoredFeed)] = []
        var flights: [String: Task<StoredFeed, any Error>] = [:]
        /// Who began the flights.
        var askers = AskerCounts()
        /// Ends when the last flight that was begun does.
        var queue: Task<Void, Never>?
    }

    private let guide: any GuideReading
    private let settings: FeedSettings
    private let folder: SpoolFolder
    private let logger: Logger
    private let state = Mutex(State())

    init(_ guide: any GuideReading, settings: FeedSettings, logger: Logger) {
        self.guide = guide
        self.settings = settings
        self.logger = logger
        folder = SpoolFolder(path: settings.folder, capacity: settings.capacity)
    }

    /// The bytes on the disk, those too that are only still being sent.
    var size: Int { folder.size }

    /// The feed where it is there already.
    func keptFeed(_ order: FeedOrder, at version: GuideVersion) -> StoredFeed? {
        state.withLock { FeedLibrary.take(FeedLibrary.key(of: order, at: version), &$0) }
    }

    /// The feed, which is written where it isn't there.
    ///
    /// - Parameter asker: Who wants it; `nil` for who isn't limited. Who waits for what another one began takes nothing.
    /// - Throws: ``Problem``; 429 where the asker has begun as many as he may, 503 where all have.
    func feed(_ order: FeedOrder, at version: GuideVersion, for asker: PeerAddress?) async throws -> StoredFeed {
        let key = FeedLibrary.key(of: order, at: version)
        let flight = try state.withLock { state throws(Problem) -> Task<StoredFeed, any Error> in
            if let feed = FeedLibrary.take(key, &state) { return Task { feed } }
            if let flight = state.flights[key] { return flight }
            guard state.askers.count(of: asker) < settings.greatestQueuePerAddress else {
                throw Problem(
                    .tooManyRequests, "Other feeds are being written for your address; ask again when they have come.",
                    retryAfter: 15)
            }
            guard state.flights.count < settings.greatestQueue else {
                throw Problem(
                    .serviceUnavailable, "Many feeds are being written just now; ask again in a while.", retryAfter: 15)
            }
            let queue = state.queue
            let flight = Task {
                defer {
                    self.state.withLock { state in
                        state.flights[key] = nil
                        state.askers.remove(asker)
                    }
                }
                await queue?.value
                return try await OwnThread.run { try self.written(order) }
            }
            state.flights[key] = flight
            state.askers.add(asker)
            state.queue = Task { _ = await flight.result }
            return flight
        }
        return try await flight.value
    }

    // MARK: - Writing

    /// Writes a feed; where there is no room, once more without those that are kept.
    private func written(_ order: FeedOrder) throws -> StoredFeed {
        do {
            makeRoom(for: 1)
            do {
                return try write(order)
            } catch SpoolError.noRoom {
                state.withLock { $0.kept.removeAll() }
                return try write(order)
            }
        } catch is ReadingTookTooLong {
            throw Problem(
                .serviceUnavailable, "The feed takes longer to write than it may; ask for fewer days or stations.",
                retryAfter: 60)
        } catch let error as SpoolError {
            logger.error("a feed can't be written", metadata: ["reason": "\(error)"])
            throw Problem(
                .serviceUnavailable, "There is no room to write the feed to just now; ask for less, or later.",
                retryAfter: 60)
        }
    }

    private func write(_ order: FeedOrder) throws -> StoredFeed {
        // A reading that starts again writes to new files.
        let feed = try guide.read(within: settings.deadline) { guide in
            let plain = try folder.makeFile()
            let (packed, packer) = try packedFile()
            let version = try guide.version()
            try order.write(guide) { bytes in
                try plain.append(bytes)
                try packer?.write(bytes)
            }
            try packer?.finish()
            return StoredFeed(version: version, plain: plain, packed: packed)
        }
        let version = feed.version
        let key = FeedLibrary.key(of: order, at: version)
        state.withLock { state in
            state.kept.removeAll { other in
                other.key == key || other.feed.version.key != version.key
                    || other.feed.version.generation < version.generation
            }
            state.kept.append((key, feed))
        }
        makeRoom(for: 0)
        return feed
    }

    /// A file and what packs into it; neither where this machine has no zlib.
    private func packedFile() throws -> (SpoolFile?, GzipFile?) {
        let file = try folder.makeFile()
        do {
            return (file, try GzipFile { try file.append($0) })
        } catch let error as PackingError {
            logger.warning("feeds aren't packed", metadata: ["reason": "\(error)"])
            return (nil, nil)
        }
    }

    /// Lets those go that were not asked for longest, until there are so many fewer than may be.
    private func makeRoom(for count: Int) {
        state.withLock { state in
            while state.kept.count + count > max(1, settings.greatestCount)
                || state.kept.count > 1 && state.kept.reduce(0, { $0 + $1.feed.size }) > settings.capacity / 2
            {
                guard !state.kept.isEmpty else { return }
                state.kept.removeFirst()
            }
        }
    }

    private static func take(_ key: String, _ state: inout State) -> StoredFeed? {
        guard let place = state.kept.firstIndex(where: { $0.key == key }) else { return nil }
        let entry = state.kept.remove(at: place)
        state.kept.append(entry)
        return entry.feed
    }

    private static func key(of order: FeedOrder, at version: GuideVersion) -> String {
        "\(version.generation) \(version.key) \(order.key)"
    }
}
