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

extension Instant {
    /// Reads the form of HTTP's dates that is sent today (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// The day of the week isn't looked at.
    init?(httpDate text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[5] == "GMT" else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard let month = months.firstIndex(of: String(words[2])), clock.count == 3,
            let day = Instant.number(words[1], 1...31), let year = Instant.number(words[3], 1...9999),
            let hour = Instant.number(clock[0], 0...23), let minute = Instant.number(clock[1], 0...59),
            let second = Instant.number(clock[2], 0...60),
            let date = CivilDate(year: year, month: month + 1, day: Int(day))
        else { return nil }
        self.init(secondsSince1970: date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second)
    }

    private static func number(_ text: Substring, _ range: ClosedRange<Int64>) -> Int64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text), range.contains(number)
        else { return nil }
        return number
    }
}
