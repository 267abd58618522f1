import EPGModel
import Testing

@testable import EPGConfig

/// Tests of the targets under `reminders`.
@Suite struct RemindersReaderTests {
    private func read(_ text: String) throws -> ConfigurationFindings {
        try ConfigurationReader.ofTexts(["/f/epg.yml": text]).check(file: "/f/epg.yml")
    }

    private func errors(_ text: String) -> [String] {
        do {
            _ = try read(text)
            return []
        } catch let refusal as ConfigurationRefusal {
            return refusal.errors.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    @Test func targetsHaveTheSettingsOfRequestsAndPrograms() throws {
        let targets = try read(
            """
            reminders:
              - name: house
                webhook: http://house.example/hook
                headers: {X-Key: {environment: KEY}}
              - name: phone
                ntfy: https://ntfy.example/tv
                token: {file: secrets/ntfy.token}
                profiles: [anna, ben]
                time-limit: 5 s
              - name: desk
                command: [./remind, --quiet]
                environment: {DISPLAY: ":0"}
                profiles: ben
            """
        ).configuration.reminders
        #expect(targets.map(\.kind) == [.webhook, .ntfy, .command])
        #expect(
            targets.map { "\($0.recipient.name) \($0.recipient.profiles)" }
                == ["house []", "phone [\"anna\", \"ben\"]", "desk [\"ben\"]"])
        let settings = targets.map(\.settings)
        #expect(
            (settings[0].source.location, settings[0].headers.map(\.name))
                == ("http://house.example/hook", ["X-Key"]))
        #expect((settings[1].token, settings[1].timeLimit) == (.file(path: "/f/secrets/ntfy.token"), 5))
        #expect(settings[2].command == ["/f/./remind", "--quiet"])
    }

    @Test(arguments: [
        ("reminders: phone", "expected a list"),
        ("reminders:\n  - phone", "expected the settings of a target"),
        ("reminders:\n  - name: a", "exactly one of webhook, ntfy and command"),
        (
            "reminders:\n  - {name: a, webhook: 'https://a/', ntfy: 'https://b/'}",
            "exactly one of webhook, ntfy and command"
        ),
        ("reminders:\n  - {webhook: 'https://a/'}", "missing name"),
        ("reminders:\n  - {name: a, webhook: ftp://a/}", "invalid URL"),
        ("reminders:\n  - {name: a, webhook: 'https://a/', url: 'https://b/'}", "unknown setting of a target"),
        ("reminders:\n  - {name: a, webhook: 'https://a/', schedule: '@daily'}", "unknown setting of a target"),
        ("reminders:\n  - {name: a, webhook: 'https://a/', token: secret}", "secrets must not be in this file"),
        ("reminders:\n  - {name: a, command: [x], headers: {A: b}}", "only allowed with url"),
        ("reminders:\n  - {name: a, webhook: 'https://a/', profiles: []}", "expected the name of a profile"),
        ("reminders:\n  - {name: a, command: 'x | y'}", "without a shell"),
        ("reminders:\n  - {name: a, command: x}\n  - {name: a, command: y}", "duplicate name"),
    ]) func invalidTargetIsReportedWithItsLine(text: String, reason: String) {
        let errors = errors(text)
        let error = errors.first ?? ""
        #expect(errors.count == 1 && error.contains(reason) && error.hasPrefix("/f/epg.yml:"), "\(errors)")
    }

    @Test func urlIsNotQuotedInErrors() {
        let errors = errors("reminders:\n  - {name: a, webhook: 'gopher://a/s3cret', token: {file: t}}")
        #expect(!errors.isEmpty && !errors.joined().contains("s3cret"), "\(errors)")
    }
}
