import EPGCalendar
import EPGModel
import HTTPTypes
import TestSupport
import Testing

@testable import EPGHTTP
@testable import EPGServer

@Suite struct ParameterReaderTests {
    private func reader(_ query: String?, path: [String: String] = [:]) throws -> ParameterReader {
        // 2026-11-22T12:34:56Z.
        try ParameterReader(
            query: query, path: path, clock: Instant(secondsSince1970: 1_795_350_896), defaultZone: .utc,
            host: "tv.example")
    }

    /// Reads one parameter of each kind.
    private func readAll(_ query: String) throws -> String {
        var reader = try reader(query)
        _ = try reader.text("q", maximumLength: 8)
        _ = try reader.integer("limit", default: 50, in: 1...500)
        _ = try reader.number("scale", default: 1, in: 0.5...4)
        _ = try reader.choice("form", default: Form.elements)
        _ = try reader.instant("from")
        _ = try reader.zone()
        _ = try reader.languages()
        return try reader.finish()
    }

    private enum Form: String, CaseIterable {
        case elements, columns
    }

    @Test(arguments: [
        ("", ""),
        ("limit=50&scale=1.0&form=elements", ""),
        ("scale=2&limit=07&q=a", "limit=7&q=a&scale=2.0"),
        ("q=a+b", "q=a%20b"),
        ("q=%C3%A9", "q=%C3%A9"),
        ("q=", ""),
        ("from=2026-11-22T00:00:00Z", "from=1795305600"),
        ("from=1795305600", "from=1795305600"),
        ("from=2026-11-22T01:00:00%2B01:00", "from=1795305600"),
        ("from=2026-11-22T01:00:00+01:00", "from=1795305600"),
        ("lang=de,pt-BR&form=columns", "form=columns&lang=de%2Cpt-BR"),
    ])
    func equivalentQueriesHaveOneCanonicalForm(query: String, canonical: String) throws {
        try expectEqual(readAll(query), canonical)
    }

    @Test(arguments: [
        ("limit=0", "limit"), ("limit=501", "limit"), ("limit=1e3", "limit"), ("limit=", "limit"),
        ("limit=99999999999999999999", "limit"), ("scale=nan", "scale"), ("scale=inf", "scale"), ("scale=0x1", "scale"),
        ("scale=4.1", "scale"), ("form=rows", "form"), ("from=yesterday", "from"), ("from=99999999999", "from"),
        ("from=2026-11-22", "from"), ("from=Tuesday", "from"), ("from=2026-11-22T00:00", "from"),
        ("from=2026-11-22T00:00-", "from"), ("zone=Mars/Base", "zone"), ("zone=../../etc/passwd", "zone"),
        ("lang=e%20n", "lang"),
        ("q=123456789", "q"), ("q=a%00b", "q"), ("q=a%0Ab", "q"), ("q=a&q=b", "q"), ("other=1", "other"),
        ("generation=-1", "generation"), ("generation=x", "generation"),
    ])
    func invalidValueIsRejectedAndItsParameterIsNamed(query: String, parameter: String) throws {
        let problem = try #require(throws: Problem.self) { try readAll(query) }
        expectEqual(problem.status, .badRequest)
        expectEqual(problem.parameter, parameter)
        expectEqual(problem.detail.last, ".")
    }

    /// Queries that are not percent-encoded UTF-8, and one with more than 64 parameters.
    @Test(arguments: [
        "q=%", "q=%4", "q=%ZZ", "q=%FF", "%C3=1", (0..<65).map { "p\($0)=1" }.joined(separator: "&"),
    ])
    func invalidQueryIsRejected(query: String) {
        #expect(throws: Problem.self) { try readAll(query) }
    }

    @Test(arguments: [(nil, true), ("at=1795350899", false)] as [(String?, Bool)])
    func minuteIsRoundedDownAndPartOfTheCanonicalForm(query: String?, followsClock: Bool) throws {
        var reader = try reader(query)
        try expectEqual(reader.minute().secondsSince1970, 1_795_350_840)
        expectEqual(reader.followsClock, followsClock)
        try expectEqual(reader.finish(), "at=1795350840")
    }

    @Test func hostIsPartOfTheCanonicalFormOnlyIfItIsRead() throws {
        var reading = try reader(nil)
        expectEqual(reading.origin(), "http://tv.example")
        try expectEqual(reading.finish(), "host=tv.example")
        try expectEqual(reader(nil).finish(), "")
    }

    @Test func pathParametersAreEncodedInTheFilledPath() throws {
        let reader = try reader(nil, path: ["id": "a/b c.é"])
        expectEqual(reader.filledPath("/api/v1/stations/{id}/schedule"), "/api/v1/stations/a%2Fb%20c.%C3%A9/schedule")
    }
}
