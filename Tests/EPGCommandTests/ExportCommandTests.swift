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
        run.expect(0, output: "", errors: "")
        try second.epg("import", file).expect(0)
        let published = ["export", "--times", "published"]
        #expect(try second.epg(published).output == (try first.epg(published).output))
    }

    @Test(arguments: ["xmltv", "json", "ics"])
    func outputFileEqualsStandardOutput(format: String) throws {
        let sandbox = try sandbox()
        let arguments = ["export", "--format", format, "--at", "2026-10-24"]
        let output = try sandbox.epg(arguments).output
        #expect(output.utf8.count > 1000)
        try sandbox.epg(arguments + ["--output", "guide"]).expect(0)
        #expect(try sandbox.text(of: "guide") == output)
    }

    @Test func gzExtensionCompressesOutput() throws {
        let sandbox = try sandbox()
        try sandbox.epg("export", "--output", "guide.xml.gz").expect(0)
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
        try sandbox.epg("export", "--output", "guide.xml").expect(0)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(try mode == 0o640 && sandbox.text(of: "guide.xml").hasPrefix("<?xml"))
    }

    @Test(arguments: ["", "-search", ".lock"]) func exportNeverOverwritesDatabase(suffix: String) throws {
        let sandbox = try sandbox()
        let before = try sandbox.dump()
        let run = try sandbox.epg("export", "--output", sandbox.database + suffix)
        run.expect(73, errorsContain: ["is a file of the guide itself"])
        #expect(try sandbox.dump() == before)
    }

    @Test func symbolicLinkIsFollowedAndKept() throws {
        let sandbox = try sandbox()
        _ = try sandbox.write("old", to: "real.xml")
        try FileManager.default.createSymbolicLink(
            atPath: sandbox.path("link.xml"), withDestinationPath: "real.xml")
        try sandbox.epg("export", "--output", "link.xml").expect(0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: sandbox.path("link.xml")) == "real.xml")
        #expect(try sandbox.text(of: "real.xml").hasPrefix("<?xml"))
    }

    @Test func failedExportKeepsExistingFile() throws {
        let sandbox = try sandbox()
        _ = try sandbox.write("old", to: "guide.xml")
        let before = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path).sorted()
        let run = try sandbox.epg("export", "--stations", "no-such-station", "--output", "guide.xml")
        run.expect(66, output: "")
        #expect(try sandbox.text(of: "guide.xml") == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path).sorted() == before)
    }

    @Test func fullDiskExitsWith74() throws {
        let sandbox = try sandbox()
        let run = try sandbox.epg("export", "--output", "/dev/full")
        run.expect(74, errorsContain: ["No space left"])
    }

    @Test func missingOutputFolderExitsWith73() throws {
        let run = try sandbox().epg("export", "--output", "nowhere/guide.xml")
        run.expect(73, errorsContain: ["nowhere/guide.xml"])
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
        #expect(output.contains("The Hour That Happens Twice") && output.split(separator: "<channel ").count == 2)
    }

    @Test func strictOmitsElementsOutsideDTD() throws {
        let sandbox = try Sandbox(importing: "oddities.xml")
        try sandbox.epg("export").expect(outputContains: ["<x-mood level=\"3\">"])
        try sandbox.epg("export", "--strict").expect(outputOmits: ["x-", "<lcn>"])
    }

    @Test func severalSourcesAreExportedWithShownTimes() throws {
        let sandbox = try sandbox()
        try sandbox.epg("import", PackageFiles.sample("oddities.xml"), "--source", "odd").expect(0)
        // Touchline, 24th: the football is published to 17:10, but *Final Whistle* starts at 17:00.
        let published = "start=\"20261024133000 +0000\" stop=\"20261024161000 +0000\" channel=\"touchline.example\""
        let shown = published.replacing("161000", with: "160000")
        let asPublished = try sandbox.epg("export", "--source", "default", "--times", "published")
        asPublished.expect(outputContains: [published], outputOmits: [shown, "attic.test"])
        try sandbox.epg("export").expect(outputContains: [shown, "attic.test"], outputOmits: [published])
        let run = try sandbox.epg("export", "--source", "third")
        run.expect(66, errorsContain: ["third"])
    }

    @Test func xmltvHasShownTimesAndJSONHasPublishedTimes() throws {
        let sandbox = try Sandbox()
        let guide = """
            <tv><programme start="20261024190000 +0000" channel="a"><title>First</title></programme>
            <programme start="20261024200000 +0000" channel="a"><title>Next</title></programme></tv>
            """
        try sandbox.epg("import", "-", input: guide).expect(0)
        let stop = "stop=\"20261024200000 +0000\""
        try sandbox.epg("export").expect(outputContains: [stop])
        try sandbox.epg("export", "--times", "published").expect(outputOmits: [stop])
        try sandbox.epg("export", "--format", "json").expect(outputOmits: ["\"stop\""])
    }

    @Test func playlistExportRequiresLineup() throws {
        let run = try sandbox().epg("export", "--format", "m3u")
        run.expect(66, errorsContain: ["Import a playlist first"])
    }

    @Test(arguments: [
        ["--days", "0"], ["--days", "1", "--from", "now"], ["--format", "m3u", "--strict"], ["--lineup", "x"],
        ["--from", "2026-10-25", "--to", "2026-10-24"], ["--format", "ics", "--times", "shown"], ["--format", "pdf"],
    ])
    func conflictingOptionsExitWith64(options: [String]) throws {
        let run = try sandbox().epg(["export"] + options)
        run.expect(64, output: "")
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
        try errors.fileHandleForWriting.close()
        let text = try errors.fileHandleForReading.readToEnd() ?? Data()
        #expect((process.terminationStatus, text) == (0, Data()))
    }

    @Test func optionsAndSettingsShapeTheExport() throws {
        let sandbox = try sandbox()
        let settings = try sandbox.write("output: {title: \"{title} / {station}\", genres: etsi}\n", to: "epg.yml")
        let environment = ["EPG_CONFIG": settings]
        try sandbox.epg(["export"], environment: environment).expect(outputContains: [
            " / Harbour One</title>", ">News / Current affairs</category>",
        ])
        try sandbox.epg(["export", "--title", "{title}!"], environment: environment).expect(
            outputContains: ["!</title>"], outputOmits: [" / Harbour One</title>"])
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
        run.expect(64, errorsContain: [message])
    }

    @Test func categoriesAreListedWithTheirGenres() throws {
        let sandbox = try sandbox()
        try sandbox.epg("stations", "--categories").expect(outputContains: ["0x20  News / Current affairs"])
        try sandbox.epg("stations", "--categories", "--json").expect(outputContains: [
            #"{"category":"News","airings":"#, #""genre":"News / Current affairs","code":32}"#,
        ])
        let settings = try sandbox.write("genres: {News: Comedy}\n", to: "epg.yml")
        let changed = try sandbox.epg(["stations", "--categories"], environment: ["EPG_CONFIG": settings]).output
        // In English, only “News” has this genre by default. The table has a row of the category with the new genre.
        #expect(changed.contains(/\ News +0x14 {2}Comedy\n/), "\(changed)")
    }

    @Test func ownLogosAreExported() throws {
        let sandbox = try sandbox()
        let settings = try sandbox.write("logos: https://logos.example/{id}.png\n", to: "epg.yml")
        let text = try sandbox.epg(["export"], environment: ["EPG_CONFIG": settings]).output
        #expect(text.contains("<icon src=\"https://logos.example/harbour-one.example.png\" />"))
    }
}

extension Sandbox {
    /// Returns the content of a file.
    fileprivate func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path(name))), as: UTF8.self)
    }
}
