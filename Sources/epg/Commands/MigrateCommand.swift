import ArgumentParser
import EPGJSON
import EPGModel

/// `epg migrate`: brings a database of an older version up to date.
struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Migrate the database to the schema of this version.",
        discussion: """
            Every command that writes to the database migrates it, too; commands that only read it do not. The migration is one \
            transaction: if it fails or is killed, the old database stays. From schema 5, it needs free space of three times \
            the size of the database. Older versions of epg cannot read the database afterwards; make a backup with the old \
            version if you may need to go back.
            """)

    @Flag(help: "Wait while another process is writing.")
    var wait = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let guide = try database.guide()
        let report = try guide.migrate(waiting: wait ? .always : .never)
        let migration = Migration(location: guide.location, from: report.found, to: report.current)
        try output.print(migration) { _ in migration.text }
    }
}

/// What `epg migrate` did: `{"database", "from", "to"}`; equal numbers mean that there was nothing to do.
private struct Migration: JSONObject {
    let location: String
    let from: Int
    let to: Int

    var text: String {
        from == to
            ? "\(location) has schema \(to) already.\n"
            : "Migrated \(location) from schema \(from) to schema \(to).\n"
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("database", location)
        json.member("from", from)
        json.member("to", to)
    }
}
