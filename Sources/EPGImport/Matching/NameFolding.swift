import CUTF8Proc
import EPGJSON

/// Normalized forms of identifiers and names, for comparison.
package enum NameFolding {
    /// The maximum length in bytes. A longer identifier or name has no normalized form and is compared byte by byte
    /// only.
    static let maximumLength = 2048

    /// Returns the case-folded identifier (Unicode full case folding, NFC), or `nil` if it is empty.
    ///
    /// - Complexity: O(n).
    package static func folded(_ identifier: String) -> String? {
        guard isComparable(identifier) else { return nil }
        if let bytes = lowercasedASCII(of: identifier) { return String(decoding: bytes, as: UTF8.self) }
        return CaseFolding.folded(identifier, .canonical)
    }

    /// Returns the case-folded identifier without its feed, which follows the first `@`: `cnn.us` for `CNN.us@SD`.
    ///
    /// An identifier that starts with `@` has no feed.
    package static func feedless(_ identifier: String) -> String? {
        guard let sign = identifier.utf8.firstIndex(of: UInt8(ascii: "@")), sign > identifier.startIndex else {
            return folded(identifier)
        }
        return folded(String(identifier[..<sign]))
    }

    /// Returns the normalized name: NFKC and case-folded, without default-ignorable characters, white space, `-`, `_`,
    /// and `.`; `nil` if nothing is left.
    ///
    /// - Complexity: O(n).
    package static func normalized(_ name: String) -> String? {
        guard isComparable(name) else { return nil }
        let normalized: String
        if var bytes = lowercasedASCII(of: name) {
            bytes.removeAll { isSeparator(Unicode.Scalar($0)) }
            normalized = String(decoding: bytes, as: UTF8.self)
        } else {
            let scalars = CaseFolding.folded(name, .compatible).unicodeScalars
            normalized = String(String.UnicodeScalarView(scalars.filter { !isSeparator($0) }))
        }
        return normalized.isEmpty ? nil : normalized
    }

    /// Returns the text in NFKC and case-folded, without default-ignorable characters and the diacritics of Latin, Greek and
    /// Cyrillic letters. Marks of other scripts, such as vowel signs, are kept.
    static func withoutDiacritics(_ text: String) -> String {
        if let bytes = lowercasedASCII(of: text) { return String(decoding: bytes, as: UTF8.self) }
        guard isComparable(text) else { return "" }
        var scalars = String.UnicodeScalarView()
        for scalar in CaseFolding.folded(text, .decomposed).unicodeScalars {
            switch scalar {
            case "\u{300}"..."\u{36F}": continue
            case "đ": scalars.append("d")
            case "ø": scalars.append("o")
            case "ł": scalars.append("l")
            case "ı": scalars.append("i")
            case "æ": scalars.append(contentsOf: "ae".unicodeScalars)
            case "œ": scalars.append(contentsOf: "oe".unicodeScalars)
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    private static func isComparable(_ text: String) -> Bool { !text.isEmpty && text.utf8.count <= maximumLength }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "-" || scalar == "_" || scalar == "." || scalar.properties.isWhitespace
    }

    /// Returns the lowercase form of an ASCII string, which needs no library; `nil` for any other string.
    private static func lowercasedASCII(of text: String) -> [UInt8]? {
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

/// Unicode case folding by the utf8proc library, if it is installed.
enum CaseFolding {
    enum Form: Int32 {
        /// Full case folding and NFC.
        case canonical = 0
        /// Full case folding and NFKC, without default-ignorable characters (Unicode 15, 3.13: NFKC_Casefold).
        case compatible = 1
        /// The same, but decomposed (NFKD).
        case decomposed = 2
    }

    /// Returns the folded text, or its lowercase form if the library is missing.
    ///
    /// - Precondition: The text is at most ``NameFolding/maximumLength`` bytes long, because the library sorts
    ///   combining marks in quadratic time.
    static func folded(_ text: String, _ form: Form) -> String {
        byLibrary(text, form) ?? text.lowercased()
    }

    // The only unsafe code of matching. The library receives the length of the text, reads nothing after it, and keeps
    // no pointer. It writes at most as many bytes as the buffer has, or none.
    private static func byLibrary(_ text: String, _ form: Form) -> String? {
        var buffer = [UInt8](repeating: 0, count: text.utf8.count * 3 + 32)
        var text = text
        // Retry if the result needs more room (U+FDFA becomes eighteen characters).
        for _ in 0..<2 {
            let count = text.withUTF8 { source in
                buffer.withUnsafeMutableBufferPointer { target in
                    cutf8proc_fold(source.baseAddress, source.count, form.rawValue, target.baseAddress, target.count)
                }
            }
            if count < 0 { return nil }
            if count <= buffer.count { return String(decoding: buffer[..<count], as: UTF8.self) }
            buffer = [UInt8](repeating: 0, count: count)
        }
        return nil
    }
}
