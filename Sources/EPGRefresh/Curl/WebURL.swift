internal import CCurl
internal import EPGFiles
internal import Glibc

/// A URL as libcurl parses it, so that address checks apply to the host that libcurl connects to.
struct WebURL: Hashable, Sendable {
    /// The URL, including user and password.
    let text: String
    /// The scheme in lowercase.
    let scheme: String
    /// The host in lowercase, without the brackets of an IPv6 address; empty if the URL has none.
    let host: String
    let port: String

    /// The origin of a URL (RFC 6454), which limits where secrets are sent.
    struct Origin: Hashable {
        let scheme: String
        let host: String
        let port: String
    }

    var origin: Origin { Origin(scheme: scheme, host: host, port: port) }

    /// Parses a URL.
    ///
    /// - Throws: ``FetchError`` without a location if the URL is malformed or libcurl cannot be loaded.
    init(_ text: String) throws(FetchError) {
        let parts = try Parts()
        try parts.set(CURLUPART_URL, to: text)
        try self.init(parts)
    }

    /// Returns the target of a redirect from this URL (RFC 9110, 10.2.2).
    ///
    /// User and password are kept within the origin, and not sent to another origin.
    func redirected(to location: String) throws(FetchError) -> WebURL {
        let parts = try Parts()
        try parts.set(CURLUPART_URL, to: text)
        try parts.set(CURLUPART_URL, to: location)
        let target = try WebURL(parts)
        let hasOwnUser = parts.text(CURLUPART_USER) != nil
        let here = try Parts()
        try here.set(CURLUPART_URL, to: text)
        guard target.origin == origin, !hasOwnUser, let user = here.text(CURLUPART_USER) else { return target }
        try parts.set(CURLUPART_USER, to: user)
        if let password = here.text(CURLUPART_PASSWORD) { try parts.set(CURLUPART_PASSWORD, to: password) }
        return try WebURL(parts)
    }

    private init(_ parts: Parts) throws(FetchError) {
        guard let text = parts.text(CURLUPART_URL), let scheme = parts.text(CURLUPART_SCHEME) else {
            throw FetchError(reason: .malformedLocation)
        }
        self.text = text
        self.scheme = scheme.lowercased()
        let host = (parts.text(CURLUPART_HOST) ?? "").lowercased()
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = parts.text(CURLUPART_PORT, flags: UInt32(CURLU_DEFAULT_PORT)) ?? ""
    }

    /// libcurl's URL parser with one URL.
    private final class Parts {
        private let handle: OpaquePointer

        init() throws(FetchError) {
            try CurlTransfer.loadLibrary()
            guard let handle = ccurl_url() else { throw CurlTransfer.outOfMemory }
            self.handle = handle
        }

        deinit { ccurl_url_cleanup(handle) }

        /// Sets a part. A URL is resolved against the current one; blanks and characters that are not ASCII are
        /// escaped.
        func set(_ part: CURLUPart, to value: String) throws(FetchError) {
            let flags = part == CURLUPART_URL ? UInt32(CURLU_URLENCODE) : 0
            guard ccurl_url_set(handle, part, value, flags) == CURLUE_OK else {
                throw FetchError(reason: .malformedLocation)
            }
        }

        func text(_ part: CURLUPart, flags: UInt32 = 0) -> String? {
            var value: UnsafeMutablePointer<CChar>?
            guard ccurl_url_get(handle, part, &value, flags) == CURLUE_OK, let value else { return nil }
            defer { ccurl_free(value) }
            return String(cString: value)
        }
    }
}

/// The proxies that the environment configures, in the variables that curl uses.
///
/// The fetch reads them instead of libcurl, because it checks addresses differently with a proxy, which hides the
/// address that it connects to.
struct EnvironmentProxy: Sendable {
    /// The proxy for each scheme.
    private let proxies: [String: String]
    /// Hosts to connect to directly.
    private let exceptions: [String]

    /// Reads `http_proxy` (only in lowercase, because a web server could set `HTTP_PROXY`), `https_proxy`, `all_proxy`
    /// and `no_proxy`.
    ///
    /// - Parameter variable: Returns the value of an environment variable.
    init(_ variable: (String) -> String? = { Environment[$0] }) {
        func first(_ names: String...) -> String? {
            names.lazy.compactMap(variable).first { !$0.isEmpty }
        }
        let forAll = first("all_proxy", "ALL_PROXY")
        proxies = [
            "http": first("http_proxy") ?? forAll, "https": first("https_proxy", "HTTPS_PROXY") ?? forAll,
        ].compactMapValues { $0 }
        exceptions = (first("no_proxy", "NO_PROXY") ?? "").lowercased()
            .split { $0 == "," || $0 == " " }.map(String.init)
    }

    /// Returns the proxy for a URL; `nil` for a direct connection.
    func proxy(for url: WebURL) -> String? {
        guard let proxy = proxies[url.scheme], !exceptions.contains(where: { matches($0, url.host) }) else {
            return nil
        }
        return proxy
    }

    /// Matches `*` for every host, `example.org` or `.example.org` for the name and its subdomains, `10.0.0.0/8` for a
    /// block.
    private func matches(_ exception: String, _ host: String) -> Bool {
        if exception == "*" { return true }
        if let address = IPAddress(host) { return AddressBlock(exception)?.contains(address) == true }
        let name = exception.hasPrefix(".") ? exception.dropFirst() : exception[...]
        return !name.isEmpty && (host == name || host.hasSuffix(".\(name)"))
    }
}
