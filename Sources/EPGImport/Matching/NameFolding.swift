import EPGJSON

/// Forms of identifiers and names by which they are compared.
package enum NameFolding {
    /// Bytes of an identifier or name; what is longer has no such form and is compared byte for byte only.
    static let longest = 2048

    /// An identifier whatever its case (Unicode's full case folding, NFC); `nil` for an empty one.
    ///
    /// - Complexity: O(n).
    package static func folded(_ identifier: String) -> String? {
        guard isComparable(identifier) else { return nil }
        if let bytes = smallLetters(of: identifier) { return String(decoding: bytes, as: UTF8.self) }
        return CaseFolding.folded(identifier, .canonical)
    }

    /// An identifier without its feed, which is what follows the first `@`, whatever its case: `cnn.us` for `CNN.us@SD`.
    ///
    /// An identifier that begins with `@` has none.
    package static func feedless(_ identifier: String) -> String? {
        guard let sign = identifier.utf8.firstIndex(of: UInt8(ascii: "@")), sign > identifier.startIndex else {
            return folded(identifier)
        }
        return folded(String(identifier[..<sign]))
    }

    /// A name as it is compared: NFKC, case-folded, without characters that show nothing, white space, `-`, `_` and `.`;
    /// `nil` where nothing is left.
    ///
    /// - Complexity: O(n).
    package static func normalised(_ name: String) -> String? {
        guard isComparable(name) else { return nil }
        let normalised: String
        if var bytes = smallLetters(of: name) {
            bytes.removeAll { isSeparator(Unicode.Scalar($0)) }
            normalised = String(decoding: bytes, as: UTF8.self)
        } else {
            let scalars = CaseFolding.folded(name, .compatible).unicodeScalars
            normalised = String(String.UnicodeScalarView(scalars.filter { !isSeparator($0) }))
        }
        return normalised.isEmpty ? nil : normalised
    }

    private static func isComparable(_ text: String) -> Bool { !text.isEmpty && text.utf8.count <= longest }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "-" || scalar == "_" || scalar == "." || scalar.properties.isWhitespace
    }

    /// The small letters of a text in ASCII, which needs no library; `nil` for any other.
    private static func smallLetters(of text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case 0x80...: return nil
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes.append(byte | 0x20)
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}
