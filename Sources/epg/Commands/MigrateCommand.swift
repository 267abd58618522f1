import ArgumentParser
import EPGJSON
import EPGModel

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
        let report = try database.guide().migrate(waiting: wait ? .always : .never)
        try output.print(report) { _ in report.text }
    }
}

/// What `epg migrate` did: `{"database", "from", "to"}`; equal numbers mean that there was nothing to do.
extension MigrationReport: JSONObject {
    fileprivate var text: String {
        found == current
            ? "\(location) has schema \(current) already.\n"
            : "Migrated \(location) from schema \(found) to schema \(current).\n"
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("database", location)
        json.member("from", found)
        json.member("to", current)
    }
}
