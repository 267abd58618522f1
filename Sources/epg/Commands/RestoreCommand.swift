import ArgumentParser
package import EPGJSON
import EPGModel

/// `epg restore`: replaces the guide with a backup.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replace the database with a backup.",
        discussion: """
            The backup is checked first and stays unchanged. The service may keep running: it shows the restored guide \
            at once, as a new generation. If the backup is invalid, the database stays unchanged. The database keeps \
            its mode and owner.

            Exit codes: 65 if the backup is damaged or of another version, 66 if it does not exist, 75 if another \
            process is writing, refreshing, or reading an old state of the guide.
            """)

    @Argument(help: ArgumentHelp("Backup made by epg backup.", valueName: "file"))
    var file: String

    @Flag(help: "Wait while another process is writing, refreshing, or reading an old state of the guide.")
    var wait = false

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let zone = try zone.zone(of: database)
        let (report, path) = try database.restore(from: file, now: SystemClock.now, waits: wait)
        try output.print { terminal in
            CheckText(check: report.restored, path: path, zone: zone)
                .restoredText(replaced: report.replaced, for: terminal)
        } members: { json in
            json.member("file", file)
            json.member("database", path)
            report.restored.writeContent(to: &json)
            json.member("replaced", report.replaced == .nothing ? nil : report.replaced)
        }
    }
}

extension RestoreReport.Replaced: JSONObject {
    /// `{"generation", "stations", "airings", "range"}` for a guide, and `{"unreadable"}` with a reason for a file that is not a
    /// readable guide.
    package func writeMembers(to json: inout JSONWriter) {
        switch self {
        case .nothing: break
        case .unreadable(let detail): json.member("unreadable", detail)
        case .guide(let check):
            json.member("generation", check.generation.rawValue)
            json.member("stations", check.stations)
            json.member("airings", check.airings)
            json.member("range", check.range)
        }
    }
}
