import EPGImport
import EPGModel
import HTTPTypes
import Logging
import NIOPosix
import Synchronization

/// Feeds on disk, each written once for a version of the guide.
///
/// One feed is written at a time. A client that requests a feed that is being written waits for it; when the last of
/// these clients has gone, the writing stops. Feeds of earlier versions are removed first, then those least recently
/// used.
final class FeedLibrary: Sendable {
    fileprivate struct ActiveDownload: Hashable {
        let key: String
        /// `nil` for a client that is not limited.
        let client: ClientAddress?
    }

    private let guide: any GuideStorage
    private let settings: FeedSettings
    private let folder: SpoolFolder
    private let logger: Logger
    /// The most recently used feed is the last one.
    private let feeds = Mutex<[(key: String, feed: StoredFeed)]>([])
    private let flights = SingleFlight<StoredFeed>()
    private let admission: RequestAdmission
    private let downloads = Mutex<[ActiveDownload]>([])

    /// Counts as a download until it is deinitialized.
    final class Download: Sendable {
        private let library: FeedLibrary
        private let download: ActiveDownload

        fileprivate init(_ download: ActiveDownload, from library: FeedLibrary) {
            self.download = download
            self.library = library
        }

        deinit {
            library.downloads.withLock { [download] downloads in
                if let index = downloads.firstIndex(of: download) { downloads.remove(at: index) }
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
                running: 1, runningPerClient: 1, places: settings.maximumQueue,
                placesPerClient: settings.maximumQueuePerAddress, retryAfter: 15))
    }

    /// The thread that writes. The owner of the service starts and stops it.
    var threads: NIOThreadPool { admission.threads }

    /// The feeds that are being written, and what happened since the start.
    var counts: RequestAdmission.Counts { admission.counts }

    /// Returns a feed if it is written.
    func storedFeed(_ order: FeedOrder, at version: GuideVersion) -> StoredFeed? {
        let key = FeedLibrary.key(of: order, at: version)
        return feeds.withLock { feeds in
            guard let index = feeds.firstIndex(where: { $0.key == key }) else { return nil }
            let entry = feeds.remove(at: index)
            feeds.append(entry)
            return entry.feed
        }
    }

    /// Returns a feed, which is written first if it is missing.
    ///
    /// - Parameters:
    ///   - client: The client; `nil` for one that is not limited. Waiting for a feed that another client requested is
    ///     not limited.
    ///   - departure: Announces that the client has gone; `nil` for one that stays.
    /// - Throws: ``Problem``; 429 if the client has as many feeds in the queue as it may have, 503 if the queue is
    ///   full.
    func feed(
        _ order: FeedOrder, at version: GuideVersion, for client: ClientAddress?, until departure: ClientDeparture?
    ) async throws -> StoredFeed {
        if let feed = storedFeed(order, at: version) { return feed }
        let key = FeedLibrary.key(of: order, at: version)
        return try await flights.join(key, until: departure) { [self] in
            try await admission.run(for: client) { cancellation in
                // Another request may have written it meanwhile.
                if let feed = self.storedFeed(order, at: version) { return feed }
                return try self.makeFeed(order, cancellation)
            }
        }
    }

    /// The number of clients that wait for a feed.
    func waiterCount(of order: FeedOrder, at version: GuideVersion) -> Int {
        flights.waiterCount(of: FeedLibrary.key(of: order, at: version))
    }

    /// Begins a download.
    ///
    /// - Parameter client: The client; `nil` for one that is not limited by itself.
    /// - Throws: ``Problem``; 429 if the client has reached a limit, 503 if all clients together have.
    /// - Complexity: O(downloads).
    func beginDownload(
        of order: FeedOrder, at version: GuideVersion, for client: ClientAddress?
    ) throws(Problem) -> Download {
        let download = ActiveDownload(key: FeedLibrary.key(of: order, at: version), client: client)
        try downloads.withLock { downloads throws(Problem) in
            guard downloads.count < settings.maximumDownloads else {
                throw Problem(
                    .serviceUnavailable, "The maximum number of downloads is reached. Try again later.",
                    retryAfter: 15)
            }
            let own = client == nil ? [] : downloads.filter { $0.client == client }
            guard own.count < settings.maximumDownloadsPerAddress,
                own.contains(download) || Set(own).count < settings.maximumFeedsPerAddress
            else {
                throw Problem(
                    .tooManyRequests,
                    "Your address has reached its maximum number of downloads. Try again when one has ended.",
                    retryAfter: 15)
            }
            downloads.append(download)
        }
        return Download(download, from: self)
    }

    // MARK: - Writing

    /// Writes a feed; if there is no room, a second time without the other feeds.
    private func makeFeed(_ order: FeedOrder, _ cancellation: RequestAdmission.Cancellation) throws -> StoredFeed {
        do {
            makeRoom(for: 1)
            do {
                return try write(order, cancellation)
            } catch SpoolError.noRoom {
                feeds.withLock { $0.removeAll() }
                return try write(order, cancellation)
            }
        } catch ReadingError.tookTooLong {
            throw Problem(
                .serviceUnavailable,
                "Writing the feed took longer than the limit. Request fewer days or fewer stations.", retryAfter: 60)
        } catch let error as SpoolError {
            logger.error("cannot write a feed", metadata: ["reason": "\(error)"])
            throw Problem(
                .serviceUnavailable, "There is no room to write the feed. Request less, or try again later.",
                retryAfter: 60)
        }
    }

    private func write(_ order: FeedOrder, _ cancellation: RequestAdmission.Cancellation) throws -> StoredFeed {
        let limit = ReadingLimit(settings.deadline) { cancellation.isRequested }
        let feed = try guide.read(until: limit) { guide in
            // A read that is retried needs new files.
            let plain = try folder.makeFile()
            let (compressed, compressor) = try makeCompressedFile()
            let version = try guide.version()
            try order.write(guide) { bytes in
                try plain.append(bytes)
                try compressor?.write(bytes)
            }
            try compressor?.finish()
            return StoredFeed(version: version, plain: plain, compressed: compressed)
        }
        let version = feed.version
        let key = FeedLibrary.key(of: order, at: version)
        feeds.withLock { feeds in
            feeds.removeAll { other in
                other.key == key || other.feed.version != version && other.feed.version.generation <= version.generation
            }
            feeds.append((key, feed))
        }
        makeRoom(for: 0)
        return feed
    }

    /// Creates a file and what compresses into it; neither if zlib is missing.
    private func makeCompressedFile() throws -> (SpoolFile?, GzipFile?) {
        let file = try folder.makeFile()
        do {
            return (file, try GzipFile { try file.append($0) })
        } catch let error as PackingError {
            logger.warning("cannot compress feeds", metadata: ["reason": "\(error)"])
            return (nil, nil)
        }
    }

    /// Removes the least recently used feeds until `count` more fit.
    private func makeRoom(for count: Int) {
        feeds.withLock { feeds in
            while feeds.count + count > max(1, settings.maximumCount)
                || feeds.count > 1 && feeds.reduce(0, { $0 + $1.feed.size }) > settings.capacity / 2
            {
                guard !feeds.isEmpty else { return }
                feeds.removeFirst()
            }
        }
    }

    private static func key(of order: FeedOrder, at version: GuideVersion) -> String {
        "\(version.generation) \(version.nonce) \(order.key)"
    }
}

/// A feed on disk.
struct StoredFeed: Sendable {
    /// The version of the guide that the feed contains.
    let version: GuideVersion
    let plain: SpoolFile
    /// The feed compressed with gzip; `nil` if zlib is missing.
    let compressed: SpoolFile?

    /// The number of bytes of both files.
    var size: Int { plain.count + (compressed?.count ?? 0) }
}

/// Limits of feeds.
package struct FeedSettings: Hashable, Sendable {
    /// The folder of temporary files, which have no names and disappear with the process.
    package var folder = "/var/tmp"
    /// The maximum size of all temporary files in bytes (default: 2 GiB).
    package var capacity = 2 << 30
    /// The maximum number of feeds on disk, each plain and compressed (default: 8).
    package var maximumCount = 8
    /// The maximum number of feeds that wait to be written (default: 8).
    package var maximumQueue = 8
    /// The maximum number of feeds of one address that wait to be written (default: 2).
    package var maximumQueuePerAddress = 2
    /// The maximum number of concurrent downloads (default: 1,024). Each takes up to a few hundred KiB of buffers.
    package var maximumDownloads = 1024
    /// The maximum number of different feeds that one address downloads at once (default: 6). Their files remain until
    /// they are sent.
    package var maximumFeedsPerAddress = 6
    /// The maximum number of concurrent downloads of one address (default: 64).
    package var maximumDownloadsPerAddress = 64
    /// How long writing one feed may take (default: 5 minutes).
    package var deadline = Duration.seconds(300)

    /// Creates the default settings.
    package init() {}
}
