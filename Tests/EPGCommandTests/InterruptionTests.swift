import Foundation
import TestSupport
import Testing

/// Tests of signals to `epg refresh` while the command of a source runs.
@Suite struct InterruptionTests {
    /// Installs handlers that do nothing for ignored signals, because child processes inherit ignored signals (`nohup`,
    /// background jobs of scripts) but not handlers.
    init() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let before = signal(number) { _ in }
            if unsafeBitCast(before, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, before) }
        }
    }

    /// Creates a sandbox whose settings have one source: a shell that runs `first`, writes its process ID, and runs `script`.
    private func sandbox(_ script: String, first: String = ":") throws -> Sandbox {
        let sandbox = try Sandbox(importing: "evening.xml")
        _ = try sandbox.write(
            """
            sources:
              - {name: slow, command: [sh, -c, "\(first); echo $$ > id.new; mv id.new id; \(script)"]}
            """, to: "epg.yml")
        return sandbox
    }

    /// Starts a refresh and waits until the command of its source runs.
    ///
    /// - Returns: The refresh process, and the process ID of the command.
    private func startRefresh(_ sandbox: Sandbox) throws -> (Process, Int32) {
        let process = CommandRun.process(
            ["refresh", "--config", "epg.yml"], environment: sandbox.variables([:]), folder: sandbox.folder)
        process.standardError = FileHandle(forWritingAtPath: try sandbox.write("", to: "errors"))
        try process.run()
        try #require(waitUntil { FileManager.default.fileExists(atPath: sandbox.path("id")) })
        let id = try String(contentsOfFile: sandbox.path("id"), encoding: .utf8)
        return (process, try #require(Int32(id.trimmingCharacters(in: .whitespacesAndNewlines))))
    }

    /// Returns whether a process is running. A zombie is not running.
    private func isAlive(_ id: Int32) -> Bool {
        guard let line = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) else { return false }
        // proc(5): the state follows the name in parentheses.
        return line.split(separator: ")").last?.split(separator: " ").first != "Z"
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func firstSignalStopsRefreshCleanly(number: Int32) throws {
        let sandbox = try sandbox("exec sleep 60")
        let before = try sandbox.dump()
        let (process, id) = try startRefresh(sandbox)
        let start = ContinuousClock.now
        kill(process.processIdentifier, number)
        process.waitUntilExit()
        #expect(start.duration(to: .now) < .seconds(10))
        // The process ends by the same signal, as shells expect.
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == number)
        #expect(!isAlive(id))
        let message = try String(contentsOfFile: sandbox.path("errors"), encoding: .utf8)
        #expect(message == "epg: Refresh interrupted. The next refresh continues.\n")
        #expect(try sandbox.dump() == before)
        // The interruption is not a failure of the source.
        let sources = try sandbox.epg("sources", "--config", "epg.yml", "--json").json(as: [[String: Any]].self)
        let slow = try #require(sources.first { $0["name"] as? String == "slow" })
        #expect(slow["lastError"] == nil && slow["lastAttempt"] == nil)
    }

    /// The command ignores SIGTERM, so the refresh waits two seconds before it kills the command.
    @Test func secondSignalKillsCommandOfSource() throws {
        let sandbox = try sandbox("sleep 60; sleep 60", first: "trap '' TERM")
        let (process, id) = try startRefresh(sandbox)
        kill(process.processIdentifier, SIGTERM)
        // Longer than the delay within which two signals count as one.
        usleep(500_000)
        #expect(process.isRunning && isAlive(id))
        kill(process.processIdentifier, SIGINT)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
        // Reaping orphans may take a moment.
        #expect(waitUntil { !isAlive(id) })
    }

    @Test func waitingRefreshEndsAtFirstSignal() throws {
        let sandbox = try sandbox("exec sleep 60")
        let (first, _) = try startRefresh(sandbox)
        let second = CommandRun.process(
            ["refresh", "--wait", "--config", "epg.yml"], environment: sandbox.variables([:]), folder: sandbox.folder)
        second.standardError = FileHandle(forWritingAtPath: try sandbox.write("", to: "second"))
        try second.run()
        #expect(second.opens(sandbox.database + ".refresh"))
        #expect(second.isRunning)
        kill(second.processIdentifier, SIGINT)
        second.waitUntilExit()
        #expect(second.terminationReason == .uncaughtSignal && second.terminationStatus == SIGINT)
        #expect(try String(contentsOfFile: sandbox.path("second"), encoding: .utf8) == "")
        kill(first.processIdentifier, SIGTERM)
        first.waitUntilExit()
    }
}
