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
        // A query in which the + of an offset wasn't encoded has a blank there.
        let text = text.replacing(" ", with: "+")
        guard Instant.isDateAndTimeWithZone(Array(text.utf8)),
            case .success(let instant) = Result(catching: { () throws(TimeExpressionError) in
                try TimeExpression.parse(text, now: Instant(secondsSince1970: 0), zone: .utc)
            }), range.contains(instant.secondsSince1970)
        else { return nil }
        self = instant
    }

    /// Whether a text may be an ISO 8601 date and time that says its offset: what else people write on a command line, such
    /// as `Tuesday`, depends on a now.
    private static func isDateAndTimeWithZone(_ bytes: [UInt8]) -> Bool {
        guard (17...40).contains(bytes.count), bytes[4] == UInt8(ascii: "-"), bytes[10] | 0x20 == UInt8(ascii: "t")
        else {
            return false
        }
        let time = bytes[11...]
        return time.last.map { $0 | 0x20 } == UInt8(ascii: "z")
            || time.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    }
}
