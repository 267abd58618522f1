import EPGFilter
import EPGModel
import Testing

/// How the arguments of `tv_grep` are read.
@Suite struct GrepArgumentTests {
    private func arguments(_ words: [String]) throws(GrepUsageError) -> GrepArguments {
        try GrepArguments(words, now: FilterRun.now)
    }

    @Test(arguments: [
        (["News", "a.xml", "b.xml"], ["a.xml", "b.xml"]), (["--title", "x", "a.xml"], ["a.xml"]),
        (["a.xml", "b.xml", "--title", "x", "c.xml"], ["a.xml", "b.xml", "c.xml"]), (["--new", "-"], ["-"]),
        (["--new", "--", "-x"], ["-x"]), (["--", "-x", "--y"], ["--y"]), (["--new"], []),
    ])
    func wordsThatAreNoTestsAreGuides(words: [String], files: [String]) throws {
        #expect(try arguments(words).files == files)
    }

    @Test func theOutputMayStandAnywhere() throws {
        #expect(try arguments(["News", "--output", "o.xml", "a.xml"]).output == "o.xml")
        #expect(try arguments(["--out", "o.xml", "--new"]).output == "o.xml")
    }

    @Test func helpEndsTheReading() throws {
        #expect(try arguments(["--help", "--nonsense"]).wantsHelp)
        #expect(try arguments(["-h"]).wantsHelp)
    }

    @Test(arguments: [
        ([], GrepUsageError.noTest), (["-i"], .noTest), (["--nonsense"], .unknownOption("--nonsense")),
        (["-x", "a"], .unknownOption("-x")), (["--not"], .notBeforeNothing), (["--not", "a"], .notBeforeNothing),
        (["--or", "--new"], .orBehindNothing), (["a", "--or", "--new"], .orBehindNothing),
        (["--title"], .missingArgument(option: "--title", what: "a regular expression")),
        (["--credits", "x"], .argumentNotEmpty(option: "--credits")),
        (["--output", "a", "--output", "b", "x"], .repeatedOutput),
        (["--on-after", "soon"], .badTime(option: "--on-after", "soon")),
        (["--eval", "system('rm')"], .code("system('rm')")),
        (["--su", "x"], .ambiguousOption("--su", ["--sub-title", "--subtitles"])),
    ])
    func whatMakesNoExpressionIsSaid(words: [String], expected: GrepUsageError) {
        #expect(throws: expected) { try arguments(words) }
        #expect(expected.description.hasSuffix("."))
    }

    @Test(arguments: ["(", "[", "*", "\\", "(?<"])
    func aBadPatternIsSaid(pattern: String) {
        let error = #expect(throws: GrepUsageError.self) { try arguments(["--title", pattern]) }
        guard case .badPattern(pattern, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
