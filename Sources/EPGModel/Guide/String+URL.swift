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

extension [UInt8] {
    /// The bytes in base64 (RFC 4648, 4).
    package var base64: [UInt8] {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var output: [UInt8] = []
        output.reserveCapacity((count + 2) / 3 * 4)
        for start in stride(from: 0, to: count, by: 3) {
            let count = Swift.min(3, count - start)
            var group = 0
            for index in 0..<3 { group = group << 8 | (index < count ? Int(self[start + index]) : 0) }
            for index in 0..<4 {
                output.append(index <= count ? digits[group >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return output
    }
}
