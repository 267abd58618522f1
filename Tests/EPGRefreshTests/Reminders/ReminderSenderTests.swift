import EPGCalendar
import EPGModel
import EPGStore
import Glibc
import StoreConformance
import Synchronization
import TestSupport
import Testing

@testable import EPGRefresh

/// Tests of requests to targets, and of programs, with real servers and programs.
@Suite struct ReminderSenderTests {
    private func sender(
        privateHosts: Set<String> = [], _ change: (inout CurlFetcher) -> Void = { _ in }
    ) -> ReminderSender {
        var web = CurlFetcher.test()
        web.clock = .system
        change(&web)
        return ReminderSender(
            web, privateHosts: privateHosts, secret: { if case .text(let text) = $0 { text } else { "" } })
    }

    private func target(
        _ kind: ReminderTarget.Kind, _ location: String? = nil, _ change: (inout SourceConfiguration) -> Void = { _ in }
    ) -> ReminderTarget {
        var settings = SourceConfiguration(Source(name: "phone", location: location))
        change(&settings)
        return ReminderTarget(kind: kind, settings: settings, profiles: [])
    }

    /// The message of a reminder for an airing on `one` from 20:00 to 21:00.
    private func message(_ title: String = "News", publicURL: String? = nil) throws -> ReminderMessage {
        let folder = try TemporaryFolder()
        let guide = GuideDatabase(path: folder.path(of: "guide.sqlite"))
        let rule = try WatchRule(name: "rule", WatchConditions(station: StationID("one")))
        try guide.write { writer in
            try writer.importing(text: Day.guide(["one 20:00-21:00 \(title) / Late: With weather."]))
            try writer.saveWatchRule(rule)
        }
        let plan = try guide.read { reading in
            try ReminderPlan(
                reading, to: [ReminderRecipient(name: "phone", profiles: [])], now: Day.instant("20:00"),
                minuteOfDay: { _ in 0 })
        }
        return ReminderMessage(try #require(plan.due.first), zone: .utc, publicURL: publicURL)
    }

    /// Expects a reminder to fail, and returns the failure.
    private func failure(
        _ sender: ReminderSender? = nil, to target: ReminderTarget, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ReminderFailure {
        try #require(throws: ReminderFailure.self, sourceLocation: sourceLocation) {
            try (sender ?? self.sender()).send(message(), to: target)
        }
    }

    @Test func webhookGetsJSONWithTheKeyAndTheSecretHeaders() throws {
        let server = try LoopbackServer(replies: [.status("204 No Content")])
        defer { server.stop() }
        let message = try message(publicURL: "https://tv.example")
        try sender().send(
            message,
            to: target(.webhook, server.url("/hook?token=s3cret")) { settings in
                settings.headers = [SecretField(name: "X-Key", value: .text("k1"))]
                settings.token = .text("t1")
            })
        let request = try #require(server.requests.first)
        let headers = ["content-type", "idempotency-key", "x-key", "authorization"].map { request.headers[$0] }
        #expect(headers == ["application/json", message.key, "k1", "Bearer t1"])
        #expect(request.line == "POST /hook?token=s3cret HTTP/1.1")
        #expect(
            request.body.hasPrefix("{\"key\":\"\(message.key)\",\"rule\":{\"name\":\"rule\",\"profile\":\"default\""))
        expectText(
            request.body, contains: ["\"start\":\"2026-03-28T20:00:00Z\"", "\"url\":\"https://tv.example/airings/1\""])
    }

    @Test func ntfyGetsTextWithTitlePriorityAndLink() throws {
        let server = try LoopbackServer(replies: [.status("200 OK", body: "{}")])
        defer { server.stop() }
        try sender().send(message(publicURL: "https://tv.example"), to: target(.ntfy, server.url("/tv")))
        try sender().send(
            message("晚间新闻"),
            to: target(.ntfy, server.url("/tv")) { $0.headers = [SecretField(name: "priority", value: .text("high"))] })
        let requests = server.requests
        #expect(requests.map(\.body) == Array(repeating: "20:00–21:00 · one\nLate", count: 2))
        let headers = requests.map { request in ["title", "priority", "click"].map { request.headers[$0] } }
        #expect(
            headers == [
                ["News", "default", "https://tv.example/airings/1"],
                // printf 晚间新闻 | base64
                ["=?UTF-8?B?5pma6Ze05paw6Ze7?=", "high", nil],
            ])
    }

    @Test(arguments: ["301 Moved", "307 Temporary Redirect"]) func redirectIsNotFollowed(status: String) throws {
        let other = try LoopbackServer(replies: [.status("200 OK")])
        let server = try LoopbackServer(replies: [.status(status, headers: ["Location: \(other.url("/"))"])])
        defer {
            server.stop()
            other.stop()
        }
        let failure = try failure(to: target(.webhook, server.url("/s3cret")))
        expectText(failure.description, contains: ["redirects are not followed"])
        #expect(other.requests.isEmpty)
    }

    @Test func hostWithAPrivateAddressIsRefusedUnlessAllowed() throws {
        let server = try LoopbackServer(replies: [.status("200 OK")])
        defer { server.stop() }
        func sender(_ hosts: Set<String> = []) -> ReminderSender {
            self.sender(privateHosts: hosts) { $0.resolvedHosts = ["hooks.example:\(server.port):127.0.0.1"] }
        }
        let url = "http://user:s3cret@hooks.example:\(server.port)/s3cret?key=s3cret"
        let failure = try failure(sender(), to: target(.webhook, url))
        #expect(server.requests.isEmpty)
        expectText(failure.description, contains: ["private-hosts"])
        expectText(failure.description, lacks: ["s3cret"])
        try sender(["hooks.example"]).send(message(), to: target(.webhook, url))
        #expect(server.requests.count == 1)
    }

    @Test func failureNamesTheStatusAndHonorsRetryAfterWithoutSecrets() throws {
        let server = try LoopbackServer(replies: [
            .status("503 Service Unavailable", headers: ["Retry-After: 120"], body: "s3cret")
        ])
        defer { server.stop() }
        #expect(
            try failure(to: target(.webhook, server.url("/s3cret")))
                == ReminderFailure("the server responded with status 503", retryAfter: 120, isOfTarget: true))
        let refused = try failure(to: target(.webhook, "http://127.0.0.1:\(LoopbackServer.unusedPort())/s3cret"))
        #expect(refused.description == "the server does not accept connections")
    }

    @Test(arguments: [
        ("400 Bad Request", false), ("403 Forbidden", false), ("422 Unprocessable Content", false),
        ("301 Moved", false),
        ("408 Request Timeout", true), ("429 Too Many Requests", true), ("500 Internal Server Error", true),
        ("503 Service Unavailable", true),
    ]) func statusTellsWhetherOtherRemindersWouldFailToo(status: String, isOfTarget: Bool) throws {
        let server = try LoopbackServer(replies: [.status(status)])
        defer { server.stop() }
        #expect(try failure(to: target(.webhook, server.url("/"))).isOfTarget == isOfTarget)
    }

    @Test func confirmationCountsWhateverItsBody() throws {
        let server = try LoopbackServer(replies: [.status("200 OK", body: [UInt8](repeating: 0x61, count: 2 << 20))])
        defer { server.stop() }
        try sender { $0.limits.byteCount = 1 << 20 }.send(message(), to: target(.webhook, server.url("/")))
        #expect(server.requests.count == 1)
    }

    @Test func slowServerHasTheTimeLimitOfItsTarget() throws {
        let server = try LoopbackServer { _ in
            usleep(2_500_000)
            return .status("204 No Content")
        }
        defer { server.stop() }
        // The general limit of silence is shorter.
        let sender = sender { $0.limits.silenceSeconds = 1 }
        try sender.send(message(), to: target(.webhook, server.url("/")) { $0.timeLimit = 20 })
        let failure = try failure(sender, to: target(.webhook, server.url("/")) { $0.timeLimit = 1 })
        #expect(failure.isOfTarget)
    }

    @Test func programGetsTheJSONAndRunsWithoutAShell() throws {
        let folder = try TemporaryFolder()
        let output = folder.path(of: "$(id) out")
        let message = try message("$(touch /tmp/x) `id`")
        try sender().send(
            message,
            to: target(.command) { $0.command = ["sh", "-c", "cat >\"$0\"; echo $EPG_REMINDER_KEY >>\"$0\"", output] })
        let text = try TestFolder.contents(of: output)
        #expect(text == String(decoding: message.json, as: UTF8.self) + message.key + "\n")
    }

    @Test func failingAndSlowProgramsAreReported() throws {
        let failing = try failure(to: target(.command) { $0.command = ["sh", "-c", "echo no battery >&2; exit 3"] })
        #expect(
            (failing.description, failing.isOfTarget)
                == ("the program failed with exit code 3 and wrote: no battery", false))
        let slow = try failure(
            to: target(.command) { settings in
                settings.command = ["sleep", "60"]
                settings.timeLimit = 1
            })
        #expect(slow.description == "the program did not finish within 1 seconds")
        let missing = try failure(to: target(.command) { $0.command = ["/nonexistent/program"] })
        #expect(missing.description.hasPrefix("cannot run the program") && missing.isOfTarget, "\(missing)")
    }
}
