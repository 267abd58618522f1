import EPGFilter
import EPGModel
import Testing
import XMLTV

/// The rules of `tv_grep`, from its manual page.
@Suite struct GrepTests {
    private static let guide = """
        <tv><channel id="one"><display-name>First</display-name></channel>
        <channel id="two"><display-name>Second</display-name></channel>
        <programme start="20260329090000 +0000" stop="20260329100000 +0000" channel="one">
        <title>News</title><title>Nachrichten</title><category>Info</category><new/></programme>
        <programme start="20260329110000 +0100" channel="two"><title>Film</title><desc>Old news</desc></programme>
        <programme start="20260329120000 +0000" stop="20260329130000 +0000" channel="three">
        <title>Weather</title><premiere/></programme></tv>
        """

    private func titles(_ arguments: String...) throws -> [String] {
        try FilterRun(["grep"] + arguments, Self.guide).elements("programme").map { $0.child("title")?.text ?? "" }
    }

    @Test func aRegularExpressionAloneIsFoundInAllThatAProgrammeSays() throws {
        #expect(try titles("ews") == ["News", "Film"])
        #expect(try titles("three") == ["Weather"])
        #expect(try titles("premiere") == ["Weather"])
        #expect(try titles("^$x") == [])
    }

    @Test func aTextIsFoundInAnyElementOfItsName() throws {
        #expect(try titles("--title", "^Nach.*n$") == ["News"])
        #expect(try titles("--desc", "news") == ["Film"])
        #expect(try titles("--title", "news") == [])
    }

    @Test func theEmptyPatternAsksWhetherThereIsOne() throws {
        #expect(try titles("--category", "") == ["News"])
        #expect(try titles("--premiere", "") == ["Weather"])
        #expect(try titles("--premiere", "x") == [])
        #expect(try titles("--new") == ["News"])
        #expect(try titles("!", "--stop", "") == ["Film"])
    }

    @Test(arguments: ["-i", "--ignore-case", "--ig"])
    func caseIsIgnoredWhereverTheFlagStands(flag: String) throws {
        #expect(try titles(flag, "--title", "NEWS") == ["News"])
        #expect(try titles("--title", "NEWS", flag) == ["News"])
    }

    @Test func notBindsClosestThenAndThenOr() throws {
        #expect(try titles("--title", "News", "--or", "--title", "Film", "--and", "--desc", "x") == ["News"])
        #expect(try titles("--not", "--title", "News", "--desc", "Old") == ["Film"])
        #expect(try titles("--title", "e", "-not", "--new") == ["Weather"])
        #expect(try titles("--new", "-o", "--title", "Film", "-or", "--title", "x") == ["News", "Film"])
    }

    @Test func testsOfTheChannelPickChannels() throws {
        func channels(_ arguments: String...) throws -> [String] {
            try FilterRun(["grep"] + arguments, Self.guide).elements("channel").map { $0[attribute: "id"] ?? "" }
        }
        #expect(try channels("--channel-name", "irst") == ["one"])
        #expect(try channels("--not", "--channel-id", "one") == ["two"])
        #expect(try channels("--channel-id-exp", "t") == ["two"])
        #expect(try channels("--channel", "one") == ["one", "two"])
        #expect(try channels("--channel-id", "one", "--or", "--title", "Film") == ["one", "two"])
        #expect(try titles("--channel-name", "irst") == ["News"])
        #expect(try titles("--channel-id-exp", "th") == ["Weather"])
        #expect(try titles("--channel-id", "o") == [])
    }

    // News 9 to 10, Film from 10 (it has no stop), Weather 12 to 13, in UTC.
    @Test(arguments: [
        ("--on-after", "2026-03-29T09:59:59Z", ["News", "Film", "Weather"]),
        ("--on-after", "20260329100000", ["Weather"]), ("--on-after", "2026-03-29 14:00:00 +0200", ["Weather"]),
        ("--on-after", "2026-03-29T13:00Z", []), ("--on-before", "2026-03-29T09:00Z", ["News"]),
        ("--on-before", "2026-03-29T11:59+01:00", ["News", "Film"]), ("--on-before", "202603290859", []),
        ("--on-after", "now", ["News", "Film", "Weather"]), ("--on-before", "now", []),
    ])
    func aProgrammeIsOnFromItsStartUpToItsStop(option: String, time: String, expected: [String]) throws {
        #expect(try titles(option, time) == expected)
    }

    @Test func aMissingStopIsToldOnce() throws {
        let guide = SmallGuide.guide("09 - a A", "10 - a B")
        #expect(try FilterRun(["grep", "--on-after", "2026-03-30"], guide).warnings == [.noStop])
    }

    @Test func fieldsAreCountedOnce() throws {
        #expect(try titles("--eval", "scalar keys %$_ > 5") == ["News"])
        #expect(try titles("-e", "scalar keys %$_ == 5") == ["Weather"])
        #expect(try titles("--not", "--eval", "scalar keys %$_ >= 5") == ["Film"])
    }

    @Test func aChannelBehindItsProgrammesIsTold() throws {
        let guide =
            #"<tv><programme start="1" channel="a"/><channel id="a"><display-name>N</display-name></channel></tv>"#
        #expect(try FilterRun(["grep", "--channel-name", "N"], guide).warnings == [.lateChannel("a")])
    }
}

/// What stays of a clump.
@Suite struct GrepClumpTests {
    @Test(arguments: [
        ("[AB]", ["09 10 a A 0/2", "09 10 a B 1/2"]), ("[AC]", ["09 10 a A 0/2", "09 10 a C 1/2"]),
        ("[BC]", ["09 10 a B 0/2", "09 10 a C 1/2"]), ("[B]", ["09 10 a B"]),
        (
            "[ABC]",
            [
                "09 10 a A 0/3", "09 10 a B 1/3", "09 10 a C 2/3",
            ]
        ),
    ])
    func whatIsLeftIsNumberedAnew(pattern: String, expected: [String]) throws {
        let guide = SmallGuide.guide("09 10 a A 0/3", "08 09 b X", "09 10 a B 1/3", "09 10 a C 2/3", "09 10 b Y 0/1")
        let run = try FilterRun(["grep", "--title", pattern], guide)
        #expect(try SmallGuide.programmes(run) == expected)
    }

    @Test func theOrderStaysWhileAClumpIsWaitedFor() throws {
        let guide = SmallGuide.guide("09 10 a A 0/2", "08 09 b X", "07 08 a W 1/3", "09 10 a B 1/2", "10 11 a C")
        let run = try FilterRun(["grep", "--start", ""], guide)
        #expect(
            try SmallGuide.programmes(run)
                == ["09 10 a A 0/2", "08 09 b X", "07 08 a W 1/3", "09 10 a B 1/2", "10 11 a C"])
    }

    @Test func theLastPartOfAClumpThatIsDroppedIsTold() throws {
        let run = try FilterRun(["grep", "--title", "X"], SmallGuide.guide("09 10 a A 0/2", "10 11 a X"))
        #expect(run.warnings == [.lonelyClump(channel: "a", clump: "0/2")])
    }

    @Test(arguments: ["x", "1", "/", "0/99999999999", "-1/2", "0/0", "5/2"])
    func aClumpThatMakesNoSenseHurtsNobody(clump: String) throws {
        for pattern in ["A", "B", ""] {
            let guide = SmallGuide.guide("09 10 a A \(clump)", "09 10 a B \(clump)", "09 10 a C \(clump)")
            let run = try FilterRun(["grep", "--title", pattern], guide)
            #expect(try SmallGuide.programmes(run).count == (pattern.isEmpty ? 3 : 1))
        }
    }

    @Test func manyPartsOfOneClumpAreSettledInTime() throws {
        let part = #"<programme start="2026" channel="a" clumpidx="0/999999999"><title>A</title></programme>"#
        let guide = "<tv>" + String(repeating: part, count: 5000) + "</tv>"
        let clock = ContinuousClock()
        let time = try clock.measure {
            let run = try FilterRun(["grep", "--title", "B"], guide)
            #expect(try run.elements("programme").isEmpty)
        }
        #expect(time < .seconds(60))
    }
}
