import EPGModel
import Foundation
import EPGOutput
import Glibc
import TestSupport
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

    /// The bytes of a file, which are not printed as an argument.
    struct InvalidFile: CustomTestStringConvertible, Sendable {
        let bytes: [UInt8]
        let message: String

        var testDescription: String { message }
    }

    @Test(arguments: [
        InvalidFile(bytes: Array("title: a\nzone: ".utf8) + [0xFF, 0xFE], message: ":2: the file is not UTF-8"),
        InvalidFile(bytes: [0xFF, 0xFE, 0x61, 0x00], message: ":1: the file is not UTF-8"),
        InvalidFile(
            bytes: Array(repeating: 0x23, count: 1 << 20 + 1),
            message: ": the file is larger than 1 MiB, the limit for settings"),
    ]) func invalidFileIsRejected(file: InvalidFile) throws {
        let path = try write(file.bytes)
        #expect(try refusal { try reader.check(file: path) }.description == path + file.message)
    }

    @Test func fileOfOneMebibyteIsRead() throws {
        let path = try write(Array(repeating: 0x23, count: 1 << 20))
        #expect(try reader.check(file: path).file == path)
    }

    @Test func folderIsRejected() throws {
        let refusal = try refusal { try reader.check(file: folder.path) }
        #expect(refusal.description == "\(folder.path): cannot read the file: Is a directory")
    }

    /// Reading it would wait for a writer.
    @Test func pipeIsRejected() throws {
        let path = folder.appending(path: "epg.yml").path
        #expect(mkfifo(path, 0o600) == 0)
        let refusal = try refusal { try reader.check(file: path) }
        #expect(
            refusal.description
                == "\(path): the file is a pipe; use a regular file, because settings are read more than once")
    }

    @Test func databaseIsReadDespiteOtherErrors() throws {
        let path = try write(Array("database: g.sqlite\nsources: 7\nlisten: [\"\"]\ncolor: red\n".utf8))
        let reader = ConfigurationReader(environment: ["EPG_CONFIG": path])
        #expect(try reader.database() == folder.path + "/g.sqlite")
        _ = try write(Array("title: a\n".utf8))
        #expect(try reader.database() == nil)
        for text in ["database:\n", "database: [a]\n", "database: \"\"\n", "database: \"\n", "- a\n"] {
            _ = try write(Array(text.utf8))
            _ = try refusal { try reader.database() }
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
        for (key, text) in [("EPG_IMPORT_STATIONS", "none"), ("EPG_CONFIG", path)] {
            _ = try write(Array("import:\n  stations: 0\n".utf8))
            _ = try refusal { try ConfigurationReader(environment: [key: text]).importLimits() }
        }
        let missing = ConfigurationReader(environment: ["EPG_CONFIG": path + ".none"])
        _ = try refusal { try missing.importLimits() }
        _ = try refusal { try missing.zone { [:] } }
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
        /// Returns the error of a secret that has no value.
        func error(_ secret: Secret, _ environment: [String: String] = [:]) throws -> String {
            try #require(throws: SecretError.self) { try secret.value(environment: environment) }.description
        }
        #expect(
            try [error(.file(path: path)), error(.environment("KEY"), ["KEY": ""])] == [
                "cannot read \(path): No such file or directory", "the environment variable KEY is not set",
            ])
        #expect(
            try error(.environment("K"), ["K": "hunter2\n"]) == "(the variable K) contains control characters")
        for secret in [Secret.environment("KEY"), .text("hunter2")] {
            #expect(try secret.value(environment: ["KEY": "hunter2"]) == "hunter2")
        }
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
        #expect(findings.settings.filter { $0.place == .builtIn }.map(\.setting.key) == [])
        var configuration = findings.configuration
        #expect(
            (configuration.sources.count, configuration.reminders.map(\.kind)) == (7, [.webhook, .ntfy, .command]))
        // Settings without a default, or with a default that depends on the machine.
        configuration.database = nil
        configuration.zone = nil
        configuration.publicURL = nil
        configuration.privateHosts = []
        configuration.corsOrigins = []
        configuration.trustedProxies = []
        configuration.spool = nil
        configuration.refresh = nil
        configuration.browse = BrowseSettings()
        configuration.sources = []
        configuration.reminders = []
        configuration.output = OutputSettings()
        (configuration.derived.placeholders, configuration.derived.names) = ([], [])
        #expect(configuration == ServiceConfiguration())
    }

    /// The comment above a setting begins with its description.
    @Test func exampleDescribesEverySetting() throws {
        let lines = ConfigurationExample.text.split(separator: "\n", omittingEmptySubsequences: false)
        for finding in try check(ConfigurationExample.enabled).settings {
            let line = try #require(finding.place.line) - 1
            let comments = lines[..<line].reversed().prefix { $0.hasPrefix("##") }.reversed()
            let comment = comments.flatMap { $0.dropFirst(2).split(separator: " ") }.joined(separator: " ")
            let setting = finding.setting
            expectEqual(String(comment.prefix(setting.help.count)), setting.help, setting.key)
        }
    }

    @Test func documentationListsTheSettingsOfTheDatabase() throws {
        let page = URL(filePath: #filePath).appending(path: "../../../Documentation/serving.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let rows = Setting.all.filter(\.isStored).map { "| `\($0.key)` | \($0.help) |\n" }.joined()
        expectText(text, contains: ["| setting in the database | meaning |\n|---|---|\n\(rows)\n"])
    }

    @Test func exampleContainsEverySettingOfOutputs() throws {
        let expected = [
            "logos.location", "logos.order", "logos.stations.one.example", "genres.Schlager-", "output.genres",
            "output.title", "output.subtitle", "output.description", "output.drop", "output.languages",
            "output.stations[0].stations", "output.stations[0].title",
        ]
        let keys = try check(ConfigurationExample.enabled).outputs.map(\.key)
        #expect(expected.filter { !keys.contains($0) } == [])
    }

    @Test func exampleContainsEverySettingOfSources() {
        #expect(SourceKey.allCases.filter { !ConfigurationExample.text.contains(" \($0.rawValue):") } == [])
    }

    @Test func exampleHasOneSourceOfEachKind() throws {
        let sources = try check(ConfigurationExample.enabled).configuration.sources
        #expect(
            sources.map { [$0.command.isEmpty, $0.schedulesDirect == nil, $0.xtreamPassword == nil] }
                == [
                    [true, true, true], [true, true, true], [false, true, true], [true, false, true],
                    [true, true, true], [true, true, false], [true, true, true],
                ])
        #expect(
            sources.suffix(3).map { [$0.source.followsGuides, $0.source.account?.service == .xtreamPlaylist] }
                == [[true, false], [false, true], [false, false]])
        #expect(sources.last?.source.groups == ["Sport*"])
        #expect(
            sources.map(\.source.location) == [
                "https://guides.example/terrestrial.xml.gz", "/f/guides/aerial.xml", nil,
                "https://json.schedulesdirect.org/20141201", "https://provider.example/channels.m3u",
                "http://provider.example:8080", "https://guides.example/sports.xml.gz",
            ])
        #expect(sources.first?.minimumShare == SourceConfiguration(Source(name: "")).minimumShare)
    }
}
