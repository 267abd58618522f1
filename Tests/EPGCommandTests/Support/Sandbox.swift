import Foundation
import Synchronization
import TestSupport

/// A temporary folder for the database of one test. It is deleted on deinitialization.
///
/// `epg` runs in the time zone Europe/London with 80 columns.
final class Sandbox: Sendable {
    let folder: URL

    /// Creates an empty folder.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("swift-epg-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Creates a folder with a database of a sample guide, which is imported once for all tests.
    convenience init(importing sample: String) throws {
        try self.init(named: sample) { model in
            let run = try model.epg("import", PackageFiles.sample(sample))
            guard run.status == 0 else { throw SandboxError(message: run.errors) }
        }
    }

    /// The files of prepared folders, by name. Starting a program takes longer than writing files.
    private static let prepared = Mutex<[String: [String: Data]]>([:])

    /// Creates a folder with a copy of the files that `prepare` creates. It runs once for all folders of the same name, so the
    /// files must not contain the path of the folder.
    convenience init(named name: String, prepare: (Sandbox) throws -> Void) throws {
        try self.init()
        let files = try Self.prepared.withLock { prepared in
            if let files = prepared[name] { return files }
            let model = try Sandbox()
            try prepare(model)
            var files: [String: Data] = [:]
            for file in try FileManager.default.contentsOfDirectory(atPath: model.folder.path) {
                files[file] = try Data(contentsOf: model.folder.appendingPathComponent(file))
            }
            prepared[name] = files
            return files
        }
        for (file, bytes) in files {
            try bytes.write(to: folder.appendingPathComponent(file))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path(file))
        }
    }

    deinit {
        do { try FileManager.default.removeItem(at: folder) } catch { print("Cannot remove \(folder.path): \(error)") }
    }

    var database: String { path("guide.sqlite") }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Writes a file and returns its path.
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        return path(name)
    }

    /// Runs `epg` and waits for it.
    func epg(_ arguments: String..., input: String? = nil, environment: [String: String] = [:]) throws -> CommandRun {
        try epg(arguments, input: input, environment: environment)
    }

    /// Runs `epg` with a list of arguments.
    func epg(_ arguments: [String], input: String? = nil, environment: [String: String] = [:]) throws -> CommandRun {
        try CommandRun(arguments, input: input, environment: variables(environment), folder: folder)
    }

    /// Returns the environment of a run with changes; an empty value removes a variable.
    func variables(_ changes: [String: String]) -> [String: String] {
        let defaults = ["EPG_DATABASE": database, "TZ": "Europe/London", "COLUMNS": "80", "HOME": folder.path]
        return defaults.merging(changes) { $1 }.filter { !$0.value.isEmpty }
    }

    /// Returns the content of the guide, for checking that it did not change.
    func dump() throws -> String {
        let stations = try epg("stations", "--json").output
        let grid = try epg(
            "grid", "--json", "--from", "2026-10-23", "--hours", "144", "--viewport-width", "1000000",
            "--viewport-height",
            "1000000", "--at", "2026-10-24"
        ).output
        return stations + grid
    }
}

struct SandboxError: Error {
    let message: String
}
