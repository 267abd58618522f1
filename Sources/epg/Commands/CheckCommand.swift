import ArgumentParser
import EPGModel

/// `epg check`: whether the guide is sound, and how much it holds.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks the database: integrity, counts, ranges.",
        discussion: "The exit code is 65 where something is wrong; then it says what to do.")

    @Flag(help: "Say nothing where all is well, for cron; not with --json.")
    var quiet = false

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        guard !quiet || !output.json else {
            throw ValidationError(
                "--quiet says nothing where all is well, and --json always answers: give one of them.")
        }
    }

    func run() throws {
        let zone = try zone.zone()
        let (path, check) = try checked()
        if quiet, check.isSound { return }
        try output.print(check) { CheckText(check, path: path, zone: zone).text(for: $0) }
        if !check.isSound { throw ExitCode(CommandFailure.Code.badContent.rawValue) }
    }

    /// - Throws: ``CommandFailure`` with advice where the damage is such that nothing can be read.
    private func checked() throws -> (path: String, check: StoreCheck) {
        do {
            let guide = try database.guide()
            return (guide.location, try guide.check())
        } catch StoreError.damaged(let path, let detail) {
            throw CommandFailure(.badContent, "\(path) is damaged (\(detail)). " + DamageAdvice.text(path: path))
        } catch StoreError.notAGuide(let path) {
            throw CommandFailure(
                .badContent,
                "\(path) is not a guide of this program, or its beginning is damaged. If it was one: "
                    + DamageAdvice.text(path: path))
        }
    }
}
