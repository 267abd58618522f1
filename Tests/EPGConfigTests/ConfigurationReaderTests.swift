import TestSupport
import Testing

@testable import EPGConfig

@Suite("Configuration")
struct ConfigurationReaderTests {
    /// Returns a reader of in-memory files.
    private func reader(_ files: [String: String], environment: [String: String] = [:]) -> ConfigurationReader {
        .ofTexts(files, environment: environment)
    }

    private func read(_ text: String) throws -> ServiceConfiguration {
        try reader(["/f/epg.yml": text]).read(file: "/f/epg.yml").configuration
    }

    @Test func defaultsApplyWithoutAFile() throws {
        let findings = try reader([:]).read(file: nil)
        var expected = ServiceConfiguration()
        expected.database = "/home/me/.local/share/epg/guide.sqlite"
        #expect((findings.configuration, findings.file) == (expected, nil))
    }

    @Test func allSettingsOfAFileAreParsed() throws {
        let configuration = try read(
            """
            database: /d/guide.sqlite
            listen: "[::1]:9000"
            zone: Europe/London
            title: Télé
            public-url: https://tv.example/
            log: {level: warning, format: json, requests: info}
            limits:
              connections: 10
              per-address: 5
              requests-per-minute: 0
              body: 64 MiB
              query-deadline: 500 ms
              cache: 1GiB
              schedules: 2 MiB
              artwork: 1 GiB
            artwork: direct
            private-hosts: [NAS.example, "::1"]
            cors:
              origins: [https://a.example, "http://b.example:8080"]
            trusted-proxies:
              - 127.0.0.1
              - "::1"
              - unix
            spool: /s
            retention: 30 d
            refresh: "*/30 * * * *"
            sources: []
            """)
        var expected = ServiceConfiguration()
        expected.database = "/d/guide.sqlite"
        expected.listen = .port(9000, host: "::1")
        expected.zone = "Europe/London"
        expected.title = "Télé"
        expected.publicURL = "https://tv.example"
        expected.log.level = .warning
        expected.log.format = .json
        expected.log.requests = .info
        expected.limits.connections = 10
        expected.limits.connectionsPerAddress = 5
        expected.limits.requestsPerMinute = 0
        expected.limits.body = 67_108_864
        expected.limits.queryDeadline = .milliseconds(500)
        expected.limits.cache = 1_073_741_824
        expected.limits.schedules = 2_097_152
        expected.limits.artwork = 1 << 30
        expected.artwork = .direct
        expected.privateHosts = ["nas.example", "::1"]
        expected.corsOrigins = ["https://a.example", "http://b.example:8080"]
        expected.trustedProxies = ["127.0.0.1", "::1", "unix"]
        expected.spool = "/s"
        expected.retention = 30
        expected.refresh = "*/30 * * * *"
        #expect(configuration == expected)
    }

    @Test func flagsOverrideEnvironmentWhichOverridesFile() throws {
        let files = ["/etc/epg/epg.yml": "title: file\nlisten: 127.0.0.1:1\nlimits: {connections: 1}"]
        let findings = try reader(
            files, environment: ["EPG_LISTEN": "127.0.0.1:2", "EPG_TITLE": "environment", "EPG_DATABASE": ""]
        ).read(file: nil, flags: ["title": ["flag"]])
        let configuration = findings.configuration
        #expect(
            (configuration.title, configuration.listen, configuration.limits.connections, configuration.database)
                == ("flag", .port(2, host: "127.0.0.1"), 1, "/home/me/.local/share/epg/guide.sqlite"))
    }

    @Test(arguments: [
        (["--config"], "title: a"), (["EPG_CONFIG"], "title: b"), (["XDG"], "title: c"), (["/etc"], "title: d"),
        (["--config", "EPG_CONFIG", "XDG", "/etc"], "title: a"), (["EPG_CONFIG", "XDG", "/etc"], "title: b"),
        (["XDG", "/etc"], "title: c"),
    ]) func firstExistingFileIsRead(places: [String], expected: String) throws {
        let paths = ["--config": "/a.yml", "EPG_CONFIG": "/b.yml", "XDG": "/x/epg/epg.yml", "/etc": "/etc/epg/epg.yml"]
        let texts = ["--config": "a", "EPG_CONFIG": "b", "XDG": "c", "/etc": "d"]
        var files: [String: String] = [:]
        for place in places { files[paths[place] ?? ""] = "title: \(texts[place] ?? "")" }
        var environment = ["XDG_CONFIG_HOME": "/x"]
        if places.contains("EPG_CONFIG") { environment["EPG_CONFIG"] = "/b.yml" }
        let findings = try reader(files, environment: environment)
            .read(file: places.contains("--config") ? "/a.yml" : nil)
        #expect("title: \(findings.configuration.title)" == expected)
    }

    @Test func settingsOfTheDatabaseApplyLast() throws {
        let reader = reader(["/etc/epg/epg.yml": "retention: 3"], environment: ["EPG_ZONE": "Europe/London"])
        var findings = try reader.read(file: nil)
        try reader.apply(
            [
                "retention": ["9 d"], "zone": ["Asia/Tokyo"], "refresh": ["@daily"],
                "private-hosts": ["NAS.lan", "::1"],
                "title": ["not a setting of the database"], "of another version": ["1"],
            ], to: &findings)
        let configuration = findings.configuration
        #expect((configuration.retention, configuration.zone, configuration.refresh) == (3, "Europe/London", "@daily"))
        #expect((configuration.privateHosts, configuration.title) == (["nas.lan", "::1"], "TV guide"))
        let places = findings.settings.filter { $0.setting.isStored && $0.place != .builtIn }
            .map { "\($0.setting.key) \($0.place)" }
        #expect(
            places == ["zone EPG_ZONE", "retention /etc/epg/epg.yml:1", "refresh database", "private-hosts database"])
        var others = try self.reader([:]).read(file: nil)
        let refusal = try refusal {
            try reader.apply(
                ["refresh": ["at midnight"], "zone": ["Nowhere/Y"], "retention": ["9 d"]], to: &others)
        }
        #expect(refusal.description.hasPrefix("database: zone: "), "\(refusal)")
        expectEqual(refusal.errors.map(\.key), ["zone", "refresh"])
        // Refused values are not applied.
        #expect(
            (others.configuration.refresh, others.configuration.zone, others.configuration.retention) == (nil, nil, 9))
    }

    /// The values are valid whatever takes precedence; blank ones restore the default.
    @Test func valuesToStoreAreChecked() throws {
        let reader = reader(["/etc/epg/epg.yml": "retention: 3"], environment: ["EPG_ZONE": "Europe/London"])
        func stored(_ key: String, _ text: String?) throws -> [String]? {
            try reader.values(toStore: try #require(Setting.named(key)), text)
        }
        for text in [nil, "", ",", " , "] { #expect(try stored("private-hosts", text) == nil, "\(text ?? "nil")") }
        #expect(try stored("private-hosts", "NAS.lan, ::1,,") == ["NAS.lan", "::1"])
        #expect(try stored("retention", "9 d") == ["9 d"])
        for (key, text) in [
            ("zone", "Mars/X"), ("retention", "99999"), ("refresh", "at midnight"), ("zone", "Europe/London\n"),
            ("private-hosts", "127.1"), ("private-hosts", "0x7f000001"), ("private-hosts", "a b"),
        ] {
            let refusal = try refusal { try stored(key, text) }
            #expect(refusal.description.hasPrefix("\(key): "), "\(refusal)")
        }
    }

    /// As libcurl writes the hosts of URLs.
    @Test(arguments: [
        ("NAS.lan", "nas.lan"), ("tuner.lan.", "tuner.lan"), ("192.0.2.7", "192.0.2.7"), ("0:0:0:0:0:0:0:1", "::1"),
        ("FD00::0:1", "fd00::1"),
    ])
    func privateHostsHaveOneForm(text: String, expected: String) throws {
        var findings = try reader([:]).read(file: nil)
        try reader([:]).apply(["private-hosts": [text]], to: &findings)
        #expect(findings.configuration.privateHosts == [expected])
    }

    @Test(arguments: [
        ("metrics: {token-file: a}", "epg admin token add NAME --scope metrics"),
        ("admin: {token-file: a}", "--scope admin"), ("token-file: a", "--scope import"),
        ("source-hosts: [a]", "private-hosts"),
        ("reminders: [{name: a, webhook: 'https://a/', private-addresses: true}]", "private-hosts"),
    ])
    func formerSettingNamesItsSuccessor(text: String, successor: String) throws {
        let refusal = try refusal { try reader(["/f/epg.yml": text]).read(file: "/f/epg.yml") }
        #expect(
            refusal.description.contains("unknown setting") && refusal.description.contains(successor), "\(refusal)")
    }

    @Test func homeFolderIsUsedWithoutXDGConfigHome() {
        for environment in [[:], ["XDG_CONFIG_HOME": "relative"]] {
            let places = reader([:], environment: environment).places
            #expect(places == ["/home/me/.config/epg/epg.yml", "/etc/epg/epg.yml"])
        }
    }

    @Test func namedFileMustExist() throws {
        let given = try refusal { try reader([:]).read(file: "/no.yml") }
        let ofVariable = try refusal { try reader([:], environment: ["EPG_CONFIG": "/no.yml"]).read(file: nil) }
        #expect(
            [given, ofVariable].map(\.description) == [
                "/no.yml: file not found", "EPG_CONFIG: file not found: /no.yml",
            ])
    }

    @Test(arguments: [
        ("title: a\nlisen: x\n", "/f/epg.yml:2", "lisen: unknown setting; allowed: database, listen, zone,"),
        (
            "log:\n  level: info\n  color: red\n", "/f/epg.yml:3",
            "log.color: unknown setting; allowed: level, format, requests"
        ),
        ("\nlisten: nowhere\n", "/f/epg.yml:2", "listen: invalid value “nowhere”; allowed: a host and a port"),
        ("limits:\n  connections: 0\n", "/f/epg.yml:2", "invalid value “0”; allowed: a number from 1 to 1000000"),
        ("limits:\n  connections: many\n", "/f/epg.yml:2", "“many”"),
        ("limits: 7\n", "/f/epg.yml:1", "limits: expected a mapping; allowed: connections, per-address,"),
        (
            "log:\n  level: loud\n", "/f/epg.yml:2",
            "allowed: one of trace, debug, info, notice, warning, error, critical"
        ),
        ("title:\n", "/f/epg.yml:1", "title: missing value"),
        ("title: ~\n", "/f/epg.yml:1", "title: missing value"),
        ("title: [a, b]\n", "/f/epg.yml:1", "title: expected one value"),
        ("cors:\n  origins:\n    - https://a.example\n    - ftp://b\n", "/f/epg.yml:2", "allowed: origins such as"),
        ("cors:\n  origins:\n    - {a: b}\n", "/f/epg.yml:3", "expected a list of plain values"),
        ("trusted-proxies: [localhost]\n", "/f/epg.yml:1", "allowed: IP addresses"),
        ("artwork: proxied\n", "/f/epg.yml:1", "allowed: one of kept, direct"),
        ("private-hosts: [\"tuner:9981\"]\n", "/f/epg.yml:1", "without a port"),
        ("public-url: https://a.example/path\n", "/f/epg.yml:1", "without a path"),
        ("- a\n- b\n", "/f/epg.yml:1", "expected settings as “key: value”"),
        ("title: a\n\ttitle: b\n", "/f/epg.yml:2", "YAML must be indented with spaces, not tabs"),
        ("limits:\n  body: 3 MB\n", "/f/epg.yml:2", "a size from 1 KiB to 1 TiB, such as 64 MiB"),
        ("\nrefresh: nightly\n", "/f/epg.yml:2", "has 1 field instead of five"),
        ("refresh: 0 0 31 4 *\n", "/f/epg.yml:1", "refresh: “0 0 31 4 *” never matches a date"),
        ("limits:\n  query-deadline: 5\n", "/f/epg.yml:2", "a duration from 10 ms to 600 s, such as 5 s"),
    ]) func errorNamesLineAndAllowedValues(text: String, place: String, part: String) throws {
        let error = try refusal { try read(text) }.description
        #expect(error.hasPrefix(place + ": ") && error.contains(part), "\(error)")
    }

    @Test func duplicateKeyIsRejected() throws {
        let error = try refusal { try read("title: a\ntitle: b\n") }
        #expect(error.description == "/f/epg.yml:2: duplicate key title, first on line 1; remove one")
    }

    @Test(arguments: ["", "# nothing\n", "---\n", "{}"])
    func emptyFileHasDefaults(text: String) throws {
        #expect(try read(text).title == ServiceConfiguration().title)
    }

    @Test func errorNamesVariableOrFlag() throws {
        let connections = try refusal {
            try reader([:], environment: ["EPG_LIMITS_CONNECTIONS": "x"]).read(file: nil)
        }
        #expect(
            connections.description
                == "EPG_LIMITS_CONNECTIONS: invalid value “x”; allowed: a number from 1 to 1000000")
        let level = try refusal { try reader([:]).read(file: nil, flags: ["log.level": ["x"]]) }
        let refresh = try refusal { try reader([:], environment: ["EPG_REFRESH": "61 * * * *"]).read(file: nil) }
        #expect([level, refresh].map { $0.errors.map(\.place) } == [[.flag("log-level")], [.variable("EPG_REFRESH")]])
    }

    @Test func environmentSeparatesListsWithCommas() throws {
        let findings = try reader(
            [:],
            environment: ["EPG_CORS_ORIGINS": "https://a.example, https://b.example", "EPG_TRUSTED_PROXIES": "unix"]
        ).read(file: nil)
        let configuration = findings.configuration
        #expect(
            (configuration.corsOrigins, configuration.trustedProxies)
                == (["https://a.example", "https://b.example"], ["unix"]))
    }

    @Test func pathsAreRelativeToTheFile() throws {
        let configuration = try read(
            "database: guide.sqlite\nlisten: ./http.sock\nspool: spool")
        #expect(
            (configuration.database, configuration.listen, configuration.spool)
                == ("/f/guide.sqlite", .socket(path: "/f/./http.sock"), "/f/spool"))
        #expect(try read("listen: 127.0.0.1:7").listen == .port(7, host: "127.0.0.1"))
        // The working folder is /here.
        for (path, database) in [("epg.yml", "/here/g"), ("etc/epg.yml", "/here/etc/g"), ("../epg.yml", "/here/../g")] {
            #expect(try reader([path: "database: g"]).read(file: path).configuration.database == database)
        }
    }

    @Test func failureHasTheOriginOfTheSetting() throws {
        let findings = try reader(["/f/epg.yml": "\nzone: Europe/London\n"]).read(file: "/f/epg.yml")
        let failures = ["zone", "title"].map { findings.failure($0, "no").description }
        #expect(failures == ["/f/epg.yml:2: zone: no", "title: no"])
    }
}

/// Expects an operation to fail with a refusal, which is returned.
func refusal<Value>(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) throws -> ConfigurationRefusal {
    try #require(throws: ConfigurationRefusal.self, sourceLocation: sourceLocation) { _ = try body() }
}

// MARK: - ConfigurationReader+Texts

extension ConfigurationReader {
    /// Returns a reader of in-memory files. The home folder is `/home/me`, the working folder `/here`.
    static func ofTexts(_ files: [String: String], environment: [String: String] = [:]) -> ConfigurationReader {
        ConfigurationReader(
            environment: ["HOME": "/home/me"].merging(environment) { $1 }, workingFolder: { "/here" }
        ) { files[$0] }
    }

    /// Returns the errors of a file `/f/epg.yml`.
    static func errors(of text: String) -> [String] {
        switch Result(catching: { try ofTexts(["/f/epg.yml": text]).check(file: "/f/epg.yml") }) {
        case .success: []
        case .failure(let refusal as ConfigurationRefusal): refusal.errors.map(\.description)
        case .failure(let error): ["\(error)"]
        }
    }
}
