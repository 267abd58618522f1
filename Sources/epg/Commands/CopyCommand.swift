import ArgumentParser
import EPGFiles
import EPGJSON
import EPGModel
import EPGPostgres
import EPGProgram
import EPGRender
import EPGSQL
import EPGStore

/// `epg copy`: copies a guide to another database, also between SQLite and PostgreSQL.
struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy a guide to a new database, also between SQLite and PostgreSQL.",
        discussion: """
            SOURCE and TARGET are paths of SQLite databases or URLs such as postgresql://epg@db1,db2/guide. The copy has \
            everything: stations, airings, sources and their state, lineups, mappings, favorites and the log of changes. It \
            appears at once when it is complete and equal to the source; an interrupted copy leaves nothing. The \
            copy's checksum equals the source's.

            Exit codes: 66 if there is no guide at SOURCE, 73 if there is one at TARGET, 75 if another process is writing to TARGET.
            """)

    @Argument(help: ArgumentHelp("Path or URL of a guide.", valueName: "source"))
    var source: String

    @Argument(help: ArgumentHelp("Path or URL of a database without a guide.", valueName: "target"))
    var target: String

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let zone = try zone.zone()
        let copy = try copy(from: DatabaseOptions.guide(at: source), to: DatabaseOptions.guide(at: target))
        try output.print { terminal in
            CheckText(check: copy.check, path: target, zone: zone).copyText(
                of: source, checksum: copy.digest.value.base36, for: terminal)
        } members: { json in
            json.member("source", source)
            json.member("target", target)
            copy.check.writeContent(to: &json)
            json.member("rows", copy.digest.count)
            json.member("checksum", copy.digest.value.base36)
        }
    }

    private func copy(from source: any GuideStorage, to target: any GuideStorage) throws -> GuideCopy {
        do {
            switch source {
            case let source as GuideDatabase: return try source.readTables { try copy($0, to: target) }
            case let source as PostgresGuide: return try source.readTables { try copy($0, to: target) }
            default: preconditionFailure("unknown storage engine")
            }
        } catch BackupError.exists {
            throw CommandFailure(
                .cannotCreate, "\(target.location) already has a guide. Give another target, or remove the guide.")
        }
    }

    private func copy(_ tables: some GuideTables, to target: any GuideStorage) throws -> GuideCopy {
        let line = StatusLine()
        defer { line.close() }
        let notes: (Int) -> Void = { count in line.show(isFrequent: true) { "copied \(count) rows" } }
        switch target {
        case let target as GuideDatabase:
            let copy = try GuideDatabase.write(tables, to: target.location, target: .new, notes: notes)
            try target.write { try $0.refreshSearchIndex() }
            return copy
        case let target as PostgresGuide: return try target.write(tables, notes: notes)
        default: preconditionFailure("unknown storage engine")
        }
    }
}
