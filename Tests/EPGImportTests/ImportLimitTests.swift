import EPGImport
import EPGModel
import EPGStore
import XMLTV
import TestSupport
import Testing

/// Tests of the limits on a guide. Tests/System/faults/bombs.py measures the memory for guides designed to exhaust it.
@Suite struct ImportLimitTests {
    private func limits(_ change: (inout ImportLimits) -> Void) -> ImportOptions {
        var options = ImportOptions()
        change(&options.limits)
        return options
    }

    /// Returns half-hour programmes, station by station.
    private static func programmes(_ count: Int, stations: Int = 1) -> String {
        (0..<stations).map { station in
            (0..<count).map { number in
                "<programme start=\"\(stamp(number))\" stop=\"\(stamp(number + 1))\" channel=\"\(station).test\">"
                    + "<title>T\(number)</title></programme>\n"
            }.joined()
        }.joined()
    }

    /// Returns the start of a half hour of the month in XMLTV format. `number` is at most 1,343.
    private static func stamp(_ number: Int) -> String {
        func digits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "202603\(digits(1 + number / 48))\(digits(number % 48 / 2))\(number % 2 == 0 ? "00" : "30")00 +0000"
    }

    private func rejection(_ records: String, _ options: ImportOptions) -> ExceededImportLimit? {
        expectThrows(ExceededImportLimit.self) { _ = try ImportedGuide(records, options: options) }
    }

    @Test func guideAtProgrammeLimitIsImported() throws {
        let guide = try ImportedGuide(Self.programmes(20, stations: 2), options: limits { $0.programmes = 40 })
        expectEqual(guide.outcome.report.airingsStored, 40)
    }

    /// A guide, limits, and the exceeded limit.
    private struct Row: CustomTestStringConvertible {
        let testDescription: String
        let records: String
        let limit: ExceededImportLimit.Limit
        let change: @Sendable (inout ImportLimits) -> Void

        init(
            _ rule: String, _ records: String, _ limit: ExceededImportLimit.Limit,
            _ change: @escaping @Sendable (inout ImportLimits) -> Void
        ) {
            (testDescription, self.records, self.limit, self.change) = (rule, records, limit, change)
        }
    }

    private static let countRows: [Row] = [
        Row("programmes", programmes(20, stations: 2), .programmes) { $0.programmes = 39 },
        Row("unreadable programmes", unreadable, .programmes) { $0.programmes = 10 },
        Row(
            "programmes without a station", String(repeating: "<programme start=\"20260301\"/>\n", count: 11),
            .programmes
        ) { $0.programmes = 10 },
        Row("programmes of a station", programmes(20, stations: 2), .programmesPerStation(StationID("0.test"))) {
            $0.programmesPerStation = 19
        },
        Row("unreadable programmes of a station", unreadable, .programmesPerStation(StationID("c"))) {
            $0.programmesPerStation = 10
        },
        Row("stations", (0..<11).map { "<channel id=\"\($0)\"/>\n" }.joined(), .stations) { $0.stations = 10 },
        Row("stations that only programmes name", Self.programmes(1, stations: 11), .stations) { $0.stations = 10 },
        // Each programme has two findings: one in its title, and an invalid stop.
        Row(
            "findings",
            String(
                repeating:
                    "<programme start=\"20260301\" stop=\"x\" channel=\"c\"><title>&a;</title><desc>&b;</desc></programme>\n",
                count: 40), .findings
        ) { $0.programmes = 40 },
    ]
    private static let unreadable = String(repeating: "<programme start=\"x\" channel=\"c\"/>\n", count: 11)

    /// The importer keeps each of these until the end of the guide: a listing (56 bytes), content (over 100), and the description of
    /// a station.
    private static let memoryRows: [Row] = [
        Row("memory of listings and contents", Self.programmes(1300, stations: 3), .memory) { $0.memory = 200_000 },
        Row(
            "memory of a station",
            "<channel id=\"a\">" + String(repeating: "<b c=\"d\"/>", count: 4000) + "</channel>\n", .memory
        ) { $0.memory = 200_000 },
    ]

    @Test(arguments: countRows + memoryRows)
    private func guideAboveLimitIsRejected(_ row: Row) {
        expectEqual(rejection(row.records, limits(row.change))?.limit, row.limit)
    }

    @Test func rejectionNamesTheLimit() {
        let programmes = Self.programmes(20, stations: 2)
        expectEqual(
            rejection(programmes, limits { $0.programmes = 39 }), ExceededImportLimit(.programmes, value: 39))
        expectEqual(
            rejection(programmes, limits { $0.programmesPerStation = 19 }),
            ExceededImportLimit(.programmesPerStation(StationID("0.test")), value: 19))
    }

    @Test func guideWithinMemoryLimitIsImported() throws {
        _ = try ImportedGuide(Self.programmes(100), options: limits { $0.memory = 200_000 })
    }

    @Test func filteredProgrammesDoNotCountTowardLimit() throws {
        var options = limits { $0.programmes = 20 }
        options.stations = [WildcardPattern("1.*")]
        let guide = try ImportedGuide(Self.programmes(20, stations: 4), options: options)
        expectEqual(guide.outcome.report.airingsStored, 20)
    }

    @Test(arguments: [
        (
            "{\"type\":\"airing\",\"station\":\"c\",\"start\":\"2026-03-01T00:00:00Z\"}\n",
            ExceededImportLimit.Limit.programmes
        ),
        ("{\"type\":\"airing\",\"station\":\"c\"}\n", .programmes),
        ("{\"type\":\"other\"}\n", .programmes),
    ]) func guidesInJSONHaveTheSameLimits(line: String, limit: ExceededImportLimit.Limit) {
        let text = "{\"type\":\"station\",\"id\":\"c\"}\n" + String(repeating: line, count: 11)
        let error = expectThrows(ExceededImportLimit.self) {
            _ = try ImportedGuide(bytes: Array(text.utf8), options: limits { $0.programmes = 10 })
        }
        expectEqual(error?.limit, limit)
    }

    /// Airings that wait for their programs, programs, and stations become records only at the end of the file.
    @Test(arguments: [
        (
            "[{\"stationID\":\"1\",\"programs\":[",
            "{\"programID\":\"EP#\",\"airDateTime\":\"2026-03-01T00:00:00Z\",\"duration\":60}", "]}]"
        ),
        ("[", "{\"programID\":\"EP#\",\"titles\":[{\"title120\":\"T\"}]}", "]"),
        ("{\"map\":[],\"stations\":[", "{\"stationID\":\"#\",\"name\":\"N\"}", "]}"),
    ]) func memoryOfSchedulesDirectIsLimited(begin: String, record: String, end: String) {
        let records = (0..<4000).map { number in
            record.split(separator: "#", omittingEmptySubsequences: false).joined(separator: "\(number)")
        }
        let text = begin + records.joined(separator: ",") + end
        let error = expectThrows(ExceededImportLimit.self) {
            _ = try ImportedGuide(bytes: Array(text.utf8), options: limits { $0.memory = 100_000 })
        }
        expectEqual(error?.limit, .memory)
    }

    @Test func rejectedGuideChangesNothing() throws {
        let guide = try ImportedGuide(Self.programmes(20, stations: 2))
        let before = try guide.store.generation()
        let lines = try guide.lines(of: "1.test")
        let error = expectThrows(ExceededImportLimit.self) {
            _ = try guide.importing(
                Array("<tv>\(Self.programmes(30, stations: 2))</tv>".utf8), options: limits { $0.programmes = 50 })
        }
        expectEqual(error?.limit, .programmes)
        try expectEqual(guide.store.generation(), before)
        try expectEqual(guide.lines(of: "1.test"), lines)
        try expectEqual(guide.store.check().problems, [])
    }

    /// Each guide is within the limits, but together they exceed them.
    @Test func storedAiringsOfSourceAreLimited() throws {
        let first = Self.programmes(20)
        let second = first.split(separator: "202603").joined(separator: "202604")
        let guide = try ImportedGuide(first, options: limits { $0.programmes = 30 })
        let airings = expectThrows(ExceededImportLimit.self) {
            _ = try guide.importing(Array("<tv>\(second)</tv>".utf8), options: limits { $0.programmes = 30 })
        }
        expectEqual(airings, ExceededImportLimit(.storedAirings, value: 30))
        let stations = expectThrows(ExceededImportLimit.self) {
            let other = "<channel id=\"x\"/><channel id=\"y\"/>"
            _ = try guide.importing(Array("<tv>\(other)</tv>".utf8), options: limits { $0.stations = 2 })
        }
        expectEqual(stations, ExceededImportLimit(.storedStations, value: 2))
        // Another source has separate limits.
        let other = try guide.importing(
            Array("<tv>\(second)</tv>".utf8), as: Source(name: "other"), options: limits { $0.programmes = 30 })
        expectEqual(other.airings.inserted, 20)
    }

    @Test func memoryOfPlaylistChannelsIsLimited() throws {
        let text = "#EXTM3U\n" + (0..<1000).map { "#EXTINF:-1 tvg-id=\"\($0)\",Name\nhttp://h/\($0)\n" }.joined()
        var limits = PlaylistLimits()
        var reader = PlaylistReader(ChunkSource(Array(text.utf8)), limits: limits)
        try expectEqual(reader.readLineup(named: "l").channels.count, 1000)
        limits.heldBytes = 100_000
        reader = PlaylistReader(ChunkSource(Array(text.utf8)), limits: limits)
        let error = expectThrows(PlaylistError.self) { _ = try reader.readLineup(named: "l") }
        expectEqual(error?.reason, .tooMuchMemory(100_000))
    }
}
