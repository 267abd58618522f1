import TestSupport
import Testing

@testable import EPGConfig

/// Tests that malicious files and files of other programs cause clear error messages in bounded time.
@Suite("Hostile files")
struct HostileFileTests {
    /// The text of a file, the line of its error and a part of the error message.
    @Test(arguments: [
        ("a: &a [x, x]\nb: &b [*a, *a]\n", 2, "begins with *, which is an alias in YAML"),
        ("? *a\n: b\n", 1, "*a: unknown setting"),
        ("title: &a x\nzone: *a\n", 2, "“*a” begins with *"),
        ("<<: *a\ntitle: b\n", 1, "“*a” begins with *"),
        ("title: a\n\ttitle: b\n", 2, "YAML must be indented with spaces, not tabs"),
        ("log:\n\tlevel: info\n", 2, "YAML must be indented with spaces"),
        ("title: %x\n", 1, "text that begins with % must be in quotes"),
        ("title: `x`\n", 1, "text that begins with ` must be in quotes"),
        ("title: \"a\n", 2, "invalid YAML"),
        ("title: a: b\n", 1, "invalid YAML"),
        ("title: a\n---\ntitle: b\n", 2, "a second document begins here; a configuration file has only one"),
        ("log:\n  level: info\n  # level\n  format: text\n  level: debug\n", 5, "duplicate key level, first on line 2"),
        ("log:\n  level: info\ntitle: a\n\"title\": b\n", 4, "duplicate key title, first on line 3; remove one"),
        ("log: {level: info, level: debug}\n", 1, "duplicate key level; remove one"),
        ("? [a, b]\n: c\n", 1, "a key must be text"),
        ("? {a: b}\n: c\n", 1, "a key must be text"),
        ("title: a\nzone: \u{7}\n", 2, "invalid control character (U+0007); remove it"),
        ("title: a\nzone: \0\n", 2, "invalid control character (U+0000)"),
        ("title: \u{9B}31m\n", 1, "invalid control character (U+009B)"),
        ("- a\n", 1, "expected settings as “key: value”"),
        ("text\n", 1, "expected settings as “key: value”"),
        ("\"\": x\n", 1, "unknown setting"),
        ("log:\n  \"\": x\n", 2, "unknown setting"),
        ("!!binary x: y\n", 1, "x: unknown setting"),
    ]) func errorsNameTheLine(text: String, line: Int, part: String) {
        let errors = ConfigurationReader.errors(of: text)
        #expect(errors.contains { $0.hasPrefix("/f/epg.yml:\(line): ") && $0.contains(part) }, "\(errors)")
    }

    @Test(arguments: [
        ("\u{FEFF}title: a\n", "a"), ("title: a\r\nretention: 3\r\n", "a"), ("title: \"*a\"\n", "*a"),
        ("title: a * b & c\n", "a * b & c"), ("title: \u{E000}*\u{E001}\n", "\u{E000}*\u{E001}"),
        ("title: !!str 5\n", "5"),
        ("title: 'it''s'\n", "it's"), ("title: >-\n  a\n  *b\n", "a *b"), ("%YAML 1.1\n---\ntitle: a\n...\n", "a"),
        ("title: \"null\"\n", "null"), ("title: yes\n", "yes"),
    ]) func unusualYAMLIsAccepted(text: String, title: String) throws {
        let findings = try ConfigurationReader.ofTexts(["/f/epg.yml": text]).check(file: "/f/epg.yml")
        #expect(findings.configuration.title == title)
    }

    /// Thirty lists, each with ten aliases of the previous one. The key would have 10³⁰ texts.
    private static var aliasBomb: String {
        var text = "a0: &a0 x\n"
        for level in 1...30 {
            let alias = "*a\(level - 1),"
            text += "a\(level): &a\(level) [\(String(repeating: alias, count: 10))]\n"
        }
        return text + "? *a30\n: b\n"
    }

    /// A text with a name for test output.
    struct Text: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String

        init(_ name: String, _ text: String) {
            testDescription = name
            self.text = text
        }
    }

    /// Up to 1 MiB each, the limit of ``ConfigurationReader``; a quarter of it in `make test`.
    private static var texts: [Text] {
        let scale = TestScope.current >= .integration ? 4 : 1
        let lists = String(repeating: "[", count: 900) + String(repeating: "]", count: 900)
        let keys = String(repeating: "{? ", count: 400) + "a" + String(repeating: "}", count: 400)
        // Yams compares duplicate keys that are lists in time 2ⁿ for n levels.
        let list = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        let duplicates = [1, 2, 1, 2].map { "[\(list), \($0)]: a\n" }.joined()
        let characters = ["[", "{", "\"", "&", "- ", "? ", "\n", "'"]
        return characters.map { Text("repeated \($0)", String(repeating: $0, count: scale << 17) + "x") } + [
            Text("alias bomb", aliasBomb), Text("nested lists", "a: " + lists), Text("nested keys", keys),
            Text("nested duplicate keys", duplicates),
            Text("many keys", (0..<25_000 * scale).map { "k\($0): 1\n" }.joined()),
            Text(
                "deep indentation",
                (0..<700 * (scale == 1 ? 1 : 2)).map { String(repeating: " ", count: $0) + "a:\n" }.joined()),
            Text("long title", "title: " + String(repeating: "a", count: 250_000 * scale)),
            Text("many sources", "sources: [" + String(repeating: "{},", count: 75_000 * scale) + "]"),
            Text("many proxies", "trusted-proxies: [" + String(repeating: "a,", count: 125_000 * scale) + "]"),
        ]
    }

    @Test(arguments: texts) func hostileFileIsRejectedInBoundedTime(_ text: Text) {
        let clock = ContinuousClock()
        var errors: [String] = []
        let time = clock.measure { errors = ConfigurationReader.errors(of: text.text) }
        #expect((1...50).contains(errors.count) && errors.allSatisfy { $0.utf8.count < 1500 })
        #expect(time < .seconds(60), "a debug build on a busy machine is slow, but exponential time would take years")
    }

    @Test func firstFiftyErrorsAreKeptInLineOrderAndTheRestIsCounted() throws {
        let text = (1...70).map { "k\($0): 1\n" }.joined()
        let refusal = try refusal { try ConfigurationReader.ofTexts(["/f/epg.yml": text]).check(file: "/f/epg.yml") }
        #expect((refusal.errors.compactMap(\.place.line), refusal.omittedCount) == (Array(1...50), 20))
        #expect(refusal.description.hasSuffix(" (and 69 more)"))
    }

    @Test func errorsOfFileEnvironmentAndFlagsAreReportedTogether() throws {
        let reader = ConfigurationReader.ofTexts(
            ["/etc/epg/epg.yml": "title: [a]\nlimits: {cache: x}\n"], environment: ["EPG_LISTEN": "nowhere"])
        let refusal = try refusal { try reader.read(file: nil, flags: ["log.level": ["loud"]]) }
        #expect(
            refusal.errors.map(\.place.description)
                == ["/etc/epg/epg.yml:1", "/etc/epg/epg.yml:2", "EPG_LISTEN", "--log-level"])
    }
}
