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

    @Test func regularExpressionSearchesAllNamesAndValues() throws {
        #expect(try titles("ews") == ["News", "Film"])
        #expect(try titles("three") == ["Weather"])
        #expect(try titles("premiere") == ["Weather"])
        #expect(try titles("^$x") == [])
    }

    @Test func patternIsFoundInAnyElementWithTheName() throws {
        #expect(try titles("--title", "^Nach.*n$") == ["News"])
        #expect(try titles("--desc", "news") == ["Film"])
        #expect(try titles("--title", "news") == [])
    }

    @Test func emptyPatternTestsForPresence() throws {
        #expect(try titles("--category", "") == ["News"])
        #expect(try titles("--premiere", "") == ["Weather"])
        #expect(try titles("--premiere", "x") == [])
        #expect(try titles("--new") == ["News"])
        #expect(try titles("!", "--stop", "") == ["Film"])
    }

    @Test(arguments: ["-i", "--ignore-case", "--ig"])
    func ignoreCaseFlagAppliesAtAnyPosition(flag: String) throws {
        #expect(try titles(flag, "--title", "NEWS") == ["News"])
        #expect(try titles("--title", "NEWS", flag) == ["News"])
    }

    @Test func notPrecedesAndPrecedesOr() throws {
        #expect(try titles("--title", "News", "--or", "--title", "Film", "--and", "--desc", "x") == ["News"])
        #expect(try titles("--not", "--title", "News", "--desc", "Old") == ["Film"])
        #expect(try titles("--title", "e", "-not", "--new") == ["Weather"])
        #expect(try titles("--new", "-o", "--title", "Film", "-or", "--title", "x") == ["News", "Film"])
    }

    @Test func channelTestsSelectChannels() throws {
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

    // News 9 to 10, Film from 10 (without a stop), Weather 12 to 13, in UTC.
    @Test(arguments: [
        ("--on-after", "2026-03-29T09:59:59Z", ["News", "Film", "Weather"]),
        ("--on-after", "20260329100000", ["Weather"]), ("--on-after", "2026-03-29 14:00:00 +0200", ["Weather"]),
        ("--on-after", "2026-03-29T13:00Z", []), ("--on-before", "2026-03-29T09:00Z", ["News"]),
        ("--on-before", "2026-03-29T11:59+01:00", ["News", "Film"]), ("--on-before", "202603290859", []),
        ("--on-after", "now", ["News", "Film", "Weather"]), ("--on-before", "now", []),
    ])
    func programmeIsOnFromStartUntilStop(option: String, time: String, expected: [String]) throws {
        #expect(try titles(option, time) == expected)
    }

    @Test func missingStopCausesOneWarning() throws {
        let guide = SmallGuide.guide("09 - a A", "10 - a B")
        #expect(try FilterRun(["grep", "--on-after", "2026-03-30"], guide).warnings == [.missingStop])
    }

    @Test func evalCountsEachFieldOnce() throws {
        #expect(try titles("--eval", "scalar keys %$_ > 5") == ["News"])
        #expect(try titles("-e", "scalar keys %$_ == 5") == ["Weather"])
        #expect(try titles("--not", "--eval", "scalar keys %$_ >= 5") == ["Film"])
    }

    @Test func channelAfterItsProgrammesCausesWarning() throws {
        let guide =
            #"<tv><programme start="1" channel="a"/><channel id="a"><display-name>N</display-name></channel></tv>"#
        #expect(try FilterRun(["grep", "--channel-name", "N"], guide).warnings == [.channelAfterProgrammes("a")])
    }
}

/// Tests how the remaining parts of a clump are renumbered.
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
    func remainingPartsAreRenumbered(pattern: String, expected: [String]) throws {
        let guide = SmallGuide.guide("09 10 a A 0/3", "08 09 b X", "09 10 a B 1/3", "09 10 a C 2/3", "09 10 b Y 0/1")
        let run = try FilterRun(["grep", "--title", pattern], guide)
        #expect(try SmallGuide.programmes(run) == expected)
    }

    @Test func orderIsKeptWhileAClumpIsIncomplete() throws {
        let guide = SmallGuide.guide("09 10 a A 0/2", "08 09 b X", "07 08 a W 1/3", "09 10 a B 1/2", "10 11 a C")
        let run = try FilterRun(["grep", "--start", ""], guide)
        #expect(
            try SmallGuide.programmes(run)
                == ["09 10 a A 0/2", "08 09 b X", "07 08 a W 1/3", "09 10 a B 1/2", "10 11 a C"])
    }

    @Test func droppedLastPartOfClumpCausesWarning() throws {
        let run = try FilterRun(["grep", "--title", "X"], SmallGuide.guide("09 10 a A 0/2", "10 11 a X"))
        #expect(run.warnings == [.incompleteClump(channel: "a", clump: "0/2")])
    }

    @Test(arguments: ["x", "1", "/", "0/99999999999", "-1/2", "0/0", "5/2"])
    func invalidClumpIsHarmless(clump: String) throws {
        for pattern in ["A", "B", ""] {
            let guide = SmallGuide.guide("09 10 a A \(clump)", "09 10 a B \(clump)", "09 10 a C \(clump)")
            let run = try FilterRun(["grep", "--title", pattern], guide)
            #expect(try SmallGuide.programmes(run).count == (pattern.isEmpty ? 3 : 1))
        }
    }

    @Test func manyPartsOfOneClumpAreSettledInBoundedTime() throws {
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

/// Parsing of the arguments of `tv_grep`.
@Suite struct GrepArgumentTests {
    private func parse(_ arguments: [String]) throws(GrepUsageError) -> GrepArguments {
        try GrepArguments(arguments, now: FilterRun.now)
    }

    @Test(arguments: [
        (["News", "a.xml", "b.xml"], ["a.xml", "b.xml"]), (["--title", "x", "a.xml"], ["a.xml"]),
        (["a.xml", "b.xml", "--title", "x", "c.xml"], ["a.xml", "b.xml", "c.xml"]), (["--new", "-"], ["-"]),
        (["--new", "--", "-x"], ["-x"]), (["--", "-x", "--y"], ["--y"]), (["--new"], []),
    ])
    func argumentsThatAreNotTestsAreGuides(arguments: [String], files: [String]) throws {
        #expect(try parse(arguments).files == files)
    }

    @Test func outputOptionIsAcceptedAtAnyPosition() throws {
        #expect(try parse(["News", "--output", "o.xml", "a.xml"]).output == "o.xml")
        #expect(try parse(["--out", "o.xml", "--new"]).output == "o.xml")
    }

    @Test func helpEndsParsing() throws {
        #expect(try parse(["--help", "--nonsense"]).wantsHelp)
        #expect(try parse(["-h"]).wantsHelp)
    }

    @Test(arguments: [
        ([], GrepUsageError.missingTest), (["-i"], .missingTest), (["--nonsense"], .unknownOption("--nonsense")),
        (["-x", "a"], .unknownOption("-x")), (["--not"], .missingTestAfterNot), (["--not", "a"], .missingTestAfterNot),
        (["--or", "--new"], .missingTestBeforeOr), (["a", "--or", "--new"], .missingTestBeforeOr),
        (["--title"], .missingArgument(option: "--title", what: "a regular expression")),
        (["--credits", "x"], .argumentNotEmpty(option: "--credits")),
        (["--output", "a", "--output", "b", "x"], .repeatedOutput),
        (["--on-after", "soon"], .badTime(option: "--on-after", "soon")),
        (["--eval", "system('rm')"], .unsupportedCode("system('rm')")),
        (["--su", "x"], .ambiguousOption("--su", ["--sub-title", "--subtitles"])),
    ])
    func invalidExpressionIsRejectedWithReason(arguments: [String], expected: GrepUsageError) {
        #expect(throws: expected) { try parse(arguments) }
    }

    @Test(arguments: ["(", "[", "*", "\\", "(?<"])
    func invalidPatternIsReported(pattern: String) {
        let error = #expect(throws: GrepUsageError.self) { try parse(["--title", pattern]) }
        guard case .badPattern(pattern, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}

/// Tests that memory for incomplete clumps is bounded.
@Suite struct GrepClumpLimitTests {
    /// A guide that is generated while it is read: a head, a repeated programme, and a tail.
    private struct LongGuide {
        var beginning: String
        var programme: (Int) -> String
        var count: Int
        var end = ""
    }

    private struct Outcome {
        var written = ""
        /// The maximum number of bytes that had been read but not yet written.
        var mostBuffered = 0
    }

    private func grep(_ guide: LongGuide, _ arguments: [String]) throws -> Outcome {
        final class Progress {
            var served = 0
            var read = 0
            var outcome = Outcome()
        }
        let progress = Progress()
        let source = ChunkSource {
            progress.served += 1
            let piece: String? =
                switch progress.served {
                case 1: "<tv>" + guide.beginning
                case 2...(guide.count + 1): guide.programme(progress.served - 2)
                case guide.count + 2: guide.end + "</tv>"
                default: nil
                }
            progress.read += piece?.utf8.count ?? 0
            let buffered = progress.read - progress.outcome.written.utf8.count
            progress.outcome.mostBuffered = max(progress.outcome.mostBuffered, buffered)
            return piece.map { Array($0.utf8) }
        }
        let expression = try GrepArguments(arguments, now: FilterRun.now).expression
        try GrepFilter(expression).run(
            [FilterSource(name: "long", source: source)], warn: { _ in },
            send: { progress.outcome.written += String(decoding: $0, as: UTF8.self) })
        return progress.outcome
    }

    private static let filler = String(repeating: "x", count: 10_000)

    private static func programme(_ title: String, start: Int, clump: String? = nil) -> String {
        let clump = clump.map { " clumpidx=\"\($0)\"" } ?? ""
        return """
            <programme start="20260329090000 +0000" stop="20260329100000 +0000" channel="c\(start)"\(clump)>\
            <title>\(title)</title></programme>
            """
    }

    /// The guide has 32 MB after the first part of a clump that is never completed.
    @Test func recordsAfterIncompleteClumpAreWritten() throws {
        let guide = LongGuide(
            beginning: Self.programme("first", start: -1, clump: "0/2"),
            programme: { Self.programme("\($0) " + Self.filler, start: $0) }, count: 3200,
            end: Self.programme("last", start: -1, clump: "1/2"))
        let outcome = try grep(guide, ["--title", ""])
        #expect(outcome.mostBuffered < 17 << 20)
        let titles = outcome.written.split(separator: "<title>").dropFirst().map {
            $0.prefix { $0 != " " && $0 != "<" }
        }
        #expect(titles.map(String.init) == ["first"] + (0..<3200).map { "\($0)" } + ["last"])
        #expect(outcome.written.contains("clumpidx=\"0/2\""))
    }

    /// Each programme is the first part of an incomplete clump.
    @Test func incompleteClumpsAreSettledInTurn() throws {
        let guide = LongGuide(
            beginning: "", programme: { Self.programme("\($0) " + Self.filler, start: $0, clump: "0/2") }, count: 3200)
        let outcome = try grep(guide, ["--title", ""])
        #expect(outcome.mostBuffered < 17 << 20)
        let titles = outcome.written.split(separator: "<title>").dropFirst().map { $0.prefix { $0 != " " } }
        #expect(titles.map(String.init) == (0..<3200).map { "\($0)" })
    }

    /// Up to the limit, a clump is renumbered however far apart its parts are.
    @Test func distantPartsAreOneClump() throws {
        let guide = LongGuide(
            beginning: Self.programme("dropped", start: -1, clump: "0/3"),
            programme: { Self.programme("\($0) " + Self.filler, start: $0) }, count: 1000,
            end: Self.programme("b", start: -1, clump: "1/3") + Self.programme("c", start: -1, clump: "2/3"))
        let outcome = try grep(guide, ["--not", "--title", "dropped"])
        let clumps = outcome.written.split(separator: "clumpidx=").dropFirst().map { String($0.prefix(5)) }
        #expect(clumps == ["\"0/2\"", "\"1/2\""])
    }
}
