import Foundation
import TestSupport
import Testing

/// Tests of `epg config` and of the database setting in `epg.yml`.
@Suite struct ConfigCommandTests {
    @Test func validFileIsReportedInOneLine() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write("sources: [{name: A, file: a.xml}]\n", to: "epg.yml")
        let run = try sandbox.epg("config", "check", path)
        #expect(run.status == 0)
        #expect(run.output == "\(path): valid, 1 source\n")
        #expect(run.errors == "")
    }

    @Test func missingLogosAreReported() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write("logos: {location: logos, stations: {a: a.png}}\n", to: "epg.yml")
        let missing = try sandbox.epg("config", "check", path)
        #expect(missing.status == 0)
        #expect(missing.output.contains("logos: cannot read the folder "))
        try FileManager.default.createDirectory(atPath: sandbox.path("logos"), withIntermediateDirectories: true)
        let output = try sandbox.epg("config", "check", path).output
        #expect(output.contains("logos.stations.a: “a.png” is not in the folder "))
        _ = try sandbox.write("", to: "logos/a.png")
        #expect(try sandbox.epg("config", "check", path).output == "\(path): valid, no sources\n")
    }

    @Test func allErrorsAreListedAndExitCodeIs78() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write("title: [a]\nsources:\n  - name: A\n    file: a\n    shift: x\u{7}\n", to: "a.yml")
        let broken = try sandbox.epg("config", "check", path)
        #expect(broken.status == 78)
        #expect(broken.output == "\(path):5: invalid control character (U+0007); remove it\n")
        _ = try sandbox.write("title: [a]\nsources:\n  - name: A\n    file: a\n    shift: x\n", to: "a.yml")
        let run = try sandbox.epg("config", "check", "a.yml")
        #expect(run.status == 78)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first == "a.yml:1: title: expected one value; allowed: text of at most 200 bytes")
        #expect(lines.last?.hasPrefix("a.yml:5: sources[0].shift: invalid value “x”; allowed: ") == true)
    }

    @Test func errorsArePrintedAsJSON() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write("\nlisen: x\n", to: "epg.yml")
        let run = try sandbox.epg("config", "check", "--json", path)
        #expect(run.status == 78)
        let found = try run.json(as: [String: Any].self)
        #expect(found["valid"] as? Bool == false)
        #expect(found["file"] as? String == path)
        let finding = (found["findings"] as? [[String: Any]])?.first
        #expect(finding?["line"] as? Int == 2)
        #expect(finding?["key"] as? String == "lisen")
        #expect((finding?["reason"] as? String)?.hasPrefix("unknown setting; allowed: database,") == true)
    }

    @Test func defaultFileIsCheckedWithoutArgument() throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.epg("config", "check", "none.yml").status == 66)
        let named = try sandbox.write("title: [a]\n", to: "named.yml")
        let run = try sandbox.epg("config", "check", environment: ["EPG_CONFIG": named])
        #expect(run.status == 78)
        #expect(run.output.hasPrefix("\(named):1: "))
        let folder = sandbox.folder.appending(path: "config/epg")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = try sandbox.write("title: a\n", to: "config/epg/epg.yml")
        let other = try sandbox.epg("config", "check", environment: ["XDG_CONFIG_HOME": sandbox.path("config")])
        #expect(other.output == "\(path): valid, no sources\n")
    }

    @Test func configOptionSelectsFileToCheck() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write("title: [a]\n", to: "named.yml")
        let fine = try sandbox.write("title: a\n", to: "fine.yml")
        let run = try sandbox.epg("config", "check", "--config", path, environment: ["EPG_CONFIG": fine])
        #expect(run.status == 78)
        #expect(run.output.hasPrefix("\(path):1: "))
        #expect(try sandbox.epg("config", "check", "--config", "none.yml").status == 66)
        let twice = try sandbox.epg("config", "check", "--config", path, fine)
        #expect(twice.status == 64)
        #expect(twice.errors.contains("Give the file either"))
    }

    @Test func exampleIsValid() throws {
        let sandbox = try Sandbox()
        let example = try sandbox.epg("config", "example")
        #expect(example.status == 0)
        let path = try sandbox.write(example.output, to: "epg.yml")
        #expect(try sandbox.epg("config", "check", path).status == 0)
        // Remove the first # of each setting, as the example says.
        let lines = example.output.split(separator: "\n", omittingEmptySubsequences: false)
        let active = lines.map { $0.hasPrefix("#") && !$0.hasPrefix("##") ? $0.dropFirst() : $0 }
        _ = try sandbox.write(active.joined(separator: "\n"), to: "epg.yml")
        let check = try sandbox.epg("config", "check", path)
        #expect(check.status == 0 && check.output.hasPrefix("\(path): valid, 4 sources\n"))
    }

    @Test func errorKeepsCaseOfFileName() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("sources", "--config", "nofile.yml")
        #expect(run.status == 78)
        #expect(run.errors == "epg: nofile.yml: file not found.\n")
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
        #expect(run.status == 0)
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
        #expect(run.status == 78)
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
        #expect(run.status == 0)
        #expect(!run.output.contains("hunter2"))
        let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.contains(["title", "Tonight", "\(path):1"]))
        #expect(lines.contains(["retention", "3", "d", "EPG_RETENTION"]))
        #expect(lines.contains(["log.level", "info", "default"]))
        #expect(lines.contains(["limits.schedules", "256", "MiB", "default"]))
        #expect(lines.contains(["database", sandbox.database, "EPG_DATABASE"]))
        #expect(lines.contains(["url", "https://a.example/g?…"]))
        #expect(lines.contains(["token", "(the", "first", "line", "of", sandbox.path("t") + ")"]))
        #expect(lines.contains(["command", "grab", "…"]))
        #expect(run.output.contains("account viewer, password (the variable SD_PASSWORD), L-1, L-2\n"))
        #expect(!run.output.contains("json.schedulesdirect.org"))
        #expect(lines.contains(["jitter", "2", "h"]))
        #expect(lines.contains(["time-limit", "90", "min"]))
        let json = try sandbox.epg("config", "show", "--json", "--config", path)
        #expect(!json.output.contains("hunter2"))
        let sources = try json.json(as: [String: Any].self)["sources"] as? [[String: String]]
        #expect(sources?.map { $0["name"] } == ["A", "B", "C"])
    }

    @Test func optionAndVariableOverrideDatabaseOfSettings() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write("database: yml.sqlite\nsources: 7\n", to: "epg.yml")
        let environment = ["EPG_DATABASE": "", "EPG_CONFIG": path]
        let sample = PackageFiles.sample("evening.xml")
        #expect(try sandbox.epg("import", sample, environment: environment).status == 0)
        #expect(FileManager.default.fileExists(atPath: sandbox.path("yml.sqlite")))
        #expect(try sandbox.epg("import", sample, environment: ["EPG_CONFIG": path]).status == 0)
        #expect(FileManager.default.fileExists(atPath: sandbox.database))
        let flag = sandbox.path("flag.sqlite")
        #expect(try sandbox.epg("import", sample, "--database", flag, environment: environment).status == 0)
        #expect(FileManager.default.fileExists(atPath: flag))
    }

    @Test func invalidSettingsFailOnlyCommandsThatNeedThem() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write("database: [a]\n", to: "epg.yml")
        let run = try sandbox.epg("now", environment: ["EPG_DATABASE": "", "EPG_CONFIG": path])
        #expect(run.status == 78)
        #expect(
            run.errors
                == "epg: \(path):1: database: expected one value; allowed: the path of the guide's database, or a postgresql:// URL.\n"
        )
        #expect(try sandbox.epg("now", "--database", "none", environment: ["EPG_CONFIG": path]).status == 66)
    }

    @Test func secretFilesReadableByOthersAreReported() throws {
        let sandbox = try Sandbox()
        let token = try sandbox.write("0123456789abcdef\n", to: "it's a token")
        let path = try sandbox.write(
            """
            token-file: "\(token)"
            sources:
              - {name: A, url: "https://ann:secret@example.org/a.xml"}
              - {name: B, file: b.xml}

            """, to: "epg.yml")
        func check(_ tokenMode: mode_t, _ settingsMode: mode_t) throws -> CommandRun {
            try #require(chmod(token, tokenMode) == 0 && chmod(path, settingsMode) == 0)
            return try sandbox.epg("config", "check", path)
        }
        #expect(try check(0o600, 0o600).output == "\(path): valid, 2 sources\n")
        let readable = try check(0o644, 0o640)
        #expect(readable.status == 0)
        let quoted = token.replacing("'", with: "'\\''")
        #expect(
            readable.output.split(separator: "\n").dropFirst() == [
                "\(token) contains a secret and everybody can read it (mode 644). Run: chmod 600 '\(quoted)'",
                "\(path) contains a secret and its group can read it (mode 640). Run: chmod 600 \(path)",
            ])
        let writable = try check(0o602, 0o620).output
        #expect(writable.contains("everybody can write it (mode 602)"), "\(writable)")
        #expect(writable.contains("its group can write it (mode 620)"), "\(writable)")
        #expect(try check(0o644, 0o640).status == 0)
        let json = try sandbox.epg("config", "check", "--json", path).json(as: [String: Any].self)
        #expect((json["warnings"] as? [String])?.count == 2)
        let refresh = try sandbox.epg("refresh", "--config", path, "B", "--quiet")
        #expect(refresh.errors.contains("chmod 600") && !refresh.errors.contains("ann:secret"), "\(refresh.errors)")
    }
}
