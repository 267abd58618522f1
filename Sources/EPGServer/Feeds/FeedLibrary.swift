import EPGImport
import EPGModel
import HTTPTypes
import Logging
import NIOPosix
import Synchronization

/// Feeds that were written to the disk, once for each version of the guide and each way to ask for it.
///
/// One is written at a time. A client that asks for one that is being written waits for it; when the last one has gone, the
/// writing ends. Feeds of earlier versions go first, then those that were not asked for longest.
final class FeedLibrary: Sendable {
    private let guide: any GuideStorage
    private let settings: FeedSettings
    private let folder: SpoolFolder
    private let logger: Logger
    /// The last that was asked for stands last.
    private let kept = Mutex<[(key: String, feed: StoredFeed)]>([])
    private let flights = FlightTable<StoredFeed>()
    private let admission: RequestAdmission
    private let downloads = Mutex(Downloads())

    private struct Downloads {
        var total = 0
        /// How often each address downloads each feed.
        var feeds: [PeerAddress: [String: Int]] = [:]
    }

    /// Counts as a download until it is deinitialized.
    final class Download: Sendable {
        private let library: FeedLibrary
        private let key: String
        private let asker: PeerAddress?

        fileprivate init(of key: String, from library: FeedLibrary, to asker: PeerAddress?) {
            (self.library, self.key, self.asker) = (library, key, asker)
        }

        deinit {
            library.downloads.withLock { downloads in
                downloads.total -= 1
                guard let asker, let count = downloads.feeds[asker]?[key] else { return }
                downloads.feeds[asker]?[key] = count > 1 ? count - 1 : nil
                if downloads.feeds[asker]?.isEmpty ?? false { downloads.feeds[asker] = nil }
            }
        }
    }

    init(_ guide: any GuideStorage, settings: FeedSettings, logger: Logger) {
        self.guide = guide
        self.settings = settings
        self.logger = logger
        folder = SpoolFolder(path: settings.folder, capacity: settings.capacity)
        admission = RequestAdmission(
            RequestAdmission.Limits(
                running: 1, runningPerClient: 1, places: settings.greatestQueue,
                placesPerClient: settings.greatestQueuePerAddress, retryAfter: 15))
    }

    /// The thread that writes. The owner of the service starts and stops it.
    var threads: NIOThreadPool { admission.threads }

    /// The feeds that are written now, and what was counted since the start.
    var counts: RequestAdmission.Counts { admission.counts }

    /// The bytes on the disk, those too that are only still being sent.
    var size: Int { folder.size }

    /// The feed where it is there already.
    func keptFeed(_ order: FeedOrder, at version: GuideVersion) -> StoredFeed? {
        kept.withLock { FeedLibrary.take(FeedLibrary.key(of: order, at: version), &$0) }
    }

    /// The feed, which is written where it isn't there.
    ///
    /// - Parameters:
    ///   - asker: The client; `nil` for one that isn't limited. Joining what another one began counts as nothing.
    ///   - departure: Tells when the client goes; `nil` for one that stays.
    /// - Throws: ``Problem``; 429 where the client has begun as many as it may, 503 where all have.
    func feed(
        _ order: FeedOrder, at version: GuideVersion, for asker: PeerAddress?, until departure: ClientDeparture?
    ) async throws -> StoredFeed {
        if let feed = keptFeed(order, at: version) { return feed }
        let key = FeedLibrary.key(of: order, at: version)
        return try await flights.join(key, until: departure) { [self] in
            try await admission.run(for: asker) { cancellation in
                // Written while this one waited.
                if let feed = self.keptFeed(order, at: version) { return feed }
                return try self.written(order, cancellation)
            }
        }
    }

    /// The clients that wait for a feed.
    func waiterCount(of order: FeedOrder, at version: GuideVersion) -> Int {
        flights.waiterCount(of: FeedLibrary.key(of: order, at: version))
    }

    /// Counts a download.
    ///
    /// - Parameter asker: The client; `nil` for one that isn't limited by itself.
    /// - Throws: ``Problem``; 429 where the client downloads as much as it may, 503 where there are as many downloads as there
    ///   may be.
    func beginDownload(
        of order: FeedOrder, at version: GuideVersion, for asker: PeerAddress?
    ) throws(Problem) -> Download {
        let key = FeedLibrary.key(of: order, at: version)
        try downloads.withLock { downloads throws(Problem) in
            guard downloads.total < settings.greatestDownloads else {
                throw Problem(
                    .serviceUnavailable, "Many feeds are being sent just now; ask again in a while.", retryAfter: 15)
            }
            if let asker {
                var feeds = downloads.feeds[asker] ?? [:]
                guard feeds[key] != nil || feeds.count < settings.greatestFeedsPerAddress,
                    feeds.values.reduce(0, +) < settings.greatestDownloadsPerAddress
                else {
                    throw Problem(
                        .tooManyRequests, "Other feeds are being sent to your address; ask again when they have come.",
                        retryAfter: 15)
                }
                feeds[key, default: 0] += 1
                downloads.feeds[asker] = feeds
            }
            downloads.total += 1
        }
        return Download(of: key, from: self, to: asker)
    }

    // MARK: - Writing

    /// Writes a feed; where there is no room, once more without those that are kept.
    private func written(
        _ order: FeedOrder, _ cancellation: RequestAdmission.Cancellation
    ) throws -> StoredFeed {
        do {
            makeRoom(for: 1)
            do {
                return try write(order, cancellation)
            } catch SpoolError.noRoom {
                kept.withLock { $0.removeAll() }
                return try write(order, cancellation)
            }
        } catch ReadingError.tookTooLong {
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

    private func write(_ order: FeedOrder, _ cancellation: RequestAdmission.Cancellation) throws -> StoredFeed {
        // A reading that starts again writes to new files.
        let limit = ReadingLimit(settings.deadline) { cancellation.isRequested }
        let feed = try guide.read(until: limit) { guide in
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
        kept.withLock { kept in
            kept.removeAll { other in
                other.key == key || other.feed.version != version && other.feed.version.generation <= version.generation
            }
            kept.append((key, feed))
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
        kept.withLock { kept in
            while kept.count + count > max(1, settings.greatestCount)
                || kept.count > 1 && kept.reduce(0, { $0 + $1.feed.size }) > settings.capacity / 2
            {
                guard !kept.isEmpty else { return }
                kept.removeFirst()
            }
        }
    }

    private static func take(_ key: String, _ kept: inout [(key: String, feed: StoredFeed)]) -> StoredFeed? {
        guard let place = kept.firstIndex(where: { $0.key == key }) else { return nil }
        let entry = kept.remove(at: place)
        kept.append(entry)
        return entry.feed
    }

    private static func key(of order: FeedOrder, at version: GuideVersion) -> String {
        "\(version.generation) \(version.nonce) \(order.key)"
    }
}
