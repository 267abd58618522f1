import EPGImport
import EPGModel
import EPGRefresh
import EPGStore
import Logging
import StoreConformance
import XMLTV

/// A guide on disk that is refreshed from one source, `feed`, by the real importer; what the server says is made up.
struct RefreshedGuide {
    let database: GuideDatabase
    private let fetcher: any Fetcher

    /// A scratch guide whose source brings a feed.
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
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { fetched, store in
            try GuideIntake(now: now).take(fetched, into: store)
        }
        return try database.refreshing(waiting: .never) { try refresher.refresh(at: now) }
    }
}

/// Brings one text in a file of its own, under its own hash and tag.
final class FeedFetcher: Fetcher {
    private let file: TemporaryText
    private let body: FetchedBody
    /// Whether the server knows the tag.
    private let answersNotModified: Bool

    init(feed: String, tag: String? = nil, answersNotModified: Bool = false) throws {
        file = try TemporaryText(feed)
        body = FetchedBody(
            path: file.path, byteCount: Int64(feed.utf8.count),
            hash: "\(feed.utf8.count)-\(feed.utf8.reduce(0) { $0 &* 31 &+ Int($1) })",
            entityTag: tag)
        self.answersNotModified = answersNotModified
    }

    func fetch(_ request: FetchRequest) throws(FetchError) -> FetchResult {
        answersNotModified && request.entityTag != nil ? .notModified : .body(body)
    }
}
