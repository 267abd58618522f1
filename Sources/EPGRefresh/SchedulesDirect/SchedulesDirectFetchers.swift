internal import EPGModel

/// Makes the fetchers of accounts, which have the tokens in common.
struct SchedulesDirectFetchers: Sendable {
    private let settings: CurlSettings
    private let databasePath: String
    private let tokens: SchedulesDirectTokens

    /// - Parameter databasePath: The guide's database, beside which the files of ``KeptGuide`` are.
    init(settings: CurlSettings, databasePath: String) {
        self.settings = settings
        self.databasePath = databasePath
        tokens = SchedulesDirectTokens(path: KeptGuide.tokensPath(besideDatabase: databasePath))
    }

    func fetcher(for account: SchedulesDirectAccount, ofSource name: String) -> SchedulesDirectFetcher {
        SchedulesDirectFetcher(
            account: account, cachePath: KeptGuide.path(ofSource: name, besideDatabase: databasePath), tokens: tokens,
            settings: settings)
    }
}
