import ArgumentParser
import EPGModel

/// `epg restore`: replaces the guide with a backup.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replaces the database with a backup.",
        discussion: """
            The backup is checked first and only read. The service may go on: it shows the restored guide at once, as a new \
            generation. If the backup can't be used, the guide is unchanged. The mode and the owner of the database are kept.

            Exit codes: 65 the backup is damaged or of another version, 66 there is no backup, 75 another process is \
            writing, refreshing, or reading an old state of the guide.
            """)

    @Argument(help: ArgumentHelp("A file that epg backup wrote.", valueName: "file"))
    var file: String

    @Flag(help: "Wait while another process is writing, refreshing, or reading an old state.")
    var wait = false

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let zone = try zone.zone()
        let (report, path) = try database.restore(from: file, now: SystemClock.now, waits: wait)
        try output.print(RestoreJSON(file: file, database: path, report: report)) { terminal in
            CheckText(report.restored, path: path, zone: zone).restoredText(replaced: report.replaced, for: terminal)
        }
    }
}
