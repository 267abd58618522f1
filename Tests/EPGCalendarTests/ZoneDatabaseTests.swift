import EPGModel
import Foundation
import TestSupport
import Testing

@testable import EPGCalendar

@Suite struct ZoneDatabaseTests {
    @Test(arguments: [
        "../etc/passwd", "/etc/localtime", "Europe/../UTC", "Europe//London", "", ".", "zone.tab", "Europe/", "-x",
        "a\0b", "Europe/Löndon", String(repeating: "a", count: 101),
    ])
    func namesOutsideTheFolderAreRejected(_ name: String) {
        #expect(!ZoneDatabase.isZoneName(name))
        #expect(throws: ZoneError.self) { try Zone(named: name) }
    }

    @Test(arguments: [
        "Europe/London", "Etc/GMT+5", "America/Port-au-Prince", "America/North_Dakota/New_Salem", "EST5EDT",
    ])
    func namesOfTheDatabaseAreValid(_ name: String) throws {
        try expectEqual(Zone(named: name).name, name)
    }

    @Test(arguments: ["UTC", "Etc/UTC", "Z"])
    func utcNeedsNoDatabase(_ name: String) throws {
        try expectEqual(ZoneDatabase(folders: []).zone(named: name), .utc)
        #expect(Zone.utc.isUTC)
        #expect(try !zone("Africa/Abidjan").isUTC)
    }

    @Test(arguments: [
        ("europe/london", "Europe/London"), ("Londn", "Europe/London"), ("new york", "America/New_York"),
        ("Kolkatta", "Asia/Kolkata"), ("Etc/GMT+55", "Etc/GMT+5"),
    ])
    func similarNamesAreSuggested(_ wrong: String, _ right: String) {
        #expect {
            try Zone(named: wrong)
        } throws: { error in
            guard case .unknownName(wrong, let suggestions) = error as? ZoneError else { return false }
            return suggestions.count <= 3 && suggestions.contains(right) && "\(error)".contains(right)
        }
    }

    @Test(arguments: ["Xyzzyplugh", "Foo", "xyz"])
    func dissimilarTextHasNoSuggestion(name: String) {
        #expect(throws: ZoneError.unknownName(name, suggestions: [])) { try Zone(named: name) }
    }

    @Test(
        arguments: [
            ("BST", ["Europe/London"]), ("cest", ["Europe/Berlin"]),
            ("IST", ["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"]),
            ("PDT", ["America/Los_Angeles"]), ("Rom", ["Europe/Rome"]),
        ] as [(String, [String])])
    func abbreviationSuggestsItsPlaces(name: String, places: [String]) {
        #expect(throws: ZoneError.unknownName(name, suggestions: places)) { try Zone(named: name) }
    }

    /// The zones Etc/GMT±N have the signs of POSIX: west of Greenwich is positive.
    @Test(arguments: [
        ("GMT+2", ", or Etc/GMT-2, which is UTC+2"), ("UTC-05:00", ", or Etc/GMT+5, which is UTC−5"),
        ("utc+1", ", or Etc/GMT-1, which is UTC+1"), ("+0530", ""), ("GMT+15", ""),
        ("+14", ", or Etc/GMT-14, which is UTC+14"),
    ])
    func offsetSuggestsAZoneOfTheSameOffset(name: String, suggestion: String) throws {
        let error = try #require(throws: ZoneError.self) { try Zone(named: name) }
        expectEqual(
            error.description,
            "\"\(name)\" is an offset, not a time zone; use a name such as Europe/London\(suggestion)")
    }

    @Test(arguments: [("Etc/GMT-2", 7200), ("Etc/GMT+5", -18_000)])
    func fixedZonesHaveTheSuggestedOffset(name: String, seconds: Int64) throws {
        try expectEqual(Zone(named: name).offset(at: Instant(secondsSince1970: 0)).seconds, seconds)
    }

    @Test func missingDatabaseIsReported() {
        let database = ZoneDatabase(folders: ["/nonexistent"])
        let error = #expect(throws: ZoneError.noDatabase(name: "Europe/London", folders: ["/nonexistent"])) {
            try database.zone(named: "Europe/London")
        }
        expectEqual(error?.description.contains("TZDIR"), true)
    }

    @Test func messagesContainNoControlCharacters() {
        let error = ZoneError.invalidName("a\u{1B}[31m\n" + String(repeating: "x", count: 500))
        #expect(!error.description.contains("\u{1B}") && !error.description.contains("\n"))
        #expect(error.description.count < 200)
    }

    @Test func damagedFileIsReportedAndFolderIgnored() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("<html>".utf8), to: "Broken")
        try folder.makeFolder("Europe")
        let database = ZoneDatabase(folders: [folder.path])
        #expect(throws: ZoneError.damaged(name: "Broken", path: folder.path + "/Broken", flaw: .notAZoneFile)) {
            try database.zone(named: "Broken")
        }
        #expect(throws: ZoneError.noDatabase(name: "Europe", folders: [folder.path])) {
            try database.zone(named: "Europe")
        }
    }

    @Test func namesAreReadFromTables() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("# c\nXX\t+0000+00000\tSome/Where\nYY\t+00+00\tElse/Where\tnote\n".utf8), to: "zone.tab")
        expectEqual(ZoneDatabase(folders: [folder.path]).names(), ["Some/Where", "Else/Where"])
        let table = "# v\nR E 1 o - 1 0 0 0 -\nZ New/Place 0 - X\n1 - Y\nL New/Place Old/Place\n"
        try folder.write(Array(table.utf8), to: "tzdata.zi")
        expectEqual(ZoneDatabase(folders: [folder.path]).names(), ["New/Place", "Old/Place"])
    }
}

/// A folder that is deleted with this value.
final class TemporaryFolder {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zones-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: true)
    }

    func link(_ name: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: destination)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

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
    func variableTakesPrecedence(_ variable: String, _ expected: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("Asia/Seoul\n".utf8), to: "timezone")
        expectEqual(current(variable, in: folder).name, expected)
    }

    @Test func posixRuleInVariableIsParsed() throws {
        let zone = current("<+03>-3", in: try TemporaryFolder())
        expectEqual(zone.iso8601(Instant(secondsSince1970: 0)), "1970-01-01T03:00:00+03:00")
    }

    @Test func linkNamesTheZone() throws {
        let folder = try TemporaryFolder()
        try folder.link("localtime", to: "../usr/share/zoneinfo/America/Lima")
        try folder.write(Array("Asia/Seoul\n".utf8), to: "timezone")
        expectEqual(current(nil, in: folder).name, "America/Lima")
    }

    @Test func copyOfZoneFileIsNamedByTheNameFile() throws {
        let folder = try TemporaryFolder()
        try folder.write(ZoneFileTests.large, to: "localtime")
        expectEqual(current(nil, in: folder).name, "localtime")
        expectEqual(current(nil, in: folder).offset(at: Instant(secondsSince1970: 0)).abbreviation, "DEF")
        try folder.write(Array("Asia/Seoul\n".utf8), to: "timezone")
        expectEqual(current(nil, in: folder).name, "localtime")
    }

    @Test func nameFileReplacesAMissingLink() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("Asia/Seoul\n".utf8), to: "timezone")
        expectEqual(current(nil, in: folder).name, "Asia/Seoul")
    }

    @Test func defaultIsUTC() throws {
        expectEqual(current(nil, in: try TemporaryFolder()), .utc)
    }
}
