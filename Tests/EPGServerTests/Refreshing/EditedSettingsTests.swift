import EPGConfig
import EPGModel
import EPGRefresh
import EPGStore
import Foundation
import TestSupport
import Testing

@testable import epgd
@testable import ServiceTestSupport

/// Tests of settings that a user edits while the service runs.
@Suite("Edited settings")
struct EditedSettingsTests {
    private let guide: ServedGuide

    init() throws { guide = try ServedGuide(bytes: ServedGuide.document(""), as: "empty") }

    private var reader: ConfigurationReader {
        ConfigurationReader(environment: ["EPG_LOG_LEVEL": "critical", "HOME": guide.folder])
    }

    /// Writes the settings file and returns a service that uses it.
    private func daemon(_ text: String) throws -> Daemon {
        try write(text)
        return try Daemon(reading: reader, file: guide.folder + "/epg.yml", flags: ["refresh": ["0 4 * * *"]])
    }

    /// Writes the settings file: the database, the time zone and `text`.
    private func write(_ text: String, database: String? = nil) throws {
        let text = "database: \(database ?? guide.path)\nzone: UTC\n" + text
        try Data(text.utf8).write(to: URL(filePath: guide.folder + "/epg.yml"))
    }

    /// Writes a guide with an airing on October 20 and three on October 24, from 20:00 on.
    private func writeFeed() throws {
        let times = [("20", "10"), ("24", "20"), ("24", "21"), ("24", "22")].map { day, hour in
            "<programme start=\"202610\(day)\(hour)0000 +0000\" stop=\"202610\(day)\(hour)5000 +0000\" channel=\"a\">"
                + "<title>T</title></programme>"
        }
        try Data("<tv>\(times.joined())</tv>".utf8).write(to: URL(filePath: guide.folder + "/feed.xml"))
    }

    /// Refreshes as the process does that the service starts.
    private func refresh(_ daemon: Daemon) throws -> RefreshReport {
        try daemon.current.read()
        var (file, flags): (String?, [String: [String]]) = (nil, [:])
        let arguments = daemon.workerFlags
        for index in stride(from: 0, to: arguments.count, by: 2) {
            if let setting = Setting.all.first(where: { "--" + $0.flag == arguments[index] }) {
                flags[setting.key, default: []].append(arguments[index + 1])
            } else {
                file = arguments[index + 1]
            }
        }
        return try RefreshProcess(reading: reader, file: file, flags: flags)
            .refresh(.schedule, at: RunningServer.now, isCancelled: { false })
    }

    private func run(_ daemon: Daemon) throws -> [String] {
        let report = try refresh(daemon)
        #expect(report.failures.isEmpty)
        return report.sources.map { "\($0.name) \($0.outcome.keyword)" }.sorted()
    }

    private func sources() throws -> [Source] {
        try GuideDatabase(path: guide.path).read { try $0.sourceRecords() }.map(\.source)
            .filter { $0.location != nil }.sorted { $0.name < $1.name }
    }

    @Test func sourcesFollowSettingsAtEachRefresh() throws {
        try writeFeed()
        let daemon = try daemon("retention: 3660 d\nsources: [{name: a, file: feed.xml}]\n")
        expectEqual(try run(daemon), ["a imported"])
        try write("retention: 3660 d\nsources: [{name: a, file: feed.xml, priority: 5}, {name: b, file: feed.xml}]\n")
        // After a new source or priority, all bodies are read again.
        expectEqual(try run(daemon), ["a imported", "b imported"])
        let feed = guide.folder + "/feed.xml"
        let expected = [("a", 5), ("b", 0)].map { name, priority in
            Source(name: name, location: feed, priority: priority, isConfigured: true)
        }
        expectEqual(try sources(), expected)
    }

    @Test func retentionFollowsSettingsAtEachRefresh() throws {
        try writeFeed()
        let daemon = try daemon("retention: 3660 d\nsources: [{name: a, file: feed.xml}]\n")
        _ = try run(daemon)
        // The sample day is the 24th.
        try write("retention: 2 d\nsources: [{name: a, file: feed.xml}]\n")
        expectEqual(try refresh(daemon).prunedAirings, 1)
    }

    @Test func nextRunFollowsLatestSettings() throws {
        try writeFeed()
        let daemon = try daemon("retention: 3660 d\nsources: [{name: a, file: feed.xml}]\n")
        _ = try run(daemon)
        func next() throws -> Instant? {
            let record = try #require(
                try GuideDatabase(path: guide.path).read { try $0.sourceRecords() }.first { $0.source.name == "a" })
            return daemon.current.values.times?.nextRefresh(
                of: record.source, after: record.state, now: RunningServer.now)
        }
        // 04:00 on October 25 and on January 1, plus up to ten minutes by which the service may delay a run.
        let (tomorrow, newYear) = (Int64(1_792_900_800), Int64(1_798_776_000))
        #expect((tomorrow...tomorrow + 600).contains(try #require(try next()).secondsSince1970))
        try write("retention: 3660 d\nsources: [{name: a, file: feed.xml, schedule: 0 4 1 1 *}]\n")
        expectEqual(try run(daemon), ["a not-due"])
        #expect((newYear...newYear + 600).contains(try #require(try next()).secondsSince1970))
    }

    @Test func invalidOrMissingSettingsFailRefreshUntilFixed() throws {
        try writeFeed()
        let settings = "retention: 3660 d\nsources: [{name: a, file: feed.xml}]\n"
        let daemon = try daemon(settings)
        _ = try run(daemon)
        let before = try guide.lines()
        func refusal() -> String? {
            let error = #expect(throws: ConfigurationRefusal.self) {
                try refresh(daemon)
            }
            return error?.description
        }
        try write("retention: 0\nsources: [{name: b, file: feed.xml, colour: red}]\n")
        expectText(refusal() ?? "", contains: ["epg.yml:4: sources[0].colour: unknown setting"])
        try FileManager.default.removeItem(atPath: guide.folder + "/epg.yml")
        expectText(refusal() ?? "", contains: ["\(guide.folder)/epg.yml: file not found"])
        expectEqual(try guide.lines(), before)
        expectEqual(try sources().map(\.name), ["a"])
        try write(settings)
        expectEqual(try run(daemon), ["a unchanged"])
    }

    @Test func databaseDoesNotChangeAfterStart() throws {
        try writeFeed()
        let daemon = try daemon("retention: 3660 d\nsources: []\n")
        let other = guide.folder + "/other.sqlite"
        try write("retention: 3660 d\nsources: [{name: a, file: feed.xml}]\n", database: other)
        expectEqual(try run(daemon), ["a imported"])
        expectEqual(try sources().map(\.name), ["a"])
        #expect(!FileManager.default.fileExists(atPath: other))
    }
}
