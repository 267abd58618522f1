import ArgumentParser
import EPGConfig

/// `epg config`: checks and shows the settings.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Checks and shows the settings, and prints an example of them.",
        discussion: """
            The settings stand in epg.yml: the file of EPG_CONFIG, else XDG_CONFIG_HOME/epg/epg.yml (~/.config/epg/epg.yml), \
            else /etc/epg/epg.yml. The first that is there is read, alone.
            """,
        subcommands: [Check.self, Example.self, Show.self])

    /// `epg config example`: a file with every setting.
    struct Example: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "example", abstract: "Prints a file with every setting and what it means.",
            discussion:
                "All of it is comments: lines with one number sign are settings, to be put into force by taking it away."
        )

        func run() throws {
            try StandardOutput.write(ConfigurationExample.text)
        }
    }
}
