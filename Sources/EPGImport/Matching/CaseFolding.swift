import CUTF8Proc

/// Unicode's case folding, by a library where there is one.
enum CaseFolding {
    enum Form: Int32 {
        /// Full case folding and NFC.
        case canonical = 0
        /// Full case folding and NFKC, without characters that show nothing (Unicode 15, 3.13: NFKC_Casefold).
        case compatible = 1
    }

    /// A text folded; small letters of it where the library is missing.
    ///
    /// - Precondition: The text isn't longer than ``NameFolding/longest``: the library sorts accents in quadratic time.
    static func folded(_ text: String, _ form: Form) -> String {
        byLibrary(text, form) ?? text.lowercased()
    }

    /// Whether the library is there.
    static var hasLibrary: Bool { cutf8proc_is_there() != 0 }

    // The only unsafe code of matching. The library is told the length of the text, reads nothing behind it, and keeps
    // no pointer. It writes at most as many bytes to the buffer as it is told the buffer has, or none.
    private static func byLibrary(_ text: String, _ form: Form) -> String? {
        var buffer = [UInt8](repeating: 0, count: text.utf8.count * 3 + 32)
        var text = text
        // Once more where the result needs more room (U+FDFA becomes eighteen characters).
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
