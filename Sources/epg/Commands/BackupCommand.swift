import ArgumentParser
import EPGModel

/// `epg backup`: a sound copy of the guide.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Writes a sound copy of the database to a file.",
        discussion: """
            The service may go on, and an import may run: the copy is the guide as it stands when it begins. It is checked \
            before it gets its name. Only its owner may read it (mode 0600): the URLs of sources may hold credentials. \
            epg restore puts it back.
            """)

    @Argument(help: ArgumentHelp("Where the copy goes.", valueName: "file"))
    var file: String

    @Flag(help: "Replace a file that is there.")
    var force = false

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let zone = try zone.zone()
        let check = try database.guide().backUp(to: file, target: force ? .replaced : .new)
        try output.print(BackupJSON(file: file, check: check)) { terminal in
            CheckText(check, path: file, zone: zone).copyText(for: terminal)
        }
    }
}
