import EPGAccess
import EPGModel
import EPGStore
import Glibc
import TestSupport
import Testing

@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

/// Tests of `POST /api/v1/import` into the served database.
@Suite(.serialized) struct ImportTests {
    private static let token = "correct horse battery staple"
    private static let bearer = "Authorization: Bearer \(token)"

    /// A small guide that a successful import of `<channel id="new"/>` would change.
    private static let records = """
        <channel id="old"/>
        <programme start="20261024180000 +0000" stop="20261024190000 +0000" channel="old"><title>Old</title></programme>
        """

    private func run<Outcome: Sendable>(
        _ guide: ServedGuide, limits: ImportLimits = ImportLimits(), change: (inout ServerSettings) -> Void = { _ in },
        _ body: @Sendable (Int) async throws -> Outcome
    ) async throws -> Outcome {
        try await RunningServer.run(
            guide, tokens: [Self.token: [.imports]], change: change, limits: limits, { try await body($0.port) })
    }

    @Test func importedGuideIsServedImmediately() async throws {
        let guide = try ServedGuide("<channel id=\"old\"/>")
        let next = try ServedGuide.sample("evening.xml")
        try await run(guide) { port in
            let response = try await RawClient.request(
                "POST", "/api/v1/import?source=sample", port: port, headers: [Self.bearer], body: next)
            expectResponse(
                response, 200, headers: ["content-type": "application/json"], contains: ["\"programmesRead\":417"])
            expectPrefix(response.text, "{\"file\":\"request body\",\"source\":\"sample\",\"outcome\":{")
            let feed = try await RawClient.get("/xmltv.xml?source=sample&times=published", port: port)
            try expectEqual(ServedGuide(bytes: feed.body).lines(), ServedGuide(bytes: next).lines())
            let again = try await RawClient.request(
                "POST", "/api/v1/import?source=sample", port: port, headers: [Self.bearer], body: next)
            expectText(again.text, contains: ["\"changedGuide\":false"])
        }
    }

    @Test func guideAboveALimitIsRejectedAndTheSettingIsNamed() async throws {
        let guide = try ServedGuide("<channel id=\"old\"/>")
        let lines = try guide.lines()
        var limits = ImportLimits()
        limits.programmes = 416
        // The sample has 417.
        let next = try ServedGuide.sample("evening.xml")
        try await run(guide, limits: limits) { port in
            let response = try await RawClient.request(
                "POST", "/api/v1/import?source=sample", port: port, headers: [Self.bearer], body: next)
            expectResponse(response, 413, contains: ["more than 416 programmes", "import.programmes"])
        }
        try expectEqual(guide.lines(), lines)
    }

    @Test func chunkedAndCompressedBodiesAreImported() async throws {
        let guide = try ServedGuide("<channel id=\"old\"/>")
        let bytes = try ServedGuide.sample("evening.xml")
        let compressed = try await RunningServer.run(ServedGuide(bytes: bytes)) {
            try await RawClient.get("/xmltv.xml.gz?times=published", port: $0.port).body
        }
        try await run(guide) { port in
            let responses = try await RawClient.onThread {
                let client = try RawClient(port: port)
                try client.send(
                    "POST /api/v1/import HTTP/1.1\r\nHost: a\r\n\(Self.bearer)\r\nTransfer-Encoding: chunked\r\n\r\n")
                for start in stride(from: 0, to: bytes.count, by: 5000) {
                    let chunk = bytes[start..<min(start + 5000, bytes.count)]
                    try client.send(Array((String(chunk.count, radix: 16) + "\r\n").utf8) + chunk + [0x0D, 0x0A])
                }
                try client.send("0\r\n\r\n")
                let chunked = try client.readResponse()
                // The connection stays open.
                try client.send(
                    "POST /api/v1/import HTTP/1.1\r\nHost: a\r\n\(Self.bearer)\r\nContent-Length: \(compressed.count)\r\n\r\n"
                )
                try client.send(compressed)
                return (chunked, try client.readResponse())
            }
            expectResponse(responses.0, 200, contains: ["\"programmesRead\":417"])
            expectResponse(responses.1, 200, contains: ["\"airingsInserted\":0"])
        }
        try expectEqual(guide.lines(), ServedGuide(bytes: bytes).lines())
    }

    @Test func importedPlaylistBecomesALineup() async throws {
        let playlist = try ServedGuide.sample("evening.m3u")
        try await run(ServedGuide(sample: "evening.xml")) { port in
            let response = try await RawClient.request(
                "POST", "/api/v1/import?lineup=living%20room&format=m3u", port: port, headers: [Self.bearer],
                body: playlist)
            expectResponse(response, 200, contains: ["\"lineup\":\"living room\""])
            let list = try await RawClient.get("/playlist.m3u?lineup=living%20room", port: port)
            expectEqual(list.status, 200)
        }
    }

    @Test func requestWithoutTheTokenIsRejected() async throws {
        let token = Self.token
        let credentials = [
            nil, "Bearer wrong", "Bearer", "Basic \(token)", "Bearer \(token)x", "Bearer \(token.dropLast())",
            "Bearer \(token)\(token)",
        ]
        let guide = try ServedGuide(Self.records)
        let lines = try guide.lines()
        try await run(guide, change: { $0.trustedProxies = ["127.0.0.1"] }) { port in
            for (number, text) in credentials.enumerated() {
                // Each from another client, because five wrong tokens lock a client out.
                let client = "X-Forwarded-For: 192.0.2.\(number + 1)"
                let response = try await RawClient.request(
                    "POST", "/api/v1/import", port: port,
                    headers: [client] + (text.map { ["Authorization: \($0)"] } ?? []),
                    body: ServedGuide.document("<channel id=\"new\"/>"))
                expectResponse(response, 401, headers: ["content-type": "application/problem+json"], text ?? "nil")
                expectPrefix(response["www-authenticate"], "Bearer realm=\"epg\"")
                try expectEqual(guide.lines(), lines, text ?? "nil")
            }
        }
    }

    @Test(arguments: [[:], [token: [.read, .metrics, .watch]]] as [[String: Set<AccessScope>]])
    func importIsForbiddenWithoutATokenForIt(tokens: [String: Set<AccessScope>]) async throws {
        let response = try await RunningServer.run(ServedGuide(Self.records), tokens: tokens) { server in
            try await RawClient.request(
                "POST", "/api/v1/import", port: server.port, headers: [Self.bearer],
                body: ServedGuide.document("<channel id=\"new\"/>"))
        }
        expectResponse(response, 403, contains: ["has no token for them"])
    }

    @Test func unsupportedMethodIsRejectedAndTheSupportedOnesAreListed() async throws {
        try await run(ServedGuide(Self.records)) { port in
            let get = try await RawClient.get("/api/v1/import", port: port)
            expectResponse(get, 405, headers: ["allow": "OPTIONS, POST"])
            let post = try await RawClient.request("POST", "/xmltv.xml", port: port, body: [1])
            expectResponse(post, 405, headers: ["allow": "GET, HEAD, OPTIONS"])
        }
    }

    /// Bodies that are not valid guides, and text that the error message contains.
    private static let invalidGuides: [(text: String, reason: String)] = [
        (
            "<tv><channel id=\"a\"/><programme start=\"20261024120000\" channel=\"a\"/><programme start=\"2026",
            "partial=1"
        ),
        ("<tv><channel id=\"a\"/><programme start=\"20261024120000\" channel=\"a\"><title>Cut", "truncated"),
        ("<!DOCTYPE html><html><body>Log in</body></html>", "HTML page"), ("", "empty"),
        ("\u{1F}\u{8B}", "unknown format"),
        ("{\"stations\": [", "truncated"), ("just some words", "unknown format"),
    ]

    @Test func invalidGuideIsRejectedAndTheCurrentOneIsUnchanged() async throws {
        let guide = try ServedGuide(Self.records)
        let lines = try guide.lines()
        try await run(guide) { port in
            for (text, reason) in Self.invalidGuides {
                let response = try await RawClient.request(
                    "POST", "/api/v1/import", port: port, headers: [Self.bearer], body: Array(text.utf8))
                expectResponse(
                    response, 422, headers: ["content-type": "application/problem+json"],
                    contains: [reason, "The current guide is unchanged."], text)
                let version = try await RawClient.get("/api/v1/changes?since=1", port: port)
                expectText(version.text, contains: ["\"generation\":1"], text)
                try expectEqual(guide.lines(), lines, text)
            }
        }
    }

    @Test func partialImportsTheIntactPartOfATruncatedGuide() async throws {
        let text = """
            <tv><channel id="a"/><programme start="20261024120000 +0000" stop="20261024130000 +0000" channel="a">\
            <title>Whole</title></programme><programme start="20261024130000 +0000" channel="a"><title>Cut
            """
        let guide = try ServedGuide("<channel id=\"old\"/>")
        let response = try await run(guide) { port in
            try await RawClient.request(
                "POST", "/api/v1/import?partial=1", port: port, headers: [Self.bearer], body: Array(text.utf8))
        }
        expectEqual(response.status, 200)
        try expectEqual(guide.lines(), ["a 2026-10-24T12:00:00Z 2026-10-24T13:00:00Z Whole|-|-"])
    }

    private static let invalidParameters: [(query: String, parameter: String)] = [
        ("encoding=klingon", "encoding"), ("format=pdf", "format"), ("partial=maybe", "partial"),
        ("strict=1&partial=1", "strict"), ("timeZone=Mars", "timeZone"), ("days=9999", "days"), ("colour=1", "colour"),
        ("shift=1e3", "shift"),
    ]

    @Test func invalidParameterIsNamed() async throws {
        try await run(ServedGuide(Self.records)) { port in
            for (query, parameter) in Self.invalidParameters {
                let response = try await RawClient.request(
                    "POST", "/api/v1/import?" + query, port: port, headers: [Self.bearer],
                    body: ServedGuide.document("<channel id=\"new\"/>"))
                expectResponse(response, 400, contains: ["\"parameter\":\"\(parameter)\""], query)
            }
        }
    }

    @Test func bodyAboveTheLimitIsRejected() async throws {
        let guide = try ServedGuide(Self.records)
        let lines = try guide.lines()
        try await run(guide, change: { $0.importing.maximumSize = 100_000 }) { port in
            let blanks = [UInt8](repeating: 0x20, count: 300_000)
            let (announced, chunked) = try await RawClient.onThread {
                let client = try RawClient(port: port)
                let head = "POST /api/v1/import HTTP/1.1\r\nHost: a\r\n\(Self.bearer)\r\n"
                try client.send(head + "Content-Length: 999999999999\r\n\r\n")
                let announced = try client.readResponse()
                try expectEqual(client.readToEnd(), [])
                let other = try RawClient(port: port)
                try other.send(head + "Transfer-Encoding: chunked\r\n\r\n493E0\r\n")
                try other.send(blanks)
                return (announced, try other.readResponse())
            }
            expectEqual(announced.status, 413)
            expectResponse(chunked, 413, contains: ["100000 bytes"])
        }
        try expectEqual(guide.lines(), lines)
    }

    @Test func incompleteBodyChangesNothing() async throws {
        let guide = try ServedGuide(Self.records)
        let lines = try guide.lines()
        try await run(guide) { port in
            let document = ServedGuide.document("<channel id=\"new\"/>")
            try await RawClient.onThread {
                for isReset in [false, true] {
                    let client = try RawClient(port: port)
                    try client.send(
                        "POST /api/v1/import HTTP/1.1\r\nHost: a\r\n\(Self.bearer)\r\nContent-Length: 100000\r\n\r\n")
                    try client.send(document)
                    if isReset { client.reset() } else { client.finishSending() }
                    if !isReset { try expectEqual(client.readHead().status, 400) }
                }
            }
            let isImported = try await eventually {
                let status = try await RawClient.request(
                    "POST", "/api/v1/import?source=next", port: port, headers: [Self.bearer], body: document
                ).status
                if status != 503 { expectEqual(status, 200) }
                return status == 200
            }
            expectEqual(isImported, true)
        }
        try expectEqual(guide.lines(), lines)
    }

    @Test(arguments: [("stalled", nil), ("after the deadline", .milliseconds(50))] as [(String, Duration?)])
    func bodyThatArrivesTooSlowlyIsRejected(name: String, deadline: Duration?) async throws {
        let change: (inout ServerSettings) -> Void = { settings in
            settings.limits.bodyPeriod = deadline == nil ? .milliseconds(100) : .seconds(600)
            if let deadline { settings.importing.deadline = deadline }
        }
        let status = try await run(ServedGuide(Self.records), change: change) { port in
            try await RawClient.onThread {
                let client = try RawClient(port: port)
                try client.send(
                    "POST /api/v1/import HTTP/1.1\r\nHost: a\r\n\(Self.bearer)\r\nContent-Length: 100000\r\n\r\n<tv>")
                if deadline != nil {
                    usleep(350_000)
                    try client.send("<channel")
                }
                return try client.readResponse().status
            }
        }
        expectEqual(status, 408, name)
    }

    @Test func incompleteUploadDoesNotDelayAnother() async throws {
        try await run(ServedGuide(Self.records)) { port in
            let slow = try await RawClient.onThread {
                let client = try RawClient(port: port)
                try client.send(
                    "POST /api/v1/import HTTP/1.1\r\nHost: a\r\n\(Self.bearer)\r\nContent-Length: 100000\r\n\r\n<tv>")
                return TransferableClient(client: client)
            }
            let response = try await RawClient.request(
                "POST", "/api/v1/import", port: port, headers: [Self.bearer],
                body: ServedGuide.document("<channel id=\"new\"/>"))
            expectEqual(response.status, 200)
            slow.client.close()
        }
    }

    @Test func importIsRejectedWhileAnotherProcessWrites() async throws {
        let guide = try ServedGuide(Self.records)
        let document = ServedGuide.document("<channel id=\"new\"/>")
        try await run(guide) { port in
            let store = try GuideStore(writingTo: guide.path)
            let busy = try await RawClient.request(
                "POST", "/api/v1/import", port: port, headers: [Self.bearer], body: document)
            expectResponse(busy, 503, headers: ["retry-after": "10"])
            try store.close()
            let free = try await RawClient.request(
                "POST", "/api/v1/import", port: port, headers: [Self.bearer], body: document)
            expectEqual(free.status, 200)
        }
    }
}
