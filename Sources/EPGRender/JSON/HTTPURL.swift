package import EPGModel

/// The URL of a picture or a link that is safe to include in a response: `http` or `https` with a valid host, or the path of a
/// logo that the service itself serves.
package struct HTTPURL: Hashable, Sendable {
    package let text: String

    /// Creates a URL from text. Trims blanks and percent-encodes characters that are not allowed in a URL
    /// (``Swift/String/percentEncodedURL``).
    ///
    /// Returns `nil` for any other scheme, for a URL without a host or with a user name, for a host that contains blanks,
    /// quotation marks, angle brackets, backslashes, backticks or control characters, and for a URL of more than 2,048
    /// bytes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { $0 != 0x20 }), let last = bytes.lastIndex(where: { $0 != 0x20 })
        else { return nil }
        let trimmed = bytes[first...last]
        guard trimmed.count <= 2048 else { return nil }
        if trimmed.starts(with: "/logos/".utf8), trimmed.dropFirst(7).allSatisfy(HTTPURL.isAllowedInLogo) {
            self.text = String(decoding: trimmed, as: UTF8.self)
            return
        }
        let lowered = trimmed.prefix(8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let scheme = ["http://", "https://"].first { lowered.starts(with: $0.utf8) }
        guard let scheme else { return nil }
        let host = trimmed.dropFirst(scheme.utf8.count).prefix { !"/?#".utf8.contains($0) }
        guard let begin = host.first, begin != UInt8(ascii: ":"), !host.contains(UInt8(ascii: "@")),
            host.allSatisfy(HTTPURL.isAllowedInHost)
        else { return nil }
        self.text = String(decoding: trimmed, as: UTF8.self).percentEncodedURL
    }

    /// Whether a percent-encoded name of a file may contain a byte.
    private static func isAllowedInLogo(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-._~%".utf8.contains(byte)
    }

    private static func isAllowedInHost(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
            UInt8(ascii: "`"):
            false
        default: true
        }
    }
}

// Feeds are untrusted, and clients may use a URL of a response in a link or an image without checking it.

extension Station {
    /// The station without URLs that ``HTTPURL`` rejects.
    package var withHTTPURLsOnly: Station {
        var station = self
        station.icons.keepHTTPURLs(at: \.source)
        station.urls.keepHTTPURLs(at: \.url)
        station.extras = extras.withHTTPURLsOnly(depth: 0)
        return station
    }
}

extension StationRow {
    /// The row without URLs that ``HTTPURL`` rejects.
    package var withHTTPURLsOnly: StationRow {
        var row = self
        row.station = station.withHTTPURLsOnly
        return row
    }
}

extension Programme {
    /// The programme without URLs that ``HTTPURL`` rejects, including reviews of type `url`.
    package var withHTTPURLsOnly: Programme {
        var programme = self
        programme.icons.keepHTTPURLs(at: \.source)
        programme.urls.keepHTTPURLs(at: \.url)
        programme.images.keepHTTPURLs(at: \.url)
        programme.reviews.keepHTTPURLs(at: \.content) { $0.type == "url" }
        for index in credits.indices {
            programme.credits[index].images.keepHTTPURLs(at: \.url)
            programme.credits[index].urls.keepHTTPURLs(at: \.url)
        }
        for index in ratings.indices { programme.ratings[index].icons.keepHTTPURLs(at: \.source) }
        for index in starRatings.indices { programme.starRatings[index].icons.keepHTTPURLs(at: \.source) }
        programme.extras = extras.withHTTPURLsOnly(depth: 0)
        return programme
    }
}

extension Array {
    /// Removes elements whose URL ``HTTPURL`` rejects.
    ///
    /// - Parameter isURL: Returns whether the text of an element is a URL; by default always `true`.
    fileprivate mutating func keepHTTPURLs(
        at text: WritableKeyPath<Element, String>, where isURL: (Element) -> Bool = { _ in true }
    ) {
        self = compactMap { element in
            guard isURL(element) else { return element }
            guard let url = HTTPURL(element[keyPath: text]) else { return nil }
            var element = element
            element[keyPath: text] = url.text
            return element
        }
    }
}

extension [ContentNode] {
    /// The nodes without `<icon>`, `<url>` and `<image>` elements whose URL ``HTTPURL`` rejects.
    ///
    /// Extras are content beyond the model, which includes such elements, for example the second `<url>` of a parent that
    /// may have only one.
    fileprivate func withHTTPURLsOnly(depth: Int) -> [ContentNode] {
        compactMap { node in
            guard case .element(var element) = node else { return node }
            switch element.name {
            case "icon" where HTTPURL(element[attribute: "src"] ?? "") == nil: return nil
            case "url" where HTTPURL(element.text) == nil: return nil
            case "image" where HTTPURL(element.text) == nil: return nil
            case "icon", "url", "image": element.encodeURLs()
            default: break
            }
            // BoundedNode does not write deeper elements.
            if depth <= 32 { element.children = element.children.withHTTPURLsOnly(depth: depth + 1) }
            return .element(element)
        }
    }
}
