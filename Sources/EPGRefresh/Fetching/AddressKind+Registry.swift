extension AddressKind {
    /// The IPv4 Special-Purpose Address Registry, and the classes D and E.
    ///
    /// Blocks that are "globally reachable" stand here only where a wider one isn't.
    static let registryOfIPv4 = blocks([
        ("0.0.0.0/8", .unspecified),
        ("10.0.0.0/8", .privateUse),
        ("100.64.0.0/10", .carrierShared),
        ("127.0.0.0/8", .loopback),
        ("169.254.0.0/16", .linkLocal),
        ("172.16.0.0/12", .privateUse),
        ("192.0.0.0/24", .protocolAssignment),
        ("192.0.0.9/32", .global),  // Port Control Protocol anycast, RFC 7723
        ("192.0.0.10/32", .global),  // TURN anycast, RFC 8155
        ("192.0.2.0/24", .documentation),
        ("192.88.99.0/24", .protocolAssignment),  // 6to4 relays, withdrawn by RFC 7526
        ("192.168.0.0/16", .privateUse),
        ("198.18.0.0/15", .benchmarking),
        ("198.51.100.0/24", .documentation),
        ("203.0.113.0/24", .documentation),
        ("224.0.0.0/4", .multicast),
        ("240.0.0.0/4", .reserved),
        ("255.255.255.255/32", .broadcast),
    ])

    /// The IPv6 Special-Purpose Address Registry; global unicast is 2000::/3 alone (RFC 4291, 2.4, and IANA's space).
    static let registryOfIPv6 = blocks([
        ("::/0", .reserved),
        ("::/128", .unspecified),
        ("::1/128", .loopback),
        ("::ffff:0:0/96", .global),  // of the kind of the IPv4 address in it
        ("64:ff9b::/96", .global),  // the same
        ("64:ff9b:1::/48", .privateUse),
        ("2000::/3", .global),
        ("2001::/23", .protocolAssignment),
        ("2001:1::1/128", .global),  // Port Control Protocol anycast, RFC 7723
        ("2001:1::2/128", .global),  // TURN anycast, RFC 8155
        ("2001:1::3/128", .global),  // DNS-SD anycast, RFC 9665
        ("2001:2::/48", .benchmarking),
        ("2001:3::/32", .global),  // AMT, RFC 7450
        ("2001:4:112::/48", .global),  // AS112, RFC 7535
        ("2001:20::/28", .global),  // ORCHIDv2, RFC 7343
        ("2001:30::/28", .global),  // drones, RFC 9374
        ("2001:db8::/32", .documentation),
        ("3fff::/20", .documentation),
        ("fc00::/7", .uniqueLocal),
        ("fe80::/10", .linkLocal),
        ("fec0::/10", .uniqueLocal),
        ("ff00::/8", .multicast),
    ])

    /// Blocks whose addresses hold one of IPv4, and at which byte.
    static let embeddings: [(block: AddressBlock, place: Int)] = [
        ("::ffff:0:0/96", 12),
        ("::ffff:0:0:0/96", 12),
        ("64:ff9b::/96", 12),
        ("2002::/16", 2),
        // `::` and `::1` are what they are.
        ("::/96", 12),
    ].compactMap { text, place in AddressBlock(text).map { ($0, place) } }

    private static func blocks(_ texts: [(String, AddressKind)]) -> [(block: AddressBlock, kind: AddressKind)] {
        texts.compactMap { text, kind in AddressBlock(text).map { ($0, kind) } }
    }
}
