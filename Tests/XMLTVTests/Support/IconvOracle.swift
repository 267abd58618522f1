import Glibc

/// Conversions at once by the C library, without the reader's code.
enum IconvOracle {
    /// The UTF-8 of a document in another encoding, for libexpat, which knows only a few.
    ///
    /// - Returns: `nil` where the bytes are none of that encoding.
    static func utf8(of bytes: [UInt8], from encoding: String) -> [UInt8]? {
        convert(bytes, from: encoding, to: "UTF-8")
    }

    /// A text in another encoding.
    ///
    /// - Returns: `nil` where the encoding lacks a character of it.
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

    /// The name by which iconv reads a document as its first bytes demand, where it declares a wide encoding without
    /// the order of the bytes.
    static func name(for declared: String, _ bytes: [UInt8]) -> String {
        let family = declared.uppercased()
        let isWide = family.hasPrefix("UTF-16") || family.hasPrefix("ISO-10646-UCS-2") || family == "UCS-2"
        guard isWide, bytes.count >= 2 else { return declared }
        return bytes[0] == 0xFF || bytes[0] == 0x3C ? "UTF-16LE" : "UTF-16BE"
    }
}
