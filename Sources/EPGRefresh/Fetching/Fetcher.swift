package import EPGFiles
internal import EPGModel

/// Downloads the body of a guide, or reports that it has not changed since the last fetch.
package protocol Fetcher: Sendable {
    /// Fetches a guide. Blocks until the body is complete or the fetch has failed.
    ///
    /// - Throws: ``FetchError``.
    func fetch(_ request: FetchRequest, watch: FetchObserver) throws(FetchError) -> FetchResult
}

extension Fetcher {
    /// Fetches a guide without progress.
    package func fetch(_ request: FetchRequest) throws(FetchError) -> FetchResult { try fetch(request, watch: .none) }
}

/// The result of a fetch.
package enum FetchResult: Sendable {
    /// The server reports that the body that the request describes is still current (RFC 9110, 15.4.5).
    case notModified
    /// The current body.
    case body(FetchedBody)
}

/// A body in a file. A temporary file is deleted with the last copy of this value.
package struct FetchedBody: Sendable {
    /// The file to read. A temporary file is deleted with this value.
    package let path: String
    /// Size of the file in bytes.
    package let byteCount: Int64
    /// 32 hexadecimal digits that identify the bytes; see ``BodyHasher``.
    package let hash: String
    /// The `ETag` of the body; `nil` if the server sent none.
    package let entityTag: String?
    /// The `Last-Modified` of the body; `nil` if the server sent none.
    package let lastModified: String?
    /// Keeps the temporary file; `nil` for a file that this value does not own.
    private let file: TemporaryFile?

    /// Describes a body in a file.
    ///
    /// - Parameter file: The temporary file, which this value keeps; `nil` for a file that the caller owns.
    package init(
        path: String, byteCount: Int64, hash: String, entityTag: String? = nil, lastModified: String? = nil,
        file: TemporaryFile? = nil
    ) {
        self.path = path
        self.byteCount = byteCount
        self.hash = hash
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.file = file
    }
}

/// A guide to fetch, and the validators of the body from the last fetch.
package struct FetchRequest: Hashable, Sendable {
    /// The location of the guide.
    package var location: GuideLocation
    /// The `ETag` of the known body; `nil` fetches the body unconditionally.
    package var entityTag: String?
    /// The `Last-Modified` of the known body; `nil` fetches the body unconditionally.
    package var lastModified: String?
    /// Headers for the origin of the location. They are not sent to other origins that it redirects to.
    package var headers: [HeaderField]
    /// Whether the location's host may resolve to an address of this machine or its network. Hosts of redirects never
    /// may. An address that the location itself contains, in digits or as `localhost`, is allowed if the location is trusted.
    package var allowsPrivateAddresses: Bool
    /// Whether the configuration names the location, rather than a guide (default: `true`).
    package var isLocationTrusted = true
    /// A program and its arguments that write the guide. If not empty, the location is only the program's name.
    package var command: [String]
    /// Additional environment variables for the program; see ``CommandEnvironment``.
    package var environment: [String: String] = [:]
    /// The Schedules Direct account to fetch, with the URL of the API as the location; `nil` for other sources.
    package var schedulesDirect: SchedulesDirectAccount?
    /// The name of the source, which identifies its cache between fetches.
    package var sourceName: String
    /// Maximum duration in seconds; `nil` uses ``FetchLimits/totalSeconds``.
    package var timeLimit: Int?

    package init(
        location: GuideLocation, entityTag: String? = nil, lastModified: String? = nil, headers: [HeaderField] = [],
        allowsPrivateAddresses: Bool = false, command: [String] = [], schedulesDirect: SchedulesDirectAccount? = nil,
        sourceName: String = "", timeLimit: Int? = nil
    ) {
        self.location = location
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.headers = headers
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.command = command
        self.schedulesDirect = schedulesDirect
        self.sourceName = sourceName
        self.timeLimit = timeLimit
    }

    /// Describes a program that writes a guide.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments; see ``CommandFetcher``.
    ///   - timeLimit: Maximum duration in seconds; `nil` uses the limit of the fetcher.
    package init(command: [String], timeLimit: Int? = nil) {
        self.init(location: .file(path: command.first ?? ""), command: command, timeLimit: timeLimit)
    }
}

/// A request header (RFC 9110, 5). Its value may be a secret and is never shown.
package struct HeaderField: Hashable, Sendable {
    /// The name of the header.
    package let name: String
    /// The value, which may be a secret.
    package let value: String

    /// Creates a header. Sending it checks it; see ``FetchError/Reason/badHeader(_:)``.
    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Returns `Authorization: Bearer …` (RFC 6750, 2.1).
    package static func bearer(_ token: String) -> HeaderField {
        HeaderField(name: "Authorization", value: "Bearer \(token)")
    }

    /// Whether the header can be sent: the name is a token, the value has no control character, and the header is not
    /// one that the fetcher sets itself.
    var isAllowed: Bool {
        RequestHeader.isValid(name: name) && !RequestHeader.isReserved(name: name)
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// The line for libcurl, which expects `Name;` for a header without a value.
    var line: String { value.allSatisfy { $0 == " " } ? "\(name);" : "\(name): \(value)" }
}

extension HeaderField: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name alone.
    package var description: String { "\(name): …" }

    package var debugDescription: String { description }

    /// A mirror without the value, which `dump` and test failures would print.
    package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

/// Time and size limits of a fetch.
package struct FetchLimits: Hashable, Sendable {
    /// Seconds to establish the connection, including the TLS handshake. The default is 30.
    package var connectSeconds: Int
    /// Seconds that a transfer may stay below ``minimumRate``. The default is 60.
    package var silenceSeconds: Int
    /// Seconds for all attempts and the delays between them. The default is 3,600.
    package var totalSeconds: Int
    /// Maximum size of the body in bytes, both compressed and decompressed. The default is 4 GiB.
    package var byteCount: Int64
    /// Maximum number of redirects. The default is 5.
    package var redirects: Int
    /// Bytes per second below which a transfer counts as stalled. The default is 16.
    package var minimumRate: Int
    /// Maximum ratio of the decompressed to the compressed size of a transfer. The default is 200, as for compressed
    /// files.
    package var compressionRatio: Int64
    /// Size in bytes up to which the ratio is not checked. The default is 16 MiB.
    package var uncheckedByteCount: Int64

    package init(
        connectSeconds: Int = 30, silenceSeconds: Int = 60, totalSeconds: Int = 3600, byteCount: Int64 = 4 << 30,
        redirects: Int = 5, minimumRate: Int = 16, compressionRatio: Int64 = 200, uncheckedByteCount: Int64 = 16 << 20
    ) {
        self.connectSeconds = connectSeconds
        self.silenceSeconds = silenceSeconds
        self.totalSeconds = totalSeconds
        self.byteCount = byteCount
        self.redirects = redirects
        self.minimumRate = minimumRate
        self.compressionRatio = compressionRatio
        self.uncheckedByteCount = uncheckedByteCount
    }

    /// Returns the limits for a request, which may have its own time limit.
    func within(_ request: FetchRequest) -> FetchLimits {
        var limits = self
        limits.totalSeconds = request.timeLimit ?? totalSeconds
        return limits
    }
}

/// Observes a fetch and can cancel it.
package struct FetchObserver: Sendable {
    /// Receives progress. Called often, on the thread that fetches.
    package var progress: @Sendable (FetchProgress) -> Void
    /// Returns whether to cancel the fetch. Called at least once a second; a canceled fetch fails with
    /// ``FetchError/Reason/cancelled``.
    package var isCancelled: @Sendable () -> Bool

    package init(
        progress: @escaping @Sendable (FetchProgress) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.progress = progress
        self.isCancelled = isCancelled
    }

    /// Ignores progress and never cancels.
    package static let none = FetchObserver()
}

/// The progress of a fetch.
package struct FetchProgress: Hashable, Sendable {
    /// Bytes received so far, before decompression.
    package let byteCount: Int64
    /// Total number of bytes to receive; `nil` if unknown.
    package let total: Int64?

    package init(byteCount: Int64, total: Int64?) {
        self.byteCount = byteCount
        self.total = total
    }
}
