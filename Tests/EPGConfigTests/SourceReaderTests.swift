import EPGModel
import Testing

@testable import EPGConfig

@Suite("Sources of a file")
struct SourceReaderTests {
    private func sources(_ text: String) throws -> [SourceConfiguration] {
        try ConfigurationReader.ofTexts(["/f/epg.yml": text]).check(file: "/f/epg.yml").configuration.sources
    }

    /// One source with a line more.
    private func source(_ line: String) throws -> SourceConfiguration? {
        try sources("sources:\n  - name: A\n    url: https://a.example/g\n    \(line)\n").first
    }

    @Test func everySettingOfASourceCanStandInAFile() throws {
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
                stations: ["*.uk", b?.example]
                encoding: windows-1251
                headers:
                  User-Agent: box/1
                  X-Key: {file: secrets/key}
                  Authorization: {environment: BASIC}
                minimum-share: 80 %
                private-addresses: yes
                time-limit: 90 min
            """)
        var source = Source(name: "Terrestrial", location: "https://a.example/guide.xml.gz?key=1")
        source.timeZone = "Europe/Paris"
        source.shift = -5400
        source.priority = -5
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
        expected.allowsPrivateAddresses = true
        expected.timeLimit = 5400
        #expect(found == [expected])
    }

    @Test func whatIsLeftOutHasADefault() throws {
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
        #expect(try source("time-limit: \(text)")?.timeLimit == seconds)
        #expect(try sources("sources: [{name: A, command: c, time-limit: \(text)}]").first?.timeLimit == seconds)
    }

    @Test(arguments: [
        ("tv_grab_xy --days 7", ["tv_grab_xy", "--days", "7"]), ("  a   b ", ["a", "b"]),
        ("[tv_grab_xy, --days, 7]", ["tv_grab_xy", "--days", "7"]), ("[sh, -c, \"a | b\"]", ["sh", "-c", "a | b"]),
        ("./grab -x", ["/f/./grab", "-x"]), ("[bin/grab, ./x]", ["/f/bin/grab", "./x"]), ("/usr/bin/g", ["/usr/bin/g"]),
        ("[a, \"\"]", ["a", ""]),
    ]) func commandsAreListsOfWords(text: String, words: [String]) throws {
        #expect(try sources("sources: [{name: A, command: \(text)}]").first?.command == words)
    }

    @Test(arguments: [
        ("token: {file: t}", Secret.file(path: "/f/t")), ("token: {file: /run/t}", .file(path: "/run/t")),
        ("token: {environment: KEY}", .environment("KEY")),
    ]) func tokensStandElsewhere(line: String, secret: Secret) throws {
        #expect(try source(line)?.token == secret)
    }

    @Test func aPatternAloneIsAListAndAnAsteriskIsEverything() throws {
        #expect(try source("stations: b.example")?.source.stations == ["b.example"])
        #expect(try source("stations: [\"*\", b.example]")?.source.stations == [])
        #expect(try source("encoding: auto")?.source.encoding == nil)
    }

    /// What stands after a source with a name and an address, or instead of it, and what is told of line 4.
    @Test(arguments: [
        ("colour: red", "colour: there is no such setting of a source; allowed: name, url, file, command, schedule,"),
        ("jitter: 900", "jitter: this delays the runs of a schedule, and there is none"),
        (
            "schedule: \"* * * *\"",
            "schedule: the timetable \"* * * *\" has 4 fields in place of five; write minute, hour, day of the month,"
        ),
        ("schedule: \"@often\"", "schedule: there is no timetable \"@often\"; write @hourly, @daily,"),
        (
            "schedule: 0 3 * * ?",
            "schedule: the day of the week \"?\" in the timetable \"0 3 * * ?\" has a sign of another program"
        ),
        ("schedule: 0 3 31 4 *", "schedule: “0 3 31 4 *” means no day of any year; allowed: a cron expression"),
        (
            "schedule: */15 * * * *",
            "“*/15 * * * *” begins with *, which means something else in YAML; put it in quotes"
        ),
        ("schedule: @daily", "a text that begins with @ stands in quotes"),
        ("stations: [*news]", "“*news” begins with *"),
        ("zone: Europe/Londn", "zone: there is no time zone \"Europe/Londn\"; did you mean Europe/London"),
        ("shift: 01:00", "shift: “01:00” can't stand here; allowed: seconds such as -3600, or hours and minutes"),
        ("priority: high", "priority: “high” can't stand here; allowed: a whole number from -1000000 to 1000000"),
        ("priority: 1000001", "priority: “1000001” can't"),
        ("stations: {a: b}", "stations: a list of plain values stands here"),
        ("stations: [a, [b]]", "stations: a list of plain values stands here"),
        ("stations: [\"\"]", "stations: a pattern is a text on one line"),
        ("stations: [\"a\\nb\"]", "stations: a pattern is a text on one line"),
        ("encoding: klingon", "encoding: there is no encoding “klingon”; known are UTF-8"),
        ("minimum-share: 101", "minimum-share: “101” can't stand here; allowed: a percentage from 0 to 100"),
        ("private-addresses: maybe", "private-addresses: “maybe” can't stand here; allowed: true or false"),
        ("time-limit: 0", "time-limit: “0” can't stand here; allowed: a duration from a second to a day, such as 900"),
        ("time-limit: 86401 s", "time-limit: “86401 s” can't stand here"),
        ("time-limit: 2 d", "time-limit: “2 d” can't stand here"),
        ("time-limit: [1]", "time-limit: one value stands here"),
        ("priority:", "priority: there is no value"),
        ("priority: [1]", "priority: one value stands here"),
        (
            "file: b.xml",
            "file: url stands in line 3 already; a source has one of url, file, command and schedules-direct"
        ),
        ("command: b", "command: url stands in line 3 already"),
        ("headers: X", "headers: fields stand here as “Name: value”"),
        ("headers: {X Y: a}", "headers: X Y: this can't be the name of a field (RFC 9110, 5.1)"),
        ("headers: {host: a}", "headers: host: the refresh sends this field by itself"),
        ("headers: {X-A: 1, x-a: 2}", "headers: x-a: it stands in line 4 too"),
        ("headers: {X: \"a\\r\\nB: c\"}", "headers: X: a value is a text on one line"),
        (
            "headers: {X: [a]}",
            "headers: X: this can't stand here; allowed: a text, {file: PATH} or {environment: NAME}"
        ),
        ("headers: {X: {environment: 1a}}", "headers: X: this can't be the name of a variable"),
        ("headers: {X: {file: a, environment: B}}", "headers: X: this can't stand here"),
        ("headers: {X: {vault: a}}", "headers: X: this can't stand here"),
        ("headers: {X: {file: }}", "headers: X: this can't stand here"),
    ]) func whatIsWrongWithASourceIsToldWithItsLineAndItsKey(line: String, words: String) {
        let errors = ConfigurationReader.errors(of: "sources:\n  - name: A\n    url: http://a/\n    \(line)\n")
        #expect(errors.count == 1)
        let error = errors.first ?? ""
        let isOfTheFile = words.hasPrefix("“*") || words.hasPrefix("a text that begins")
        #expect(error.hasPrefix("/f/epg.yml:4: " + (isOfTheFile ? "" : "sources[0].") + words), "\(error)")
    }

    @Test(arguments: [
        ("[{url: http://a/}]", ["1: sources[0]: it has no name; write name: and what you call it"]),
        (
            "[{name: A}]",
            ["1: sources[0]: nothing says where its guide is; write url:, file:, command: or schedules-direct:"]
        ),
        (
            "[{name: A, file: a, schedule: \"@daily\", jitter: soon}]",
            ["1: sources[0].jitter: “soon” can't stand here; allowed: a duration of at most a day, such as 900"]
        ),
        (
            "[{name: A, file: a, schedule: \"@daily\", jitter: 25 h}]",
            ["1: sources[0].jitter: “25 h” can't stand here"]
        ),
        (
            "[{name: \" \", file: a}]",
            ["1: sources[0].name: “ ” can't stand here; allowed: a text of at most 200 bytes"]
        ),
        (
            "[{name: \"http://ann:secret@h/\", file: a}]",
            ["1: sources[0].name: a name is public and must not contain a user or password"]
        ),
        ("[{name: A, url: a.xml}]", ["1: sources[0].url: this can't be fetched from; allowed: an address that begins"]),
        (
            "[{name: A, file: guides/}]",
            ["1: sources[0].file: “guides/” can't stand here; allowed: the path of a guide"]
        ),
        ("[{name: A, file: a, token: {file: b}}]", ["1: sources[0].token: this goes with url alone; a file is asked"]),
        (
            "[{name: A, command: a, private-addresses: no}]",
            ["1: sources[0].private-addresses: this goes with url alone; a command is asked for nothing"]
        ),
        (
            "[{name: A, file: a, time-limit: 1 h}]",
            ["1: sources[0].time-limit: this is for what is fetched or run; a file is read as it stands"]
        ),
        ("[{name: A, command: \"a > b\"}]", ["1: sources[0].command: no shell reads this"]),
        ("[{name: A, command: \"\"}]", ["1: sources[0].command: there is no program"]),
        ("[{name: A, command: []}]", ["1: sources[0].command: there is no program"]),
        ("[{name: A, command: [./]}]", ["1: sources[0].command: there is no program"]),
        ("[http://a/]", ["1: sources[0]: the settings of a source stand here as “key: value”"]),
        ("{name: A}", ["1: sources: a list of sources stands here, each of which begins with “- name: ”"]),
        ("", ["1: sources: a list of sources stands here"]),
        (
            "\n- name: A\n  file: a\n- {name: B, file: b}\n\n- file: c\n  name: A\n",
            ["7: sources[2].name: “A” is the source of line 2 already; each has its own name"]
        ),
        (
            "[{name: A, url: http://a/, token: {file: t}, headers: {authorization: {file: h}}}]",
            ["1: sources[0].headers: Authorization is what the token is sent as; give one of them"]
        ),
        (
            "\n- name: A\n  file: a\n  url: http://a/\n  command: a\n",
            [
                "4: sources[0].url: file stands in line 3 already; a source has one of url, file, command and",
                "5: sources[0].command: file stands in line 3 already",
            ]
        ),
    ]) func whatDoesNotGoTogetherIsTold(text: String, beginnings: [String]) {
        let errors = ConfigurationReader.errors(of: "sources: \(text)")
        #expect(errors.count == beginnings.count, "\(errors)")
        for (error, beginning) in zip(errors, beginnings) {
            #expect(error.hasPrefix("/f/epg.yml:" + beginning), "\(error)")
        }
    }

    @Test(arguments: [
        "token: hunter2", "headers: {Authorization: hunter2}", "headers: {Proxy-Authorization: hunter2}",
        "headers: {cookie: hunter2}", "headers: {X: \"hunter2\\n\"}", "headers: {X: {environment: hunter-2}}",
        "token: [hunter2]", "token: {hunter2: a}", "command: sh 'hunter2'", "url: \"http://a/ hunter2\"",
    ]) func noErrorShowsASecret(line: String) {
        let isURL = line.hasPrefix("url") || line.hasPrefix("command")
        let errors = ConfigurationReader.errors(
            of: "sources:\n  - name: A\n" + (isURL ? "" : "    url: http://a/\n") + "    \(line)\n")
        #expect(!errors.isEmpty)
        #expect(!errors.contains { $0.contains("hunter2") || $0.contains("hunter-2") }, "\(errors)")
    }

    @Test func secretsPrintNothing() throws {
        let found = try source("headers: {X-Key: hunter2}")
        var dumped = ""
        dump(found, to: &dumped)
        #expect(found?.headers == [SecretField(name: "X-Key", value: .text("hunter2"))])
        #expect(!"\(String(describing: found)) \(String(reflecting: found)) \(dumped)".contains("hunter2"))
        #expect("\(Secret.text("hunter2"))" == "(hidden)")
    }

    @Test func commandTakesVariables() throws {
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
            ("url: http://a/, environment: {A: b}", "this goes with command alone"),
            ("command: c, environment: {1A: b}", "1A: this cannot be the name of a variable"),
            ("command: c, environment: [A]", "variables stand here as “NAME: value”"),
        ] {
            let errors = ConfigurationReader.errors(of: "sources: [{name: A, \(line)}]")
            #expect(errors.count == 1 && errors[0].contains(reason), "\(errors)")
        }
    }
}
