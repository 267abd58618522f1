internal import Glibc

/// An address of IPv4 or IPv6.
package struct IPAddress: Hashable, Sendable {
    /// 4 or 16 bytes, as they are sent.
    package let bytes: [UInt8]

    /// The address of so many bytes; `nil` unless there are 4 or 16.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads an address as people write it: `192.0.2.1`, `2001:db8::1`, `[fe80::1%25eth0]`; `nil` for anything else.
    ///
    /// The zone of an address (RFC 6874) isn't kept.
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

    /// The address of a socket; `nil` where it is of another family than these two.
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

    /// The addresses of a host, each once, by the system's resolver; empty where it knows none.
    static func addresses(ofHost name: String) -> [IPAddress] {
        var hints = addrinfo()
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var addresses: [IPAddress] = []
        var next = first
        while let entry = next {
            // The resolver tells an address once for each kind of socket.
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
