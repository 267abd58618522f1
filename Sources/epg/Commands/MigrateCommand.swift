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
        let (old, new) = (report.found, report.current)
        try output.print { _ in
            old == new
                ? "\(guide.location) already has schema \(new).\n"
                : "Migrated \(guide.location) from schema \(old) to schema \(new).\n"
        } members: { json in
            json.member("database", guide.location)
            json.member("from", old)
            json.member("to", new)
        }
    }
}
