import Testing

@testable import EPGRefresh

@Suite struct AddressPermissionTests {
    /// The configured host, whether private addresses are allowed, an address, and whether it may be connected to.
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
    func addressMustBeAllowedOrNamed(host: String, allows: Bool, address: String, expected: Bool) throws {
        let permission = AddressPermission(configuredHost: host, allowsPrivateAddresses: allows)
        let address = try #require(IPAddress(address))
        #expect(permission.allows(address, of: AddressKind(address)) == expected)
    }
}
