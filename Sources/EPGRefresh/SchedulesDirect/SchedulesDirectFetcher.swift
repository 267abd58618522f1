internal import EPGModel

/// Fetches the guide of an account at Schedules Direct (JSON API 20141201), of which only what changed is asked for.
///
/// What stands is kept in a file of the form that the import reads; the body of a fetch is that file. Asked are, in turn:
/// a token where none is held, the state of the service, the lineups, those lineups that were modified, the MD5 of each
/// day of each station, the days whose MD5 changed, and the contents whose MD5 changed in them. Where nothing changed and
/// the request knows the body, it isn't modified.
///
/// A failure keeps what was fetched before it, so that the next refresh goes on from there. It is polite: one request at a
/// time, few large ones, no log-in that would be refused again.
package struct SchedulesDirectFetcher: Fetcher {
    /// The address of the API.
    package static let standardAddress = "https://json.schedulesdirect.org/20141201"

    private let account: SchedulesDirectAccount
    private let cachePath: String
    private let tokens: SchedulesDirectTokens
    private let retries: RetryPolicy
    private let limits: SchedulesDirectLimits
    private let clock: FetchClock
    private let transport: @Sendable (SchedulesDirectTarget) -> any SchedulesDirectTransport

    /// A fetcher; libcurl is loaded by the first fetch.
    ///
    /// - Parameters:
    ///   - cachePath: The file in which the guide is kept from one refresh to the next, one for each source; its folder is
    ///     made where it is missing. Two fetches with one file mustn't run at once.
    ///   - tokens: Where this process keeps tokens; hand over the same object to all fetchers.
    ///   - userAgent: Name and version of this program, such as `swift-epg/1.0`; the service demands both.
    ///   - temporaryFolder: Where answers lie until they are read; `nil` for `TMPDIR`, else `/var/tmp`.
    package init(
        account: SchedulesDirectAccount, cachePath: String, tokens: SchedulesDirectTokens, userAgent: String,
        fetchLimits: FetchLimits = FetchLimits(), limits: SchedulesDirectLimits = SchedulesDirectLimits(),
        retries: RetryPolicy = RetryPolicy(), temporaryFolder: String? = nil
    ) {
        self.init(
            account: account, cachePath: cachePath, tokens: tokens, limits: limits, retries: retries, clock: .system
        ) { base in
            SchedulesDirectCurl(
                base: base, userAgent: userAgent, limits: fetchLimits, temporaryFolder: temporaryFolder,
                clock: .system)
        }
    }

    init(
        account: SchedulesDirectAccount, cachePath: String, tokens: SchedulesDirectTokens,
        limits: SchedulesDirectLimits = SchedulesDirectLimits(), retries: RetryPolicy = RetryPolicy(),
        clock: FetchClock, transport: @escaping @Sendable (SchedulesDirectTarget) -> any SchedulesDirectTransport
    ) {
        self.account = account
        self.cachePath = cachePath
        self.tokens = tokens
        self.retries = retries
        self.limits = limits
        self.clock = clock
        self.transport = transport
    }

    /// The guide as it stands now, or word that it is the one that the request knows by its entity tag.
    ///
    /// - Throws: ``FetchError``; what the service says is wrong is a `service` reason.
    package func fetch(_ request: FetchRequest) throws(FetchError) -> FetchResult {
        guard case .address(let address) = request.location, let base = SchedulesDirectTarget(address) else {
            throw FetchError(location: "\(request.location)", reason: .malformedLocation)
        }
        do throws(SchedulesDirectTrouble) {
            return try refresh(base, known: request.entityTag)
        } catch {
            throw FetchError(location: address, reason: error.reason)
        }
    }

    private func refresh(
        _ base: SchedulesDirectTarget, known tag: String?
    ) throws(SchedulesDirectTrouble) -> FetchResult {
        let key = SchedulesDirectTokens.Key(
            address: base.text, username: account.username, passwordHash: SHA1.hexadecimal(account.password))
        let client = SchedulesDirectClient(
            transport: transport(base), tokens: tokens, key: key, retries: retries, clock: clock)
        let refresh = SchedulesDirectRefresh(
            questions: SchedulesDirectQuestions(client: client, limits: limits),
            cache: SchedulesDirectCache(
                path: cachePath, account: SHA1.hexadecimal("\(base.text)\n\(account.username)")),
            wantedLineups: account.lineups, clock: clock)
        return try refresh.run(known: tag)
    }
}
