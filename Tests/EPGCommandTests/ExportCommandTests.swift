import Foundation
import TestSupport
import Testing

/// Tests of `epg export`.
@Suite struct ExportCommandTests {
    private func sandbox() throws -> Sandbox { try Sandbox(importing: "evening.xml") }

    @Test func exportedGuideImportsAsTheSameGuide() throws {
        let (first, second) = (try sandbox(), try Sandbox())
        let file = second.path("guide.xml")
        let run = try first.epg("export", "--times", "published", "--output", file)
        #expect((run.status, run.output, run.errors) == (0, "", ""))
        #expect(try second.epg("import", file).status == 0)
        let published = ["export", "--times", "published"]
        #expect(try second.epg(published).output == (try first.epg(published).output))
    }

    @Test(arguments: ["xmltv", "json", "ics"])
    func outputFileEqualsStandardOutput(format: String) throws {
        let sandbox = try sandbox()
        let arguments = ["export", "--format", format, "--at", "2026-10-24"]
        let output = try sandbox.epg(arguments).output
        #expect(output.utf8.count > 1000)
        #expect(try sandbox.epg(arguments + ["--output", "guide"]).status == 0)
        #expect(try sandbox.text(of: "guide") == output)
    }

    @Test func gzExtensionCompressesOutput() throws {
        let sandbox = try sandbox()
        #expect(try sandbox.epg("export", "--output", "guide.xml.gz").status == 0)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", sandbox.path("guide.xml.gz")]
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(String(decoding: bytes, as: UTF8.self) == (try sandbox.epg("export").output))
    }

    @Test func replacedFileKeepsItsMode() throws {
        let sandbox = try sandbox()
        let file = try sandbox.write("old", to: "guide.xml")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        #expect(try sandbox.epg("export", "--output", "guide.xml").status == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(try sandbox.text(of: "guide.xml").hasPrefix("<?xml"))
    }

    @Test(arguments: ["", "-search", ".lock"]) func exportNeverOverwritesDatabase(suffix: String) throws {
        let sandbox = try sandbox()
        let before = try sandbox.dump()
        let run = try sandbox.epg("export", "--output", sandbox.database + suffix)
        #expect(run.status == 73)
        #expect(run.errors.contains("is a file of the guide itself"))
        #expect(try sandbox.dump() == before)
    }

    @Test func symbolicLinkIsFollowedAndKept() throws {
        let sandbox = try sandbox()
        _ = try sandbox.write("old", to: "real.xml")
        try FileManager.default.createSymbolicLink(
            atPath: sandbox.path("link.xml"), withDestinationPath: "real.xml")
        #expect(try sandbox.epg("export", "--output", "link.xml").status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: sandbox.path("link.xml")) == "real.xml")
        #expect(try sandbox.text(of: "real.xml").hasPrefix("<?xml"))
    }

    @Test func failedExportKeepsExistingFile() throws {
        let sandbox = try sandbox()
        _ = try sandbox.write("old", to: "guide.xml")
        let before = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path).sorted()
        let run = try sandbox.epg("export", "--stations", "no-such-station", "--output", "guide.xml")
        #expect((run.status, run.output) == (66, ""))
        #expect(try sandbox.text(of: "guide.xml") == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path).sorted() == before)
    }

    @Test func fullDiskExitsWith74() throws {
        let sandbox = try sandbox()
        let run = try sandbox.epg("export", "--output", "/dev/full")
        #expect(run.status == 74)
        #expect(run.errors.contains("No space left"))
    }

    @Test func missingOutputFolderExitsWith73() throws {
        let run = try sandbox().epg("export", "--output", "nowhere/guide.xml")
        #expect(run.status == 73)
        #expect(run.errors.contains("nowhere/guide.xml"))
    }

    /// sample-data/README.md: October 25 has 25 hours, from 23:00Z to 24:00Z.
    @Test func daysFollowTimeZone() throws {
        let sandbox = try sandbox()
        let output = try sandbox.epg(
            "export", "--days", "1", "--offset", "1", "--at", "2026-10-24T12:00Z", "--stations", "harbour-one.example"
        ).output
        let window = try sandbox.epg(
            "export", "--from", "2026-10-24T23:00Z", "--to", "2026-10-26T00:00Z", "--stations", "harbour-one.example"
        ).output
        #expect(output == window)
        #expect(output.contains("The Hour That Happens Twice"))
        #expect(output.split(separator: "<channel ").count == 2)
    }

    @Test func strictOmitsElementsOutsideDTD() throws {
        let sandbox = try Sandbox(importing: "oddities.xml")
        #expect(try sandbox.epg("export").output.contains("<x-mood level=\"3\">"))
        let strict = try sandbox.epg("export", "--strict").output
        #expect(!strict.contains("x-"))
        #expect(!strict.contains("<lcn>"))
    }

    @Test func severalSourcesAreExportedWithShownTimes() throws {
        let sandbox = try sandbox()
        #expect(try sandbox.epg("import", PackageFiles.sample("oddities.xml"), "--source", "odd").status == 0)
        // Touchline, 24th: the football is published to 17:10, but *Final Whistle* starts at 17:00.
        let published = "start=\"20261024133000 +0000\" stop=\"20261024161000 +0000\" channel=\"touchline.example\""
        let shown = published.replacing("161000", with: "160000")
        let asPublished = try sandbox.epg("export", "--source", "default", "--times", "published").output
        #expect(asPublished.contains(published) && !asPublished.contains(shown))
        let mixed = try sandbox.epg("export").output
        #expect(mixed.contains(shown) && !mixed.contains(published))
        #expect(!asPublished.contains("attic.test"))
        #expect(mixed.contains("attic.test"))
        let run = try sandbox.epg("export", "--source", "third")
        #expect(run.status == 66)
        #expect(run.errors.contains("third"))
    }

    @Test func xmltvHasShownTimesAndJSONHasPublishedTimes() throws {
        let sandbox = try Sandbox()
        let guide = """
            <tv><programme start="20261024190000 +0000" channel="a"><title>First</title></programme>
            <programme start="20261024200000 +0000" channel="a"><title>Next</title></programme></tv>
            """
        #expect(try sandbox.epg("import", "-", input: guide).status == 0)
        let stop = "stop=\"20261024200000 +0000\""
        #expect(try sandbox.epg("export").output.contains(stop))
        #expect(try !sandbox.epg("export", "--times", "published").output.contains(stop))
        #expect(try !sandbox.epg("export", "--format", "json").output.contains("\"stop\""))
    }

    @Test func playlistExportRequiresLineup() throws {
        let run = try sandbox().epg("export", "--format", "m3u")
        #expect(run.status == 66)
        #expect(run.errors.contains("Import a playlist first"))
    }

    @Test(arguments: [
        ["--days", "0"], ["--days", "1", "--from", "now"], ["--format", "m3u", "--strict"], ["--lineup", "x"],
        ["--from", "2026-10-25", "--to", "2026-10-24"], ["--format", "ics", "--times", "shown"], ["--format", "pdf"],
    ])
    func conflictingOptionsExitWith64(options: [String]) throws {
        let run = try sandbox().epg(["export"] + options)
        #expect((run.status, run.output) == (64, ""))
    }

    @Test func closedPipeEndsExportSilently() throws {
        let sandbox = try sandbox()
        let process = CommandRun.process(["export"], environment: sandbox.variables([:]), folder: sandbox.folder)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try output.fileHandleForReading.close()
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        try errors.fileHandleForWriting.close()
        #expect(try errors.fileHandleForReading.readToEnd() ?? Data() == Data())
    }

    @Test func optionsAndSettingsShapeTheExport() throws {
        let sandbox = try sandbox()
        let settings = try sandbox.write("output: {title: \"{title} / {station}\", genres: etsi}\n", to: "epg.yml")
        let environment = ["EPG_CONFIG": settings]
        let shaped = try sandbox.epg(["export"], environment: environment).output
        #expect(shaped.contains(" / Harbour One</title>") && shaped.contains(">News / Current affairs</category>"))
        let overridden = try sandbox.epg(["export", "--title", "{title}!"], environment: environment).output
        #expect(overridden.contains("!</title>") && !overridden.contains(" / Harbour One</title>"))
        let unchanged = try sandbox.epg(["export", "--unchanged"], environment: environment).output
        #expect(unchanged == (try sandbox.epg("export").output))
    }

    @Test(arguments: [
        (["--title", "{x}"], "--title: unknown placeholder {x}; allowed: {title}, "),
        (["--drop", "title"], "--drop: cannot drop “title”. Allowed: sub-title, "),
        (["--genres", "dvb"], "one of 'none', 'etsi' or 'etsi-only'"),
        (
            ["--format", "m3u", "--genres", "etsi"],
            "--format m3u supports only --lineup, --output, --gzip and --unchanged."
        ),
    ]) func invalidShapeIsAUsageError(options: [String], message: String) throws {
        let run = try sandbox().epg(["export"] + options)
        #expect(run.status == 64 && run.errors.contains(message), "\(run.errors)")
    }

    @Test func categoriesAreListedWithTheirGenres() throws {
        let sandbox = try sandbox()
        let text = try sandbox.epg("stations", "--categories").output
        #expect(text.contains("0x20  News / Current affairs"))
        let json = try sandbox.epg("stations", "--categories", "--json").output
        #expect(
            json.contains(#"{"category":"News","airings":"#)
                && json.contains(#""genre":"News / Current affairs","code":32}"#))
        let settings = try sandbox.write("genres: {News: Comedy}\n", to: "epg.yml")
        let changed = try sandbox.epg(["stations", "--categories"], environment: ["EPG_CONFIG": settings]).output
        #expect(!changed.contains("News / Current affairs") || changed.contains("0x14  Comedy"))
    }

    @Test func ownLogosAreExported() throws {
        let sandbox = try sandbox()
        let settings = try sandbox.write("logos: https://logos.example/{id}.png\n", to: "epg.yml")
        let text = try sandbox.epg(["export"], environment: ["EPG_CONFIG": settings]).output
        #expect(text.contains("<icon src=\"https://logos.example/harbour-one.example.png\" />"))
    }
}

extension Sandbox {
    /// Runs `epg` with a list of arguments.
    fileprivate func epg(_ arguments: [String]) throws -> CommandRun {
        try CommandRun(arguments, input: nil, environment: variables([:]), folder: folder)
    }

    /// Returns the content of a file.
    fileprivate func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path(name))), as: UTF8.self)
    }
}
