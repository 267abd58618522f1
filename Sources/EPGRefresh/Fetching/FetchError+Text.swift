internal import Glibc

extension FetchError: CustomStringConvertible {
    /// One or two sentences: what was wrong, where, and what to do.
    package var description: String { "\(location): \(problem). \(advice)" }

    private var problem: String {
        switch reason {
        case .unsupportedScheme(let scheme): "a guide can't be fetched by \(scheme)"
        case .malformedLocation: "that is neither a path nor an http, https or file URL"
        case .cannotOpen(let code): "the file can't be opened (\(FetchError.words(code)))"
        case .notRegularFile: "that is not a regular file"
        case .inputOutput(let code): "the guide can't be copied or read (\(FetchError.words(code)))"
        case .empty: "the guide is empty, not one byte"
        case .tooLarge(let limit): "the guide is larger than the limit of \(limit) bytes"
        case .status(let status): "the server answered with status \(status)"
        case .tooManyRedirects(let limit): "the server redirects more than \(limit) times"
        case .redirectRefused: "the server redirects to something else than http or https"
        case .unknownHost: "the name of the host isn't known"
        case .cannotConnect: "the server can't be reached"
        case .insecure(let detail): "no secure connection can be made (\(detail))"
        case .timedOut(let detail): "the server was too slow (\(detail))"
        case .cutShort: "the connection ended before the guide did"
        case .libraryMissing(let detail): "libcurl can't be loaded (\(detail))"
        case .transfer(let code, let detail): "the transfer failed (libcurl code \(code): \(detail))"
        }
    }

    private var advice: String {
        switch reason {
        case .unsupportedScheme: "Give a path, or an address that begins with http:// or https://."
        case .malformedLocation: "Correct it; a blank in a URL is written %20."
        case .cannotOpen(ENOENT): "Correct the path, or see why the file isn't there."
        case .cannotOpen: "See that the account that refreshes may read it."
        case .notRegularFile: "Give the path of the guide's file."
        case .inputOutput(ENOSPC): "Make room in the folder for temporary files, or name another one in TMPDIR."
        case .inputOutput: "See to the disk and to the folder for temporary files (TMPDIR)."
        case .empty: "See whether the source still publishes a guide."
        case .tooLarge: "See whether the location is right; if so, raise the limit."
        case .status(let status): FetchError.advice(onStatus: status)
        case .tooManyRedirects, .redirectRefused: "Find out where the guide is now and give that address."
        case .unknownHost: "Correct the name, or see to the network's name service."
        case .cannotConnect: "See to the network, or whether the server has moved."
        case .insecure: "See to the clock and the certificates of this machine (ca-certificates)."
        case .timedOut, .cutShort: "The next refresh tries again."
        case .libraryMissing: "Install it (Debian: apt-get install libcurl4)."
        case .transfer: "The next refresh tries again; if it fails too, try the address with curl -v."
        }
    }

    private static func advice(onStatus status: Int) -> String {
        switch status {
        case 401, 403, 407: "It wants a login or refuses: see to the name, password or key in the address."
        case 404, 410: "The guide isn't there any more: give its new address."
        case 429: "It is asked too often: refresh this source less often."
        case 500...599: "The trouble is on its side; the next refresh tries again."
        default: "Try the address with curl -v."
        }
    }

    private static func words(_ code: Int32) -> String {
        guard let text = strerror(code) else { return "error \(code)" }
        return String(cString: text)
    }
}
