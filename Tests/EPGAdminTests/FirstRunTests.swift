import EPGCalendar
import EPGHTTP
import EPGModel
import Foundation
import TestSupport
import Testing

@testable import EPGAdmin
@testable import epgd
@testable import ServiceTestSupport

/// What newcomers enter: URLs without a scheme, schedules in words, zones of cities, and mistakes.
@Suite("First run", .serialized)
struct FirstRunTests {
    /// Texts, and the two URLs to try; `nil` for invalid texts.
    @Test(
        arguments: [
            ("https://a.example/g.xml", "https://a.example/g.xml", ""), ("HTTP://a.example", "HTTP://a.example", ""),
            ("example.com/guide.xml", "https://example.com/guide.xml", "http://example.com/guide.xml"),
            ("nas:8080/g", "https://nas:8080/g", "http://nas:8080/g"),
            ("localhost", "https://localhost", "http://localhost"),
            ("192.0.2.1", "https://192.0.2.1", "http://192.0.2.1"),
            ("bücher.example?x=1", "https://bücher.example?x=1", ""),
            ("guide.xml", nil, ""), ("channels.m3u8", nil, ""), ("guide", nil, ""), ("/etc/passwd", nil, ""),
            ("ftp://a.example/", nil, ""), ("javascript:alert(1)", nil, ""), ("a.example:port/g", nil, ""),
            ("a.example/b c", nil, ""), ("user@a.example/g", nil, ""), (":80/g", nil, ""), ("a.example:0", nil, ""),
        ] as [(String, String?, String)])
    func schemeIsAddedToAHost(text: String, url: String?, other: String) {
        do throws(Problem) {
            let found = try SourceFields.completedURL(text, field: "url")
            expectEqual(found.url, url)
            expectEqual(found.orElse ?? "", other)
        } catch {
            expectEqual(error.parameter, "url")
            expectEqual(url, nil)
        }
    }

    /// Cron expressions and the choices that stand for them.
    @Test(
        arguments: [
            (nil, .never), ("7 4 * * *", .nightly), ("0 * * * *", .hourly), ("59 */3 * * *", .threeHours),
            ("3 */6 * * *", .sixHours), ("3 4,16 * * *", .twiceADay), ("3 4 * * mon", .weekly), ("30 3 * * *", .custom),
            ("*/5 4 * * *", .custom), ("@daily", .custom), ("7 4 * * * ", .custom), ("60 4 * * *", .custom),
        ] as [(String?, ScheduleChoice)])
    func scheduleIsShownInWords(expression: String?, choice: ScheduleChoice) {
        expectEqual(ScheduleChoice(of: expression), choice)
        // Saving a form without a change keeps the minute.
        expectEqual(choice.expression(former: expression, custom: expression), expression)
    }

    @Test(arguments: ScheduleChoice.allCases.filter { $0 != .custom })
    func chosenScheduleIsAValidExpression(choice: ScheduleChoice) throws {
        let expression = choice.expression(former: "30 3 * * *", custom: "x")
        expectEqual(ScheduleChoice(of: expression), choice)
        if let expression { _ = try CronExpression(expression) }
    }

    @Test(
        arguments: [
            ("Europe/London", "Europe/London"), ("europe/london", "Europe/London"), ("london", "Europe/London"),
            ("New York", "America/New_York"), ("Kathmandu, Asia (UTC+05:45)", "Asia/Kathmandu"), ("UTC", "UTC"),
            // Two zones are named after cities of this name.
            ("Louisville", "Louisville"), ("Mars", "Mars"), ("", ""),
        ] as [(String, String)])
    func zoneIsFoundByItsCity(text: String, name: String) { expectEqual(ZoneChoice.name(of: text), name) }

    @Test func zonesHaveTheirPresentOffsets() {
        let summer = ZoneChoice.all(at: Instant(secondsSince1970: 1_783_000_000))
        let labels = Dictionary(uniqueKeysWithValues: summer.map { ($0.name, $0.label) })
        expectEqual(labels["Europe/London"], "London, Europe (UTC+01:00)")
        expectEqual(labels["America/New_York"], "New York, America (UTC-04:00)")
        expectEqual(labels["Asia/Kathmandu"], "Kathmandu, Asia (UTC+05:45)")
        expectEqual(summer.first?.name, "UTC")
    }

    private static let allowed = "private-hosts: [127.0.0.1]\n"

    private func empty() throws -> ServedGuide { try ServedGuide(bytes: ServedGuide.document(""), as: "empty") }

    /// A guide without zones, whose header has some attributes.
    private func zoneless(_ header: String = "") -> String {
        """
        <tv \(header)><channel id="one.example"><display-name>One</display-name></channel>
        <programme start="20261024180000" stop="20261024190000" channel="one.example"><title>Harbour Lights</title></programme></tv>
        """
    }

    @Test func serverWithoutTLSIsReadByHTTP() async throws {
        let origin = try LoopbackServer { _ in .status("200 OK", body: self.zoneless()) }
        defer { origin.stop() }
        try await AdminServer.run(try empty(), settings: Self.allowed) { server in
            var client = try await server.loggedIn()
            let text = String(origin.url().dropFirst("http://".count))
            let (location, id) = try await client.post("/admin/add/url", ["url": text]).preview()
            let page = try await client.preview(at: location)
            expectText(page, contains: ["https://\(text) cannot be reached.", "not encrypted"])
            _ = try await client.accept(previewAt: location, ["id": id, "name": "plain"])
            let sources = try server.read { try $0.sourceRecords() }.map(\.source)
            expectEqual(sources.first { $0.name == "plain" }?.location, origin.url())
            // A URL with a scheme is tried with this scheme only.
            let secure = try await client.post("/admin/add/url", ["url": "https://\(text)"]).preview().location
            expectText(try await client.preview(at: secure), contains: ["Try again"], lacks: ["Add it"])
        }
    }

    @Test func guideWithoutZonesAsksForOne() async throws {
        try await AdminServer.run(try empty()) { server in
            var client = try await server.loggedIn()
            let (location, id) = try await client.upload(Array(self.zoneless().utf8), named: "plain.xml").preview()
            let page = try await client.preview(at: location)
            expectText(
                page,
                contains: [
                    "name=\"zone\" value=\"UTC\"", "list=\"zones\"", "Harbour Lights", "Sat 24 Oct 2026, 18:00 UTC",
                    "<option value=\"Europe/Paris\">Paris, Europe (UTC+02:00)</option>",
                ])
            // Paris is two hours ahead on this day. The name that the user entered stays.
            let again = try await client.post(
                "/admin/preview/accept", ["id": id, "name": "my own", "zone": "paris", "action": "zone"])
            expectResponse(again, 303, headers: ["location": location])
            let other = try await client.preview(at: location)
            expectText(
                other,
                contains: ["value=\"Europe/Paris\"", "Sat 24 Oct 2026, 16:00 UTC", "name=\"name\" value=\"my own\""])
            let refused = try await client.post(
                "/admin/preview/accept", ["id": id, "name": "my own", "zone": "Mars", "action": "zone"])
            expectResponse(refused, 422, contains: ["There is no time zone “Mars”.", "value=\"Mars\"", "my own"])
            _ = try await client.accept(previewAt: location, ["id": id, "name": "my own", "zone": "Europe/Paris"])
            let start = try server.read { try $0.guideSpan() }?.start
            expectEqual(start, Instant(secondsSince1970: 1_792_857_600))
            // Times with zones need no other one.
            let zoned = self.zoneless().replacing("0000\" ", with: "0000 +0000\" ")
            let complete = try await client.upload(Array(zoned.utf8), named: "zoned.xml").preview()
            expectText(try await client.preview(at: complete.location), contains: ["Add it"], lacks: ["name=\"zone\""])
        }
    }

    /// Files, their names, and the suggested names of sources.
    private static let names: [(bytes: String, file: String, name: String)] = [
        ("source-info-name=\"Harbour  listings\" generator-info-name=\"tv_grab\"", "a.xml", "Harbour listings"),
        ("source-info-name=\"https://a.example/\" generator-info-name=\"tv_grab_x/1.0\"", "a.xml", "tv_grab_x"),
        ("", "harbour.xml.gz", "harbour"), ("source-info-name=\"\"", "b.xml", "b"),
        ("source-info-name=\"\(String(repeating: "x", count: 65))\"", "c.xml", "c"),
    ]

    @Test func nameIsSuggestedFromTheContent() async throws {
        try await AdminServer.run(try empty()) { server in
            var client = try await server.loggedIn()
            func name(_ bytes: String, _ file: String) async throws -> String {
                let (location, id) = try await client.upload(Array(bytes.utf8), named: file).preview()
                let page = try await client.preview(at: location)
                _ = try await client.post("/admin/preview/discard", ["id": id])
                return String(page.firstMatch(of: /name="name" value="([^"]*)"/)?.1 ?? "")
            }
            for (header, file, expected) in Self.names {
                expectEqual(try await name(self.zoneless(header), file), expected)
            }
            let playlist = "#EXTM3U\n#PLAYLIST:Living room\n#EXTINF:-1,One\nhttp://a.example/1\n"
            expectEqual(try await name(playlist, "x.m3u"), "Living room")
            // A file with the name of a source probably replaces it.
            expectEqual(try await name(self.zoneless(Self.names[0].bytes), "empty.xml"), "empty")
        }
    }

    @Test func firstSourceBringsASchedule() async throws {
        let origin = try LoopbackServer { _ in .status("200 OK", body: self.zoneless()) }
        defer { origin.stop() }
        try await AdminServer.run(try empty(), settings: Self.allowed) { server in
            var client = try await server.loggedIn()
            let (location, id) = try await client.post("/admin/add/url", ["url": origin.url()]).preview()
            let page = try await client.preview(at: location)
            expectText(page, contains: ["<option value=\"nightly\" selected>Every night at about 4:00</option>"])
            for (schedule, cron) in [("custom", "at noon"), ("custom", ""), ("sometimes", "")] {
                let refused = try await client.post(
                    "/admin/preview/accept", ["id": id, "name": "web", "schedule": schedule, "refresh": cron])
                expectResponse(refused, 422, contains: ["class=\"a-flaw\"", "autofocus"], schedule)
            }
            expectEqual(try server.read { try $0.storedSettings() }, [:])
            _ = try await client.accept(
                previewAt: location, ["id": id, "name": "web", "schedule": "nightly", "refresh": "ignored"])
            let stored = try server.read { try $0.storedSettings()["refresh"] }?.first
            expectEqual(ScheduleChoice(of: stored), .nightly)
            let settings = try await client.get("/admin/settings").text
            expectText(settings, contains: ["<option value=\"nightly\" selected>", "The next refresh is due at about"])
            // The schedule exists now, and the next source leaves it alone.
            let next = try await client.post("/admin/add/url", ["url": origin.url()]).preview().location
            expectText(try await client.preview(at: next), lacks: ["name=\"schedule\""])
            _ = try await client.post("/admin/settings", ["schedule": "never", "refresh": stored ?? ""])
            expectEqual(try server.read { try $0.storedSettings() }, [:])
        }
    }

    /// Forms with a mistake: the path, the fields, and the field that shows it.
    private static let mistakes: [(path: String, fields: KeyValuePairs<String, String>, field: String)] = [
        ("/admin/add/url", ["url": "guide"], "url"),
        (
            "/admin/add/account", ["service": "xtream", "server": "x", "username": "a", "account-password": "b"],
            "server"
        ),
        (
            "/admin/add/account", ["service": "xtream", "server": "http://a", "username": "", "account-password": "b"],
            "username"
        ),
        ("/admin/source", ["name": "east", "zone": "Mars"], "zone"),
        ("/admin/source", ["name": "east", "interval": "soon"], "interval"),
        ("/admin/source", ["name": "east", "shift": "later"], "shift"),
        ("/admin/source", ["name": "east", "encoding": "klingon"], "encoding"),
        ("/admin/source", ["name": "east", "location": "ftp://a"], "location"),
        ("/admin/settings", ["zone": "Mars"], "zone"),
        ("/admin/settings", ["schedule": "custom", "refresh": "at noon"], "refresh"),
        ("/admin/settings", ["retention": "forever"], "retention"),
        ("/admin/profiles/add", ["name": "Kim", "age": "99"], "age"),
        ("/admin/profiles/add", ["name": "Kim", "pin": "1"], "pin"),
        ("/admin/access/token", ["name": "", "read": "1"], "name"),
        (
            "/admin/access/password",
            [
                "role": "administrator", "current": AdminServer.password, "password": "long enough",
                "repeated": "longer",
            ],
            "repeated"
        ),
        (
            "/admin/access/password",
            ["role": "reader", "current": "wrong", "password": "long enough", "repeated": "long enough"], "current"
        ),
    ]

    @Test func mistakeIsShownBesideItsField() async throws {
        let guide = try ServedGuide()
        try guide.addSources()
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            for (path, fields, field) in Self.mistakes {
                let response = try await client.post(path, fields)
                expectEqual(response.status, 422, "\(path) \(field)")
                let page = response.text
                // The only invalid field has the focus and, unless it is a password, the text that was entered.
                let inputs = page.matches(of: /<(?:input|select)[^>]*aria-invalid="true"[^>]*>/).map { String($0.0) }
                expectEqual(inputs.count, 1, "\(path) \(field)")
                expectText(inputs.first ?? "", contains: ["name=\"\(field)\"", "autofocus"], "\(path)")
                let entered = fields.first { $0.key == field }?.value ?? ""
                if !["pin", "repeated", "current"].contains(field) {
                    expectText(inputs.first ?? "", contains: ["value=\"\(entered)\""], "\(path)")
                }
                expectText(page, contains: ["class=\"a-flaw\""], lacks: ["role=\"alert\""], "\(path) \(field)")
            }
        }
    }
}
