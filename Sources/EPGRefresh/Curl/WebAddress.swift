internal import CCurl

/// An address as libcurl reads it, so that what is judged is what is connected to.
struct WebAddress: Hashable, Sendable {
    /// The address, with user and password where it has them.
    let text: String
    /// In lower case.
    let scheme: String
    /// In lower case; one of IPv6 without its brackets; empty where there is none.
    let host: String
    let port: String

    /// Where requests go, by which secrets are kept to whom they are meant for (RFC 6454).
    struct Origin: Hashable {
        let scheme: String
        let host: String
        let port: String
    }

    var origin: Origin { Origin(scheme: scheme, host: host, port: port) }

    /// Reads an address.
    ///
    /// - Throws: ``CurlFailure`` with `CURLE_URL_MALFORMAT`, or where libcurl can't be loaded.
    init(_ text: String) throws(CurlFailure) {
        let parts = try Parts()
        try parts.set(CURLUPART_URL, to: text)
        try self.init(parts)
    }

    /// The target of a redirect from here (RFC 9110, 10.2.2).
    ///
    /// Within the origin, user and password stay; another origin doesn't get them.
    func redirected(to location: String) throws(CurlFailure) -> WebAddress {
        let parts = try Parts()
        try parts.set(CURLUPART_URL, to: text)
        try parts.set(CURLUPART_URL, to: location)
        let target = try WebAddress(parts)
        let hasOwnUser = parts.text(CURLUPART_USER) != nil
        let here = try Parts()
        try here.set(CURLUPART_URL, to: text)
        guard target.origin == origin, !hasOwnUser, let user = here.text(CURLUPART_USER) else { return target }
        try parts.set(CURLUPART_USER, to: user)
        if let password = here.text(CURLUPART_PASSWORD) { try parts.set(CURLUPART_PASSWORD, to: password) }
        return try WebAddress(parts)
    }

    private init(_ parts: Parts) throws(CurlFailure) {
        guard let text = parts.text(CURLUPART_URL), let scheme = parts.text(CURLUPART_SCHEME) else {
            throw CurlFailure(code: CURLE_URL_MALFORMAT, words: "")
        }
        self.text = text
        self.scheme = scheme.lowercased()
        let host = (parts.text(CURLUPART_HOST) ?? "").lowercased()
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = parts.text(CURLUPART_PORT, flags: UInt32(CURLU_DEFAULT_PORT)) ?? ""
    }

    /// libcurl's parser, with one address in it.
    private final class Parts {
        private let handle: OpaquePointer

        init() throws(CurlFailure) {
            try CurlHandle.load()
            guard let handle = ccurl_url() else {
                throw CurlFailure(code: CURLE_OUT_OF_MEMORY, words: "out of memory")
            }
            self.handle = handle
        }

        deinit { ccurl_url_cleanup(handle) }

        /// Sets a part; a URL is read relative to the one that is there. Blanks and what isn't ASCII are escaped.
        func set(_ part: CURLUPart, to value: String) throws(CurlFailure) {
            let flags = part == CURLUPART_URL ? UInt32(CURLU_URLENCODE) : 0
            guard ccurl_url_set(handle, part, value, flags) == CURLUE_OK else {
                throw CurlFailure(code: CURLE_URL_MALFORMAT, words: "")
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
