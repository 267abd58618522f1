internal import EPGFiles
internal import EPGModel
internal import Glibc

/// Fetches the guide of a Schedules Direct account (JSON API 20141201). Downloads only changes.
///
/// A cache file in the import's format keeps the guide; it is also the body of the fetch. The fetcher requests, in this
/// order: a token if it has none, the status of the service, the lineups, modified lineups, the MD5 of each day of each
/// station, days whose MD5 changed, and programs whose MD5 changed in them. If nothing changed and the request contains
/// the entity tag of the guide, the result is "not modified".
///
/// After a failure, the cache keeps the records fetched so far, and the next refresh continues from there. The fetcher
/// sends one request at a time, prefers a few large ones, and does not repeat a login that would be refused.
struct SchedulesDirectFetcher: Fetcher {
    let account: SchedulesDirectAccount
    /// The cache file of the source. Its folder is created if missing. Two fetches must not use the same file at the
    /// same time.
    let cachePath: String
    /// The cache of tokens, shared by all fetchers.
    let tokens: SchedulesDirectTokens
    let web: CurlFetcher
    var limits = SchedulesDirectLimits()

    /// Fetches the current guide, unless it has the entity tag of the request.
    ///
    /// - Throws: ``FetchError``. Its reason is `service` if the service reports an error.
    func fetch(_ request: FetchRequest, watch: FetchObserver) throws(FetchError) -> FetchResult {
        do throws(FetchError) {
            let client = try client(request, watch)
            let cache = SchedulesDirectCache(
                path: cachePath, account: SHA1.hexadecimal(of: "\(client.base)\n\(account.username)"))
            return try SchedulesDirectDownload(client: client, cache: cache, wantedLineups: account.lineups)
                .run(known: request.entityTag)
        } catch {
            throw error.located(at: request.location.text)
        }
    }

    /// Returns the lineups of the account.
    ///
    /// - Throws: ``FetchError``. Its reason is `service` if the service reports an error.
    func offers(_ request: FetchRequest, watch: FetchObserver) throws(FetchError) -> [SchedulesDirectOffer] {
        do throws(FetchError) {
            let client = try client(request, watch)
            // Also reports that the service is offline.
            _ = try client.lineupMarks()
            return try client.offers()
        } catch {
            throw error.located(at: request.location.text)
        }
    }

    private func client(_ request: FetchRequest, _ watch: FetchObserver) throws(FetchError) -> SchedulesDirectClient {
        try SchedulesDirectClient(request, account, tokens: tokens, web: web, limits: limits, watch: watch)
    }
}

/// A Schedules Direct account and the lineups to fetch.
package struct SchedulesDirectAccount: Hashable, Sendable {
    /// The user name.
    package var username: String
    /// The password, which is sent as SHA-1 and never shown.
    package var password: String
    /// Lineup identifiers, such as `USA-OTA-60030`; empty for all lineups of the account.
    package var lineups: [String]

    /// Creates an account.
    package init(username: String, password: String, lineups: [String] = []) {
        self.username = username
        self.password = password
        self.lineups = lineups
    }
}

extension SchedulesDirectAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The account without the password.
    package var description: String { "\(username): \(lineups.isEmpty ? "all" : lineups.joined(separator: ", "))" }

    package var debugDescription: String { description }

    /// A mirror without the password, which `dump` and test failures would print.
    package var customMirror: Mirror { Mirror(self, children: ["username": username, "lineups": lineups]) }
}

/// Limits on the requests to Schedules Direct.
struct SchedulesDirectLimits {
    /// Stations, or days of stations, per request. The default is the maximum of the service.
    var stations = 5000
    /// Programs per request. The default is the maximum of the service.
    var programs = 5000
    /// Maximum number of retries, per refresh, for responses that the service is still generating.
    var queueRounds = 2
    /// Seconds before each of these retries.
    var queueSeconds: Int64 = 20
}

/// The cache files of Schedules Direct beside the database: a guide for each source, and the tokens of the accounts.
package enum SchedulesDirectFiles {
    /// `guide.sqlite-sd-0123456789abcdef.json`, with a hash of the source's name, which may be invalid in file names.
    package static func path(ofSource name: String, besideDatabase path: String) -> String {
        let hash = ContentHasher(key: BodyHasher.key).hash(Array(name.utf8).span).hexadecimal
        return "\(path)-sd-\(hash.prefix(16)).json"
    }

    /// `guide.sqlite-sd-tokens`; see ``SchedulesDirectTokens``.
    package static func tokensPath(besideDatabase path: String) -> String { "\(path)-sd-tokens" }

    /// Removes the file of a source, and the tokens if no other source uses them.
    ///
    /// - Parameter others: The names of the remaining sources.
    /// - Throws: ``RefreshFailure`` if a file cannot be removed.
    package static func remove(
        ofSource name: String, beside others: [String], besideDatabase path: String
    ) throws(RefreshFailure) {
        let file = self.path(ofSource: name, besideDatabase: path)
        try remove(file)
        let isInUse = others.contains { access(self.path(ofSource: $0, besideDatabase: path), F_OK) == 0 }
        if !isInUse { try remove(tokensPath(besideDatabase: path)) }
    }

    private static func remove(_ file: String) throws(RefreshFailure) {
        guard unlink(file) != 0, errno != ENOENT else { return }
        throw RefreshFailure(
            sentence: "Cannot remove \(file) (\(SystemFault.last)). Remove it manually.", kind: .inputOutput)
    }
}
