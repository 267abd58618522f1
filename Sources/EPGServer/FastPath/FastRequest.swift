import NIOHTTP1

/// A request that may be answered from the ``FastTable``: a plain GET without a body.
///
/// Whatever is out of the ordinary makes it none, and is left to the ``GuideResponder``.
struct FastRequest: Sendable {
    let target: String
    let acceptsGzip: Bool
    /// `If-None-Match`, if it is there.
    let condition: String?

    init?(_ head: HTTPRequestHead) {
        guard head.method == .GET, head.version == .http1_1, head.uri.utf8.first == UInt8(ascii: "/") else {
            return nil
        }
        var encodings: String?
        var condition: String?
        var hosts = 0
        for (name, value) in head.headers {
            switch FastField(name) {
            case .none: continue
            case .host: hosts += 1
            case .acceptEncoding where encodings == nil: encodings = value
            case .ifNoneMatch where condition == nil: condition = value
            case .connection where FastField.isKeepAlive(value): continue
            default: return nil
            }
        }
        guard hosts == 1 else { return nil }
        target = head.uri
        acceptsGzip = encodings.map { AcceptedEncodings($0).acceptsGzip } ?? false
        self.condition = condition
    }

    /// What follows the question mark, if the path is that one, written as it is here.
    func query(ofPath path: String) -> String? {
        let start = path.utf8.count
        let bytes = target.utf8
        guard bytes.count > start, bytes.starts(with: path.utf8) else { return nil }
        let mark = bytes.index(bytes.startIndex, offsetBy: start)
        guard bytes[mark] == UInt8(ascii: "?") else { return nil }
        return String(target[bytes.index(after: mark)...])
    }
}

/// The fields of a request that decide whether it is a ``FastRequest``.
private enum FastField {
    case host, acceptEncoding, ifNoneMatch, connection
    /// One that asks for more than a plain answer.
    case special

    /// `nil` for a field that doesn't matter.
    init?(_ name: String) {
        // The length tells most names apart without looking at them.
        switch name.utf8.count {
        case 4 where FastField.equals(name, "host"): self = .host
        case 15 where FastField.equals(name, "accept-encoding"): self = .acceptEncoding
        case 13 where FastField.equals(name, "if-none-match"): self = .ifNoneMatch
        case 10 where FastField.equals(name, "connection"): self = .connection
        case 14 where FastField.equals(name, "content-length"), 17 where FastField.equals(name, "transfer-encoding"),
            17 where FastField.equals(name, "if-modified-since"), 8 where FastField.equals(name, "if-match"),
            19 where FastField.equals(name, "if-unmodified-since"), 6 where FastField.equals(name, "origin"),
            6 where FastField.equals(name, "expect"), 7 where FastField.equals(name, "upgrade"),
            5 where FastField.equals(name, "range"), 13 where FastField.equals(name, "authorization"):
            self = .special
        default: return nil
        }
    }

    static func isKeepAlive(_ value: String) -> Bool { equals(value, "keep-alive") }

    /// Whether a text of the same length is another one whatever its case; the other one is in lower case.
    private static func equals(_ text: String, _ lowercased: StaticString) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            lowercased.withUTF8Buffer { other in
                bytes.count == other.count && zip(bytes, other).allSatisfy { $0 == $1 || $0 | 0x20 == $1 }
            }
        }
    }
}
