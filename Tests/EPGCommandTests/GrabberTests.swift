import Foundation
import Testing

/// `tv_grab_zz_epg`: the program under the name of a grabber of the XMLTV project, over a guide that begins today.
@Suite struct GrabberTests {
    /// The sample guide, moved so that its first day is today; in UTC a day is a day.
    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        let first = 1_792_800_000  // date -u -d 2026-10-24 +%s
        let shift = Int(Date().timeIntervalSince1970) / 86_400 * 86_400 - first
        let run = try sandbox.epg("import", Package.sample("evening.xml"), "--shift", String(shift))
        try #require(run.status == 0, "\(run.errors)")
        return sandbox
    }

    private func starts(in guide: String) -> [Substring] {
        guide.split(separator: "\n").filter { $0.contains("<programme ") }
    }

    @Test(arguments: [[], ["--list-channels"]]) func guideIsNeverOverwritten(options: [String]) throws {
        let sandbox = try sandbox()
        let before = try sandbox.dump()
        let run = try sandbox.grab(["--output", sandbox.database] + options)
        #expect(run.status == 73, "\(run.errors)")
        #expect(try sandbox.dump() == before)
    }

    @Test func capabilitiesNeedNoConfiguration() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.grab("--capabilities")
        #expect(run.output == "baseline\nmanualconfig\napiconfig\ncache\npreferredmethod\n")
        #expect((run.status, run.errors) == (0, ""))
        #expect(try sandbox.grab("--preferredmethod").output == "allatonce\n")
        for option in ["--description", "--version"] {
            let run = try sandbox.grab(option)
            #expect((run.status, run.errors) == (0, ""))
            #expect(run.output.split(separator: "\n").count == 1)
        }
        #expect(try sandbox.grab("--help").status == 0)
    }

    @Test(arguments: [
        ["--ahdmegkeja"], ["--days"], ["--days", "x"], ["--days=0"], ["--offset", "1.5"], ["guide.xml"], ["--quiet=1"],
    ])
    func wrongOptionFails(options: [String]) throws {
        let run = try Sandbox().grab(options)
        #expect((run.status, run.output) == (64, ""))
        #expect(run.errors.contains("tv_grab_zz_epg --help"))
    }

    /// Tvheadend runs a grabber as it finds it.
    @Test func withoutAConfigurationAllOfTheUsualGuideIsGiven() throws {
        let run = try sandbox().grab()
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE tv SYSTEM \"xmltv.dtd\">"))
        #expect(run.output.split(separator: "<channel ").count == 13)
    }

    @Test func configurationThatWasNamedHasToBeThere() throws {
        let run = try sandbox().grab("--config-file", "nowhere.conf")
        #expect((run.status, run.output) == (78, ""))
        #expect(run.errors.contains("--configure"))
    }

    @Test func daysOneByOneAddUpToAllTogether() throws {
        let sandbox = try sandbox()
        let together = starts(in: try sandbox.grab("--days", "3").output)
        var single: [Substring] = []
        for offset in 0..<3 {
            single += starts(in: try sandbox.grab("--days", "1", "--offset", String(offset)).output)
        }
        #expect(together.count > 400)
        #expect(single.sorted() == together.sorted())
    }

    @Test func everyProgrammeHasAStop() throws {
        let run = try sandbox().grab()
        #expect(starts(in: run.output).allSatisfy { $0.contains(" stop=\"") })
    }

    @Test func moreDaysThanThereAreIsAWarningAndFails() throws {
        let sandbox = try sandbox()
        let run = try sandbox.grab("--days", "9", "--quiet")
        #expect(run.status == 1)
        #expect(run.errors.contains("fewer than the 9 days"))
        #expect(starts(in: run.output).count > 400)
        #expect(try sandbox.grab("--days", "1", "--offset", "20").status == 1)
        // Nobody asked for the usual five.
        #expect(try sandbox.grab().status == 0)
    }

    @Test func quietSaysNothingAndOutputGoesToTheFile() throws {
        let sandbox = try sandbox()
        let run = try sandbox.grab("--days", "2", "--quiet", "--output", "guide.xml")
        #expect((run.status, run.output, run.errors) == (0, "", ""))
        let text = String(decoding: try Data(contentsOf: URL(filePath: sandbox.path("guide.xml"))), as: UTF8.self)
        #expect(text == (try sandbox.grab("--days=2").output))
        #expect(try sandbox.grab("--days", "2", "--cache", "cache.bin", "--quiet").output == text)
    }

    @Test func configurationNamesDatabaseAndChannels() throws {
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
        #expect(run.status == 0)
        #expect(run.output.split(separator: "<channel ").count == 3)
        // Who configures chooses among all.
        let channels = try sandbox.grab("--list-channels", "--config-file", file)
        #expect(channels.status == 0)
        #expect(channels.output.split(separator: "<channel ").count == 13)
        #expect(!channels.output.contains("<programme"))
    }

    @Test func lineThatIsNoSettingIsNamed() throws {
        let sandbox = try sandbox()
        let file = try sandbox.write("database=x\nwhat is this\n", to: "my.conf")
        let run = try sandbox.grab("--config-file", file)
        #expect(run.status == 78)
        #expect(run.errors.contains("line 2"))
    }

    @Test func dialogueWritesWhatWasAnswered() throws {
        let sandbox = try sandbox()
        let answers = "nowhere.sqlite\n\(sandbox.database)\nyes\nn\nwhat\nNO\ny\nnone\n"
        let run = try sandbox.grab("--configure", input: answers, environment: ["EPG_DATABASE": ""])
        #expect((run.status, run.output) == (0, ""))
        let text = try String(
            contentsOf: URL(filePath: sandbox.path(".xmltv/tv_grab_zz_epg.conf")), encoding: .utf8)
        let lines = text.split(separator: "\n")
        let place = URL(filePath: sandbox.database).resolvingSymlinksInPath().path
        #expect(
            lines.prefix(6) == [
                "database=\(place)", "channel=harbour-one.example", "channel!harbour-two.example",
                "channel!lantern.example", "channel=kestrel.example", "channel!acorn.example",
            ])
        #expect(lines.count == 13)
        #expect(lines.dropFirst(5).allSatisfy { $0.hasPrefix("channel!") })
        // And the grabber goes by it.
        #expect(try sandbox.grab().output.split(separator: "<channel ").count == 3)
    }

    @Test(arguments: ["", "nowhere.sqlite\n", "\n", "\nyes\nno\n", "\nwhat\n", "\nyes"])
    func dialogueThatEndsEarlyFailsAndWritesNothing(answers: String) throws {
        let sandbox = try sandbox()
        func files() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: sandbox.folder.path).filter {
                !$0.hasPrefix("std") && $0 != "tv_grab_zz_epg"
            }.sorted()
        }
        let before = try files()
        for options in [[], ["--config-file", "my.conf"]] {
            let run = try sandbox.grab(["--configure"] + options, input: answers)
            #expect((run.status, run.output) == (66, ""))
            #expect(run.errors.hasSuffix("so nothing was written. Answer all of them.\n"))
            #expect(try files() == before)
        }
        // What was there before stays.
        let file = try sandbox.write("database=x\n", to: "old.conf")
        #expect(try sandbox.grab("--configure", "--config-file", file, input: answers).status == 66)
        #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8) == "database=x\n")
    }

    @Test func dialogueNeedsNoAnswerBehindAllAndTellsOfNone() throws {
        let sandbox = try sandbox()
        #expect(try sandbox.grab("--configure", "--config-file", "my.conf", input: "\nall").status == 0)
        let text = try String(contentsOf: URL(filePath: sandbox.path("my.conf")), encoding: .utf8)
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("channel=") }.count == 12)
        let none = try sandbox.grab("--configure", "--config-file", "my.conf", input: "\nnone\n")
        #expect(none.status == 0)
        #expect(none.errors.contains("It selects no channel"))
    }

    @Test func configurationThatSelectsNoChannelIsSaidToBeSo() throws {
        let sandbox = try sandbox()
        let file = try sandbox.write(
            "database=\(sandbox.database)\nchannel!larder.example\n#channel=acorn.example\n", to: "my.conf")
        let run = try sandbox.grab("--config-file", file, "--quiet")
        #expect((run.status, run.output) == (78, ""))
        #expect(run.errors.hasPrefix("tv_grab_zz_epg: \(file) selects no channel."))
        // There they can be chosen from.
        #expect(try sandbox.grab("--list-channels", "--config-file", file).status == 0)
        let all = try sandbox.write("database=\(sandbox.database)\n", to: "all.conf")
        #expect(try sandbox.grab("--config-file", all).output.split(separator: "<channel ").count == 13)
    }

    @Test func identifiersComeBackFromTheConfigurationAsTheyAre() throws {
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
        try #require(try sandbox.epg("import", guide).status == 0)
        // The last one isn't wanted, so that all of the others are named.
        let answers = "\n" + String(repeating: "yes\n", count: ids.count - 1) + "no\n"
        try #require(try sandbox.grab("--configure", input: answers).status == 0)
        let output = try sandbox.grab("--days", "1").output
        #expect(output.split(separator: "<channel ").count == ids.count)
        for id in ids.dropLast() { #expect(output.contains("<channel id=\"\(id)\">"), "\(id)") }
    }

    @Test func wordsAboutTheConfigurationAreTrue() throws {
        let help = try Sandbox().grab("--help").output
        #expect(help.contains("one with channel!ID alone wants none"))
    }

    @Test func stagesAreThoseOfTheConfigurationInterface() throws {
        let sandbox = try sandbox()
        let start = try sandbox.grab("--configure-api")
        #expect(start.status == 0)
        #expect(start.output.contains("<xmltvconfiguration grabber=\"tv_grab_zz_epg\">"))
        #expect(start.output.contains("<string id=\"database\""))
        #expect(start.output.contains("<nextstage stage=\"select-channels\" />"))
        #expect(try sandbox.grab("--configure-api", "--stage", "select-channels").status == 78)
        let file = try sandbox.write("database=\(sandbox.database)\n", to: "my.conf")
        let channels = try sandbox.grab("--configure-api", "--stage", "select-channels", "--config-file", file)
        #expect(channels.output.contains("<selectmany id=\"channel\">"))
        #expect(channels.output.split(separator: "<option value=").count == 13)
        #expect(channels.output.contains("<nextstage stage=\"end\" />"))
        #expect(try sandbox.grab("--configure-api", "--stage", "third", "--config-file", file).status == 64)
    }

    @Test func itHasNoGuide() throws {
        let run = try Sandbox().grab()
        #expect((run.status, run.output) == (66, ""))
    }
}

/// A run of the grabber to its end.
private struct GrabberRun {
    let status: Int32
    let output: String
    let errors: String
}

extension Sandbox {
    fileprivate func grab(
        _ arguments: String..., input: String = "", environment: [String: String] = [:]
    ) throws -> GrabberRun {
        try grab(arguments, input: input, environment: environment)
    }

    /// Runs the program under the grabber's name; its streams are files in the folder.
    fileprivate func grab(
        _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) throws -> GrabberRun {
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
        return GrabberRun(status: process.terminationStatus, output: try text("stdout"), errors: try text("stderr"))
    }
}
