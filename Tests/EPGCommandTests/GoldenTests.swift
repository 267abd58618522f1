import Foundation
import TestSupport
import Testing

/// Tests of the output for the sample guide at fixed times. `make goldens` updates the expected files.
@Suite struct GoldenTests {
    /// A golden file and the command whose output it contains.
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let arguments: [String]

        init(_ name: String, _ arguments: String...) {
            self.name = name
            self.arguments = arguments
        }

        var testDescription: String { name }
    }

    static let cases = [
        Case("grid-80.txt", "grid", "--from", "2026-10-24T18:30", "--at", "2026-10-24T20:40"),
        Case(
            "grid-120-detailed.txt", "grid", "--from", "2026-10-24T18:30", "--at", "2026-10-24T20:40", "--width", "120",
            "--style", "detailed", "--rows", "0-5"),
        Case(
            "grid-40-dense.txt", "grid", "--from", "2026-10-24T20:00", "--at", "2026-10-24T20:40", "--hours", "2",
            "--width", "40", "--style", "dense"),
        // The clocks go back at 02:00 BST, so the hour from 01:00 occurs twice.
        Case(
            "grid-switch-night.txt", "grid", "--from", "2026-10-25T00:00Z", "--hours", "4", "--at", "2026-10-25T01:15Z"),
        Case(
            "grid.json", "grid", "--json", "--from", "2026-10-25T00:00Z", "--hours", "4", "--at", "2026-10-25T01:15Z",
            "--rows", "0-2", "--x", "200", "--y", "30", "--viewport-width", "500", "--viewport-height", "120"),
        // A picture at the origin, and a dark one scrolled to the night when the clocks go back.
        Case(
            "grid-light.svg", "grid", "--format", "svg", "--from", "2026-10-24T18:30", "--at", "2026-10-24T20:40",
            "--hours", "5", "--rows", "0-5", "--viewport-width", "960", "--viewport-height", "400"),
        Case(
            "grid-dark.svg", "grid", "--format", "svg", "--theme", "dark", "--from", "2026-10-25T00:00Z", "--hours",
            "4",
            "--at", "2026-10-25T01:15Z", "--x", "200", "--y", "30", "--viewport-width", "500", "--viewport-height",
            "300", "--scale", "2"),
        Case(
            "grid-vertical.svg", "grid", "--format", "svg", "--orientation", "vertical", "--direction", "rtl", "--from",
            "2026-10-24T20:00", "--at", "2026-10-24T20:40", "--viewport-width", "720", "--viewport-height", "500"),
        Case("now-80.txt", "now", "--at", "2026-10-24T20:40"),
        Case("airings-switch-day.txt", "airings", "--station", "harbour-one.example", "--at", "2026-10-25T12:10"),
        Case("search.txt", "search", "新闻", "--at", "2026-10-25T12:10"),
        Case("stations.txt", "stations"),
    ]

    @Test(arguments: cases) func outputMatchesGolden(_ golden: Case) throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let run = try CommandRun(
            golden.arguments, input: nil, environment: sandbox.variables([:]), folder: sandbox.folder)
        run.expect(0, errors: "")
        try Golden.expect(run.output, equals: golden.name)
    }

    /// Headers of the playlist's groups, and pictures of what is on now.
    @Test(arguments: [
        ("grid-groups.txt", ["--width", "60", "--style", "dense"]),
        (
            "grid-groups.svg",
            [
                "--format", "svg", "--thumbnails", "sticky", "--y", "50", "--viewport-width", "720",
                "--viewport-height",
                "320",
            ]
        ),
    ])
    func groupsAndThumbnailsMatchGolden(_ name: String, _ options: [String]) throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        #expect(try sandbox.epg("import", PackageFiles.sample("evening.m3u")).status == 0)
        let run = try sandbox.epg(
            ["grid", "--groups", "--from", "2026-10-24T20:00", "--at", "2026-10-24T20:40", "--rows", "0-7"] + options)
        run.expect(0, errors: "")
        try Golden.expect(run.output, equals: name)
    }

    /// An airing with every element of the DTD.
    @Test func showMatchesGolden() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let found = try sandbox.epg("search", "\"lighthouse keeper's orchestra\"", "--json").json(
            as: [[String: Any]].self)
        let number = try #require(found.first?["id"] as? Int)
        try Golden.expect(try sandbox.epg("show", "\(number)").output, equals: "show.txt")
    }

    /// Listings of feeds, placeholders, listings from names of channels, and shifted listings.
    @Test func derivedListingsMatchGolden() throws {
        let sandbox = try DerivedCommandTests.sandbox()
        let commands = [
            ["grid", "--from", "2026-10-24T18:30", "--width", "110", "--style", "detailed", "--rows", "0-4"],
            ["now"], ["match", "--explain"],
        ]
        let outputs = try commands.map { command in
            let time = command == ["match", "--explain"] ? [] : ["--at", "2026-10-24T20:40"]
            let run = try sandbox.epg(command + time)
            run.expect(0, errors: "")
            return "$ epg \((command + time).joined(separator: " "))\n\(run.output)"
        }
        try Golden.expect(outputs.joined(separator: "\n"), equals: "derived.txt")
    }

    @Test func explanationMatchesGolden() throws {
        let sandbox = try Sandbox()
        let guide = try sandbox.write(
            String(decoding: try Data(contentsOf: URL(filePath: PackageFiles.sample("oddities.xml"))), as: UTF8.self),
            to: "oddities.xml")
        #expect(guide.hasSuffix("oddities.xml"))
        try Golden.expect(
            try sandbox.epg("import", "--explain", "oddities.xml", environment: ["COLUMNS": "120"]).output,
            equals: "explain.txt")
    }

    @Test func watchlistMatchesGolden() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        for rule in [
            ["choirs", "--words", "choir", "--once", "--minutes", "10"],
            ["late films", "--category", "Film", "--between", "20:00-2:00", "--profile", "anna"],
            ["harbour", "--station", "Harbour One", "--between", "19:00-21:00"],
        ] { #expect(try sandbox.epg(["watch", "add"] + rule).status == 0) }
        let runs = try [
            ["watch", "list"], ["watch", "show", "--days", "1", "--at", "2026-10-24T18:00"],
            ["watch", "show", "choirs", "--json", "--at", "2026-10-24T18:00"],
        ].map { arguments in
            let run = try sandbox.epg(arguments, environment: ["COLUMNS": "100"])
            return "$ epg \(arguments.joined(separator: " "))\n\(run.output)\(run.errors)"
        }
        try Golden.expect(runs.joined(separator: "\n"), equals: "watch.txt")
    }

    @Test func helpMatchesGolden() throws {
        let sandbox = try Sandbox()
        let commands = [
            [], ["import"], ["stations"], ["now"], ["airings"], ["grid"], ["search"], ["show"], ["sources"], ["check"],
            ["prune"], ["source"], ["source", "add"], ["source", "set"], ["source", "remove"],
            ["refresh"], ["changes"], ["backup"], ["restore"], ["match"], ["export"], ["validate"], ["filter"],
            ["filter", "cat"],
            ["filter", "sort"],
            ["filter", "grep"], ["filter", "split"], ["favorite"], ["favorite", "add"], ["favorite", "list"],
            ["favorite", "remove"], ["watch"], ["watch", "add"], ["watch", "list"], ["watch", "show"],
            ["watch", "remove"], ["watch", "send"], ["profile"], ["profile", "add"], ["profile", "set"],
            ["profile", "list"], ["profile", "remove"], ["lineup"], ["lineup", "list"], ["lineup", "set"],
            ["lineup", "restore"], ["config"], ["config", "set"],
        ]
        let pages = try commands.map { command in
            let run = try CommandRun(
                command + ["--help"], input: nil, environment: sandbox.variables([:]), folder: sandbox.folder)
            return "$ epg \((command + ["--help"]).joined(separator: " "))\n\(run.output)"
        }
        try Golden.expect(pages.joined(separator: "\n"), equals: "help.txt")
    }
}

extension Golden {
    /// Compares text with a file in `Tests/Goldens`.
    fileprivate static func expect(_ text: String, equals name: String) throws {
        try expect(text, equals: PackageFiles.root.appending(path: "Tests/Goldens/\(name)"))
    }
}
