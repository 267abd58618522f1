import EPGRefresh
import Glibc
import Testing

/// Programs whose output is a guide; the shell stands for one.
@Suite struct CommandFetcherTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func text(_ script: String, limits: FetchLimits = FetchLimits()) throws -> String {
        let body = try CommandFetcher(limits: limits, temporaryFolder: folder.path).fetch(["/bin/sh", "-c", script])
        return try TestFolder.contents(of: body.path)
    }

    private func reason(
        _ command: [String], limits: FetchLimits = FetchLimits()
    ) throws -> FetchError.Reason? {
        let error = #expect(throws: FetchError.self) {
            try CommandFetcher(limits: limits, temporaryFolder: folder.path).fetch(command)
        }
        #expect(folder.names.isEmpty)
        return error?.reason
    }

    @Test func outputIsTheGuide() throws {
        let body = try CommandFetcher().fetch(["/bin/echo", "-n", "<tv></tv>"])
        #expect(try TestFolder.contents(of: body.path) == "<tv></tv>")
        #expect(body.byteCount == 9)
        var hasher = BodyHasher()
        Array("<tv></tv>".utf8).withUnsafeBytes { hasher.append($0) }
        #expect(body.hash == hasher.finish())
        #expect(body.entityTag == nil)
    }

    @Test func commandComesBeforeTheLocation() throws {
        let fetcher = GuideFetcher(userAgent: "swift-epg/test")
        guard case .body(let body) = try fetcher.fetch(FetchRequest(command: ["echo", "<tv/>"])) else {
            Issue.record("no body")
            return
        }
        #expect(try TestFolder.contents(of: body.path) == "<tv/>\n")
    }

    /// The fetcher itself would wait for an hour.
    @Test func requestMayHaveATimeOfItsOwn() throws {
        let fetcher = GuideFetcher(userAgent: "swift-epg/test")
        let error = #expect(throws: FetchError.self) {
            try fetcher.fetch(FetchRequest(command: ["sleep", "30"], timeLimit: 1))
        }
        #expect(error?.reason == .commandFailed(.timedOut(seconds: 1), words: ""))
    }

    @Test func argumentsAreHandedOverAsTheyAre() throws {
        let body = try CommandFetcher().fetch(["printf", "%s|", "$HOME", "a b", "*", "", "; exit 1"])
        #expect(try TestFolder.contents(of: body.path) == "$HOME|a b|*||; exit 1|")
    }

    @Test func largeOutputAndWordsDoNotBlockEachOther() throws {
        let text = try text("seq 1 200000 >&2 & seq 1 200000; wait")
        #expect(text.hasPrefix("1\n2\n"))
        #expect(text.hasSuffix("\n200000\n"))
        #expect(text.utf8.count == 1_288_895)
    }

    @Test func failureCountsEvenWithOutput() throws {
        let reason = try reason([
            "/bin/sh", "-c", "echo '<tv></tv>'; echo one >&2; printf 'no\\ttoken\\n\\n' >&2; exit 3",
        ])
        #expect(reason == .commandFailed(.exit(3), words: "one | no token"))
        let error = FetchError(location: "grab", reason: .commandFailed(.exit(3), words: "no token"))
        #expect(error.description.hasPrefix("grab: the program failed with exit code 3 and wrote: no token. Run it"))
        #expect(error.exitCode == 69)
    }

    @Test func onlyTheLastWordsAreKept() throws {
        let last = (9_996...10_000).map(String.init).joined(separator: " | ")
        #expect(
            try reason(["/bin/sh", "-c", "seq 1 10000 >&2; exit 1"]) == .commandFailed(.exit(1), words: last))
    }

    @Test func programThatASignalEndedFailed() throws {
        #expect(
            try reason(["/bin/sh", "-c", "echo '<tv></tv>'; kill -9 $$"]) == .commandFailed(.signal(SIGKILL), words: "")
        )
    }

    @Test func programThatIsNotThereIsTold() throws {
        #expect(try reason(["/nowhere/tv_grab_none"]) == .cannotRun(ENOENT))
        #expect(try reason(["tv_grab_that_nobody_has"]) == .cannotRun(ENOENT))
        #expect(try reason(["/etc/passwd"]) == .cannotRun(EACCES))
        #expect(try reason([]) == .cannotRun(ENOENT))
        #expect(try reason(["echo", "a\0b"]) == .cannotRun(ENOENT))
        #expect(FetchError(location: "a", reason: .cannotRun(ENOENT)).exitCode == 69)
    }

    @Test func nothingAndAPageAreNoGuide() throws {
        #expect(try reason(["true"]) == .empty)
        #expect(try reason(["echo", "<html><title>Log in</title>"]) == .webPage(title: "Log in"))
    }

    @Test func limitEndsTheProgram() throws {
        #expect(
            try reason(["/bin/sh", "-c", "yes"], limits: FetchLimits(byteCount: 100_000)) == .tooLarge(limit: 100_000))
    }

    /// The program ignores the polite signal, and has started another one.
    @Test func wholeGroupEndsWithTheTime() throws {
        let script = "trap '' TERM; sleep 60 & echo $$ >&2; echo $! >&2; echo '<tv></tv>'; wait; sleep 60"
        let reason = try reason(["/bin/sh", "-c", script], limits: FetchLimits(totalSeconds: 2))
        guard case .commandFailed(.timedOut(seconds: 2), let words) = reason else {
            Issue.record("unexpected: \(String(describing: reason))")
            return
        }
        let processes = words.split(separator: " | ").compactMap { pid_t($0) }
        try #require(processes.count == 2)
        #expect(kill(processes[0], 0) == -1)
        // Nobody but the system waits for the second one, which may take a moment.
        var isThere = true
        for _ in 0..<100 where isThere {
            isThere = kill(processes[1], 0) == 0 && !isZombie(processes[1])
            if isThere { usleep(20_000) }
        }
        #expect(!isThere)
    }

    private func isZombie(_ process: pid_t) -> Bool {
        guard let status = try? TestFolder.contents(of: "/proc/\(process)/stat") else { return true }
        return status.contains(") Z ")
    }

    @Test func programThatClosesItsOutputMayStillFail() throws {
        #expect(
            try reason(["/bin/sh", "-c", "echo '<tv></tv>'; exec >&-; sleep 0.2; exit 4"])
                == .commandFailed(.exit(4), words: ""))
    }

    @Test func programReadsNothingAndHasNoOtherFiles() throws {
        let path = try folder.write("x", to: "open")
        // As a file of this program would be that isn't closed by itself.
        let descriptor = open(path, O_RDONLY)
        defer {
            close(descriptor)
            unlink(path)
        }
        #expect(descriptor > 2)
        #expect(try text("cat; ls -l /proc/self/fd").contains(path) == false)
    }

    @Test func programGetsTheUsualVariablesAndItsOwnOnly() throws {
        // Another process of its own would see these.
        setenv("EPG_TEST_SECRET", "of another source", 1)
        setenv("LC_TIME", "C", 1)
        defer { unsetenv("EPG_TEST_SECRET") }
        var request = FetchRequest(command: ["/usr/bin/env"])
        request.environment = ["API_KEY": "k=1", "HOME": "/own"]
        guard case .body(let body) = try GuideFetcher(userAgent: "swift-epg/test").fetch(request) else {
            Issue.record("no body")
            return
        }
        let lines = try TestFolder.contents(of: body.path).split(separator: "\n").map(String.init)
        #expect(lines.contains("API_KEY=k=1") && lines.contains("HOME=/own") && lines.contains("LC_TIME=C"))
        #expect(lines.contains { $0.hasPrefix("PATH=") })
        let names = Set(lines.map { String($0.prefix { $0 != "=" }) })
        #expect(names.subtracting(CommandEnvironment.passed) == ["API_KEY"])
    }
}
