import HTTPTypes

/// Percent-encoding (RFC 3986, 2.1) as queries and paths have it; `String.percentEncoded` is the other way.
enum PercentEncoding {
    /// The names and values of a query, decoded; `+` is a blank, as forms write it.
    ///
    /// - Throws: ``Problem`` for what isn't percent-encoded UTF-8, for more than 64 parameters, for one that stands twice.
    static func pairs(ofQuery query: String) throws(Problem) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(sides[0], plusIsBlank: true),
                let value = sides.count > 1 ? decoded(sides[1], plusIsBlank: true) : ""
            else {
                throw Problem(.badRequest, "The query isn't percent-encoded UTF-8: “\(String(part.prefix(40)) ?? "")”.")
            }
            guard !pairs.contains(where: { $0.name == name }) else {
                throw .badParameter(String(name.prefix(40)), "it stands twice in the address; give it once.")
            }
            pairs.append((name, value))
            guard pairs.count <= 64 else { throw Problem(.badRequest, "The address has more than 64 parameters.") }
        }
        return pairs
    }

    /// A decoded text, or `nil` where it isn't percent-encoded UTF-8.
    static func decoded(_ text: some Sequence<UInt8>, plusIsBlank: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var iterator = text.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(hexDigit), let low = iterator.next().flatMap(hexDigit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsBlank: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
