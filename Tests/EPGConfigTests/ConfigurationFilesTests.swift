import EPGModel
import Foundation
import Testing

@testable import EPGConfig

/// Files as they are on a disk.
@Suite("Files with settings and secrets")
final class ConfigurationFilesTests {
    private let folder: URL
    private let reader = ConfigurationReader(environment: ["HOME": "/nowhere"])

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "swift-epg-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path): \(error)") }
    }

    private func write(_ bytes: [UInt8], to name: String = "epg.yml") throws -> String {
        let file = folder.appending(path: name)
        try Data(bytes).write(to: file)
        return file.path
    }

    @Test(arguments: [
        (Array("title: a\nzone: ".utf8) + [0xFF, 0xFE], ":2: it isn't UTF-8"),
        ([0xFF, 0xFE, 0x61, 0x00], ":1: it isn't UTF-8"),
        (Array(repeating: 0x23, count: 1 << 20 + 1), ": it has more than a mebibyte; this can't be the settings"),
    ]) func whatIsNoFileWithSettingsIsRefused(bytes: [UInt8], words: String) throws {
        let path = try write(bytes)
        let refusal = #expect(throws: ConfigurationRefusal.self) { try reader.check(file: path) }
        #expect(refusal?.description == path + words)
    }

    @Test func aMebibyteIsRead() throws {
        let path = try write(Array(repeating: 0x23, count: 1 << 20))
        #expect(try reader.check(file: path).file == path)
    }

    @Test func aFolderIsRefused() {
        let refusal = #expect(throws: ConfigurationRefusal.self) { try reader.check(file: folder.path) }
        #expect(refusal?.description == "\(folder.path): it can't be read: Is a directory")
    }

    @Test func theDatabaseIsReadWhateverElseIsWrong() throws {
        let path = try write(Array("database: g.sqlite\nsources: 7\nlisten: [\"\"]\ncolour: red\n".utf8))
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

    @Test func limitsOfImportsComeFromTheEnvironmentElseFromTheFile() throws {
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
    ]) func aSecretIsTheFirstLineOfAFile(text: String, value: String?) throws {
        let secret = Secret.file(path: try write(Array(text.utf8), to: "token"))
        if let value {
            #expect(try secret.value(environment: [:]) == value)
        } else {
            #expect(throws: SecretError.self) { try secret.value(environment: [:]) }
        }
    }

    @Test func aSecretThatCannotBeHadIsToldByItsPlace() throws {
        let path = folder.path + "/none"
        var error = #expect(throws: SecretError.self) { try Secret.file(path: path).value(environment: [:]) }
        #expect(error?.description == "\(path) can't be read: No such file or directory")
        error = #expect(throws: SecretError.self) { try Secret.environment("KEY").value(environment: ["KEY": ""]) }
        #expect(error?.description == "the variable KEY isn't set")
        #expect(try Secret.environment("KEY").value(environment: ["KEY": "hunter2"]) == "hunter2")
        #expect(try Secret.text("hunter2").value(environment: [:]) == "hunter2")
        error = #expect(throws: SecretError.self) { try Secret.environment("K").value(environment: ["K": "hunter2\n"]) }
        #expect(error?.description == "there are control characters in (the variable K)")
    }
}
