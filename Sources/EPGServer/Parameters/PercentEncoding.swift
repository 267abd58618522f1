import HTTPTypes

/// Percent-decoding (RFC 3986, 2.1) of queries and paths; `String.percentEncoded` encodes.
enum PercentEncoding {
    /// The names and values of a query, decoded; `+` means a space, as in HTML forms.
    ///
    /// - Throws: ``Problem`` for text that is not percent-encoded UTF-8, for more than 64 parameters, and for a duplicate.
    static func pairs(ofQuery query: String) throws(Problem) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(sides[0], decodesPlus: true),
                let value = sides.count > 1 ? decoded(sides[1], decodesPlus: true) : ""
            else {
                let start = String(part.prefix(40)) ?? ""
                throw Problem(.badRequest, "The query is not percent-encoded UTF-8: “\(start)”.")
            }
            guard !pairs.contains(where: { $0.name == name }) else {
                throw .badParameter(String(name.prefix(40)), "the URL contains this parameter twice. Use it once.")
            }
            pairs.append((name, value))
            guard pairs.count <= 64 else { throw Problem(.badRequest, "The URL has more than 64 parameters.") }
        }
        return pairs
    }

    /// Returns the decoded text; `nil` if it is not percent-encoded UTF-8.
    static func decoded(_ text: some Sequence<UInt8>, decodesPlus: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var iterator = text.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(hexDigit), let low = iterator.next().flatMap(hexDigit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where decodesPlus: bytes.append(UInt8(ascii: " "))
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

/// The encodings that a client accepts (`Accept-Encoding`, RFC 9110, 12.5.3).
struct AcceptedEncodings: Sendable {
    /// Whether the client accepts gzip. A request without the header gets no compression.
    let acceptsGzip: Bool

    init(_ header: String?) {
        guard let header else {
            acceptsGzip = false
            return
        }
        var gzip: Bool?
        var any = false
        for part in header.split(separator: ",") {
            let sides = part.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            let name = sides[0].filter { $0 != " " && $0 != "\t" }.lowercased()
            // `q=0` and `q=0.0` mean not at all.
            let weight = sides.count > 1 ? sides[1].filter { $0 != " " && $0 != "\t" } : ""
            let isAccepted = !(weight.lowercased().hasPrefix("q=0") && !weight.contains { ("1"..."9").contains($0) })
            if name == "gzip" || name == "x-gzip" { gzip = isAccepted }
            if name == "*" { any = isAccepted }
        }
        acceptsGzip = gzip ?? any
    }
}
