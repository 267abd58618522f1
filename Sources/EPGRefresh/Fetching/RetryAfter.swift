import EPGCalendar
internal import EPGModel

/// Reads `Retry-After` (RFC 9110, 10.2.3): seconds, or a date.
enum RetryAfter {
    /// The seconds that a server asks for; `nil` for a value that is neither form.
    ///
    /// - Parameters:
    ///   - date: The server's own `Date`, against which its date is meant; the clock of this machine may be wrong.
    ///   - now: What counts where the server sends none.
    static func seconds(_ value: String, date: String?, now: Instant) -> Int64? {
        if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !value.isEmpty {
            // More digits than a number can have mean "very long".
            return Int64(value) ?? .max
        }
        guard let then = Instant(httpDate: value) else { return nil }
        let asked = date.flatMap { Instant(httpDate: $0) } ?? now
        return max(0, then.secondsSince1970 - asked.secondsSince1970)
    }
}
