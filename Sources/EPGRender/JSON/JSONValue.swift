import EPGModel

/// What can be written as a JSON value.
package protocol JSONValue {
    /// Writes exactly one value.
    func write(to json: inout JSONWriter)
}

extension String: JSONValue {
    package func write(to json: inout JSONWriter) { json.string(self) }
}

extension Bool: JSONValue {
    package func write(to json: inout JSONWriter) { json.literal(self ? "true" : "false") }
}

extension Int: JSONValue {
    package func write(to json: inout JSONWriter) { json.integer(Int64(self)) }
}

extension Int64: JSONValue {
    package func write(to json: inout JSONWriter) { json.integer(self) }
}

extension Double: JSONValue {
    /// The shortest digits that give the number back, without needless decimals: `1500`, `0.5`.
    ///
    /// JSON has no other numbers (RFC 8259, 6): what is infinite or not a number becomes `null`.
    package func write(to json: inout JSONWriter) {
        if magnitude < 9_007_199_254_740_992, Double(Int64(self)) == self {
            json.integer(Int64(self))
        } else {
            json.literal(isFinite ? description : "null")
        }
    }
}

extension Instant: JSONValue {
    /// ISO 8601 in UTC, such as `2026-03-29T00:30:00Z`.
    package func write(to json: inout JSONWriter) { json.instant(self) }
}

extension Array: JSONValue where Element: JSONValue {
    package func write(to json: inout JSONWriter) {
        json.array { json in
            for value in self { json.write(value) }
        }
    }
}
