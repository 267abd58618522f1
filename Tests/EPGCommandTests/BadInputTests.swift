import Foundation
import TestSupport
import Testing

/// Tests that invalid input exits with a code and a one-line message with the line number, and does not change the guide.
@Suite struct BadInputTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        /// Text that the message must contain.
        let mention: String
    }

    static let cases = [
        Case(testDescription: "not XML", text: "once upon a time\n", mention: "line 1"),
        Case(
            testDescription: "an HTML page", text: "<!DOCTYPE html>\n<html><body>Log in</body></html>\n",
            mention: "HTML page"),
        Case(testDescription: "empty", text: "", mention: "empty"),
        Case(
            testDescription: "truncated",
            text: """
                <tv>
                <channel id="a"><display-name>A</display-name></channel>
                <programme start="20261024180000 +0000" channel="a">
                <title>Cut
                """, mention: "line 4"),
        Case(
            testDescription: "entity bomb",
            text: """
                <!DOCTYPE tv [
                <!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
                ]>
                <tv><programme start="20261024180000 +0000" channel="a"><title>&b;</title></programme></tv>
                """, mention: "line 2"),
        Case(
            testDescription: "excessive nesting", text: "<tv>\n" + String(repeating: "<a>", count: 100_000),
            mention: "line 2"),
        Case(
            testDescription: "another XML vocabulary", text: "<?xml version=\"1.0\"?>\n<rss><channel/></rss>\n",
            mention: "rss"),
        Case(testDescription: "JSON", text: "{\"programmes\": []}\n", mention: "JSON"),
    ]

    /// The library reports the error; the program adds advice.
    @Test(arguments: [
        (999, 78, "schema 999", "Update epg."), (9, 78, "schema 9", "epg migrate --database"),
        (8, 78, "schema 8", "epg import FILE --database"),
    ]) func databaseOfAnotherVersionIsRejectedWithAdvice(version: UInt32, status: Int32, fact: String, advice: String)
        throws
    {
        let sandbox = try Sandbox(importing: "evening.xml")
        var bytes = try Data(contentsOf: URL(filePath: sandbox.database))
        // The user version in the SQLite file format.
        bytes.replaceSubrange(60..<64, with: withUnsafeBytes(of: version.bigEndian, Array.init))
        try bytes.write(to: URL(filePath: sandbox.database))
        let run = try sandbox.epg("now")
        run.expect(status, errorsContain: [fact, advice])
    }

    @Test func missingDatabaseSuggestsImport() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("now")
        run.expect(
            66,
            errors: "epg: There is no guide at \(sandbox.database). Import a guide first: epg import FILE --database "
                + "\(sandbox.database)\n")
    }

    /// The guide before each import.
    private static let currentGuide = Result { try Sandbox(importing: "evening.xml").dump() }

    @Test(arguments: cases) func invalidGuideExitsWith65AndKeepsCurrentGuide(_ input: Case) throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let file = try sandbox.write(input.text, to: "bad.xml")

        let run = try sandbox.epg("import", file)
        run.expect(65, output: "", errorsContain: [input.mention])
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == 1 && run.errors.hasPrefix("epg: \(file): "), "\(lines)")

        #expect(try sandbox.dump() == Self.currentGuide.get())
        let check = try sandbox.epg("check", "--json").json(as: [String: Any].self)
        expectMembers(check, ["generation": 1, "problems": [String]()])
    }

    @Test func invalidStandardInputExitsWith65() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("import", "-", input: "<tv><programme>")
        run.expect(65, errorsContain: ["standard input: line 1"])
    }

    @Test(arguments: [
        (["import", ""], "path of a guide is empty"), (["validate", ""], "path of a guide is empty"),
        (["import", "x", "--encoding", "klingon"], "windows-1250"),
        (["validate", "x", "--encoding", "klingon"], "windows-1250"),
        (["import", "x", "--strict", "--partial"], "cannot be used together"),
        (["import", "x", "--days", "-1"], "from 1 to 3660"),
        (["grid", "--hours", "-1"], "from 0.25"),
        (["grid", "--format", "svg", "--scale", "0"], "--scale must be a number from 0.01 to 100, not 0."),
        (["grid", "--json", "--viewport-width", "-5"], "--viewport-width must be"),
        (["grid", "--json", "--x", "nan"], "not nan."),
        (["grid", "--format", "svg", "--json"], "cannot be used together"),
        (["grid", "--theme", "pink"], "'dark'"),
        (["source", "set", "a", "--every", "-1h"], "'-1h' is invalid"),
        (["favorite", "add", "a", "--place", "0"], "--place must be 1 or more, not 0."),
    ])
    func usageErrorExitsWith64AndNamesValidValues(_ arguments: [String], mention: String) throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg(arguments)
        run.expect(64, errorsContain: [mention])
        #expect(!FileManager.default.fileExists(atPath: sandbox.database))
    }

    @Test func missingFileExitsWith66AndCreatesNothing() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("import", "nowhere.xml")
        run.expect(66, errorsContain: ["nowhere.xml"])
        #expect(!FileManager.default.fileExists(atPath: sandbox.database))
    }

    @Test func folderWithoutFilesExitsWith66() throws {
        let sandbox = try Sandbox()
        try sandbox.epg("import", ".").expect(66)
    }

    @Test func otherFilesOfFolderAreSkipped() throws {
        let sandbox = try Sandbox()
        let folder = sandbox.path("guides")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try sandbox.write("# Notes", to: "guides/notes.md")
        let none = try sandbox.epg("import", folder)
        none.expect(65)
        #expect(none.errors.hasPrefix("epg: skipped \(folder)/notes.md, which is neither a guide nor a playlist\n"))
        none.expect(errorsContain: ["Nothing was imported"])
        _ = try sandbox.write("<svg></svg>", to: "guides/picture.svg")
        _ = try sandbox.write("<tv><channel id=\"a\"/></tv>", to: "guides/guide.xml")
        try sandbox.epg("import", folder).expect(0)
        // A file that the user names must be a guide.
        try sandbox.epg("import", folder + "/notes.md", folder + "/guide.xml").expect(65)
    }

    /// A file with < but without any record of a guide is not a truncated guide.
    @Test func formatOfFileWithoutGuideIsUnknown() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("import", try sandbox.write("CREATE TABLE a (b CHECK (b < 3));\n", to: "schema.sql"))
        run.expect(65, errorsContain: ["unknown format"], errorsOmit: ["truncated"])
        let cut = try sandbox.write("Warning: slow\n<tv><channel id=\"a\"></channel><channel id=\"b\">", to: "cut.xml")
        try sandbox.epg("import", cut).expect(errorsContain: ["truncated"], errorsOmit: ["--partial", "0 programmes"])
    }

    @Test(arguments: ["guide.example/tv.xml", "notaurl", "/nowhere/guide.xml"])
    func sourceWithoutItsFileIsRejectedWithAdvice(location: String) throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("source", "add", "home", location)
        run.expect(66, errorsContain: ["begin it with https://"])
        #expect(!FileManager.default.fileExists(atPath: sandbox.database))
    }

    @Test func validFilesAreImportedDespiteInvalidOne() throws {
        let sandbox = try Sandbox()
        let bad = try sandbox.write("<tv>", to: "bad.xml")
        let run = try sandbox.epg("import", bad, PackageFiles.sample("evening.xml"))
        run.expect(65)
        #expect(try sandbox.epg("stations", "--json").json(as: [Any].self).count == 12)
    }

    @Test func invalidTimeOrZoneSkipsOnlyItsProgramme() throws {
        let sandbox = try Sandbox()
        let guide = """
            <tv><channel id="a"><display-name>A</display-name></channel>
            <programme start="yesterday" channel="a"><title>One</title></programme>
            <programme start="20261024180000 XYZT" channel="a"><title>Two</title></programme>
            <programme start="20261024190000 +0000" stop="20261024200000 +0000" channel="a"><title>Three</title></programme>
            </tv>
            """
        let run = try sandbox.epg("import", "-", "--explain", input: guide)
        run.expect(
            0,
            outputContains: [
                "standard input:2: error: a: the start “yesterday” is invalid: skipped",
                "standard input:3: error: a: the time zone of “20261024180000 XYZT”",
                "missing or invalid start, such as “yesterday”\n",
            ])
        let airings = try sandbox.epg("airings", "--station", "a", "--from", "2026-10-24", "--json")
        #expect(try airings.json(as: [[String: Any]].self).map { $0["title"] as? String } == ["Three"])
    }

    @Test func readingWithoutDatabaseExitsWith66() throws {
        let sandbox = try Sandbox()
        for command in ["now", "stations", "grid", "sources", "check", "refresh"] {
            let run = try sandbox.epg(command)
            run.expect(66, output: "", errorsContain: [command == "refresh" ? "epg source add" : "epg import"])
        }
    }

    @Test func fileThatIsNotADatabaseExitsWith65() throws {
        let sandbox = try Sandbox()
        let file = try sandbox.write(String(repeating: "no database ", count: 1000), to: "other.sqlite")
        for command in ["now", "check"] {
            try sandbox.epg(command, "--database", file).expect(65)
        }
        try sandbox.epg("import", PackageFiles.sample("evening.xml"), "--database", file).expect(65)
        #expect(try Data(contentsOf: URL(filePath: file)).starts(with: Data("no database".utf8)))
    }

    @Test func databaseInMissingFolderExitsWith73() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg(
            "import", PackageFiles.sample("evening.xml"), "--database", sandbox.path("missing/guide.sqlite"))
        run.expect(73, errorsContain: ["Create its folder"])
    }

    @Test func missingHomeExitsWith78() throws {
        let sandbox = try Sandbox()
        try sandbox.epg("now", environment: ["EPG_DATABASE": "", "HOME": ""]).expect(78)
    }
}
