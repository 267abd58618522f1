import EPGRender
import TestSupport
import Testing

@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

@Suite struct ResponseHeaderTests {
    @Test(arguments: [
        ("GET", "/healthz", 200), ("GET", "/api/v1/sources", 200), ("HEAD", "/api/v1/sources", 200),
        ("GET", "/nothing", 404), ("GET", "/api/v1/sources?x=1", 400), ("POST", "/api/v1/sources", 405),
        ("OPTIONS", "/api/v1/sources", 204),
    ]) func everyResponseHasSecurityHeaders(method: String, path: String, status: Int) async throws {
        try await GuardedServer.run { server in
            let response = try await RawClient.request(method, path, port: server.port)
            expectResponse(
                response, status,
                headers: [
                    "x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "x-frame-options": "DENY",
                ])
            expectPrefix(response["content-security-policy"], "default-src 'none'")
            expectResponse(response, headers: ["access-control-allow-origin": nil, "server": nil])
        }
    }

    @Test(
        arguments: [(.everywhere, "http: https: data:"), (.service, "'self' data:")] as [(PictureOrigin, String)])
    func contentSecurityPolicyAllowsOnlyOwnScripts(origin: PictureOrigin, sources: String) {
        expectEqual(
            SecurityHeaders.pagePolicy(pictures: origin),
            "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
                + "img-src \(sources); connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
                + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
    }

    /// The headers that browsers check according to the Fetch standard.
    @Test(
        arguments: [
            ([], "https://a.example", nil, nil),
            (["https://a.example"], "https://a.example", "https://a.example", "Origin"),
            (["https://a.example"], "https://b.example", nil, "Origin"),
            (["https://a.example"], nil, nil, "Origin"),
            (["*"], "https://b.example", "*", nil),
        ] as [([String], String?, String?, String?)])
    func crossOriginAccessFollowsTheSettings(origins: [String], origin: String?, allowed: String?, vary: String?)
        async throws
    {
        try await GuardedServer.run {
            $0.crossOrigins = origins
        } _: { server in
            let headers = origin.map { ["Origin: \($0)"] } ?? []
            for path in ["/api/v1/sources", "/nothing"] {
                let response = try await RawClient.get(path, port: server.port, headers: headers)
                expectEqual(response["access-control-allow-origin"], allowed)
                let varies = response.headers.filter { $0.name == "vary" }.map(\.value)
                expectEqual(varies.contains("Origin"), vary != nil)
            }
            let preflight = try await RawClient.request(
                "OPTIONS", "/api/v1/sources", port: server.port,
                headers: headers + ["Access-Control-Request-Method: GET"])
            expectResponse(preflight, 204)
            expectEqual(preflight["access-control-allow-origin"], allowed)
            expectEqual(preflight["access-control-allow-methods"], allowed == nil ? nil : "GET, HEAD, OPTIONS")
        }
    }

    /// The response has no `Vary`, so a cache sends all clients the response to the first one.
    @Test func everyResponseAllowsEveryOriginIfConfigured() async throws {
        try await GuardedServer.run {
            $0.crossOrigins = ["*"]
        } _: { server in
            // The third response is a prepared one.
            for _ in 0..<3 {
                let response = try await RawClient.get("/api/v1/groups", port: server.port)
                expectResponse(response, headers: ["access-control-allow-origin": "*"])
            }
        }
    }

    @Test func eachHeaderAppearsOnce() async throws {
        try await GuardedServer.run { server in
            for path in ["/", "/home", "/assets/0/guide.css"] {
                let names = try await RawClient.get(path, port: server.port).headers.map(\.name)
                expectEqual(names.count, Set(names).count, "\(path): \(names)")
            }
        }
    }

    @Test func readinessResponseIsNotCacheable() async throws {
        try await GuardedServer.run { server in
            let response = try await RawClient.get("/readyz", port: server.port)
            expectResponse(response, 200, headers: ["cache-control": "no-store"])
        }
    }
}
