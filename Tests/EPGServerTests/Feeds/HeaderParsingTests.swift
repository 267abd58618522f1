import EPGCalendar
import EPGModel
import TestSupport
import Testing

@testable import EPGHTTP
@testable import EPGServer

/// Tests of the headers that feeds and imports parse.
@Suite struct HeaderParsingTests {
    /// The examples of RFC 9110, 5.6.7, all for the same instant.
    private static let dates = [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ]
    private static let invalidDates = [
        "", "Sun, 06 Nov 1994 08:49:37", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov -1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 PST", "784111777",
    ]

    @Test func everyDateFormatIsParsedAndAnInvalidDateIsRejected() {
        for text in Self.dates {
            expectEqual(Instant(httpDate: text), Instant(secondsSince1970: 784_111_777), text)
        }
        for text in Self.invalidDates { expectNil(Instant(httpDate: text), text) }
    }

    @Test func formattedDateParsesToTheSameInstant() {
        for second in stride(from: Int64(0), to: 4_102_444_800, by: 86_399 * 97) {
            let instant = Instant(secondsSince1970: second)
            expectEqual(Instant(httpDate: instant.httpDate), instant)
        }
    }

    @Test func yearHasFourDigits() {
        // 0099-11-06, calculated with Python's datetime.
        let instant = Instant(secondsSince1970: -59_016_265_823)
        expectEqual(instant.httpDate.dropFirst(4), " 06 Nov 0099 08:49:37 GMT")
        expectEqual(Instant(httpDate: instant.httpDate), instant)
    }

    /// The examples of RFC 9110, 14.1.2, for 10,000 bytes.
    @Test(arguments: [
        ("bytes=0-499", 0..<500), ("bytes=500-999", 500..<1000), ("bytes=-500", 9500..<10_000),
        ("bytes=9500-", 9500..<10_000), ("bytes=0-0", 0..<1), ("bytes=-1", 9999..<10_000),
        ("bytes=9999-10000", 9999..<10_000),
    ])
    func rangeIsParsed(header: String, range: Range<Int>) {
        expectEqual(ByteRange(header, of: 10_000), .part(range))
    }

    @Test(arguments: [
        ("Bearer secret", true), ("bearer secret", true), ("Bearer  secret", true), ("Bearer secre", false),
        ("Bearer secretsecret", false), ("Bearer Secret", false), ("Bearer ", false), ("secret", false),
        ("Basic secret", false), ("Bearer secret ", false),
    ])
    func onlyTheCompleteTokenMatches(header: String, matches: Bool) {
        expectEqual(BearerToken.text(in: header) == "secret", matches)
    }
}
