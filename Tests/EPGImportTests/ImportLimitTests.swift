import EPGImport
import EPGModel
import EPGStore
import XMLTV
import Testing

/// Tests of the limits on a guide. Tests/System/faults/bombs.py measures the memory for guides designed to exhaust it.
@Suite struct ImportLimitTests {
    private func limits(_ change: (inout ImportLimits) -> Void) -> ImportOptions {
        var options = ImportOptions()
        change(&options.limits)
        return options
    }

    /// Returns half-hour programmes, station by station.
    private func programmes(_ count: Int, stations: Int = 1, stops: Bool = true) -> String {
        (0..<stations).map { station in
            (0..<count).map { number in
                let stop = stops ? " stop=\"\(stamp(number + 1))\"" : ""
                return "<programme start=\"\(stamp(number))\"\(stop) channel=\"\(station).test\">"
                    + "<title>T\(number)</title></programme>\n"
            }.joined()
        }.joined()
    }

    /// Returns the start of a half hour of the month in XMLTV format. `number` is at most 1,343.
    private func stamp(_ number: Int) -> String {
        func digits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "202603\(digits(1 + number / 48))\(digits(number % 48 / 2))\(number % 2 == 0 ? "00" : "30")00 +0000"
    }

    private func rejection(_ records: String, _ options: ImportOptions) -> ExceededImportLimit? {
        #expect(throws: ExceededImportLimit.self) { _ = try ImportedGuide(records, options: options) }
    }

    @Test func guideAtProgrammeLimitIsImported() throws {
        let guide = try ImportedGuide(programmes(20, stations: 2), options: limits { $0.programmes = 40 })
        #expect(guide.outcome.report.airingsStored == 40)
    }

    @Test func programmeAboveLimitRejectsGuide() {
        #expect(
            rejection(programmes(20, stations: 2), limits { $0.programmes = 39 })
                == ExceededImportLimit(.programmes, value: 39))
    }

    @Test func unreadableProgrammesCountTowardLimit() {
        let records = String(repeating: "<programme start=\"x\" channel=\"c\"/>\n", count: 11)
        #expect(rejection(records, limits { $0.programmes = 10 })?.limit == .programmes)
        #expect(
            rejection(records, limits { $0.programmesPerStation = 10 })?.limit == .programmesPerStation(StationID("c")))
        let lost = String(repeating: "<programme start=\"20260301\"/>\n", count: 11)
        #expect(rejection(lost, limits { $0.programmes = 10 })?.limit == .programmes)
    }

    @Test func filteredProgrammesDoNotCountTowardLimit() throws {
        var options = limits { $0.programmes = 20 }
        options.stations = [StationPattern("1.*")]
        let guide = try ImportedGuide(programmes(20, stations: 4), options: options)
        #expect(guide.outcome.report.airingsStored == 20)
    }

    @Test func programmesPerStationAreLimited() {
        #expect(
            rejection(programmes(20, stations: 2), limits { $0.programmesPerStation = 19 })
                == ExceededImportLimit(.programmesPerStation(StationID("0.test")), value: 19))
    }

    @Test func stationsAboveLimitRejectGuide() {
        let declared = (0..<11).map { "<channel id=\"\($0)\"/>\n" }.joined()
        #expect(rejection(declared, limits { $0.stations = 10 })?.limit == .stations)
        // Stations that only programmes name count, too.
        #expect(rejection(programmes(1, stations: 11), limits { $0.stations = 10 })?.limit == .stations)
    }

    /// The importer keeps each of these until the end of the guide: a listing (56 bytes), content (over 100), the inference for
    /// a listing without a stop (over 100), and the description of a station.
    @Test func memoryOfGuideIsLimited() throws {
        let options = limits { $0.memory = 200_000 }
        _ = try ImportedGuide(programmes(100), options: options)
        #expect(rejection(programmes(1300, stations: 3), options)?.limit == .memory)
        #expect(rejection(programmes(600, stations: 2, stops: false), options)?.limit == .memory)
        let station = "<channel id=\"a\">" + String(repeating: "<b c=\"d\"/>", count: 4000) + "</channel>\n"
        #expect(rejection(station, options)?.limit == .memory)
    }

    @Test func findingsOfGuideAreLimited() {
        // Each programme has two: one in its title, and an invalid stop.
        let records = String(
            repeating:
                "<programme start=\"20260301\" stop=\"x\" channel=\"c\"><title>&a;</title><desc>&b;</desc></programme>\n",
            count: 40)
        #expect(rejection(records, limits { $0.programmes = 40 })?.limit == .findings)
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
        let error = #expect(throws: ExceededImportLimit.self) {
            _ = try ImportedGuide(bytes: Array(text.utf8), options: limits { $0.programmes = 10 })
        }
        #expect(error?.limit == limit)
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
        let error = #expect(throws: ExceededImportLimit.self) {
            _ = try ImportedGuide(bytes: Array(text.utf8), options: limits { $0.memory = 100_000 })
        }
        #expect(error?.limit == .memory)
    }

    @Test func rejectedGuideChangesNothing() throws {
        let guide = try ImportedGuide(programmes(20, stations: 2))
        let before = try guide.store.generation()
        let lines = try guide.lines(of: "1.test")
        let error = #expect(throws: ExceededImportLimit.self) {
            _ = try guide.importing(
                Array("<tv>\(programmes(30, stations: 2))</tv>".utf8), options: limits { $0.programmes = 50 })
        }
        #expect(error?.limit == .programmes)
        #expect(try guide.store.generation() == before)
        #expect(try guide.lines(of: "1.test") == lines)
        #expect(try guide.store.check().problems == [])
    }

    /// Each guide is within the limits, but together they exceed them.
    @Test func storedAiringsOfSourceAreLimited() throws {
        let first = programmes(20)
        let second = first.split(separator: "202603").joined(separator: "202604")
        let guide = try ImportedGuide(first, options: limits { $0.programmes = 30 })
        let airings = #expect(throws: ExceededImportLimit.self) {
            _ = try guide.importing(Array("<tv>\(second)</tv>".utf8), options: limits { $0.programmes = 30 })
        }
        #expect(airings == ExceededImportLimit(.storedAirings, value: 30))
        let stations = #expect(throws: ExceededImportLimit.self) {
            let other = "<channel id=\"x\"/><channel id=\"y\"/>"
            _ = try guide.importing(Array("<tv>\(other)</tv>".utf8), options: limits { $0.stations = 2 })
        }
        #expect(stations == ExceededImportLimit(.storedStations, value: 2))
        // Another source has separate limits.
        let other = try guide.importing(
            Array("<tv>\(second)</tv>".utf8), as: Source(name: "other"), options: limits { $0.programmes = 30 })
        #expect(other.airings.inserted == 20)
    }

    @Test func memoryOfPlaylistChannelsIsLimited() throws {
        let text = "#EXTM3U\n" + (0..<1000).map { "#EXTINF:-1 tvg-id=\"\($0)\",Name\nhttp://h/\($0)\n" }.joined()
        var limits = PlaylistLimits()
        var reader = PlaylistReader(ChunkSource(Array(text.utf8)), limits: limits)
        #expect(try reader.readLineup(named: "l").channels.count == 1000)
        limits.heldBytes = 100_000
        reader = PlaylistReader(ChunkSource(Array(text.utf8)), limits: limits)
        let error = #expect(throws: PlaylistError.self) { _ = try reader.readLineup(named: "l") }
        #expect(error?.reason == .tooMuchMemory(100_000))
    }
}
