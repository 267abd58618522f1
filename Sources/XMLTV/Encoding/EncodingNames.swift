/// What encodings are called.
package enum EncodingNames {
    /// The name under which an encoding is known here, such as `windows-1252` for `latin1`; `nil` for one that nobody
    /// knows, or that isn't ASCII below 0x80.
    ///
    /// - Parameter label: Any of the names that guides and people use; neither case nor punctuation matters.
    package static func canonical(_ label: String) -> String? { NamedEncoding(label)?.name }

    /// Those that guides are written in, in words for people.
    package static let usual =
        "UTF-8, UTF-16, UTF-32, windows-1250 to windows-1258, ISO-8859-1 to ISO-8859-16, KOI8-R, KOI8-U, GB18030, Big5, "
        + "Shift_JIS, EUC-JP, EUC-KR, and those of “iconv -l” that extend ASCII"
}
