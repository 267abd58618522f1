extension ListenAddress {
    /// What may be written.
    static let forms =
        "a host and a port such as 127.0.0.1:8080, [::1]:8080 or localhost:8080, a port of 127.0.0.1, or the path of a Unix socket such as /run/epg/http.sock"

    /// Reads `host:port`, `[address]:port`, a port alone (on 127.0.0.1), or a path with a slash in it; `unix:` may stand
    /// before a path.
    package init?(parsing text: String) {
        let isMarked = text.hasPrefix("unix:")
        let path = isMarked ? String(text.dropFirst(5)) : text
        if isMarked || path.contains("/") {
            // `sun_path` has 108 bytes, the last of which is 0 (unix(7)).
            guard (1...107).contains(path.utf8.count), !path.hasSuffix("/"), !path.contains("\0") else { return nil }
            self = .socket(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":") else {
            guard let port = SettingText.number(text, in: 0...65_535) else { return nil }
            self = .port(port, host: "127.0.0.1")
            return
        }
        var host = text[..<colon]
        guard let port = SettingText.number(String(text[text.index(after: colon)...]), in: 0...65_535) else {
            return nil
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":"), SettingText.isAddress(String(host)) else { return nil }
        } else {
            let isName = host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
            guard !host.isEmpty, isName else { return nil }
        }
        self = .port(port, host: String(host))
    }
}
