import NIOHTTP1

/// The head of a request that means one thing only.
struct CheckedHead {
    /// With an address that begins with a slash.
    private(set) var head: HTTPRequestHead
    /// Bytes that the body may have.
    let bodyLimit: Int
    /// `X-Forwarded-For`, the last line of it.
    private(set) var forwardedFor: String?
    /// Whether the client waits to be told to go on before it sends the body (RFC 9110, 10.1.1).
    private(set) var awaitsContinue = false

    /// Looks at the target and at the fields on which servers and proxies must agree (RFC 9112, 3.2 and 6.3).
    ///
    /// - Throws: ``RefusedHead`` with what the client is told.
    init(_ head: HTTPRequestHead, limits: ConnectionLimits) throws(RefusedHead) {
        self.head = head
        // The line has a method, two blanks and a version besides.
        guard head.uri.utf8.count + 16 <= limits.requestLineBytes else { throw RefusedHead(.lineTooLong) }
        guard head.headers.count <= limits.headerFields else { throw RefusedHead(.headerTooLong) }
        guard head.method != .CONNECT else { throw RefusedHead(.connect) }
        bodyLimit =
            switch head.method {
            case .POST, .PUT, .PATCH: limits.bodyBytes
            default: min(limits.bodyBytes, ConnectionLimits.needlessBodyBytes)
            }
        var hosts = 0
        var length = 0
        for (name, value) in head.headers {
            // By their lengths, most fields are none of these.
            switch name.utf8.count {
            case 4 where name.equals("host"):
                hosts += 1
                guard CheckedHead.isHost(value) else { throw RefusedHead(.noHost) }
            case 6 where name.equals("expect"):
                awaitsContinue = head.version != .http1_0 && value.equals("100-continue")
            case 14 where name.equals("content-length"):
                guard let number = Int(value), number >= 0 else { throw RefusedHead(.malformed) }
                length = number
            case 17 where name.equals("transfer-encoding"):
                guard head.version != .http1_0, value.equals("chunked") else { throw RefusedHead(.malformed) }
            case 15 where name.equals("x-forwarded-for"):
                forwardedFor = value
            default: break
            }
        }
        guard hosts == 1 || (hosts == 0 && head.version == .http1_0) else { throw RefusedHead(.noHost) }
        guard length <= bodyLimit else { throw RefusedHead(.bodyTooLong) }
        try readTarget()
    }

    /// Brings the target to the form that begins with a slash.
    private mutating func readTarget() throws(RefusedHead) {
        if head.uri.utf8.first == UInt8(ascii: "/") { return }
        if head.uri == "*", head.method == .OPTIONS {
            head.uri = "/"
            return
        }
        let scheme = head.uri.prefix(8).lowercased()
        guard scheme.hasPrefix("http://") || scheme.hasPrefix("https://") else { throw RefusedHead(.badTarget) }
        let rest = head.uri.dropFirst(scheme.hasPrefix("https") ? 8 : 7)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.isEmpty, CheckedHead.isHost(String(authority)) else { throw RefusedHead(.badTarget) }
        let path = rest.dropFirst(authority.count)
        // The target speaks for the host, whatever the field says (RFC 9112, 3.2.2).
        head.headers.replaceOrAdd(name: "Host", value: String(authority))
        head.uri = path.first == "/" ? String(path) : "/" + path
    }

    /// Whether a text is a host with or without a port (RFC 3986, 3.2.2); an empty one is allowed for addresses that have
    /// none.
    static func isHost(_ text: String) -> Bool {
        guard text.utf8.count <= 260 else { return false }
        var rest = Substring(text).utf8
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = rest[rest.index(after: rest.startIndex)..<end]
            guard address.count >= 2,
                address.allSatisfy({ $0.isHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
            else { return false }
            rest = rest[rest.index(after: end)...]
        } else {
            let name = rest.prefix { $0 != UInt8(ascii: ":") }
            guard name.allSatisfy({ $0.isInHostName }) else { return false }
            rest = rest.dropFirst(name.count)
        }
        guard let colon = rest.popFirst() else { return true }
        return colon == UInt8(ascii: ":") && rest.count <= 5
            && rest.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

/// A head that is refused.
struct RefusedHead: Error {
    let refusal: Refusal

    init(_ refusal: Refusal) {
        self.refusal = refusal
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// Unreserved characters, sub-delimiters and percent signs (RFC 3986, 3.2.2).
    fileprivate var isInHostName: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "%"):
            true
        default: false
        }
    }
}

extension String {
    /// Whether the text is a given one in small letters, by ASCII without regard to case.
    fileprivate func equals(_ other: StaticString) -> Bool {
        guard utf8.count == other.utf8CodeUnitCount else { return false }
        return other.withUTF8Buffer { zip(utf8, $0).allSatisfy { $0 | 0x20 == $1 | 0x20 } }
    }
}
