internal import EPGModel

/// The location of a guide: a local file or a URL.
package enum GuideLocation: Hashable, Sendable {
    /// A path, relative to the working folder of the process unless absolute.
    case file(path: String)
    /// An `http` or `https` URL, as given.
    case url(String)

    /// Parses a location as users write it: a URL, a `file` URL (RFC 8089), or a path.
    ///
    /// Text that begins with a scheme and `://` (RFC 3986, 3.1) is a URL; all other text is a path. libcurl validates
    /// the URL when it is fetched.
    /// - Throws: ``FetchError`` with ``FetchError/Reason/unsupportedScheme(_:)`` or
    ///   ``FetchError/Reason/malformedLocation``.
    package init(_ text: String) throws(FetchError) {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 != 0 }) else {
            throw FetchError(location: text, reason: .malformedLocation)
        }
        guard let (scheme, rest) = GuideLocation.splitScheme(of: text) else {
            self = .file(path: text)
            return
        }
        switch scheme {
        case "http", "https":
            guard !rest.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
                throw FetchError(location: text, reason: .malformedLocation)
            }
            self = .url(text)
        case "file":
            guard let path = GuideLocation.path(ofFileURLRest: rest) else {
                throw FetchError(location: text, reason: .malformedLocation)
            }
            self = .file(path: path)
        default:
            throw FetchError(location: text, reason: .unsupportedScheme(scheme))
        }
    }

    /// Returns the host of a URL, as the fetcher reads it, in lowercase; and whether the host is an address that is not public, or
    /// `localhost`. Only a fetch finds the addresses of other names.
    ///
    /// - Throws: ``FetchError`` for a malformed URL.
    package static func host(of url: String) throws(FetchError) -> (name: String, isLocal: Bool) {
        do throws(FetchError) {
            let host = try WebURL(url).host
            switch AddressPermission(configuredHost: host, allowsPrivateAddresses: false) {
            case .literal(let address): return (host, AddressKind(address) != .global)
            case .loopback: return (host, true)
            case .global, .local, .any: return (host, false)
            }
        } catch {
            throw error.located(at: url)
        }
    }

    /// Returns a location that is safe to show and log: without user, password and query, which often hold a key.
    package static func displayable(_ text: String) -> String {
        let text = String(text.drop(while: \.isWhitespace))
        if text.hasPrefix("//") { return String(displayable("http:" + text).dropFirst(5)) }
        guard splitScheme(of: text) != nil else {
            // `user:password@host/path` is not a URL, but probably intended as one.
            let head = text.prefix { $0 != "/" }
            guard let at = head.lastIndex(of: "@"), head[..<at].contains(":") else { return text }
            return "…\(text[at...])"
        }
        guard let (scheme, rest) = splitScheme(of: text.withoutURLCredentials) else { return text }
        let shown = rest.prefix { $0 != "?" && $0 != "#" }
        return "\(scheme)://\(shown)" + (shown.endIndex < rest.endIndex ? "?…" : "")
    }

    /// Removes user, password and query from all URLs in a third-party text, such as the error output of a program.
    package static func redactingURLs(in text: String) -> String {
        var result = ""
        var rest = text.withoutURLCredentials[...]
        while let mark = rest.firstRange(of: "://") {
            let end =
                rest[mark.upperBound...].firstIndex { "?#\"<>“”".contains($0) || $0.isWhitespace } ?? rest.endIndex
            result += rest[..<end]
            rest = rest[end...]
            guard rest.first == "?" || rest.first == "#" else { continue }
            let query = rest.prefix { !"\"<>“”".contains($0) && !$0.isWhitespace }
            result += query.last == "'" ? "?…'" : "?…"
            rest = rest[query.endIndex...]
        }
        return result + rest
    }

    /// The location as given.
    var text: String {
        switch self {
        case .file(let path): path
        case .url(let url): url
        }
    }

    /// Splits `scheme "://" rest` and lowercases the scheme.
    private static func splitScheme(of text: String) -> (scheme: String, rest: Substring)? {
        let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        guard let first = scheme.first, first.isLetter else { return nil }
        let afterScheme = text[scheme.endIndex...]
        guard afterScheme.hasPrefix("://") else { return nil }
        return (scheme.lowercased(), afterScheme.dropFirst(3))
    }

    /// Returns the percent-decoded path of `[localhost]/path`; `nil` for another host or an invalid escape.
    private static func path(ofFileURLRest rest: Substring) -> String? {
        let local = rest.hasPrefix("localhost/") ? rest.dropFirst(9) : rest
        guard local.hasPrefix("/"), let path = String(percentDecoding: local.utf8), !path.utf8.contains(0) else {
            return nil
        }
        return path
    }
}

extension GuideLocation: CustomStringConvertible, CustomDebugStringConvertible {
    /// The location without credentials; see ``displayable(_:)``.
    package var description: String { GuideLocation.displayable(text) }

    package var debugDescription: String { description }
}
