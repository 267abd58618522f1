/// Which addresses may be connected to for a host.
enum AddressPermission: Hashable, Sendable {
    /// Those of the Internet.
    case global
    /// Those of the Internet, and the one that the configured location names in digits.
    case literal(IPAddress)
    /// Those of the Internet, and those of this machine, which the configured location names `localhost`.
    case loopback
    /// Those of the Internet and of networks of one's own, as the configuration allows it.
    case local
    /// Any: that of a proxy, which the environment names.
    case any

    /// What the host of the configured location may have.
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
