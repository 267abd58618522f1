import ArgumentParser
import EPGCalendar
package import EPGJSON
import EPGModel
import EPGProgram
import EPGRender

/// `epg check`: checks the integrity of the database and counts its content.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the integrity of the database and count its content.",
        discussion: "If the database is damaged, the command prints what to do and exits with code 65.")

    @Flag(help: "Print nothing if the database is intact, for cron; not with --json.")
    var quiet = false

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        guard !quiet || !output.json else {
            throw ValidationError("--quiet and --json cannot be used together.")
        }
    }

    func run() throws {
        let zone = try zone.zone(of: database)
        let (path, check) = try checked()
        if quiet, check.isIntact { return }
        try output.print(check) { CheckText(check: check, path: path, zone: zone).text(for: $0) }
        if !check.isIntact { throw ExitCode(ExitStatus.invalidData.rawValue) }
    }

    /// - Throws: ``CommandFailure`` with advice if the damage makes the database unreadable.
    private func checked() throws -> (path: String, check: StoreCheck) {
        do {
            let guide = try database.guide()
            return (guide.location, try guide.check())
        } catch StoreError.damaged(let path, let detail) {
            throw CommandFailure(.invalidData, "\(path) is damaged (\(detail)). " + DamageAdvice.text(path: path))
        } catch StoreError.notAGuide(let path) {
            throw CommandFailure(
                .invalidData,
                "\(path) is not a guide database, or its header is damaged. If it was a guide, do this: "
                    + DamageAdvice.text(path: path))
        }
    }
}

// MARK: - Text

/// Prints the result of a check, a backup or a restore.
struct CheckText {
    let check: StoreCheck
    let path: String
    let zone: Zone

    func text(for terminal: Terminal) -> String {
        var fields = contents("database")
        if let damage = check.searchDamage {
            fields.append(
                "search", "\(damage). Delete \(path)-search, then run epg import or epg refresh to rebuild it.", .red)
        } else {
            fields.append("search", check.isSearchComplete ? "complete" : "out of date; the next import updates it")
        }
        if check.problems.isEmpty {
            fields.append("integrity", "intact", .green)
        } else {
            for problem in check.problems { fields.append("damage", problem, .red) }
            fields.append("advice", DamageAdvice.text(path: path))
        }
        return fields.text(for: terminal)
    }

    /// Describes the content of a backup.
    func backupText(for terminal: Terminal) -> String {
        contents("backup").text(for: terminal)
    }

    /// Describes the content of a copy in another database.
    func copyText(of source: String, checksum: String, for terminal: Terminal) -> String {
        var fields = contents("copy")
        fields.append("source", source)
        fields.append("checksum", "\(checksum), of the source and of the copy")
        return fields.text(for: terminal)
    }

    /// Describes the content of a restored guide, and the guide that it replaced.
    func restoredText(replaced: RestoreReport.Replaced, for terminal: Terminal) -> String {
        var fields = contents("restored")
        switch replaced {
        case .nothing: fields.append("replaced", "nothing")
        case .unreadable(let detail): fields.append("replaced", "a file that is not a readable guide: \(detail)")
        case .guide(let old):
            let reach = old.range.map { ", until \(zone.fullLabel(at: $0.end))" } ?? ""
            fields.append(
                "replaced",
                """
                generation \(old.generation) with \(Wording.count(old.stations, "station")) and \
                \(Wording.count(old.airings, "airing"))\(reach)
                """)
        }
        return fields.text(for: terminal)
    }

    private func contents(_ name: String) -> FieldList {
        var fields = FieldList()
        fields.append(name, "\(path), \(Wording.bytes(Int64(check.bytes)))")
        fields.append("generation", check.generation.description)
        fields.append("stations", String(check.stations))
        fields.append("airings", "\(check.airings), with \(Wording.count(check.programmes, "different programme"))")
        fields.append(
            "from", check.range.map { "\(zone.fullLabel(at: $0.start)) to \(zone.fullLabel(at: $0.end))" } ?? "empty")
        return fields
    }
}

/// Advice for a damaged database.
private enum DamageAdvice {
    /// - Parameter path: The path of the database.
    static func text(path: String) -> String {
        """
        Restore a backup made by epg backup (`epg restore FILE --database \(path)`). Without a backup, move \(path) \
        and the files beside it that start with its name to another folder. Then add the sources again (epg source add) \
        and run epg refresh or epg import.
        """
    }
}

// MARK: - JSON

extension StoreCheck: JSONObject {
    /// `{"intact", "problems", "searchComplete", "searchDamage"}` and the members of the content; without `range` for an empty
    /// guide.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("intact", isIntact)
        json.member("problems", problems)
        writeContent(to: &json)
        json.member("searchComplete", isSearchComplete)
        json.member("searchDamage", searchDamage)
    }

    /// Adds what a database, a backup or a copy holds: `"generation"`, `"stations"`, `"airings"`, `"programmes"`, `"range"`,
    /// `"bytes"`.
    func writeContent(to json: inout JSONWriter) {
        json.member("generation", generation.rawValue)
        json.member("stations", stations)
        json.member("airings", airings)
        json.member("programmes", programmes)
        json.member("range", range)
        json.member("bytes", bytes)
    }
}
