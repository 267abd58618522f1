import EPGFilter
import Testing
import XMLTV

/// The rules of `tv_sort`, from its manual page and Rules.md.
@Suite struct SortTests {
    private static let orders: [(rule: String, options: [String], programmes: [String], expected: [String])] = [
        ("Programmes are sorted by start.", [], ["10 11 a B", "09 10 a A"], ["09 10 a A", "10 11 a B"]),
        ("Equal starts are sorted by stop.", [], ["09 11 b B", "09 10 a A"], ["09 10 a A", "09 11 b B"]),
        (
            "Equal times are sorted by the bytes of the channel.", [], ["09 10 a A", "09 10 B B", "09 10 é C"],
            ["09 10 B B", "09 10 a A", "09 10 é C"]
        ),
        (
            "--by-channel sorts by channel first.", ["--by-channel"], ["09 10 b A", "11 12 a B"],
            ["11 12 a B", "09 10 b A"]
        ),
        (
            "The sort is stable.", [], ["09 10 a Z", "09 10 a A", "09 10 a M"], ["09 10 a Z", "09 10 a A", "09 10 a M"]
        ),
        (
            "Parts of a clump are sorted by index.", [], ["09 10 a C 2/3", "09 10 a A 0/3", "09 10 a B 1/3"],
            ["09 10 a A 0/3", "09 10 a B 1/3", "09 10 a C 2/3"]
        ),
        (
            "A missing stop is the next start on the channel.", [], ["09 - a A", "0930 - b X", "10 - a B"],
            ["09 10 a A", "0930 - b X", "10 - a B"]
        ),
        (
            "A missing stop is taken from a simultaneous programme.", [],
            ["09 - a A", "09 - a B", "09 10 a C", "11 - a D"], ["09 10 a A", "09 10 a B", "09 10 a C", "11 - a D"]
        ),
        (
            "Simultaneous programmes without stops end at the next start.", [], ["09 - a A", "09 - a B", "10 - a C"],
            ["09 10 a A", "09 10 a B", "10 - a C"]
        ),
    ]

    @Test(arguments: orders)
    func programmesAreSortedAndCompleted(
        rule: String, options: [String], programmes: [String], expected: [String]
    ) throws {
        let guide = "<tv>" + programmes.map { SmallGuide.guide($0).dropFirst(4).dropLast(5) }.joined() + "</tv>"
        #expect(try SmallGuide.programmes(FilterRun(["sort"] + options, guide)) == expected)
    }

    @Test func inferredStopKeepsItsOriginalFormat() throws {
        let run = try FilterRun(
            ["sort"],
            """
            <tv><programme start="20260329090000 +0000" channel="a"><title>A</title></programme>
            <programme start="202603291130 +0130" channel="a" stop="x"><title>B</title></programme></tv>
            """)
        #expect(run.text.contains(#"<programme start="20260329090000 +0000" stop="202603291130 +0130" channel="a">"#))
        #expect(run.warnings == [.badTime("x", attribute: "stop", channel: "a")])
    }

    @Test func duplicateProgrammeIsWrittenOnce() throws {
        let guide = SmallGuide.guide("09 10 a A", "10 11 a B", "09 10 a A")
        #expect(try SmallGuide.programmes(try FilterRun(["sort"], guide)) == ["09 10 a A", "10 11 a B"])
        let strict = try FilterRun(["sort", "--duplicate-error"], guide)
        #expect(strict.warnings == [.duplicate(channel: "a", "A at 2026032909-|2026032910")])
    }

    @Test func overlapsCauseWarningAndAreKept() throws {
        let run = try FilterRun(["sort"], SmallGuide.guide("09 11 a A", "10 12 a B", "10 12 b C"))
        #expect(
            run.warnings == [
                .overlap(channel: "a", first: "A at 2026032909-|2026032911", second: "B at 2026032910-|2026032912")
            ])
        #expect(try SmallGuide.programmes(run).count == 3)
    }

    @Test(arguments: [
        ("09 10 a A", "10 11 a B"), ("09 10 a A 0/2", "09 10 a B 1/2"), ("09 09 a A", "09 10 a B"),
    ])
    func adjacentProgrammesAndClumpPartsDoNotOverlap(one: String, other: String) throws {
        #expect(try FilterRun(["sort"], SmallGuide.guide(one, other)).warnings.isEmpty)
    }

    @Test func stopBeforeStartCausesWarning() throws {
        let run = try FilterRun(["sort"], SmallGuide.guide("10 09 a A"))
        #expect(run.warnings == [.stopBeforeStart(channel: "a", start: "2026032910", stop: "2026032909")])
    }

    @Test func programmeWithInvalidStartIsDroppedWithWarning() throws {
        let run = try FilterRun(["sort"], SmallGuide.guide("99 - a A", "10 11 a B"))
        let warning = FilterWarning.badTime("2026032999", attribute: "start", channel: "a")
        #expect(try (SmallGuide.programmes(run), run.warnings) == (["10 11 a B"], [warning]))
    }

    @Test func channelsAreSortedByIdentifier() throws {
        let guide = "<tv><channel id=\"b\"/><programme start=\"2026\" channel=\"a\"/><channel id=\"a\"/></tv>"
        let run = try FilterRun(["sort"], guide)
        #expect(try run.elements("channel").map { $0[attribute: "id"] } == ["a", "b"])
    }

    @Test func sortingIsIdempotent() throws {
        for seed in UInt64(0)..<20 {
            for command in [["sort"], ["sort", "--by-channel"]] {
                let once = try FilterRun(command, [RandomGuide.bytes(seed: seed)])
                let twice = try FilterRun(command, [once.bytes])
                #expect(once.text == twice.text)
            }
        }
    }
}
