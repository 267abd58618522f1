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
            // JSON omits deeper elements.
            if depth <= 32 { element.children = element.children.withHTTPURLsOnly(depth: depth + 1) }
            return .element(element)
        }
    }
}

// MARK: - URLs in texts

extension String {
    /// The URL with characters after its host percent-encoded that RFC 3986 (2) does not allow.
    ///
    /// Surrounding white space is removed. Existing escapes stay, so encoding is idempotent; a `%` without two hexadecimal
    /// digits is encoded. Text without `://` is a local path, and returned unchanged.
    ///
    /// - Complexity: O(*n*) for *n* bytes.
    package var percentEncodedURL: String {
        let all = Array(utf8)
        guard let first = all.firstIndex(where: { $0 > 0x20 }), let last = all.lastIndex(where: { $0 > 0x20 }) else {
            return ""
        }
        let source = Array(all[first...last])
        guard let scheme = source.indices.first(where: { source[$0...].starts(with: "://".utf8) }) else { return self }
        let path = source[(scheme + 3)...].firstIndex { "/?#".utf8.contains($0) } ?? source.endIndex
        func isLegal(_ byte: UInt8, at index: Int) -> Bool {
            if index < path { return true }
            if byte == UInt8(ascii: "%") {
                let digits = source[(index + 1)...].prefix(2)
                return digits.count == 2 && digits.allSatisfy { $0.hexDigit != nil }
            }
            return (0x21..<0x7F).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
        }
        guard source.indices.contains(where: { !isLegal(source[$0], at: $0) }) else {
            return source.count == all.count ? self : String(decoding: source, as: UTF8.self)
        }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(source.count + 16)
        for (index, byte) in source.enumerated() {
            if isLegal(byte, at: index) {
                encoded.append(byte)
            } else {
                encoded += byte.percentEncoded.utf8
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The text without the user info (RFC 3986, 3.2.1) of each URL in it.
    ///
    /// A URL ends at white space, a quotation mark or an angle bracket, its host at `/`, `?` or `#`. An empty or invalid port
    /// counts as the beginning of a password with an unescaped `/`, `?` or `#`, and everything to the last `@` of the URL is
    /// removed. A password that begins with a port (`ann:80/x@host`) is not recognized. The result has no user info.
    /// - Complexity: O(*n*) for *n* bytes.
    package var withoutURLCredentials: String {
        let bytes = Array(utf8)
        var result: [UInt8] = []
        var (copied, index) = (0, 0)
        // The end and the last `@` of the URL that contains `index`.
        var (end, lastAt) = (0, -1)
        while let mark = bytes[index...].firstIndex(of: UInt8(ascii: ":")) {
            index = mark + 1
            guard bytes[index...].starts(with: "//".utf8) else { continue }
            index += 2
            if index >= end {
                end = bytes.endOfURL(from: index)
                lastAt = bytes[index..<end].lastIndex(of: UInt8(ascii: "@")) ?? -1
            }
            let authority = bytes[index..<end].prefix { !"/?#".utf8.contains($0) }
            let at = authority.lastIndex(of: UInt8(ascii: "@"))
            let host = bytes[(at.map { $0 + 1 } ?? index)..<authority.endIndex]
            guard let cut = host.endsInPort(of: bytes) || lastAt < index ? at : lastAt else { continue }
            result += bytes[copied..<index]
            (copied, index) = (cut + 1, cut + 1)
        }
        return copied == 0 ? self : String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    /// Whether the text contains the user info of a URL, with or without its scheme. Names of sources and lineups are public,
    /// so they must not contain any.
    package var hasURLCredentials: Bool {
        let head = utf8.drop { $0 == UInt8(ascii: "/") }.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
        let user = head.lastIndex(of: UInt8(ascii: "@")).map { head[..<$0] }
        return user?.contains(UInt8(ascii: ":")) ?? false || withoutURLCredentials != self
    }
}

extension [UInt8] {
    /// Returns the end of a URL that contains an index.
    fileprivate func endOfURL(from index: Int) -> Int {
        self[index...].indices.first { place in
            switch self[place] {
            case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): true
            // The quotation marks “ and ”.
            case 0xE2: self[place...].starts(with: "\u{201C}".utf8) || self[place...].starts(with: "\u{201D}".utf8)
            default: false
            }
        } ?? endIndex
    }
}

extension ArraySlice<UInt8> {
    /// Returns whether a host has a valid port or none. An empty port is invalid, except at the end of the text, and before
    /// `//`, where its colon ends a scheme.
    fileprivate func endsInPort(of bytes: [UInt8]) -> Bool {
        guard first != UInt8(ascii: "["), let colon = lastIndex(of: UInt8(ascii: ":")) else { return true }
        let port = self[(colon + 1)...]
        guard !port.isEmpty else { return endIndex == bytes.count || bytes[endIndex...].starts(with: "//".utf8) }
        return UInt16(String(decoding: port, as: UTF8.self)) != nil
    }
}

extension String {
    /// The text with all characters except unreserved ones (RFC 3986, 2.3) percent-encoded.
    package var percentEncoded: String {
        var text = ""
        for byte in utf8 {
            if byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += byte.percentEncoded
            }
        }
        return text
    }

    /// Decodes a text (RFC 3986, 2.1); `nil` if it is not percent-encoded UTF-8.
    ///
    /// - Parameter decodesPlus: Whether `+` means a space, as in HTML forms.
    @inlinable package init?(percentDecoding text: some Sequence<UInt8>, decodesPlus: Bool = false) {
        var bytes: [UInt8] = []
        var iterator = text.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap({ $0.hexDigit }),
                    let low = iterator.next().flatMap({ $0.hexDigit })
                else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where decodesPlus: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        self.init(validating: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// The percent-encoded byte (RFC 3986, 2.1), such as `%2F`.
    package var percentEncoded: String { "%" + hexDigits }
}
