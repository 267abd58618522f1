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
        try #require(try sandbox.epg("source", "add", "feed", "feed.xml").status == 0)
        try #require(try sandbox.epg("refresh").status == 0)
        return sandbox
    }

    // MARK: - Refresh

    @Test func smallerGuideIsRejectedWith65UnlessForced() throws {
        let sandbox = try sandboxWithGuide()
        let before = try sandbox.epg("export", "--times", "published").output
        _ = try sandbox.write(Self.guide(stations: 3), to: "feed.xml")
        let run = try sandbox.epg("refresh")
        #expect(run.status == 65)
        #expect(run.output == "")
        #expect(run.errors.contains("the new guide has 3 stations; the stored guide has 10"))
        #expect(run.errors.contains("1 of 1 source failed"))
        #expect(try sandbox.epg("export", "--times", "published").output == before)
        #expect(try sandbox.epg("sources").output.contains("the new guide has 3 stations"))
        let lenient = try sandbox.epg("refresh", "--share", "30", "--json")
        #expect(lenient.status == 0)
        _ = try sandbox.write("<tv></tv>", to: "feed.xml")
        #expect(try sandbox.epg("refresh", "--share", "0").status == 65)
        #expect(try sandbox.epg("refresh", "--force", "feed").status == 0)
    }

    @Test func onlyNamedSourcesAreRefreshed() throws {
        let sandbox = try sandboxWithGuide()
        let run = try sandbox.epg("refresh", "nobody")
        #expect(run.status == 66)
        #expect(run.errors.contains("“nobody”"))
        #expect(try sandbox.epg("refresh", "feed").status == 0)
    }

    @Test func reportCountsDifferences() throws {
        let sandbox = try sandboxWithGuide()
        _ = try sandbox.write(Self.guide(stations: 10, title: "U"), to: "feed.xml")
        let report = try sandbox.epg("refresh", "--json").json(as: [String: Any].self)
        let source = try #require((report["sources"] as? [[String: Any]])?.first)
        #expect(
            source["difference"] as? [String: Int] == ["inserted": 0, "removed": 0, "moved": 0, "changed": 200])
    }

    @Test func concurrentRefreshExitsWith75() throws {
        let sandbox = try sandboxWithGuide()
        let holder = try #require(FileHandle(forUpdatingAtPath: sandbox.database + ".refresh"))
        try #require(flock(holder.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
        for _ in 0..<8 {
            let start = Date()
            let run = try sandbox.epg("refresh")
            #expect(run.status == 75)
            #expect(run.errors.contains("Another refresh"))
            #expect(Date().timeIntervalSince(start) < 5)
        }
        // Other commands may write during a refresh.
        let other = try sandbox.write(Self.guide(stations: 2, title: "V"), to: "other.xml")
        #expect(try sandbox.epg("import", other).status == 0)
        try holder.close()
        #expect(try sandbox.epg("refresh").status == 0)
    }

    /// The time decides which sources are due and which airings are old, so it must not be from before the wait.
    @Test func waitingRefreshUsesTheTimeAfterTheWait() throws {
        let sandbox = try sandboxWithGuide()
        let holder = try #require(FileHandle(forUpdatingAtPath: sandbox.database + ".refresh"))
        try #require(flock(holder.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
        let process = CommandRun.process(
            ["refresh", "--wait"], environment: sandbox.variables([:]), folder: sandbox.folder)
        try process.run()
        #expect(process.opens(sandbox.database + ".refresh"))
        let start = Date.now
        #expect(waitUntil { start.timeIntervalSinceNow < -2 })
        #expect(process.isRunning)
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
        let text = try sandbox.epg("sources").output
        #expect(text.contains("ago") && text.contains("200 programmes read"))
        #expect(text.contains("at the next epg refresh"))
        #expect(try sandbox.epg("source", "set", "feed", "--every", "6h").status == 0)
        let source = try #require(try sandbox.epg("sources", "--json").json(as: [[String: Any]].self).first)
        #expect(source["nextRefresh"] is String)
        #expect((source["lastImport"] as? [String: Any])?["inserted"] as? Int == 200)
    }

    // MARK: - Prune

    @Test func pruningMoreThanHalfRequiresForce() throws {
        let sandbox = try sandboxWithGuide()
        let run = try sandbox.epg("prune", "--before", "tomorrow 23:59")
        #expect(run.status == 65)
        #expect(run.errors.contains("of 200 airings") && run.errors.contains("--force"))
        let forced = try sandbox.epg("prune", "--before", "tomorrow 23:59", "--force", "--json")
        #expect((try forced.json(as: [String: Any].self)["removed"] as? Int ?? 0) > 100)
    }

    // MARK: - Changes

    @Test func changesAreListedByStation() throws {
        let sandbox = try sandboxWithGuide()
        _ = try sandbox.write(Self.guide(stations: 10, hours: 0..<20, title: "U"), to: "feed.xml")
        try #require(try sandbox.epg("refresh").status == 0)
        let text = try sandbox.epg("changes", "--since", "1", "--station", "s3").output
        #expect(text.contains("Changes from generation 1 to 2"))
        #expect(text.contains("changed") && text.contains("U7") && !text.contains("s4"))
        let all = try sandbox.epg("changes", "--since", "1", "--json").json(as: [String: Any].self)
        #expect(all["complete"] as? Bool == true)
        let stations = try #require(all["stations"] as? [[String: Any]])
        #expect(stations.count == 10)
        let airing = try #require((stations.first?["airings"] as? [[String: Any]])?.first)
        #expect(airing["kind"] as? String == "changed" && airing["title"] as? String == "U0")
        #expect(try sandbox.epg("changes", "--since", "yesterday 00:00").output.contains("any part of the schedule"))
        #expect(try sandbox.epg("changes", "--since", "2").output.contains("No changes"))
        #expect(try sandbox.epg("changes", "--since", "3").status == 64)
        #expect(try sandbox.epg("changes", "--since", "soon").status == 64)
        #expect(try sandbox.epg("changes", "--since", "0", "--station", "nobody").status == 66)
    }

    // MARK: - Backup

    @Test func backupIsReadableAndNotOverwritten() throws {
        let sandbox = try sandboxWithGuide()
        let run = try sandbox.epg("backup", "copy.sqlite")
        #expect(run.status == 0)
        #expect(run.output.contains("copy.sqlite") && run.output.contains("200, with"))
        let copied = try sandbox.epg("export", "--times", "published", "--database", "copy.sqlite")
        #expect(try copied.output == sandbox.epg("export", "--times", "published").output)
        let again = try sandbox.epg("backup", "copy.sqlite")
        #expect(again.status == 73)
        #expect(again.errors.contains("--force"))
        let forced = try sandbox.epg("backup", "copy.sqlite", "--force", "--json")
        #expect(try forced.json(as: [String: Any].self)["airings"] as? Int == 200)
        #expect(try sandbox.epg("backup", sandbox.database, "--force").status == 73)
        #expect(try sandbox.epg("backup", "no folder/copy").status == 74)
        #expect(try sandbox.epg("check", "--database", "copy.sqlite").status == 0)
    }

    @Test func backupsAndNewDatabasesArePrivate() throws {
        let sandbox = try sandboxWithGuide()
        func mode(_ path: String) throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int) & 0o777
        }
        #expect(try mode(sandbox.database) == 0o600)
        try #require(chmod(sandbox.database, 0o644) == 0)
        #expect(try sandbox.epg("backup", "copy.sqlite").status == 0)
        #expect(try mode(sandbox.path("copy.sqlite")) == 0o600)
        // An existing mode is kept.
        #expect(try sandbox.epg("refresh").status == 0)
        #expect(try mode(sandbox.database) == 0o644)
    }

    // MARK: - Restore

    @Test func restoreReplacesGuideAndReportsIt() throws {
        let sandbox = try sandboxWithGuide()
        let before = try sandbox.epg("export", "--times", "published").output
        try #require(try sandbox.epg("backup", "copy.sqlite").status == 0)
        _ = try sandbox.write(Self.guide(stations: 12, title: "U"), to: "feed.xml")
        try #require(try sandbox.epg("refresh").status == 0)
        let run = try sandbox.epg("restore", "copy.sqlite")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("generation 2 with 12 stations and 240 airings, until"), "\(run.output)")
        #expect(run.output.contains("200, with"))
        #expect(try sandbox.epg("export", "--times", "published").output == before)
        #expect(try sandbox.epg("search", "T7").output.contains("T7"))
        #expect(try sandbox.epg("check").output.contains("complete"))
        let json = try sandbox.epg("restore", "copy.sqlite", "--json").json(as: [String: Any].self)
        #expect(json["airings"] as? Int == 200 && json["generation"] as? Int == 4)
        #expect((json["replaced"] as? [String: Any])?["generation"] as? Int == 3)
        // The source continues from the state in the backup.
        #expect(try sandbox.epg("refresh").status == 0)
        #expect(try sandbox.epg("search", "U7").output.contains("U7"))
        unlink(sandbox.database)
        let missing = try sandbox.epg("restore", "copy.sqlite", "--json").json(as: [String: Any].self)
        #expect(missing["replaced"] == nil)
        try Data("damaged".utf8).write(to: URL(filePath: sandbox.database))
        #expect(try sandbox.epg("restore", "copy.sqlite").output.contains("is not a readable guide"))
        #expect(try sandbox.epg("export", "--times", "published").output == before)
    }

    @Test func restoreErrorsHaveExitCodes() throws {
        let sandbox = try sandboxWithGuide()
        try #require(try sandbox.epg("backup", "copy.sqlite").status == 0)
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
            #expect(run.status == status && run.output == "", "\(arguments): \(run.status)")
            #expect(run.errors.contains(message), "\(run.errors)")
        }
        for suffix in [".lock", ".refresh"] {
            let holder = try #require(FileHandle(forUpdatingAtPath: sandbox.database + suffix))
            try #require(flock(holder.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
            let run = try sandbox.epg("restore", "copy.sqlite")
            #expect(run.status == 75 && run.errors.contains("--wait"), "\(run.errors)")
            try holder.close()
        }
        #expect(try sandbox.epg("export", "--times", "published").output == before)
    }
}
