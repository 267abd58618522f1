package import EPGModel

/// HTTP dates (RFC 9110, 5.6.7).
extension Instant {
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The instant in the format `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var httpDate: String {
        let (days, second) = secondsSince1970.quotientAndRemainderFloored(dividingBy: 86_400)
        let date = CivilDate(daysSince1970: days)
        let weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][
            Int((days + 4).quotientAndRemainderFloored(dividingBy: 7).remainder)]
        let time = [second / 3600, second / 60 % 60, second % 60].map(\.paddedToTwo).joined(separator: ":")
        // Pad the year, because clients interpret two digits as a year of this century or the last.
        let year = String(date.year)
        let padding = String(repeating: "0", count: max(0, 4 - year.utf8.count))
        let month = Instant.monthNames[date.month - 1]
        return "\(weekday), \(Int64(date.day).paddedToTwo) \(month) \(padding)\(year) \(time) GMT"
    }

    /// Parses a date in one of three formats: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
    /// `Sun Nov  6 08:49:37 1994`; `nil` for anything else.
    ///
    /// Two-digit years mean 1970 to 2069. The day of the week is ignored.
    package init?(httpDate text: String) {
        guard text.utf8.count <= 40 else { return nil }
        let words = text.split(separator: " ").map(String.init)
        let parts: (day: String, month: String, year: String, time: String)
        switch words.count {
        case 6 where words[5] == "GMT": parts = (words[1], words[2], words[3], words[4])
        case 5: parts = (words[2], words[1], words[4], words[3])
        case 4 where words[3] == "GMT":
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard date.count == 3 else { return nil }
            parts = (date[0], date[1], date[2], words[2])
        default: return nil
        }
        let clock = parts.time.split(separator: ":", omittingEmptySubsequences: false)
        guard let month = Instant.monthNames.firstIndex(of: parts.month),
            let day = Instant.number(parts.day, 1...31), var year = Instant.number(parts.year, 0...9999),
            clock.count == 3, let hour = Instant.number(clock[0], 0...23),
            let minute = Instant.number(clock[1], 0...59), let second = Instant.number(clock[2], 0...60)
        else { return nil }
        if parts.year.utf8.count == 2 { year += year < 70 ? 2000 : 1900 }
        guard let date = CivilDate(year: Int64(year), month: month + 1, day: day) else { return nil }
        self.init(
            secondsSince1970: date.daysSince1970 * 86_400 + Int64(hour * 3600 + minute * 60 + second))
    }

    private static func number(_ text: some StringProtocol, _ range: ClosedRange<Int>) -> Int? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int(text),
            range.contains(number)
        else { return nil }
        return number
    }
}

/// A cache of the current date for the header `Date`, which is formatted at most once a second.
package struct CachedHTTPDate {
    private var second: Instant?
    private var text = ""

    /// Creates an empty cache.
    package init() {}

    /// Returns an instant as an HTTP date (RFC 9110, 5.6.7).
    package mutating func text(at now: Instant) -> String {
        if second != now {
            second = now
            text = now.httpDate
        }
        return text
    }
}
