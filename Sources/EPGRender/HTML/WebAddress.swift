/// An address that a page may lead to or show a picture from: one with `http` or `https`, or a path of this service.
///
/// Everything else that browsers understand (`javascript:`, `data:`, `//host`, an address with a password) is none,
/// whatever blanks, line ends and capitals it comes in.
package struct WebAddress: Hashable, Sendable {
    package let text: String

    /// Checks an address; blanks around it are cut off.
    ///
    /// `nil` where it is neither `http(s)://host…` nor begins with a single `/`, `?` or `#`, or has a control character, a
    /// blank or a backslash in it, or more than 4,000 bytes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { $0 != 0x20 }), let last = bytes.lastIndex(where: { $0 != 0x20 })
        else { return nil }
        let trimmed = bytes[first...last]
        guard trimmed.count <= 4000, trimmed.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
            return nil
        }
        guard WebAddress.isPath(trimmed) || WebAddress.isHTTP(trimmed) else { return nil }
        self.text = String(decoding: trimmed, as: UTF8.self)
    }

    private static func isPath(_ bytes: ArraySlice<UInt8>) -> Bool {
        switch bytes.first {
        case UInt8(ascii: "/"): bytes.dropFirst().first != UInt8(ascii: "/")
        case UInt8(ascii: "?"), UInt8(ascii: "#"): true
        default: false
        }
    }

    /// `http://` or `https://`, and a host without a user before it.
    private static func isHTTP(_ bytes: ArraySlice<UInt8>) -> Bool {
        let lowered = bytes.prefix(8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let length =
            lowered.starts(with: "http://".utf8) ? 7 : lowered.starts(with: "https://".utf8) ? 8 : 0
        guard length > 0 else { return false }
        let host = bytes.dropFirst(length).prefix { !"/?#".utf8.contains($0) }
        return !host.isEmpty && !host.contains(UInt8(ascii: "@")) && host.first != UInt8(ascii: ":")
    }
}
