package import EPGModel

// The forms of times in URLs and documents: those of ``TimeExpression`` that do not depend on the current time.

extension CivilDate {
    /// Reads `YYYY-MM-DD`; `nil` for anything else, for a date that does not exist, and outside of the years 1900 to 2199.
    package init?(absolute text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy(\.isDigit) }) else { return nil }
        let numbers = parts.compactMap { Int(Substring($0)) }
        guard numbers.count == 3, (1900...2199).contains(numbers[0]) else { return nil }
        self.init(year: Int64(numbers[0]), month: numbers[1], day: numbers[2])
    }
}

extension Instant {
    /// Reads seconds since 1970, or ISO 8601 with a zone; `nil` for anything else, and outside of the years 1900 to 2199.
    ///
    /// A space means `+`, because an unencoded `+` of an offset in a URL decodes to a space.
    package init?(absolute text: String) {
        let range: ClosedRange<Int64> = -2_208_988_800...7_258_118_399
        if let seconds = Int64(text) {
            guard range.contains(seconds) else { return nil }
            self.init(secondsSince1970: seconds)
            return
        }
        let text = String(decoding: text.utf8.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }, as: UTF8.self)
        guard Instant.isDateAndTimeWithZone(Array(text.utf8)),
            case .success(let instant) = Result(catching: { () throws(TimeExpressionError) in
                try TimeExpression.parse(text, now: Instant(secondsSince1970: 0), zone: .utc)
            }), range.contains(instant.secondsSince1970)
        else { return nil }
        self = instant
    }

    /// Whether a text may be an ISO 8601 date and time with an offset.
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
