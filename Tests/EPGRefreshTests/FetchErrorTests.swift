import EPGRefresh
import Glibc
import Testing

@Suite struct FetchErrorTests {
    /// Reason, exit code (sysexits.h), and a word of the advice.
    @Test(
        arguments: [
            (.unsupportedScheme("ftp"), 78, "https://"),
            (.malformedLocation, 78, "%20"),
            (.cannotOpen(ENOENT), 66, "path"),
            (.cannotOpen(EACCES), 66, "account"),
            (.notRegularFile, 66, "file"),
            (.inputOutput(ENOSPC), 74, "TMPDIR"),
            (.inputOutput(EIO), 74, "disk"),
            (.empty, 65, "publishes"),
            (.tooLarge(limit: 4096), 65, "can be divided"),
            (.status(401), 69, "password"),
            (.status(404), 69, "correct the address"),
            (.status(429), 69, "less often"),
            (.status(503), 69, "next refresh"),
            (.status(204), 69, "curl -v"),
            (.tooManyRedirects(limit: 5), 69, "address"),
            (.redirectRefused, 69, "address"),
            (.unknownHost, 69, "name"),
            (.cannotConnect, 69, "network"),
            (.insecure("self-signed certificate"), 69, "ca-certificates"),
            (.timedOut("too slow"), 69, "next refresh"),
            (.timedOut("too slow"), 69, "“time-limit:” for this source in epg.yml"),
            (.cutShort, 69, "next refresh"),
            (.cancelled, 69, "next refresh"),
            (.wrongPart, 69, "next refresh"),
            (.refusedAddress(host: "nas.test", .privateUse, isRedirect: false), 78, "epg.yml"),
            (.refusedAddress(host: "nas.test", .multicast, isRedirect: false), 78, "Correct"),
            (.refusedAddress(host: "10.0.0.1", .privateUse, isRedirect: true), 69, "own address"),
            (.badHeader("X\r\n"), 78, "letters"),
            (.webPage(title: nil), 65, "browser"),
            (.webPage(title: "Log in"), 65, "“Log in”"),
            (.badEncoding("invalid block type"), 65, "server's side"),
            (.unpacksTooFar(ratio: 200), 65, "nothing was taken"),
            (.cannotRun(ENOENT), 69, "Install"),
            (.cannotRun(EACCES), 69, "account"),
            (.commandFailed(.exit(2), words: ""), 69, "exit code 2. Run it by hand"),
            (.commandFailed(.signal(9), words: "a | b"), 69, "signal 9 and wrote: a | b"),
            (.commandFailed(.timedOut(seconds: 9), words: ""), 69, "within 9 seconds"),
            (.commandFailed(.timedOut(seconds: 9), words: ""), 69, "“time-limit:” for this source in epg.yml"),
            (.libraryMissing("no such file"), 69, "apt-get install libcurl4"),
            (.transfer(code: 92, "HTTP/2 stream was reset"), 69, "curl -v"),
        ] as [(FetchError.Reason, Int32, String)])
    func failureSaysWhereAndWhatToDo(reason: FetchError.Reason, exitCode: Int32, word: String) {
        let error = FetchError(location: "http://ann:secret@example.org/g?key=1", reason: reason)
        #expect(error.exitCode == exitCode)
        #expect(error.description.hasPrefix("http://example.org/g?…: "))
        #expect(error.description.contains(word))
        #expect(error.description.hasSuffix("."))
        // No flag and no setting raises that of the size.
        #expect(!error.description.contains("raise the limit"))
    }

    @Test(arguments: [(EACCES, "(Permission denied). See to its disk, and that the account"), (ENOSPC, "Make room")])
    func fileThatIsKeptIsNamed(code: Int32, words: String) {
        let error = FetchError(location: "http://example.org/", reason: .keptFile(path: "/a.json", code))
        #expect(error.exitCode == 74)
        #expect(error.description.contains("/a.json can't be read or written (") && error.description.contains(words))
    }
}
