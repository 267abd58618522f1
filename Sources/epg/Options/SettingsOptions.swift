import ArgumentParser
import EPGCalendar
import EPGConfig
import EPGModel
import EPGRefresh
import EPGTerminal

/// Which `epg.yml` counts.
struct SettingsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The settings. The default is the first epg.yml that is there.", valueName: "file"))
    var config: String?

    /// What is in force: the file's settings with those of the environment over them.
    ///
    /// - Throws: `ConfigurationRefusal` with all that is wrong.
    /// - Parameter warns: Whether standard error tells of files with secrets that others can read.
    func read(warns: Bool = false) throws -> ServiceConfiguration {
        let findings = try ConfigurationReader.ofProgram.read(file: config)
        if warns {
            for file in findings.looseSecretFiles { StandardError.write("epg: \(file)".withoutControls + "\n") }
        }
        return findings.configuration
    }

    /// How much an imported guide may bring, for commands that need no other setting.
    ///
    /// - Throws: `ConfigurationRefusal` where these limits are wrong.
    static func importLimits() throws -> ImportLimits {
        try ConfigurationReader.ofProgram.importLimits()
    }
}

extension ConfigurationReader {
    /// A reader that also checks what only this program knows: the keys of `epg browse`.
    static var ofProgram: ConfigurationReader {
        var checks = ConfigurationChecks()
        checks.keys = { settings in
            do throws(KeyBindings.SettingError) {
                _ = try KeyBindings(settings: settings)
                return nil
            } catch {
                return error.description
            }
        }
        return ConfigurationReader(environment: ProcessEnvironment.variables, checks: checks)
    }
}

extension ServiceConfiguration {
    /// How its sources are asked, by name.
    ///
    /// - Throws: `ZoneError`, `CronError`; a configuration that was read has neither fault.
    func orders() throws -> [String: SourceOrder] {
        try SourceOrder.orders(of: sources, zone: try clocks())
    }

    /// When epgd refreshes by itself; `nil` where it doesn't.
    ///
    /// - Throws: As ``orders()``.
    func serviceTimes(_ orders: [String: SourceOrder], databasePath path: String) throws -> ServiceTimetable? {
        guard let refresh else { return nil }
        return try ServiceTimetable(refresh, in: try clocks(), databasePath: path, orders: orders)
    }

    /// The zone by whose clocks timetables go.
    private func clocks() throws -> Zone { try zone.map { try Zone(named: $0) } ?? .current }
}
