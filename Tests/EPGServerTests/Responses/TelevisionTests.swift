import TestSupport
import Testing

@testable import EPGServer
@testable import ServiceTestSupport

/// Tests of which clients get pages for televisions.
@Suite struct TelevisionTests {
    /// User agents, and whether they are televisions.
    private static let agents: [(agent: String, isTelevision: Bool)] = [
        (
            "Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.5) AppleWebKit/537.36 (KHTML, like Gecko) 85.0.4183.93/6.5 TV Safari/537.36",
            true
        ),
        (
            "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/79.0.3945.79 Safari/537.36 WebAppManager",
            true
        ),
        (
            "Mozilla/5.0 (Linux; Android 9; BRAVIA 4K UR2 Build/PTT1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/96.0 Safari/537.36",
            true
        ),
        (
            "Mozilla/5.0 (Linux; Android 11; Android TV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/90.0 Safari/537.36",
            true
        ),
        (
            "Mozilla/5.0 (Linux; Android 7.1.2; AFTMM) AppleWebKit/537.36 (KHTML, like Gecko) Silk/98.1 Safari/537.36",
            true
        ),
        (
            "Mozilla/5.0 (X11; Linux armv7l) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/90.0 Safari/537.36 CrKey/1.56.500000",
            true
        ),
        ("HbbTV/1.4.1 (+DRM; Panasonic; VIERA 2019; 3.309; 6101-0003; )", true),
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
            false
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Safari/604.1",
            false
        ),
        (
            "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Mobile Safari/537.36",
            false
        ),
        ("AFTER/1.0 AFT", false), ("curl/8.5.0", false), ("", false),
    ]

    @Test func televisionsGetTheirPagesUnlessTheURLSaysOtherwise() async throws {
        try await GuardedServer.run { server in
            for (agent, isTelevision) in TelevisionTests.agents {
                // The third response is a prepared one.
                for target in ["/", "/", "/", "/home", "/nothing", "/?tv=1", "/?tv=0"] {
                    let response = try await RawClient.get(
                        target, port: server.port, headers: ["User-Agent: \(agent)", "Accept: text/html"])
                    let expected = target.hasSuffix("tv=1") || isTelevision && !target.hasSuffix("tv=0")
                    expectEqual(response.text.contains(" data-tv=\"\""), expected, "\(target): \(agent)")
                    expectEqual(response.text.contains("tv.css"), expected, "\(target): \(agent)")
                    expectEqual(response["vary"]?.contains("User-Agent"), true, target)
                }
            }
        }
    }

    @Test func linksKeepOnlyWhatTheURLSays() async throws {
        try await GuardedServer.run { server in
            let agent = "User-Agent: \(TelevisionTests.agents[0].agent)"
            let implicit = try await RawClient.get("/home", port: server.port, headers: [agent])
            expectResponse(implicit, 200, contains: ["href=\"/stations\""], lacks: ["tv=1"])
            let explicit = try await RawClient.get("/home?tv=0", port: server.port, headers: [agent])
            expectResponse(explicit, 200, contains: ["href=\"/stations?tv=0\"", "name=\"tv\" value=\"0\""])
        }
    }

    @Test func filesOfTelevisionsAreImmutableAndOfOlderSyntax() async throws {
        try await GuardedServer.run { server in
            let page = try await RawClient.get("/?tv=1", port: server.port)
            let urls = page.text.matches(of: /(?:href|src)="(\/assets\/[^"]+\.(?:js|css))"/).map { String($0.1) }
            #expect(urls.count >= 10)
            for url in urls {
                let file = try await RawClient.get(url, port: server.port)
                expectResponse(file, 200, lacks: ["?.(", " ?? ", ":is(", "inset-inline"], url)
                expectEqual(file["cache-control"]?.contains("immutable"), true, url)
            }
        }
    }
}
