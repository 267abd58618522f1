import EPGCalendar
import EPGLayout
import EPGModel
import EPGRender
import TestSupport
import Testing

/// 2026-03-29T20:00:00Z.
private let evening = Instant(secondsSince1970: 1_774_814_400)

private func at(_ minutes: Int64) -> Instant { evening.advanced(by: minutes * 60) }

extension ProgrammeGenre {
    // ETSI EN 300 468, table 28.
    fileprivate static let news = ProgrammeGenre(code: 0x20, form: .unknown)
    fileprivate static let sports = ProgrammeGenre(code: 0x40, form: .unknown)
}

private func window(_ from: Int64, _ to: Int64) -> TimeWindow { TimeWindow(start: at(from), end: at(to)) }

private func airing(
    _ id: Int64, _ range: TimeWindow, _ title: String, subtitle: String? = nil, genre: ProgrammeGenre = .none,
    clump: Clump? = nil, isStopInferred: Bool = false
) -> Airing {
    Airing(
        id: AiringID(id), station: StationID("s"), window: range, clump: clump, isStopInferred: isStopInferred,
        title: title, subtitle: subtitle, genre: genre)
}

private func row(_ name: String, _ airings: [Airing]) -> RowSchedule {
    RowSchedule(row: 7, stationName: name, schedule: Schedule(station: StationID("s"), airings: airings))
}

/// Knuth's linear congruential generator: a seed gives the same cases on every machine.
private struct LinearGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 32)
    }
}

/// Tests against hand-drawn grids: 48 columns, of which 12 are for stations, leave 12 for each of 3 hours.
@Suite struct TextGridTests {
    private let rows = [
        row(
            "One",
            [
                airing(1, window(-30, 30), "Early News"), airing(2, window(30, 120), "The Film"),
                airing(3, window(120, 210), "Late"),
            ]),
        row("Two", []),
    ]

    private func lines(
        _ rows: [RowSchedule], style: TextGrid.Style = .plain, as rowStyle: TextGrid.RowStyle = .ruled,
        columns: Int = 48, now: Instant? = nil
    ) throws -> [String] {
        let grid = TextGrid(columns: columns, style: style, rows: rowStyle, clock: GuideClock(zone: .utc))
        return try grid.text(of: rows, during: window(0, 180), now: now).split(separator: "\n").map(String.init)
    }

    @Test func gridShowsHoursClippingGapsAndNowLine() throws {
        let expected = [
            " Sun 29 Mar │20:00      │21:00▾     │22:00",
            "────────────┼─────┬─────┴─────┰─────┼───────────",
            " One        │◂Ear…│ The Film  ┃     │ Late     ▸",
            "────────────┼─────┴───────────╂─────┴───────────",
            " Two        │ · · · · · · · · ┃ · · · · · · · ·",
            "────────────┴─────────────────┸─────────────────",
        ]
        try expectEqual(lines(rows, now: at(90)), expected)
    }

    @Test func denseGridHasOneLinePerStation() throws {
        let expected = [
            " Sun 29 Mar │20:00      │21:00      │22:00",
            "────────────┼─────┬─────┴───────────┼───────────",
            " One        │◂Ear…│ The Film        │ Late     ▸",
            " Two        │ · · · · · · · · · · · · · · · · ·",
            "────────────┴───────────────────────────────────",
        ]
        try expectEqual(lines(rows, as: .dense), expected)
    }

    @Test func detailedGridAddsTimesAndSubtitleIfTheyFit() throws {
        let rows = [
            row(
                "One",
                [
                    airing(1, window(0, 30), "A"), airing(2, window(30, 120), "B", subtitle: "Pilot"),
                    airing(3, window(120, 180), "C", isStopInferred: true),
                ])
        ]
        // The middle cell has 15 columns between its margins, too few for `20:30–22:00 · Pilot`. The last has 9.
        try expectEqual(
            lines(rows, as: .detailed)[2...3],
            [
                " One        │A    │ B               │ C",
                "            │20:00│ 20:30–22:00     │ 22:00",
            ])
        // In a grid of 84 columns, an hour has 24.
        try expectEqual(
            lines(rows, as: .detailed, columns: 84)[3],
            "            │ 20:00     │ 20:30–22:00 · Pilot               │ 22:00–23:00?")
    }

    @Test func nowLineHidesNoText() throws {
        // Now is in column 22, on the `e` of `The`.
        let line = try lines(rows, now: at(50))[2]
        expectEqual(line, " One        │◂Ear…│ The Film        │ Late     ▸")
    }

    @Test func repeatedHourIncludesZone() throws {
        // 2026-10-25T00:00:00Z is the first 01:00 of that day in London.
        let start = Instant(secondsSince1970: 1_792_886_400)
        let grid = TextGrid(columns: 48, clock: GuideClock(zone: try Zone(named: "Europe/London")))
        let range = TimeWindow(start: start, end: start.advanced(by: 3 * 3600))
        let text = try grid.text(of: [row("One", [])], during: range, now: nil)
        #expect(text.hasPrefix(" Sun 25 Oct │01:00 BST  │01:00 GMT  │02:00\n"))
    }

    @Test func longWindowLabelsOnlyHoursThatFit() throws {
        // 36 columns for 36 hours: labels at every sixth hour would leave no space after `12:00`.
        let grid = TextGrid(columns: 48, clock: GuideClock(zone: .utc))
        let text = try grid.text(of: [row("One", [])], during: window(-8 * 60, 28 * 60), now: nil)
        #expect(text.hasPrefix(" Sun 29 Mar │12:00      │Mon 30 Mar │12:00\n"))
    }

    @Test func wideCharactersTakeTwoColumns() throws {
        let rows = [row("江心卫视", [airing(1, window(0, 30), "晚间新闻联播"), airing(2, window(30, 180), "ليالي")])]
        // The first cell has 5 columns: two characters of two columns and `…`.
        try expectEqual(lines(rows)[2], " 江心卫视   │晚间…│ \u{2068}ليالي\u{2069}")
    }

    @Test func clumpMembersAreSideBySide() throws {
        let clump = (0..<2).map {
            airing(Int64($0), window(0, 180), "Half \($0 + 1)", clump: Clump(index: $0, count: 2))
        }
        try expectEqual(lines([row("One", clump)])[2], " One        │ Half 1          │ Half 2")
    }

    @Test func airingTooShortForAColumnIsShownAsADoubleBorder() throws {
        let rows = [row("One", [airing(1, window(60, 61), "Blink"), airing(2, window(61, 180), "Long")])]
        try expectEqual(lines(rows)[2], " One        │ · · · · · ║ Long")
    }

    @Test func plainGridHasNoEscapesAndColoredGridOnlyStyles() throws {
        let hostile = [row("\u{1B}[0mOne", [airing(1, window(0, 180), "\u{1B}]0;x\u{7}Evil", genre: .news)])]
        #expect(try lines(hostile, now: at(30)).allSatisfy { !$0.contains("\u{1B}") })
        for line in try lines(hostile, style: .ansi, now: at(30)) {
            let styles = line.matches(of: /\x1B\[[0-9;]*m/)
            expectEqual(line.count { $0 == "\u{1B}" }, styles.count)
            #expect(styles.last.map { $0.output == "\u{1B}[0m" } ?? true)
        }
    }

    @Test func coloredGridMarksCurrentAiringsAndHasLegend() throws {
        let rows = [
            row(
                "One", [airing(1, window(0, 90), "Kicks", genre: .sports), airing(2, window(90, 180), "Other")])
        ]
        let lines = try lines(rows, style: .ansi, now: at(30))
        // The current airing is bold white on the color of sport; other airings are not bold.
        #expect(lines[2].contains("\u{1B}[0;1;38;5;255;48;5;22mK"))
        #expect(lines[2].contains("\u{1B}[0m Other"))
        expectEqual(lines.last?.contains("● Sport"), true)
    }

    /// The arguments of a failing case include its seed.
    @Test(arguments: UInt64(1)...6, [20, 33, 48, 80, 131])
    func noLineIsWiderThanGrid(seed: UInt64, columns: Int) throws {
        var random = LinearGenerator(state: seed)
        let parts = [
            "a", "Evening ", "新", "🌕", "👩‍🔬", "ليا", "e\u{301}\u{302}", "\u{1B}", "\n", "क्ष", "❤\u{FE0F}", "한", "\u{202E}",
        ]
        for rowStyle in [TextGrid.RowStyle.dense, .ruled, .detailed] {
            let rows = (0..<3).map { _ in
                var time: Int64 = -40
                var airings: [Airing] = []
                while time < 200 {
                    let stop = time + .random(in: 1...70, using: &random)
                    let title = (0..<12).compactMap { _ in parts.randomElement(using: &random) }.joined()
                    airings.append(airing(time, window(time, stop), title, subtitle: title))
                    time = stop
                }
                return row("新闻台 \(columns)", airings)
            }
            for line in try lines(rows, as: rowStyle, columns: columns, now: at(50)) {
                #expect(DisplayWidth.of(line) <= columns, "\(line)")
            }
        }
    }

    @Test(arguments: [
        (
            TextGrid.RowStyle.ruled,
            [
                " Sun 29 Mar │20:00      │21:00▾     │22:00",
                "────────────┴───────────┴─────┰─────┴───────────",
                " News                         ┃",
                "────────────┬─────────────────╂─────────────────",
                " One        │ · · · · · · · · ┃ · · · · · · · ·",
                "────────────┴─────────────────╂─────────────────",
                " Sport                        ┃",
                "────────────┬─────────────────╂─────────────────",
                " Two        │ · · · · · · · · ┃ · · · · · · · ·",
                "────────────┴─────────────────┸─────────────────",
            ]
        ),
        (
            .dense,
            [
                " Sun 29 Mar │20:00      │21:00▾     │22:00",
                "────────────┴───────────┴─────┰─────┴───────────",
                " News                         ┃",
                " One        │ · · · · · · · · ┃ · · · · · · · ·",
                " Sport                        ┃",
                " Two        │ · · · · · · · · ┃ · · · · · · · ·",
                "────────────┴─────────────────┸─────────────────",
            ]
        ),
    ])
    func groupsHaveHeaders(_ style: TextGrid.RowStyle, _ lines: [String]) throws {
        let grid = TextGrid(columns: 48, rows: style, clock: GuideClock(zone: .utc))
        let groups = [GuideGroup(firstRow: 0, title: "News"), GuideGroup(firstRow: 1, title: "Sport")]
        let text = try grid.text(
            of: [row("One", []), row("Two", [])], groups: groups, during: window(0, 180), now: at(90))
        expectEqual(text.split(separator: "\n").map(String.init), lines)
    }

    @Test func emptyGuideHasHeader() throws {
        try expectEqual(lines([])[0], " Sun 29 Mar │20:00      │21:00      │22:00")
    }

    @Test func emptyWindowIsRejected() {
        let grid = TextGrid(clock: GuideClock(zone: .utc))
        #expect(throws: GuideLayoutError.self) { try grid.text(of: rows, during: window(0, 0), now: nil) }
    }
}
