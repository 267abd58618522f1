internal import EPGFiles
package import EPGModel
internal import Glibc

/// Fetches guides from all kinds of sources: files, HTTP URLs, the output of programs, and the Schedules Direct API.
package struct GuideFetcher: Fetcher {
    private let files: FileFetcher
    private let web: CurlFetcher
    private let commands: CommandFetcher
    private let schedulesDirect: SchedulesDirectFetchers?

    /// Creates a fetcher. The first fetch of a URL loads libcurl.
    ///
    /// - Parameters:
    ///   - userAgent: The `User-Agent` header, such as `swift-epg/1.0`.
    ///   - limits: The time and size limits of a fetch.
    ///   - retries: The number of attempts for URLs, and the delays between them.
    ///   - temporaryFolder: The folder for bodies until their import; `nil` for `TMPDIR`, or `/var/tmp` without it.
    ///   - databasePath: The guide's database, beside which the cache files of Schedules Direct are stored; `nil`
    ///     disables Schedules Direct.
    package init(
        userAgent: String, limits: FetchLimits = FetchLimits(), retries: RetryPolicy = RetryPolicy(),
        temporaryFolder: String? = nil, databasePath: String? = nil
    ) {
        files = FileFetcher(limits: limits)
        web = CurlFetcher(
            userAgent: userAgent, limits: limits, retries: retries, temporaryFolder: temporaryFolder)
        commands = CommandFetcher(limits: limits, temporaryFolder: temporaryFolder)
        schedulesDirect = databasePath.map { path in
            SchedulesDirectFetchers(
                settings: CurlSettings(
                    userAgent: userAgent, limits: limits, retries: retries, temporaryFolder: temporaryFolder),
                databasePath: path)
        }
    }

    package func fetch(_ request: FetchRequest) throws(FetchError) -> FetchResult {
        try fetch(request, watch: .none)
    }

    /// Returns the lineups of an account at Schedules Direct.
    ///
    /// - Parameter request: The account, with the URL of the API as the location.
    package func schedulesDirectOffers(
        _ request: FetchRequest, watch: FetchObserver = .none
    ) throws(FetchError) -> [SchedulesDirectOffer] {
        guard let account = request.schedulesDirect, let schedulesDirect else {
            throw FetchError(location: request.location.text, reason: .unsupportedScheme("Schedules Direct"))
        }
        return try schedulesDirect.fetcher(for: account, ofSource: request.sourceName).offers(request, watch: watch)
    }

    package func fetch(_ request: FetchRequest, watch: FetchObserver) throws(FetchError) -> FetchResult {
        if !request.command.isEmpty { return .body(try commands.fetch(request, watch: watch)) }
        if let account = request.schedulesDirect {
            guard let schedulesDirect else {
                throw FetchError(location: request.location.text, reason: .unsupportedScheme("Schedules Direct"))
            }
            return try schedulesDirect.fetcher(for: account, ofSource: request.sourceName).fetch(request, watch: watch)
        }
        return switch request.location {
        case .file(let path): .body(try files.fetch(path: path))
        case .url: try web.fetch(request, watch: watch)
        }
    }
}

/// Fetches a guide from a local file: reads it once to hash it, and leaves it in place.
package struct FileFetcher: Sendable {
    /// Maximum size of a file in bytes.
    private let byteLimit: Int64

    /// - Parameter limits: The limits, of which only the size applies.
    package init(limits: FetchLimits = FetchLimits()) {
        byteLimit = limits.byteCount
    }

    /// Returns the file as a body.
    ///
    /// If the file changes while it is read, its hash does not match the next time, and the next refresh imports it
    /// again.
    /// - Complexity: O(n) in the size of the file; memory is one chunk.
    package func fetch(path: String) throws(FetchError) -> FetchedBody {
        do throws(Failure) {
            return try read(path)
        } catch {
            throw FetchError(location: path, reason: error.reason)
        }
    }

    private struct Failure: Error {
        let reason: FetchError.Reason
    }

    private func read(_ path: String) throws(Failure) -> FetchedBody {
        let file: OpenFile
        do throws(SystemFault) {
            // Opening a pipe must not block until it has a writer.
            file = try OpenFile(reading: path, waits: false)
        } catch {
            throw Failure(reason: .cannotOpen(error.number))
        }
        guard try reading({ () throws(SystemFault) in try file.status }).isRegular else {
            throw Failure(reason: .notRegularFile)
        }

        var hasher = BodyHasher()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = try reading { () throws(SystemFault) in try file.read(into: &buffer, upTo: buffer.count) }
            guard count > 0 else { break }
            buffer.withUnsafeBytes { hasher.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            guard hasher.byteCount <= byteLimit else { throw Failure(reason: .tooLarge(limit: byteLimit)) }
        }
        let byteCount = hasher.byteCount
        guard byteCount > 0 else { throw Failure(reason: .empty) }
        return FetchedBody(path: path, byteCount: byteCount, hash: hasher.finish())
    }

    private func reading<Result>(_ body: () throws(SystemFault) -> Result) throws(Failure) -> Result {
        do throws(SystemFault) {
            return try body()
        } catch {
            throw Failure(reason: .inputOutput(error.number))
        }
    }
}
