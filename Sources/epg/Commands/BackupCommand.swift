import ArgumentParser
import EPGJSON
import EPGModel
import EPGRender

/// `epg backup`: writes a consistent copy of the guide.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write a consistent copy of the database to a file.",
        discussion: """
            The service may keep running and an import may be in progress: the backup holds the guide as of the start \
            of the backup. The backup is checked before it gets its name. Only its owner can read it (mode 0600), \
            because the URLs of sources may contain credentials. Restore it with `epg restore`.
            """)

    @Argument(help: ArgumentHelp("Path of the backup.", valueName: "file"))
    var file: String

    @Flag(help: "Replace an existing file.")
    var force = false

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let zone = try zone.zone(of: database)
        let check = try database.guide().backUp(to: file, target: force ? .replaced : .new)
        try output.print { terminal in
            CheckText(check: check, path: file, zone: zone).backupText(for: terminal)
        } members: { json in
            json.member("file", file)
            check.writeContent(to: &json)
        }
    }
}
