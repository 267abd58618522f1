import Foundation
import TestSupport
import Testing

/// Tests of `epg config` and of the database setting in `epg.yml`.
@Suite struct ConfigCommandTests {
    @Test func validFileIsReportedInOneLine() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write("sources: [{name: A, file: a.xml}]\n", to: "epg.yml")
        let run = try sandbox.epg("config", "check", path)
        run.expect(0, output: "\(path): valid, 1 source\n", errors: "")
    }

    @Test func missingLogosAreReported() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write("logos: {location: logos, stations: {a: a.png}}\n", to: "epg.yml")
        let missing = try sandbox.epg("config", "check", path)
        missing.expect(0, outputContains: ["logos: cannot read the folder "])
        try FileManager.default.createDirectory(atPath: sandbox.path("logos"), withIntermediateDirectories: true)
        let output = try sandbox.epg("config", "check", path).output
        #expect(output.contains("logos.stations.a: “a.png” is not in the folder "))
        _ = try sandbox.write("", to: "logos/a.png")
        try sandbox.epg("config", "check", path).expect(output: "\(path): valid, no sources\n")
    }

    @Test func allErrorsAreListedAndExitCodeIs78() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write("title: [a]\nsources:\n  - name: A\n    file: a\n    shift: x\u{7}\n", to: "a.yml")
        let broken = try sandbox.epg("config", "check", path)
        broken.expect(78, output: "\(path):5: invalid control character (U+0007); remove it\n")
        _ = try sandbox.write("title: [a]\nsources:\n  - name: A\n    file: a\n    shift: x\n", to: "a.yml")
        let run = try sandbox.epg("config", "check", "a.yml")
        run.expect(78)
        let lines = run.output.split(separator: "\n")
        try #require(lines.count == 2)
        #expect(lines.first == "a.yml:1: title: expected one value; allowed: text of at most 200 bytes")
        #expect(lines.last?.hasPrefix("a.yml:5: sources[0].shift: invalid value “x”; allowed: ") == true)
    }

    @Test func errorsArePrintedAsJSON() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write("\nlisen: x\n", to: "epg.yml")
        let run = try sandbox.epg("config", "check", "--json", path)
        run.expect(78)
        let found = try run.json(as: [String: Any].self)
        expectMembers(found, ["valid": false, "file": path])
        let finding = (found["findings"] as? [[String: Any]])?.first
        expectMembers(finding, ["line": 2, "key": "lisen"])
        #expect((finding?["reason"] as? String)?.hasPrefix("unknown setting; allowed: database,") == true)
    }

    @Test func defaultFileIsCheckedWithoutArgument() throws {
        let sandbox = try Sandbox()
        try sandbox.epg("config", "check", "none.yml").expect(66)
        let named = try sandbox.write("title: [a]\n", to: "named.yml")
        let run = try sandbox.epg("config", "check", environment: ["EPG_CONFIG": named])
        run.expect(78)
        #expect(run.output.hasPrefix("\(named):1: "))
        let folder = sandbox.folder.appending(path: "config/epg")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = try sandbox.write("title: a\n", to: "config/epg/epg.yml")
        let other = try sandbox.epg("config", "check", environment: ["XDG_CONFIG_HOME": sandbox.path("config")])
        other.expect(output: "\(path): valid, no sources\n")
    }

    @Test func configOptionSelectsFileToCheck() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write("title: [a]\n", to: "named.yml")
        let fine = try sandbox.write("title: a\n", to: "fine.yml")
        let run = try sandbox.epg("config", "check", "--config", path, environment: ["EPG_CONFIG": fine])
        run.expect(78)
        #expect(run.output.hasPrefix("\(path):1: "))
        try sandbox.epg("config", "check", "--config", "none.yml").expect(66)
        let twice = try sandbox.epg("config", "check", "--config", path, fine)
        twice.expect(64, errorsContain: ["Give the file either"])
    }

    @Test func exampleIsValid() throws {
        let sandbox = try Sandbox()
        let example = try sandbox.epg("config", "example")
        example.expect(0)
        let path = try sandbox.write(example.output, to: "epg.yml")
        try sandbox.epg("config", "check", path).expect(0)
        // Remove the first # of each setting, as the example says.
        let lines = example.output.split(separator: "\n", omittingEmptySubsequences: false)
        let active = lines.map { $0.hasPrefix("#") && !$0.hasPrefix("##") ? $0.dropFirst() : $0 }
        _ = try sandbox.write(active.joined(separator: "\n"), to: "epg.yml")
        let check = try sandbox.epg("config", "check", path)
        #expect(check.status == 0 && check.output.hasPrefix("\(path): valid, 7 sources\n"))
    }

    @Test func errorKeepsCaseOfFileName() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("sources", "--config", "nofile.yml")
        run.expect(78, errors: "epg: nofile.yml: file not found.\n")
    }

    @Test func missingSecretsAreWarnings() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write(
            """
            sources:
              - name: A
                url: https://a.example/g
                headers: {X-Key: {environment: EPG_TEST_MISSING}}
                token: {file: none.token}

            """, to: "epg.yml")
        let run = try sandbox.epg("config", "check", path)
        run.expect(0)
        #expect(
            run.output.split(separator: "\n") == [
                "\(path): valid, 1 source",
                "source “A”: the environment variable EPG_TEST_MISSING is not set.",
                "source “A”: cannot read \(sandbox.path("none.token")): No such file or directory.",
            ])
    }

    @Test func allInvalidKeysAreListed() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write("browse:\n  keys: [search=esc, quit=ctrl-c, f=hyper-x]\n", to: "epg.yml")
        let run = try sandbox.epg("config", "check", path)
        run.expect(78)
        #expect(run.output.split(separator: "\n").count == 3)
    }

    @Test func effectiveSettingsAreShownWithOriginsAndWithoutSecrets() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write(
            """
            title: Tonight
            sources:
              - name: A
                url: https://me:hunter2@a.example/g?key=hunter2
                headers: {X-Key: hunter2}
                token: {file: t}
              - {name: B, command: [grab, --password, hunter2]}
              - name: C
                schedules-direct: {username: viewer, password: {environment: SD_PASSWORD}, lineups: [L-1, L-2]}
                schedule: "@daily"
                jitter: 2 h
                time-limit: 90 min
            """, to: "epg.yml")
        let run = try sandbox.epg(
            "config", "show", "--config", path,
            environment: ["EPG_RETENTION": "3 d", "COLUMNS": "200", "SD_PASSWORD": "hunter2"])
        run.expect(0, outputOmits: ["hunter2"])
        let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        let expected = [
            "title Tonight \(path):1", "retention 3 d EPG_RETENTION", "log.level info default",
            "limits.schedules 256 MiB default", "database \(sandbox.database) EPG_DATABASE",
            "url https://a.example/g?…", "token (the first line of \(sandbox.path("t")))", "command grab …",
            "jitter 2 h", "time-limit 90 min",
        ]
        #expect(expected.filter { !lines.contains($0) } == [], "\(run.output)")
        run.expect(
            outputContains: ["account viewer, password (the variable SD_PASSWORD), L-1, L-2\n"],
            outputOmits: ["json.schedulesdirect.org"])
        let json = try sandbox.epg("config", "show", "--json", "--config", path)
        json.expect(outputOmits: ["hunter2"])
        let sources = try json.json(as: [String: Any].self)["sources"] as? [[String: String]]
        #expect(sources?.map { $0["name"] } == ["A", "B", "C"])
    }

    @Test func settingsOfTheDatabaseAreChangedShownAndUsed() throws {
        let sandbox = try Sandbox()
        func shown(_ key: String) throws -> [Substring] {
            let lines = try sandbox.epg("config", "show", environment: ["COLUMNS": "200", "TZ": ""]).output.split(
                separator: "\n")
            return lines.map { $0.split(separator: " ") }.first { $0.first?[...] == key[...] } ?? []
        }
        try sandbox.epg("config", "set", "retention", "14 d").expect(0, output: "", errors: "")
        try sandbox.epg("config", "set", "private-hosts", "nas.lan,tuner.lan", "::1").expect(0)
        try sandbox.epg("config", "set", "zone", "Asia/Kathmandu").expect(0)
        try #expect(shown("retention") == ["retention", "14", "d", "database"])
        try #expect(shown("private-hosts") == ["private-hosts", "nas.lan,", "tuner.lan,", "::1", "database"])
        try sandbox.epg("config", "set", "retention", "many").expect(78, errorsContain: ["retention", "many"])
        try sandbox.epg("config", "set", "title", "TV").expect(64, errorsContain: ["Others are in epg.yml"])
        try sandbox.epg("config", "set", "retention", "7", "d").expect(64, errorsContain: ["Quote a value with blanks"])
        try sandbox.epg("config", "set", "source-hosts", "a").expect(64, errorsContain: ["private-hosts"])
        try sandbox.epg("config", "set", "zone", "Mars/X", environment: ["EPG_ZONE": "Europe/London"]).expect(78)
        try sandbox.epg("config", "set", "private-hosts", "").expect(0)
        try #expect(shown("private-hosts") == ["private-hosts", "default"])
        try sandbox.epg("config", "set", "retention").expect(0)
        try #expect(shown("retention") == ["retention", "7", "default"])
        let path = try sandbox.write("retention: 3\n", to: "epg.yml")
        try sandbox.epg("config", "set", "retention", "9", "--config", path)
            .expect(0, errors: "epg: \(path):1 also sets retention, and takes precedence.\n")
        // Kathmandu is 5:45 h ahead of UTC.
        _ = try sandbox.write(
            "<tv><programme start='20261024180000 +0000' stop='20261024190000 +0000' channel='a'><title>A</title></programme></tv>",
            to: "a.xml")
        try sandbox.epg("import", "a.xml").expect(0)
        try sandbox.epg("now", "--at", "2026-10-24T18:30:00Z").expect(outputContains: ["25 Oct 2026, 00:15 +0545"])
    }

    @Test func optionAndVariableOverrideDatabaseOfSettings() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write("database: yml.sqlite\nsources: 7\n", to: "epg.yml")
        let environment = ["EPG_DATABASE": "", "EPG_CONFIG": path]
        let sample = PackageFiles.sample("evening.xml")
        let flag = sandbox.path("flag.sqlite")
        func exist() -> [Bool] {
            [sandbox.path("yml.sqlite"), sandbox.database, flag].map(FileManager.default.fileExists(atPath:))
        }
        try sandbox.epg("import", sample, environment: environment).expect(0)
        #expect(exist() == [true, false, false])
        try sandbox.epg("import", sample, environment: ["EPG_CONFIG": path]).expect(0)
        #expect(exist() == [true, true, false])
        try sandbox.epg("import", sample, "--database", flag, environment: environment).expect(0)
        #expect(exist() == [true, true, true])
    }

    @Test func invalidSettingsFailOnlyCommandsThatNeedThem() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write("database: [a]\n", to: "epg.yml")
        let run = try sandbox.epg("now", environment: ["EPG_DATABASE": "", "EPG_CONFIG": path])
        run.expect(
            78,
            errors:
                "epg: \(path):1: database: expected one value; allowed: the path of the guide's database, or a postgresql:// URL.\n"
        )
        try sandbox.epg("now", "--database", "none", environment: ["EPG_CONFIG": path]).expect(66)
    }

    @Test func secretFilesReadableByOthersAreReported() throws {
        let sandbox = try Sandbox()
        let token = try sandbox.write("0123456789abcdef\n", to: "it's a token")
        let path = try sandbox.write(
            """
            sources:
              - {name: A, url: "https://ann:secret@example.org/a.xml", token: {file: "\(token)"}}
              - {name: B, file: b.xml}

            """, to: "epg.yml")
        func check(_ tokenMode: mode_t, _ settingsMode: mode_t) throws -> CommandRun {
            try #require(chmod(token, tokenMode) == 0 && chmod(path, settingsMode) == 0)
            return try sandbox.epg("config", "check", path)
        }
        try check(0o600, 0o600).expect(output: "\(path): valid, 2 sources\n")
        let readable = try check(0o644, 0o640)
        readable.expect(0)
        let quoted = token.replacing("'", with: "'\\''")
        #expect(
            readable.output.split(separator: "\n").dropFirst() == [
                "\(token) contains a secret and everybody can read it (mode 644). Run: chmod 600 '\(quoted)'",
                "\(path) contains a secret and its group can read it (mode 640). Run: chmod 600 \(path)",
            ])
        try check(0o602, 0o620).expect(
            outputContains: ["everybody can write it (mode 602)", "its group can write it (mode 620)"])
        try check(0o644, 0o640).expect(0)
        let json = try sandbox.epg("config", "check", "--json", path).json(as: [String: Any].self)
        #expect((json["warnings"] as? [String])?.count == 2)
        let refresh = try sandbox.epg("refresh", "--config", path, "B", "--quiet")
        refresh.expect(errorsContain: ["chmod 600"], errorsOmit: ["ann:secret"])
    }
}
