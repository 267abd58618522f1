/// The addresses that share their first bits, written `10.0.0.0/8` or `fc00::/7`.
struct AddressBlock: Hashable, Sendable {
    private let base: IPAddress
    /// Bits that all of them share, 0…32 or 0…128.
    let length: Int

    /// Reads a block; an address alone is a block of one. `nil` for anything else.
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

    /// Whether an address is one of them; never where the one is of IPv4 and the other of IPv6.
    func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == base.bytes.count else { return false }
        let whole = length / 8
        guard address.bytes[..<whole] == base.bytes[..<whole] else { return false }
        let rest = length % 8
        return rest == 0 || (address.bytes[whole] ^ base.bytes[whole]) >> (8 - rest) == 0
    }
}
