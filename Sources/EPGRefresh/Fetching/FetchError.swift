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
        /// The host's name has no address.
        case unknownHost
        /// Nobody answers at the address.
        case cannotConnect
        /// The certificate or the TLS handshake failed; libcurl's words.
        case insecure(String)
        /// One of the times of ``FetchLimits`` was over; libcurl's words.
        case timedOut(String)
        /// The connection ended before the body did.
        case cutShort
        /// libcurl isn't installed or can't be loaded; the loader's words.
        case libraryMissing(String)
        /// Anything else; libcurl's code and words.
        case transfer(code: Int, String)
    }

    /// The location as it may be shown; see ``GuideLocation/displayable(_:)``.
    package let location: String
    package let reason: Reason

    package init(location: String, reason: Reason) {
        self.location = GuideLocation.displayable(location)
        self.reason = reason
    }

    /// The exit code for this failure, by the classes of sysexits.h.
    package var exitCode: Int32 {
        switch reason {
        case .unsupportedScheme, .malformedLocation: RefreshFailure.configuration
        case .cannotOpen, .notRegularFile: RefreshFailure.noInput
        case .inputOutput: RefreshFailure.inputOutput
        case .empty, .tooLarge: RefreshFailure.badContent
        case .status, .tooManyRedirects, .redirectRefused, .unknownHost, .cannotConnect, .insecure, .timedOut,
            .cutShort, .libraryMissing, .transfer:
            RefreshFailure.unavailable
        }
    }
}
