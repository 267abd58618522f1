import Testing
import XMLTV

/// Every character of every encoding, as Python's codecs have it, which share no code with the C library.
@Suite(.enabled(if: PythonCodecs.isAvailable, "needs python3"))
struct CodecComparisonTests {
    static let encodings =
        (1...16).filter { $0 != 12 }.map { ("ISO-8859-\($0)", "iso8859_\($0)") }
        + (1250...1258).map { ("windows-\($0)", "cp\($0)") } + [
            ("KOI8-R", "koi8_r"), ("KOI8-U", "koi8_u"), ("TIS-620", "cp874"), ("macintosh", "mac_roman"),
            ("GB18030", "gb18030"), ("GBK", "gbk"), ("GB2312", "gb2312"), ("Big5", "big5hkscs"), ("cp950", "cp950"),
            ("EUC-KR", "euc_kr"), ("x-windows-949", "cp949"), ("EUC-JP", "euc_jp"), ("Shift_JIS", "cp932"),
        ]

    /// Characters that the two read differently, by code point.
    static func isDocumented(_ scalar: Unicode.Scalar, _ encoding: String) -> Bool {
        switch (encoding, scalar.value) {
        // Controls, where windows-125x has characters.
        case ("ISO-8859-1", 0x80...0x9F), ("ISO-8859-9", 0x80...0x9F), ("ISO-8859-11", 0x80...0x9F): true
        // An increment, or a capital delta.
        case ("macintosh", 0x2206): true
        // Python has GB 18030 of 2000: these had other bytes in it.
        case ("GB18030", 0x1E3F), ("GB18030", 0x9FB4...0x9FBB), ("GB18030", 0xFE10...0xFE19): true
        // A dash and a middle dot, which are U+2014 and U+00B7 in GBK and GB 18030.
        case ("GB2312", 0x2015), ("GB2312", 0x30FB): true
        // Kana, Cyrillic and signs of ETEN's extension, which Microsoft's code page has for private use.
        case ("cp950", 0x401...0x451), ("cp950", 0x2003...0x3129): true
        // Three that Hong Kong's set leaves out.
        case ("Big5", 0x2CD), ("Big5", 0x2574), ("Big5", 0xFFE3): true
        // Seven signs that Windows has in full width.
        case ("EUC-JP", 0xA2...0xAC), ("EUC-JP", 0x2016), ("EUC-JP", 0x2212), ("EUC-JP", 0x301C): true
        default: false
        }
    }

    @Test(arguments: encodings)
    func everyCharacterIsRead(_ encoding: String, codec: String) throws {
        let (bytes, text) = try PythonCodecs.repertoire(of: codec)
        let head = "<?xml version='1.0' encoding='\(encoding)'?>\n"
        let run = DecodingRun(Array(head.utf8) + bytes)
        let theirs = text.split(separator: "\n").map(String.init)
        let ours = String(run.text.dropFirst(head.count)).split(separator: "\n").map(String.init)
        #expect(theirs.count == ours.count && theirs.count > 30)
        var different: [String] = []
        for (their, our) in zip(theirs, ours) where their != our {
            guard let scalar = their.unicodeScalars.first, !Self.isDocumented(scalar, encoding) else { continue }
            different.append("U+\(String(scalar.value, radix: 16)) is read as \(our.unicodeScalars.map(\.value))")
        }
        #expect(different.isEmpty, "\(different.count): \(different.prefix(12))")
    }
}
