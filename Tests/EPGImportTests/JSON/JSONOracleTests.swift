import EPGJSON
import EPGImport
import Foundation
import Testing

/// What Python's `json` module says of a document is what the scanner says.
@Suite(.enabled(if: Python.isThere, "python3 isn't here"))
struct JSONOracleTests {
    /// Reads documents, a hexadecimal line each, and prints their trees as `JSONReading.text(of:)` does, or `-`.
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
        for (index, (document, wanted)) in zip(documents, expected).enumerated() {
            let chunk = [1, 3, 17, Int.max][index % 4]
            let text = String(decoding: document, as: UTF8.self)
            #expect(reading(document, chunk, JSONReading.rewritten) == wanted, "\(text)")
            #expect(reading(document, chunk, JSONReading.streamed) == wanted, "\(text)")
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

    @Test func randomDocumentsAreReadAlike() throws {
        var random = RandomJSON(seed: 7)
        try compare((0..<400).map { _ in random.document() })
    }

    /// Random documents with a few bytes changed: most are not well-formed, some not UTF-8.
    @Test func damagedDocumentsAreReadAlike() throws {
        var random = RandomJSON(seed: 11)
        try compare((0..<800).map { _ in random.damagedDocument() })
    }

    @Test func handwrittenCasesAreReadAlike() throws {
        let documents = JSONScannerTests.wellFormed.map(\.text) + JSONScannerTests.notWellFormed
        try compare(documents.filter { !$0.hasPrefix("\u{FEFF}") }.map { Array($0.utf8) })
    }
}

/// Random JSON documents.
struct RandomJSON {
    private var generator: NormaliserGenerator

    init(seed: UInt64) {
        generator = NormaliserGenerator(seed: seed)
    }

    mutating func document() -> [UInt8] {
        Array((space() + value(depth: 5) + space()).utf8)
    }

    /// A document with one to three bytes changed, put in or taken out; ASCII bytes only.
    mutating func damagedDocument() -> [UInt8] {
        var bytes = document()
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let place = Int.random(in: 0...bytes.count, using: &generator)
            let marks = Array("{}[],:\"\\0123456789.eE+-truefalsnull \n\t\u{1}x/".utf8)
            let mark = marks[Int.random(in: 0..<marks.count, using: &generator)]
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: bytes.insert(mark, at: place)
            case 1 where place < bytes.count && bytes[place] < 0x80: bytes[place] = mark
            case 2 where place < bytes.count && bytes[place] < 0x80: bytes.remove(at: place)
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
