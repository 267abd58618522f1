import EPGImport
import EPGJSON
import EPGModel
import Foundation
import TestSupport
import Testing
import XMLTV

@Suite struct JSONScannerTests {
    /// Well-formed documents (RFC 8259) and their trees.
    static let wellFormed: [(text: String, tree: String)] = [
        ("[]", "[]"), ("{}", "{}"), (" [ ] ", "[]"), ("\t{\r\n}\n", "{}"), ("null", "null"), ("true", "true"),
        ("false", "false"), ("\"\"", "<>"), ("[null,true,false]", "[null,true,false]"), ("[[[]],{}]", "[[[]],{}]"),
        ("{\"a\":{\"b\":[]}}", "{<97>:{<98>:[]}}"), ("{\"\":0}", "{<>:n0}"), ("{\"a\":1,\"a\":2}", "{<97>:n2}"),
        ("0", "n0"), ("-0", "n-0"), ("42", "n42"), ("-1.5e+10", "n-1.5e+10"), ("1E3", "n1E3"), ("1e-05", "n1e-05"),
        ("0.0001", "n0.0001"), ("[123456789012345678901234567890]", "[n123456789012345678901234567890]"),
        ("\"\\u0041\\n\\t\\b\\f\\r\\/\\\\\\\"\"", "<65 10 9 8 12 13 47 92 34>"), ("\"\\ud83c\\udfac\"", "<127916>"),
        ("\"\\uD83C\\uDFAC\"", "<127916>"), ("\"\\ud83c\"", "<65533>"), ("\"\\udfac\\ud83c\"", "<65533 65533>"),
        ("\"\\ud83cx\"", "<65533 120>"), ("\"\\ud83c\\ud83c\\udfac\"", "<65533 127916>"), ("\"\\u0000\"", "<0>"),
        ("\"é新🎬\"", "<233 26032 127916>"), ("\"\u{7F}\u{2028}\"", "<127 8232>"), ("\"/\"", "<47>"),
        ("\u{FEFF}[1]", "[n1]"),
    ]

    @Test(arguments: wellFormed.indices, [1, 2, 3, 7, 64, .max])
    func wellFormedDocumentIsParsed(_ index: Int, chunk: Int) throws {
        let (text, tree) = Self.wellFormed[index]
        try expectEqual(JSONReading.rewritten(Array(text.utf8), chunk: chunk), tree)
        try expectEqual(JSONReading.streamed(Array(text.utf8), chunk: chunk), tree)
        try JSONReading.skips(Array(text.utf8), chunk: chunk)
    }

    /// Documents each of which breaks one rule of RFC 8259.
    static let notWellFormed = [
        "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1:2]", "[1}", "{1:2}", "{\"a\"}",
        "{\"a\":}", "{\"a\":1,}", "{,\"a\":1}", "{\"a\":1 \"b\":2}", "{\"a\" 1}", "{\"a\",1}", "{\"a\":1]", "{a:1}",
        "{'a':1}", "{null:1}", "[1]x", "[]]", "{}}", "1]", "[1]#", "nul", "nulll", "True", "NaN", "[Infinity]",
        "[-Infinity]", "+1", "[.5]", "[5.]", "[1.e1]", "[01]", "[-01]", "012", "[1e]", "[1e+]", "[1E-]", "[-]", "[--1]",
        "[1+2]", "[0x10]", "[1.2.3]", "[1e1.5]", "[1a]", "[1_000]", "\"", "\"a", "\"\\", "\"\\u", "\"\\u12\"",
        "\"\\u12g4\"", "\"\\x41\"", "\"\\a\"", "\"\\'\"", "'a'", "\"a\nb\"", "\"a\tb\"", "\"\u{1F}\"", "[\"\u{0}\"]",
        "[\u{C}]", "[\u{A0}1]", "\u{FEFF}\u{FEFF}1", "/* c */1", "[1]//", "// c\n1", "[<]", "[*]", "é", "[é]", "[1é]",
        "{\"a\":\"b\"}/**/", "[\"x\"", "{\"x\":null", "undefined", "[tru]", "[true", "fals", "[1],", ",", ":",
    ]

    @Test(arguments: notWellFormed, [1, 3, .max])
    func malformedDocumentIsRejected(_ text: String, chunk: Int) {
        let bytes = Array(text.utf8)
        expectThrows(JSONError.self) { try JSONReading.rewritten(bytes, chunk: chunk) }
        expectThrows(JSONError.self) { try JSONReading.streamed(bytes, chunk: chunk) }
        expectThrows(JSONError.self) { try JSONReading.skips(bytes, chunk: chunk) }
    }

    /// Wherever a document is truncated, the scanner rejects it, and the error says so.
    @Test func everyTruncationIsReportedAsTruncated() throws {
        let text =
            "{\"title\": [\"N\\u00e9ws\", {\"@lang\": \"de\"}], \"n\": -1.5e+3, \"ok\": true, \"no\": null, \"x\": {}}"
        let bytes = Array(text.utf8)
        _ = try JSONReading.rewritten(bytes)
        for length in 1..<bytes.count {
            let error = expectThrows(JSONError.self) { try JSONReading.rewritten(Array(bytes[..<length])) }
            expectEqual(error?.isTruncated, true, "\(length) bytes: \(String(describing: error))")
        }
    }

    @Test(arguments: [
        ("[1,\n 2,\n  x]", 3, 3, "expected a value"),
        ("{\"a\": 1\n \"b\": 2}", 2, 2, "expected a comma or '}'"),
        ("\n\n[\"a\tb\"]", 3, 4, "unescaped control character U+0009 in a string"),
        ("[\"\\q\"]", 1, 4, "unknown escape sequence; write a backslash as \\\\"),
        ("[1.]", 1, 4, "malformed number"),
        ("[\n1", 2, 2, "the document is truncated: it ends within an array"),
    ])
    func errorHasPositionAndReason(_ text: String, line: Int, column: Int, message: String) {
        let error = expectThrows(JSONError.self) { try JSONReading.rewritten(Array(text.utf8)) }
        expectEqual(error?.line, line)
        expectEqual(error?.column, column)
        expectEqual(error?.description, "line \(line), column \(column): \(message)")
    }

    /// Invalid UTF-8 is repaired as in Swift's standard library, and the record reports it.
    @Test(
        arguments: [
            [0xFF], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3],
            [0xE6, 0x96],
            [0x80], [0xF0, 0x9F, 0x8E], [0xF4, 0x90, 0x80, 0x80], [0xE9, 0x20],
        ] as [[UInt8]])
    func illFormedTextIsRepaired(_ piece: [UInt8]) throws {
        let bytes = Array("[\"a".utf8) + piece + Array("\", \"b\"]".utf8)
        for chunk in [1, 2, 3, Int.max] {
            var scanner = JSONScanner(JSONReading.source(bytes, chunk: chunk))
            _ = try scanner.nextDocument()
            let value = try scanner.readValue()
            expectEqual(value.elements.map(\.string), ["a" + String(decoding: piece, as: UTF8.self), "b"])
            expectEqual(value.hasIllFormedText, true)
        }
        var valid = JSONScanner(JSONReading.source(Array("[\"é\"]".utf8)))
        _ = try valid.nextDocument()
        try expectEqual(valid.readValue().hasIllFormedText, false)
    }

    @Test(
        arguments: [
            ("UTF-16LE", [0xFF, 0xFE, 0x5B, 0x00]), ("UTF-16BE", [0xFE, 0xFF, 0x00, 0x5B]),
            ("UTF-16LE", [0x5B, 0x00, 0x5D, 0x00]), ("UTF-16BE", [0x00, 0x5B, 0x00, 0x5D]),
            ("UTF-32LE", [0xFF, 0xFE, 0x00, 0x00]), ("UTF-32BE", [0x00, 0x00, 0xFE, 0xFF]),
        ] as [(String, [UInt8])])
    func otherEncodingsAreNamed(_ name: String, _ bytes: [UInt8]) {
        let error = expectThrows(JSONError.self) { try JSONReading.rewritten(bytes) }
        expectEqual(error?.reason, .encoding(name))
    }

    @Test func concatenatedDocumentsAreRead() throws {
        var scanner = JSONScanner(JSONReading.source(Array("{\"a\":1}\n\n[2]{}\r\n3 \"x\"".utf8), chunk: 2))
        var trees: [String] = []
        while try scanner.nextDocument() { trees.append(JSONReading.text(of: try scanner.readValue())) }
        expectEqual(trees, ["{<97>:n1}", "[n2]", "{}", "n3", "<120>"])
    }

    @Test func numbersAreReadExactly() throws {
        var scanner = JSONScanner(
            JSONReading.source(Array("[9223372036854775807, 9223372036854775808, 1.5, 1e3, 1e999, \"12\", \"x\"]".utf8))
        )
        _ = try scanner.nextDocument()
        let nodes = try scanner.readValue().elements
        expectEqual(nodes.map(\.integer), [.max, nil, nil, nil, nil, 12, nil])
    }
}

/// Tests that the scanner agrees with Python's `json` module on every document.
@Suite(.needs(.programs("python3")))
struct JSONOracleTests {
    /// Reads documents, one hexadecimal line each, and prints their trees like `JSONReading.text(of:)`, or `-`.
    private static let program = """
        import json, sys
        def text(v):
            if v is None: return "null"
            if v is True: return "true"
            if v is False: return "false"
            if isinstance(v, tuple): return "n" + v[0]
            if isinstance(v, str):
                v = v.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
                return "<" + " ".join(str(ord(c)) for c in v) + ">"
            if isinstance(v, list): return "[" + ",".join(map(text, v)) + "]"
            return "{" + ",".join(text(k) + ":" + text(x) for k, x in v.items()) + "}"
        def refuse(word): raise ValueError(word)
        number = lambda digits: (digits,)
        for line in sys.stdin:
            data = bytes.fromhex(line.strip())
            try:
                tree = json.loads(data.decode("utf-8", "replace"), parse_int=number,
                                  parse_float=number, parse_constant=refuse)
                print(text(tree))
            except (ValueError, RecursionError):
                print("-")
        """

    private func compare(_ documents: [[UInt8]]) throws {
        let lines = documents.map { $0.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "\n" }
        let output = try Python.output(of: Self.program, input: Array(lines.joined().utf8))
        let expected = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        try #require(expected.count == documents.count)
        for (index, (document, wanted)) in zip(documents, expected.map(String.init)).enumerated() {
            let chunk = [1, 3, 17, Int.max][index % 4]
            let text = String(decoding: document, as: UTF8.self)
            expectEqual(reading(document, chunk, JSONReading.rewritten), wanted, text)
            expectEqual(reading(document, chunk, JSONReading.streamed), wanted, text)
        }
    }

    private func reading(
        _ document: [UInt8], _ chunk: Int, _ read: ([UInt8], Int) throws(JSONError) -> String
    ) -> String {
        do throws(JSONError) {
            return try read(document, chunk)
        } catch {
            return "-"
        }
    }

    @Test func randomDocumentsMatchOracle() throws {
        var random = RandomJSON(seed: 7)
        try compare((0..<400).map { _ in random.document() })
    }

    /// Random documents with a few changed bytes: most are malformed, some are not UTF-8.
    @Test func damagedDocumentsMatchOracle() throws {
        var random = RandomJSON(seed: 11)
        try compare((0..<800).map { _ in random.damagedDocument() })
    }

    @Test func handwrittenCasesMatchOracle() throws {
        let documents = JSONScannerTests.wellFormed.map(\.text) + JSONScannerTests.notWellFormed
        try compare(documents.filter { !$0.hasPrefix("\u{FEFF}") }.map { Array($0.utf8) })
    }
}

/// Random JSON documents.
struct RandomJSON {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func document() -> [UInt8] {
        Array((space() + value(depth: 5) + space()).utf8)
    }

    /// Returns a document with one to three ASCII bytes changed, inserted, or removed.
    mutating func damagedDocument() -> [UInt8] {
        var bytes = document()
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let index = Int.random(in: 0...bytes.count, using: &generator)
            let marks = Array("{}[],:\"\\0123456789.eE+-truefalsnull \n\t\u{1}x/".utf8)
            let mark = marks[Int.random(in: 0..<marks.count, using: &generator)]
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: bytes.insert(mark, at: index)
            case 1 where index < bytes.count && bytes[index] < 0x80: bytes[index] = mark
            case 2 where index < bytes.count && bytes[index] < 0x80: bytes.remove(at: index)
            default: break
            }
        }
        return bytes
    }

    private mutating func pick<Element>(_ list: [Element]) -> Element {
        list[Int.random(in: 0..<list.count, using: &generator)]
    }

    private mutating func space() -> String { pick(["", "", "", " ", "\n", "\r\n\t", "  "]) }

    private mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
        case 0: return pick(["null", "true", "false"])
        case 1, 2: return number()
        case 3, 4, 5: return string()
        case 6, 7:
            var members: [String] = []
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                members.append(space() + string() + space() + ":" + space() + value(depth: depth - 1) + space())
            }
            return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
        default:
            var elements: [String] = []
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                elements.append(space() + value(depth: depth - 1) + space())
            }
            return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
        }
    }

    private mutating func number() -> String {
        pick(["", "-"]) + pick(["0", "7", "10", "123456789012345678901234567890"]) + pick(["", "", ".0", ".25"])
            + pick(["", "", "e5", "E+10", "e-3"])
    }

    private mutating func string() -> String {
        let pieces = [
            "a", "key", "é", "新闻", "🎬", " ", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\u0000", "\\uD83C\\uDFAC",
            "\\ud800", "\\uDC00", "\u{2028}", "\u{7F}", "x\\u0041y", String(repeating: "long ", count: 30),
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0...4, using: &generator) { text += pick(pieces) }
        return "\"\(text)\""
    }
}
