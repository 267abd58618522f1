/// Why a guide couldn't be fetched: facts; the words are made in ``description``.
package struct FetchError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The location is a URL of another kind.
        case unsupportedScheme(String)
        /// The location is no path and no URL.
        case malformedLocation
        /// The file can't be opened; an `errno`.
        case cannotOpen(Int32)
        /// The path leads to a folder, a device or a pipe.
        case notRegularFile
        /// The file or the temporary file can't be read or written; an `errno`.
        case inputOutput(Int32)
        /// A file that is kept from one fetch to the next can't be read or written; an `errno`.
        case keptFile(path: String, Int32)
        /// The body has no byte.
        case empty
        /// More bytes than the limit.
        case tooLarge(limit: Int64)
        /// An HTTP status that brings no guide.
        case status(Int)
        /// More redirects than the limit.
        case tooManyRedirects(limit: Int)
        /// A redirect to something else than http and https.
        case redirectRefused
        /// A host has an address that may not be connected to; whether the server redirected to it.
        case refusedAddress(host: String, AddressKind, isRedirect: Bool)
        /// A field of the request that can't be sent, or that isn't the configuration's to set; its name.
        case badHeader(String)
        /// The host's name has no address.
        case unknownHost
        /// Nobody answers at the address.
        case cannotConnect
        /// The certificate or the TLS handshake failed; libcurl's words.
        case insecure(String)
        /// A service with an API of its own says what is wrong.
        case service(ServiceRefusal)
        /// One of the times of ``FetchLimits`` was over; libcurl's words.
        case timedOut(String)
        /// The connection ended before the body did.
        case cutShort
        /// The server was asked for the rest of a body and sent something else.
        case wrongPart
        /// A page of the web instead of a guide; its title.
        case webPage(title: String?)
        /// The body isn't compressed as the server says; libcurl's words.
        case badEncoding(String)
        /// The body unpacks to more than so many times what arrived.
        case unpacksTooFar(ratio: Int64)
        /// The program of a command can't be started; an `errno`.
        case cannotRun(Int32)
        /// The program failed; how, and the last lines that it wrote to standard error.
        case commandFailed(CommandEnding, words: String)
        /// Whoever asked for the guide wants it no longer; see ``FetchWatch``.
        case cancelled
        /// libcurl isn't installed or can't be loaded; the loader's words.
        case libraryMissing(String)
        /// Anything else; libcurl's code and words.
        case transfer(code: Int, String)
    }

    /// The location as it may be shown; see ``GuideLocation/displayable(_:)``.
    package let location: String
    package let reason: Reason
    /// How often it was tried, at least once.
    package let attempts: Int
    /// Seconds that the server asks to be left alone for; `nil` where it says nothing of that.
    package let retryAfter: Int64?

    package init(location: String, reason: Reason, attempts: Int = 1, retryAfter: Int64? = nil) {
        self.location = GuideLocation.displayable(location)
        self.reason = reason
        self.attempts = attempts
        self.retryAfter = retryAfter
    }

    /// The exit code for this failure, by the classes of sysexits.h.
    package var exitCode: Int32 {
        switch reason {
        case .unsupportedScheme, .malformedLocation, .badHeader, .refusedAddress(_, _, isRedirect: false):
            RefreshFailure.configuration
        case .cannotOpen, .notRegularFile: RefreshFailure.noInput
        case .service(let refusal): refusal.exitCode
        case .inputOutput, .keptFile: RefreshFailure.inputOutput
        case .empty, .tooLarge, .webPage, .badEncoding, .unpacksTooFar: RefreshFailure.badContent
        case .status, .tooManyRedirects, .redirectRefused, .refusedAddress, .unknownHost, .cannotConnect,
            .insecure, .timedOut, .cutShort, .wrongPart, .cannotRun, .commandFailed, .cancelled, .libraryMissing,
            .transfer:
            RefreshFailure.unavailable
        }
    }
}

extension FetchError {
    /// Whether another refresh may soon end better.
    var mayPass: Bool {
        switch reason {
        // A file may be made late, and a program has troubles of its own; asking either costs nobody else anything.
        case .cannotOpen, .commandFailed: true
        default: reason.isTransient || exitCode == RefreshFailure.inputOutput
        }
    }
}

extension FetchError.Reason {
    /// Whether another attempt may end better: the server's own trouble, or a broken connection.
    var isTransient: Bool {
        switch self {
        case .status(let status): status == 429 || (500...599).contains(status)
        case .unknownHost, .cannotConnect, .timedOut, .cutShort, .wrongPart: true
        case .transfer(let code, _): FetchError.Reason.brokenConnectionCodes.contains(code)
        default: false
        }
    }

    /// libcurl's codes for a connection that broke in its own way: CURLE_HTTP2, CURLE_SEND_ERROR, CURLE_HTTP2_STREAM,
    /// CURLE_HTTP3, CURLE_QUIC_CONNECT_ERROR.
    private static let brokenConnectionCodes: Set = [16, 55, 92, 95, 96]
}
