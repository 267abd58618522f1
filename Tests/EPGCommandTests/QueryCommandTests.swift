import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of the output and errors of commands that read the guide.
@Suite struct QueryCommandTests {
    @Test func unknownStationSuggestsNearestNames() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        for command in ["airings", "now"] {
            let run = try sandbox.epg(command, "--station", "harbor-one.example")
            run.expect(66, errorsContain: ["Did you mean harbour-one.example (Harbour One)"])
        }
    }

    /// The kernel reports one opening and one closing of the file; a second connection would add two events.
    @Test(arguments: [
        ["now", "--at", "2026-10-24T20:30"], ["grid", "--at", "2026-10-24T20:30"], ["show", "1"], ["search", "low"],
        ["airings", "--station", "harbour-one.example"], ["changes", "--since", "0"], ["export"],
        ["watch", "show"],
    ])
    func queryOpensDatabaseOnce(_ arguments: [String]) throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let notices = inotify_init1(Int32(O_NONBLOCK))
        defer { close(notices) }
        try #require(inotify_add_watch(notices, sandbox.database, UInt32(IN_OPEN | IN_CLOSE)) >= 0)
        try sandbox.epg(arguments).expect(0)
        var bytes: [UInt8] = .init(repeating: 0, count: 4096)
        #expect(read(notices, &bytes, bytes.count) == 2 * MemoryLayout<inotify_event>.size)
    }

    @Test func ambiguousStationNameListsIdentifiers() throws {
        let sandbox = try Sandbox()
        let guide = try sandbox.write(
            """
            <tv><channel id="a.example"><display-name>Twin</display-name></channel>
            <channel id="b.example"><display-name>Twin</display-name></channel>
            <programme start="20260329100000 +0000" stop="20260329110000 +0000" channel="a.example"><title>A</title>
            </programme></tv>
            """, to: "twins.xml")
        try sandbox.epg("import", guide).expect(0)
        let run = try sandbox.epg("now", "--station", "twin")
        run.expect(66, errors: "epg: “twin” is the name of 2 stations: a.example, b.example. Use an identifier.\n")
    }

    @Test func emptyPeriodIsReportedWithRangeOfListings() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let now = try sandbox.epg("now", "--at", "2027-01-01T12:00")
        now.expect(0, errorsContain: ["The guide has listings from", "--at"])
        let grid = try sandbox.epg("grid", "--at", "2027-01-01T12:00")
        grid.expect(0, errorsContain: ["The guide has listings from", "--from"])
        try sandbox.epg("now", "--at", "2027-01-01T12:00", "--json").expect(errors: "")
    }

    @Test func guideThatIsOverSaysSoAndHowToRefresh() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        for command in ["now", "grid"] {
            let after = try sandbox.epg(command, "--at", "2027-01-01T12:00")
            after.expect(errorsContain: ["epg: The listings ended on ", "Run `epg refresh` to update them."])
        }
        // Before the guide begins, `epg now` shows what is next.
        let before = try sandbox.epg("grid", "--at", "2026-01-01T12:00")
        #expect(before.errors.hasPrefix("epg: No programmes in this period. The guide has listings from "))
        try sandbox.epg("now", "--at", "2026-01-01T12:00").expect(errors: "")
    }

    @Test func emptyGuideSaysHowToGetListings() throws {
        let sandbox = try Sandbox()
        try sandbox.epg("source", "add", "home", "https://tv.example/guide.xml").expect(0)
        let message =
            "epg: The guide has no listings yet. Add a source with `epg source add NAME URL` and run `epg refresh`"
        let now = try sandbox.epg("now")
        #expect(now.status == 0 && now.errors.hasPrefix(message), "\(now.errors)")
        let grid = try sandbox.epg("grid")
        #expect(grid.status == 66 && grid.errors.hasPrefix(message), "\(grid.errors)")
        try sandbox.epg("now", "--json").expect(errors: "")
    }

    @Test func longGapShowsDayOfItsEnd() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let run = try sandbox.epg(
            "airings", "--station", "harbour-one.example", "--from", "2027-01-07T20:00", "--zone", "UTC")
        run.expect(outputContains: ["20:00–Fri 20:00"])
    }

    @Test(arguments: [
        (["gird"], "gird", "grid"), (["help", "gird"], "gird", "grid"), (["config", "chek"], "chek", "check"),
    ])
    func unknownCommandSuggestsNearestName(_ arguments: [String], _ name: String, _ suggestion: String) throws {
        let run = try Sandbox().epg(arguments)
        run.expect(64)
        #expect(
            run.errors.hasPrefix("epg: There is no command “\(name)”. Did you mean “\(suggestion)”"), "\(run.errors)")
    }

    @Test func stationNameIsCaseInsensitive() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let run = try sandbox.epg("now", "--station", "tHe lArDeR", "--at", "2026-10-24T20:40", "--json")
        let rows = try run.json(as: [[String: Any]].self)
        #expect(rows.map { $0["station"] as? String } == ["larder.example"])
    }

    @Test func unknownTimeZoneSuggestsNearestName() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let run = try sandbox.epg("now", "--zone", "Europe/Lodon")
        run.expect(64, errorsContain: ["Europe/London"])
        try sandbox.epg("import", PackageFiles.sample("evening.xml"), "--zone", "Mars/Base").expect(64)
    }

    @Test func unknownAiringExitsWith66() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        try sandbox.epg("show", "999999").expect(66)
    }

    @Test(arguments: [
        ["now", "--at", "half past never"], ["airings"], ["grid", "--rows", "9-3"], ["grid", "--hours", "nan"],
        ["grid", "--hours", "-1"], ["grid", "--width", "5"], ["grid", "--json", "--points-per-hour", "0"],
        ["grid", "--json", "--viewport-width", "inf"], ["search"], ["show", "seven"], ["prune"], ["observe"],
        ["import"], ["import", "a.xml", "--days", "0"], ["source", "add", "a"],
        ["airings", "--station", "larder.example", "--from", "2026-10-25", "--to", "2026-10-24"],
        ["source", "add", "a", "b", "--every", "never"],
    ])
    func invalidOptionsExitWith64(_ arguments: [String]) throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let run = try CommandRun(
            arguments, input: nil, environment: sandbox.variables([:]), folder: sandbox.folder)
        run.expect(64, output: "")
        #expect(!run.errors.isEmpty)
    }

    /// The second airing has no title.
    @Test(
        arguments: [
            ["now", "--at", "2026-03-29T11:30"], ["airings", "--station", "a.example", "--from", "2026-03-29"],
            ["grid", "--at", "2026-03-29T11:30"], ["grid", "--format", "svg", "--at", "2026-03-29T11:30"],
            ["search", "quiet"], ["show", "2"], ["watch", "show", "--at", "2026-03-29T10:30"],
            ["export", "--format", "ics"],
        ])
    func airingWithoutTitleIsUntitled(_ command: [String]) throws {
        let sandbox = try Sandbox(named: "untitled") { sandbox in
            let guide = try sandbox.write(
                """
                <tv><channel id="a.example"><display-name>Harbour</display-name></channel>
                <programme start="20260329100000 +0000" stop="20260329110000 +0000" channel="a.example"><title>Low Water</title>
                </programme><programme start="20260329110000 +0000" stop="20260329120000 +0000" channel="a.example">
                <desc>A quiet hour.</desc></programme></tv>
                """, to: "guide.xml")
            try sandbox.epg("import", guide).expect(0)
            try sandbox.epg("watch", "add", "quiet", "--words", "quiet").expect(0)
        }
        try sandbox.epg(command + ["--zone", "UTC"]).expect(0, outputContains: ["Untitled"])
    }

    /// 18:40 UTC is 18:40 in London and 14:40 in New York.
    @Test(
        arguments: [
            (["now"], "", "14:40 EDT"), (["now", "--zone", "UTC"], "", "18:40 UTC"),
            (["now"], "Asia/Tokyo", "03:40 JST"),
            (["grid"], "", "15:00"),
        ] as [([String], String, String)])
    func timesAreInTheZoneOfTheSettings(_ command: [String], _ variable: String, _ time: String) throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let settings = try sandbox.write("zone: America/New_York\n", to: "epg.yml")
        let run = try sandbox.epg(
            command + ["--at", "2026-10-25T18:40:00Z"],
            environment: ["EPG_CONFIG": settings, "EPG_ZONE": variable])
        run.expect(0, outputContains: [time])
    }

    @Test func airingThatStopsNowIsNotCurrent() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let run = try sandbox.epg("now", "--at", "2026-10-24T21:00", "--station", "harbour-one.example", "--json")
        let row = try #require(try run.json(as: [[String: Any]].self).first)
        let titles = (row["now"] as? [[String: Any]])?.map { $0["title"] as? String }
        #expect(titles == ["Low Water"])
        expectMembers(row["next"] as? [String: Any], ["start": "2026-10-24T21:00:00Z"])
    }

    /// Sunday the 25th has 25 hours: 23:00 UTC on the 24th to 00:00 UTC on the 26th.
    @Test func todayHas25HoursAtEndOfDaylightSavingTime() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let run = try sandbox.epg("airings", "--station", "harbour-one.example", "--at", "2026-10-25T12:00", "--json")
        let airings = try run.json(as: [[String: Any]].self)
        expectMembers(airings.first, ["start": "2026-10-24T22:15:00Z", "stop": "2026-10-25T00:00:00Z"])
        expectMembers(airings.last, ["start": "2026-10-25T23:15:00Z"])
    }

    @Test func chineseWordsAreFound() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let run = try sandbox.epg("search", "新闻", "--at", "2026-10-24T00:00", "--json")
        let titles = Set(try run.json(as: [[String: Any]].self).compactMap { $0["title"] as? String })
        #expect(titles == ["晚间新闻联播", "新闻早班车", "午间新闻"])
    }

    @Test func searchWithoutResultsSucceeds() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let text = try sandbox.epg("search", "xylophonic")
        text.expect(0, output: "", errors: "No airings found.\n")
        let misspelled = try sandbox.epg("search", "kerbsied")
        misspelled.expect(0, output: "", errors: "No airings found.\nDid you mean “Kerbside”?\n")
        #expect(try sandbox.epg("search", "xylophonic", "--json").json(as: [Any].self).isEmpty)
        try sandbox.epg("search", "news\"\u{301}").expect(0)
        for query in ["x*", (1...13).map { "word\($0)" }.joined(separator: " ")] {
            let rejected = try sandbox.epg("search", query)
            #expect(rejected.status == 64 && rejected.output.isEmpty && !rejected.errors.isEmpty)
        }
    }
}
