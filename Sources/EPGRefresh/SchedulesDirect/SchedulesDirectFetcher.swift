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
struct SchedulesDirectFetcher: Fetcher {
    let account: SchedulesDirectAccount
    /// The file in which the guide is kept from one refresh to the next, one for each source; its folder is made where it is
    /// missing. Two fetches with one file mustn't run at once.
    let cachePath: String
    /// Where tokens are kept; all fetchers have the same.
    let tokens: SchedulesDirectTokens
    let settings: CurlSettings
    var limits = SchedulesDirectLimits()

    func fetch(_ request: FetchRequest) throws(FetchError) -> FetchResult {
        try fetch(request, watch: .none)
    }

    /// The guide as it stands now, or word that it is the one that the request knows by its entity tag.
    ///
    /// - Throws: ``FetchError``; what the service says is wrong is a `service` reason.
    func fetch(_ request: FetchRequest, watch: FetchWatch) throws(FetchError) -> FetchResult {
        guard case .address(let address) = request.location, let base = SchedulesDirectTarget(address) else {
            throw FetchError(location: request.location.text, reason: .malformedLocation)
        }
        let transport = SchedulesDirectCurl(
            base, settings: settings.within(request), allowsPrivateAddresses: request.allowsPrivateAddresses,
            watch: watch)
        do throws(SchedulesDirectTrouble) {
            return try refresh(transport, known: request.entityTag)
        } catch {
            throw FetchError(
                location: address, reason: error.reason, attempts: error.attempts, retryAfter: error.retryAfter)
        }
    }

    private func refresh(
        _ transport: SchedulesDirectCurl, known tag: String?
    ) throws(SchedulesDirectTrouble) -> FetchResult {
        let address = transport.base.text
        let key = SchedulesDirectTokens.Key(
            address: address, username: account.username, passwordHash: SHA1.hexadecimal(account.password))
        let client = SchedulesDirectClient(transport: transport, tokens: tokens, key: key)
        let refresh = SchedulesDirectRefresh(
            questions: SchedulesDirectQuestions(client: client, limits: limits),
            cache: SchedulesDirectCache(
                path: cachePath, account: SHA1.hexadecimal("\(address)\n\(account.username)")),
            wantedLineups: account.lineups, clock: settings.clock)
        return try refresh.run(known: tag)
    }
}
