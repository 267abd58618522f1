/// Fetches guides from wherever they are: files by reading them, addresses by libcurl, commands by running them, and that
/// of an account at Schedules Direct by its API.
package struct GuideFetcher: Fetcher {
    private let files: FileFetcher
    private let addresses: CurlFetcher
    private let commands: CommandFetcher
    private let services: SchedulesDirectFetchers?

    /// A fetcher; libcurl is loaded by the first address that is fetched.
    ///
    /// - Parameters:
    ///   - userAgent: What the servers are told, such as `swift-epg/1.0`.
    ///   - temporaryFolder: Where bodies lie until they are imported; `nil` for `TMPDIR`, else `/var/tmp`.
    ///   - databasePath: The guide's database, beside which guides of Schedules Direct are kept from one fetch to the
    ///     next; without it, such guides aren't fetched.
    package init(
        userAgent: String, limits: FetchLimits = FetchLimits(), retries: RetryPolicy = RetryPolicy(),
        temporaryFolder: String? = nil, databasePath: String? = nil
    ) {
        files = FileFetcher(limits: limits)
        addresses = CurlFetcher(
            userAgent: userAgent, limits: limits, retries: retries, temporaryFolder: temporaryFolder)
        commands = CommandFetcher(limits: limits, temporaryFolder: temporaryFolder)
        services = databasePath.map { path in
            SchedulesDirectFetchers(
                settings: CurlSettings(
                    userAgent: userAgent, limits: limits, retries: retries, temporaryFolder: temporaryFolder),
                databasePath: path)
        }
    }

    package func fetch(_ request: FetchRequest) throws(FetchError) -> FetchResult {
        try fetch(request, watch: .none)
    }

    package func fetch(_ request: FetchRequest, watch: FetchWatch) throws(FetchError) -> FetchResult {
        if !request.command.isEmpty { return .body(try commands.fetch(request, watch: watch)) }
        if let account = request.schedulesDirect {
            guard let services else {
                throw FetchError(location: request.location.text, reason: .unsupportedScheme("Schedules Direct"))
            }
            return try services.fetcher(for: account, ofSource: request.sourceName).fetch(request, watch: watch)
        }
        return switch request.location {
        case .file(let path): .body(try files.fetch(path: path))
        case .address: try addresses.fetch(request, watch: watch)
        }
    }
}
