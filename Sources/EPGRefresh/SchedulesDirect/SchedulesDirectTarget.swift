/// An address of the service: where requests and the token go.
///
/// It is read strictly, so that nobody reads it differently: no user, no escapes in the host, no blank.
struct SchedulesDirectTarget: Hashable, Sendable {
    /// `http` or `https`.
    let scheme: String
    /// In lower case.
    let host: String
    /// Digits; empty for the scheme's own.
    let port: String
    /// From the first slash on, with the query; empty or beginning with a slash.
    let path: String

    var text: String { "\(scheme)://\(host)\(port.isEmpty ? "" : ":\(port)")\(path)" }

    /// Reads an absolute address; `nil` for anything else.
    init?(_ text: String) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x5C }),
            let colon = text.firstRange(of: "://")
        else { return nil }
        let rest = text[colon.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        let parts = authority.lowercased().split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), !parts[0].isEmpty,
            parts[0].utf8.allSatisfy({ SchedulesDirectTarget.hostBytes.contains($0) }),
            parts.count == 1 || (!parts[1].isEmpty && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) })
        else { return nil }
        scheme = text[..<colon.lowerBound].lowercased()
        guard ["http", "https"].contains(scheme) else { return nil }
        host = String(parts[0])
        port = parts.count == 2 ? String(parts[1]) : ""
        let path = rest[authority.endIndex...].prefix { $0 != "#" }
        self.path = path.hasPrefix("?") ? "/\(path)" : String(path)
    }

    private init(_ base: SchedulesDirectTarget, path: String) {
        (scheme, host, port, self.path) = (base.scheme, base.host, base.port, path)
    }

    /// Whether scheme, host and port are those of another address (RFC 6454).
    func isOfOrigin(of other: SchedulesDirectTarget) -> Bool {
        (scheme, host, port) == (other.scheme, other.host, other.port)
    }

    /// An address below this one.
    func appending(_ path: String) -> SchedulesDirectTarget {
        SchedulesDirectTarget(self, path: (self.path.hasSuffix("/") ? String(self.path.dropLast()) : self.path) + path)
    }

    /// The target of a redirect from here, to which the token may go; `nil` where it must not.
    ///
    /// That is the same host, never with less protection, or by https another host of the service from one of its own.
    func redirected(to location: String) -> SchedulesDirectTarget? {
        if location.hasPrefix("/"), !location.hasPrefix("//") {
            return SchedulesDirectTarget(SchedulesDirectTarget(self, path: "").text + location)
        }
        guard let target = SchedulesDirectTarget(location) else { return nil }
        if target.host == host { return target.scheme == "https" || scheme == "http" ? target : nil }
        return isOfService && target.isOfService && target.scheme == "https" ? target : nil
    }

    /// Whether the host is one of Schedules Direct's own. No other names are taken for relatives: those of `a.co.uk` and
    /// `b.co.uk` aren't.
    private var isOfService: Bool { host.hasSuffix(".schedulesdirect.org") }

    private static let hostBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789.-".utf8)
}
