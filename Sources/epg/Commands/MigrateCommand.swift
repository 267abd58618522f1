import ArgumentParser
import EPGJSON
import EPGModel
import EPGStore

/// `epg migrate`: brings a database of an older version up to date.
struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Migrate the database to the schema of this version.",
        discussion: """
            Every command that writes to the database migrates it, too; commands that only read it do not. The migration is one \
            transaction: if it fails or is killed, the old database stays. It needs free space of three times the size of the \
            database. Older versions of epg cannot read the database afterwards; make a backup with the old version if you may \
            need to go back.
            """)

    @Flag(help: "Wait while another process is writing.")
    var wait = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let report = try database.migrate(waits: wait)
        try output.print(report) { _ in report.text }
    }
}

/// What `epg migrate` did: `{"database", "from", "to"}`; equal numbers mean that there was nothing to do.
struct MigrationReport: JSONValue {
    let path: String
    let found: Int
    let current: Int

    var text: String {
        found == current
            ? "\(path) has schema \(current) already.\n"
            : "Migrated \(path) from schema \(found) to schema \(current).\n"
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("database", path)
            json.member("from", found)
            json.member("to", current)
        }
    }
}
