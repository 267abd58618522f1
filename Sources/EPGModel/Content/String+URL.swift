extension String {
    /// The URL with everything percent-encoded after its host that RFC 3986 (2) doesn't allow there.
    ///
    /// Blanks, control characters, `"<>\^`, the backtick, `{|}` and non-ASCII characters (as UTF-8) become `%XX`, and so
    /// does a `%` that begins no escape. White space around the URL is dropped. An escape stays as it is, so encoding is
    /// idempotent. What has no `://` is a local path, which players open as it stands, and is returned unchanged.
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
        func isEscape(at index: Int) -> Bool {
            index + 2 < source.count && source[index + 1].isHexDigit && source[index + 2].isHexDigit
        }
        func isLegal(_ byte: UInt8, at index: Int) -> Bool {
            guard index >= path else { return true }
            return switch byte {
            case 0...0x20, 0x7F...: false
            case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
                UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
                false
            case UInt8(ascii: "%"): isEscape(at: index)
            default: true
            }
        }
        guard source.indices.contains(where: { !isLegal(source[$0], at: $0) }) else {
            return source.count == all.count ? self : String(decoding: source, as: UTF8.self)
        }
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(source.count + 16)
        for (index, byte) in source.enumerated() {
            if isLegal(byte, at: index) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The text without the user info (RFC 3986, 3.2.1) of each URL in it.
    ///
    /// A host ends at `/`, `?`, `#`, white space, a double quotation mark or an angle bracket, so that an apostrophe or a comma in
    /// a password doesn't end it. Where what follows its colon is no port, it is taken for a password with an unescaped `/`, `?`
    /// or `#`, and everything to the last `@` is removed.
    ///
    /// - Complexity: O(*n*) for *n* characters.
    package var withoutURLCredentials: String {
        var result = ""
        var rest = self[...]
        while let mark = rest.firstRange(of: "://") {
            result += rest[..<mark.upperBound]
            rest = rest[mark.upperBound...]
            let url = rest.prefix { !"\"<>“”".contains($0) && !$0.isWhitespace }
            var authority = url.prefix { !"/?#".contains($0) }
            if !authority.contains("@"), !authority.hasPrefix("["), let colon = authority.firstIndex(of: ":"),
                !authority[authority.index(after: colon)...].allSatisfy(\.isNumber)
            {
                authority = url
            }
            if let at = authority.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        }
        return result + rest
    }

    /// Whether a URL in the text has user info. Names of sources and lineups must not: they are public.
    package var hasURLCredentials: Bool { withoutURLCredentials != self }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
