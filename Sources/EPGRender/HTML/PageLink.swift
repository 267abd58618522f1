/// An address that a page may lead to or show a picture from: an ``HTTPAddress``, or a path of this service.
///
/// Everything else that browsers understand (`javascript:`, `data:`, `//host`, an address with a user in it) is none,
/// whatever blanks, line ends and capitals it comes in.
package struct PageLink: Hashable, Sendable {
    package let text: String

    /// Checks an address; blanks around it are cut off.
    ///
    /// `nil` where it is neither an ``HTTPAddress`` nor begins with a single `/`, with `?` or with `#`; a path has no control
    /// characters, blanks and backslashes in it, and at most 4,000 bytes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { $0 != 0x20 }), let last = bytes.lastIndex(where: { $0 != 0x20 })
        else { return nil }
        let trimmed = bytes[first...last]
        let address = String(decoding: trimmed, as: UTF8.self)
        guard let text = PageLink.isPath(trimmed) ? address : HTTPAddress(address)?.text else { return nil }
        self.text = text
    }

    private static func isPath(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count <= 4000, bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
            return false
        }
        switch bytes.first {
        case UInt8(ascii: "/"): return bytes.dropFirst().first != UInt8(ascii: "/")
        case UInt8(ascii: "?"), UInt8(ascii: "#"): return true
        default: return false
        }
    }
}
