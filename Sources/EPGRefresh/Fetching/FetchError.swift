internal import EPGFiles
internal import Glibc

/// Describes why a fetch failed. ``description`` is the error message.
package struct FetchError: Error, Hashable, Sendable {
    /// The reason that a fetch failed.
    package enum Reason: Hashable, Sendable {
        /// The location is a URL with an unsupported scheme.
        case unsupportedScheme(String)
        /// The location is neither a path nor a URL.
        case malformedLocation
        /// The file cannot be opened; the `errno`.
        case cannotOpen(Int32)
        /// The path is a folder, a device or a pipe.
        case notRegularFile
        /// The file or the temporary file cannot be read or written; the `errno`.
        case inputOutput(Int32)
        /// A cache file cannot be read or written; the `errno`.
        case cacheFile(path: String, Int32)
        /// The body has no bytes.
        case empty
        /// The body exceeds the size limit in bytes.
        case tooLarge(limit: Int64)
        /// The HTTP status code of a failed request.
        case status(Int)
        /// The number of redirects exceeds the limit.
        case tooManyRedirects(limit: Int)
        /// The server redirected to a scheme other than http and https.
        case redirectRefused
        /// The host resolved to a forbidden address.
        case refusedAddress(host: String, AddressKind, isRedirect: Bool)
        /// The name of a request header that is invalid or reserved for the fetcher.
        case badHeader(String)
        /// The host name cannot be resolved.
        case unknownHost
        /// The server does not accept connections.
        case cannotConnect
        /// The certificate is invalid, or this machine has none to check it with; libcurl's message.
        case insecure(String)
        /// The TLS handshake failed before a certificate was checked, as on a port without TLS; libcurl's message.
        case noTLS(String)
        /// A service with its own API rejected a request.
        case service(ServiceRefusal)
        /// A time limit of ``FetchLimits`` expired; libcurl's message.
        case timedOut(String)
        /// The connection closed before the body was complete.
        case truncated
        /// The response to a range request did not contain the requested range.
        case wrongRange
        /// The body is a web page instead of a guide; its title.
        case webPage(title: String?)
        /// The body does not match its `Content-Encoding`; libcurl's message.
        case badEncoding(String)
        /// The ratio of the decompressed to the compressed size exceeds the limit.
        case excessiveCompression(ratio: Int64)
        /// The program of a command cannot be started; the `errno`.
        case cannotRun(Int32)
        /// The program failed; how it ended, and the last lines of its standard error.
        case commandFailed(CommandTermination, output: String)
        /// The caller canceled the fetch; see ``FetchObserver``.
        case cancelled
        /// libcurl is not installed or cannot be loaded; the loader's message, which names the package.
        case libraryMissing(String)
        /// Any other failure; libcurl's code and message.
        case transfer(code: Int, String)
    }

    /// The location without credentials, see ``GuideLocation/displayable(_:)``; empty within a fetch, which adds it.
    package private(set) var location: String
    /// The reason that the fetch failed.
    package let reason: Reason
    /// Number of attempts, at least 1.
    package private(set) var attempts: Int
    /// The server's `Retry-After` in seconds; `nil` if it sent none.
    package let retryAfter: Int64?

    /// Creates an error. Removes credentials from the location.
    package init(location: String = "", reason: Reason, attempts: Int = 1, retryAfter: Int64? = nil) {
        self.location = GuideLocation.displayable(location)
        self.reason = reason
        self.attempts = attempts
        self.retryAfter = retryAfter
    }

    /// Creates an error that a service reports.
    init(_ refusal: ServiceRefusal) { self.init(reason: .service(refusal)) }

    /// Returns the error with a location, whose credentials are removed.
    func located(at location: String) -> FetchError {
        var error = self
        error.location = GuideLocation.displayable(location)
        return error
    }

    func after(attempts: Int) -> FetchError {
        var error = self
        error.attempts = attempts
        return error
    }

    /// Reads or writes a file, and converts its errors.
    ///
    /// - Parameter path: The path of a cache file; `nil` for other files.
    static func converting<Result>(
        cacheFile path: String? = nil, _ body: () throws(SystemFault) -> Result
    ) throws(FetchError) -> Result {
        do throws(SystemFault) {
            return try body()
        } catch {
            throw FetchError(
                reason: path.map { .cacheFile(path: $0, error.number) } ?? .inputOutput(error.number))
        }
    }

    /// The kind of this failure.
    package var kind: RefreshFailure.Kind {
        switch reason {
        case .unsupportedScheme, .malformedLocation, .badHeader, .refusedAddress(_, _, isRedirect: false):
            .configuration
        case .cannotOpen, .notRegularFile: .noInput
        case .service(let refusal): refusal.kind
        case .inputOutput, .cacheFile: .inputOutput
        case .empty, .tooLarge, .webPage, .badEncoding, .excessiveCompression: .badContent
        case .status, .tooManyRedirects, .redirectRefused, .refusedAddress, .unknownHost, .cannotConnect,
            .insecure, .noTLS, .timedOut, .truncated, .wrongRange, .cannotRun, .commandFailed, .cancelled,
            .libraryMissing,
            .transfer:
            .unavailable
        }
    }

    /// A change of the settings or of the command after which the fetch may succeed; `nil` if none is known.
    package var remedy: RefreshFailure.Remedy? {
        switch reason {
        case .refusedAddress(_, let kind, isRedirect: false) where kind.isLocal: .allowPrivateAddresses
        case .timedOut, .commandFailed(.timedOut, _): .raiseTimeLimit
        case .status(let status) where requestsRetryLater(status): .requestNow
        default: nil
        }
    }

    /// Whether the server requests a delay after a transient failure.
    private func requestsRetryLater(_ status: Int) -> Bool { (retryAfter ?? 0) > 0 && (status == 429 || status >= 500) }
}

extension FetchError {
    /// Whether a retry of the refresh may soon succeed.
    package var isTransient: Bool {
        switch reason {
        // The file may appear later, and the program may recover. A retry sends no request to a server.
        case .cannotOpen, .commandFailed: true
        default: reason.isTransient || kind == .inputOutput
        }
    }
}

extension FetchError.Reason {
    /// Whether another attempt may succeed: a server error or a broken connection.
    var isTransient: Bool {
        switch self {
        case .status(let status): status == 429 || (500...599).contains(status)
        case .unknownHost, .cannotConnect, .timedOut, .truncated, .wrongRange: true
        case .transfer(let code, _): FetchError.Reason.brokenConnectionCodes.contains(code)
        default: false
        }
    }

    /// libcurl's codes for broken connections: CURLE_HTTP2, CURLE_SEND_ERROR, CURLE_HTTP2_STREAM, CURLE_HTTP3,
    /// CURLE_QUIC_CONNECT_ERROR.
    private static let brokenConnectionCodes: Set = [16, 55, 92, 95, 96]
}

// MARK: - Messages

extension FetchError: CustomStringConvertible {
    /// The error message: the location, the problem, and the advice that is not in ``remedy``.
    package var description: String {
        "\(location): \(GuideLocation.redactingURLs(in: problem))\(attemptsNote)." + (advice.map { " \($0)" } ?? "")
    }

    private var attemptsNote: String { attempts > 1 ? " (\(attempts) attempts)" : "" }

    private var problem: String {
        switch reason {
        case .unsupportedScheme(let scheme): "guides cannot be fetched over \(scheme)"
        case .malformedLocation: "not a path or an http, https or file URL"
        case .cannotOpen(let code): "cannot open the file (\(SystemFault(number: code)))"
        case .notRegularFile: "not a regular file"
        case .inputOutput(let code): "cannot copy or read the guide (\(SystemFault(number: code)))"
        case .cacheFile(let path, let code): "cannot read or write \(path) (\(SystemFault(number: code)))"
        case .empty: "the guide is empty (0 bytes)"
        case .tooLarge(let limit): "the guide exceeds the limit of \(limit) bytes"
        case .status(let status): "the server responded with status \(status)"
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .redirectRefused: "the server redirects to a URL that is not http or https"
        case .refusedAddress(let host, let kind, isRedirect: true):
            "the server redirects to \(host), which has \(kind)"
        case .refusedAddress(let host, let kind, isRedirect: false): "\(host) has \(kind)"
        case .badHeader(let name): "the header \(name.debugDescription) cannot be sent"
        case .unknownHost: "the host name cannot be resolved"
        case .cannotConnect: "cannot connect to the server"
        case .insecure(let detail), .noTLS(let detail): "cannot establish a secure connection (\(detail))"
        case .service(let refusal): refusal.problem
        case .timedOut(let detail): "the server was too slow (\(detail))"
        case .truncated: "the connection closed before the guide was complete"
        case .wrongRange: "the server did not resume the download where it was interrupted"
        case .webPage(nil): "the response is a web page, not a guide"
        case .webPage(let title?): "the response is a web page (“\(title)”), not a guide"
        case .badEncoding(let detail): "the response is not compressed as the server declares (\(detail))"
        case .excessiveCompression(let ratio):
            "the guide decompresses to more than \(ratio) times its size, like an archive bomb"
        case .cannotRun(let code): "cannot run the program (\(SystemFault(number: code)))"
        case .commandFailed(let termination, let output):
            "the program \(termination)" + (output.isEmpty ? "" : " and wrote: \(output)")
        case .cancelled: "the fetch was canceled"
        case .libraryMissing(let problem): problem
        case .transfer(let code, let detail): "the transfer failed (libcurl error \(code): \(detail))"
        }
    }

    /// Advice that applies to every program; `nil` if ``remedy`` contains all of it.
    private var advice: String? {
        switch reason {
        case .unsupportedScheme: "Use a path, or a URL that begins with http:// or https://."
        case .malformedLocation: "Correct the location; write a space in a URL as %20."
        case .cannotOpen(ENOENT): "Create the file, or correct the path of the source."
        case .cannotOpen: "Make sure that the account that runs the refresh can read it."
        case .notRegularFile: "Use the path of a guide file."
        case .inputOutput(ENOSPC): "Free disk space in the folder for temporary files, or set TMPDIR to another folder."
        case .inputOutput: "Check the disk and the folder for temporary files (TMPDIR)."
        case .cacheFile(_, ENOSPC): "Free space on its disk."
        case .cacheFile:
            "Check its disk, and that the account that runs the refresh can write to it. It is safe to delete this file."
        case .empty: "Check whether the source still publishes a guide."
        case .tooLarge:
            "Check the location. To import a guide of this size, split it by stations or days into several sources."
        case .status(let status): advice(onStatus: status)
        case .tooManyRedirects, .redirectRefused: "Find out where the guide is now and use that URL."
        case .refusedAddress(_, _, isRedirect: true):
            "Redirects to local addresses are never followed. Use the guide's own URL."
        case .refusedAddress(_, let kind, isRedirect: false) where kind.isLocal: nil
        case .refusedAddress: "Correct the URL, or check the name resolution of this network."
        case .badHeader:
            "Correct it: names consist of letters, digits and dashes, and headers such as Host or Range are reserved."
        case .unknownHost: "Correct the host name, or check the name resolution of this network."
        case .cannotConnect: "Check the network, and whether the server has moved."
        case .service(let refusal): refusal.advice
        case .insecure: "Check the clock and the certificates of this machine (package ca-certificates)."
        case .noTLS: "Check the port. If the server has no HTTPS, use an http:// URL."
        case .truncated, .wrongRange, .cancelled, .timedOut: "The next refresh tries again."
        case .webPage: "Open the URL in a browser. It may require a login, or the guide may have moved."
        case .badEncoding: "The problem is on the server. The next refresh tries again."
        case .excessiveCompression: "Check the location. Nothing was imported."
        case .cannotRun(ENOENT): "Install it, or correct its path in the settings of the source."
        case .cannotRun: "Make sure that the account that runs the refresh can run it."
        case .commandFailed(.timedOut, _): "Run it manually."
        case .commandFailed: "Run it manually with the account that runs the refresh."
        case .libraryMissing: nil
        case .transfer: "The next refresh tries again. If it fails too, try the URL with curl -v."
        }
    }

    private func advice(onStatus status: Int) -> String {
        if let retryAfter, requestsRetryLater(status) {
            return "The server requests a delay of \(retryAfter) seconds, which refreshes honor, up to one day."
        }
        return switch status {
        case 401, 403, 407:
            "The server requires a login or denies access. Check the user name, password, key or token of this source."
        case 404, 410: "The guide does not exist or was removed. Correct the URL."
        case 429: "The server reports too many requests. Refresh this source less often."
        case 500...599: "The problem is on the server. The next refresh tries again."
        default: "Try the URL with curl -v."
        }
    }
}
