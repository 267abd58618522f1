import ArgumentParser
import EPGConfig
import Glibc

extension ConfigCommand {
    /// `epg config check`: tells all that is wrong with a file.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Tells all that is wrong with a file of settings.",
            discussion: """
                The exit code is 78 where something is. The environment's settings are left out of it. Files with tokens and \
                passwords that others can read are told, too, and are no error.
                """)

        @Argument(help: ArgumentHelp("The file. The default is the one that would be read.", valueName: "file"))
        var file: String?

        @Option(help: ArgumentHelp("The same file, given as other commands take it.", valueName: "file"))
        var config: String?

        @OptionGroup var output: OutputOptions

        func validate() throws {
            if file != nil, config != nil { throw ValidationError("Give the file once: as FILE or with --config.") }
        }

        func run() throws {
            let file = file ?? config
            if let file, access(file, F_OK) != 0 {
                throw CommandFailure(.noInput, "There is no file \(file).")
            }
            let reader = ConfigurationReader.ofProgram
            let outcome: ConfigurationCheckJSON
            switch Result(catching: { () throws(ConfigurationRefusal) in try reader.check(file: file) }) {
            case .failure(let refusal): outcome = ConfigurationCheckJSON(refusal)
            case .success(let findings):
                guard let path = findings.file else {
                    throw CommandFailure(
                        .noInput,
                        "There are no settings at \(reader.places.joined(separator: " or ")). "
                            + "“epg config example” prints some.")
                }
                outcome = ConfigurationCheckJSON(
                    file: path, sources: findings.configuration.sources.count, warnings: findings.looseSecretFiles)
            }
            try output.print(outcome) { _ in outcome.text }
            if !outcome.isFine { throw ExitCode(CommandFailure.Code.configuration.rawValue) }
        }
    }
}
