import Foundation
import Testing

/// `epg refresh` that is ended by a signal while a program of a source runs.
@Suite struct InterruptionTests {
    /// Who runs the tests may ignore these signals (`nohup`, a job in a script's background), and programs inherit that; a
    /// handler they don't, and one that does nothing is as good here.
    init() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let before = signal(number) { _ in }
            if unsafeBitCast(before, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, before) }
        }
    }

    /// A sandbox whose settings name one source, a shell that runs some words after it has told its own number, and others
    /// before.
    private func sandbox(_ words: String, first: String = ":") throws -> Sandbox {
        let sandbox = try Sandbox(importing: "evening.xml")
        _ = try sandbox.write(
            """
            sources:
              - {name: slow, command: [sh, -c, "\(first); echo $$ > id.new; mv id.new id; \(words)"]}
            """, to: "epg.yml")
        return sandbox
    }

    /// Begins a refresh, and waits until the program of its source runs.
    ///
    /// - Returns: The refresh, and the number of the program.
    private func begin(_ sandbox: Sandbox) throws -> (Process, Int32) {
        let process = CommandRun.process(
            ["refresh", "--config", "epg.yml"], environment: sandbox.variables([:]), folder: sandbox.folder)
        process.standardError = FileHandle(forWritingAtPath: try sandbox.write("", to: "errors"))
        try process.run()
        let end = ContinuousClock.now.advanced(by: .seconds(60))
        while !FileManager.default.fileExists(atPath: sandbox.path("id")), ContinuousClock.now < end { usleep(10_000) }
        let id = try String(contentsOfFile: sandbox.path("id"), encoding: .utf8)
        return (process, try #require(Int32(id.trimmingCharacters(in: .whitespacesAndNewlines))))
    }

    /// A zombie, whose end nobody has asked for, isn't.
    private func isAlive(_ id: Int32) -> Bool {
        guard let line = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) else { return false }
        // proc(5): the name stands in brackets, the state after it.
        return line.split(separator: ")").last?.split(separator: " ").first != "Z"
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func theFirstSignalBreaksTheRefreshOffInOrder(number: Int32) throws {
        let sandbox = try sandbox("exec sleep 60")
        let before = try sandbox.dump()
        let (process, id) = try begin(sandbox)
        let began = ContinuousClock.now
        kill(process.processIdentifier, number)
        process.waitUntilExit()
        #expect(began.duration(to: .now) < .seconds(10))
        // As a shell sees it: ended by that very signal.
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == number)
        #expect(!isAlive(id))
        let words = try String(contentsOfFile: sandbox.path("errors"), encoding: .utf8)
        #expect(words == "epg: The refresh was broken off. The next one takes it up.\n")
        #expect(try sandbox.dump() == before)
        // It was no fault of the source.
        let sources = try sandbox.epg("sources", "--config", "epg.yml", "--json").json(as: [[String: Any]].self)
        let slow = try #require(sources.first { $0["name"] as? String == "slow" })
        #expect(slow["lastError"] == nil && slow["lastAttempt"] == nil)
    }

    /// The program doesn't heed SIGTERM, so that the refresh waits two seconds for it before it kills it.
    @Test func theSecondSignalLeavesNoProgramBehind() throws {
        let sandbox = try sandbox("sleep 60; sleep 60", first: "trap '' TERM")
        let (process, id) = try begin(sandbox)
        kill(process.processIdentifier, SIGTERM)
        // More than what `timeout` needs for its second one.
        usleep(500_000)
        #expect(process.isRunning && isAlive(id))
        kill(process.processIdentifier, SIGINT)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
        // Whoever takes the ends of orphans away may need a moment.
        for _ in 0..<100 where isAlive(id) { usleep(10_000) }
        #expect(!isAlive(id))
    }

    @Test func aRefreshThatWaitsForAnotherOneEndsAtTheFirstSignal() throws {
        let sandbox = try sandbox("exec sleep 60")
        let (first, _) = try begin(sandbox)
        let second = CommandRun.process(
            ["refresh", "--wait", "--config", "epg.yml"], environment: sandbox.variables([:]), folder: sandbox.folder)
        second.standardError = FileHandle(forWritingAtPath: try sandbox.write("", to: "second"))
        try second.run()
        usleep(500_000)
        #expect(second.isRunning)
        kill(second.processIdentifier, SIGINT)
        second.waitUntilExit()
        #expect(second.terminationReason == .uncaughtSignal && second.terminationStatus == SIGINT)
        #expect(try String(contentsOfFile: sandbox.path("second"), encoding: .utf8) == "")
        kill(first.processIdentifier, SIGTERM)
        first.waitUntilExit()
    }
}
