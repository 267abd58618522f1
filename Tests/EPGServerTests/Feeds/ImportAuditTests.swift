import EPGServer
import Testing

@testable import epgd

/// Tests that the service logs each import over HTTP on one line.
@Suite(.serialized) struct ImportAuditTests {
    private static let token = "correct horse battery staple"
    private static let bearer = "Authorization: Bearer \(token)"

    /// Serves a guide, and returns the responses and the log lines about imports.
    private func run(
        format: LineLogHandler.Format = .text, proxies: [String] = [],
        _ body: @Sendable (Int) async throws -> [RawResponse]
    ) async throws -> (responses: [RawResponse], lines: [String]) {
        let lines = LogLines(format)
        let responses = try await RunningServer.run(
            ServedGuide("<channel id=\"old\"/>"),
            change: { settings in
                settings.importing.token = Array(Self.token.utf8)
                settings.trustedProxies = proxies
            }, log: lines, { try await body($0.port) })
        return (responses, lines.all.filter { $0.contains("import over HTTP") })
    }

    private static func post(
        _ query: String = "", port: Int, headers: [String] = [bearer], body: [UInt8]
    ) async throws -> RawResponse {
        try await RawClient.request("POST", "/api/v1/import" + query, port: port, headers: headers, body: body)
    }

    @Test func importedGuideIsLoggedWithClientSizeSourceAndCounts() async throws {
        let guide = try ServedGuide.sample("evening.xml")
        let (responses, lines) = try await run { [try await Self.post("?source=sample", port: $0, body: guide)] }
        let line = try #require(lines.first)
        #expect(lines.count == 1 && line.contains(" info import over HTTP "), "\(lines)")
        for pair in [
            "client=127.0.0.1", "bytes=\(guide.count)", "source=sample", "status=200", "read=417", "removed=0",
        ] {
            #expect(line.contains(" \(pair)"), "\(line)")
        }
        let id = try #require(responses.first?["x-request-id"])
        #expect(line.contains(" id=\(id) ") && line.contains(" ms="), "\(line)")
    }

    @Test func importedPlaylistIsLoggedWithItsLineup() async throws {
        let playlist = try ServedGuide.sample("evening.m3u")
        let (_, lines) = try await run { [try await Self.post("?lineup=den", port: $0, body: playlist)] }
        #expect(lines.count == 1 && lines[0].contains(" lineup=den ") && lines[0].contains(" channels="), "\(lines)")
    }

    /// The names of sources and lineups are public: the log and `/api/v1/sources` contain them.
    @Test(arguments: ["source", "lineup"])
    func nameWithCredentialsIsRejectedAndNotLogged(parameter: String) async throws {
        let guide = try ServedGuide.sample("evening.xml")
        let name = "https%3A%2F%2Fjo%3Ahunter2%40tv.example%2Fa"
        let (responses, lines) = try await run { [try await Self.post("?\(parameter)=\(name)", port: $0, body: guide)] }
        #expect(responses.map(\.status) == [400])
        let line = try #require(lines.first)
        #expect(line.contains(" status=400 ") && !line.contains("hunter2"), "\(line)")
    }

    @Test func rejectedImportIsLoggedWithStatusTitleAndReason() async throws {
        let (_, lines) = try await run(format: .json) {
            [try await Self.post("?source=sample", port: $0, body: Array("just some words".utf8))]
        }
        let line = try #require(lines.first)
        for member in [
            #""level":"notice""#, #""status":"422""#, #""title":"Unprocessable Content""#, #""source":"sample""#,
            #""bytes":"15""#, #""reason":""#,
        ] {
            #expect(line.contains(member), "\(line)")
        }
    }

    @Test(arguments: [LineLogHandler.Format.text, .json])
    func failedAuthenticationIsLoggedWithoutTheCredentials(format: LineLogHandler.Format) async throws {
        let (responses, lines) = try await run(format: format) { port in
            var responses: [RawResponse] = []
            for header in ["Authorization: Bearer hunter2-hunter2", "Authorization: Basic dXNlcjpodW50ZXIy"] {
                responses.append(try await Self.post(port: port, headers: [header], body: [0x20]))
            }
            responses.append(try await Self.post(port: port, headers: [], body: [0x20]))
            responses.append(try await Self.post(port: port, body: [0x20]))
            return responses
        }
        #expect(responses.map(\.status) == [401, 401, 401, 422])
        #expect(lines.count == 4)
        #expect(lines.prefix(3).allSatisfy { $0.contains("401") && $0.contains("Unauthorized") }, "\(lines)")
        for line in lines {
            #expect(!line.contains("hunter2") && !line.contains("dXNlcj") && !line.contains("staple"), "\(line)")
        }
    }

    @Test func lockoutAfterFiveWrongTokensIsLogged() async throws {
        let (responses, lines) = try await run { port in
            var responses: [RawResponse] = []
            for _ in 0..<5 {
                responses.append(
                    try await Self.post(port: port, headers: ["Authorization: Bearer guess"], body: [0x20]))
            }
            responses.append(try await Self.post(port: port, body: [0x20]))
            return responses
        }
        #expect(responses.map(\.status) == [401, 401, 401, 401, 401, 429])
        let wait = try #require(responses.last?["retry-after"].flatMap { Int($0) })
        #expect((1...60).contains(wait))
        #expect(lines.count == 5 && lines[4].contains(" lockout-seconds=60 "), "\(lines)")
        #expect(!lines[3].contains("lockout-seconds"))
    }

    @Test func clientNamedByTrustedProxyIsLoggedAndLockedOut() async throws {
        let (responses, lines) = try await run(proxies: ["127.0.0.1"]) { port in
            var responses: [RawResponse] = []
            for _ in 0..<6 {
                responses.append(
                    try await Self.post(
                        port: port, headers: ["Authorization: Bearer guess", "X-Forwarded-For: 192.0.2.1"],
                        body: [0x20]))
            }
            // Another client of the same proxy is not locked out.
            responses.append(
                try await Self.post(port: port, headers: [Self.bearer, "X-Forwarded-For: 192.0.2.2"], body: [0x20]))
            return responses
        }
        #expect(responses.map(\.status) == [401, 401, 401, 401, 401, 429, 422])
        #expect(lines.prefix(5).allSatisfy { $0.contains(" client=192.0.2.1 ") }, "\(lines)")
        #expect(lines.last?.contains(" client=192.0.2.2 ") == true)
    }
}
