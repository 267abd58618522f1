import EPGModel
import TestSupport
import Testing

@testable import ServiceTestSupport

/// Tests of `/stations/{id}.ics` and `/airings/{id}.ics`.
@Suite(.serialized) struct CalendarFeedTests {
    private let records = """
        <channel id="a.b/c d"><display-name>Odd, but allowed; \\ yes</display-name></channel>
        <programme start="20261024120000 +0000" stop="20261024130000 +0000" channel="a.b/c d"><title>\
        A title that is so long that its line has to be folded, because lines end at 75 bytes: äöüßéèêëàâ</title></programme>
        <programme start="20261025120000 +0000" stop="20261025130000 +0000" channel="a.b/c d"><title>B</title></programme>
        """

    @Test func calendarHasAiringsOfStationInRFC5545Format() async throws {
        let response = try await RunningServer.run(ServedGuide(records)) {
            try await RawClient.get("/stations/a.b%2Fc%20d.ics", port: $0.port)
        }
        expectResponse(response, 200, headers: ["content-type": "text/calendar; charset=utf-8"])
        let lines = response.body.split(separator: 0x0A, omittingEmptySubsequences: false)
        expectEqual(lines.last, [])
        for line in lines.dropLast() {
            #expect(line.last == 0x0D && line.count <= 76, "\(String(decoding: line, as: UTF8.self))")
        }
        let text = response.text.split(separator: "\r\n ", omittingEmptySubsequences: false).joined()
        let unfolded = text.split(separator: "\r\n").map(String.init)
        expectEqual([unfolded.first, unfolded.last], ["BEGIN:VCALENDAR", "END:VCALENDAR"])
        expectEqual(unfolded.count { $0 == "BEGIN:VEVENT" }, 2)
        // The stamp is the time of the import.
        let expected: Set = [
            "DTSTART:20261024T120000Z", "DTEND:20261025T130000Z", "DTSTAMP:20261024T171000Z",
            "X-WR-CALNAME:Odd\\, but allowed\\; \\\\ yes",
        ]
        expectEqual(expected.subtracting(unfolded), [])
        let titles = unfolded.filter { $0.hasPrefix("SUMMARY:A title") }
        expectEqual(titles.map { $0.hasSuffix("75 bytes: äöüßéèêëàâ") }, [true], "\(titles)")
    }

    @Test func daysLimitTheCalendarAndConditionsAreEvaluated() async throws {
        try await RunningServer.run(ServedGuide(records)) { server in
            let path = "/stations/a.b%2Fc%20d.ics?days=1"
            let response = try await RawClient.get(path, port: server.port)
            expectEqual(response.text.split(separator: "BEGIN:VEVENT").count, 2)
            let tag = try #require(response["etag"])
            let again = try await RawClient.get(path, port: server.port, headers: ["If-None-Match: \(tag)"])
            expectEqual(again.status, 304)
            // The service started at 18:10. A calendar of today changes at midnight.
            let since = "If-Modified-Since: Sat, 24 Oct 2026 18:10:00 GMT"
            let today = try await RawClient.get(path, port: server.port, headers: [since])
            expectEqual(today.status, 200)
            let all = try await RawClient.get("/stations/a.b%2Fc%20d.ics", port: server.port, headers: [since])
            expectEqual(all.status, 304)
        }
    }

    /// The identifier may contain dots and encoded slashes.
    @Test func extensionIsNotPartOfTheIdentifier() async throws {
        let stations = [("a", "a"), ("a.b", "a.b"), ("a.ics", "a.ics"), ("%2F", "/")]
        let channels = stations.map { "<channel id=\"\($0.1)\"><display-name>Name of \($0.1)</display-name></channel>" }
        let programmes = stations.map { station in
            """
            <programme start="20261024120000 +0000" stop="20261024130000 +0000" channel="\(station.1)">\
            <title>T</title></programme>
            """
        }
        try await RunningServer.run(ServedGuide((channels + programmes).joined())) { server in
            for (encoded, id) in stations {
                let response = try await RawClient.get("/stations/\(encoded).ics", port: server.port)
                expectText(response.text, contains: ["X-WR-CALNAME:Name of \(id)\r\n"])
            }
        }
    }

    @Test func missingOrInvalidCalendarGetsAProblemDocument() async throws {
        let stations = ["nobody.ics", "%FF.ics", ".ics", "a.b%2Fc%20d.ics?x=1"].map { "/stations/" + $0 }
        let airings = ["99", "x", "-1", "99999999999999999999"].map { "/airings/\($0).ics" }
        try await RunningServer.run(ServedGuide(records)) { server in
            for path in stations {
                let response = try await RawClient.get(path, port: server.port)
                expectResponse(response, headers: ["content-type": "application/problem+json"], path)
                #expect((400...404).contains(response.status), "\(path)")
            }
            for path in airings { try await expectEqual(RawClient.get(path, port: server.port).status, 404, path) }
        }
    }

    /// Returns the contents of the events.
    private static func events(_ text: String) -> [Substring] {
        text.split(separator: "BEGIN:VEVENT\r\n").dropFirst().map { $0.split(separator: "END:VEVENT")[0] }
    }

    @Test func airingCalendarHasTheEventOfTheStationCalendar() async throws {
        let guide = try ServedGuide(
            records + """
                <programme start="20261026120000 +0000" stop="20261026130000 +0000" channel="a.b/c d" clumpidx="0/2">\
                <title>First half</title></programme>
                <programme start="20261026120000 +0000" stop="20261026130000 +0000" channel="a.b/c d" clumpidx="1/2">\
                <title>Second half</title></programme>
                """)
        try await RunningServer.run(guide) { server in
            let all = try await RawClient.get("/stations/a.b%2Fc%20d.ics", port: server.port)
            let expected = Self.events(all.text)
            expectEqual(expected.count, 4)
            var found: [Substring] = []
            for id in 1...4 {
                let response = try await RawClient.get("/airings/\(id).ics", port: server.port)
                expectResponse(
                    response,
                    headers: [
                        "content-type": "text/calendar; charset=utf-8",
                        "content-disposition": "attachment; filename=\"programme.ics\"",
                    ])
                found += Self.events(response.text)
                let page = try await RawClient.get("/airings/\(id)", port: server.port)
                expectText(page.text, contains: ["href=\"/airings/\(id).ics\""])
            }
            expectEqual(found.sorted(), expected.sorted())
        }
    }

}
