internal import EPGFiles
package import EPGModel

/// Fetches guides from all kinds of sources: files, HTTP URLs, the output of programs, and the Schedules Direct API.
package struct GuideFetcher: Fetcher {
    private let web: CurlFetcher
    /// The guide's database and the tokens of its accounts at Schedules Direct.
    private let accounts: (databasePath: String, tokens: SchedulesDirectTokens)?

    /// Creates a fetcher. The first fetch of a URL loads libcurl.
    ///
    /// - Parameters:
    ///   - userAgent: The `User-Agent` header, such as `swift-epg/1.0`.
    ///   - limits: The time and size limits of a fetch.
    ///   - retries: The number of attempts for URLs, and the delays between them.
    ///   - temporaryFolder: The folder for bodies until their import; `nil` for `TMPDIR`, or `/var/tmp` without it.
    ///   - databasePath: The guide's database, beside which the files of ``SchedulesDirectFiles`` are stored; `nil`
    ///     disables Schedules Direct.
    package init(
        userAgent: String, limits: FetchLimits = FetchLimits(), retries: RetryPolicy = RetryPolicy(),
        temporaryFolder: String? = nil, databasePath: String? = nil
    ) {
        web = CurlFetcher(
            userAgent: userAgent, limits: limits, retries: retries, temporaryFolder: temporaryFolder)
        accounts = databasePath.map { path in
            (path, SchedulesDirectTokens(path: SchedulesDirectFiles.tokensPath(besideDatabase: path)))
        }
    }

    /// Returns the lineups of an account at Schedules Direct.
    ///
    /// - Parameter request: The account, with the URL of the API as the location.
    package func schedulesDirectOffers(
        _ request: FetchRequest, watch: FetchObserver = .none
    ) throws(FetchError) -> [SchedulesDirectOffer] {
        try schedulesDirect(request).offers(request, watch: watch)
    }

    package func fetch(_ request: FetchRequest, watch: FetchObserver) throws(FetchError) -> FetchResult {
        if !request.command.isEmpty {
            let commands = CommandFetcher(limits: web.limits, temporaryFolder: web.temporaryFolder)
            return .body(try commands.fetch(request, watch: watch))
        }
        if request.schedulesDirect != nil { return try schedulesDirect(request).fetch(request, watch: watch) }
        return switch request.location {
        case .file(let path): .body(try FetchedBody(ofFile: path, upTo: web.limits.byteCount))
        case .url: try web.fetch(request, watch: watch)
        }
    }

    private func schedulesDirect(_ request: FetchRequest) throws(FetchError) -> SchedulesDirectFetcher {
        guard let account = request.schedulesDirect, let accounts else {
            throw FetchError(location: request.location.text, reason: .unsupportedScheme("Schedules Direct"))
        }
        return SchedulesDirectFetcher(
            account: account,
            cachePath: SchedulesDirectFiles.path(ofSource: request.sourceName, besideDatabase: accounts.databasePath),
            tokens: accounts.tokens, web: web)
    }
}

extension FetchedBody {
    /// Reads a file once to hash it, and leaves it in place.
    ///
    /// If the file changes while it is read, its hash does not match the next time, and the next refresh imports it
    /// again.
    ///
    /// - Parameter byteLimit: Maximum size of the file in bytes.
    /// - Throws: ``FetchError``.
    /// - Complexity: O(n) in the size of the file; memory is one chunk.
    package init(ofFile path: String, upTo byteLimit: Int64 = FetchLimits().byteCount) throws(FetchError) {
        do throws(FetchError) {
            self = try Self.read(path, upTo: byteLimit)
        } catch {
            throw error.located(at: path)
        }
    }

    private static func read(_ path: String, upTo byteLimit: Int64) throws(FetchError) -> FetchedBody {
        let file: OpenFile
        do throws(SystemFault) {
            // Opening a pipe must not block until it has a writer.
            file = try OpenFile(reading: path, waits: false)
        } catch {
            throw FetchError(reason: .cannotOpen(error.number))
        }
        let status = try FetchError.converting { () throws(SystemFault) in try file.status }
        guard status.isRegular else { throw FetchError(reason: .notRegularFile) }
        var hasher = BodyHasher()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = try FetchError.converting { () throws(SystemFault) in
                try file.read(into: &buffer, upTo: buffer.count)
            }
            guard count > 0 else { break }
            buffer.withUnsafeBytes { hasher.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            guard hasher.byteCount <= byteLimit else { throw FetchError(reason: .tooLarge(limit: byteLimit)) }
        }
        let byteCount = hasher.byteCount
        guard byteCount > 0 else { throw FetchError(reason: .empty) }
        return FetchedBody(path: path, byteCount: byteCount, hash: hasher.finish())
    }
}
