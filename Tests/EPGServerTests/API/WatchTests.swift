import EPGAccess
import EPGModel
import EPGStore
import Foundation
import FoundationXML
import TestSupport
import Testing

@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

/// Tests of the watchlist over HTTP: lists, feeds, the page, and changes of rules.
@Suite(.serialized) struct WatchTests {
    private static let token = "correct horse battery staple"
    private static let bearer = "Authorization: Bearer \(token)"
    private static let json = "Content-Type: application/json"

    private static let records = """
        <channel id="one"><display-name>Channel &lt;One&gt;</display-name></channel>
        <channel id="two"><display-name>Two</display-name></channel>
        <programme start="20261024190000 +0000" stop="20261024200000 +0000" channel="one"><title>News</title>\
        <sub-title>Late</sub-title><desc>A &amp; B</desc><category>News</category>\
        <episode-num system="xmltv_ns">0.4.</episode-num><new/></programme>
        <programme start="20261024193000 +0000" stop="20261024203000 +0000" channel="two"><title>News</title></programme>
        <programme start="20261024160000 +0000" stop="20261024170000 +0000" channel="one"><title>News</title></programme>
        <programme start="20261025160000 +0000" stop="20261025170000 +0000" channel="one"><title>Film</title></programme>
        <programme start="20261024120000 +0000" stop="20261024130000 +0000" channel="two"><title>A</title></programme>
        <programme start="20261025160000 +0000" stop="20261025170000 +0000" channel="two"><title>B</title></programme>
        """

    private func guide(_ rules: [WatchRule]) throws -> ServedGuide {
        let guide = try ServedGuide(Self.records)
        try GuideDatabase(path: guide.path).write { writer in
            try writer.refreshSearchIndex()
            for rule in rules { try writer.saveWatchRule(rule) }
        }
        return guide
    }

    private static func news(_ name: String = "news", profile: String = "default") throws -> WatchRule {
        try WatchRule(name: name, profile: profile, WatchConditions(title: "News"), minutesBefore: 10)
    }

    private func run<Outcome: Sendable>(
        _ guide: ServedGuide, token: String? = WatchTests.token, log: LogLines? = nil,
        _ body: @Sendable (Int) async throws -> Outcome
    ) async throws -> Outcome {
        try await RunningServer.run(
            guide, tokens: token.map { [$0: [.watch]] } ?? [:], log: log, { try await body($0.port) })
    }

    private static func post(
        _ rule: String, _ port: Int, _ headers: [String] = [bearer, json]
    ) async throws -> RawResponse {
        try await RawClient.request("POST", "/api/v1/watch", port: port, headers: headers, body: Array(rule.utf8))
    }

    private static func object(_ response: RawResponse) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
    }

    /// Returns the lines of a calendar that begin with `prefix`.
    private static func lines(_ prefix: String, of calendar: String) -> [String] {
        calendar.split(separator: "\r\n").map(String.init).filter { $0.hasPrefix(prefix) }
    }

    @Test func recordersGetStationTimesAndEpisodeOfEachAiring() async throws {
        try await run(guide([Self.news()])) { port in
            let response = try await RawClient.get("/api/v1/watch/news", port: port)
            expectEqual(response.status, 200)
            let list = Loose(try Self.object(response))
            expectEqual(list["airings"].texts("start"), ["2026-10-24T19:00:00Z", "2026-10-24T19:30:00Z"])
            let first = list["airings"][0]
            expectEqual(first["station"]["name"].text, "Channel <One>")
            expectEqual(first["episode"].text, "S1 E5")
            expectNotEqual(first["episodeId"].text, nil)
            expectEqual(first["new"].flag, true)
            expectEqual(first["rules"].json, #"["news"]"#)
            expectEqual(list["conflicts"].texts("start"), ["2026-10-24T19:30:00Z"])
            let two = Loose(try Self.object(try await RawClient.get("/api/v1/watch/news?tuners=2", port: port)))
            expectEqual(two["conflicts"].json, "[]")
            try await expectEqual(RawClient.get("/api/v1/watch/none", port: port).status, 404)
        }
    }

    @Test func pageShowsTheFirst500AiringsOfAProfile() async throws {
        let short = (0..<620).map { number in
            // From 20:00 on, a minute each.
            let times = [number, number + 1].map { minute in
                "2026102\(4 + (20 + minute / 60) / 24)"
                    + [(20 + minute / 60) % 24, minute % 60].map { String(format: "%02d", $0) }.joined()
            }
            return """
                <programme start="\(times[0])00 +0000" stop="\(times[1])00 +0000" channel="two"><title>Short</title></programme>
                """
        }
        let guide = try ServedGuide(short.joined())
        try GuideDatabase(path: guide.path).write { writer in
            try writer.refreshSearchIndex()
            try writer.saveWatchRule(WatchRule(name: "short", WatchConditions(title: "Short")))
        }
        try await run(guide) { port in
            let page = try await RawClient.get("/watch", port: port).text
            expectText(page, contains: ["620 airings in the next 14 days", "And 120 more airings. "])
            expectEqual(page.components(separatedBy: "<strong class=\"v-title\"").count, 501)
        }
    }

    /// Reminders use the zone of the service, UTC, so the page has the same airings for a viewer in Tokyo, nine hours ahead.
    @Test func pageInAnotherZoneHasTheSameAirings() async throws {
        let times = try #require(TimesOfDay("19:00-20:00"))
        let rule = try WatchRule(name: "news", WatchConditions(title: "News", times: times))
        try await run(guide([rule])) { port in
            let page = try await RawClient.get("/watch?zone=Asia/Tokyo", port: port).text
            expectText(
                page,
                contains: [
                    "2 airings in the next 14 days", ">04:00</time>", "19:00-20:00 (times in UTC)",
                    "Time zone: Asia/Tokyo",
                ])
            expectText(try await RawClient.get("/watch", port: port).text, lacks: ["(times in"])
        }
    }

    @Test func nameOfAProfileSelectsItsRules() async throws {
        let rules = try [Self.news("a", profile: "anna"), Self.news("b", profile: "ben")]
        try await run(guide(rules)) { port in
            for (path, count) in [("/watch/anna", 1), ("/watch?profile=ben", 1), ("/watch", 2)] {
                let object = try Self.object(try await RawClient.get("/api/v1" + path, port: port))
                expectEqual((object["rules"] as? [Any])?.count, count, "\(path)")
            }
        }
    }

    @Test func responseIsRevalidatedAndChangesWithTheRules() async throws {
        let paths = [
            "/watch", "/api/v1/marks", "/watch/news.ics", "/watch/news.atom", "/api/v1/watch", "/api/v1/watch/news",
        ]
        let guide = try guide([Self.news()])
        try await run(guide) { port in
            var tags: [String: String] = [:]
            for path in paths {
                let first = try await RawClient.get(path, port: port)
                // No cache may show a list of removed rules.
                expectResponse(first, 200, headers: ["cache-control": "no-cache"], path)
                let tag = try #require(first["etag"], "\(path)")
                let again = try await RawClient.get(path, port: port, headers: ["If-None-Match: \(tag)"])
                expectEqual(again.status, 304, path)
                tags[path] = tag
            }
            // Without a new generation, as another process does.
            try GuideDatabase(path: guide.path).write {
                try $0.saveWatchRule(WatchRule(name: "news", WatchConditions(title: "Film")))
            }
            for (path, tag) in tags {
                let changed = try await RawClient.get(path, port: port, headers: ["If-None-Match: \(tag)"])
                expectEqual(changed.status, 200, path)
                // An explicit time does not make it cacheable by date.
                let fixed = try await RawClient.get(path + "?at=2026-10-24T18:00:00Z", port: port)
                expectNil(fixed["last-modified"], path)
            }
        }
    }

    @Test func marksAreTheNumbersOfAiringsInTheWindowWithTheirRules() async throws {
        let rules = try [Self.news(), WatchRule(name: "one", WatchConditions(station: StationID("one")))]
        try await run(guide(rules)) { port in
            func marks(_ query: String) async throws -> [Int: [String]] {
                let response = try await RawClient.get(
                    "/api/v1/marks?at=2026-10-24T18:00:00Z" + query, port: port)
                expectEqual(response.status, 200)
                let airings = try #require(try Self.object(response)["airings"] as? [[String: Any]])
                for airing in airings { expectEqual(airing.keys.sorted(), ["id", "rules"]) }
                let pairs = airings.map { ($0["id"] as? Int ?? 0, $0["rules"] as? [String] ?? []) }
                return Dictionary(uniqueKeysWithValues: pairs)
            }
            let shown = try Self.object(
                try await RawClient.get("/api/v1/watch?at=2026-10-24T18:00:00Z", port: port))
            let listed = try #require(shown["airings"] as? [[String: Any]]).map {
                ($0["id"] as? Int ?? 0, $0["rules"] as? [String] ?? [], $0["start"] as? String ?? "")
            }
            expectEqual(listed.count, 3)
            let day = try await marks("&from=2026-10-24T00:00:00Z&to=2026-10-25T00:00:00Z")
            expectEqual(
                day, Dictionary(uniqueKeysWithValues: listed.filter { $0.2 < "2026-10-25" }.map { ($0.0, $0.1) }))
            expectEqual(day.count, 2)
            try await expectEqual(marks("&from=2026-10-24T19:00:00Z&to=2026-10-24T19:30:00Z").values.map(\.count), [2])
            try await expectEqual(marks("&from=2026-10-24T10:00:00Z&to=2026-10-24T18:00:00Z"), [:])
            let long = try await RawClient.get(
                "/api/v1/marks?from=2026-10-24T00:00:00Z&to=2026-10-28T00:00:00Z", port: port)
            expectEqual(long.status, 400)
        }
    }

    /// Buttons of pages remove only rules that they could have made.
    @Test func marksNameTheRulesOfButtons() async throws {
        let title = WatchConditions(title: "News")
        let rules = try [
            WatchRule(name: "all", profile: "anna", title, isOncePerEpisode: true),
            WatchRule(name: "early", title, isOncePerEpisode: true, minutesBefore: 30),
            WatchRule(name: "plain", title),
            WatchRule(name: "there", WatchConditions(title: "News", station: StationID("one")), isOncePerEpisode: true),
        ]
        try await run(guide(rules)) { port in
            let listed = try Self.object(
                try await RawClient.get("/api/v1/watch/all?at=2026-10-24T18:00:00Z", port: port))
            let id = try #require((listed["airings"] as? [[String: Any]])?.first?["id"] as? Int)
            let added = try await Self.post(#"{"airing": \#(id)}"#, port)
            expectEqual(added.status, 201)
            let marks = try Self.object(try await RawClient.get("/api/v1/marks?at=2026-10-24T18:00:00Z", port: port))
            let buttons = try #require(marks["rules"] as? [[String: String]])
            expectEqual(
                Set(buttons),
                [
                    ["name": "all", "profile": "anna", "button": "episodes"],
                    ["name": "News #\(id)", "profile": "default", "button": "airing"],
                ])
        }
    }

    @Test func ruleWithUnusableWordsIsRejectedAndAnOldOneSparesTheOthers() async throws {
        let bad = try WatchRule(name: "bad", profile: "anna", WatchConditions(words: "a* b*"))
        try await run(guide([Self.news(profile: "anna"), bad])) { port in
            let refused = try await Self.post(#"{"name": "worse", "words": "a* b*"}"#, port)
            expectResponse(refused, 422, contains: ["words"])
            for path in ["/watch", "/watch/anna.ics", "/watch/anna.atom", "/watch/news.ics", "/api/v1/watch"] {
                let response = try await RawClient.get(path, port: port)
                expectResponse(response, 200, contains: ["News"], path)
            }
            let list = try Self.object(try await RawClient.get("/api/v1/watch", port: port))
            let failures = try #require(list["failures"] as? [[String: String]])
            expectEqual(failures.map { $0["rule"] }, ["bad"])
            expectNotEqual(failures.first?["reason"] ?? "", "")
            let alone = try await RawClient.get("/watch/bad.ics", port: port)
            expectResponse(alone, 422, contains: ["“bad”"])
            try await expectText(RawClient.get("/watch", port: port).text, contains: ["data-remove=\"bad\""])
        }
    }

    @Test func airingOfSeveralRulesIsOneEventWithTheFirstAlarm() async throws {
        let rules = try [
            Self.news("a", profile: "anna"),
            WatchRule(name: "b", profile: "anna", WatchConditions(station: StationID("two")), minutesBefore: 30),
        ]
        try await run(guide(rules)) { port in
            let at = "?at=2026-10-24T18:00:00Z"
            let calendar = try await RawClient.get("/watch/anna.ics" + at, port: port).text
            expectEqual(Self.lines("BEGIN:VEVENT", of: calendar).count, 3)
            expectEqual(Set(Self.lines("UID:", of: calendar)).count, 3)
            expectEqual(
                Self.lines("TRIGGER", of: calendar), ["TRIGGER:-PT10M", "TRIGGER:-PT30M", "TRIGGER:-PT30M"])
            let feed = try await RawClient.get("/watch/anna.atom" + at, port: port).text
            expectEqual(feed.ranges(of: "<entry>").count, 3)
        }
    }

    @Test func calendarWithoutAiringsHasAComponent() async throws {
        let rule = try WatchRule(name: "none", WatchConditions(title: "None"))
        try await run(guide([rule])) { port in
            let text = try await RawClient.get("/watch/none.ics", port: port).text
            // RFC 5545, 3.6: at least one component.
            expectText(text, contains: ["BEGIN:VTIMEZONE\r\nTZID:UTC\r\nBEGIN:STANDARD\r\n"])
        }
    }

    @Test func feedsOfARuleHaveTheSameIdentifierEverywhere() async throws {
        let rule = try Self.news()
        func identifier(_ body: @Sendable (Int) async throws -> RawResponse) async throws -> String {
            let response = try await run(guide([rule]), body)
            let feed = try XMLDocument(data: Data(response.body))
            return try #require(feed.rootElement()?.elements(forName: "id").first?.stringValue)
        }
        let first = try await identifier { try await RawClient.get("/watch/news.atom", port: $0) }
        let second = try await identifier { port in
            try await RawClient.get("/watch/news.atom", port: port, headers: ["Host: tv.example"])
        }
        expectEqual(first, second)
        let other = try await run(guide([Self.news()])) { try await RawClient.get("/watch/news.atom", port: $0) }
        expectText(other.text, lacks: [first])
    }

    @Test func movedAiringKeepsTheIdentifierOfItsReminder() async throws {
        let rule = try Self.news()
        let guide = try guide([rule])
        let at = "?at=2026-10-24T18:55:00Z"
        @Sendable func identifiers(_ port: Int) async throws -> [String: String] {
            let text = try await RawClient.get("/watch/news.ics" + at, port: port, headers: ["Cache-Control: no-cache"])
                .text
            return Dictionary(
                uniqueKeysWithValues: zip(Self.lines("DTSTART:20", of: text), Self.lines("UID:", of: text)))
        }
        try await run(guide) { port in
            try GuideDatabase(path: guide.path).write { writer in
                let plan = try ReminderPlan(
                    writer, to: [ReminderRecipient(name: "phone", profiles: [])],
                    now: Instant(secondsSince1970: 1_792_868_100), minuteOfDay: { _ in 0 })
                try expectEqual(writer.claimReminders(plan.due.map(\.reminder)).count, 1)
            }
            let before = try await identifiers(port)
            // A special takes the place of the airing, and its number.
            let special = """
                <programme start="20261024190000 +0000" stop="20261024191000 +0000" channel="one"><title>S</title></programme>

                """
            try guide.importGuide(
                ServedGuide.document(
                    special
                        + Self.records.replacingOccurrences(
                            of: "start=\"20261024190000", with: "start=\"20261024191000")))
            let after = try await identifiers(port)
            let identifier = try #require(before["DTSTART:20261024T190000Z"])
            expectEqual(after["DTSTART:20261024T191000Z"], identifier)
        }
    }

    @Test func calendarHasAlarmsAndStableIdentifiers() async throws {
        let guide = try guide([Self.news()])
        try await run(guide) { port in
            let text = try await RawClient.get("/watch/news.ics", port: port).text
            expectEqual(Self.lines("BEGIN:VALARM", of: text).count, 2)
            expectEqual(Self.lines("TRIGGER", of: text), ["TRIGGER:-PT10M", "TRIGGER:-PT10M"])
            expectText(text, contains: ["\r\nDTSTART:20261024T190000Z\r\n", "\r\nLOCATION:Channel <One>\r\n"])
            let identifiers = Set(Self.lines("UID:", of: text))
            expectEqual(identifiers.count, 2)
            // Both airings move.
            try guide.importGuide(
                ServedGuide.document(
                    Self.records.replacingOccurrences(of: "20261024190000", with: "20261024190500")
                        .replacingOccurrences(of: "20261024193000", with: "20261024193500")))
            let moved = try await RawClient.get("/watch/news.ics", port: port, headers: ["Cache-Control: no-cache"])
                .text
            expectEqual(Set(Self.lines("UID:", of: moved)), identifiers)
        }
    }

    @Test func feedIsValidAtomWithEscapedTexts() async throws {
        try await run(guide([Self.news("a b/c")])) { port in
            let response = try await RawClient.get("/watch/a%20b%2Fc.atom", port: port)
            expectEqual(response["content-type"], "application/atom+xml; charset=utf-8")
            let feed = try XMLDocument(data: Data(response.body))
            let root = try #require(feed.rootElement())
            expectEqual(root.uri, "http://www.w3.org/2005/Atom")
            func texts(_ name: String, of element: XMLElement) -> [String] {
                element.elements(forName: name).compactMap(\.stringValue)
            }
            // RFC 4287, 4.1.1 and 4.1.2: exactly one of each, and an author.
            for element in [root] + root.elements(forName: "entry") {
                for name in ["id", "title", "updated"] { expectEqual(texts(name, of: element).count, 1, "\(name)") }
            }
            expectEqual(root.elements(forName: "author").count, 1)
            let entries = root.elements(forName: "entry")
            expectEqual(entries.count, 2)
            expectEqual(Set(entries.flatMap { texts("id", of: $0) }).count, 2)
            let first = try #require(entries.first)
            expectEqual(texts("title", of: first), ["News S1 E5"])
            expectEqual(texts("updated", of: first), ["2026-10-24T18:50:00Z"])
            expectText(
                texts("summary", of: first).joined() + "\n",
                contains: ["19:00–20:00 · Channel <One> · Late · A & B\n"])
        }
    }

    /// Python's modules icalendar and feedparser read the same airings.
    @Test(.needs(.pythonModule("icalendar"), .pythonModule("feedparser")))
    func calendarAndFeedAreReadByOtherPrograms() async throws {
        let none = try WatchRule(name: "none", WatchConditions(title: "None"))
        let guide = try guide([Self.news(), none])
        let script = """
            import sys, icalendar, feedparser
            assert icalendar.Calendar.from_ical(open(sys.argv[1] + '/none.ics', 'rb').read()).subcomponents
            assert not feedparser.parse(open(sys.argv[1] + '/none.atom', 'rb').read()).bozo
            calendar = icalendar.Calendar.from_ical(open(sys.argv[1] + '/news.ics', 'rb').read())
            for event in calendar.walk('VEVENT'):
                alarms = event.walk('VALARM')
                assert event['UID'] and event['DTSTAMP'].dt.tzinfo and len(alarms) == 1
                print(event['DTSTART'].dt.isoformat(), alarms[0]['TRIGGER'].dt.total_seconds(), event['SUMMARY'])
            feed = feedparser.parse(open(sys.argv[1] + '/news.atom', 'rb').read())
            assert not feed.bozo and feed.version == 'atom10' and feed.feed.id and feed.feed.updated_parsed
            for entry in feed.entries:
                assert entry.id and entry.link
                print(entry.title, entry.updated)
            """
        let lines = try await run(guide) { port in
            for name in ["news.ics", "news.atom", "none.ics", "none.atom"] {
                let response = try await RawClient.get("/watch/\(name)", port: port)
                try Data(response.body).write(to: URL(filePath: "\(guide.folder)/\(name)"))
            }
            let output = try TestProgram.output(of: TestProgram.python, ["-c", script, guide.folder])
            return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        expectEqual(
            lines,
            [
                "2026-10-24T19:00:00+00:00 -600.0 News", "2026-10-24T19:30:00+00:00 -600.0 News",
                "News S1 E5 2026-10-24T18:50:00Z", "News 2026-10-24T19:20:00Z",
            ])
    }

    @Test func ruleIsAddedOnceAndRemoved() async throws {
        let guide = try guide([])
        let log = LogLines()
        try await run(guide, log: log) { port in
            let body = #"{"title": "News", "once": true, "between": "18:00-23:00", "minutes": 3, "profile": "anna"}"#
            let added = try await Self.post(body, port)
            expectEqual(added.status, 201)
            expectEqual(added["location"], "/api/v1/watch/News")
            try await expectEqual(Self.post(body, port).status, 200)
            let rules = try GuideDatabase(path: guide.path).read { try $0.watchRules() }
            expectEqual(rules.map { "\($0.name) \($0.isOncePerEpisode) \($0.minutesBefore)" }, ["News true 3"])
            expectEqual(rules.first?.conditions.times, TimesOfDay("18:00-23:00"))
            try await expectEqual(
                Self.post(#"{"words": "sea fishing", "profile": "anna"}"#, port)["location"],
                "/api/v1/watch/sea%20fishing")
            // Another rule with that name.
            try await expectEqual(Self.post(#"{"title": "News", "name": "News"}"#, port).status, 409)
            // A button sends no name, so that the name of another profile's rule is no conflict.
            for status in [201, 200] {
                let other = try await Self.post(#"{"title": "News"}"#, port)
                expectResponse(other, status, contains: ["\"name\":\"News (default)\""])
            }
            let listed = try await RawClient.get("/watch", port: port)
            expectText(listed.text, contains: ["anna"])
            let removed = try await RawClient.request(
                "DELETE", "/api/v1/watch/News", port: port, headers: [Self.bearer])
            expectEqual(removed.status, 204)
            let missing = try await RawClient.request(
                "DELETE", "/api/v1/watch/News", port: port, headers: [Self.bearer])
            expectEqual(missing.status, 404)
        }
        expectEqual(log.all.filter { $0.contains("watch rule over HTTP") }.count, 4)
        expectText(log.all.joined(), lacks: [Self.token])
    }

    private static func patch(_ name: String, _ body: String, _ port: Int) async throws -> RawResponse {
        try await RawClient.request(
            "PATCH", "/api/v1/watch/\(name)", port: port, headers: [bearer, json], body: Array(body.utf8))
    }

    @Test func ruleIsEditedAndKeepsItsIdentifier() async throws {
        let guide = try guide([Self.news()])
        func rules() throws -> [WatchRule] { try GuideDatabase(path: guide.path).read { try $0.watchRules() } }
        let id = try #require(rules().first?.id)
        try await run(guide) { port in
            let body =
                #"{"name": "sea", "title": null, "any": ["ferry", "storm"], "without": ["x"], "pattern": "^the "}"#
            let edited = try await Self.patch("news", body, port)
            expectEqual(edited.status, 200)
            expectText(
                edited.text,
                contains: [
                    #"{"name":"sea","profile":"default","any":["ferry","storm"],"without":["x"],"pattern":"^the ","minutes":10}"#
                ])
            try await expectEqual(
                Self.patch("sea", #"{"any": null, "without": [], "once": true, "minutes": null}"#, port).status, 200)
            for (body, status, parameter) in [
                (#"{"pattern": null}"#, 422, nil), (#"{"pattern": "(a"}"#, 422, "pattern"),
                (#"{"any": "a"}"#, 400, "any"),
                (#"{"without": ["-"]}"#, 422, "without"), (#"{"name": ""}"#, 422, "name"), (#"{"id": 3}"#, 400, "id"),
                (#"{"any": ["a* b*"]}"#, 422, "any"),
            ] as [(String, Int, String?)] {
                let response = try await Self.patch("sea", body, port)
                expectEqual(response.status, status, body)
                try expectEqual(Self.object(response)["parameter"] as? String, parameter, body)
            }
            try await expectEqual(Self.patch("news", #"{"once": true}"#, port).status, 404)
            try await expectEqual(Self.post(#"{"title": "B"}"#, port).status, 201)
            try await expectEqual(Self.patch("B", #"{"name": "sea"}"#, port).status, 409)
            let forbidden = try await RawClient.request(
                "PATCH", "/api/v1/watch/sea", port: port, headers: [Self.json], body: Array("{}".utf8))
            expectEqual(forbidden.status, 401)
        }
        let pattern = try TextPattern("^the ")
        try expectEqual(
            rules(),
            [
                #require(rules().first { $0.name == "B" }),
                WatchRule(id: id, name: "sea", WatchConditions(pattern: pattern), isOncePerEpisode: true),
            ])
    }

    @Test func anotherTitleEndsARuleForOneAiring() async throws {
        let guide = try guide([])
        try await run(guide) { port in
            try await expectEqual(Self.post(#"{"name": "one", "airing": 2}"#, port).status, 201)
            func airing(_ body: String) async throws -> AiringID? {
                try await expectEqual(Self.patch("one", body, port).status, 200)
                return try GuideDatabase(path: guide.path).read { try $0.watchRules()[0].conditions.airing?.id }
            }
            try await expectEqual(airing(#"{"minutes": 20}"#), AiringID(2))
            try await expectEqual(airing(#"{"title": "News", "station": "one", "airing": 2}"#), AiringID(2))
            try await expectEqual(airing(#"{"title": "Film"}"#), nil)
        }
    }

    @Test func previewListsMatchesOfARuleThatDoesNotExist() async throws {
        let guide = try guide([])
        try await run(guide) { port in
            func preview(_ query: String) async throws -> RawResponse {
                try await RawClient.get("/api/v1/watch-preview?at=2026-10-24T18:00:00Z&\(query)", port: port)
            }
            for (query, starts) in [
                ("title=news", ["2026-10-24T19:00:00Z", "2026-10-24T19:30:00Z"]),
                ("any=late&any=film&new=1", ["2026-10-24T19:00:00Z"]),
                ("title=news&without=late", ["2026-10-24T19:30:00Z"]),
                ("pattern=%5Ef.lm%24", ["2026-10-25T16:00:00Z"]),
                ("station=two&between=19:00-20:00", ["2026-10-24T19:30:00Z"]),
                ("category=news&once=1", ["2026-10-24T19:00:00Z"]), ("airing=2", ["2026-10-24T19:00:00Z"]),
            ] {
                let list = Loose(try Self.object(try await preview(query)))
                expectEqual(list["airings"].texts("start"), starts, query)
                expectEqual(list["count"].integer, starts.count, query)
                expectEqual(list["complete"].flag, true, query)
            }
            for (query, status, parameter) in [
                ("", 422, nil), ("without=a", 422, nil), ("pattern=(a", 422, "pattern"), ("any=-", 422, "any"),
                ("between=x", 400, "between"), ("name=a", 400, "name"), ("words=a*+b*", 422, "words"),
            ] as [(String, Int, String?)] {
                let response = try await preview(query)
                expectEqual(response.status, status, query)
                try expectEqual(Self.object(response)["parameter"] as? String, parameter, query)
            }
            let limited = try await preview("title=news&lockAge=21&lockCategory=News")
            try expectEqual(Loose(Self.object(limited))["count"].integer, 1)
        }
        try expectEqual(GuideDatabase(path: guide.path).read { try $0.watchRules() }, [])
    }

    @Test func airingBecomesARuleForItsTitleAndStation() async throws {
        let guide = try guide([])
        try await run(guide) { port in
            let page = try await RawClient.get("/airings/2?at=2026-10-24T18:00:00Z", port: port).text
            expectText(page, contains: ["data-rule="], lacks: ["epg watch add"])
            try await expectEqual(Self.post(#"{"airing": 99}"#, port).status, 404)
            try await expectEqual(Self.post(#"{"airing": 2}"#, port).status, 201)
            let rule = try #require(try GuideDatabase(path: guide.path).read { try $0.watchRules() }.first)
            expectEqual(rule.conditions.title, "News")
            expectEqual(rule.conditions.airing?.id, AiringID(2))
            expectEqual(rule.conditions.station, StationID("one"))
        }
    }

    /// Invalid rules and the status of the response.
    private static let invalidRules: [(body: String, status: Int)] = [
        ("[]", 400), ("{", 400), (#"{"title": 5}"#, 400), (#"{"title": "A", "bogus": 1}"#, 400), ("{}", 422),
        (#"{"title": "A", "between": "x"}"#, 400), (#"{"title": "A", "minutes": -1}"#, 422), (#"{"name": "a"}"#, 422),
        (#"{"title": "A", "new": "yes"}"#, 400), (#"{"without": ["A"]}"#, 422), (#"{"any": [1]}"#, 400),
        (#"{"words": "-"}"#, 422),
        ("{\"title\": \"\(String(repeating: "a", count: 20_000))\"}", 413),
    ]

    @Test func invalidRuleIsRejected() async throws {
        let guide = try guide([])
        try await run(guide) { port in
            for (body, status) in Self.invalidRules {
                let response = try await Self.post(body, port)
                expectResponse(
                    response, status, headers: ["content-type": "application/problem+json"], String(body.prefix(60)))
                try expectEqual(GuideDatabase(path: guide.path).read { try $0.watchRules() }, [], body)
            }
        }
    }

    @Test func changesNeedTheTokenAndAPageOfThisService() async throws {
        let guide = try guide([Self.news()])
        let body = #"{"title": "A"}"#
        try await run(guide) { port in
            for (headers, status) in [
                ([Self.json], 401), (["Authorization: Bearer wrong", Self.json], 401),
                ([Self.bearer, Self.json, "Origin: https://evil.example"], 403),
                ([Self.bearer, Self.json, "Origin: null"], 403),
                ([Self.bearer, Self.json, "Sec-Fetch-Site: cross-site"], 403),
                ([Self.bearer, Self.json, "Sec-Fetch-Site: same-site"], 403), ([Self.bearer], 415),
                ([Self.bearer, "Content-Type: text/plain"], 415),
                ([Self.bearer, "Content-Type: application/x-www-form-urlencoded"], 415),
            ] {
                try await expectEqual(Self.post(body, port, headers).status, status, "\(headers)")
                let removed = try await RawClient.request(
                    "DELETE", "/api/v1/watch/news", port: port,
                    headers: headers.filter { !$0.hasPrefix("Content-Type") })
                if status != 415 { expectEqual(removed.status, status, "\(headers)") }
                if status == 415 { try GuideDatabase(path: guide.path).write { try $0.saveWatchRule(Self.news()) } }
            }
            try expectEqual(GuideDatabase(path: guide.path).read { try $0.watchRules().map(\.name) }, ["news"])
            let own = [Self.bearer, Self.json, "Sec-Fetch-Site: same-origin"]
            try await expectEqual(Self.post(body, port, own).status, 201)
        }
    }

    @Test func administratorChangesRulesWithoutTheToken() async throws {
        for token in [nil, Self.token] {
            let guide = try guide([Self.news()])
            try await AdminServer.run(
                guide, tokens: token.map { [$0: [.watch]] } ?? [:]
            ) { server in
                let administrator = try await server.loggedIn()
                let reader = try await server.loggedIn(AdminServer.readerPassword)
                let refusal = token == nil ? 403 : 401
                func post(_ client: AdminClient, _ headers: [String]) async throws -> Int {
                    try await Self.post(
                        #"{"title": "A"}"#, server.port, ["Cookie: \(client.cookie ?? "")", Self.json] + headers
                    ).status
                }
                // A session alone does not suffice: the request must come from a page of this service.
                for headers in [[], ["Sec-Fetch-Site: none"]] {
                    try await expectEqual(post(administrator, headers), refusal, "\(headers)")
                }
                for headers in [
                    ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"], ["Origin: https://evil.example"],
                    ["Origin: null"],
                ] {
                    try await expectEqual(post(administrator, headers), 403, "\(headers)")
                }
                try await expectEqual(post(reader, ["Sec-Fetch-Site: same-origin"]), refusal)
                try expectEqual(server.read { try $0.watchRules().map(\.name) }, ["news"])
                try await expectEqual(post(administrator, ["Sec-Fetch-Site: same-origin"]), 201)
                try await expectEqual(post(administrator, ["Origin: http://127.0.0.1:\(server.port)"]), 200)
                let removed = try await RawClient.request(
                    "DELETE", "/api/v1/watch/news", port: server.port,
                    headers: ["Cookie: \(administrator.cookie ?? "")", "Sec-Fetch-Site: same-origin"])
                expectEqual(removed.status, 204)
                try expectEqual(server.read { try $0.watchRules().map(\.name) }, ["A"])
                // The session ends with a new password.
                try server.access.change { $0.administrator = nil }
                try await expectEqual(post(administrator, ["Sec-Fetch-Site: same-origin"]), refusal)
            }
        }
    }

    @Test func changesWorkWithTheTokenIfReadingRequiresALogIn() async throws {
        let guide = try guide([Self.news()])
        try await AdminServer.run(
            guide, tokens: [Self.token: [.watch]], requiresLogin: true
        ) { server in
            try await expectEqual(RawClient.get("/api/v1/watch", port: server.port).status, 401)
            try await expectEqual(Self.post(#"{"title": "A"}"#, server.port).status, 201)
            try await expectEqual(Self.post(#"{"title": "B"}"#, server.port, [Self.json]).status, 401)
            var reader = try await server.loggedIn(AdminServer.readerPassword)
            let list = try await reader.get("/api/v1/watch")
            expectResponse(list, 200, headers: ["cache-control": "private, no-cache"])
        }
    }

    @Test func serviceWithoutATokenRejectsChanges() async throws {
        let guide = try guide([Self.news()])
        try await run(guide, token: nil) { port in
            try await expectEqual(Self.post(#"{"title": "A"}"#, port).status, 403)
            let removed = try await RawClient.request(
                "DELETE", "/api/v1/watch/news", port: port, headers: [Self.bearer])
            expectEqual(removed.status, 403)
            let page = try await RawClient.get("/airings/2?at=2026-10-24T18:00:00Z", port: port).text
            expectText(page, contains: ["hidden data-rule"], lacks: ["epg watch add", "data-watch", "/login"])
            try await expectText(RawClient.get("/watch", port: port).text, lacks: ["data-remove"])
        }
        try expectEqual(GuideDatabase(path: guide.path).read { try $0.watchRules().map(\.name) }, ["news"])
    }

    // MARK: - Viewers

    /// Sends a request of a page without a session.
    private static func view(
        _ method: String, _ path: String, _ body: String = "", _ port: Int, headers: [String] = []
    ) async throws -> RawResponse {
        try await RawClient.request(
            method, path, port: port, headers: [json, "Sec-Fetch-Site: same-origin"] + headers, body: Array(body.utf8))
    }

    private func profiles(_ guide: ServedGuide) throws -> ServedGuide {
        try GuideDatabase(path: guide.path).write { writer in
            for name in ["anna", "ben"] { _ = try writer.saveProfile(Profile(name: name, acceptsRules: true)) }
            _ = try writer.saveProfile(Profile(name: "kids"))
        }
        return guide
    }

    @Test(arguments: [nil, WatchTests.token]) func viewerChangesRulesOfAProfileThatAcceptsThem(
        token: String?
    ) async throws {
        let guide = try profiles(guide([Self.news("plan"), Self.news("bens", profile: "ben")]))
        @Sendable func names() throws -> [String] {
            try GuideDatabase(path: guide.path).read { try $0.watchRules().map { "\($0.profile) \($0.name)" } }
        }
        let log = LogLines()
        try await run(guide, token: token, log: log) { port in
            let title = #"{"title": "Film", "once": true}"#
            // Without a profile, with one that accepts no rules, and with an unknown one.
            for (path, status) in [("", token == nil ? 403 : 401), ("?profile=kids", 403), ("?profile=none", 403)] {
                let refused = try await Self.view("POST", "/api/v1/watch" + path, title, port)
                expectEqual(refused.status, status, path)
            }
            let added = try await Self.view("POST", "/api/v1/watch?profile=anna", title, port)
            let elsewhere = try await RawClient.request(
                "POST", "/api/v1/watch?profile=anna", port: port, headers: [Self.json, "Sec-Fetch-Site: cross-site"],
                body: Array(title.utf8))
            expectEqual([added.status, elsewhere.status], [201, 403])
            // A wrong token is no way in.
            let wrong = try await Self.view(
                "POST", "/api/v1/watch?profile=anna", title, port, headers: ["Authorization: Bearer wrong"])
            expectEqual(wrong.status, token == nil ? 403 : 401)
            // Another profile may follow the same title.
            let second = try await Self.view("POST", "/api/v1/watch?profile=ben", title, port)
            expectResponse(second, 201, contains: ["\"name\":\"Film (ben)\",\"profile\":\"ben\""])
            try await expectEqual(Self.view("POST", "/api/v1/watch?profile=ben", title, port).status, 200)
            let other = try await Self.view(
                "POST", "/api/v1/watch?profile=anna", #"{"title": "B", "profile": "ben"}"#, port)
            expectResponse(other, 403, contains: ["belongs to the profile “ben”"])
            for (method, path, body, status) in [
                ("PATCH", "Film?profile=anna", #"{"name": "Films", "minutes": 9}"#, 200),
                ("PATCH", "Films?profile=anna", #"{"profile": "ben"}"#, 403),
                ("PATCH", "plan?profile=anna", #"{"minutes": 1}"#, 403), ("PATCH", "x?profile=anna", "{}", 404),
                ("PATCH", "bens?profile=anna", #"{"profile": "anna"}"#, 403),
                ("DELETE", "plan?profile=anna", "", 403), ("DELETE", "bens?profile=anna", "", 403),
                ("DELETE", "Films", "", token == nil ? 403 : 401), ("DELETE", "none?profile=anna", "", 404),
            ] {
                let response = try await Self.view(method, "/api/v1/watch/" + path, body, port)
                expectEqual(response.status, status, "\(method) \(path) \(body): \(response.text)")
            }
            try expectEqual(names(), ["anna Films", "ben Film (ben)", "ben bens", "default plan"])
            try await expectEqual(Self.view("DELETE", "/api/v1/watch/Films?profile=anna", "", port).status, 204)
            let profile = try await RawClient.get("/api/v1/profiles/anna", port: port)
            expectText(profile.text, contains: ["\"acceptsRules\":true"])
        }
        try expectEqual(names(), ["ben Film (ben)", "ben bens", "default plan"])
        expectEqual(log.all.filter { $0.contains("watch rule over HTTP") }.count, 4)
    }

    @Test func viewersTakeNoNamesOfProfilesAddNoPatternsAndKeepTheLimitOfTheProfile() async throws {
        let pattern = try WatchRule(name: "regex", profile: "anna", WatchConditions(pattern: TextPattern("^film")))
        let guide = try profiles(guide([pattern, Self.news("carls", profile: "carl")]))
        try GuideDatabase(path: guide.path).write { writer in
            let limit = try ParentalLimit(maximumAge: 6, hiddenCategories: ["News"])
            _ = try writer.saveProfile(Profile(name: "limited", limit: limit, acceptsRules: true))
        }
        try await run(guide) { port in
            for (method, path, body, status, parameter) in [
                ("POST", "?profile=anna", #"{"name": "kids", "title": "A"}"#, 409, "name"),
                ("POST", "?profile=anna", #"{"name": "anna", "title": "A"}"#, 409, "name"),
                ("POST", "?profile=anna", #"{"name": "carl", "title": "A"}"#, 409, "name"),
                ("POST", "?profile=anna", #"{"name": "default", "title": "A"}"#, 409, "name"),
                ("PATCH", "/regex?profile=anna", #"{"name": "ben"}"#, 409, "name"),
                ("POST", "?profile=anna", #"{"title": "A", "pattern": "a"}"#, 422, "pattern"),
                ("PATCH", "/regex?profile=anna", #"{"pattern": "b"}"#, 422, "pattern"),
                // The form sends the pattern of an administrator again.
                ("PATCH", "/regex?profile=anna", #"{"pattern": "^film", "minutes": 9}"#, 200, nil),
                ("PATCH", "/regex?profile=anna", #"{"pattern": null, "title": "B"}"#, 200, nil),
                ("POST", "?profile=limited", #"{"airing": 2}"#, 422, nil),
                ("POST", "?profile=limited&lockAge=21", #"{"airing": 2}"#, 422, nil),
                ("POST", "?profile=ben&lockAge=6&lockCategory=News", #"{"airing": 2}"#, 201, nil),
                // Without a name, the profile follows the title.
                ("POST", "?profile=anna", #"{"title": "kids"}"#, 201, nil),
            ] as [(String, String, String, Int, String?)] {
                let response = try await Self.view(method, "/api/v1/watch" + path, body, port)
                expectEqual(response.status, status, "\(method) \(path) \(body): \(response.text)")
                let object = try Self.object(response)
                expectEqual(object["parameter"] as? String, parameter, "\(method) \(path) \(body)")
                if status == 422 { expectText(response.text, lacks: ["\"News\""]) }
            }
            // Others may use both.
            try await expectEqual(
                Self.post(#"{"name": "kids", "title": "A", "pattern": "a"}"#, port).status, 201)
        }
        try expectEqual(
            GuideDatabase(path: guide.path).read { try $0.watchRules().map { "\($0.profile) \($0.name)" } },
            ["anna kids (anna)", "anna regex", "ben News #2", "carl carls", "default kids"])
    }

    @Test func viewersAddAtMost100RulesToAProfile() async throws {
        let guide = try profiles(guide([]))
        try GuideDatabase(path: guide.path).write { writer in
            for number in 1..<Profile.maximumRuleCount {
                try writer.saveWatchRule(Self.news("rule \(number)", profile: "anna"))
            }
        }
        try await run(guide) { port in
            let path = "/api/v1/watch?profile=anna"
            try await expectEqual(Self.view("POST", path, #"{"title": "A"}"#, port).status, 201)
            let more = try await Self.view("POST", path, #"{"title": "B"}"#, port)
            expectResponse(more, 422, contains: ["100 watch rules", "Remove one first"])
            // The same rule again, an edit, another profile, and an administrator.
            try await expectEqual(Self.view("POST", path, #"{"title": "A"}"#, port).status, 200)
            try await expectEqual(
                Self.view("PATCH", "/api/v1/watch/A?profile=anna", #"{"minutes": 1}"#, port).status, 200)
            try await expectEqual(
                Self.view("POST", "/api/v1/watch?profile=ben", #"{"title": "B"}"#, port).status, 201)
            try await expectEqual(Self.post(#"{"title": "B2", "profile": "anna"}"#, port).status, 201)
        }
    }

    @Test func changesOfViewersAreLimitedByAddressAndByProfile() async throws {
        let limiter = RuleChangeLimiter()
        let second: Int64 = 1_000_000_000
        func delays(_ count: Int, _ address: String?, _ profile: String, at time: Int64) -> Set<Int?> {
            let client = address.flatMap { ClientAddress(parsing: $0[...]) }
            return Set((0..<count).map { _ in limiter.retryDelay(of: client, profile: profile, at: time * second) })
        }
        expectEqual(delays(20, "192.0.2.1", "anna", at: 100), [nil])
        expectEqual(delays(1, "192.0.2.1", "ben", at: 100), [20])
        expectEqual(delays(20, "192.0.2.2", "anna", at: 100), [nil])
        expectEqual(delays(20, nil, "anna", at: 100), [nil])
        // The profile has had 60 changes.
        expectEqual(delays(1, "192.0.2.3", "anna", at: 100), [7])
        // The refused change has not counted against the address.
        expectEqual(delays(20, "192.0.2.3", "ben", at: 100), [nil])
        // So many addresses that the limiter forgets them do not lift the limit of a profile.
        for number in 0..<5000 {
            expectEqual(delays(1, "10.0.\(number / 250).\(number % 250)", "p\(number / 50)", at: 100), [nil])
        }
        expectEqual(delays(1, "192.0.2.4", "anna", at: 100), [7])
        expectEqual(delays(1, "192.0.2.1", "anna", at: 120), [nil])

        try await run(profiles(guide([]))) { port in
            var statuses: [Int] = []
            // Invalid rules do not count.
            for _ in 0..<20 {
                try await expectEqual(Self.view("POST", "/api/v1/watch?profile=anna", "{", port).status, 400)
                statuses.append(
                    try await Self.view("POST", "/api/v1/watch?profile=anna", #"{"title": "A"}"#, port).status)
            }
            expectEqual(Set(statuses), [200, 201])
            let refused = try await Self.view("POST", "/api/v1/watch?profile=anna", #"{"title": "A"}"#, port)
            expectResponse(refused, 429, contains: ["Too many changes of watch rules. Try again in"])
            #expect((1...20).contains(Int(refused["retry-after"] ?? "") ?? 0))
            // Clients with a token are not viewers.
            try await expectEqual(Self.post(#"{"title": "C"}"#, port).status, 201)
        }
    }

    @Test func viewerNeedsALogInIfReadersDo() async throws {
        try await AdminServer.run(profiles(guide([])), requiresLogin: true) { server in
            let reader = try await server.loggedIn(AdminServer.readerPassword)
            let cookie = "Cookie: \(reader.cookie ?? "")"
            let path = "/api/v1/watch?profile=anna"
            try await expectEqual(Self.view("POST", path, #"{"title": "A"}"#, server.port).status, 403)
            try await expectEqual(
                Self.view("POST", path, #"{"title": "A"}"#, server.port, headers: [cookie]).status, 201)
        }
    }

    @Test func metricsCountRemindersByState() async throws {
        let rule = try Self.news()
        let guide = try guide([rule])
        try await run(guide) { port in
            try await expectText(RawClient.get("/metrics", port: port).text, lacks: ["epg_reminders"])
            try GuideDatabase(path: guide.path).write { writer in
                let plan = try ReminderPlan(
                    writer, to: [ReminderRecipient(name: "phone", profiles: [])],
                    now: Instant(secondsSince1970: 1_792_868_400), minuteOfDay: { _ in 0 })
                _ = try writer.claimReminders(plan.due.map(\.reminder))
            }
            let text = try await RawClient.get("/metrics", port: port).text
            expectText(text, contains: ["epg_reminders{state=\"sending\"} 1"])
        }
    }
}
