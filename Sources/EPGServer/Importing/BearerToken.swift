import HTTPTypes

/// The secret that a client must know (RFC 6750).
struct BearerToken: Sendable {
    private let bytes: [UInt8]

    /// - Parameter bytes: Not empty.
    init(_ bytes: [UInt8]) {
        precondition(!bytes.isEmpty, "a token without bytes lets everybody in")
        self.bytes = bytes
    }

    /// Whether the field `Authorization` has this token.
    ///
    /// - Complexity: How long it takes depends on the length of what was sent alone, not on how much of it is right.
    func isGiven(in field: String?) -> Bool {
        guard let field, field.utf8.count <= 8192 else { return false }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
        let given = Array(parts[1].utf8.drop { $0 == UInt8(ascii: " ") })
        var difference = given.count ^ bytes.count
        for (place, byte) in given.enumerated() { difference |= Int(byte ^ bytes[place % bytes.count]) }
        return difference == 0
    }
}
