import Testing

@testable import EPGRefresh

/// The expectations are those of IANA's registries of special-purpose addresses, at the first and the last address of a
/// block and beside it.
@Suite struct AddressKindTests {
    @Test(
        arguments: [
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
        ] as [(String, AddressKind)])
    func addressOfIPv4IsOfItsBlock(text: String, expected: AddressKind) throws {
        #expect(AddressKind(try #require(IPAddress(text))) == expected)
    }

    @Test(
        arguments: [
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
        ] as [(String, AddressKind)])
    func addressOfIPv6IsOfItsBlock(text: String, expected: AddressKind) throws {
        #expect(AddressKind(try #require(IPAddress(text))) == expected)
    }

    @Test(
        arguments: [
            // Mapped (RFC 4291, 2.5.5.2).
            ("::ffff:127.0.0.1", .loopback), ("::ffff:10.0.0.1", .privateUse), ("::ffff:8.8.8.8", .global),
            ("::ffff:169.254.169.254", .linkLocal), ("::ffff:0.0.0.0", .unspecified),
            // Compatible (2.5.5.1), which lead nowhere by themselves.
            ("::127.0.0.1", .loopback), ("::192.168.1.1", .privateUse), ("::8.8.8.8", .reserved), ("::2", .unspecified),
            // Translated (RFC 2765, 2.1).
            ("::ffff:0:127.0.0.1", .loopback), ("::ffff:0:8.8.8.8", .reserved),
            // NAT64 (RFC 6052, 2.1) and its local prefix (RFC 8215).
            ("64:ff9b::7f00:1", .loopback), ("64:ff9b::a00:1", .privateUse), ("64:ff9b::808:808", .global),
            ("64:ff9b:1::808:808", .privateUse),
            // 6to4 (RFC 3056, 2).
            ("2002:7f00:1::1", .loopback), ("2002:c0a8:101::1", .privateUse), ("2002:6440:1::1", .carrierShared),
            ("2002:808:808::1", .global),
            // Teredo (RFC 4380, 4), whatever it leads to.
            ("2001:0:4136:e378:8000:63bf:3fff:fdd2", .protocolAssignment),
        ] as [(String, AddressKind)])
    func addressThatHoldsAnotherIsOfThatOnesKind(text: String, expected: AddressKind) throws {
        #expect(AddressKind(try #require(IPAddress(text))) == expected)
    }

    @Test func everyLineOfTheRegistriesIsRead() {
        #expect(AddressKind.registryOfIPv4.count == 18)
        #expect(AddressKind.registryOfIPv6.count == 22)
        #expect(AddressKind.embeddings.count == 5)
    }

    @Test func onlyNetworksOfOnesOwnCanBeAllowed() {
        let local = AddressKind.allCases.filter(\.isLocal)
        #expect(local == [.loopback, .privateUse, .carrierShared, .linkLocal, .uniqueLocal, .benchmarking])
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("[::1]", "::1"),
        ("fe80::1%eth0", "fe80::1"),
    ])
    func addressIsReadAsPeopleWriteIt(text: String, expected: String) throws {
        #expect(try #require(IPAddress(text)).description == expected)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "example.org", "[::1", "1::2::3", "0x7f.1", "[127.0.0.1]x",
    ])
    func whatIsNoAddressIsNone(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.1.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("0.0.0.0/0", "9.9.9.9", true),
        ("192.0.2.129/25", "192.0.2.255", true), ("192.0.2.129/25", "192.0.2.127", false),
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("::/0", "1.1.1.1", false),
        ("fc00::/7", "fdff::", true), ("fc00::/7", "fe00::", false),
    ])
    func blockHoldsWhatSharesItsFirstBits(block: String, address: String, expected: Bool) throws {
        #expect(try #require(AddressBlock(block)).contains(try #require(IPAddress(address))) == expected)
    }

    @Test(arguments: ["", "/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "::/129", "example.org/8"])
    func whatIsNoBlockIsNone(text: String) {
        #expect(AddressBlock(text) == nil)
    }
}
