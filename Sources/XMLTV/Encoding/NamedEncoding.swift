/// An encoding identified by any of the names that guides use for it.
///
/// Only letters and digits of a name count, so `UTF_8`, `utf8` and `"UTF-8 "` are the same. An encoding that is mostly
/// a subset of a larger one is read as the larger one, as in browsers (WHATWG Encoding Standard).
struct NamedEncoding: Equatable {
    enum Form {
        /// UTF-8 or ASCII, which need no conversion.
        case utf8
        /// Code units of two or four bytes.
        case wide
        /// ASCII with escape sequences: bytes below 0x80 need conversion, too.
        case escaping
        /// ASCII, and single-byte characters of a Latin script.
        case latin
        /// ASCII, and other characters.
        case other
    }

    /// The name for iconv and for messages.
    let name: String
    let form: Form
    /// Whether the name is ISO-8859-1, which is read as windows-1252.
    let isLatin1: Bool

    /// Looks up an encoding by name. Fails if it is unknown or not a superset of ASCII.
    init?(_ label: String) {
        let key = String(decoding: label.lowercased().utf8.filter { $0.isASCIILetterOrDigit }, as: UTF8.self)
        isLatin1 = Self.isoPart(key) == 1 || Self.isoPart(Self.withoutPrefix(key)) == 1
        guard let known = Self.known(key) ?? Self.known(Self.withoutPrefix(key)) else {
            let trimmed = String(decoding: label.utf8.filter { !$0.isXMLSpace }, as: UTF8.self)
            let isName = !trimmed.isEmpty && trimmed.utf8.allSatisfy { $0.isASCIIName && $0 != 0x3A }
            guard isName, Self.extendsASCII(trimmed) else { return nil }
            (name, form) = (trimmed, .other)
            return
        }
        (name, form) = known
    }

    /// Strips the prefix of a private name (`x-gbk`) or of an IANA alias (`csGB2312`).
    private static func withoutPrefix(_ key: String) -> String {
        for prefix in ["x", "cs"] where key.hasPrefix(prefix) { return String(key.dropFirst(prefix.utf8.count)) }
        return key
    }

    /// Returns the canonical name and the form for a name in lowercase letters and digits.
    private static func known(_ key: String) -> (String, Form)? {
        if let part = isoPart(key) {
            switch part {
            case 1: return ("windows-1252", .latin)
            case 9: return ("windows-1254", .latin)
            case 11: return ("CP874", .other)
            case 5, 6, 7, 8: return ("ISO-8859-\(part)", .other)
            default: return ("ISO-8859-\(part)", .latin)
            }
        }
        for prefix in ["windows", "win", "cp", "ms", "ibm", ""] where key.hasPrefix(prefix) {
            guard let page = UInt16(key.dropFirst(prefix.utf8.count)), 1250...1258 ~= page else { continue }
            return ("windows-\(page)", [1250, 1252, 1254, 1257].contains(page) ? .latin : .other)
        }
        return others[key]
    }

    /// Returns which part of ISO 8859 a name denotes: 1 to 16, except 12.
    private static func isoPart(_ key: String) -> Int? {
        if let part = latinParts[key] { return part }
        var rest = key[...]
        if rest.hasPrefix("iso") { rest = rest.dropFirst(3) }
        guard rest.hasPrefix("8859") else { return nil }
        rest = rest.dropFirst(4)
        // `iso_8859-1:1987`, `iso-8859-8-i`.
        if rest.utf8.count > 4, let year = Int(rest.suffix(4)), 1980...2010 ~= year { rest = rest.dropLast(4) }
        if rest == "8i" || rest == "8e" { rest = "8" }
        guard let part = rest.isEmpty ? 1 : Int(rest), 1...16 ~= part, part != 12 else { return nil }
        return part
    }

    private static let latinParts: [String: Int] = [
        "latin1": 1, "l1": 1, "isolatin1": 1, "cp819": 1, "ibm819": 1, "latin2": 2, "l2": 2, "latin3": 3, "l3": 3,
        "latin4": 4, "l4": 4, "latin5": 9, "l5": 9, "latin6": 10, "l6": 10, "latin7": 13, "latin8": 14, "latin9": 15,
        "l9": 15, "latin0": 15, "latin10": 16, "cyrillic": 5, "arabic": 6, "greek": 7, "hebrew": 8,
    ]

    private static let others: [String: (String, Form)] = {
        let rows: [(name: String, form: Form, keys: String)] = [
            ("UTF-8", .utf8, "utf8 utf8bom utf8mb4 unicode11utf8 ascii usascii ansix341968 iso646us"),
            ("UTF-16", .wide, "utf16 ucs2 unicode iso10646ucs2 iso10646 unicodefffe"),
            ("UTF-16LE", .wide, "utf16le ucs2le"), ("UTF-16BE", .wide, "utf16be ucs2be"),
            ("UTF-32", .wide, "utf32 ucs4 iso10646ucs4"), ("UTF-32LE", .wide, "utf32le ucs4le"),
            ("UTF-32BE", .wide, "utf32be ucs4be"),
            ("ISO-2022-JP", .escaping, "iso2022jp jis"), ("ISO-2022-KR", .escaping, "iso2022kr"),
            ("windows-1252", .latin, "ansi windows win western latin"),
            ("macintosh", .latin, "macintosh mac macroman"),
            ("KOI8-R", .other, "koi8r koi8 koi"), ("KOI8-U", .other, "koi8u koi8ru"),
            ("CP866", .other, "cp866 ibm866 dos866 866"),
            ("CP874", .other, "tis620 tis62025330 cp874 windows874 dos874"),
            (
                "GB18030", .other,
                "gb18030 gb180302000 gb180302022 gbk gb2312 gb23121980 gb231280 cp936 ms936 windows936 euccn chinese"
            ),
            ("BIG5-HKSCS", .other, "big5 big5hkscs cnbig5 xbig5 big5eten bigfive big5hk"),
            ("CP950", .other, "cp950 ms950 windows950"),
            (
                "CP949", .other,
                "euckr ksc56011987 ksc56011989 ksc5601 ksx1001 korean cp949 uhc windows949 ms949 isoir149"
            ),
            (
                "CP932", .other,
                "shiftjis sjis windows31j cp932 ms932 windows932 mskanji shiftjisms"
            ),
            ("EUC-JP-MS", .other, "eucjp euc ujis eucjpms eucjpwin cp51932 eucpkdfmtjapanese"),
        ]
        var table: [String: (String, Form)] = [:]
        for row in rows {
            for key in row.keys.split(separator: " ") { table[String(key)] = (row.name, row.form) }
        }
        return table
    }()

    /// Returns whether the C library supports an encoding and it is a superset of ASCII.
    private static func extendsASCII(_ name: String) -> Bool {
        guard let converter = Iconv(from: name) else { return false }
        var ascii: [UInt8] = [0x09, 0x0A, 0x0D] + Array(0x0E...0x7E)
        var output = [UInt8](repeating: 0, count: 512)
        let step = converter.convert(&ascii, 0..<ascii.count, to: &output, 0..<output.count)
        return step.outcome == .consumedAll && output[..<step.produced].elementsEqual(ascii)
    }
}

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool { (self | 0x20) &- 0x61 < 26 || self &- 0x30 < 10 }
}

/// Names of encodings.
package enum EncodingNames {
    /// Returns the canonical name of an encoding, such as `windows-1252` for `latin1`, or `nil` if it is unknown or not
    /// a superset of ASCII.
    ///
    /// - Parameter label: Any name in use. Only its letters and digits count, ignoring case.
    package static func canonical(_ label: String) -> String? { NamedEncoding(label)?.name }

    /// The encodings common in guides, as a phrase for messages.
    package static let examples =
        "UTF-8, UTF-16, UTF-32, windows-1250 to windows-1258, ISO-8859-1 to ISO-8859-16, KOI8-R, KOI8-U, GB18030, Big5, "
        + "Shift_JIS, EUC-JP, EUC-KR, and names in “iconv -l” that extend ASCII"
}
