import EPGImport
import Foundation
import TestSupport
import Testing

/// Python's `unicodedata` and `str.casefold`, if Python and the library are installed.
enum PythonUnicode {
    /// Prints `code points;NFC fold;NFKC fold without separators` for each `step`th character that Python knows (a sample of
    /// those without case and compatibility forms), and for strings of a few of those that change. Strings omit the
    /// iota subscript (U+0345), whose folding takes one more pass than the library makes (Unicode 15, 3.13).
    private static let script = #"""
        import random, sys, unicodedata as u
        step = int(sys.argv[1])
        def code(s): return ' '.join('%X' % ord(c) for c in s)
        def canonical(s): return u.normalize('NFC', u.normalize('NFC', u.normalize('NFD', s).casefold()))
        def compatible(s):
            for _ in range(4): s = u.normalize('NFKC', u.normalize('NFD', s).casefold())
            return s
        def without(s): return ''.join(c for c in s if not (c.isspace() and c not in '\x1c\x1d\x1e\x1f') and c not in '-_.')
        changing = []
        def line(s): print(code(s), code(canonical(s)), code(without(compatible(s))), sep=';')
        for point in range(1, 0x110000, step):
            c = chr(point)
            category = u.category(c)
            if category in ('Cn', 'Cs', 'Co'): continue
            if (0x3400 <= point < 0xA000 or 0xAC00 <= point < 0xD7B0 or point >= 0x17000) and point % 16: continue
            if (compatible(c) != c or u.combining(c)) and '\u0345' not in u.normalize('NFKD', c): changing.append(c)
            line(c)
        random.seed(3)
        for _ in range(5000 // step): line(''.join(random.choice(changing) for _ in range(random.randint(2, 6))))
        """#

    static func output(step: Int) throws -> String {
        String(decoding: try TestProgram.output(of: "python3", ["-c", script, "\(step)"]), as: UTF8.self)
    }
}

/// Normalized forms of identifiers and names.
@Suite(.needs(.programs("python3"), .utf8proc))
struct NameFoldingTests {
    /// In smaller runs, only one in seven characters.
    @Test func everyCharacterIsFoldedAsInPython() throws {
        let step = TestScope.current >= .integration ? 1 : 7
        var differences: [String] = []
        var count = 0
        for line in try PythonUnicode.output(step: step).split(separator: "\n") {
            let fields = line.split(separator: ";", omittingEmptySubsequences: false).map { Self.scalars($0) }
            let text = fields[0]
            // Python can't determine default-ignorable characters.
            if text.unicodeScalars.contains(where: { $0.properties.isDefaultIgnorableCodePoint }) { continue }
            if fields[2].unicodeScalars.contains(where: { $0.properties.isDefaultIgnorableCodePoint }) { continue }
            count += 1
            let isEqual =
                Self.equal(NameFolding.folded(text) ?? "", fields[1])
                && Self.equal(NameFolding.normalized(text) ?? "", fields[2])
            if !isEqual { differences.append(String(line)) }
        }
        #expect(count > 30_000 / step)
        expectEmpty(differences, "\(differences.count): \(differences.prefix(20))")
    }

    @Test func ignorableCharactersAreRemoved() {
        expectEqual(NameFolding.normalized("a\u{AD}b\u{200B}\u{FEFF}c\u{200F}d\u{FE0F}"), "abcd")
        expectEqual(NameFolding.normalized("\u{200B} - "), nil)
    }

    private static func scalars(_ field: Substring) -> String {
        String(
            String.UnicodeScalarView(
                field.split(separator: " ").compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }))
    }

    /// Compares bytes, because `String` treats canonically equivalent texts as equal.
    private static func equal(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
}
