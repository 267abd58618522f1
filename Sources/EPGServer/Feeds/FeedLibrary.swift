import EPGCalendar
import EPGHTTP
import EPGImport
import EPGJSON
import EPGModel
import EPGOutput
import HTTPTypes
import Logging
import Synchronization

/// Feeds on disk, each written once for a version of the guide.
///
/// One feed is written at a time. A client that requests a feed that is being written waits for it; when the last of
/// these clients disconnects, the writing stops. Feeds of earlier versions are removed first, then those least recently
/// used.
final class FeedLibrary: Sendable {
    private struct Download: Hashable {
        let key: String
        /// `nil` for a client that is not limited.
        let client: ClientAddress?
    }

    private let guide: any GuideStorage
    private let settings: FeedSettings
    private let folder: SpoolFolder
    private let logger: Logger
    private let feeds: SpooledExports
    private let singleFlight = SingleFlight<SpooledExport>()
    private let admission: RequestAdmission
    private let downloads = Mutex<[Download]>([])

    /// - Parameter admission: Writes the feeds.
    init(_ guide: any GuideStorage, settings: FeedSettings, admission: RequestAdmission, logger: Logger) {
        self.guide = guide
        self.settings = settings
        self.logger = logger
        folder = SpoolFolder(path: settings.folder, capacity: settings.capacity)
        feeds = SpooledExports(maximumCount: settings.maximumCount, capacity: settings.capacity / 2)
        self.admission = admission
    }

    /// The feeds that are being written, and counts since the start of the service.
    var counts: RequestAdmission.Counts { admission.counts }

    /// Returns a feed if it is written.
    func storedFeed(_ query: FeedQuery, at version: GuideVersion) -> SpooledExport? {
        feeds.export(for: query.key, at: version)
    }

    /// Returns a feed, which is written first if it is missing.
    ///
    /// - Parameters:
    ///   - client: The client; `nil` for one that is not limited. Waiting for a feed that another client requested is
    ///     not limited.
    ///   - disconnectSignal: Notifies of the disconnection of the client; `nil` to ignore it.
    /// - Throws: ``Problem``; 429 if the client has as many feeds in the queue as it may have, 503 if the queue is
    ///   full.
    func feed(
        _ query: FeedQuery, at version: GuideVersion, for client: ClientAddress?,
        until disconnectSignal: DisconnectSignal?
    ) async throws -> SpooledExport {
        if let feed = storedFeed(query, at: version) { return feed }
        return try await singleFlight.join(query.key(at: version), until: disconnectSignal) { [self] in
            try await admission.run(for: client) { cancellation in
                // Another request may have written it in the meantime.
                if let feed = self.storedFeed(query, at: version) { return feed }
                return try self.makeFeed(query, cancellation)
            }
        }
    }

    /// The number of clients that wait for a feed.
    func waiterCount(of query: FeedQuery, at version: GuideVersion) -> Int {
        singleFlight.waiterCount(of: query.key(at: version))
    }

    /// Counts a download until the lease is released.
    ///
    /// - Parameter client: The client; `nil` for one that is not limited by itself.
    /// - Throws: ``Problem``; 429 if the client has reached a limit, 503 if all clients together have.
    /// - Complexity: O(downloads).
    func beginDownload(
        of query: FeedQuery, at version: GuideVersion, for client: ClientAddress?
    ) throws(Problem) -> Lease {
        let download = Download(key: query.key(at: version), client: client)
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
        return Lease {
            self.downloads.withLock { downloads in
                if let index = downloads.firstIndex(of: download) { downloads.remove(at: index) }
            }
        }
    }

    // MARK: - Writing

    /// Writes a feed; if there is no room, a second time without the other feeds.
    private func makeFeed(_ query: FeedQuery, _ cancellation: Flag) throws -> SpooledExport {
        do {
            feeds.makeRoom(for: 1)
            do {
                return try write(query, cancellation)
            } catch SpoolError.noRoom {
                feeds.removeAll()
                return try write(query, cancellation)
            }
        } catch ReadingError.timedOut {
            throw Problem(
                .serviceUnavailable,
                "Writing the feed took longer than the limit. Request fewer days or fewer stations.", retryAfter: 60)
        } catch let error as SpoolError {
            logger.error("cannot write a feed", metadata: ["reason": "\(error)"])
            throw Problem(
                .serviceUnavailable, "There is not enough disk space for the feed. Request less, or try again later.",
                retryAfter: 60)
        }
    }

    private func write(_ query: FeedQuery, _ cancellation: Flag) throws -> SpooledExport {
        let limit = ReadingLimit(settings.deadline, isRepeatable: true) { cancellation.isSet }
        let feed = try guide.read(until: limit) { guide in
            // A read that is retried needs new files.
            try SpooledExport(of: guide.version(), in: folder) { try query.write(guide, to: $0) }
        }
        feeds.insert(feed, for: query.key)
        return feed
    }
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
    /// The maximum number of different feeds that one address downloads concurrently (default: 6). Their files remain until
    /// they are sent.
    package var maximumFeedsPerAddress = 6
    /// The maximum number of concurrent downloads of one address (default: 64).
    package var maximumDownloadsPerAddress = 64
    /// The maximum duration of writing a feed (default: 5 minutes).
    package var deadline = Duration.seconds(300)

    /// Creates the default settings.
    package init() {}
}

/// The feed that a client requests. Its parameters correspond to the options of `epg export`.
struct FeedQuery: Sendable {
    /// Equal for all URLs whose feeds have the same bytes before compression.
    let key: String
    /// The time for which clients and caches may keep the feed.
    let freshness: Freshness
    /// The generation that the URL names; `nil` for the current one.
    let generation: GenerationName?
    private let format: ExportRequest.Format
    private let request: ExportRequest
    /// The start of the current day, if the feed depends on it; feeds written before may be out of date.
    private let today: Instant?
    private let limit: ParentalLimit

    /// - Parameter site: The settings of genres, texts and logos.
    /// - Throws: ``Problem`` for an invalid or unknown parameter.
    init(_ format: ExportRequest.Format, _ parameters: inout ParameterReader, site: Site) throws(Problem) {
        self.format = format
        var request = ExportRequest()
        let days = try parameters.integer("days", default: 0, in: 0...3660)
        let offset = try parameters.integer("offset", default: 0, in: -3660...3660)
        if days > 0 || offset != 0 {
            let (zone, start) = try parameters.today()
            today = parameters.followsClock ? start : nil
            request.window = zone.window(
                ofDays: days > 0 ? days : nil, from: zone.date(at: start).advanced(byDays: offset))
        } else {
            today = nil
            request.window = try FeedQuery.window(&parameters)
        }
        request.patterns = try parameters.stationPatterns()
        guard request.patterns.count <= 100 else {
            throw .badParameter("stations", "the URL has \(request.patterns.count) patterns; the maximum is 100.")
        }
        request.lineup = try parameters.text("lineup")
        request.source = try parameters.text("source")
        request.times = try parameters.choice("times", default: ExportRequest.Times.automatic)
        if format == .xmltv { request.isStrict = try parameters.flag("strict") }
        request.output = site.output
        request.output.genres = try parameters.choice("genres", default: site.output.genres)
        request.logos = try site.logos(for: &parameters)
        self.request = request
        limit = parameters.limit
        key = format.rawValue + "?" + (try parameters.finish())
        generation = parameters.generation
        freshness = parameters.generation?.key == nil || parameters.followsClock ? .revalidated : .immutable
    }

    /// The window from `from` to `to`, each of which may be missing.
    private static func window(_ parameters: inout ParameterReader) throws(Problem) -> TimeWindow? {
        let start = try parameters.instant("from")
        let end = try parameters.instant("to")
        guard start != nil || end != nil else { return nil }
        let window = TimeWindow(from: start ?? .beginningOfTime, to: end ?? .endOfTime)
        guard let window, !window.isEmpty else { throw .badParameter("to", "the time must be later than from.") }
        return window
    }

    /// Identifies the feed of a version of the guide.
    func key(at version: GuideVersion) -> String { "\(version.generation) \(version.nonce) \(key)" }

    /// Returns the modification time of the feed: the latest of the guide's, the start of the service, and the current day.
    func lastModified(at version: GuideVersion, _ site: Site) -> Instant? {
        site.lastModified(of: version).map { max($0, today ?? $0) }
    }

    /// Writes the feed.
    ///
    /// - Throws: ``Problem`` if the guide lacks a requested item, errors of the sink, or an error of the store.
    func write(_ guide: any GuideReading, to sink: @escaping ExportSink) throws {
        do {
            try request.write(
                limit.allowsEverything ? guide : LimitedGuide(guide, limit), as: format, to: sink)
        } catch let error as UnknownSource {
            throw Problem.badParameter(
                "source", "there is no source “\(error.name)”. /api/v1/sources lists all sources.")
        } catch let error as UnknownLineup {
            throw Problem.badParameter(
                "lineup", "there is no lineup “\(error.name)”. /api/v1/lineups lists all lineups.")
        } catch is NoStationSelected {
            throw Problem.notFound("No station matches. /api/v1/stations lists all stations.")
        }
    }
}
