import Testing

@testable import EPGRefresh

/// Which addresses are connected to; names lead where the test says, 127.0.0.2 stands for an address of the Internet.
@Suite struct AddressRefusalTests {
    private static let guide = "<tv></tv>"

    private func fetcher(_ names: [String]) -> CurlFetcher {
        var settings = CurlSettings.test(attempts: 4)
        settings.names = names
        return CurlFetcher(settings)
    }

    @Test func nameThatLeadsToThisMachineIsRefusedUnlessAllowed() throws {
        let server = try LoopbackServer(replies: [.status("200 OK", body: Self.guide)])
        defer { server.stop() }
        let fetcher = fetcher(["guide.test:\(server.port):127.0.0.1"])
        let address = "http://guide.test:\(server.port)/"
        let error = try fetcher.error(address)
        #expect(error.reason == .refusedAddress(host: "guide.test", .loopback, isRedirect: false))
        #expect(error.attempts == 1)
        #expect(error.exitCode == 78)
        #expect(server.requests.isEmpty)
        #expect(try fetcher.text(address, allowsPrivateAddresses: true) == Self.guide)
    }

    @Test func nameOfTheInternetIsFetched() throws {
        let server = try LoopbackServer(host: "127.0.0.2", replies: [.status("200 OK", body: Self.guide)])
        defer { server.stop() }
        let fetcher = fetcher(["guide.test:\(server.port):127.0.0.2"])
        #expect(try fetcher.text("http://guide.test:\(server.port)/") == Self.guide)
    }

    /// As a name service does that is to lead a fetch astray: one good address among bad ones.
    @Test func onlyTheGoodAddressesOfANameAreConnectedTo() throws {
        let server = try LoopbackServer(host: "127.0.0.2", replies: [.status("200 OK", body: Self.guide)])
        defer { server.stop() }
        let fetcher = fetcher(["guide.test:\(server.port):10.0.0.1,127.0.0.1,127.0.0.2"])
        #expect(try fetcher.text("http://guide.test:\(server.port)/") == Self.guide)
    }

    @Test func addressInDigitsAndLocalhostAreAllowedWhereTheyAreNamed() throws {
        let server = try LoopbackServer(replies: [.status("200 OK", body: Self.guide)])
        defer { server.stop() }
        let fetcher = fetcher([])
        for host in ["127.0.0.1", "0x7f.0.0.1", "2130706433", "localhost", "LOCALHOST"] {
            #expect(try fetcher.text("http://\(host):\(server.port)/") == Self.guide)
        }
    }

    /// Whatever way a redirect names it: in digits, in other digits, by a name, in IPv6.
    @Test(
        arguments: [
            ("http://127.0.0.1:PORT/", "127.0.0.1", .loopback), ("http://0x7f.1:PORT/", "127.0.0.1", .loopback),
            ("http://2130706433:PORT/", "127.0.0.1", .loopback), ("http://localhost:PORT/", "localhost", .loopback),
            ("http://trick.test:PORT/", "trick.test", .loopback), ("http://[::1]:PORT/", "::1", .loopback),
            ("http://[::ffff:127.0.0.1]:PORT/", "::ffff:127.0.0.1", .loopback),
            ("http://0.0.0.0:PORT/", "0.0.0.0", .unspecified), ("http://10.0.0.1/", "10.0.0.1", .privateUse),
            ("http://169.254.169.254/latest", "169.254.169.254", .linkLocal),
            ("http://[fd00::1]/", "fd00::1", .uniqueLocal), ("http://[64:ff9b::7f00:1]/", "64:ff9b::7f00:1", .loopback),
        ] as [(String, String, AddressKind)])
    func redirectNeverLeadsToOnesOwnNetwork(target: String, host: String, kind: AddressKind) throws {
        let victim = try LoopbackServer(replies: [.status("200 OK", body: Self.guide)])
        defer { victim.stop() }
        let target = target.split(separator: "PORT", omittingEmptySubsequences: false).joined(
            separator: "\(victim.port)")
        let server = try LoopbackServer(
            host: "127.0.0.2", replies: [.status("302 Found", headers: ["Location: \(target)"])])
        defer { server.stop() }
        let fetcher = fetcher(["trick.test:\(victim.port):127.0.0.1"])
        for allows in [false, true] {
            let error = try fetcher.error(server.address(), allowsPrivateAddresses: allows)
            guard case .refusedAddress(let refused, kind, isRedirect: true) = error.reason else {
                Issue.record("unexpected: \(error)")
                return
            }
            // libcurl may write a mapped address in hexadecimal digits.
            #expect(IPAddress(refused) == IPAddress(host) && (refused == host || IPAddress(host) != nil))
            #expect(error.exitCode == 69)
        }
        #expect(victim.requests.isEmpty)
    }

    /// The configured host itself may be private, but only at the port that the configuration names.
    @Test func redirectToAnotherPortOfAPrivateHostIsRefused() throws {
        let victim = try LoopbackServer(replies: [.status("200 OK", body: Self.guide)])
        defer { victim.stop() }
        let server = try LoopbackServer(replies: [.status("302 Found", headers: ["Location: \(victim.address())"])])
        defer { server.stop() }
        let error = try fetcher([]).error(server.address(), allowsPrivateAddresses: true)
        #expect(error.reason == .refusedAddress(host: "127.0.0.1", .loopback, isRedirect: true))
        #expect(victim.requests.isEmpty)
    }

    @Test func wayBackFromElsewhereIsRefused() throws {
        let victim = try LoopbackServer { [guide = Self.guide] request in
            request.path == "/guide.xml"
                ? .status("302 Found", headers: ["Location: http://web.test:\(request.headers["x-port"] ?? "")/"])
                : .status("200 OK", body: guide)
        }
        defer { victim.stop() }
        let back = victim.address("/back")
        let web = try LoopbackServer(host: "127.0.0.2", replies: [.status("302 Found", headers: ["Location: \(back)"])])
        defer { web.stop() }
        let fetcher = fetcher(["web.test:\(web.port):127.0.0.2"])
        let request = FetchRequest(
            location: .address(victim.address()), headers: [HeaderField(name: "X-Port", value: "\(web.port)")],
            allowsPrivateAddresses: true)
        let error = #expect(throws: FetchError.self) { try fetcher.fetch(request) }
        #expect(error?.reason == .refusedAddress(host: "127.0.0.1", .loopback, isRedirect: true))
        #expect(victim.requests.count == 1)
    }

    /// A server as proxy: what it is asked for is told by the request line.
    private func throughProxy(
        _ proxy: LoopbackServer, addresses: [String: String]
    ) -> CurlFetcher {
        var settings = CurlSettings.test()
        let address = proxy.address("")
        settings.proxy = EnvironmentProxy { $0 == "http_proxy" ? address : nil }
        settings.addresses = { addresses[$0].flatMap { IPAddress($0) }.map { [$0] } ?? [] }
        return CurlFetcher(settings)
    }

    @Test func proxyOfTheEnvironmentIsUsedWhereverItIs() throws {
        let proxy = try LoopbackServer(replies: [.status("200 OK", body: Self.guide)])
        defer { proxy.stop() }
        for addresses in [[:], ["guide.test": "127.0.0.2"]] {
            #expect(try throughProxy(proxy, addresses: addresses).text("http://guide.test/a") == Self.guide)
        }
        #expect(proxy.requests.map(\.line) == Array(repeating: "GET http://guide.test/a HTTP/1.1", count: 2))
    }

    @Test func proxyDoesNotGetAroundTheJudgement() throws {
        let proxy = try LoopbackServer { request in
            request.line.contains("guide.test")
                ? .status("302 Found", headers: ["Location: http://trick.test/"]) : .status("200 OK", body: Self.guide)
        }
        defer { proxy.stop() }
        let own = throughProxy(proxy, addresses: ["guide.test": "10.0.0.1"])
        #expect(
            try own.error("http://guide.test/").reason
                == .refusedAddress(host: "guide.test", .privateUse, isRedirect: false))
        #expect(proxy.requests.isEmpty)

        let known = throughProxy(proxy, addresses: ["trick.test": "10.0.0.1"])
        #expect(
            try known.error("http://guide.test/").reason
                == .refusedAddress(host: "trick.test", .privateUse, isRedirect: true))
        #expect(try throughProxy(proxy, addresses: [:]).error("http://guide.test/").reason == .unknownHost)
        #expect(proxy.requests.count == 2)
        let good = throughProxy(proxy, addresses: ["trick.test": "127.0.0.2"])
        #expect(try good.text("http://guide.test/") == Self.guide)
    }
}
