import EPGModel

/// An address of a picture or a link that an answer may hand on: `http` or `https`, and nothing else that feeds write there.
package struct HTTPAddress: Hashable, Sendable {
    package let text: String

    /// Checks a URL; blanks around it are cut off, and what isn't legal in a URL is percent-encoded
    /// (``Swift/String/percentEncodedURL``).
    ///
    /// `nil` for any other scheme, for a URL without a host or with a user before it, for a host with blanks, quotation
    /// marks, angle brackets, backslashes or control characters in it, and for a URL of more than 2,048 bytes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { $0 != 0x20 }), let last = bytes.lastIndex(where: { $0 != 0x20 })
        else { return nil }
        let trimmed = bytes[first...last]
        guard trimmed.count <= 2048 else { return nil }
        let lowered = trimmed.prefix(8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let scheme = ["http://", "https://"].first { lowered.starts(with: $0.utf8) }
        guard let scheme else { return nil }
        let host = trimmed.dropFirst(scheme.utf8.count).prefix { !"/?#".utf8.contains($0) }
        guard let begin = host.first, begin != UInt8(ascii: ":"), !host.contains(UInt8(ascii: "@")),
            host.allSatisfy(HTTPAddress.isAllowedInHost)
        else { return nil }
        self.text = String(decoding: trimmed, as: UTF8.self).percentEncodedURL
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
