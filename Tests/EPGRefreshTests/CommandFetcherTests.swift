import EPGRefresh
import Glibc
import TestSupport
import Testing

/// Tests of programs that write a guide. Shell scripts act as the programs.
@Suite struct CommandFetcherTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func text(_ script: String, limits: FetchLimits = FetchLimits()) throws -> String {
        let body = try CommandFetcher(limits: limits, temporaryFolder: folder.path)
            .fetch(FetchRequest(command: ["/bin/sh", "-c", script]))
        return try TestFolder.contents(of: body.path)
    }

    private func reason(
        _ command: [String], limits: FetchLimits = FetchLimits()
    ) throws -> FetchError.Reason {
        let error = try fetchError {
            try CommandFetcher(limits: limits, temporaryFolder: folder.path).fetch(FetchRequest(command: command))
        }
        #expect(folder.names.isEmpty)
        return error.reason
    }

    @Test func outputIsUsedAsTheGuide() throws {
        let body = try CommandFetcher().fetch(FetchRequest(command: ["/bin/echo", "-n", "<tv></tv>"]))
        #expect(try TestFolder.contents(of: body.path) == "<tv></tv>")
        var hasher = BodyHasher()
        Array("<tv></tv>".utf8).withUnsafeBytes { hasher.append($0) }
        #expect((body.byteCount, body.hash, body.entityTag) == (9, hasher.finish(), nil))
    }

    @Test func commandTakesPrecedenceOverLocation() throws {
        let fetcher = GuideFetcher(userAgent: "swift-epg/test")
        guard case .body(let body) = try fetcher.fetch(FetchRequest(command: ["echo", "<tv/>"])) else {
            Issue.record("Expected a body")
            return
        }
        #expect(try TestFolder.contents(of: body.path) == "<tv/>\n")
    }

    /// The fetcher has a limit of one hour.
    @Test func timeLimitOfRequestTakesPrecedence() throws {
        let fetcher = GuideFetcher(userAgent: "swift-epg/test")
        let error = try fetchError { try fetcher.fetch(FetchRequest(command: ["sleep", "30"], timeLimit: 1)) }
        #expect(error.reason == .commandFailed(.timedOut(seconds: 1), output: ""))
    }

    @Test func argumentsArePassedVerbatim() throws {
        let body = try CommandFetcher().fetch(
            FetchRequest(command: ["printf", "%s|", "$HOME", "a b", "*", "", "; exit 1"]))
        #expect(try TestFolder.contents(of: body.path) == "$HOME|a b|*||; exit 1|")
    }

    @Test func largeOutputAndErrorsDoNotBlockEachOther() throws {
        let text = try text("seq 1 200000 >&2 & seq 1 200000; wait")
        #expect((text.prefix(4), text.suffix(8), text.utf8.count) == ("1\n2\n", "\n200000\n", 1_288_895))
    }

    @Test func failureDiscardsOutput() throws {
        let reason = try reason([
            "/bin/sh", "-c", "echo '<tv></tv>'; echo one >&2; printf 'no\\ttoken\\n\\n' >&2; exit 3",
        ])
        #expect(reason == .commandFailed(.exit(3), output: "one | no token"))
        let error = FetchError(location: "grab", reason: .commandFailed(.exit(3), output: "no token"))
        let description = "grab: the program failed with exit code 3 and wrote: no token. Run it"
        #expect((error.description.hasPrefix(description), error.kind) == (true, .unavailable), "\(error)")
    }

    /// The programs, the size limit and the reason.
    @Test(
        arguments: [
            // Only the last lines of errors are kept.
            (
                ["/bin/sh", "-c", "seq 1 10000 >&2; exit 1"],
                .commandFailed(.exit(1), output: "9996 | 9997 | 9998 | 9999 | 10000")
            ),
            (["/bin/sh", "-c", "echo '<tv></tv>'; kill -9 $$"], .commandFailed(.signal(SIGKILL), output: "")),
            // The program fails after the end of its output.
            (
                ["/bin/sh", "-c", "echo '<tv></tv>'; exec >&-; sleep 0.2; exit 4"],
                .commandFailed(.exit(4), output: "")
            ),
            // The size limit terminates the program.
            (["/bin/sh", "-c", "yes"], .tooLarge(limit: 100_000)),
            (["true"], .empty), (["echo", "<html><title>Log in</title>"], .webPage(title: "Log in")),
            // Missing programs.
            (["/nowhere/tv_grab_none"], .cannotRun(ENOENT)), (["tv_grab_that_nobody_has"], .cannotRun(ENOENT)),
            (["/etc/passwd"], .cannotRun(EACCES)), ([], .cannotRun(ENOENT)), (["echo", "a\0b"], .cannotRun(ENOENT)),
        ] as [([String], FetchError.Reason)])
    func failedProgramIsReported(command: [String], expected: FetchError.Reason) throws {
        #expect(try reason(command, limits: FetchLimits(byteCount: 100_000)) == expected)
    }

    /// The program ignores SIGTERM and has started another process.
    @Test func timeLimitTerminatesTheProcessGroup() throws {
        let script = "trap '' TERM; sleep 60 & echo $$ >&2; echo $! >&2; echo '<tv></tv>'; wait; sleep 60"
        let reason = try reason(["/bin/sh", "-c", script], limits: FetchLimits(totalSeconds: 2))
        guard case .commandFailed(.timedOut(seconds: 2), let output) = reason else {
            Issue.record("Unexpected reason: \(String(describing: reason))")
            return
        }
        let processes = output.split(separator: " | ").compactMap { pid_t($0) }
        try #require(processes.count == 2)
        #expect(kill(processes[0], 0) == -1)
        // Only init reaps the second process, which may take a moment.
        #expect(waitUntil { kill(processes[1], 0) != 0 || isZombie(processes[1]) })
    }

    private func isZombie(_ process: pid_t) -> Bool {
        guard let status = try? TestFolder.contents(of: "/proc/\(process)/stat") else { return true }
        return status.contains(") Z ")
    }

    @Test func programHasEmptyInputAndNoOtherFiles() throws {
        let path = try folder.write("x", to: "open")
        // A descriptor without O_CLOEXEC.
        let descriptor = open(path, O_RDONLY)
        defer {
            close(descriptor)
            unlink(path)
        }
        #expect(descriptor > 2)
        #expect(try text("cat; ls -l /proc/self/fd").contains(path) == false)
    }

    @Test func programInheritsOnlyListedVariables() throws {
        // Other child processes inherit these.
        setenv("EPG_TEST_SECRET", "of another source", 1)
        setenv("LC_TIME", "C", 1)
        defer { unsetenv("EPG_TEST_SECRET") }
        var request = FetchRequest(command: ["/usr/bin/env"])
        request.environment = ["API_KEY": "k=1", "HOME": "/own"]
        guard case .body(let body) = try GuideFetcher(userAgent: "swift-epg/test").fetch(request) else {
            Issue.record("Expected a body")
            return
        }
        let lines = try TestFolder.contents(of: body.path).split(separator: "\n").map(String.init)
        let expected = ["API_KEY=k=1", "HOME=/own", "LC_TIME=C"]
        #expect(expected.allSatisfy(lines.contains) && lines.contains { $0.hasPrefix("PATH=") }, "\(lines)")
        let names = Set(lines.map { String($0.prefix { $0 != "=" }) })
        #expect(names.subtracting(CommandEnvironment.inheritedNames) == ["API_KEY"])
    }
}

@Suite struct FetchedFileTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func reason(of path: String, limits: FetchLimits = FetchLimits()) -> FetchError.Reason? {
        try? fetchError { try FetchedBody(ofFile: path, upTo: limits.byteCount) }.reason
    }

    @Test func fileIsReadInPlace() throws {
        let path = try folder.write("<tv></tv>", to: "guide.xml")
        let body = try FetchedBody(ofFile: path)
        var hasher = BodyHasher()
        Array("<tv></tv>".utf8).withUnsafeBytes { hasher.append($0) }
        #expect((body.path, body.byteCount, body.entityTag, body.hash) == (path, 9, nil, hasher.finish()))
    }

    @Test func missingFileIsReported() throws {
        let path = folder.path + "/none.xml"
        let error = FetchError(location: path, reason: .cannotOpen(ENOENT))
        #expect((reason(of: path), error.kind) == (.cannotOpen(ENOENT), .noInput))
        #expect(error.description.hasPrefix("\(path): cannot open the file (No such file or directory). "))
    }

    @Test func folderAndPipeAreRejected() throws {
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        for path in [folder.path, "/dev/zero", pipe] { #expect(reason(of: path) == .notRegularFile, "\(path)") }
    }

    @Test func emptyFileIsRejected() throws {
        #expect(reason(of: try folder.write("", to: "empty.xml")) == .empty)
    }

    @Test func sizeLimitAppliesToFiles() throws {
        let path = try folder.write("12345678901", to: "guide.xml")
        #expect(reason(of: path, limits: FetchLimits(byteCount: 10)) == .tooLarge(limit: 10))
        #expect(try FetchedBody(ofFile: path, upTo: 11).byteCount == 11)
    }
}
