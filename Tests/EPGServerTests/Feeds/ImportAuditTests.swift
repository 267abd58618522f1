import EPGAccess
import TestSupport
import Testing

@testable import epgd
@testable import EPGServer
@testable import ServiceTestSupport

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
            tokens: [Self.token: [.imports]], change: { $0.trustedProxies = proxies }, log: lines,
            { try await body($0.port) })
        return (responses, lines.all.filter { $0.contains("import over HTTP") || $0.contains("access refused") })
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
        expectEqual(lines.count, 1, "\(lines)")
        let id = try #require(responses.first?["x-request-id"])
        expectText(
            line,
            contains: [
                " info import over HTTP ", " client=127.0.0.1", " bytes=\(guide.count)", " source=sample",
                " status=200", " read=417", " removed=0", " id=\(id) ", " ms=",
            ])
    }

    @Test func importedPlaylistIsLoggedWithItsLineup() async throws {
        let playlist = try ServedGuide.sample("evening.m3u")
        let (_, lines) = try await run { [try await Self.post("?lineup=den", port: $0, body: playlist)] }
        expectEqual(lines.count, 1, "\(lines)")
        expectText(lines.joined(separator: "\n"), contains: [" lineup=den ", " channels="])
    }

    /// The names of sources and lineups are public: the log and `/api/v1/sources` contain them.
    @Test(arguments: ["source", "lineup"])
    func nameWithCredentialsIsRejectedAndNotLogged(parameter: String) async throws {
        let guide = try ServedGuide.sample("evening.xml")
        let name = "https%3A%2F%2Fjo%3Ahunter2%40tv.example%2Fa"
        let (responses, lines) = try await run { [try await Self.post("?\(parameter)=\(name)", port: $0, body: guide)] }
        expectEqual(responses.map(\.status), [400])
        expectText(lines.first, contains: [" status=400 "], lacks: ["hunter2"])
    }

    @Test func rejectedImportIsLoggedWithStatusTitleAndReason() async throws {
        let (_, lines) = try await run(format: .json) {
            [try await Self.post("?source=sample", port: $0, body: Array("just some words".utf8))]
        }
        expectText(
            lines.first,
            contains: [
                #""level":"notice""#, #""status":"422""#, #""title":"Unprocessable Content""#,
                #""source":"sample""#, #""bytes":"15""#, #""reason":""#,
            ])
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
        expectEqual(responses.map(\.status), [401, 401, 401, 422])
        expectEqual(lines.count, 4)
        for line in lines.prefix(3) { expectText(line, contains: ["access refused", "401"]) }
        expectText(lines.joined(separator: "\n"), lacks: ["hunter2", "dXNlcj", "staple"])
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
        expectEqual(responses.map(\.status), [401, 401, 401, 401, 401, 429])
        let wait = try #require(responses.last?["retry-after"].flatMap { Int($0) })
        #expect((1...60).contains(wait))
        try #require(lines.count == 5, "\(lines)")
        expectText(lines[4], contains: [" lockout-seconds=60 "])
        expectText(lines[3], lacks: ["lockout-seconds"])
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
        expectEqual(responses.map(\.status), [401, 401, 401, 401, 401, 429, 422])
        for line in lines.prefix(5) { expectText(line, contains: [" client=192.0.2.1 "]) }
        expectText(lines.last, contains: [" client=192.0.2.2 "])
    }
}
