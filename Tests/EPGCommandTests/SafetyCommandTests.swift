import Foundation
import TestSupport
import Testing

/// Tests of the protection of the guide: rejected guides, pruning, change log, backup and restore.
@Suite struct SafetyCommandTests {
    /// Returns a guide in which each station has an airing in each hour from the current one on.
    private static func guide(stations: Int, hours: Range<Int> = 0..<20, title: String = "T") -> String {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyyMMddHHmmss +0000"
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.locale = Locale(identifier: "en_US_POSIX")
        let now = (Date().timeIntervalSince1970 / 3600).rounded(.down) * 3600
        func stamp(_ hour: Int) -> String {
            formatter.string(from: Date(timeIntervalSince1970: now + Double(hour) * 3600))
        }
        let programmes = (0..<stations).flatMap { station in
            hours.map { hour in
                "<programme start=\"\(stamp(hour))\" stop=\"\(stamp(hour + 1))\" channel=\"s\(station)\">"
                    + "<title>\(title)\(hour)</title></programme>"
            }
        }
        return "<tv>\n\(programmes.joined(separator: "\n"))\n</tv>\n"
    }

    private func sandboxWithGuide() throws -> Sandbox {
        let sandbox = try Sandbox()
        _ = try sandbox.write(Self.guide(stations: 10), to: "feed.xml")
        try sandbox.epg("source", "add", "feed", "feed.xml").expect(0)
        try sandbox.epg("refresh").expect(0)
        return sandbox
    }

    /// Locks a file next to the database, like another process.
    private func lock(_ sandbox: Sandbox, _ suffix: String) throws -> FileHandle {
        let holder = try #require(FileHandle(forUpdatingAtPath: sandbox.database + suffix))
        try #require(flock(holder.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
        return holder
    }

    // MARK: - Refresh

    @Test func smallerGuideIsRejectedWith65UnlessForced() throws {
        let sandbox = try sandboxWithGuide()
        let before = try sandbox.epg("export", "--times", "published").output
        _ = try sandbox.write(Self.guide(stations: 3), to: "feed.xml")
        let run = try sandbox.epg("refresh")
        run.expect(
            65, output: "",
            errorsContain: ["the new guide has 3 stations; the stored guide has 10", "1 of 1 source failed"])
        try sandbox.epg("export", "--times", "published").expect(output: before)
        try sandbox.epg("sources").expect(outputContains: ["the new guide has 3 stations"])
        let lenient = try sandbox.epg("refresh", "--share", "30", "--json")
        lenient.expect(0)
        _ = try sandbox.write("<tv></tv>", to: "feed.xml")
        try sandbox.epg("refresh", "--share", "0").expect(65)
        try sandbox.epg("refresh", "--force", "feed").expect(0)
    }

    @Test func onlyNamedSourcesAreRefreshed() throws {
        let sandbox = try sandboxWithGuide()
        let run = try sandbox.epg("refresh", "nobody")
        run.expect(66, errorsContain: ["“nobody”"])
        try sandbox.epg("refresh", "feed").expect(0)
    }

    @Test func reportCountsDifferences() throws {
        let sandbox = try sandboxWithGuide()
        _ = try sandbox.write(Self.guide(stations: 10, title: "U"), to: "feed.xml")
        let report = try sandbox.epg("refresh", "--json").json(as: [String: Any].self)
        let source = try #require((report["sources"] as? [[String: Any]])?.first)
        expectMembers(source, ["difference": ["inserted": 0, "removed": 0, "moved": 0, "changed": 200]])
    }

    @Test func concurrentRefreshExitsWith75() throws {
        let sandbox = try sandboxWithGuide()
        let holder = try lock(sandbox, ".refresh")
        for _ in 0..<8 {
            let start = Date()
            let run = try sandbox.epg("refresh")
            run.expect(75, errorsContain: ["Another refresh"])
            #expect(Date().timeIntervalSince(start) < 5)
        }
        // Other commands may write during a refresh.
        let other = try sandbox.write(Self.guide(stations: 2, title: "V"), to: "other.xml")
        try sandbox.epg("import", other).expect(0)
        try holder.close()
        try sandbox.epg("refresh").expect(0)
    }

    /// The time decides which sources are due and which airings are old, so it must not be from before the wait.
    @Test func waitingRefreshUsesTheTimeAfterTheWait() throws {
        let sandbox = try sandboxWithGuide()
        let holder = try lock(sandbox, ".refresh")
        let process = CommandRun.process(
            ["refresh", "--wait"], environment: sandbox.variables([:]), folder: sandbox.folder)
        try process.run()
        #expect(process.opens(sandbox.database + ".refresh"))
        let start = Date.now
        #expect(waitUntil { start.timeIntervalSinceNow < -2 } && process.isRunning)
        let released = Date().timeIntervalSince1970.rounded(.down)
        try holder.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let source = try #require(try sandbox.epg("sources", "--json").json(as: [[String: Any]].self).first)
        let success = try #require((source["lastSuccess"] as? String).flatMap(ISO8601DateFormatter().date(from:)))
        #expect(success.timeIntervalSince1970 >= released)
    }

    @Test func sourcesShowLastAndNextRefresh() throws {
        let sandbox = try sandboxWithGuide()
        try sandbox.epg("sources").expect(outputContains: ["ago", "200 programmes read", "at the next epg refresh"])
        try sandbox.epg("source", "set", "feed", "--every", "6h").expect(0)
        let source = try #require(try sandbox.epg("sources", "--json").json(as: [[String: Any]].self).first)
        #expect(source["nextRefresh"] is String)
        expectMembers(source["lastImport"] as? [String: Any], ["inserted": 200])
    }

    // MARK: - Prune

    @Test func pruningMoreThanHalfRequiresForce() throws {
        let sandbox = try sandboxWithGuide()
        let run = try sandbox.epg("prune", "--before", "tomorrow 23:59")
        run.expect(65, errorsContain: ["of 200 airings", "--force"])
        let forced = try sandbox.epg("prune", "--before", "tomorrow 23:59", "--force", "--json")
        #expect((try forced.json(as: [String: Any].self)["removed"] as? Int ?? 0) > 100)
    }

    // MARK: - Changes

    @Test func changesAreListedByStation() throws {
        let sandbox = try sandboxWithGuide()
        _ = try sandbox.write(Self.guide(stations: 10, hours: 0..<20, title: "U"), to: "feed.xml")
        try sandbox.epg("refresh").expect(0)
        try sandbox.epg("changes", "--since", "1", "--station", "s3").expect(
            outputContains: ["Changes from generation 1 to 2", "changed", "U7"], outputOmits: ["s4"])
        let all = try sandbox.epg("changes", "--since", "1", "--json").json(as: [String: Any].self)
        expectMembers(all, ["complete": true])
        let stations = try #require(all["stations"] as? [[String: Any]])
        #expect(stations.count == 10)
        let airing = try #require((stations.first?["airings"] as? [[String: Any]])?.first)
        expectMembers(airing, ["kind": "changed", "title": "U0"])
        try sandbox.epg("changes", "--since", "yesterday 00:00").expect(outputContains: ["any part of the schedule"])
        try sandbox.epg("changes", "--since", "2").expect(outputContains: ["No changes"])
        try sandbox.epg("changes", "--since", "3").expect(64)
        try sandbox.epg("changes", "--since", "soon").expect(64)
        try sandbox.epg("changes", "--since", "0", "--station", "nobody").expect(66)
    }

    // MARK: - Backup

    @Test func backupIsReadableAndNotOverwritten() throws {
        let sandbox = try sandboxWithGuide()
        let run = try sandbox.epg("backup", "copy.sqlite")
        run.expect(0, outputContains: ["copy.sqlite", "200, with"])
        let copied = try sandbox.epg("export", "--times", "published", "--database", "copy.sqlite")
        #expect(try copied.output == sandbox.epg("export", "--times", "published").output)
        let again = try sandbox.epg("backup", "copy.sqlite")
        again.expect(73, errorsContain: ["--force"])
        let forced = try sandbox.epg("backup", "copy.sqlite", "--force", "--json")
        expectMembers(try forced.json(), ["airings": 200])
        try sandbox.epg("backup", sandbox.database, "--force").expect(73)
        try sandbox.epg("backup", "no folder/copy").expect(74)
        try sandbox.epg("check", "--database", "copy.sqlite").expect(0)
    }

    @Test func backupsAndNewDatabasesArePrivate() throws {
        let sandbox = try sandboxWithGuide()
        func mode(_ path: String) throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int) & 0o777
        }
        let first = try mode(sandbox.database)
        try #require(chmod(sandbox.database, 0o644) == 0)
        try sandbox.epg("backup", "copy.sqlite").expect(0)
        let copy = try mode(sandbox.path("copy.sqlite"))
        // An existing mode is kept.
        try sandbox.epg("refresh").expect(0)
        #expect(try [first, copy, mode(sandbox.database)] == [0o600, 0o600, 0o644])
    }

    // MARK: - Restore

    @Test func restoreReplacesGuideAndReportsIt() throws {
        let sandbox = try sandboxWithGuide()
        let before = try sandbox.epg("export", "--times", "published").output
        try sandbox.epg("backup", "copy.sqlite").expect(0)
        _ = try sandbox.write(Self.guide(stations: 12, title: "U"), to: "feed.xml")
        try sandbox.epg("refresh").expect(0)
        let run = try sandbox.epg("restore", "copy.sqlite")
        run.expect(0, outputContains: ["generation 2 with 12 stations and 240 airings, until", "200, with"])
        try sandbox.epg("export", "--times", "published").expect(output: before)
        try sandbox.epg("search", "T7").expect(outputContains: ["T7"])
        try sandbox.epg("check").expect(outputContains: ["complete"])
        let json = try sandbox.epg("restore", "copy.sqlite", "--json").json(as: [String: Any].self)
        expectMembers(json, ["airings": 200, "generation": 4])
        expectMembers(json["replaced"] as? [String: Any], ["generation": 3])
        // The source continues from the state in the backup.
        try sandbox.epg("refresh").expect(0)
        try sandbox.epg("search", "U7").expect(outputContains: ["U7"])
        unlink(sandbox.database)
        let missing = try sandbox.epg("restore", "copy.sqlite", "--json").json(as: [String: Any].self)
        expectMembers(missing, ["replaced": nil])
        try Data("damaged".utf8).write(to: URL(filePath: sandbox.database))
        try sandbox.epg("restore", "copy.sqlite").expect(outputContains: ["is not a readable guide"])
        try sandbox.epg("export", "--times", "published").expect(output: before)
    }

    @Test func restoreErrorsHaveExitCodes() throws {
        let sandbox = try sandboxWithGuide()
        try sandbox.epg("backup", "copy.sqlite").expect(0)
        let before = try sandbox.epg("export", "--times", "published").output
        _ = try sandbox.write("no guide", to: "bad.sqlite")
        let rejected: [([String], Int32, String)] = [
            (["bad.sqlite"], 65, "Cannot restore"), (["none.sqlite"], 66, "Cannot find the backup"),
            ([sandbox.database], 73, "is the database of the guide"),
            (["copy.sqlite", "--database", sandbox.folder.path], 73, "a folder"),
            (["copy.sqlite", "--database", "no folder/guide.sqlite"], 73, "Cannot restore"),
        ]
        for (arguments, status, message) in rejected {
            let run = try sandbox.epg(["restore"] + arguments)
            run.expect(status, output: "", errorsContain: [message])
        }
        for suffix in [".lock", ".refresh"] {
            let holder = try lock(sandbox, suffix)
            let run = try sandbox.epg("restore", "copy.sqlite")
            run.expect(75, errorsContain: ["--wait"])
            try holder.close()
        }
        try sandbox.epg("export", "--times", "published").expect(output: before)
    }
}
