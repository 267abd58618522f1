import EPGModel
import Testing

/// Instants are whole seconds; the expected texts are those of Python's `datetime`.
@Suite struct InstantTests {
    @Test(
        arguments: [
            (-62_135_596_800, "0001-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (0, "1970-01-01T00:00:00Z"),
            (946_684_799, "1999-12-31T23:59:59Z"), (951_827_696, "2000-02-29T12:34:56Z"),
            (1_774_744_200, "2026-03-29T00:30:00Z"), (2_147_483_648, "2038-01-19T03:14:08Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
            // Beyond Python: the year 10000 carries a sign (ISO 8601, 4.1.2.4).
            (253_402_300_800, "+10000-01-01T00:00:00Z"), (-62_167_219_201, "-0001-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func instantsAreWrittenAsISO8601InUTC(seconds: Int64, text: String) {
        let instant = Instant(secondsSince1970: seconds)
        #expect(instant.iso8601 == text)
        #expect(instant.description == text)
    }

    @Test(arguments: [Int64.min, .min + 1, .max - 1, .max]) func theEndsOfTimeCanBeWritten(seconds: Int64) {
        #expect(Instant(secondsSince1970: seconds).iso8601.hasSuffix("Z"))
    }

    @Test func advancingSaturatesAtTheEndsOfTime() {
        let (first, last) = (Instant(secondsSince1970: .min), Instant(secondsSince1970: .max))
        #expect(last.advanced(by: 1) == last)
        #expect(first.advanced(by: -1) == first)
        #expect(first.advanced(by: .max).secondsSince1970 == -1)
        #expect(Instant(secondsSince1970: 10).advanced(by: -20).secondsSince1970 == -10)
    }

    @Test func theDistanceOfTwoInstantsSaturates() {
        let (first, last) = (Instant(secondsSince1970: .min), Instant(secondsSince1970: .max))
        #expect(first.seconds(to: last) == .max)
        #expect(last.seconds(to: first) == .min)
        #expect(Instant(secondsSince1970: 100).seconds(to: Instant(secondsSince1970: 40)) == -60)
    }

    @Test func laterInstantsAreGreater() {
        #expect(Instant(secondsSince1970: -1) < Instant(secondsSince1970: 0))
        #expect(!(Instant(secondsSince1970: 0) < Instant(secondsSince1970: 0)))
    }
}
