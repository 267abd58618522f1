import ArgumentParser
import EPGModel
import EPGStore

/// `epg check`: whether the guide is sound, and how much it holds.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks the database: integrity, counts, ranges.",
        discussion: "The exit code is 65 where something is wrong.")

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let zone = try zone.zone()
        let (path, check) = try database.readStore { ($0.path, try $0.check()) }
        try output.print(check) { CheckText(check, path: path, zone: zone).text(for: $0) }
        if !check.problems.isEmpty { throw ExitCode(CommandFailure.Code.badContent.rawValue) }
    }
}
