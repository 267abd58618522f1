import Testing

@testable import EPGConfig

/// Files that nobody wrote in good faith, or with the wrong program: a clear error each, and soon.
@Suite("Hostile files")
struct HostileFileTests {
    /// The text, the line that is told, and what is said of it.
    @Test(arguments: [
        ("a: &a [x, x]\nb: &b [*a, *a]\n", 2, "begins with *, which means something else in YAML"),
        ("? *a\n: b\n", 1, "*a: there is no such setting"),
        ("title: &a x\nzone: *a\n", 2, "“*a” begins with *"),
        ("<<: *a\ntitle: b\n", 1, "“*a” begins with *"),
        ("title: a\n\ttitle: b\n", 2, "a tab stands before the text; YAML is indented with blanks"),
        ("log:\n\tlevel: info\n", 2, "a tab stands before the text"),
        ("title: %x\n", 1, "a text that begins with % stands in quotes"),
        ("title: `x`\n", 1, "a text that begins with ` stands in quotes"),
        ("title: \"a\n", 2, "this isn't YAML"),
        ("title: a: b\n", 1, "this isn't YAML"),
        ("title: a\n---\ntitle: b\n", 2, "a second document begins here; a file with settings has one"),
        ("log:\n  level: info\n  # level\n  format: text\n  level: debug\n", 5, "level stands twice, first in line 2"),
        ("log:\n  level: info\ntitle: a\n\"title\": b\n", 4, "title stands twice, first in line 3; give it once"),
        ("log: {level: info, level: debug}\n", 1, "level stands twice, give it once"),
        ("? [a, b]\n: c\n", 1, "a key is a plain text"),
        ("? {a: b}\n: c\n", 1, "a key is a plain text"),
        ("title: a\nzone: \u{7}\n", 2, "there is a control character (U+0007); take it out"),
        ("title: a\nzone: \0\n", 2, "there is a control character (U+0000)"),
        ("title: \u{9B}31m\n", 1, "there is a control character (U+009B)"),
        ("- a\n", 1, "settings stand here as “key: value”"),
        ("text\n", 1, "settings stand here as “key: value”"),
        ("\"\": x\n", 1, "there is no such setting"),
        ("log:\n  \"\": x\n", 2, "there is no such setting"),
        ("!!binary x: y\n", 1, "x: there is no such setting"),
    ]) func areToldWithTheirLine(text: String, line: Int, words: String) {
        let errors = ConfigurationReader.errors(of: text)
        #expect(errors.contains { $0.hasPrefix("/f/epg.yml:\(line): ") && $0.contains(words) }, "\(errors)")
    }

    @Test(arguments: [
        ("\u{FEFF}title: a\n", "a"), ("title: a\r\nretention: 3\r\n", "a"), ("title: \"*a\"\n", "*a"),
        ("title: a * b & c\n", "a * b & c"), ("title: \u{E000}*\u{E001}\n", "\u{E000}*\u{E001}"),
        ("title: !!str 5\n", "5"),
        ("title: 'it''s'\n", "it's"), ("title: >-\n  a\n  *b\n", "a *b"), ("%YAML 1.1\n---\ntitle: a\n...\n", "a"),
        ("title: \"null\"\n", "null"), ("title: yes\n", "yes"),
    ]) func fromOtherProgramsAreReadAllTheSame(text: String, title: String) throws {
        let findings = try ConfigurationReader.ofTexts(["/f/epg.yml": text]).check(file: "/f/epg.yml")
        #expect(findings.configuration.title == title)
    }

    /// Thirty lists of ten aliases each, of the list before: a key of 10³⁰ texts.
    private static var bomb: String {
        var text = "a0: &a0 x\n"
        for level in 1...30 {
            let alias = "*a\(level - 1),"
            text += "a\(level): &a\(level) [\(String(repeating: alias, count: 10))]\n"
        }
        return text + "? *a30\n: b\n"
    }

    /// A text with a name to tell it by.
    struct Text: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String

        init(_ name: String, _ text: String) {
            testDescription = name
            self.text = text
        }
    }

    /// About a mebibyte each, which ``ConfigurationReader`` would still read.
    private static var texts: [Text] {
        let lists = String(repeating: "[", count: 900) + String(repeating: "]", count: 900)
        let keys = String(repeating: "{? ", count: 400) + "a" + String(repeating: "}", count: 400)
        let characters = ["[", "{", "\"", "&", "- ", "? ", "\n", "'"]
        return characters.map { Text("\($0) again and again", String(repeating: $0, count: 1 << 19) + "x") } + [
            Text("a bomb of aliases", bomb), Text("lists in lists", "a: " + lists), Text("keys of keys", keys),
            Text("many keys", (0..<100_000).map { "k\($0): 1\n" }.joined()),
            Text("deep indentation", (0..<1400).map { String(repeating: " ", count: $0) + "a:\n" }.joined()),
            Text("a long title", "title: " + String(repeating: "a", count: 1_000_000)),
            Text("many sources", "sources: [" + String(repeating: "{},", count: 300_000) + "]"),
            Text("many proxies", "trusted-proxies: [" + String(repeating: "a,", count: 500_000) + "]"),
        ]
    }

    @Test(arguments: texts) func takeBoundedTimeAndRoom(_ text: Text) {
        let clock = ContinuousClock()
        var errors: [String] = []
        let time = clock.measure { errors = ConfigurationReader.errors(of: text.text) }
        #expect((1...50).contains(errors.count))
        #expect(errors.allSatisfy { $0.utf8.count < 1500 })
        #expect(time < .seconds(60), "debug builds on busy machines are slow; exponential time would be years")
    }

    @Test func fiftyErrorsAreToldInTheOrderOfTheLinesAndTheOthersCounted() {
        let text = (1...70).map { "k\($0): 1\n" }.joined()
        let refusal = #expect(throws: ConfigurationRefusal.self) {
            try ConfigurationReader.ofTexts(["/f/epg.yml": text]).check(file: "/f/epg.yml")
        }
        #expect(refusal?.errors.compactMap(\.place.line) == Array(1...50))
        #expect(refusal?.untold == 20)
        #expect(refusal?.description.hasSuffix(". epg config check /f/epg.yml tells 69 more") == true)
    }

    @Test func errorsOfAFileOfTheEnvironmentAndOfFlagsAreToldTogether() {
        let reader = ConfigurationReader.ofTexts(
            ["/etc/epg/epg.yml": "title: [a]\nlimits: {cache: x}\n"], environment: ["EPG_LISTEN": "nowhere"])
        let refusal = #expect(throws: ConfigurationRefusal.self) {
            try reader.read(file: nil, flags: ["log.level": ["loud"]])
        }
        #expect(
            refusal?.errors.map(\.place.description)
                == ["/etc/epg/epg.yml:1", "/etc/epg/epg.yml:2", "EPG_LISTEN", "--log-level"])
    }
}
