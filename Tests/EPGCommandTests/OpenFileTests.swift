import Foundation
import Testing

/// Tests of closed standard streams and of limits on open files.
@Suite struct OpenFileTests {
    /// Runs a shell script with the program as `$0`.
    private func shell(_ script: String, in sandbox: Sandbox) throws -> CommandRun {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "{ \(script); } 2> errors", CommandRun.program.path]
        process.environment = sandbox.variables([:])
        process.currentDirectoryURL = sandbox.folder
        try process.run()
        process.waitUntilExit()
        let errors = try String(contentsOfFile: sandbox.path("errors"), encoding: .utf8)
        return CommandRun([script], status: process.terminationStatus, output: "", errors: errors)
    }

    /// The first file that a program opens gets the descriptor of a closed standard output.
    @Test func closedStandardOutputDoesNotCorruptFiles() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let guide = try sandbox.write(
            "<tv><programme start=\"20261025180000 +0000\" channel=\"a.b\"><title>T</title></programme></tv>",
            to: "a.xml")
        let run = try shell("\"$0\" import --database copy.sqlite \(guide) >&-", in: sandbox)
        run.expect(74)
        for suffix in [".lock", "-wal", "-search-wal"] {
            let bytes = FileManager.default.contents(atPath: sandbox.path("copy.sqlite" + suffix)) ?? Data()
            #expect(!String(decoding: bytes, as: UTF8.self).contains("programmes"), "\(suffix)")
        }
        try sandbox.epg("check", "--database", "copy.sqlite").expect(0)
    }

    @Test func lowOpenFileLimitExitsWith78() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let run = try shell("ulimit -n 24; \"$0\" now", in: sandbox)
        run.expect(78, errors: "epg: The limit on open files is 24, but epg needs 32. Raise it with `ulimit -n`.\n")
        try shell("ulimit -S -n 24; \"$0\" now", in: sandbox).expect(0)
    }
}
