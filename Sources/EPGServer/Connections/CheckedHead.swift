import NIOHTTP1

/// The head of a request that all servers and proxies understand in the same way (RFC 9112, 3.2 and 6.3).
/// NIO's decoder has checked the syntax and the limits of headers.
struct CheckedHead {
    /// The head, with a target that begins with a slash.
    private(set) var head: HTTPRequestHead
    /// Maximum length of the body in bytes.
    let bodyLimit: Int
    /// The last header `X-Forwarded-For`.
    private(set) var forwardedFor: String?
    /// Whether the client waits for status 100 before it sends the body (RFC 9110, 10.1.1).
    private(set) var expectsContinue = false

    init(_ head: HTTPRequestHead, limits: ConnectionLimits) throws(Refusal) {
        self.head = head
        // A request line also has a method, a version and two spaces.
        guard head.uri.utf8.count + 16 <= limits.requestLineBytes else { throw .lineTooLong }
        guard head.method != .CONNECT else { throw .connect }
        // The body of other methods has no meaning.
        bodyLimit = min(limits.bodyBytes, [.POST, .PUT, .PATCH].contains(head.method) ? .max : 64 << 10)
        var hosts = 0
        for (name, value) in head.headers {
            // Their lengths tell most names apart.
            switch name.utf8.count {
            case 4 where name.equals("host"):
                guard CheckedHead.isHost(value) else { throw .host }
                hosts += 1
            case 6 where name.equals("expect"):
                expectsContinue = head.version != .http1_0 && value.equals("100-continue")
            case 14 where name.equals("content-length"):
                guard Int(value) ?? .max <= bodyLimit else { throw .bodyTooLong }
            case 15 where name.equals("x-forwarded-for"): forwardedFor = value
            case 17 where name.equals("transfer-encoding"):
                guard head.version != .http1_0, value.equals("chunked") else { throw .malformed }
            default: break
            }
        }
        guard hosts == 1 || (hosts == 0 && head.version == .http1_0) else { throw .host }
        if head.uri == "*", head.method == .OPTIONS { self.head.uri = "/" }
        if self.head.uri.utf8.first != UInt8(ascii: "/") { try readAbsoluteTarget() }
    }

    /// Replaces `http://host/path` by the path. Its host takes precedence over the header (RFC 9112, 3.2.2).
    private mutating func readAbsoluteTarget() throws(Refusal) {
        let parts = head.uri.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()) else { throw .target }
        let host = parts[1].prefix { !"/?#".contains($0) }
        guard !host.isEmpty, CheckedHead.isHost(String(host)) else { throw .target }
        head.headers.replaceOrAdd(name: "Host", value: String(host))
        let path = parts[1].dropFirst(host.count)
        head.uri = path.first == "/" ? String(path) : "/" + path
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")

    /// Whether a text is a host with an optional port (RFC 3986, 3.2.2), or empty.
    static func isHost(_ text: String) -> Bool {
        var port = text.utf8[...]
        if text.first == "[", let end = text.firstIndex(of: "]"), ClientAddress(parsing: text[...end]) != nil {
            port = port[end...].dropFirst()
        } else {
            port = port.drop { letters.contains($0 | 0x20) || digits.contains($0) || "-._~%".utf8.contains($0) }
        }
        return text.utf8.count <= 260 && (port.isEmpty || port.first == UInt8(ascii: ":"))
            && port.count <= 6 && port.dropFirst().allSatisfy(digits.contains)
    }
}
