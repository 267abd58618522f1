import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Tests of `/api/v1/grid` against the command line and calculations by hand.
@Suite struct GridTests {
    private let guide: APIGuide

    init() throws { guide = try SharedGuides.sample.get() }

    /// Options of the command with the equivalent parameters.
    private static let viewports: [(options: String, parameters: String, firstRow: Int)] = [
        ("", "rowHeight=60&headerHeight=40&width=1280&height=720", 0),
        (
            "--x 300 --y 125 --viewport-width 512 --viewport-height 250",
            "rowHeight=60&headerHeight=40&x=300&y=125&width=512&height=250", 0
        ),
        (
            "--points-per-hour 133.3 --scale 2 --direction rtl --x 40 --viewport-width 700",
            "rowHeight=60&headerHeight=40&pointsPerHour=133.3&scale=2&direction=rtl&x=40&width=700&height=720", 0
        ),
        (
            "--orientation vertical --viewport-width 900 --viewport-height 333",
            "rowHeight=160&stationWidth=40&headerHeight=80&orientation=vertical&width=900&height=333", 0
        ),
        (
            "--orientation vertical --direction rtl --y -20",
            "rowHeight=160&stationWidth=40&headerHeight=80&orientation=vertical&direction=rtl&y=-20&width=1280&height=720",
            0
        ),
        ("--rows 3-8", "rowHeight=60&headerHeight=40&rows=3-8&width=1280&height=720", 3),
        (
            "--rows 3-8 --thumbnails sticky",
            "rowHeight=60&headerHeight=40&rows=3-8&width=1280&height=720&thumbnails=sticky", 3
        ),
    ]

    @Test(arguments: viewports)
    func elementsMatchTheCommandLineOutput(
        options: String, parameters: String, firstRow: Int
    ) async throws {
        let command = try output(
            "grid --format json --from 2026-10-24T23:30:00Z --hours 5.5 --at 2026-10-25T00:40:00Z --zone Europe/London "
                + options)
        let response = await guide.get(
            "/api/v1/grid?from=2026-10-24T23:30:00Z&hours=5.5&at=2026-10-25T00:40:00Z&zone=Europe/London&"
                + parameters)
        expectEqual(response.status, 200, "\(response.text.prefix(300))")
        let (actual, expected) = (try response.json, Loose(try JSONSerialization.jsonObject(with: command)))
        expectEqual(actual.keys, ["contentSize", "window", "elements"])
        #expect(actual["elements"].list.count > 10)
        // The command numbers rows from the first one; the API uses the row numbers of the guide.
        let elements = actual["elements"].list.map { element -> NSDictionary in
            var members = element.value as? [String: Any] ?? [:]
            if let row = members["row"] as? Int { members["row"] = row - firstRow }
            return members as NSDictionary
        }
        expectEqual(elements as NSArray, expected["elements"].value as? NSArray)
        for name in ["contentSize", "window"] {
            expectEqual(actual[name].value as? NSDictionary, try #require(expected[name].value as? NSDictionary), name)
        }
    }

    /// The output of the `epg` in the build folder.
    private func output(_ arguments: String) throws -> Data {
        let bundle = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let process = Process()
        process.executableURL = bundle.deletingLastPathComponent().appending(path: "epg")
        process.arguments = arguments.split(separator: " ").map(String.init) + ["--database", guide.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return bytes
    }

    @Test func guideStartsWithTheCurrentHalfHourByDefault() async throws {
        // Kathmandu is at UTC+5:45: 18:20Z is 00:05 there, so the half hour starts at 18:15Z.
        let kathmandu = await guide.get("/api/v1/grid?at=2026-10-24T18:20:00Z&zone=Asia/Kathmandu")
        try expectEqual(kathmandu.json["window"]["start"].text, "2026-10-24T18:15:00Z")
        let window = try await guide.get("/api/v1/grid").json["window"]
        expectEqual([window["start"].text, window["end"].text], ["2026-10-24T18:00:00Z", "2026-10-24T21:00:00Z"])
    }

    @Test func rowsKeepTheirNumbersInTheGuide() async throws {
        let response = await guide.get("/api/v1/grid?from=2026-10-24T18:00:00Z&rows=8,2-3,999")
        let stations = try response.json["elements"].list.filter { $0["kind"].text == "station" }
        expectEqual(stations.map { $0["row"].integer }, [2, 3, 8])
        expectEqual(stations.map { $0["label"].text }, ["Lantern Films", "Kestrel News", "江心卫视"])
        // Three rows of 56 points below the header of 32.
        try expectEqual(response.json["contentSize"]["height"].number, 200)
        expectEqual(stations.map { $0["frame"]["y"].number }, [32, 88, 144])
    }

    @Test func titlesAreInTheRequestedLanguage() async throws {
        // 14:30 BST on Harbour Two: the first title is the French one.
        let target = "/api/v1/grid?from=2026-10-24T13:30:00Z&hours=1&rows=1&form=columns"
        for (language, title) in [
            ("", "Le Dernier Phare"), ("&lang=en", "The Last Lighthouse"), ("&lang=pt-BR,en", "The Last Lighthouse"),
            ("&lang=xx", "Le Dernier Phare"),
        ] {
            let titles = try await guide.get(target + language).json["cells"]["title"].texts
            expectEqual(titles.contains(title), true, "\(language): \(titles)")
        }
    }

    @Test(arguments: [
        ("hours=360", 400), ("hours=200", 200), ("hours=201", 400), ("hours=360&rows=0-54", 200),
        ("hours=360&rows=0-55", 400),
        // At 240 points per hour, a width of 10,000 points covers less than 42 hours.
        ("hours=360&width=10000&form=columns", 200), ("hours=360&height=1000", 200),
        ("hours=40&lang=en", 200), ("hours=41&lang=en", 400),
    ])
    func productOfRowsAndHoursIsLimited(parameters: String, status: Int) async throws {
        // 100 rows.
        let wide = try SharedGuides.wide.get()
        let response = await wide.get("/api/v1/grid?from=2026-10-24T00:00:00Z&" + parameters)
        expectEqual(response.status, status)
        if status == 400 { try expectText(response.json["detail"].text ?? "", contains: ["rows=0-49"]) }
    }

    @Test func responseWithFullGenerationNameIsImmutableUnlessItFollowsTheClock() async throws {
        let target = "/api/v1/grid?form=columns&from=2026-10-24T18:00:00Z"
        let current = try await guide.get("/api/v1/changes?since=0").json
        let generation = try #require(current["generation"].integer)
        let name = try #require(current["name"].text)
        let elements = "/api/v1/grid?from=2026-10-24T18:00:00Z&generation=\(name)"
        let isImmutable: KeyValuePairs<String, Bool> = [
            target: false, target + "&generation=\(name)": true,
            // Another database may have the same generation number.
            target + "&generation=\(generation)": false,
            elements: false, elements + "&at=2026-10-24T18:00:59Z": true,
        ]
        for (target, isImmutable) in isImmutable {
            let response = await guide.get(target)
            expectEqual(response.status, 200, target)
            expectEqual(response.headers[.cacheControl]?.contains("immutable"), isImmutable, target)
        }
        for suffix in ["\(generation + 1)", "\(generation).x"] {
            await expectEqual(guide.get(target + "&generation=" + suffix).status, 409, suffix)
        }
    }

    @Test func emptyGuideHasNoRows() async throws {
        let empty = try APIGuide([])
        let response = await empty.get("/api/v1/grid?form=columns&stations=1")
        expectEqual(response.status, 200, "\(response.text)")
        try expectEqual(response.json["rows"].list.count, 0)
        #expect(try response.json["stations"].value as? NSArray == [])
        await expectEqual(empty.get("/api/v1/grid?headerHeight=0&stationWidth=0").status, 200)
    }
}
