import EPGModel
import Logging
import Synchronization
import TestSupport
import Testing

@testable import EPGRefresh

/// Tests of refreshes from a server and a file on consecutive nights.
@Suite struct RefreshOverHTTPTests {
    private let night = Instant(secondsSince1970: 1_774_753_200)

    private func refresher(_ store: MemoryStore, _ recorder: ImportRecorder) -> Refresher {
        Refresher(
            guide: store, fetcher: GuideFetcher(userAgent: "swift-epg/test"),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, advice: { "Remedy: \($0)." }
        ) { fetched, _ in
            .guide(try recorder.importGuide(fetched))
        }
    }

    @Test func guideIsImportedOnlyIfItsBytesChanged() throws {
        // Tag and body of each night.
        let guide = Mutex((tag: "\"1\"", body: "<tv>1</tv>"))
        let server = try LoopbackServer { request in
            let (tag, body) = guide.withLock { $0 }
            return request.headers["if-none-match"] == tag
                ? .raw("HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n")
                : .status("200 OK", headers: ["ETag: \(tag)"], body: body)
        }
        defer { server.stop() }
        let store = MemoryStore([Source(name: "a", location: server.url())])
        let recorder = ImportRecorder(store: store)
        let refresher = refresher(store, recorder)
        let nights = [
            ("\"1\"", "<tv>1</tv>"), ("\"1\"", "<tv>1</tv>"), ("\"2\"", "<tv>1</tv>"), ("\"2\"", "<tv>1</tv>"),
            ("\"3\"", "<tv>3</tv>"),
        ]
        var outcomes: [String] = []
        for (index, (tag, body)) in nights.enumerated() {
            guide.withLock { $0 = (tag, body) }
            let report = try refresher.refresh(at: night.advanced(by: Int64(index) * 86_400))
            outcomes += report.sources.map(\.outcome.keyword)
            #expect(report.failureText.isEmpty)
        }
        #expect(outcomes == ["imported", "not-modified", "unchanged", "not-modified", "imported"])
        #expect(recorder.texts == ["<tv>1</tv>", "<tv>3</tv>"])
    }

    @Test func failingSourceDoesNotStopOthers() throws {
        let folder = try TestFolder()
        let path = try folder.write("<tv>file</tv>", to: "guide.xml")
        let server = try LoopbackServer { request in
            request.path == "/there" ? .status("200 OK", body: "<tv>web</tv>") : .status("404 Not Found")
        }
        defer { server.stop() }
        let store = MemoryStore([
            Source(name: "a", location: "file://\(path)"), Source(name: "b", location: server.url("/gone")),
            Source(name: "c", location: server.url("/there")),
        ])
        let recorder = ImportRecorder(store: store)
        let report = try refresher(store, recorder).refresh(at: night)
        #expect(report.sources.map(\.outcome.keyword) == ["imported", "failed", "imported"])
        #expect((recorder.texts, report.failureKind) == (["<tv>file</tv>", "<tv>web</tv>"], .unavailable))
        expectText(store.state(of: "b").lastError, contains: ["status 404"])

        let again = try refresher(store, recorder).refresh(at: night)
        #expect(again.sources.map(\.outcome.keyword) == ["unchanged", "failed", "unchanged"])
    }

    @Test func changedFileIsImportedAgain() throws {
        let folder = try TestFolder()
        let path = try folder.write("<tv>1</tv>", to: "guide.xml")
        let store = MemoryStore([Source(name: "a", location: path)])
        let recorder = ImportRecorder(store: store)
        let refresher = refresher(store, recorder)
        _ = try refresher.refresh(at: night)
        try folder.write("<tv>2</tv>", to: "guide.xml")
        _ = try refresher.refresh(at: night)
        #expect(recorder.texts == ["<tv>1</tv>", "<tv>2</tv>"])
    }
}

/// Tests that refreshes from faulty servers keep the current guide and report the reason.
@Suite struct HostileServerTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let reply: LoopbackServer.Reply
        /// A part of the report.
        let text: String

        var testDescription: String { name }
    }

    private static let faults = [
        Fault(name: "401", reply: .status("401 Unauthorized"), text: "status 401"),
        Fault(name: "403", reply: .status("403 Forbidden", body: "no"), text: "status 403"),
        Fault(name: "404", reply: .status("404 Not Found", body: "<tv></tv>"), text: "Correct the URL"),
        Fault(name: "429", reply: .status("429 Too Many Requests"), text: "less often"),
        Fault(name: "429 for an hour", reply: .status("429 No", headers: ["Retry-After: 3600"]), text: "3600 seconds"),
        Fault(name: "500", reply: .status("500 Internal Server Error"), text: "status 500 (4 attempts)"),
        Fault(
            name: "304 with a location, without a condition",
            reply: .status("304 Not Modified", headers: ["Location: /other"]), text: "status 304"),
        Fault(
            name: "redirect loop", reply: .status("302 Found", headers: ["Location: /guide.xml"]),
            text: "more than 5 redirects"),
        Fault(
            name: "redirect to this machine", reply: .status("302 Found", headers: ["Location: http://127.0.0.1:1/"]),
            text: "redirects to 127.0.0.1, which has a loopback address"),
        Fault(
            name: "redirect to a private network",
            reply: .status("302 Found", headers: ["Location: http://192.168.0.1/"]),
            text: "redirects to 192.168.0.1, which has a private address"),
        Fault(
            name: "redirect to a file", reply: .status("302 Found", headers: ["Location: file:///etc/passwd"]),
            text: "not http or https"),
        Fault(
            name: "web page", reply: .status("200 OK", body: "<html><title>Hi</title>"), text: "a web page (“Hi”)"
        ),
        Fault(name: "empty body", reply: .status("200 OK"), text: "0 bytes"),
        Fault(
            name: "100 GB", reply: .raw("HTTP/1.1 200 OK\r\nContent-Length: 100000000000\r\n\r\n", stalls: true),
            text: "exceeds the limit"),
        Fault(
            name: "archive bomb",
            reply: .status("200 OK", headers: ["Content-Encoding: gzip"], body: GzipSample.hundredThousandZeros),
            text: "archive bomb"),
        Fault(
            name: "invalid gzip", reply: .status("200 OK", headers: ["Content-Encoding: gzip"], body: "<tv></tv>"),
            text: "not compressed as the server declares"),
        Fault(
            name: "truncated, with Content-Length", reply: .raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n<tv>"),
            text: "closed before the guide was complete"),
        Fault(
            name: "truncated, chunked",
            reply: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n<tv>\r\n"),
            text: "closed before the guide was complete"),
        Fault(
            name: "truncated, until the connection closes", reply: .raw("HTTP/1.1 200 OK\r\n\r\n<tv>"),
            text: "closed before the guide was complete"),
        Fault(
            name: "truncated status line", reply: .raw("HTTP/1.1 200"), text: "closed before the guide was complete"),
        Fault(name: "no HTTP", reply: .raw("SSH-2.0-OpenSSH_9.2\r\n"), text: "the transfer failed"),
        Fault(name: "stall", reply: .raw("HTTP/1.1 200 OK\r\n\r\n<tv>", stalls: true), text: "too slow"),
    ]

    private func refresher(_ store: MemoryStore, _ recorder: ImportRecorder, attempts: Int) -> Refresher {
        let limits = FetchLimits(silenceSeconds: 1, uncheckedByteCount: 50_000)
        return Refresher(
            guide: store, fetcher: CurlFetcher.test(limits: limits, attempts: attempts),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, advice: { "Remedy: \($0)." }
        ) { fetched, _ in
            .guide(try recorder.importGuide(fetched))
        }
    }

    @Test(arguments: faults)
    func guideIsKeptAndReasonReported(fault: Fault) throws {
        let isHostile = Mutex(false)
        let server = try LoopbackServer(host: "127.0.0.2") { _ in
            isHostile.withLock { $0 } ? fault.reply : .status("200 OK", body: "<tv>1</tv>")
        }
        defer { server.stop() }
        let store = MemoryStore([Source(name: "a", location: server.url())])
        let recorder = ImportRecorder(store: store)
        // Each attempt of a stall takes a second.
        let refresher = refresher(store, recorder, attempts: fault.name == "stall" ? 2 : 4)
        let night = Instant(secondsSince1970: 1_774_753_200)
        _ = try refresher.refresh(at: night)
        let before = store.state(of: "a")

        isHostile.withLock { $0 = true }
        let report = try refresher.refresh(at: night.advanced(by: 86_400))
        #expect(report.sources.map(\.outcome.keyword) == ["failed"] && report.failureKind != nil)
        expectText(report.failureText, contains: [fault.text])
        let state = store.state(of: "a")
        #expect(
            (recorder.texts, state.bodyHash, state.lastSuccess) == (["<tv>1</tv>"], before.bodyHash, night))

        isHostile.withLock { $0 = false }
        let after = try refresher.refresh(at: night.advanced(by: 2 * 86_400))
        #expect(after.sources.map(\.outcome.keyword) == ["unchanged"])
    }
}
