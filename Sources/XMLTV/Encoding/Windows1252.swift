/// The encoding windows-1252 (WHATWG Encoding, index windows-1252; the Unicode Consortium's table CP1252.TXT).
package enum Windows1252 {
    /// Returns the character of a byte, or U+FFFD for the five unassigned bytes.
    package static func character(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        return Unicode.Scalar(controls[Int(byte) - 0x80]) ?? "\u{FFFD}"
    }

    /// The characters of 0x80 to 0x9F.
    private static let controls: [UInt16] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
        0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0xFFFD, 0x017E, 0x0178,
    ]
}
