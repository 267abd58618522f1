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
        (999, 78, "schema 999", "Update epg."), (5, 78, "schema 5", "epg migrate --database"),
        (4, 78, "schema 4", "epg import FILE --database"),
    ]) func databaseOfAnotherVersionIsRejectedWithAdvice(version: UInt32, status: Int32, fact: String, advice: String)
        throws
    {
        let sandbox = try Sandbox(importing: "evening.xml")
        var bytes = try Data(contentsOf: URL(filePath: sandbox.database))
        // The user version in the SQLite file format.
        bytes.replaceSubrange(60..<64, with: withUnsafeBytes(of: version.bigEndian, Array.init))
        try bytes.write(to: URL(filePath: sandbox.database))
        let run = try sandbox.epg("now")
        #expect(run.status == status)
        #expect(run.errors.contains(fact) && run.errors.contains(advice), "\(run.errors)")
    }

    @Test func missingDatabaseSuggestsImport() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("now")
        #expect(run.status == 66)
        #expect(
            run.errors
                == "epg: There is no guide at \(sandbox.database). Import a guide first: epg import FILE --database "
                + "\(sandbox.database)\n")
    }

    @Test(arguments: cases) func invalidGuideExitsWith65AndKeepsCurrentGuide(_ input: Case) throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let before = try sandbox.dump()
        let file = try sandbox.write(input.text, to: "bad.xml")

        let run = try sandbox.epg("import", file)
        #expect(run.status == 65)
        #expect(run.errors.contains(input.mention), "\(run.errors)")
        #expect(run.errors.hasPrefix("epg: \(file): "))
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(run.output == "")

        #expect(try sandbox.dump() == before)
        let check = try sandbox.epg("check", "--json").json(as: [String: Any].self)
        #expect(check["generation"] as? Int == 1)
        #expect(check["problems"] as? [String] == [])
    }

    @Test func invalidStandardInputExitsWith65() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("import", "-", input: "<tv><programme>")
        #expect(run.status == 65)
        #expect(run.errors.contains("standard input: line 1"))
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
        #expect(run.status == 64)
        #expect(run.errors.contains(mention), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: sandbox.database))
    }

    @Test func missingFileExitsWith66AndCreatesNothing() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("import", "nowhere.xml")
        #expect(run.status == 66)
        #expect(run.errors.contains("nowhere.xml"))
        #expect(!FileManager.default.fileExists(atPath: sandbox.database))
    }

    @Test func folderWithoutFilesExitsWith66() throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.epg("import", ".").status == 66)
    }

    @Test func otherFilesOfFolderAreSkipped() throws {
        let sandbox = try Sandbox()
        let folder = sandbox.path("guides")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try sandbox.write("# Notes", to: "guides/notes.md")
        let none = try sandbox.epg("import", folder)
        #expect(none.status == 65)
        #expect(none.errors.hasPrefix("epg: skipped \(folder)/notes.md, which is neither a guide nor a playlist\n"))
        #expect(none.errors.contains("Nothing was imported"))
        _ = try sandbox.write("<svg></svg>", to: "guides/picture.svg")
        _ = try sandbox.write("<tv><channel id=\"a\"/></tv>", to: "guides/guide.xml")
        #expect(try sandbox.epg("import", folder).status == 0)
        // A file that the user names must be a guide.
        #expect(try sandbox.epg("import", folder + "/notes.md", folder + "/guide.xml").status == 65)
    }

    /// A file with < but without any record of a guide is not a truncated guide.
    @Test func formatOfFileWithoutGuideIsUnknown() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("import", try sandbox.write("CREATE TABLE a (b CHECK (b < 3));\n", to: "schema.sql"))
        #expect(run.status == 65)
        #expect(run.errors.contains("unknown format") && !run.errors.contains("truncated"), "\(run.errors)")
        let cut = try sandbox.write("Warning: slow\n<tv><channel id=\"a\"></channel><channel id=\"b\">", to: "cut.xml")
        #expect(try sandbox.epg("import", cut).errors.contains("truncated"))
    }

    @Test func sourceInMissingFolderIsRejectedWithAdvice() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("source", "add", "home", "guide.example/tv.xml")
        #expect(run.status == 66)
        #expect(run.errors.contains("begin it with https://"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: sandbox.database))
    }

    @Test func validFilesAreImportedDespiteInvalidOne() throws {
        let sandbox = try Sandbox()
        let bad = try sandbox.write("<tv>", to: "bad.xml")
        let run = try sandbox.epg("import", bad, PackageFiles.sample("evening.xml"))
        #expect(run.status == 65)
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
        #expect(run.status == 0)
        #expect(run.output.contains("standard input:2: error: a: the start “yesterday” is invalid: skipped"))
        #expect(run.output.contains("standard input:3: error: a: the time zone of “20261024180000 XYZT”"))
        let airings = try sandbox.epg("airings", "--station", "a", "--from", "2026-10-24", "--json")
        #expect(try airings.json(as: [[String: Any]].self).map { $0["title"] as? String } == ["Three"])
    }

    @Test func readingWithoutDatabaseExitsWith66() throws {
        let sandbox = try Sandbox()
        for command in ["now", "stations", "grid", "sources", "check", "refresh"] {
            let run = try sandbox.epg(command)
            #expect(run.status == 66, "\(command)")
            #expect(run.errors.contains(command == "refresh" ? "epg source add" : "epg import"))
            #expect(run.output == "")
        }
    }

    @Test func fileThatIsNotADatabaseExitsWith65() throws {
        let sandbox = try Sandbox()
        let file = try sandbox.write(String(repeating: "no database ", count: 1000), to: "other.sqlite")
        for command in ["now", "check"] {
            #expect(try sandbox.epg(command, "--database", file).status == 65)
        }
        #expect(try sandbox.epg("import", PackageFiles.sample("evening.xml"), "--database", file).status == 65)
        #expect(try Data(contentsOf: URL(filePath: file)).starts(with: Data("no database".utf8)))
    }

    @Test func databaseInMissingFolderExitsWith73() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg(
            "import", PackageFiles.sample("evening.xml"), "--database", sandbox.path("missing/guide.sqlite"))
        #expect(run.status == 73)
        #expect(run.errors.contains("Create its folder"), "\(run.errors)")
    }

    @Test func missingHomeExitsWith78() throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.epg("now", environment: ["EPG_DATABASE": "", "HOME": ""]).status == 78)
    }
}
