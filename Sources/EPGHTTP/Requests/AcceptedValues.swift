/// The values that a client accepts in a header such as `Accept` or `Accept-Encoding` (RFC 9110, 12.5).
package struct AcceptedValues: Sendable {
    /// The values in lowercase without parameters, excluding those with `q=0` or `q=0.0`.
    private let values: [(name: String, isAccepted: Bool)]

    /// - Parameter header: `nil` for a missing header, which accepts nothing.
    package init(_ header: String?) {
        values = (header ?? "").split(separator: ",").map { part in
            let sides = part.filter { $0 != " " && $0 != "\t" }.lowercased()
                .split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            let weight = sides.count > 1 ? sides[1] : ""
            return (String(sides[0]), !weight.hasPrefix("q=0") || weight.contains { ("1"..."9").contains($0) })
        }
    }

    /// Whether the client accepts the encoding gzip.
    package var acceptsGzip: Bool {
        let named = values.last { $0.name == "gzip" || $0.name == "x-gzip" }
        return (named ?? values.last { $0.name == "*" })?.isAccepted ?? false
    }

    /// Whether the header contains HTML, as sent by browsers but not by most programs.
    package var namesHTML: Bool { values.contains { ["text/html", "application/xhtml+xml"].contains($0.name) } }
}
