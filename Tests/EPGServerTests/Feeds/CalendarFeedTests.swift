import EPGModel
import Testing

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
        #expect(response.status == 200)
        #expect(response["content-type"] == "text/calendar; charset=utf-8")
        let bytes = response.body
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        #expect(lines.last?.isEmpty == true)
        #expect(lines.dropLast().allSatisfy { $0.last == 0x0D && $0.count <= 76 })
        let text = response.text.split(separator: "\r\n ", omittingEmptySubsequences: false).joined()
        let unfolded = text.split(separator: "\r\n").map(String.init)
        #expect(unfolded.first == "BEGIN:VCALENDAR")
        #expect(unfolded.last == "END:VCALENDAR")
        #expect(unfolded.filter { $0 == "BEGIN:VEVENT" }.count == 2)
        #expect(unfolded.contains("DTSTART:20261024T120000Z"))
        #expect(unfolded.contains("DTEND:20261025T130000Z"))
        // The time of the import.
        #expect(unfolded.contains("DTSTAMP:20261024T171000Z"))
        #expect(unfolded.contains("X-WR-CALNAME:Odd\\, but allowed\\; \\\\ yes"))
        #expect(unfolded.contains { $0.hasPrefix("SUMMARY:A title") && $0.hasSuffix("75 bytes: äöüßéèêëàâ") })
    }

    @Test func daysLimitTheCalendarAndConditionsAreEvaluated() async throws {
        try await RunningServer.run(ServedGuide(records)) { server in
            let path = "/stations/a.b%2Fc%20d.ics?days=1"
            let response = try await RawClient.get(path, port: server.port)
            #expect(response.text.split(separator: "BEGIN:VEVENT").count == 2)
            let tag = try #require(response["etag"])
            let again = try await RawClient.get(path, port: server.port, headers: ["If-None-Match: \(tag)"])
            #expect(again.status == 304)
            // The service started at 18:10. A calendar of today changes at midnight.
            let since = "If-Modified-Since: Sat, 24 Oct 2026 18:10:00 GMT"
            let today = try await RawClient.get(path, port: server.port, headers: [since])
            #expect(today.status == 200)
            let all = try await RawClient.get("/stations/a.b%2Fc%20d.ics", port: server.port, headers: [since])
            #expect(all.status == 304)
        }
    }

    /// The identifier may contain dots and encoded slashes.
    @Test(arguments: [("a", "a"), ("a.b", "a.b"), ("a.ics", "a.ics"), ("%2F", "/")])
    func extensionIsNotPartOfTheIdentifier(encoded: String, id: String) async throws {
        let channels = ["a", "a.b", "a.ics", "/"].map {
            "<channel id=\"\($0)\"><display-name>Name of \($0)</display-name></channel>"
        }
        let guide = try ServedGuide(
            channels.joined()
                + """
                <programme start="20261024120000 +0000" stop="20261024130000 +0000" channel="\(id)">\
                <title>T</title></programme>
                """)
        let response = try await RunningServer.run(guide) {
            try await RawClient.get("/stations/\(encoded).ics", port: $0.port)
        }
        #expect(response.text.contains("X-WR-CALNAME:Name of \(id)\r\n"))
    }

    @Test(arguments: ["/stations/nobody.ics", "/stations/%FF.ics", "/stations/.ics", "/stations/a.b%2Fc%20d.ics?x=1"])
    func missingOrInvalidCalendarGetsAProblemDocument(path: String) async throws {
        let response = try await RunningServer.run(ServedGuide(records)) {
            try await RawClient.get(path, port: $0.port)
        }
        #expect((400...404).contains(response.status))
        #expect(response["content-type"] == "application/problem+json")
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
            #expect(expected.count == 4)
            var found: [Substring] = []
            for id in 1...4 {
                let response = try await RawClient.get("/airings/\(id).ics", port: server.port)
                #expect(response["content-type"] == "text/calendar; charset=utf-8")
                #expect(response["content-disposition"] == "attachment; filename=\"programme.ics\"")
                found += Self.events(response.text)
                let page = try await RawClient.get("/airings/\(id)", port: server.port)
                #expect(page.text.contains("href=\"/airings/\(id).ics\""))
            }
            #expect(found.sorted() == expected.sorted())
        }
    }

    @Test(arguments: ["/airings/99.ics", "/airings/x.ics", "/airings/-1.ics", "/airings/99999999999999999999.ics"])
    func missingAiringIsNotFound(path: String) async throws {
        let response = try await RunningServer.run(ServedGuide(records)) {
            try await RawClient.get(path, port: $0.port)
        }
        #expect(response.status == 404)
    }
}
