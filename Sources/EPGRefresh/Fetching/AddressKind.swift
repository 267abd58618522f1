/// What an IP address is for: one of the web, or one that leads to this machine, its network, or nowhere.
///
/// The blocks are those of IANA's special-purpose address registries (RFC 6890 and what updates it); see
/// ``AddressKind/init(_:)``.
package enum AddressKind: Hashable, Sendable, CaseIterable {
    /// An address of the Internet.
    case global
    /// "This host", 0.0.0.0 and ::, and the rest of 0.0.0.0/8 (RFC 1122, RFC 4291).
    case unspecified
    /// This machine (RFC 1122, RFC 4291).
    case loopback
    /// A network of one's own (RFC 1918), also behind a translator of one's own (RFC 8215).
    case privateUse
    /// Between a provider and its customers: carrier-grade NAT (RFC 6598).
    case carrierShared
    /// One link alone (RFC 3927, RFC 4291).
    case linkLocal
    /// A site of one's own in IPv6 (RFC 4193), also the older fec0::/10 (RFC 3879).
    case uniqueLocal
    /// Many receivers (RFC 5771, RFC 4291).
    case multicast
    /// All receivers of a link (RFC 8190).
    case broadcast
    /// Examples in texts (RFC 5737, RFC 3849, RFC 9637).
    case documentation
    /// Measuring of devices (RFC 2544, RFC 5180).
    case benchmarking
    /// Protocols of the IETF that are no servers' addresses, tunnels among them (RFC 6890, RFC 4380, RFC 7526).
    case protocolAssignment
    /// Kept for later, or thrown away where it is sent to (RFC 1112, RFC 6666, RFC 4291).
    case reserved

    /// The kind of an address.
    ///
    /// An address that holds one of IPv4 for a translator or a tunnel is of that one's kind: mapped, compatible and
    /// translated ones (RFC 4291, RFC 2765), NAT64 (RFC 6052) and 6to4 (RFC 3056).
    package init(_ address: IPAddress) {
        let kind = AddressKind.registered(address)
        guard kind == .global || kind == .reserved, let embedded = AddressKind.embedded(in: address) else {
            self = kind
            return
        }
        let inner = AddressKind.registered(embedded)
        self = inner == .global ? kind : inner
    }

    /// Whether nobody but a machine of one's own network may be meant, so that a person can allow it.
    ///
    /// The others lead nowhere (``reserved``), to everybody (``multicast``), or to this machine by a side door
    /// (``unspecified``).
    package var isLocal: Bool {
        switch self {
        case .loopback, .privateUse, .carrierShared, .linkLocal, .uniqueLocal, .benchmarking: true
        default: false
        }
    }

    /// The kind of the longest block of the registries that holds the address.
    private static func registered(_ address: IPAddress) -> AddressKind {
        let blocks = address.bytes.count == 4 ? registryOfIPv4 : registryOfIPv6
        let match = blocks.filter { $0.block.contains(address) }.max { $0.block.length < $1.block.length }
        return match?.kind ?? .global
    }

    private static func embedded(in address: IPAddress) -> IPAddress? {
        guard let place = embeddings.first(where: { $0.block.contains(address) })?.place else { return nil }
        return IPAddress(bytes: Array(address.bytes[place..<place + 4]))
    }
}

extension AddressKind: CustomStringConvertible {
    /// Such as `a private address`.
    package var description: String {
        switch self {
        case .global: "an address of the Internet"
        case .unspecified: "the unspecified address"
        case .loopback: "an address of this machine"
        case .privateUse: "a private address"
        case .carrierShared: "an address within the provider's network"
        case .linkLocal: "a link-local address"
        case .uniqueLocal: "a unique local address"
        case .multicast: "a multicast address"
        case .broadcast: "a broadcast address"
        case .documentation: "an address for examples"
        case .benchmarking: "an address for benchmarks"
        case .protocolAssignment: "an address that protocols keep for themselves"
        case .reserved: "a reserved address"
        }
    }
}
