import EPGCalendar
import EPGModel
import NIOCore
import TestSupport
import Testing

@testable import EPGHTTP

@Suite struct EntityTagTests {
    private func tag(_ content: String = "content", gzip: Bool = false) -> EntityTag {
        let tag = EntityTag(of: ByteBuffer(string: content))
        return gzip ? tag.compressed : tag
    }

    @Test func tagDependsOnlyOnContentAndEncoding() {
        let tags = [tag(), tag("contents"), tag(""), tag("content\0"), tag(gzip: true)]
        expectEqual(Set(tags).count, tags.count)
        expectEqual(tag(), tag())
    }

    /// RFC 9110, 8.8.3: `DQUOTE *etagc DQUOTE`, where etagc is neither a quotation mark nor a space.
    @Test func tagIsAQuotedStringWithoutSpaces() {
        let value = tag().value
        expectNotEqual(value.wholeMatch(of: /"[A-Za-z0-9-]+"/)?.output, nil, value)
    }

    /// RFC 9110, 13.1.2, with the weak comparison of 8.8.3.2.
    @Test func conditionMatchesASingleListedOrWeakTagAndAnAsterisk() {
        let value = tag().value
        let matching = [value, "W/\(value)", "\"other\", \(value)", "\"other\",\t\(value) ", "*"]
        let others = ["", "\"other\"", String(value.dropFirst().dropLast()), tag(gzip: true).value]
        expectEqual((matching + others).filter { tag().isNamed(in: $0) }, matching)
    }

    /// The first value is from RFC 9110, 5.6.7; the others are calculated by hand.
    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    ])
    func datesAreInHTTPFormat(seconds: Int64, text: String) {
        expectEqual(Instant(secondsSince1970: seconds).httpDate, text)
    }
}
