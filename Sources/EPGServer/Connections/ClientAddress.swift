import NIOCore

/// The address of a client.
enum ClientAddress: Hashable, Sendable, CustomStringConvertible {
    /// An IPv4 address, the first byte in the highest bits.
    case four(UInt32)
    /// An IPv6 address: the first and the last 8 bytes.
    case six(network: UInt64, interface: UInt64)
    /// A client on this machine, connected through a Unix socket.
    case local

    /// The address of a socket. An IPv4 address mapped to IPv6 (`::ffff:192.0.2.1`) becomes IPv4.
    init(_ address: SocketAddress?) {
        switch address {
        // The offsets are those of ip(7) and ipv6(7).
        case .v4(let four):
            let bits = withUnsafeBytes(of: four.address) { $0.load(fromByteOffset: 4, as: UInt32.self) }
            self = .four(UInt32(bigEndian: bits))
        case .v6(let six):
            let halves = withUnsafeBytes(of: six.address) { bytes in
                [8, 16].map { UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)) }
            }
            let isMapped = halves[0] == 0 && halves[1] >> 32 == 0xFFFF
            self = isMapped ? .four(UInt32(halves[1] & 0xFFFF_FFFF)) : .six(network: halves[0], interface: halves[1])
        case .unixDomainSocket, nil: self = .local
        }
    }

    /// Parses `192.0.2.1`, `2001:db8::1` or `[2001:db8::1]`, with or without a port, and `unix` for a Unix socket.
    init?(parsing text: Substring) {
        let words = text.split { $0 == " " || $0 == "\t" }
        guard words.count == 1, var text = words.first, text.utf8.count <= 64 else { return nil }
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            text = text[..<end].dropFirst()
        } else if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
            text = text[..<colon]
        }
        // NIO looks up the interface that follows a percent sign.
        let address = text.contains("%") ? nil : try? SocketAddress(ipAddress: String(text), port: 0)
        guard address != nil || words[0] == "unix" else { return nil }
        self.init(address)
    }

    /// The address that limits count: of IPv6 the network (/64), because each customer has a whole one.
    var counted: ClientAddress {
        if case .six(let network, _) = self { .six(network: network, interface: 0) } else { self }
    }

    var description: String {
        switch self {
        case .four(let bits): [24, 16, 8, 0].map { String(bits >> $0 & 0xFF) }.joined(separator: ".")
        case .six(let network, let interface):
            [network, interface].flatMap { half in [48, 32, 16, 0].map { String(half >> $0 & 0xFFFF, radix: 16) } }
                .joined(separator: ":")
        case .local: "unix"
        }
    }
}
