import EPGModel
import Testing

@testable import EPGConfig

@Suite("Settings of derived listings") struct DerivedReaderTests {
    private func check(_ text: String) throws -> DerivedSettings {
        try ConfigurationReader.ofTexts(["/f/epg.yml": text]).check(file: "/f/epg.yml").configuration.derived
    }

    @Test func settingsAreRead() throws {
        let settings = try check(
            #"""
            derived: {days: 3 d, plus-one: true}
            placeholders:
              - channels: ["Camera *", dock.example]
                title: "{channel} live"
                description: Boats
                category: Nature
                every: 90 min
              - {}
            channel-names:
              - pattern: '(?<title>.+) (?<time>\d+:\d\d)'
                channels: PPV*
                zone: America/New_York
                duration: 3 h
                before: Soon
                after: Over
                category: Sports
            """#)
        #expect((settings.days, settings.plusOne) == (3, true))
        let template = try #require(settings.placeholders.first)
        #expect(settings.placeholders.count == 2 && settings.placeholders.last == PlaceholderTemplate())
        #expect(template.channels == ["Camera *", "dock.example"] && template.every == 5400)
        #expect((template.title, template.description, template.category) == ("{channel} live", "Boats", "Nature"))
        let pattern = try #require(settings.names.first)
        #expect(pattern.channels == ["PPV*"] && pattern.zone == "America/New_York" && pattern.duration == 10_800)
        #expect((pattern.before, pattern.after, pattern.category) == ("Soon", "Over", "Sports"))
        #expect(try pattern.pattern.matcher()("A 21:00") == ["title": "A", "time": "21:00"])
    }

    @Test(arguments: [
        ("derived: {days: 0}", "derived.days"), ("derived: {days: 31}", "derived.days"),
        ("derived: {plus-one: 2}", "derived.plus-one"), ("placeholders: 1", "placeholders"),
        ("placeholders: [1]", "placeholders[0]"), ("placeholders: [{every: 5 min}]", "placeholders[0].every"),
        ("placeholders: [{every: 25 h}]", "placeholders[0].every"),
        ("placeholders: [{other: 1}]", "placeholders[0].other"),
        ("placeholders: [{channels: []}]", "placeholders[0].channels"),
        ("placeholders: [{title: [a]}]", "placeholders[0].title"),
        ("placeholders: [{title: 'On {station}'}]", "placeholders[0].title"),
        ("placeholders: [{description: '{title}'}]", "placeholders[0].description"),
        ("channel-names: [{pattern: '(?<title>a)(?<time>b)', after: '{name}'}]", "channel-names[0].after"),
        ("channel-names: [{zone: UTC}]", "channel-names[0]"),
        ("channel-names: [{pattern: '('}]", "channel-names[0].pattern"),
        ("channel-names: [{pattern: '(?<title>a)'}]", "channel-names[0].pattern"),
        ("channel-names: [{pattern: '(?<title>a)(?<time>b)(?<hour>c)'}]", "channel-names[0].pattern"),
        ("channel-names: [{pattern: '(?<title>a)(?<time>b)', zone: Nowhere/X}]", "channel-names[0].zone"),
    ])
    func invalidSettingIsReported(text: String, key: String) {
        #expect {
            _ = try check(text)
        } throws: { error in
            (error as? ConfigurationRefusal)?.errors.map(\.key) == [key]
        }
    }

    /// The names come from the comments in the example.
    @Test(arguments: [
        (
            0, "PPV 3: Rook vs Harrow @ 21:00 ET 12 Dec",
            ["channel": "PPV 3", "title": "Rook vs Harrow", "time": "21:00", "zone": "ET", "date": "12 Dec"]
        ),
        (
            1, "BALL: Otters at Herons 7:30 PM",
            ["channel": "BALL", "title": "Otters at Herons", "time": "7:30 PM"]
        ),
        (1, "Ball: Otters at Herons 8PM", ["channel": "Ball", "title": "Otters at Herons", "time": "8PM"]),
        (
            2, "Arena 2 | 2026-12-12 20:15 | Harbour Cup final | 1h45",
            [
                "channel": "Arena 2", "date": "2026-12-12", "time": "20:15", "title": "Harbour Cup final",
                "duration": "1h45",
            ]
        ),
        (
            2, "Arena 2 | 2026-12-12 20:15 | Harbour Cup final",
            ["channel": "Arena 2", "date": "2026-12-12", "time": "20:15", "title": "Harbour Cup final"]
        ),
    ])
    func patternsOfExampleMatchTheirNames(index: Int, name: String, groups: [String: String]) throws {
        let patterns = try check(ConfigurationExample.enabled).names
        #expect(patterns.count == 3)
        for (other, pattern) in patterns.enumerated() {
            #expect(try pattern.pattern.matcher()(name) == (other == index ? groups : nil))
        }
        let isCommented = ConfigurationExample.text.contains("##  \(name)\n")
        #expect(isCommented || name.hasPrefix("Ball") || groups["duration"] == nil)
    }
}
