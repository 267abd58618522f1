import EPGModel
import Testing

@testable import EPGConfig

@Suite("Sources in a settings file")
struct SourceReaderTests {
    private func sources(_ text: String) throws -> [SourceConfiguration] {
        try ConfigurationReader.ofTexts(["/f/epg.yml": text]).check(file: "/f/epg.yml").configuration.sources
    }

    /// Parses a source with an additional line.
    private func source(_ line: String) throws -> SourceConfiguration? {
        try sources("sources:\n  - name: A\n    url: https://a.example/g\n    \(line)\n").first
    }

    @Test func allSettingsOfASourceAreParsed() throws {
        let found = try sources(
            """
            sources:
              - name: Terrestrial
                url: https://a.example/guide.xml.gz?key=1
                schedule: "30 3 * * 1-5"
                jitter: 15 min
                zone: Europe/Paris
                shift: -01:30
                priority: -5
                complete: false
                stations: ["*.uk", b?.example]
                encoding: windows-1251
                headers:
                  User-Agent: box/1
                  X-Key: {file: secrets/key}
                  Authorization: {environment: BASIC}
                minimum-share: 80 %
                time-limit: 90 min
            """)
        var source = Source(name: "Terrestrial", location: "https://a.example/guide.xml.gz?key=1")
        source.timeZone = "Europe/Paris"
        source.shift = -5400
        source.priority = -5
        source.completes = false
        source.stations = ["*.uk", "b?.example"]
        source.encoding = "windows-1251"
        var expected = SourceConfiguration(source)
        expected.schedule = "30 3 * * 1-5"
        expected.jitter = 900
        expected.headers = [
            SecretField(name: "User-Agent", value: .text("box/1")),
            SecretField(name: "X-Key", value: .file(path: "/f/secrets/key")),
            SecretField(name: "Authorization", value: .environment("BASIC")),
        ]
        expected.minimumShare = 80
        expected.timeLimit = 5400
        #expect(found == [expected])
    }

    @Test func missingSettingsHaveDefaults() throws {
        let found = try sources("sources: [{name: A, url: http://a/}, {name: B, file: b.xml}, {name: C, command: c}]")
        var command = SourceConfiguration(Source(name: "C"))
        command.command = ["c"]
        #expect(
            found == [
                SourceConfiguration(Source(name: "A", location: "http://a/")),
                SourceConfiguration(Source(name: "B", location: "/f/b.xml")), command,
            ])
        #expect(found.map(\.minimumShare) == [50, 50, 50])
    }

    @Test(arguments: [("1", 1), ("900", 900), ("90 s", 90), ("15min", 900), ("24 h", 86_400)])
    func timeLimitsAreDurations(text: String, seconds: Int) throws {
        let found = try [
            source("time-limit: \(text)"), sources("sources: [{name: A, command: c, time-limit: \(text)}]").first,
        ]
        #expect(found.map { $0?.timeLimit } == [seconds, seconds])
    }

    @Test(arguments: [
        ("tv_grab_xy --days 7", ["tv_grab_xy", "--days", "7"]), ("  a   b ", ["a", "b"]),
        ("[tv_grab_xy, --days, 7]", ["tv_grab_xy", "--days", "7"]), ("[sh, -c, \"a | b\"]", ["sh", "-c", "a | b"]),
        ("./grab -x", ["/f/./grab", "-x"]), ("[bin/grab, ./x]", ["/f/bin/grab", "./x"]), ("/usr/bin/g", ["/usr/bin/g"]),
        ("[a, \"\"]", ["a", ""]),
    ]) func commandIsSplitIntoArguments(text: String, arguments: [String]) throws {
        #expect(try sources("sources: [{name: A, command: \(text)}]").first?.command == arguments)
    }

    @Test(arguments: [
        ("token: {file: t}", Secret.file(path: "/f/t")), ("token: {file: /run/t}", .file(path: "/run/t")),
        ("token: {environment: KEY}", .environment("KEY")),
    ]) func tokensReferToAFileOrVariable(line: String, secret: Secret) throws {
        #expect(try source(line)?.token == secret)
    }

    @Test func singlePatternIsAListAndAsteriskMatchesAll() throws {
        let stations = try ["b.example", "[\"*\", b.example]"].map { try source("stations: \($0)")?.source.stations }
        #expect(stations == [["b.example"], []])
        let automatic = try #require(try source("encoding: auto"))
        #expect(automatic.source.encoding == nil)
    }

    /// The fourth line, after the name and the URL of a source, and the beginning of its error message.
    @Test(arguments: [
        ("color: red", "color: unknown setting of a source; allowed: name, url, file, command, schedule,"),
        ("jitter: 900", "jitter: jitter requires a schedule"),
        (
            "schedule: \"* * * *\"",
            "schedule: the cron expression \"* * * *\" has 4 fields instead of five; use minute, hour, day of the month,"
        ),
        ("schedule: \"@often\"", "schedule: unknown cron expression \"@often\"; use @hourly, @daily,"),
        (
            "schedule: 0 3 * * ?",
            "schedule: invalid day of the week \"?\" in the cron expression \"0 3 * * ?\": ?, L, W and # are not"
        ),
        ("schedule: 0 3 31 4 *", "schedule: “0 3 31 4 *” never matches a date; allowed: a cron expression"),
        (
            "schedule: */15 * * * *",
            "“*/15 * * * *” begins with *, which is an alias in YAML; put it in quotes"
        ),
        ("schedule: @daily", "text that begins with @ must be in quotes"),
        ("stations: [*news]", "“*news” begins with *"),
        ("zone: Europe/Londn", "zone: unknown time zone \"Europe/Londn\"; did you mean Europe/London"),
        ("shift: 01:00", "shift: invalid value “01:00”; allowed: seconds such as -3600, or hours and minutes"),
        ("priority: high", "priority: invalid value “high”; allowed: a whole number from -1000000 to 1000000"),
        ("priority: 1000001", "priority: invalid value “1000001”"),
        ("stations: {a: b}", "stations: expected a list of plain values"),
        ("stations: [a, [b]]", "stations: expected a list of plain values"),
        ("stations: [\"\"]", "stations: a pattern must be text on one line"),
        ("stations: [\"a\\nb\"]", "stations: a pattern must be text on one line"),
        ("encoding: klingon", "encoding: unknown encoding “klingon”; examples: UTF-8"),
        ("minimum-share: 101", "minimum-share: invalid value “101”; allowed: a percentage from 0 to 100"),
        ("private-addresses: yes", "private-addresses: unknown setting of a source; use “private-hosts” instead"),
        ("time-limit: 0", "time-limit: invalid value “0”; allowed: a duration from a second to a day, such as 900"),
        ("time-limit: 86401 s", "time-limit: invalid value “86401 s”"),
        ("time-limit: 2 d", "time-limit: invalid value “2 d”"),
        ("time-limit: [1]", "time-limit: expected one value"),
        ("priority:", "priority: missing value"),
        ("priority: [1]", "priority: expected one value"),
        (
            "file: b.xml",
            "file: conflicts with url on line 3; a source has only one of url, file, command and schedules-direct"
        ),
        ("command: b", "command: conflicts with url on line 3"),
        ("headers: X", "headers: expected headers as “Name: value”"),
        ("headers: {X Y: a}", "headers: X Y: invalid header name (RFC 9110, 5.1)"),
        ("headers: {host: a}", "headers: host: the refresh sets this header itself"),
        ("headers: {X-A: 1, x-a: 2}", "headers: x-a: duplicate, first on line 4"),
        ("headers: {X: \"a\\r\\nB: c\"}", "headers: X: a value must be text on one line"),
        (
            "headers: {X: [a]}",
            "headers: X: invalid value; allowed: text, {file: PATH} or {environment: NAME}"
        ),
        ("headers: {X: {environment: 1a}}", "headers: X: invalid variable name"),
        ("headers: {X: {file: a, environment: B}}", "headers: X: invalid value"),
        ("headers: {X: {vault: a}}", "headers: X: invalid value"),
        ("headers: {X: {file: }}", "headers: X: invalid value"),
    ]) func errorNamesLineAndKey(line: String, beginning: String) {
        let errors = ConfigurationReader.errors(of: "sources:\n  - name: A\n    url: http://a/\n    \(line)\n")
        let error = errors.first ?? ""
        let isYAMLError = beginning.hasPrefix("“*") || beginning.hasPrefix("text that begins")
        let start = "/f/epg.yml:4: " + (isYAMLError ? "" : "sources[0].") + beginning
        #expect(errors.count == 1 && error.hasPrefix(start), "\(errors)")
    }

    @Test(arguments: [
        ("[{url: http://a/}]", ["1: sources[0]: missing name; add “name:”"]),
        (
            "[{name: A}]",
            ["1: sources[0]: missing location of the guide; add url:, file:, command: or schedules-direct:"]
        ),
        (
            "[{name: A, file: a, schedule: \"@daily\", jitter: soon}]",
            ["1: sources[0].jitter: invalid value “soon”; allowed: a duration of at most a day, such as 900"]
        ),
        (
            "[{name: A, file: a, schedule: \"@daily\", jitter: 25 h}]",
            ["1: sources[0].jitter: invalid value “25 h”"]
        ),
        (
            "[{name: \" \", file: a}]",
            ["1: sources[0].name: invalid value “ ”; allowed: unique text of at most 200 bytes"]
        ),
        (
            "[{name: \"http://ann:secret@h/\", file: a}]",
            ["1: sources[0].name: a name is public and must not contain a user or password"]
        ),
        ("[{name: A, url: a.xml}]", ["1: sources[0].url: invalid URL; allowed: a URL that begins"]),
        (
            "[{name: A, file: guides/}]",
            ["1: sources[0].file: invalid value “guides/”; allowed: the path of a guide"]
        ),
        ("[{name: A, file: a, token: {file: b}}]", ["1: sources[0].token: only allowed with url, not with file"]),
        (
            "[{name: A, command: a, headers: {X: y}}]",
            ["1: sources[0].headers: only allowed with url, not with command"]
        ),
        (
            "[{name: A, file: a, time-limit: 1 h}]",
            ["1: sources[0].time-limit: only allowed with url, command or schedules-direct"]
        ),
        ("[{name: A, command: \"a > b\"}]", ["1: sources[0].command: commands run without a shell"]),
        ("[{name: A, command: \"\"}]", ["1: sources[0].command: missing program"]),
        ("[{name: A, command: []}]", ["1: sources[0].command: missing program"]),
        ("[{name: A, command: [./]}]", ["1: sources[0].command: missing program"]),
        ("[http://a/]", ["1: sources[0]: expected the settings of a source as “key: value”"]),
        ("{name: A}", ["1: sources: expected a list of sources; each begins with “- name: ”"]),
        ("", ["1: sources: expected a list of sources"]),
        (
            "\n- name: A\n  file: a\n- {name: B, file: b}\n\n- file: c\n  name: A\n",
            ["7: sources[2].name: duplicate name “A”, first on line 2; names must be unique"]
        ),
        (
            "[{name: A, url: http://a/, token: {file: t}, headers: {authorization: {file: h}}}]",
            ["1: sources[0].headers: the token is sent as Authorization; remove one of them"]
        ),
        (
            "\n- name: A\n  file: a\n  url: http://a/\n  command: a\n",
            [
                "4: sources[0].url: conflicts with file on line 3; a source has only one of url, file, command and",
                "5: sources[0].command: conflicts with file on line 3",
            ]
        ),
    ]) func conflictingSettingsAreReported(text: String, beginnings: [String]) {
        let errors = ConfigurationReader.errors(of: "sources: \(text)")
        let areExpected = zip(errors, beginnings).map { $0.hasPrefix("/f/epg.yml:" + $1) }
        #expect(errors.count == beginnings.count && !areExpected.contains(false), "\(errors)")
    }

    @Test(arguments: [
        "token: hunter2", "headers: {Authorization: hunter2}", "headers: {Proxy-Authorization: hunter2}",
        "headers: {cookie: hunter2}", "headers: {X: \"hunter2\\n\"}", "headers: {X: {environment: hunter-2}}",
        "token: [hunter2]", "token: {hunter2: a}", "command: sh 'hunter2'", "url: \"http://a/ hunter2\"",
    ]) func errorsDoNotContainSecrets(line: String) {
        let isURL = line.hasPrefix("url") || line.hasPrefix("command")
        let errors = ConfigurationReader.errors(
            of: "sources:\n  - name: A\n" + (isURL ? "" : "    url: http://a/\n") + "    \(line)\n")
        #expect(!errors.isEmpty && !errors.contains { $0.contains("hunter2") || $0.contains("hunter-2") }, "\(errors)")
    }

    @Test func secretsAreNotPrinted() throws {
        let found = try source("headers: {X-Key: hunter2}")
        var dumped = ""
        dump(found, to: &dumped)
        #expect(found?.headers == [SecretField(name: "X-Key", value: .text("hunter2"))])
        #expect(!"\(String(describing: found)) \(String(reflecting: found)) \(dumped)".contains("hunter2"))
        #expect("\(Secret.text("hunter2"))" == "(hidden)")
    }

    @Test func commandHasEnvironmentVariables() throws {
        let found = try sources(
            """
            sources:
              - name: A
                command: grab
                environment: {LIB: /opt/lib, KEY: {environment: GUIDE_KEY}, PW: {file: pw}}
            """)
        #expect(
            found.first?.environment == [
                SecretField(name: "LIB", value: .text("/opt/lib")),
                SecretField(name: "KEY", value: .environment("GUIDE_KEY")),
                SecretField(name: "PW", value: .file(path: "/f/pw")),
            ])
        for (line, reason) in [
            ("url: http://a/, environment: {A: b}", "only allowed with command"),
            ("command: c, environment: {1A: b}", "1A: invalid variable name"),
            ("command: c, environment: [A]", "expected variables as “NAME: value”"),
        ] {
            let errors = ConfigurationReader.errors(of: "sources: [{name: A, \(line)}]")
            #expect(errors.count == 1 && errors[0].contains(reason), "\(errors)")
        }
    }
}

@Suite("Schedules Direct accounts")
struct SchedulesDirectReaderTests {
    private func source(_ lines: String) throws -> SourceConfiguration? {
        try ConfigurationReader.ofTexts(["/f/epg.yml": "sources:\n  - name: A\n    \(lines)\n"])
            .check(file: "/f/epg.yml").configuration.sources.first
    }

    @Test func accountHasUsernamePasswordReferenceAndLineups() throws {
        let found = try source(
            """
            schedules-direct:
                  username: viewer@example.org
                  password: {file: secrets/sd}
                  lineups: [USA-OTA-60030, GBR-1000005-DEFAULT]
            """)
        var expected = SourceConfiguration(
            Source(name: "A", location: "https://json.schedulesdirect.org/20141201"))
        expected.schedulesDirect = SchedulesDirectSettings(
            username: "viewer@example.org", password: .file(path: "/f/secrets/sd"),
            lineups: ["USA-OTA-60030", "GBR-1000005-DEFAULT"])
        #expect(found == expected)
    }

    @Test func missingLineupsMeanAllAndSingleLineupIsAList() throws {
        let all = try source("schedules-direct: {username: a, password: {environment: B}}")
        #expect(all?.schedulesDirect == SchedulesDirectSettings(username: "a", password: .environment("B")))
        let one = try source("schedules-direct: {username: a, password: {environment: B}, lineups: L}")
        #expect(one?.schedulesDirect?.lineups == ["L"])
    }

    @Test(arguments: [
        "https://sd.example/20141201", "http://127.0.0.1:8080/x", "http://localhost/", "HTTP://127.1.2.3",
    ])
    func urlSelectsAnotherServer(url: String) throws {
        let found = try source(
            "url: \(url)\n    schedules-direct: {username: a, password: {environment: B}}")
        #expect((found?.source.location, found?.schedulesDirect?.username) == (url, "a"))
    }

    /// The settings after the name of the source, and the line and the beginning of the error message.
    @Test(arguments: [
        ("schedules-direct: viewer", 3, "schedules-direct: expected an account as “key: value”; allowed: {user"),
        ("schedules-direct:", 3, "schedules-direct: missing value"),
        ("schedules-direct: [a]", 3, "schedules-direct: expected an account"),
        ("schedules-direct: {password: {file: a}}", 3, "schedules-direct: missing username; allowed: {username:"),
        ("schedules-direct: {username: a}", 3, "schedules-direct: missing password"),
        (
            "schedules-direct:\n      username: a\n      password: hunter2", 5,
            "schedules-direct: password: secrets must not be in this file, which others may read; allowed: {file:"
        ),
        (
            "schedules-direct:\n      username: [a]\n      password: {file: a}", 4,
            "schedules-direct: username: expected text of at most 200 bytes"
        ),
        (
            "schedules-direct:\n      user: a\n      password: {file: a}", 4,
            "schedules-direct: user: unknown setting; allowed: username, password, lineups"
        ),
        (
            "schedules-direct:\n      username: a\n      password: {file: a}\n      lineups: [a b]", 6,
            "schedules-direct: lineups: expected identifiers such as USA-OTA-60030"
        ),
        (
            "schedules-direct:\n      username: a\n      password: {file: a}\n      lineups: []", 6,
            "schedules-direct: lineups: expected identifiers such as"
        ),
        (
            "schedules-direct:\n      username: a\n      password: {file: a}\n      lineups: {a: b}", 6,
            "schedules-direct: expected a list of plain values"
        ),
        (
            "file: a\n    schedules-direct: {username: a, password: {file: a}}", 4,
            "schedules-direct: conflicts with file on line 3; a source has only one of url, file, command and schedules-direct"
        ),
        (
            "schedules-direct: {username: a, password: {file: a}}\n    token: {file: b}", 4,
            "token: only allowed with url; Schedules Direct uses its own token"
        ),
        (
            "schedules-direct: {username: a, password: {file: a}}\n    headers: {X: a}", 4,
            "headers: only allowed with url; Schedules Direct uses its own token"
        ),
        (
            "schedules-direct: {username: a, password: {file: a}}\n    url: http://sd.example/", 4,
            "url: the password would be sent unencrypted; allowed for Schedules Direct: an https:// URL"
        ),
        (
            "schedules-direct: {username: a, password: {file: a}}\n    url: http://127.sd.example/", 4,
            "url: the password would be sent unencrypted"
        ),
    ]) func errorNamesTheLine(lines: String, line: Int, beginning: String) {
        let errors = ConfigurationReader.errors(of: "sources:\n  - name: A\n    \(lines)\n")
        let error = errors.first ?? ""
        let isExpected = error.hasPrefix("/f/epg.yml:\(line): sources[0].\(beginning)")
        #expect(errors.count == 1 && isExpected && !error.contains("hunter2"), "\(errors)")
    }

    @Test func passwordsAreNotPrinted() throws {
        let found = try source("schedules-direct: {username: a, password: {environment: B}}")
        #expect(String(reflecting: found).contains("(the variable B)"))
    }
}
