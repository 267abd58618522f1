import TestSupport
import Testing

@testable import EPGRefresh

/// Tests against IANA's special-purpose address registries, at the first and last address of each block and at the
/// addresses next to it.
@Suite struct AddressKindTests {
    private static let ipv4: [(String, AddressKind)] = [
        ("0.0.0.0", .unspecified), ("0.255.255.255", .unspecified), ("1.0.0.0", .global),
        ("9.255.255.255", .global), ("10.0.0.0", .privateUse), ("10.255.255.255", .privateUse),
        ("11.0.0.0", .global), ("100.63.255.255", .global), ("100.64.0.0", .carrierShared),
        ("100.127.255.255", .carrierShared), ("100.128.0.0", .global), ("126.255.255.255", .global),
        ("127.0.0.1", .loopback), ("127.255.255.255", .loopback), ("128.0.0.0", .global),
        ("169.253.255.255", .global), ("169.254.169.254", .linkLocal), ("169.255.0.0", .global),
        ("172.15.255.255", .global), ("172.16.0.0", .privateUse), ("172.31.255.255", .privateUse),
        ("172.32.0.0", .global), ("192.0.0.0", .protocolAssignment), ("192.0.0.8", .protocolAssignment),
        ("192.0.0.9", .global), ("192.0.0.10", .global), ("192.0.0.11", .protocolAssignment),
        ("192.0.0.170", .protocolAssignment), ("192.0.1.0", .global), ("192.0.2.1", .documentation),
        ("192.31.196.1", .global), ("192.52.193.1", .global), ("192.88.99.1", .protocolAssignment),
        ("192.168.0.0", .privateUse), ("192.168.255.255", .privateUse), ("192.169.0.0", .global),
        ("192.175.48.1", .global), ("198.17.255.255", .global), ("198.18.0.0", .benchmarking),
        ("198.19.255.255", .benchmarking), ("198.20.0.0", .global), ("198.51.100.1", .documentation),
        ("203.0.113.255", .documentation), ("203.0.114.0", .global), ("223.255.255.255", .global),
        ("224.0.0.1", .multicast), ("239.255.255.255", .multicast), ("240.0.0.0", .reserved),
        ("255.255.255.254", .reserved), ("255.255.255.255", .broadcast), ("8.8.8.8", .global),
    ]

    private static let ipv6: [(String, AddressKind)] = [
        ("::", .unspecified), ("::1", .loopback), ("100::1", .reserved),
        ("100:0:0:1::1", .reserved), ("5f00::1", .reserved), ("1fff:ffff::1", .reserved),
        ("2000::1", .global), ("2001::1", .protocolAssignment), ("2001:1::1", .global), ("2001:1::2", .global),
        ("2001:1::3", .global), ("2001:1::4", .protocolAssignment), ("2001:2::1", .benchmarking),
        ("2001:2:1::1", .protocolAssignment), ("2001:3::1", .global), ("2001:4:112::1", .global),
        ("2001:4:113::1", .protocolAssignment), ("2001:10::1", .protocolAssignment), ("2001:20::1", .global),
        ("2001:30::1", .global), ("2001:1ff:ffff::1", .protocolAssignment), ("2001:200::1", .global),
        ("2001:db7::1", .global), ("2001:db8::1", .documentation),
        ("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", .documentation), ("2001:db9::1", .global),
        ("2620:4f:8000::1", .global), ("3fff::1", .documentation), ("3fff:fff::1", .documentation),
        ("3fff:1000::1", .global), ("4000::1", .reserved), ("fbff::1", .reserved), ("fc00::1", .uniqueLocal),
        ("fdff:ffff::1", .uniqueLocal), ("fe00::1", .reserved), ("fe80::1", .linkLocal),
        ("febf::1", .linkLocal), ("fec0::1", .uniqueLocal), ("feff::1", .uniqueLocal), ("ff02::1", .multicast),
    ]

    /// IPv6 addresses whose kind is the kind of an IPv4 address in them.
    private static let embedded: [(String, AddressKind)] = [
        // Mapped (RFC 4291, 2.5.5.2).
        ("::ffff:127.0.0.1", .loopback), ("::ffff:10.0.0.1", .privateUse), ("::ffff:8.8.8.8", .global),
        ("::ffff:169.254.169.254", .linkLocal), ("::ffff:0.0.0.0", .unspecified),
        // Compatible (2.5.5.1); the prefix itself is reserved.
        ("::127.0.0.1", .loopback), ("::192.168.1.1", .privateUse), ("::8.8.8.8", .reserved), ("::2", .unspecified),
        // Translated (RFC 2765, 2.1).
        ("::ffff:0:127.0.0.1", .loopback), ("::ffff:0:8.8.8.8", .reserved),
        // NAT64 (RFC 6052, 2.1) and its local prefix (RFC 8215).
        ("64:ff9b::7f00:1", .loopback), ("64:ff9b::a00:1", .privateUse), ("64:ff9b::808:808", .global),
        ("64:ff9b:1::808:808", .privateUse),
        // 6to4 (RFC 3056, 2).
        ("2002:7f00:1::1", .loopback), ("2002:c0a8:101::1", .privateUse), ("2002:6440:1::1", .carrierShared),
        ("2002:808:808::1", .global),
        // Teredo (RFC 4380, 4), regardless of the embedded address.
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", .protocolAssignment),
    ]

    @Test(arguments: ipv4 + ipv6 + embedded)
    func addressHasKindOfItsBlock(text: String, expected: AddressKind) throws {
        #expect(AddressKind(try #require(IPAddress(text))) == expected)
    }

    @Test func everyRegistryEntryIsParsed() {
        let counts = [AddressKind.registryOfIPv4.count, AddressKind.registryOfIPv6.count, AddressKind.embeddings.count]
        #expect(counts == [18, 22, 5])
    }

    @Test func onlyLocalKindsCanBeAllowed() {
        let local = AddressKind.allCases.filter(\.isLocal)
        #expect(local == [.loopback, .privateUse, .carrierShared, .linkLocal, .uniqueLocal, .benchmarking])
    }

    /// A text, and the canonical text of its address; `nil` if it is invalid.
    @Test(
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("[::1]", "::1"),
            ("fe80::1%eth0", "fe80::1"),
            ("", nil), ("1.2.3", nil), ("1.2.3.4.5", nil), ("256.1.1.1", nil), ("example.org", nil), ("[::1", nil),
            ("1::2::3", nil), ("0x7f.1", nil), ("[127.0.0.1]x", nil),
        ] as [(String, String?)])
    func textualAddressIsParsed(text: String, expected: String?) {
        #expect(IPAddress(text)?.description == expected)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.1.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("0.0.0.0/0", "9.9.9.9", true),
        ("192.0.2.129/25", "192.0.2.255", true), ("192.0.2.129/25", "192.0.2.127", false),
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("::/0", "1.1.1.1", false),
        ("fc00::/7", "fdff::", true), ("fc00::/7", "fe00::", false),
    ])
    func blockContainsAddressesWithItsPrefix(block: String, address: String, expected: Bool) throws {
        #expect(try #require(AddressBlock(block)).contains(try #require(IPAddress(address))) == expected)
    }

    @Test(arguments: ["", "/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "::/129", "example.org/8"])
    func invalidBlockIsRejected(text: String) {
        #expect(AddressBlock(text) == nil)
    }
}

@Suite struct AddressPermissionTests {
    /// The configured host, whether private addresses are allowed, an address, and whether the connection is allowed.
    @Test(arguments: [
        ("guide.test", false, "8.8.8.8", true), ("guide.test", false, "10.0.0.1", false),
        ("guide.test", false, "127.0.0.1", false), ("guide.test", false, "::ffff:10.0.0.1", false),
        ("guide.test", true, "10.0.0.1", true), ("guide.test", true, "127.0.0.1", true),
        ("guide.test", true, "fe80::1", true), ("guide.test", true, "fd00::1", true),
        ("guide.test", true, "100.64.0.1", true), ("guide.test", true, "0.0.0.0", false),
        ("guide.test", true, "224.0.0.1", false), ("guide.test", true, "255.255.255.255", false),
        ("guide.test", true, "240.0.0.1", false), ("10.0.0.1", false, "10.0.0.1", true),
        ("10.0.0.1", false, "10.0.0.2", false), ("::1", false, "::1", true), ("::1", false, "127.0.0.1", false),
        ("0.0.0.0", false, "0.0.0.0", true), ("localhost", false, "127.0.0.1", true),
        ("localhost", false, "::1", true), ("localhost", false, "10.0.0.1", false),
        ("a.localhost", false, "127.0.0.1", true), ("localhost.test", false, "127.0.0.1", false),
    ])
    func localAddressMustBeAllowedOrConfigured(host: String, allows: Bool, address: String, expected: Bool) throws {
        let permission = AddressPermission(configuredHost: host, allowsPrivateAddresses: allows)
        let address = try #require(IPAddress(address))
        #expect(permission.allows(address, of: AddressKind(address)) == expected)
    }
}

/// Tests of refused addresses. The tests define the host names, and 127.0.0.2 represents a public address.
@Suite struct AddressRefusalTests {
    private static let guide = "<tv></tv>"

    private func fetcher(_ names: [String]) -> CurlFetcher {
        var fetcher = CurlFetcher.test(attempts: 4)
        fetcher.resolvedHosts = names
        return fetcher
    }

    @Test func loopbackHostIsRefusedUnlessAllowed() throws {
        let server = try LoopbackServer(replies: [.status("200 OK", body: Self.guide)])
        defer { server.stop() }
        let fetcher = fetcher(["guide.test:\(server.port):127.0.0.1"])
        let url = "http://guide.test:\(server.port)/"
        let error = try fetcher.error(url)
        #expect(
            (error.reason, error.attempts, error.kind)
                == (.refusedAddress(host: "guide.test", .loopback, isRedirect: false), 1, .configuration))
        #expect(server.requests.isEmpty)
        #expect(try fetcher.text(url, allowsPrivateAddresses: true) == Self.guide)
    }

    /// The second host is from a malicious name server that returns one public address among local ones.
    @Test(arguments: ["127.0.0.2", "10.0.0.1,127.0.0.1,127.0.0.2"])
    func onlyPublicAddressesOfAHostAreUsed(addresses: String) throws {
        let server = try LoopbackServer(host: "127.0.0.2", replies: [.status("200 OK", body: Self.guide)])
        defer { server.stop() }
        let fetcher = fetcher(["guide.test:\(server.port):\(addresses)"])
        #expect(try fetcher.text("http://guide.test:\(server.port)/") == Self.guide)
    }

    @Test func configuredLocalAddressIsAllowed() throws {
        let server = try LoopbackServer(replies: [.status("200 OK", body: Self.guide)])
        defer { server.stop() }
        let fetcher = fetcher([])
        for host in ["127.0.0.1", "0x7f.0.0.1", "2130706433", "localhost", "LOCALHOST"] {
            #expect(try fetcher.text("http://\(host):\(server.port)/") == Self.guide)
        }
    }

    /// All notations of a local address: decimal, hexadecimal, a host name, and IPv6.
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
    func redirectToLocalAddressIsRefused(target: String, host: String, kind: AddressKind) throws {
        let victim = try LoopbackServer(replies: [.status("200 OK", body: Self.guide)])
        defer { victim.stop() }
        let target = target.split(separator: "PORT", omittingEmptySubsequences: false).joined(
            separator: "\(victim.port)")
        let server = try LoopbackServer(
            host: "127.0.0.2", replies: [.status("302 Found", headers: ["Location: \(target)"])])
        defer { server.stop() }
        let fetcher = fetcher(["trick.test:\(victim.port):127.0.0.1"])
        for allows in [false, true] {
            let error = try fetcher.error(server.url(), allowsPrivateAddresses: allows)
            guard case .refusedAddress(let refused, kind, isRedirect: true) = error.reason else {
                Issue.record("Unexpected error: \(error)")
                return
            }
            // libcurl may write a mapped address in hexadecimal digits.
            #expect(IPAddress(refused) == IPAddress(host) && (refused == host || IPAddress(host) != nil))
            #expect(error.kind == .unavailable)
        }
        #expect(victim.requests.isEmpty)
    }

    /// The configured host may be private, but only at the configured port.
    @Test func redirectToAnotherPortOfAPrivateHostIsRefused() throws {
        let victim = try LoopbackServer(replies: [.status("200 OK", body: Self.guide)])
        defer { victim.stop() }
        let server = try LoopbackServer(replies: [.status("302 Found", headers: ["Location: \(victim.url())"])])
        defer { server.stop() }
        let error = try fetcher([]).error(server.url(), allowsPrivateAddresses: true)
        #expect(
            (error.reason, victim.requests.count)
                == (.refusedAddress(host: "127.0.0.1", .loopback, isRedirect: true), 0))
    }

    @Test func redirectBackToLocalHostIsRefused() throws {
        let victim = try LoopbackServer { [guide = Self.guide] request in
            request.path == "/guide.xml"
                ? .status("302 Found", headers: ["Location: http://web.test:\(request.headers["x-port"] ?? "")/"])
                : .status("200 OK", body: guide)
        }
        defer { victim.stop() }
        let back = victim.url("/back")
        let web = try LoopbackServer(host: "127.0.0.2", replies: [.status("302 Found", headers: ["Location: \(back)"])])
        defer { web.stop() }
        let fetcher = fetcher(["web.test:\(web.port):127.0.0.2"])
        let request = FetchRequest(
            location: .url(victim.url()), headers: [HeaderField(name: "X-Port", value: "\(web.port)")],
            allowsPrivateAddresses: true)
        let error = try fetchError { try fetcher.fetch(request) }
        #expect(
            (error.reason, victim.requests.count)
                == (.refusedAddress(host: "127.0.0.1", .loopback, isRedirect: true), 1))
    }

    /// Returns a fetcher that uses a server as its proxy. The request line contains the URL.
    private func fetcherUsing(
        _ proxy: LoopbackServer, addresses: [String: String]
    ) -> CurlFetcher {
        var fetcher = CurlFetcher.test()
        let url = proxy.url("")
        fetcher.proxy = EnvironmentProxy { $0 == "http_proxy" ? url : nil }
        fetcher.resolve = { addresses[$0].flatMap { IPAddress($0) }.map { [$0] } ?? [] }
        return fetcher
    }

    @Test func localProxyFromEnvironmentIsAllowed() throws {
        let proxy = try LoopbackServer(replies: [.status("200 OK", body: Self.guide)])
        defer { proxy.stop() }
        for addresses in [[:], ["guide.test": "127.0.0.2"]] {
            #expect(try fetcherUsing(proxy, addresses: addresses).text("http://guide.test/a") == Self.guide)
        }
        #expect(proxy.requests.map(\.line) == Array(repeating: "GET http://guide.test/a HTTP/1.1", count: 2))
    }

    @Test func proxyDoesNotBypassAddressChecks() throws {
        let proxy = try LoopbackServer { request in
            request.line.contains("guide.test")
                ? .status("302 Found", headers: ["Location: http://trick.test/"]) : .status("200 OK", body: Self.guide)
        }
        defer { proxy.stop() }
        /// Returns the reason for which a fetch of `guide.test` fails.
        func reason(_ addresses: [String: String]) throws -> FetchError.Reason {
            try fetcherUsing(proxy, addresses: addresses).error("http://guide.test/").reason
        }
        let ownReason = try reason(["guide.test": "10.0.0.1"])
        #expect(ownReason == .refusedAddress(host: "guide.test", .privateUse, isRedirect: false))
        #expect(proxy.requests.isEmpty)

        let reasons = try [reason(["trick.test": "10.0.0.1"]), reason([:])]
        #expect(reasons == [.refusedAddress(host: "trick.test", .privateUse, isRedirect: true), .unknownHost])
        #expect(proxy.requests.count == 2)
        let good = fetcherUsing(proxy, addresses: ["trick.test": "127.0.0.2"])
        #expect(try good.text("http://guide.test/") == Self.guide)
    }
}
