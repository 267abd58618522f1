import EPGImport
import EPGModel
import EPGRefresh
import EPGStore
import Logging
import StoreConformance
import XMLTV

/// A guide on disk that is refreshed from one source, `feed`, with the real importer and a fake server.
struct RefreshedGuide {
    let database: GuideDatabase
    private let fetcher: any Fetcher

    /// Creates a guide whose source returns a feed.
    init(_ scratch: ScratchGuide, feed: String) throws {
        try self.init(scratch, fetcher: FeedFetcher(feed: feed))
    }

    init(_ scratch: ScratchGuide, fetcher: any Fetcher) throws {
        database = GuideDatabase(path: scratch.path)
        self.fetcher = fetcher
        try scratch.store.save(Source(name: "feed", location: "http://feed.example/"))
        try scratch.close()
    }

    func refresh(at now: Instant, options: RefreshOptions = RefreshOptions()) throws -> RefreshReport {
        let refresher = Refresher(
            guide: database, fetcher: fetcher, options: options,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, advice: { "Remedy: \($0)." })
        return try database.withRefreshLock(waiting: .never) { try refresher.refresh(at: now) }
    }
}

/// A fetcher that returns one text with its hash and entity tag.
final class FeedFetcher: Fetcher {
    private let file: TemporaryText
    private let body: FetchedBody
    /// Whether a request with an entity tag gets a 304 response.
    private let returnsNotModified: Bool

    init(feed: String, tag: String? = nil, returnsNotModified: Bool = false) throws {
        file = try TemporaryText(feed)
        body = FetchedBody(
            path: file.path, byteCount: Int64(feed.utf8.count),
            hash: "\(feed.utf8.count)-\(feed.utf8.reduce(0) { $0 &* 31 &+ Int($1) })",
            entityTag: tag)
        self.returnsNotModified = returnsNotModified
    }

    func fetch(_ request: FetchRequest, watch: FetchObserver) throws(FetchError) -> FetchResult {
        returnsNotModified && request.entityTag != nil ? .notModified : .body(body)
    }
}
