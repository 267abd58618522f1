import Foundation
import Glibc
import Testing

@testable import EPGServer

/// Tests that the program fails with an exit code of sysexits.h and an error message of one sentence.
@Suite("Exit codes of epgd", .serialized)
struct ExitCodeTests {
    @Test(arguments: [
        (["--bogus"], "--bogus"), (["--port", "99999"], "--port must be a number from 0 to 65535"),
        (["--port", "1", "--listen", "127.0.0.1:1"], "Give either --listen or --port."), (["surplus"], "surplus"),
    ])
    func unknownFlagsExit64(arguments: [String], text: String) async throws {
        let run = try await DaemonRun(arguments)
        #expect(run.status == 64)
        #expect(run.errors.contains(text), "\(run.errors)")
    }

    @Test(arguments: [
        (["--zone", "Mars/Olympus"], "zone"), (["--log-level", "loud"], "log-level"),
        (["--config", "/nowhere/epg.yml"], "/nowhere/epg.yml"), (["--spool", "/nowhere"], "spool"),
        (["--token-file", "/nowhere/token"], "token-file"), (["--limits-connections", "many"], "limits-connections"),
        (["--listen", "nonsense"], "listen"), (["--refresh", "nightly"], "refresh"),
    ])
    func invalidSettingsExit78(arguments: [String], text: String) async throws {
        let guide = try ServedGuide()
        let run = try await DaemonRun(["--database", guide.path] + arguments)
        #expect(run.status == 78)
        expectOneSentence(run)
        #expect(run.errors.contains(text), "\(run.errors)")
    }

    @Test func invalidSettingsFileExits78AndNamesLine() async throws {
        let guide = try ServedGuide()
        let file = guide.folder + "/epg.yml"
        try Data("database: \(guide.path)\nlisten: 127.0.0.1:0\nbogus: 1\n".utf8).write(to: URL(filePath: file))
        let run = try await DaemonRun([], environment: ["EPG_CONFIG": file])
        #expect(run.status == 78)
        expectOneSentence(run)
        #expect(run.errors.contains("epg.yml:3") && run.errors.contains("bogus"), "\(run.errors)")
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
            #expect(run.status == status, "\(path): \(run.errors)")
            expectOneSentence(run, orCommandEndingWith: path)
            #expect(run.errors.contains(path) && run.errors.contains(text), "\(run.errors)")
        }
    }

    @Test func addressInUseExits69() async throws {
        let guide = try ServedGuide()
        try await RunningServer.run(guide) { server in
            let run = try await DaemonRun(["--database", guide.path, "--listen", "127.0.0.1:\(server.port)"])
            #expect(run.status == 69)
            expectOneSentence(run)
            #expect(run.errors.contains("in use by another process"), "\(run.errors)")
        }
    }

    @Test func unavailableSocketExits69() async throws {
        let guide = try ServedGuide()
        let run = try await DaemonRun(["--database", guide.path, "--listen", "/nowhere/http.sock"])
        #expect(run.status == 69)
        expectOneSentence(run)
        #expect(run.errors.contains("/nowhere/http.sock"), "\(run.errors)")
    }

    @Test func tooFewOpenFilesExits78() async throws {
        let guide = try ServedGuide()
        let run = try await DaemonRun(["--database", guide.path, "--listen", "127.0.0.1:0"], openFiles: 24)
        #expect(run.status == 78)
        expectOneSentence(run)
        #expect(run.errors.contains("The limit on open files is 24") && run.errors.contains("ulimit -n"))
    }

    private func expectOneSentence(_ run: DaemonRun, orCommandEndingWith path: String = ".") {
        #expect(run.errors.hasPrefix("epgd: "), "\(run.errors)")
        #expect(run.errors.hasSuffix(".\n") || run.errors.hasSuffix("\(path)\n"), "\(run.errors)")
        #expect(run.errors.count { $0 == "\n" } == 1, "\(run.errors)")
    }
}
