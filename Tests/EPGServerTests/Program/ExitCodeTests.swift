import Foundation
import Glibc
import TestSupport
import Testing

@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

/// Tests that the program fails with an exit code of sysexits.h and an error message of one sentence.
@Suite("Exit codes of epgd", .serialized)
struct ExitCodeTests {
    @Test(arguments: [
        (["--bogus"], "--bogus"), (["--port", "99999"], "--port must be a number from 0 to 65535"),
        (["--port", "1", "--listen", "127.0.0.1:1"], "Give either --listen or --port."), (["surplus"], "surplus"),
        (["--token-file", "/x"], "--token-file is no longer an option; use “epg admin token add"),
    ])
    func unknownFlagsExit64(arguments: [String], text: String) async throws {
        let run = try await DaemonRun(arguments)
        expectEqual(run.status, 64)
        expectText(run.errors, contains: [text])
    }

    /// Settings with which the program does not start, the exit code, and texts of the message.
    @Test(
        arguments: [
            (["--zone", "Mars/Olympus"], 78, ["zone"]), (["--log-level", "loud"], 78, ["log-level"]),
            (["--config", "/nowhere/epg.yml"], 78, ["/nowhere/epg.yml"]), (["--spool", "/nowhere"], 78, ["spool"]),
            (["--limits-connections", "many"], 78, ["limits-connections"]), (["--listen", "nonsense"], 78, ["listen"]),
            (["--refresh", "nightly"], 78, ["refresh"]),
            (["--listen", "/nowhere/http.sock"], 69, ["/nowhere/http.sock"]),
        ] as [([String], Int32, [String])])
    func invalidSettingsExit78AndUnavailableSocketsExit69(arguments: [String], status: Int32, texts: [String])
        async throws
    {
        let guide = try ServedGuide()
        let run = try await DaemonRun(["--database", guide.path] + arguments)
        expectFailure(run, status, contains: texts)
    }

    @Test func invalidSettingsFileExits78AndNamesLine() async throws {
        let guide = try ServedGuide()
        let file = guide.folder + "/epg.yml"
        try Data("database: \(guide.path)\nlisten: 127.0.0.1:0\nbogus: 1\n".utf8).write(to: URL(filePath: file))
        let run = try await DaemonRun([], environment: ["EPG_CONFIG": file])
        expectFailure(run, 78, contains: ["epg.yml:3", "bogus"])
    }

    @Test func unusableDatabasesHaveDistinctExitCodes() async throws {
        let guide = try ServedGuide()
        let other = guide.folder + "/other.sqlite"
        try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: other))
        let cases: [(path: String, status: Int32, text: String)] = [
            (guide.folder + "/missing/guide.sqlite", 66, "There is no guide at"), (other, 65, "is not a guide"),
            (guide.folder, 74, "it is a folder"),
        ]
        for (path, status, text) in cases {
            let run = try await DaemonRun(["--database", path, "--listen", "127.0.0.1:0"])
            expectFailure(run, status, contains: [path, text], orCommandEndingWith: path)
        }
    }

    @Test func addressInUseExits69() async throws {
        let guide = try ServedGuide()
        try await RunningServer.run(guide) { server in
            let run = try await DaemonRun(["--database", guide.path, "--listen", "127.0.0.1:\(server.port)"])
            expectFailure(run, 69, contains: ["in use by another process"])
        }
    }

    @Test func tooFewOpenFilesExits78() async throws {
        let guide = try ServedGuide()
        let run = try await DaemonRun(["--database", guide.path, "--listen", "127.0.0.1:0"], openFiles: 24)
        expectFailure(run, 78, contains: ["The limit on open files is 24", "ulimit -n"])
    }

    /// Expects an exit code and an error message of one sentence.
    private func expectFailure(
        _ run: DaemonRun, _ status: Int32, contains texts: [String], orCommandEndingWith path: String = ".",
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isOneSentence =
            run.errors.hasPrefix("epgd: ") && run.errors.count { $0 == "\n" } == 1
            && (run.errors.hasSuffix(".\n") || run.errors.hasSuffix("\(path)\n"))
        let hasTexts = texts.allSatisfy { run.errors.contains($0) }
        #expect(
            run.status == status && isOneSentence && hasTexts,
            "exit \(run.status), expected \(status), \(texts): \(run.errors)",
            sourceLocation: sourceLocation)
    }
}
