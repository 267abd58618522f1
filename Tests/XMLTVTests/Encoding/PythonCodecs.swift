import Foundation

/// The codecs of a Python that is installed.
enum PythonCodecs {
    static let program = ["/usr/bin/python3", "/usr/local/bin/python3"].first { Program.exists($0) }
    static var isAvailable: Bool { program != nil }

    private static let script = """
        import sys
        codec, lines = sys.argv[1], []
        for code in list(range(0xA0, 0xD800)) + list(range(0xF900, 0x10000)):
            try:
                coded = chr(code).encode(codec)
                # Without what is only approximated, and without Hangul that is spelt in eight bytes.
                if coded.decode(codec) == chr(code) and len(coded) <= 4: lines.append((coded, chr(code)))
            except UnicodeError: pass
        bytes = b'\\n'.join(b for b, c in lines)
        text = '\\n'.join(c for b, c in lines).encode('utf-8')
        sys.stdout.buffer.write(b'%d\\n' % len(bytes) + bytes + text)
        """

    /// All characters that a codec can write and read, one on each line: its bytes, and their meaning.
    static func repertoire(of codec: String) throws -> (bytes: [UInt8], text: String) {
        let output = try Program.output(of: program ?? "", ["-c", script, codec])
        let end = output.firstIndex(of: UInt8(ascii: "\n")) ?? 0
        let count = Int(String(decoding: output[..<end], as: UTF8.self)) ?? 0
        let bytes = Array(output[(end + 1)...].prefix(count))
        return (bytes, String(decoding: output[(end + 1 + count)...], as: UTF8.self))
    }
}
