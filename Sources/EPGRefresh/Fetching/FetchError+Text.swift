internal import Glibc

extension FetchError: CustomStringConvertible {
    /// One or two sentences: what was wrong, where, and what to do.
    package var description: String { "\(location): \(GuideLocation.redactingURLs(in: problem))\(trials). \(advice)" }

    private var trials: String { attempts > 1 ? ", also at attempt \(attempts)" : "" }

    private var problem: String {
        switch reason {
        case .unsupportedScheme(let scheme): "a guide can't be fetched by \(scheme)"
        case .malformedLocation: "that is neither a path nor an http, https or file URL"
        case .cannotOpen(let code): "the file can't be opened (\(FetchError.words(code)))"
        case .notRegularFile: "that is not a regular file"
        case .inputOutput(let code): "the guide can't be copied or read (\(FetchError.words(code)))"
        case .keptFile(let path, let code): "\(path) can't be read or written (\(FetchError.words(code)))"
        case .empty: "the guide is empty, not one byte"
        case .tooLarge(let limit): "the guide is larger than the limit of \(limit) bytes"
        case .status(let status): "the server answered with status \(status)"
        case .tooManyRedirects(let limit): "the server redirects more than \(limit) times"
        case .redirectRefused: "the server redirects to something else than http or https"
        case .refusedAddress(let host, let kind, isRedirect: true):
            "the server redirects to \(host), which has \(kind)"
        case .refusedAddress(let host, let kind, isRedirect: false): "\(host) has \(kind)"
        case .badHeader(let name): "the header field \(name.debugDescription) can't be sent"
        case .unknownHost: "the name of the host isn't known"
        case .cannotConnect: "the server can't be reached"
        case .insecure(let detail): "no secure connection can be made (\(detail))"
        case .service(let refusal): refusal.problem
        case .timedOut(let detail): "the server was too slow (\(detail))"
        case .cutShort: "the connection ended before the guide did"
        case .wrongPart: "the rest of the guide was asked for, and the server sent something else"
        case .webPage(nil): "that is a page of the web, not a guide"
        case .webPage(let title?): "that is a page of the web (“\(title)”), not a guide"
        case .badEncoding(let detail): "the guide isn't compressed as the server says (\(detail))"
        case .unpacksTooFar(let ratio): "the guide unpacks to more than \(ratio) times its size, as archive bombs do"
        case .cannotRun(let code): "the program can't be run (\(FetchError.words(code)))"
        case .commandFailed(let ending, let words):
            "the program \(ending)" + (words.isEmpty ? "" : " and wrote: \(words)")
        case .cancelled: "the fetch was ended before it was done"
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
        case .keptFile(_, ENOSPC): "Make room on its disk."
        case .keptFile: "See to its disk, and that the account that refreshes may write there; it may be deleted."
        case .empty: "See whether the source still publishes a guide."
        case .tooLarge:
            "See whether the location is right. No more is taken of one source: a guide that large can be divided, by stations "
                + "or days, into several."
        case .status(let status): FetchError.advice(onStatus: status, retryAfter: retryAfter)
        case .tooManyRedirects, .redirectRefused: "Find out where the guide is now and give that address."
        case .refusedAddress(_, _, isRedirect: true):
            "Nothing of this network is fetched because a server says so; give the guide's own address."
        case .refusedAddress(_, let kind, isRedirect: false) where kind.isLocal:
            "If that is meant, set “private-addresses: true” for this source in epg.yml, or give the address in digits."
        case .refusedAddress: "Correct the address, or see to the network's name service."
        case .badHeader: "Correct it: a name is letters, digits and dashes, and what is asked for isn't set there."
        case .unknownHost: "Correct the name, or see to the network's name service."
        case .cannotConnect: "See to the network, or whether the server has moved."
        case .service(let refusal): refusal.advice
        case .insecure: "See to the clock and the certificates of this machine (ca-certificates)."
        case .cutShort, .wrongPart, .cancelled: "The next refresh tries again."
        case .timedOut:
            "The next refresh tries again; if it needs more time in all, set “time-limit:” for this source in epg.yml."
        case .webPage: "Open the address in a browser: it may want a login, or the guide has moved."
        case .badEncoding: "The trouble is on the server's side; the next refresh tries again."
        case .unpacksTooFar: "See whether the location is right; nothing was taken from it."
        case .cannotRun(ENOENT): "Install it, or correct its path in epg.yml."
        case .cannotRun: "See that the account that refreshes may run it."
        case .commandFailed(.timedOut, _):
            "Run it by hand; if it needs that long, set “time-limit:” for this source in epg.yml."
        case .commandFailed: "Run it by hand, as the account that refreshes."
        case .libraryMissing: "Install it (Debian: apt-get install libcurl4)."
        case .transfer: "The next refresh tries again; if it fails too, try the address with curl -v."
        }
    }

    private static func advice(onStatus status: Int, retryAfter: Int64?) -> String {
        if let retryAfter, retryAfter > 0, status == 429 || status >= 500 {
            return "It asks to be left alone for \(retryAfter) seconds, and is, for a day at most; "
                + "epg refresh NAME asks it at once."
        }
        return switch status {
        case 401, 403, 407: "It wants a login or refuses: see to the name, password, key or token of this source."
        case 404, 410: "There is no guide there, or none any more: correct the address."
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
