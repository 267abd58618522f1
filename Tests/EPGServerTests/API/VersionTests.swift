import EPGModel
import EPGRender
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import EPGServer

/// Tests of `/api/v1/stations/{id}/days/{date}` and `/api/v1/versions`, and of responses that are the same at the next
/// generation.
@Suite struct VersionTests {
    private static let day = "/api/v1/stations/a/days/2026-10-24?zone=UTC"

    /// A programme of the evening of a day of October 2026, in UTC.
    private static func programme(_ station: String, _ day: Int, description: String = "About it.") -> String {
        programme(station, from: "202610\(day)180000", to: "202610\(day)190000", description)
    }

    private static func programme(
        _ station: String, from start: String, to stop: String, _ description: String
    ) -> String {
        """
        <programme start="\(start) +0000" stop="\(stop) +0000" channel="\(station)"><title>Evening</title>\
        <desc>\(description)</desc></programme>
        """
    }

    /// The versions of the stations of a guide by identifier.
    private static func versions(
        of guide: APIGuide, _ parameters: String = "date=2026-10-24&days=3&zone=UTC"
    ) async throws -> [String: [String]] {
        let stations = try await guide.get("/api/v1/versions?" + parameters).json["stations"].list
        return Dictionary(uniqueKeysWithValues: stations.map { ($0["id"].text ?? "", $0["versions"].texts) })
    }

    // MARK: - Versions

    @Test func copiesOfAGuideHaveEqualVersions() async throws {
        let records = (24...26).flatMap { [Self.programme("a", $0), Self.programme("b", $0)] }.joined()
        let first = try APIGuide(records)
        let second = try APIGuide(copyOf: first)
        let versions = try await Self.versions(of: first)
        expectEqual(versions.keys.sorted(), ["a", "b"])
        expectEqual(versions.values.map(\.count), [3, 3])
        // Stations and days are part of the content, so all six differ.
        expectEqual(Set(versions.values.joined()).count, 6)
        expectEqual(versions.values.joined().filter { $0.wholeMatch(of: /[0-9a-z]{1,13}/) == nil }, [])
        try await expectEqual(Self.versions(of: second), versions)
        let target = "/api/v1/versions?date=2026-10-24&zone=UTC"
        let tag = try #require(await first.get(target).headers[.eTag])
        await expectEqual(second.get(target).headers[.eTag], tag)
    }

    @Test func changedDescriptionChangesOneVersion() async throws {
        let guide = try APIGuide((24...26).map { Self.programme("a", $0) + Self.programme("b", $0) }.joined())
        let before = try await Self.versions(of: guide)
        try guide.update(
            (24...26).map { day in
                Self.programme("a", day)
                    + Self.programme("b", day, description: day == 25 ? "About something else." : "About it.")
            }.joined())
        let after = try await Self.versions(of: guide)
        for (station, isChanged) in [("a", [false, false, false]), ("b", [false, true, false])] {
            let (old, new) = (try #require(before[station]), try #require(after[station]))
            expectEqual(zip(old, new).map { $0 != $1 }, isChanged, station)
        }
    }

    @Test func airingAcrossMidnightBelongsToTwoDays() async throws {
        func late(_ description: String) -> String {
            Self.programme("a", from: "20261024233000", to: "20261025003000", description)
        }
        // In summer time, it is on from 0:30 to 1:30 on the 25th.
        let zones = ["UTC": [true, true, false], "Europe/London": [false, true, false]]
        let guide = try APIGuide(late("Before."))
        var before: [String: [String]] = [:]
        for zone in zones.keys {
            before[zone] = try await Self.versions(of: guide, "date=2026-10-24&days=3&zone=" + zone)["a"]
        }
        try guide.update(late("After."))
        for (zone, isChanged) in zones {
            let after = try #require(try await Self.versions(of: guide, "date=2026-10-24&days=3&zone=" + zone)["a"])
            let previous = try #require(before[zone])
            expectEqual(zip(previous, after).map { $0 != $1 }, isChanged, "\(zone)")
        }
    }

    @Test(arguments: ["zone=Europe/London", "zone=Asia/Tokyo", "zone=Europe/London&lang=en"])
    func listedVersionsEqualThoseOfTheDays(parameters: String) async throws {
        let guide = try SharedGuides.sample.get()
        let listed = try await Self.versions(of: guide, "date=2026-10-24&days=3&" + parameters)
        expectEqual(listed.count, 17)
        for (station, versions) in listed {
            for (day, version) in zip(24...26, versions) {
                let path = "/api/v1/stations/\(station.percentEncoded)/days/2026-10-\(day)?"
                try await expectEqual(guide.get(path + parameters).json["version"].text, version, "\(station) \(day)")
            }
        }
    }

    @Test func textsInAnotherLanguageHaveTheirOwnVersion() async throws {
        // “Le Dernier Phare”, on the 24th on Harbour Two, also has an English title.
        let guide = try SharedGuides.sample.get()
        let path = "/api/v1/stations/harbour-two.example/days/2026-10-24"
        let (first, english) = (try await guide.get(path).json, try await guide.get(path + "?lang=en").json)
        expectEqual(Set([first, english].compactMap { $0["version"].text }).count, 2)
        expectEqual(
            [first, english].map { $0["airings"].texts("title").contains("The Last Lighthouse") }, [false, true])
    }

    /// Clients keep the response to a URL with a version: if it changes although the guide is the same, so must the format.
    @Test func formatOfDaysHasANumber() async throws {
        let guide = try SharedGuides.sample.get()
        let fields = AiringMembers.standard.union([.series, .images, .ratings, .minimumAge, .genre, .marks])
        var responses: [UInt8] = []
        for station in try await guide.get("/api/v1/stations").json["stations"].list.compactMap({ $0["id"].text }) {
            let path = "/api/v1/stations/\(station.percentEncoded)/days/2026-10-24?zone=UTC&fields="
            // A version has a random key.
            responses += await guide.get("\(path)\(fields)").text.replacing(/,"version":"[^"]*"/, with: "").utf8
        }
        expectEqual(
            [DayVersion.format: String(ContentHasher.fixed.hash(responses.span).high, radix: 36)], [4: "o0nlbtki1ks3"])
    }

    @Test func versionsStartTodayAndArePaged() async throws {
        let guide = try SharedGuides.sample.get()
        // 18:00Z on the 24th is 03:00 on the 25th in Tokyo.
        let tokyo = try await guide.get("/api/v1/versions?zone=Asia/Tokyo&offset=1&limit=2").json
        expectEqual(tokyo.keys, ["zone", "from", "days", "total", "offset", "stations"])
        expectEqual([tokyo["zone"].text, tokyo["from"].text], ["Asia/Tokyo", "2026-10-25"])
        expectEqual(["days", "total", "offset"].map { tokyo[$0].integer }, [7, 17, 1])
        expectEqual(tokyo["stations"].texts("id"), ["harbour-two.example", "lantern.example"])
        try await expectEqual(guide.get("/api/v1/versions?offset=17").json["stations"].list.count, 0)
    }

    @Test func productOfStationsAndDaysIsLimited() async throws {
        // 31 days of 3,226 stations are 100,006 station days; of 1,612 stations, 49,972; of 1,613 stations, 50,003.
        let guide = try APIGuide((0..<3226).map { "<channel id=\"s\($0)\"/>" }.joined())
        for (parameters, status) in [
            ("", 400), ("&limit=1612", 200), ("&offset=3200", 200), ("&limit=1613", 400), ("&limit=1612&lang=en", 200),
        ] {
            let response = await guide.get("/api/v1/versions?date=2026-10-24&days=31" + parameters)
            expectEqual(response.status, status, "\(parameters): \(response.text.prefix(300))")
            if status == 400 { try expectEqual(response.json["parameter"].text, "limit") }
        }
    }

    // MARK: - Days

    @Test func dayHasTheMembersOfItsScheduleExceptTheRow() async throws {
        let guide = try SharedGuides.sample.get()
        let path = "/api/v1/stations/harbour-one.example"
        let day = try await guide.get(path + "/days/2026-10-25").json
        let schedule = try await guide.get(path + "/schedule?day=2026-10-25").json
        expectEqual(day.keys, ["station", "stationName", "day", "zone", "from", "to", "airings", "version"])
        var actual = try #require(day.value as? [String: Any])
        var expected = try #require(schedule.value as? [String: Any])
        actual["version"] = nil
        expected["row"] = nil
        expectEqual(actual as NSDictionary, expected as NSDictionary)
        // The clocks go back on the 25th, so the day has 25 hours.
        expectEqual([day["from"].text, day["to"].text], ["2026-10-24T23:00:00Z", "2026-10-26T00:00:00Z"])
        #expect(day["airings"].list.count > 10)
    }

    @Test func dayAtTheCurrentVersionIsImmutable() async throws {
        let guide = try APIGuide(Self.programme("a", 24))
        let current = await guide.get(Self.day)
        let version = try #require(try current.json["version"].text)
        expectText(current.headers[.cacheControl], lacks: ["immutable"])
        let immutable = await guide.get(Self.day + "&version=" + version)
        expectEqual(immutable.headers[.cacheControl], "public, max-age=31536000, immutable")
        expectEqual(immutable.bytes, current.bytes)
        expectEqual(immutable.headers[.eTag], current.headers[.eTag])
        // A change of another station leaves the URL valid.
        try guide.update(Self.programme("a", 24), Self.programme("0", 24))
        await expectEqual(guide.get(Self.day + "&version=" + version).bytes, current.bytes)
    }

    @Test func dayAtAnotherVersionIsAConflict() async throws {
        let guide = try APIGuide(Self.programme("a", 24))
        let old = try #require(try await guide.get(Self.day).json["version"].text)
        try guide.update(Self.programme("a", 24, description: "About something else."))
        let new = try #require(try await guide.get(Self.day).json["version"].text)
        let conflict = await guide.get(Self.day + "&version=" + old)
        expectEqual(conflict.status, 409)
        expectEqual(conflict.headers[.cacheControl], "no-store")
        try expectEqual(conflict.json["parameter"].text, "version")
        expectText(try conflict.json["detail"].text ?? "", contains: ["version \(new), not \(old)"])
        await expectEqual(guide.get(Self.day + "&version=" + new).status, 200)
    }

    // MARK: - Generations

    @Test func unchangedContentKeepsItsTagAtTheNextGeneration() async throws {
        let guide = try APIGuide(Self.programme("a", 24), Self.programme("b", 24))
        let targets = [
            "/api/v1/grid?form=columns&from=1792864800&rows=0", "/api/v1/grid?from=1792864800&at=1792864800&rows=0",
            "/api/v1/stations", "/api/v1/stations/a", "/api/v1/stations/a/schedule?day=2026-10-24", Self.day,
            "/api/v1/now?at=1792864800&rows=0", "/api/v1/groups", "/api/v1/lineups",
        ]
        var before: [String: HTTPFields] = [:]
        for target in targets { before[target] = await guide.get(target).headers }
        try guide.update(Self.programme("a", 24), Self.programme("b", 24, description: "About something else."))
        let generation = try #require(HTTPField.Name("Guide-Generation"))
        for target in targets {
            let tag = try #require(before[target]?[.eTag])
            let after = await guide.get(target, headers: [.ifNoneMatch: tag])
            expectEqual(after.status, 304, "\(target)")
            expectNotEqual(after.headers[generation], before[target]?[generation], target)
        }
    }
}
