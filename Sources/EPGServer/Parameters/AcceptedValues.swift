/// What a client accepts, by a header such as `Accept` or `Accept-Encoding` (RFC 9110, 12.5).
struct AcceptedValues: Sendable {
    /// In lower case, without parameters. `q=0` and `q=0.0` mean not at all.
    private let values: [(name: String, isAccepted: Bool)]

    /// - Parameter header: `nil` for a missing header, which accepts nothing.
    init(_ header: String?) {
        values = (header ?? "").split(separator: ",").map { part in
            let sides = part.filter { $0 != " " && $0 != "\t" }.lowercased()
                .split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            let weight = sides.count > 1 ? sides[1] : ""
            return (String(sides[0]), !weight.hasPrefix("q=0") || weight.contains { ("1"..."9").contains($0) })
        }
    }

    /// Whether the client accepts the encoding gzip.
    var acceptsGzip: Bool {
        let named = values.last { $0.name == "gzip" || $0.name == "x-gzip" }
        return (named ?? values.last { $0.name == "*" })?.isAccepted ?? false
    }

    /// Whether the header names HTML, as browsers do and most programs do not.
    var namesHTML: Bool { values.contains { ["text/html", "application/xhtml+xml"].contains($0.name) } }
}
