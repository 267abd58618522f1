// Clang attributes `sockaddr` to either module, because the headers of libcurl include its definition.
internal import CCurl
internal import Glibc

/// An IPv4 or IPv6 address.
package struct IPAddress: Hashable, Sendable {
    /// 4 or 16 bytes in network order.
    package let bytes: [UInt8]

    /// Creates an address from bytes; `nil` unless there are 4 or 16.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Parses a textual address: `192.0.2.1`, `2001:db8::1`, `[fe80::1%25eth0]`; `nil` for anything else.
    ///
    /// The zone of an address (RFC 6874) is ignored.
    package init?(_ text: String) {
        var digits = text[...]
        if digits.first == "[" {
            guard digits.last == "]" else { return nil }
            digits = digits.dropFirst().dropLast()
        }
        digits = digits.prefix { $0 != "%" }
        let family = digits.contains(":") ? AF_INET6 : AF_INET
        var bytes = [UInt8](repeating: 0, count: family == AF_INET6 ? 16 : 4)
        guard inet_pton(family, String(digits), &bytes) == 1 else { return nil }
        self.bytes = bytes
    }

    /// Returns the address of a socket; `nil` for other address families.
    init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
    }

    /// Resolves a host name with the system's resolver. Returns distinct addresses; empty if there are none.
    static func addresses(ofHost name: String) -> [IPAddress] {
        var hints = addrinfo()
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var addresses: [IPAddress] = []
        var next = first
        while let entry = next {
            // The resolver lists an address once per socket type.
            if let address = entry.pointee.ai_addr.flatMap({ IPAddress(UnsafePointer($0)) }),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            next = entry.pointee.ai_next
        }
        return addresses
    }
}

extension IPAddress: CustomStringConvertible {
    /// `192.0.2.1` or `2001:db8::1` (RFC 5952).
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else {
            return "\(bytes)"
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// A CIDR block, such as `10.0.0.0/8` or `fc00::/7`.
struct AddressBlock: Hashable, Sendable {
    private let base: IPAddress
    /// Length of the prefix in bits, 0…32 or 0…128.
    let length: Int

    /// Parses a block; a single address is a block of one. `nil` for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
        base = address
        guard parts.count == 2 else {
            length = address.bytes.count * 8
            return
        }
        guard let bits = Int(parts[1]), (0...address.bytes.count * 8).contains(bits) else { return nil }
        length = bits
    }

    /// Returns whether the block contains an address. IPv4 and IPv6 never match each other.
    func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == base.bytes.count else { return false }
        let byteCount = length / 8
        guard address.bytes[..<byteCount] == base.bytes[..<byteCount] else { return false }
        let bitCount = length % 8
        return bitCount == 0 || (address.bytes[byteCount] ^ base.bytes[byteCount]) >> (8 - bitCount) == 0
    }
}

/// The purpose of an IP address: public, or one that leads to this machine, its network, or nowhere.
///
/// The blocks are listed in IANA's special-purpose address registries (RFC 6890 and its updates).
package enum AddressKind: Hashable, Sendable, CaseIterable {
    /// A public address.
    case global
    /// "This host", 0.0.0.0 and ::, and the rest of 0.0.0.0/8 (RFC 1122, RFC 4291).
    case unspecified
    /// This machine (RFC 1122, RFC 4291).
    case loopback
    /// A private network (RFC 1918), also behind local-use IPv4/IPv6 translation (RFC 8215).
    case privateUse
    /// The shared address space of carrier-grade NAT (RFC 6598).
    case carrierShared
    /// A single link (RFC 3927, RFC 4291).
    case linkLocal
    /// A private IPv6 site (RFC 4193), and the deprecated fec0::/10 (RFC 3879).
    case uniqueLocal
    /// A group of receivers (RFC 5771, RFC 4291).
    case multicast
    /// All hosts of a link (RFC 8190).
    case broadcast
    /// Examples in documentation (RFC 5737, RFC 3849, RFC 9637).
    case documentation
    /// Benchmarks of network devices (RFC 2544, RFC 5180).
    case benchmarking
    /// IETF protocol assignments that are not servers, including tunnels (RFC 6890, RFC 4380, RFC 7526).
    case protocolAssignment
    /// Reserved for future use, or discarded (RFC 1112, RFC 6666, RFC 4291).
    case reserved

    /// Classifies an address.
    ///
    /// An IPv6 address that embeds an IPv4 address is classified by that one: mapped, compatible and translated
    /// addresses (RFC 4291, RFC 2765), NAT64 (RFC 6052) and 6to4 (RFC 3056).
    package init(_ address: IPAddress) {
        let kind = AddressKind.registered(address)
        guard kind == .global || kind == .reserved, let embedded = AddressKind.embedded(in: address) else {
            self = kind
            return
        }
        let inner = AddressKind.registered(embedded)
        self = inner == .global ? kind : inner
    }

    /// Whether the address belongs to this machine or its network, so that a configuration can allow it.
    ///
    /// The remaining special addresses lead nowhere (``reserved``), to many hosts (``multicast``), or to this machine
    /// under another name (``unspecified``).
    package var isLocal: Bool {
        switch self {
        case .loopback, .privateUse, .carrierShared, .linkLocal, .uniqueLocal, .benchmarking: true
        default: false
        }
    }

    /// Returns the kind of the most specific registered block that contains the address.
    private static func registered(_ address: IPAddress) -> AddressKind {
        let blocks = address.bytes.count == 4 ? registryOfIPv4 : registryOfIPv6
        let match = blocks.filter { $0.block.contains(address) }.max { $0.block.length < $1.block.length }
        return match?.kind ?? .global
    }

    private static func embedded(in address: IPAddress) -> IPAddress? {
        guard let offset = embeddings.first(where: { $0.block.contains(address) })?.offset else { return nil }
        return IPAddress(bytes: Array(address.bytes[offset..<offset + 4]))
    }
}

extension AddressKind: CustomStringConvertible {
    /// A noun phrase, such as `a private address`.
    package var description: String {
        switch self {
        case .global: "a public address"
        case .unspecified: "the unspecified address"
        case .loopback: "a loopback address"
        case .privateUse: "a private address"
        case .carrierShared: "a carrier-grade NAT address"
        case .linkLocal: "a link-local address"
        case .uniqueLocal: "a unique local address"
        case .multicast: "a multicast address"
        case .broadcast: "a broadcast address"
        case .documentation: "a documentation address"
        case .benchmarking: "a benchmarking address"
        case .protocolAssignment: "an address reserved for IETF protocols"
        case .reserved: "a reserved address"
        }
    }
}

// MARK: - IANA registries

extension AddressKind {
    /// The IPv4 Special-Purpose Address Registry, and classes D and E.
    ///
    /// Globally reachable blocks are listed only inside a wider block that is not.
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

    /// The IPv6 Special-Purpose Address Registry. Global unicast is 2000::/3 only (RFC 4291, 2.4).
    static let registryOfIPv6 = blocks([
        ("::/0", .reserved),
        ("::/128", .unspecified),
        ("::1/128", .loopback),
        ("::ffff:0:0/96", .global),  // classified by the embedded IPv4 address
        ("64:ff9b::/96", .global),  // classified by the embedded IPv4 address
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

    /// Blocks whose addresses embed an IPv4 address, with its byte offset.
    static let embeddings: [(block: AddressBlock, offset: Int)] = [
        ("::ffff:0:0/96", 12),
        ("::ffff:0:0:0/96", 12),
        ("64:ff9b::/96", 12),
        ("2002::/16", 2),
        // `::` and `::1` are registered themselves.
        ("::/96", 12),
    ].compactMap { text, offset in AddressBlock(text).map { ($0, offset) } }

    private static func blocks(_ texts: [(String, AddressKind)]) -> [(block: AddressBlock, kind: AddressKind)] {
        texts.compactMap { text, kind in AddressBlock(text).map { ($0, kind) } }
    }
}

/// The addresses that a connection to a host may use.
enum AddressPermission: Hashable, Sendable {
    /// Public addresses.
    case global
    /// Public addresses, and the address in the configured URL.
    case literal(IPAddress)
    /// Public addresses, and this machine, which the configured URL names as `localhost`.
    case loopback
    /// Public addresses, and private networks as the configuration allows.
    case local
    /// All addresses: for a proxy that the environment configures.
    case any

    /// Returns the permission for the host of the configured URL.
    init(configuredHost host: String, allowsPrivateAddresses: Bool) {
        if let address = IPAddress(host) {
            self = .literal(address)
        } else if host == "localhost" || host.hasSuffix(".localhost") {
            // RFC 6761, 6.3.
            self = .loopback
        } else {
            self = allowsPrivateAddresses ? .local : .global
        }
    }

    func allows(_ address: IPAddress, of kind: AddressKind) -> Bool {
        if kind == .global { return true }
        return switch self {
        case .global: false
        case .literal(let literal): address == literal
        case .loopback: kind == .loopback
        case .local: kind.isLocal
        case .any: true
        }
    }
}
