import Glibc
import NIOCore

/// Who is at the other end of a connection.
enum PeerAddress: Hashable, Sendable {
    /// IPv4, the first byte highest.
    case four(UInt32)
    /// IPv6: the network and the rest.
    case six(network: UInt64, interface: UInt64)
    /// Somebody on this machine, by a Unix socket.
    case local

    /// The address of a socket; IPv4 in IPv6 (`::ffff:…`) counts as IPv4.
    init(_ address: SocketAddress?) {
        switch address {
        case .v4(let four): self = four.address.withBytes { .init(four: $0.dropFirst(4).prefix(4)) }
        case .v6(let six): self = six.address.withBytes { .init(six: $0.dropFirst(8).prefix(16)) }
        case .unixDomainSocket, nil: self = .local
        }
    }

    /// Reads `192.0.2.1`, `2001:db8::1`, `[2001:db8::1]`, each with or without a port, as proxies write them; `unix` is a
    /// Unix socket.
    init?(parsing text: Substring) {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        if text == "unix" {
            self = .local
            return
        }
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            text = text[text.index(after: text.startIndex)..<end]
        } else if let colon = text.firstIndex(of: ":"), !text[text.index(after: colon)...].contains(":") {
            text = text[..<colon]
        }
        guard text.utf8.count <= 64 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, String(text), &bytes) == 1 {
            self.init(four: bytes.prefix(4))
        } else if inet_pton(AF_INET6, String(text), &bytes) == 1 {
            self.init(six: bytes)
        } else {
            return nil
        }
    }

    private init(four bytes: some Sequence<UInt8>) {
        self = .four(bytes.reduce(0) { $0 << 8 | UInt32($1) })
    }

    private init(six bytes: some Sequence<UInt8>) {
        let network = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let interface = bytes.dropFirst(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let isMapped = network == 0 && interface >> 32 == 0xFFFF
        self = isMapped ? .four(UInt32(truncatingIfNeeded: interface)) : .six(network: network, interface: interface)
    }

    /// The address that limits count: one customer has a whole IPv6 network.
    var counted: PeerAddress {
        if case .six(let network, _) = self { .six(network: network, interface: 0) } else { self }
    }
}

extension PeerAddress: CustomStringConvertible {
    var description: String {
        switch self {
        case .four(let bits):
            return [24, 16, 8, 0].map { String(bits >> $0 & 0xFF) }.joined(separator: ".")
        case .six(let network, let interface):
            return [network, interface].flatMap { half in
                [48, 32, 16, 0].map { String(half >> UInt64($0) & 0xFFFF, radix: 16) }
            }.joined(separator: ":")
        case .local: return "unix"
        }
    }
}

// The places of the address in `sockaddr_in` and `sockaddr_in6` are those of ip(7) and ipv6(7).
extension sockaddr_in {
    fileprivate func withBytes<Answer>(_ body: ([UInt8]) -> Answer) -> Answer {
        withUnsafeBytes(of: self) { body(Array($0)) }
    }
}

extension sockaddr_in6 {
    fileprivate func withBytes<Answer>(_ body: ([UInt8]) -> Answer) -> Answer {
        withUnsafeBytes(of: self) { body(Array($0)) }
    }
}
