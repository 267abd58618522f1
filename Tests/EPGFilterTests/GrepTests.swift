import EPGFilter
import EPGModel
import TestSupport
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

    private func titles(_ arguments: [String]) throws -> [String] {
        try FilterRun(["grep"] + arguments, Self.guide).elements("programme").map { $0.child("title")?.text ?? "" }
    }

    /// A rule, arguments, and the titles of the programmes that they select.
    private static let selections: [(rule: String, arguments: [String], titles: [String])] = [
        ("A regular expression searches all names and values.", ["ews"], ["News", "Film"]),
        ("A regular expression searches all names and values.", ["three"], ["Weather"]),
        ("A regular expression searches all names and values.", ["premiere"], ["Weather"]),
        ("A regular expression searches all names and values.", ["^$x"], []),
        ("A pattern is found in any element with the name.", ["--title", "^Nach.*n$"], ["News"]),
        ("A pattern is found in any element with the name.", ["--desc", "news"], ["Film"]),
        ("A pattern is found in any element with the name.", ["--title", "news"], []),
        ("An empty pattern tests for presence.", ["--category", ""], ["News"]),
        ("An empty pattern tests for presence.", ["--premiere", ""], ["Weather"]),
        ("An empty pattern tests for presence.", ["--premiere", "x"], []),
        ("An empty pattern tests for presence.", ["--new"], ["News"]),
        ("An empty pattern tests for presence.", ["!", "--stop", ""], ["Film"]),
        ("-i applies at any position.", ["-i", "--title", "NEWS"], ["News"]),
        ("-i applies at any position.", ["--title", "NEWS", "-i"], ["News"]),
        ("-i applies at any position.", ["--ignore-case", "--title", "NEWS"], ["News"]),
        ("-i applies at any position.", ["--title", "NEWS", "--ignore-case"], ["News"]),
        ("-i applies at any position.", ["--ig", "--title", "NEWS"], ["News"]),
        ("-i applies at any position.", ["--title", "NEWS", "--ig"], ["News"]),
        (
            "“Not” precedes “and”, which precedes “or”.",
            ["--title", "News", "--or", "--title", "Film", "--and", "--desc", "x"], ["News"]
        ),
        ("“Not” precedes “and”.", ["--not", "--title", "News", "--desc", "Old"], ["Film"]),
        ("“Not” precedes “and”.", ["--title", "e", "-not", "--new"], ["Weather"]),
        ("“Or” has several names.", ["--new", "-o", "--title", "Film", "-or", "--title", "x"], ["News", "Film"]),
        ("Tests of channels select their programmes.", ["--channel-name", "irst"], ["News"]),
        ("Tests of channels select their programmes.", ["--channel-id-exp", "th"], ["Weather"]),
        ("Tests of channels select their programmes.", ["--channel-id", "o"], []),
        // News 9 to 10, Film from 10 (without a stop), Weather 12 to 13, in UTC.
        (
            "A programme is on from its start until its stop.", ["--on-after", "2026-03-29T09:59:59Z"],
            ["News", "Film", "Weather"]
        ),
        ("A programme is on from its start until its stop.", ["--on-after", "20260329100000"], ["Weather"]),
        ("A programme is on from its start until its stop.", ["--on-after", "2026-03-29 14:00:00 +0200"], ["Weather"]),
        ("A programme is on from its start until its stop.", ["--on-after", "2026-03-29T13:00Z"], []),
        ("A programme is on from its start until its stop.", ["--on-before", "2026-03-29T09:00Z"], ["News"]),
        (
            "A programme is on from its start until its stop.", ["--on-before", "2026-03-29T11:59+01:00"],
            ["News", "Film"]
        ),
        ("A programme is on from its start until its stop.", ["--on-before", "202603290859"], []),
        ("A programme is on from its start until its stop.", ["--on-after", "now"], ["News", "Film", "Weather"]),
        ("A programme is on from its start until its stop.", ["--on-before", "now"], []),
        ("--eval counts each field once.", ["--eval", "scalar keys %$_ > 5"], ["News"]),
        ("--eval counts each field once.", ["-e", "scalar keys %$_ == 5"], ["Weather"]),
        ("--eval counts each field once.", ["--not", "--eval", "scalar keys %$_ >= 5"], ["Film"]),
    ]

    @Test(arguments: selections)
    func argumentsSelectProgrammes(rule: String, arguments: [String], expected: [String]) throws {
        #expect(try titles(arguments) == expected)
    }

    @Test(arguments: [
        (["--channel-name", "irst"], ["one"]), (["--not", "--channel-id", "one"], ["two"]),
        (["--channel-id-exp", "t"], ["two"]), (["--channel", "one"], ["one", "two"]),
        (["--channel-id", "one", "--or", "--title", "Film"], ["one", "two"]),
    ])
    func channelTestsSelectChannels(arguments: [String], expected: [String]) throws {
        let channels = try FilterRun(["grep"] + arguments, Self.guide).elements("channel")
        #expect(channels.map { $0[attribute: "id"] ?? "" } == expected)
    }

    @Test func missingStopCausesOneWarning() throws {
        let guide = SmallGuide.guide("09 - a A", "10 - a B")
        #expect(try FilterRun(["grep", "--on-after", "2026-03-30"], guide).warnings == [.missingStop])
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
        let outputs = try [["News", "--output", "o.xml", "a.xml"], ["--out", "o.xml", "--new"]].map {
            try parse($0).output
        }
        #expect(outputs == ["o.xml", "o.xml"])
    }

    @Test func helpEndsParsing() throws {
        #expect(try [["--help", "--nonsense"], ["-h"]].map { try parse($0).wantsHelp } == [true, true])
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

    /// Many records of 10 kB; in `make test`, fewer of 100 kB. Together, they exceed the limit of 16 MiB.
    private static let (count, filler) =
        TestScope.current >= .integration
        ? (3200, String(repeating: "x", count: 10_000)) : (200, String(repeating: "x", count: 100_000))

    private static func programme(_ title: String, start: Int, clump: String? = nil) -> String {
        let clump = clump.map { " clumpidx=\"\($0)\"" } ?? ""
        return """
            <programme start="20260329090000 +0000" stop="20260329100000 +0000" channel="c\(start)"\(clump)>\
            <title>\(title)</title></programme>
            """
    }

    /// The guide has 20 MB after the first part of a clump that is never completed; the limit is 16 MiB.
    @Test func recordsAfterIncompleteClumpAreWritten() throws {
        let guide = LongGuide(
            beginning: Self.programme("first", start: -1, clump: "0/2"),
            programme: { Self.programme("\($0) " + Self.filler, start: $0) }, count: Self.count,
            end: Self.programme("last", start: -1, clump: "1/2"))
        let outcome = try grep(guide, ["--title", ""])
        #expect(outcome.mostBuffered < 17 << 20)
        let titles = outcome.written.split(separator: "<title>").dropFirst().map {
            $0.prefix { $0 != " " && $0 != "<" }
        }
        let expected: [String] = ["first"] + (0..<Self.count).map { "\($0)" } + ["last"]
        #expect(titles.map(String.init) == expected)
        #expect(outcome.written.contains("clumpidx=\"0/2\""))
    }

    /// Each programme is the first part of an incomplete clump.
    @Test func incompleteClumpsAreSettledInTurn() throws {
        let guide = LongGuide(
            beginning: "", programme: { Self.programme("\($0) " + Self.filler, start: $0, clump: "0/2") },
            count: Self.count)
        let outcome = try grep(guide, ["--title", ""])
        #expect(outcome.mostBuffered < 17 << 20)
        let titles = outcome.written.split(separator: "<title>").dropFirst().map { $0.prefix { $0 != " " } }
        #expect(titles.map(String.init) == (0..<Self.count).map { "\($0)" })
    }

    /// Up to the limit, a clump is renumbered however far apart its parts are.
    @Test func distantPartsAreOneClump() throws {
        let guide = LongGuide(
            beginning: Self.programme("dropped", start: -1, clump: "0/3"),
            programme: { Self.programme("\($0) " + Self.filler, start: $0) }, count: Self.count * 5 / 16,
            end: Self.programme("b", start: -1, clump: "1/3") + Self.programme("c", start: -1, clump: "2/3"))
        let outcome = try grep(guide, ["--not", "--title", "dropped"])
        let clumps = outcome.written.split(separator: "clumpidx=").dropFirst().map { String($0.prefix(5)) }
        #expect(clumps == ["\"0/2\"", "\"1/2\""])
    }
}
