import EPGModel
import Testing

@testable import EPGConfig

@Suite("Accounts at Schedules Direct")
struct SchedulesDirectReaderTests {
    private func source(_ lines: String) throws -> SourceConfiguration? {
        try ConfigurationReader.ofTexts(["/f/epg.yml": "sources:\n  - name: A\n    \(lines)\n"])
            .check(file: "/f/epg.yml").configuration.sources.first
    }

    @Test func anAccountHasANameAPasswordThatStandsElsewhereAndLineups() throws {
        let found = try source(
            """
            schedules-direct:
                  username: viewer@example.org
                  password: {file: secrets/sd}
                  lineups: [USA-OTA-60030, GBR-1000005-DEFAULT]
                private-addresses: yes
            """)
        var expected = SourceConfiguration(
            Source(name: "A", location: "https://json.schedulesdirect.org/20141201"))
        expected.schedulesDirect = SchedulesDirectSettings(
            username: "viewer@example.org", password: .file(path: "/f/secrets/sd"),
            lineups: ["USA-OTA-60030", "GBR-1000005-DEFAULT"])
        expected.allowsPrivateAddresses = true
        #expect(found == expected)
    }

    @Test func withoutLineupsAllAreMeantAndOneAloneIsAList() throws {
        let all = try source("schedules-direct: {username: a, password: {environment: B}}")
        #expect(all?.schedulesDirect == SchedulesDirectSettings(username: "a", password: .environment("B")))
        let one = try source("schedules-direct: {username: a, password: {environment: B}, lineups: L}")
        #expect(one?.schedulesDirect?.lineups == ["L"])
    }

    @Test(arguments: [
        "https://sd.example/20141201", "http://127.0.0.1:8080/x", "http://localhost/", "HTTP://127.1.2.3",
    ])
    func anAddressBesideItIsThatOfAnotherServer(address: String) throws {
        let found = try source(
            "url: \(address)\n    schedules-direct: {username: a, password: {environment: B}}")
        #expect(found?.source.location == address)
        #expect(found?.schedulesDirect?.username == "a")
    }

    /// What stands behind the name of the source, and what is told of which line.
    @Test(arguments: [
        ("schedules-direct: viewer", 3, "schedules-direct: an account stands here as “key: value”; allowed: {user"),
        ("schedules-direct:", 3, "schedules-direct: there is no value"),
        ("schedules-direct: [a]", 3, "schedules-direct: an account stands here"),
        ("schedules-direct: {password: {file: a}}", 3, "schedules-direct: there is no username; allowed: {username:"),
        ("schedules-direct: {username: a}", 3, "schedules-direct: there is no password"),
        (
            "schedules-direct:\n      username: a\n      password: hunter2", 5,
            "schedules-direct: password: others may read this file, so what is secret stands elsewhere; allowed: {file:"
        ),
        (
            "schedules-direct:\n      username: [a]\n      password: {file: a}", 4,
            "schedules-direct: username: a text of at most 200 bytes stands here"
        ),
        (
            "schedules-direct:\n      user: a\n      password: {file: a}", 4,
            "schedules-direct: user: there is no such setting; allowed: username, password, lineups"
        ),
        (
            "schedules-direct:\n      username: a\n      password: {file: a}\n      lineups: [a b]", 6,
            "schedules-direct: lineups: identifiers such as USA-OTA-60030 stand here, or nothing at all"
        ),
        (
            "schedules-direct:\n      username: a\n      password: {file: a}\n      lineups: []", 6,
            "schedules-direct: lineups: identifiers such as"
        ),
        (
            "schedules-direct:\n      username: a\n      password: {file: a}\n      lineups: {a: b}", 6,
            "schedules-direct: a list of plain values stands here"
        ),
        (
            "file: a\n    schedules-direct: {username: a, password: {file: a}}", 4,
            "schedules-direct: file stands in line 3 already; a source has one of url, file, command and schedules-direct"
        ),
        (
            "schedules-direct: {username: a, password: {file: a}}\n    token: {file: b}", 4,
            "token: this goes with url alone; Schedules Direct is sent a token of its own"
        ),
        (
            "schedules-direct: {username: a, password: {file: a}}\n    headers: {X: a}", 4,
            "headers: this goes with url alone; Schedules Direct is sent a token of its own"
        ),
        (
            "schedules-direct: {username: a, password: {file: a}}\n    url: http://sd.example/", 4,
            "url: the password would go unprotected; allowed for Schedules Direct: an address with https://"
        ),
        (
            "schedules-direct: {username: a, password: {file: a}}\n    url: http://127.sd.example/", 4,
            "url: the password would go unprotected"
        ),
    ]) func whatIsWrongIsToldWithItsLine(lines: String, line: Int, words: String) {
        let errors = ConfigurationReader.errors(of: "sources:\n  - name: A\n    \(lines)\n")
        #expect(errors.count == 1, "\(errors)")
        let error = errors.first ?? ""
        #expect(error.hasPrefix("/f/epg.yml:\(line): sources[0].\(words)"), "\(error)")
        #expect(!error.contains("hunter2"))
    }

    @Test func passwordsPrintNothing() throws {
        let found = try source("schedules-direct: {username: a, password: {environment: B}}")
        var dumped = ""
        dump(found, to: &dumped)
        #expect(String(reflecting: found).contains("(the variable B)"))
    }
}
