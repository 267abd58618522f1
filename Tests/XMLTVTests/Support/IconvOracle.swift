import Glibc

/// One-shot conversions by the C library, without code of the reader.
enum IconvOracle {
    /// Converts a document in another encoding to UTF-8 for libexpat, which supports only a few.
    ///
    /// - Returns: `nil` if the bytes are invalid in that encoding.
    static func utf8(of bytes: [UInt8], from encoding: String) -> [UInt8]? {
        convert(bytes, from: encoding, to: "UTF-8")
    }

    /// Converts a text to another encoding.
    ///
    /// - Returns: `nil` if the encoding lacks one of its characters.
    static func bytes(of text: String, in encoding: String) -> [UInt8]? {
        convert(Array(text.utf8), from: "UTF-8", to: encoding)
    }

    private static func convert(_ bytes: [UInt8], from source: String, to target: String) -> [UInt8]? {
        let descriptor = iconv_open(target, source)
        guard Int(bitPattern: descriptor) != -1 else { return nil }
        defer { iconv_close(descriptor) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: bytes.count * 6 + 64)
        let produced = input.withUnsafeMutableBytes { source in
            output.withUnsafeMutableBytes { target -> Int? in
                var next: UnsafeMutablePointer<CChar>? = source.baseAddress?.assumingMemoryBound(to: CChar.self)
                var free: UnsafeMutablePointer<CChar>? = target.baseAddress?.assumingMemoryBound(to: CChar.self)
                var inputLeft = source.count
                var outputLeft = target.count
                guard iconv(descriptor, &next, &inputLeft, &free, &outputLeft) != -1,
                    iconv(descriptor, nil, nil, &free, &outputLeft) != -1
                else { return nil }
                return target.count - outputLeft
            }
        }
        return produced.map { Array(output[..<$0]) }
    }

    /// Returns the iconv name for a document that declares a wide encoding without a byte order, given its first bytes.
    static func name(for declared: String, _ bytes: [UInt8]) -> String {
        let family = declared.uppercased()
        let isWide = family.hasPrefix("UTF-16") || family.hasPrefix("ISO-10646-UCS-2") || family == "UCS-2"
        guard isWide, bytes.count >= 2 else { return declared }
        return bytes[0] == 0xFF || bytes[0] == 0x3C ? "UTF-16LE" : "UTF-16BE"
    }
}
