/// An address of a picture or a link that may be handed on: `http` or `https`, and nothing else that feeds write there.
package struct WebAddress: Hashable, Sendable {
    package let text: String

    /// `nil` for any other scheme, for an address without a host, and for one with blanks, quotation marks, angle brackets
    /// or control characters in it, which no address has (RFC 3986, 2).
    package init?(_ text: String) {
        let bytes = text.utf8
        guard let scheme = ["https://", "http://"].first(where: { WebAddress.begins(bytes, with: $0.utf8) }) else {
            return nil
        }
        let rest = bytes.dropFirst(scheme.utf8.count)
        guard let first = rest.first, ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains(first),
            bytes.count <= 2048
        else { return nil }
        for byte in rest {
            switch byte {
            case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
                UInt8(ascii: "`"):
                return nil
            default: break
            }
        }
        self.text = text
    }

    /// Whether a text begins with a scheme, in capitals or not (RFC 3986, 3.1).
    private static func begins(_ bytes: String.UTF8View, with scheme: String.UTF8View) -> Bool {
        var given = bytes.makeIterator()
        for wanted in scheme {
            guard let byte = given.next() else { return false }
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            guard (isCapital ? byte | 0x20 : byte) == wanted else { return false }
        }
        return true
    }
}
