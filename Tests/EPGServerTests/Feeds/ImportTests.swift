import EPGModel
import EPGServer
import EPGStore
import Glibc
import TestSupport
import Testing

/// Tests of `POST /api/v1/import` into the served database.
@Suite(.serialized) struct ImportTests {
    private static let token = "correct horse battery staple"
    private static let bearer = "Authorization: Bearer \(token)"

    private func run<Outcome: Sendable>(
        _ guide: ServedGuide, limits: ImportLimits = ImportLimits(), change: (inout ServerSettings) -> Void = { _ in },
        _ body: @Sendable (Int) async throws -> Outcome
    ) async throws -> Outcome {
        try await RunningServer.run(
            guide,
            change: { settings in
                settings.importing.token = Array(Self.token.utf8)
                change(&settings)
            }, limits: limits, { try await body($0.port) })
    }

    @Test func importedGuideIsServedImmediately() async throws {
        let guide = try ServedGuide("<channel id=\"old\"/>")
        let next = try ServedGuide.sample("evening.xml")
        try await run(guide) { port in
            let response = try await RawClient.request(
                "POST", "/api/v1/import?source=sample", port: port, headers: [Self.bearer], body: next)
            #expect(response.status == 200)
            #expect(response["content-type"] == "application/json")
            #expect(response.text.hasPrefix("{\"file\":\"request body\",\"source\":\"sample\",\"outcome\":{"))
            #expect(response.text.contains("\"programmesRead\":417"))
            let feed = try await RawClient.get("/xmltv.xml?source=sample&times=published", port: port)
            #expect(try ServedGuide(bytes: feed.body).lines() == ServedGuide(bytes: next).lines())
            let again = try await RawClient.request(
                "POST", "/api/v1/import?source=sample", port: port, headers: [Self.bearer], body: next)
            #expect(again.text.contains("\"changedGuide\":false"))
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
            #expect(response.status == 413)
            #expect(response.text.contains("more than 416 programmes"))
            #expect(response.text.contains("import.programmes"))
        }
        #expect(try guide.lines() == lines)
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
            #expect(responses.0.status == 200)
            #expect(responses.0.text.contains("\"programmesRead\":417"))
            #expect(responses.1.status == 200)
            #expect(responses.1.text.contains("\"airingsInserted\":0"))
        }
        #expect(try guide.lines() == ServedGuide(bytes: bytes).lines())
    }

    @Test func importedPlaylistBecomesALineup() async throws {
        let playlist = try ServedGuide.sample("evening.m3u")
        try await run(ServedGuide()) { port in
            let response = try await RawClient.request(
                "POST", "/api/v1/import?lineup=living%20room&format=m3u", port: port, headers: [Self.bearer],
                body: playlist)
            #expect(response.status == 200)
            #expect(response.text.contains("\"lineup\":\"living room\""))
            let list = try await RawClient.get("/playlist.m3u?lineup=living%20room", port: port)
            #expect(list.status == 200)
        }
    }

    @Test(arguments: [
        [], ["Authorization: Bearer wrong"], ["Authorization: Bearer"], ["Authorization: Basic \(token)"],
        ["Authorization: Bearer \(token)x"], ["Authorization: Bearer \(token.dropLast())"],
        ["Authorization: Bearer \(token)\(token)"],
    ])
    func requestWithoutTheTokenIsRejected(headers: [String]) async throws {
        let guide = try ServedGuide()
        let lines = try guide.lines()
        let response = try await run(guide) { port in
            try await RawClient.request(
                "POST", "/api/v1/import", port: port, headers: headers,
                body: ServedGuide.document("<channel id=\"new\"/>"))
        }
        #expect(response.status == 401)
        #expect(response["www-authenticate"]?.hasPrefix("Bearer realm=\"epg\"") == true)
        #expect(response["content-type"] == "application/problem+json")
        #expect(try guide.lines() == lines)
    }

    @Test(arguments: [nil, []] as [[UInt8]?])
    func importIsForbiddenWithoutAConfiguredToken(token: [UInt8]?) async throws {
        let response = try await run(ServedGuide(), change: { $0.importing.token = token }) { port in
            try await RawClient.request(
                "POST", "/api/v1/import", port: port, headers: [Self.bearer],
                body: ServedGuide.document("<channel id=\"new\"/>"))
        }
        #expect(response.status == 403)
        #expect(response.text.contains("has no token"))
    }

    @Test func unsupportedMethodIsRejectedAndTheSupportedOnesAreListed() async throws {
        try await run(ServedGuide()) { port in
            let get = try await RawClient.get("/api/v1/import", port: port)
            #expect(get.status == 405 && get["allow"] == "OPTIONS, POST")
            let post = try await RawClient.request("POST", "/xmltv.xml", port: port, body: [1])
            #expect(post.status == 405 && post["allow"] == "GET, HEAD, OPTIONS")
        }
    }

    /// Bodies that are not valid guides, and text that the error message contains.
    @Test(arguments: [
        ("<tv><channel id=\"a\"/><programme start=\"20261024120000\" channel=\"a\"><title>Cut", "partial=1"),
        ("<!DOCTYPE html><html><body>Log in</body></html>", "HTML page"), ("", "empty"),
        ("\u{1F}\u{8B}", "unknown format"),
        ("{\"stations\": [", "truncated"), ("just some words", "unknown format"),
    ])
    func invalidGuideIsRejectedAndTheCurrentOneIsUnchanged(text: String, reason: String) async throws {
        let guide = try ServedGuide()
        let lines = try guide.lines()
        try await run(guide) { port in
            let response = try await RawClient.request(
                "POST", "/api/v1/import", port: port, headers: [Self.bearer], body: Array(text.utf8))
            #expect(response.status == 422)
            #expect(response["content-type"] == "application/problem+json")
            #expect(response.text.contains(reason), "\(response.text)")
            #expect(response.text.contains("The current guide is unchanged."))
            let version = try await RawClient.get("/api/v1/changes?since=1", port: port)
            #expect(version.text.contains("\"generation\":1"))
        }
        #expect(try guide.lines() == lines)
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
        #expect(response.status == 200)
        #expect(try guide.lines() == ["a 2026-10-24T12:00:00Z 2026-10-24T13:00:00Z Whole|-|-"])
    }

    @Test(arguments: [
        ("encoding=klingon", "encoding"), ("format=pdf", "format"), ("partial=maybe", "partial"),
        ("strict=1&partial=1", "strict"), ("timeZone=Mars", "timeZone"), ("days=9999", "days"), ("colour=1", "colour"),
        ("shift=1e3", "shift"),
    ])
    func invalidParameterIsNamed(query: String, parameter: String) async throws {
        let response = try await run(ServedGuide()) { port in
            try await RawClient.request(
                "POST", "/api/v1/import?" + query, port: port, headers: [Self.bearer],
                body: ServedGuide.document("<channel id=\"new\"/>"))
        }
        #expect(response.status == 400)
        #expect(response.text.contains("\"parameter\":\"\(parameter)\""))
    }

    @Test func bodyAboveTheLimitIsRejected() async throws {
        let guide = try ServedGuide()
        let lines = try guide.lines()
        try await run(guide, change: { $0.importing.maximumSize = 100_000 }) { port in
            let blanks = [UInt8](repeating: 0x20, count: 300_000)
            let (announced, chunked) = try await RawClient.onThread {
                let client = try RawClient(port: port)
                let head = "POST /api/v1/import HTTP/1.1\r\nHost: a\r\n\(Self.bearer)\r\n"
                try client.send(head + "Content-Length: 999999999999\r\n\r\n")
                let announced = try client.readResponse()
                #expect(try client.readToEnd() == [])
                let other = try RawClient(port: port)
                try other.send(head + "Transfer-Encoding: chunked\r\n\r\n493E0\r\n")
                try other.send(blanks)
                return (announced, try other.readResponse())
            }
            #expect(announced.status == 413)
            #expect(chunked.status == 413)
            #expect(chunked.text.contains("100000 bytes"))
        }
        #expect(try guide.lines() == lines)
    }

    @Test func incompleteBodyChangesNothing() async throws {
        let guide = try ServedGuide()
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
                    if !isReset { #expect(try client.readHead().status == 400) }
                }
            }
            let isImported = try await eventually {
                let status = try await RawClient.request(
                    "POST", "/api/v1/import?source=next", port: port, headers: [Self.bearer], body: document
                ).status
                #expect([200, 503].contains(status))
                return status == 200
            }
            #expect(isImported)
        }
        #expect(try guide.lines() == lines)
    }

    @Test func slowBodyIsRejected() async throws {
        let change: (inout ServerSettings) -> Void = { $0.limits.bodyPeriod = .milliseconds(300) }
        let status = try await run(ServedGuide(), change: change) { port in
            try await RawClient.onThread {
                let client = try RawClient(port: port)
                try client.send(
                    "POST /api/v1/import HTTP/1.1\r\nHost: a\r\n\(Self.bearer)\r\nContent-Length: 100000\r\n\r\n<tv>")
                return try client.readResponse().status
            }
        }
        #expect(status == 408)
    }

    @Test func bodyThatArrivesAfterTheDeadlineIsRejected() async throws {
        let change: (inout ServerSettings) -> Void = {
            $0.importing.deadline = .milliseconds(300)
            $0.limits.bodyPeriod = .seconds(600)
        }
        let status = try await run(ServedGuide(), change: change) { port in
            try await RawClient.onThread {
                let client = try RawClient(port: port)
                try client.send(
                    "POST /api/v1/import HTTP/1.1\r\nHost: a\r\n\(Self.bearer)\r\nContent-Length: 100000\r\n\r\n<tv>")
                usleep(500_000)
                try client.send("<channel")
                return try client.readResponse().status
            }
        }
        #expect(status == 408)
    }

    @Test func incompleteUploadDoesNotDelayAnother() async throws {
        try await run(ServedGuide()) { port in
            let slow = try await RawClient.onThread {
                let client = try RawClient(port: port)
                try client.send(
                    "POST /api/v1/import HTTP/1.1\r\nHost: a\r\n\(Self.bearer)\r\nContent-Length: 100000\r\n\r\n<tv>")
                return TransferableClient(client: client)
            }
            let response = try await RawClient.request(
                "POST", "/api/v1/import", port: port, headers: [Self.bearer],
                body: ServedGuide.document("<channel id=\"new\"/>"))
            #expect(response.status == 200)
            slow.client.close()
        }
    }

    @Test func importIsRejectedWhileAnotherProcessWrites() async throws {
        let guide = try ServedGuide()
        let document = ServedGuide.document("<channel id=\"new\"/>")
        try await run(guide) { port in
            let store = try GuideStore(writingTo: guide.path)
            let busy = try await RawClient.request(
                "POST", "/api/v1/import", port: port, headers: [Self.bearer], body: document)
            #expect(busy.status == 503)
            #expect(busy["retry-after"] == "10")
            try store.close()
            let free = try await RawClient.request(
                "POST", "/api/v1/import", port: port, headers: [Self.bearer], body: document)
            #expect(free.status == 200)
        }
    }
}
