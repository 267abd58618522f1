import Foundation
import Testing

/// Tests of the formats of TIME. `prune` reports the parsed time.
@Suite struct TimeExpressionTests {
    private func instant(of text: String, zone: String, in sandbox: Sandbox) throws -> String? {
        let run = try sandbox.epg("prune", "--force", "--before", text, "--zone", zone, "--json")
        return try run.json(as: [String: Any].self)["before"] as? String
    }

    /// Expected times are calculated by hand from the offsets: London +01:00 in summer, Kathmandu +05:45.
    @Test(arguments: [
        ("1990-10-24T20:30:00Z", "Europe/London", "1990-10-24T20:30:00Z"),
        ("1990-07-24T20:30:00+02:00", "Europe/London", "1990-07-24T18:30:00Z"),
        ("1990-07-24T20:30", "Europe/London", "1990-07-24T19:30:00Z"),
        ("1990-07-24 20:30", "Europe/London", "1990-07-24T19:30:00Z"),
        ("1990-01-24T20:30", "Europe/London", "1990-01-24T20:30:00Z"),
        ("1990-07-24", "Europe/London", "1990-07-23T23:00:00Z"),
        ("1990-07-24T20:30", "Asia/Kathmandu", "1990-07-24T14:45:00Z"),
        ("@650000000", "Asia/Kathmandu", "1990-08-07T03:33:20Z"),
    ])
    func timeWithoutOffsetIsInTimeZone(_ text: String, _ zone: String, _ expected: String) throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        #expect(try instant(of: text, zone: zone, in: sandbox) == expected)
    }

    @Test(arguments: [("20:00", 0), ("today 20:00", 0), ("tomorrow 20:00", 1), ("yesterday 20:00", -1)])
    func timeOfDayAcceptsRelativeDay(_ text: String, _ days: Int) throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        func expected() -> String {
            let day = Int((Date().timeIntervalSince1970 / 86_400).rounded(.down)) + days
            return Date(timeIntervalSince1970: Double(day * 86_400 + 20 * 3600)).ISO8601Format()
        }
        // Midnight may pass while the program runs.
        let candidates = [expected(), try instant(of: text, zone: "UTC", in: sandbox), expected()]
        #expect(candidates[1] == candidates[0] || candidates[1] == candidates[2])
    }

    @Test func nowIsCurrentTime() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let before = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        let text = try #require(try instant(of: "now", zone: "UTC", in: sandbox))
        let now = try Date(text, strategy: .iso8601)
        #expect(before <= now && now <= Date())
    }

    @Test(arguments: ["", "teatime", "25:00", "2026-02-30", "@", "@99999999999999999999", "2026-10-24T20:30+99:00"])
    func invalidTimeExitsWith64AndShowsFormats(_ text: String) throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let run = try sandbox.epg("prune", "--before", text)
        run.expect(64, errorsContain: ["--before"])
        #expect(run.errors.contains("; use ") || run.errors.contains("outside the years 0000 to 9999"))
    }
}
