import EPGCalendar
import EPGModel

extension Instant {
    /// Seconds since 1970, or ISO 8601 with a zone; `nil` for anything else, and outside of the years 1900 to 2199.
    init?(parameter text: String) {
        let range: ClosedRange<Int64> = -2_208_988_800...7_258_118_399
        if let seconds = Int64(text) {
            guard range.contains(seconds) else { return nil }
            self.init(secondsSince1970: seconds)
            return
        }
        guard text.utf8.count <= 32, let time = text.firstIndex(of: "T") else { return nil }
        // A query in which the plus wasn't encoded has a blank there.
        let text = text[..<time] + text[time...].map { $0 == " " ? "+" : $0 }
        guard text[time...].contains(where: { "Zz+-".contains($0) }),
            let instant = try? TimeExpression.parse(String(text), now: Instant(secondsSince1970: 0), zone: .utc),
            range.contains(instant.secondsSince1970)
        else { return nil }
        self = instant
    }
}
