import Foundation

/// A folder with a database for one test, and the built `epg` to run over it; gone with this value.
///
/// The zone is Europe/London and the width 80 columns, whatever the machine says.
final class Sandbox: Sendable {
    let folder: URL

    /// An empty folder.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("swift-epg-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// A folder whose guide holds a sample guide.
    convenience init(importing sample: String) throws {
        try self.init()
        let run = try epg("import", Package.sample(sample))
        guard run.status == 0 else { throw SandboxError(words: run.errors) }
    }

    deinit {
        do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path): \(error)") }
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

    /// The same with a list of arguments.
    func epg(_ arguments: [String], input: String? = nil, environment: [String: String] = [:]) throws -> CommandRun {
        try CommandRun(arguments, input: input, environment: variables(environment), folder: folder)
    }

    /// The environment of a run; an empty value leaves a variable out.
    func variables(_ changes: [String: String]) -> [String: String] {
        let usual = ["EPG_DATABASE": database, "TZ": "Europe/London", "COLUMNS": "80", "HOME": folder.path]
        return usual.merging(changes) { $1 }.filter { !$0.value.isEmpty }
    }

    /// Everything that the guide answers, to tell that it is untouched.
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
    let words: String
}

/// The files of the package.
enum Package {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The path of a file of `sample-data`.
    static func sample(_ name: String) -> String { root.appending(path: "sample-data/\(name)").path }
}
