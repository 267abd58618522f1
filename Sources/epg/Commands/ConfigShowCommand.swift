import ArgumentParser
import EPGConfig

extension ConfigCommand {
    /// `epg config show`: what is in force, and where it was found.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows the settings that are in force, and where each was found.",
            discussion: "Secrets aren't shown, nor the arguments of commands, nor what follows a ? in an address.")

        @Option(help: ArgumentHelp("The file. The default is the one that would be read.", valueName: "file"))
        var config: String?

        @OptionGroup var output: OutputOptions

        func run() throws {
            let findings = try ConfigurationReader.ofProgram.read(file: config)
            try output.print(ConfigurationJSON(findings)) { ConfigurationText(findings).text(for: $0) }
        }
    }
}
