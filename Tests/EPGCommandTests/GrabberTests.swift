import Foundation
import TestSupport
import Testing

/// Tests of `tv_grab_zz_epg`, the program under the name of an XMLTV grabber, with a guide that starts today.
@Suite struct GrabberTests {
    /// Creates a sandbox with the sample guide, shifted so that its first day is today. UTC has no daylight saving time.
    private func sandbox() throws -> Sandbox {
        let first = 1_792_800_000  // date -u -d 2026-10-24 +%s
        let shift = Int(Date().timeIntervalSince1970) / 86_400 * 86_400 - first
        return try Sandbox(named: "shifted by \(shift)") { model in
            try model.epg("import", PackageFiles.sample("evening.xml"), "--shift", String(shift)).expect(0)
        }
    }

    private func channelCount(_ run: CommandRun) -> Int { run.output.split(separator: "<channel ").count - 1 }

    private func programmes(in guide: String) -> [Substring] {
        guide.split(separator: "\n").filter { $0.contains("<programme ") }
    }

    @Test(arguments: [[], ["--list-channels"]]) func exportNeverOverwritesDatabase(options: [String]) throws {
        let sandbox = try sandbox()
        let before = try sandbox.dump()
        let run = try sandbox.grab(["--output", sandbox.database] + options)
        run.expect(73)
        #expect(try sandbox.dump() == before)
    }

    @Test func capabilitiesRequireNoConfiguration() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.grab("--capabilities")
        run.expect(0, output: "baseline\nmanualconfig\napiconfig\ncache\npreferredmethod\n", errors: "")
        try sandbox.grab("--preferredmethod").expect(output: "allatonce\n")
        for option in ["--description", "--version"] {
            let run = try sandbox.grab(option)
            run.expect(0, errors: "")
            #expect(run.output.split(separator: "\n").count == 1)
        }
        try sandbox.grab("--help").expect(0)
    }

    @Test(arguments: [
        ["--ahdmegkeja"], ["--days"], ["--days", "x"], ["--days=0"], ["--offset", "1.5"], ["guide.xml"], ["--quiet=1"],
    ])
    func invalidOptionExitsWith64(options: [String]) throws {
        let run = try Sandbox().grab(options)
        run.expect(64, output: "", errorsContain: ["tv_grab_zz_epg --help"])
    }

    /// Tvheadend runs a grabber without configuring it.
    @Test func withoutConfigurationAllChannelsAreWritten() throws {
        let run = try sandbox().grab()
        run.expect(0)
        #expect(run.output.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE tv SYSTEM \"xmltv.dtd\">"))
        #expect(channelCount(run) == 12)
    }

    @Test func missingConfigurationFileExitsWith78() throws {
        let run = try sandbox().grab("--config-file", "nowhere.conf")
        run.expect(78, output: "", errorsContain: ["--configure"])
    }

    @Test func singleDaysAddUpToAllDays() throws {
        let sandbox = try sandbox()
        let together = programmes(in: try sandbox.grab("--days", "3").output)
        var single: [Substring] = []
        for offset in 0..<3 {
            single += programmes(in: try sandbox.grab("--days", "1", "--offset", String(offset)).output)
        }
        #expect(together.count > 400 && single.sorted() == together.sorted())
    }

    @Test func everyProgrammeHasAStop() throws {
        let run = try sandbox().grab()
        #expect(programmes(in: run.output).allSatisfy { $0.contains(" stop=\"") })
    }

    @Test func missingDaysExitWith1() throws {
        let sandbox = try sandbox()
        let run = try sandbox.grab("--days", "9", "--quiet")
        run.expect(1, errorsContain: ["fewer than 9 days"])
        #expect(programmes(in: run.output).count > 400)
        try sandbox.grab("--days", "1", "--offset", "20").expect(1)
        // Without --days, fewer than five days are not an error.
        try sandbox.grab().expect(0)
    }

    @Test func quietPrintsNothingAndWritesOutputFile() throws {
        let sandbox = try sandbox()
        let run = try sandbox.grab("--days", "2", "--quiet", "--output", "guide.xml")
        run.expect(0, output: "", errors: "")
        let text = String(decoding: try Data(contentsOf: URL(filePath: sandbox.path("guide.xml"))), as: UTF8.self)
        #expect(text == (try sandbox.grab("--days=2").output))
        try sandbox.grab("--days", "2", "--cache", "cache.bin", "--quiet").expect(output: text)
    }

    @Test func configurationSelectsDatabaseAndChannels() throws {
        let sandbox = try sandbox()
        let file = try sandbox.write(
            """
            # made by hand
            database=\(sandbox.database)

              # channel=acorn.example
            channel=larder.example
            channel!kestrel.example
            channel=tidewave.example
            other=thing
            """, to: "my.conf")
        let run = try sandbox.grab("--config-file", file, environment: ["EPG_DATABASE": "/nowhere"])
        run.expect(0)
        #expect(channelCount(run) == 2)
        // The list for configuration has all channels.
        let channels = try sandbox.grab("--list-channels", "--config-file", file)
        channels.expect(0)
        #expect(channelCount(channels) == 12)
        channels.expect(outputOmits: ["<programme"])
    }

    @Test func invalidConfigurationLineIsNamed() throws {
        let sandbox = try sandbox()
        let file = try sandbox.write("database=x\nwhat is this\n", to: "my.conf")
        let run = try sandbox.grab("--config-file", file)
        run.expect(78, errorsContain: ["line 2"])
    }

    @Test func dialogWritesConfiguration() throws {
        let sandbox = try sandbox()
        let answers = "nowhere.sqlite\n\(sandbox.database)\nyes\nn\nwhat\nNO\ny\nnone\n"
        let run = try sandbox.grab("--configure", input: answers, environment: ["EPG_DATABASE": ""])
        run.expect(0, output: "")
        let text = try String(
            contentsOf: URL(filePath: sandbox.path(".xmltv/tv_grab_zz_epg.conf")), encoding: .utf8)
        let lines = text.split(separator: "\n")
        let database = URL(filePath: sandbox.database).resolvingSymlinksInPath().path
        #expect(
            lines.prefix(6) == [
                "database=\(database)", "channel=harbour-one.example", "channel!harbour-two.example",
                "channel!lantern.example", "channel=kestrel.example", "channel!acorn.example",
            ])
        #expect(lines.count == 13 && lines.dropFirst(5).allSatisfy { $0.hasPrefix("channel!") })
        // The grabber uses the configuration.
        #expect(try channelCount(sandbox.grab()) == 2)
    }

    @Test(arguments: ["", "nowhere.sqlite\n", "\n", "\nyes\nno\n", "\nwhat\n", "\nyes"])
    func dialogWithMissingAnswersWritesNothing(answers: String) throws {
        let sandbox = try sandbox()
        func files() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: sandbox.folder.path).filter {
                !$0.hasPrefix("std") && $0 != "tv_grab_zz_epg"
            }.sorted()
        }
        let before = try files()
        for options in [[], ["--config-file", "my.conf"]] {
            let run = try sandbox.grab(["--configure"] + options, input: answers)
            run.expect(66, output: "")
            #expect(try run.errors.hasSuffix("Nothing was written; answer all questions.\n") && files() == before)
        }
        // An existing file stays unchanged.
        let file = try sandbox.write("database=x\n", to: "old.conf")
        try sandbox.grab("--configure", "--config-file", file, input: answers).expect(66)
        #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8) == "database=x\n")
    }

    @Test func allAndNoneAnswerRemainingQuestions() throws {
        let sandbox = try sandbox()
        try sandbox.grab("--configure", "--config-file", "my.conf", input: "\nall").expect(0)
        let text = try String(contentsOf: URL(filePath: sandbox.path("my.conf")), encoding: .utf8)
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("channel=") }.count == 12)
        let none = try sandbox.grab("--configure", "--config-file", "my.conf", input: "\nnone\n")
        none.expect(0, errorsContain: ["It selects no channels"])
    }

    @Test func configurationWithoutChannelsExitsWith78() throws {
        let sandbox = try sandbox()
        let file = try sandbox.write(
            "database=\(sandbox.database)\nchannel!larder.example\n#channel=acorn.example\n", to: "my.conf")
        let run = try sandbox.grab("--config-file", file, "--quiet")
        run.expect(78, output: "")
        #expect(run.errors.hasPrefix("tv_grab_zz_epg: \(file) selects no channels."))
        // Listing channels still works.
        try sandbox.grab("--list-channels", "--config-file", file).expect(0)
        let all = try sandbox.write("database=\(sandbox.database)\n", to: "all.conf")
        #expect(try channelCount(sandbox.grab("--config-file", all)) == 12)
    }

    @Test func configurationPreservesIdentifiers() throws {
        let sandbox = try Sandbox()
        let ids = ["one #2", "#", "a  b", "x=y!z", "\u{301}mark", "tail#", "plain.example"]
        let start = Int(Date().timeIntervalSince1970) / 86_400 * 86_400
        let day = Date(timeIntervalSince1970: TimeInterval(start)).formatted(.iso8601.year().month().day())
            .replacing("-", with: "")
        let records = ids.map { #"<channel id="\#($0)"><display-name>N</display-name></channel>"# }
        let programmes = ids.map {
            #"<programme start="\#(day)100000 +0000" stop="\#(day)110000 +0000" channel="\#($0)"><title>T</title></programme>"#
        }
        let guide = try sandbox.write("<tv>\(records.joined())\(programmes.joined())</tv>", to: "guide.xml")
        try sandbox.epg("import", guide).expect(0)
        // Exclude the last one, so that the file names all others.
        let answers = "\n" + String(repeating: "yes\n", count: ids.count - 1) + "no\n"
        try sandbox.grab("--configure", input: answers).expect(0)
        let output = try sandbox.grab("--days", "1").output
        #expect(output.split(separator: "<channel ").count == ids.count)
        for id in ids.dropLast() { #expect(output.contains("<channel id=\"\(id)\">"), "\(id)") }
    }

    @Test func helpDescribesConfigurationWithoutChannels() throws {
        try Sandbox().grab("--help").expect(outputContains: ["A file with only channel!ID lines includes"])
    }

    @Test func configureAPIHasTwoStages() throws {
        let sandbox = try sandbox()
        let start = try sandbox.grab("--configure-api")
        start.expect(
            0,
            outputContains: [
                "<xmltvconfiguration grabber=\"tv_grab_zz_epg\">", "<string id=\"database\"",
                "<nextstage stage=\"select-channels\" />",
            ])
        try sandbox.grab("--configure-api", "--stage", "select-channels").expect(78)
        let file = try sandbox.write("database=\(sandbox.database)\n", to: "my.conf")
        let channels = try sandbox.grab("--configure-api", "--stage", "select-channels", "--config-file", file)
        channels.expect(outputContains: ["<selectmany id=\"channel\">"])
        #expect(channels.output.split(separator: "<option value=").count == 13)
        channels.expect(outputContains: ["<nextstage stage=\"end\" />"])
        try sandbox.grab("--configure-api", "--stage", "third", "--config-file", file).expect(64)
    }

    @Test func missingGuideExitsWith66() throws {
        let run = try Sandbox().grab()
        run.expect(66, output: "")
    }
}

extension Sandbox {
    fileprivate func grab(
        _ arguments: String..., input: String = "", environment: [String: String] = [:]
    ) throws -> CommandRun {
        try grab(arguments, input: input, environment: environment)
    }

    /// Runs the program under the grabber's name, with files in the folder as its standard streams.
    fileprivate func grab(
        _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) throws -> CommandRun {
        let variables = variables(["TZ": "UTC"].merging(environment) { $1 })
        let process = CommandRun.process(arguments, environment: variables, folder: folder)
        let name = path("tv_grab_zz_epg")
        if !FileManager.default.fileExists(atPath: name) {
            let program = try #require(process.executableURL)
            try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: program.path)
        }
        process.executableURL = URL(filePath: name)
        process.standardInput = FileHandle(forReadingAtPath: try write(input, to: "stdin"))
        process.standardOutput = FileHandle(forWritingAtPath: try write("", to: "stdout"))
        process.standardError = FileHandle(forWritingAtPath: try write("", to: "stderr"))
        try process.run()
        process.waitUntilExit()
        func text(_ stream: String) throws -> String {
            String(decoding: try Data(contentsOf: URL(filePath: path(stream))), as: UTF8.self)
        }
        return CommandRun(
            arguments, status: process.terminationStatus, output: try text("stdout"), errors: try text("stderr"))
    }
}
