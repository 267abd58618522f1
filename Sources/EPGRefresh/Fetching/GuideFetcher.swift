/// Fetches guides from wherever they are: files by reading them, addresses by libcurl, commands by running them.
package struct GuideFetcher: Fetcher {
    private let files: FileFetcher
    private let addresses: CurlFetcher
    private let commands: CommandFetcher

    /// A fetcher; libcurl is loaded by the first address that is fetched.
    ///
    /// - Parameters:
    ///   - userAgent: What the servers are told, such as `swift-epg/1.0`.
    ///   - temporaryFolder: Where bodies lie until they are imported; `nil` for `TMPDIR`, else `/var/tmp`.
    package init(
        userAgent: String, limits: FetchLimits = FetchLimits(), retries: RetryPolicy = RetryPolicy(),
        temporaryFolder: String? = nil
    ) {
        files = FileFetcher(limits: limits)
        addresses = CurlFetcher(
            userAgent: userAgent, limits: limits, retries: retries, temporaryFolder: temporaryFolder)
        commands = CommandFetcher(limits: limits, temporaryFolder: temporaryFolder)
    }

    package func fetch(_ request: FetchRequest) throws(FetchError) -> FetchResult {
        try fetch(request, watch: .none)
    }

    package func fetch(_ request: FetchRequest, watch: FetchWatch) throws(FetchError) -> FetchResult {
        if !request.command.isEmpty { return .body(try commands.fetch(request.command, watch: watch)) }
        return switch request.location {
        case .file(let path): .body(try files.fetch(path: path))
        case .address: try addresses.fetch(request, watch: watch)
        }
    }
}
