internal import CCurl
internal import Glibc

/// Opens the sockets of a transfer, to addresses that may be connected to.
///
/// libcurl asks for each address that a name has, just before it connects: whatever the name service says, or says the
/// next time, what is judged is what is connected to.
final class SocketGate {
    /// The kind of the last address that was refused; `nil` where none was.
    private(set) var refused: AddressKind?
    private let permission: AddressPermission
    private let kind: @Sendable (IPAddress) -> AddressKind

    init(_ permission: AddressPermission, kind: @escaping @Sendable (IPAddress) -> AddressKind) {
        self.permission = permission
        self.kind = kind
    }

    /// Has libcurl ask this object, which must outlive the transfer.
    func attach(to handle: CurlHandle) throws(CurlFailure) {
        try handle.set(CURLOPT_OPENSOCKETDATA, to: Unmanaged.passUnretained(self).toOpaque())
        try handle.setSocketFunction { context, _, address in
            guard let context, let address else { return -1 }
            return Unmanaged<SocketGate>.fromOpaque(context).takeUnretainedValue().open(address)
        }
    }

    /// A socket for an address, or -1; what is neither IPv4 nor IPv6 is refused.
    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        // The address goes on behind the header's `struct sockaddr`, which is too short for one of IPv6.
        let place = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? MemoryLayout<Int32>.size * 4
        let bytes = UnsafeRawPointer(address) + place
        guard let ip = IPAddress(bytes.assumingMemoryBound(to: sockaddr.self)) else {
            refused = .reserved
            return -1
        }
        let kind = kind(ip)
        guard permission.allows(ip, of: kind) else {
            refused = kind
            return -1
        }
        return socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }
}
