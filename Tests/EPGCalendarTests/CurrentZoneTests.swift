import EPGModel
import Testing

@testable import EPGCalendar

@Suite struct CurrentZoneTests {
    private func current(_ variable: String?, in folder: TemporaryFolder) -> Zone {
        Zone.current(
            variable: variable, localTimePath: folder.path + "/localtime", timeZonePath: folder.path + "/timezone",
            database: .system)
    }

    @Test(arguments: [
        ("Europe/London", "Europe/London"), (":Europe/London", "Europe/London"), ("", "UTC"), (":", "UTC"),
        ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"), (":/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"),
        ("EST5EDT", "EST5EDT"), ("CET-1CEST,M3.5.0,M10.5.0/3", "CET-1CEST,M3.5.0,M10.5.0/3"),
        ("Nowhere/Land", "UTC"), ("../../etc/passwd", "UTC"), ("/etc/passwd", "UTC"), (":CET-1CEST,0,1", "UTC"),
    ])
    func theVariableComesFirst(_ variable: String, _ expected: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("Asia/Seoul\n".utf8), to: "timezone")
        #expect(current(variable, in: folder).name == expected)
    }

    @Test func aRuleInTheVariableIsFollowed() throws {
        let zone = current("<+03>-3", in: try TemporaryFolder())
        #expect(zone.iso8601(Instant(secondsSince1970: 0)) == "1970-01-01T03:00:00+03:00")
    }

    @Test func theLinkNamesTheZone() throws {
        let folder = try TemporaryFolder()
        try folder.link("localtime", to: "../usr/share/zoneinfo/America/Lima")
        try folder.write(Array("Asia/Seoul\n".utf8), to: "timezone")
        #expect(current(nil, in: folder).name == "America/Lima")
    }

    @Test func aCopyCountsAndTheNameFileMayNameIt() throws {
        let folder = try TemporaryFolder()
        try folder.write(ZoneFileTests.large, to: "localtime")
        #expect(current(nil, in: folder).name == "localtime")
        #expect(current(nil, in: folder).offset(at: Instant(secondsSince1970: 0)).abbreviation == "DEF")
        try folder.write(Array("Asia/Seoul\n".utf8), to: "timezone")
        #expect(current(nil, in: folder).name == "localtime")
    }

    @Test func theNameFileStandsInForAMissingLink() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("Asia/Seoul\n".utf8), to: "timezone")
        #expect(current(nil, in: folder).name == "Asia/Seoul")
    }

    @Test func withoutAnyWordItIsUTC() throws {
        #expect(current(nil, in: try TemporaryFolder()) == .utc)
    }
}
