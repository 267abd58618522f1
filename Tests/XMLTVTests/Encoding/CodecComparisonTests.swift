import Foundation
import TestSupport
import Testing
import XMLTV

/// Every character of every encoding, compared with Python's codecs, which share no code with the C library. In smaller runs,
/// a sample of the characters of encodings with several bytes per character.
@Suite(.needs(.programs("python3")))
struct CodecComparisonTests {
    static let singleByteEncodings: [(String, String)] = {
        var encodings: [(String, String)] = [
            ("KOI8-R", "koi8_r"), ("KOI8-U", "koi8_u"), ("TIS-620", "cp874"), ("macintosh", "mac_roman"),
        ]
        for part in 1...16 where part != 12 { encodings.append(("ISO-8859-\(part)", "iso8859_\(part)")) }
        for page in 1250...1258 { encodings.append(("windows-\(page)", "cp\(page)")) }
        return encodings
    }()
    static let multiByteEncodings: [(String, String)] = [
        ("GB18030", "gb18030"), ("GBK", "gbk"), ("GB2312", "gb2312"), ("Big5", "big5hkscs"), ("cp950", "cp950"),
        ("EUC-KR", "euc_kr"), ("x-windows-949", "cp949"), ("EUC-JP", "euc_jp"), ("Shift_JIS", "cp932"),
    ]

    /// Whether the C library and Python are known to decode a character differently.
    static func isDocumented(_ scalar: Unicode.Scalar, _ encoding: String) -> Bool {
        switch (encoding, scalar.value) {
        // Control characters in place of windows-125x characters.
        case ("ISO-8859-1", 0x80...0x9F), ("ISO-8859-9", 0x80...0x9F), ("ISO-8859-11", 0x80...0x9F): true
        // An increment, or a capital delta.
        case ("macintosh", 0x2206): true
        // Python has GB 18030 of 2000, in which these have different bytes.
        case ("GB18030", 0x1E3F), ("GB18030", 0x9FB4...0x9FBB), ("GB18030", 0xFE10...0xFE19): true
        // A dash and a middle dot, which are U+2014 and U+00B7 in GBK and GB 18030.
        case ("GB2312", 0x2015), ("GB2312", 0x30FB): true
        // Kana, Cyrillic, and symbols of the ETEN extension, which Microsoft's code page maps to the private use area.
        case ("cp950", 0x401...0x451), ("cp950", 0x2003...0x3129): true
        // Three characters that the Hong Kong set lacks.
        case ("Big5", 0x2CD), ("Big5", 0x2574), ("Big5", 0xFFE3): true
        // Seven symbols that Windows maps to full-width forms.
        case ("EUC-JP", 0xA2...0xAC), ("EUC-JP", 0x2016), ("EUC-JP", 0x2212), ("EUC-JP", 0x301C): true
        default: false
        }
    }

    @Test(arguments: singleByteEncodings + multiByteEncodings)
    func everyCharacterOfEveryCodecIsRead(_ encoding: String, codec: String) throws {
        let (bytes, text) = try #require(try PythonCodecs.repertoires.get()[codec])
        let head = "<?xml version='1.0' encoding='\(encoding)'?>\n"
        let run = DecodingRun(Array(head.utf8) + bytes)
        let theirs = text.split(separator: "\n").map(String.init)
        let ours = String(run.text.dropFirst(head.count)).split(separator: "\n").map(String.init)
        expectEqual(theirs.count, ours.count)
        #expect(theirs.count > 30)
        var different: [String] = []
        for (their, our) in zip(theirs, ours) where their != our {
            guard let scalar = their.unicodeScalars.first, !Self.isDocumented(scalar, encoding) else { continue }
            different.append("U+\(String(scalar.value, radix: 16)) is read as \(our.unicodeScalars.map(\.value))")
        }
        expectEmpty(different, "\(different.count): \(different.prefix(12))")
    }
}

/// The codecs of an installed Python.
enum PythonCodecs {
    private static let script = """
        import sys
        multi_byte_step = int(sys.argv[1])
        all_codes = list(range(0xA0, 0xD800)) + list(range(0xF900, 0x10000))
        for argument in sys.argv[2:]:
            is_single_byte, codec, lines = argument[0] == '1', argument[1:], []
            if is_single_byte:
                # Only these can be encoded.
                codes = sorted(set(map(ord, bytes(range(0x80, 0x100)).decode(codec, 'ignore'))).intersection(all_codes))
            else:
                codes = all_codes[::multi_byte_step]
            for code in codes:
                try:
                    coded = chr(code).encode(codec)
                    # Omit characters that the codec only approximates, and Hangul in the eight-byte form.
                    if coded.decode(codec) == chr(code) and len(coded) <= 4: lines.append((coded, chr(code)))
                except UnicodeError: pass
            encoded = b'\\n'.join(b for b, c in lines)
            text = '\\n'.join(c for b, c in lines).encode('utf-8')
            sys.stdout.buffer.write(b'%s %d %d\\n' % (codec.encode(), len(encoded), len(text)) + encoded + text)
        """

    /// The characters that each codec can encode and decode, one per line: the bytes and the text. For encodings with several
    /// bytes per character, smaller runs have only one in 17 code points.
    static let repertoires = Result {
        let step = TestScope.current >= .integration ? 1 : 17
        let output = try TestProgram.output(
            of: "python3",
            ["-c", script, "\(step)"] + CodecComparisonTests.singleByteEncodings.map { "1\($0.1)" }
                + CodecComparisonTests.multiByteEncodings.map { "2\($0.1)" })
        var repertoires: [String: (bytes: [UInt8], text: String)] = [:]
        var rest = output[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let header = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
            let counts = header.dropFirst().compactMap { Int($0) }
            rest = rest[(end + 1)...]
            repertoires[String(header[0])] = (
                Array(rest.prefix(counts[0])),
                String(decoding: rest.dropFirst(counts[0]).prefix(counts[1]), as: UTF8.self)
            )
            rest = rest.dropFirst(counts[0] + counts[1])
        }
        return repertoires
    }
}
