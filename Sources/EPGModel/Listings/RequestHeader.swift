/// Rules for the headers that a user adds to the requests of a source.
package enum RequestHeader {
    /// Returns whether a name is valid: a token (RFC 9110, 5.6.2).
    package static func isValid(name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }

    /// Returns whether the fetcher itself sets a header.
    package static func isReserved(name: String) -> Bool { reservedNames.contains(name.lowercased()) }

    private static let reservedNames: Set = [
        "accept-encoding", "connection", "content-length", "expect", "host", "if-match", "if-modified-since",
        "if-none-match", "if-range", "if-unmodified-since", "range", "te", "trailer", "transfer-encoding", "upgrade",
    ]
}
