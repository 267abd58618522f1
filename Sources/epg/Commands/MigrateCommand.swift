import ArgumentParser
import EPGJSON
import EPGModel

/// `epg migrate`: migrates a database of an older version.
struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Migrate the database to the schema of this version.",
        discussion: """
            Commands that write to the database migrate it first; commands that only read it do not. The migration is \
            one transaction: if it fails or is killed, the old database stays. From schema 5, it needs free disk space \
            of three times the size of the database. Older versions of epg cannot read the migrated database. Make a \
            backup with the old version if you may need to go back.
            """)

    @OptionGroup var output: OutputOptions
    @OptionGroup var database: WritableDatabase

    func run() throws {
        let guide = try database.options.guide()
        let report = try guide.migrate(waiting: database.wait ? .always : .never)
        let migration = Migration(location: guide.location, from: report.found, to: report.current)
        try output.print(migration) { _ in migration.text }
    }
}

/// The result of a migration: `{"database", "from", "to"}`. Equal versions mean that it was up to date.
private struct Migration: JSONObject {
    let location: String
    let from: Int
    let to: Int

    var text: String {
        from == to
            ? "\(location) already has schema \(to).\n"
            : "Migrated \(location) from schema \(from) to schema \(to).\n"
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("database", location)
        json.member("from", from)
        json.member("to", to)
    }
}
