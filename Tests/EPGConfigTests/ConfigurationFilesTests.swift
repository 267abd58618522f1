import EPGModel
import Foundation
import EPGOutput
import Testing

@testable import EPGConfig

@Suite("Settings and secret files")
final class ConfigurationFilesTests {
    private let folder: URL
    private let reader = ConfigurationReader(environment: ["HOME": "/nowhere"])

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "swift-epg-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(at: folder) } catch { print("cannot remove \(folder.path): \(error)") }
    }

    private func write(_ bytes: [UInt8], to name: String = "epg.yml") throws -> String {
        let file = folder.appending(path: name)
        try Data(bytes).write(to: file)
        return file.path
    }

    @Test(arguments: [
        (Array("title: a\nzone: ".utf8) + [0xFF, 0xFE], ":2: the file is not UTF-8"),
        ([0xFF, 0xFE, 0x61, 0x00], ":1: the file is not UTF-8"),
        (Array(repeating: 0x23, count: 1 << 20 + 1), ": the file is larger than 1 MiB, the limit for settings"),
    ]) func invalidFileIsRejected(bytes: [UInt8], message: String) throws {
        let path = try write(bytes)
        let refusal = #expect(throws: ConfigurationRefusal.self) { try reader.check(file: path) }
        #expect(refusal?.description == path + message)
    }

    @Test func fileOfOneMebibyteIsRead() throws {
        let path = try write(Array(repeating: 0x23, count: 1 << 20))
        #expect(try reader.check(file: path).file == path)
    }

    @Test func folderIsRejected() {
        let refusal = #expect(throws: ConfigurationRefusal.self) { try reader.check(file: folder.path) }
        #expect(refusal?.description == "\(folder.path): cannot read the file: Is a directory")
    }

    @Test func databaseIsReadDespiteOtherErrors() throws {
        let path = try write(Array("database: g.sqlite\nsources: 7\nlisten: [\"\"]\ncolor: red\n".utf8))
        let reader = ConfigurationReader(environment: ["EPG_CONFIG": path])
        #expect(try reader.database() == folder.path + "/g.sqlite")
        _ = try write(Array("title: a\n".utf8))
        #expect(try reader.database() == nil)
        for text in ["database:\n", "database: [a]\n", "database: \"\"\n", "database: \"\n", "- a\n"] {
            _ = try write(Array(text.utf8))
            #expect(throws: ConfigurationRefusal.self, "\(text)") { try reader.database() }
        }
        #expect(try ConfigurationReader(environment: ["EPG_CONFIG": "/dev/null"]).database() == nil)
    }

    @Test func importLimitsPreferEnvironmentOverFile() throws {
        let path = try write(Array("sources: 7\nimport:\n  programmes: 12\n  memory: 2 MiB\n".utf8))
        var limits = ImportLimits()
        limits.programmes = 12
        limits.memory = 2 << 20
        #expect(try ConfigurationReader(environment: ["EPG_CONFIG": path]).importLimits() == limits)
        limits.programmes = 13
        let environment = ["EPG_CONFIG": path, "EPG_IMPORT_PROGRAMMES": "13"]
        #expect(try ConfigurationReader(environment: environment).importLimits() == limits)
        #expect(throws: ConfigurationRefusal.self) {
            try ConfigurationReader(environment: ["EPG_IMPORT_STATIONS": "none"]).importLimits()
        }
        _ = try write(Array("import:\n  stations: 0\n".utf8))
        #expect(throws: ConfigurationRefusal.self) {
            try ConfigurationReader(environment: ["EPG_CONFIG": path]).importLimits()
        }
        #expect(try ConfigurationReader(environment: ["EPG_CONFIG": path + ".none"]).importLimits() == ImportLimits())
    }

    @Test(arguments: [
        ("hunter2", "hunter2"), ("hunter2\n", "hunter2"), ("  hunter2 \r\nmore\n", "hunter2"), ("a b\n", "a b"),
        ("", nil), ("\n", nil), (" \nhunter2\n", nil), ("a\tb", nil),
    ]) func secretIsFirstLineOfFile(text: String, value: String?) throws {
        let secret = Secret.file(path: try write(Array(text.utf8), to: "token"))
        if let value {
            #expect(try secret.value(environment: [:]) == value)
        } else {
            #expect(throws: SecretError.self) { try secret.value(environment: [:]) }
        }
    }

    @Test func unavailableSecretIsNamedByItsLocation() throws {
        let path = folder.path + "/none"
        var error = #expect(throws: SecretError.self) { try Secret.file(path: path).value(environment: [:]) }
        #expect(error?.description == "cannot read \(path): No such file or directory")
        error = #expect(throws: SecretError.self) { try Secret.environment("KEY").value(environment: ["KEY": ""]) }
        #expect(error?.description == "the environment variable KEY is not set")
        #expect(try Secret.environment("KEY").value(environment: ["KEY": "hunter2"]) == "hunter2")
        #expect(try Secret.text("hunter2").value(environment: [:]) == "hunter2")
        error = #expect(throws: SecretError.self) { try Secret.environment("K").value(environment: ["K": "hunter2\n"]) }
        #expect(error?.description == "(the variable K) contains control characters")
    }
}

@Suite("Configuration example")
struct ConfigurationExampleTests {
    private func check(_ text: String) throws -> ConfigurationFindings {
        try ConfigurationReader.ofTexts(["/f/epg.yml": text]).check(file: "/f/epg.yml")
    }

    @Test func commentedExampleHasOnlyDefaults() throws {
        #expect(try check(ConfigurationExample.text).configuration == ServiceConfiguration())
    }

    @Test func enabledExampleIsValid() throws {
        #expect(ConfigurationReader.errors(of: ConfigurationExample.enabled) == [])
    }

    @Test func exampleContainsEverySettingWithItsDefault() throws {
        let findings = try check(ConfigurationExample.enabled)
        for finding in findings.settings {
            #expect(finding.place != .builtIn, "\(finding.setting.key) is missing")
        }
        var configuration = findings.configuration
        #expect(configuration.sources.count == 4)
        #expect(configuration.reminders.map(\.kind) == [.webhook, .ntfy, .command])
        // Settings without a default, or with a default that depends on the machine.
        configuration.database = nil
        configuration.zone = nil
        configuration.publicURL = nil
        configuration.artworkHosts = []
        configuration.sourceHosts = []
        configuration.corsOrigins = []
        configuration.trustedProxies = []
        configuration.tokenFile = nil
        configuration.metricsTokenFile = nil
        configuration.administratorTokenFile = nil
        configuration.spool = nil
        configuration.refresh = nil
        configuration.browse = BrowseSettings()
        configuration.sources = []
        configuration.reminders = []
        configuration.output = OutputSettings()
        (configuration.derived.placeholders, configuration.derived.names) = ([], [])
        #expect(configuration == ServiceConfiguration())
    }

    @Test(arguments: [
        "logos.location", "logos.order", "logos.stations.one.example", "genres.Schlager-", "output.genres",
        "output.title",
        "output.subtitle", "output.description", "output.drop", "output.languages", "output.stations[0].stations",
        "output.stations[0].title",
    ]) func exampleContainsEverySettingOfOutputs(key: String) throws {
        #expect(try check(ConfigurationExample.enabled).outputs.map(\.key).contains(key))
    }

    @Test(arguments: SourceKey.allCases) func exampleContainsEverySettingOfSources(key: SourceKey) {
        #expect(ConfigurationExample.text.contains(" \(key.rawValue):"))
    }

    @Test func exampleHasOneSourceOfEachKind() throws {
        let sources = try check(ConfigurationExample.enabled).configuration.sources
        #expect(sources.map(\.command.isEmpty) == [true, true, false, true])
        #expect(sources.map { $0.schedulesDirect == nil } == [true, true, true, false])
        #expect(
            sources.map(\.source.location) == [
                "https://guides.example/terrestrial.xml.gz", "/f/guides/aerial.xml", nil,
                "https://json.schedulesdirect.org/20141201",
            ])
        #expect(sources.first?.minimumShare == SourceConfiguration(Source(name: "")).minimumShare)
    }
}
