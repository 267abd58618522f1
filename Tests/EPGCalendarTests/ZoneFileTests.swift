import EPGModel
import TestSupport
import Testing

@testable import EPGCalendar

@Suite struct ZoneFileTests {
    /// A handmade file of version 1 (RFC 8536): at 0, from ABC, +1 hour, to DEF, −30 minutes.
    static let small: [UInt8] =
        Array("TZif".utf8) + [UInt8](repeating: 0, count: 16)
        + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 8]
        + [0, 0, 0, 0] + [1]
        + [0x00, 0x00, 0x0E, 0x10, 0, 0] + [0xFF, 0xFF, 0xF8, 0xF8, 1, 4]
        + Array("ABC\0DEF\0".utf8)

    /// The same file with 64-bit times and a rule.
    static let large: [UInt8] = {
        var large = small
        large[4] = UInt8(ascii: "2")
        large += large[..<44]
        large += [0, 0, 0, 0]
        large += small[44...]
        large += "\nDEF0:30\n".utf8
        return large
    }()

    @Test(arguments: [small, large])
    func smallFileIsParsed(_ bytes: [UInt8]) throws {
        let content = try ZoneFileReader.content(of: bytes)
        expectEqual(content.changes, [0])
        let zone = Zone(name: "Small", content: content)
        expectEqual(zone.offset(at: Instant(secondsSince1970: -1)).description, "+01:00")
        expectEqual(zone.offset(at: Instant(secondsSince1970: -1)).abbreviation, "ABC")
        expectEqual(zone.offset(at: Instant(secondsSince1970: 0)).description, "-00:30")
        expectEqual(zone.offset(at: Instant(secondsSince1970: 0)).abbreviation, "DEF")
    }

    @Test(arguments: [
        (0, UInt8(ascii: "X"), ZoneFileFlaw.notAZoneFile),
        (4, 1, .badHeader),
        (31, 1, .countsLeapSeconds),
        (35, 2, .truncated), (32, 0xFF, .truncated),
        (39, 0, .badHeader), (36, 1, .badHeader), (43, 0, .badHeader), (43, 9, .truncated), (43, 7, .badOffset),
        (23, 1, .badHeader), (27, 1, .badHeader),
        (48, 2, .badChange),
        (49, 1, .badOffset), (53, 2, .badOffset), (54, 8, .badOffset), (62, 0x1B, .badOffset), (62, 0, .badOffset),
    ])
    func damagedByteIsDetected(_ index: Int, _ byte: UInt8, _ flaw: ZoneFileFlaw) {
        var bytes = Self.small
        bytes[index] = byte
        #expect(throws: flaw) { try ZoneFileReader.content(of: bytes) }
    }

    @Test func changesMustAscend() {
        var bytes = Self.small
        bytes.replaceSubrange(44..<49, with: [0, 0, 0, 5, 0, 0, 0, 5, 0, 1])
        bytes[35] = 2
        #expect(throws: ZoneFileFlaw.badChange) { try ZoneFileReader.content(of: bytes) }
    }

    @Test(arguments: [small, large])
    func everyTruncationIsDetected(_ bytes: [UInt8]) {
        for count in 0..<bytes.count {
            #expect(throws: ZoneFileFlaw.self) { try ZoneFileReader.content(of: Array(bytes[..<count])) }
        }
    }

    @Test func invalidFooterIsDetected() {
        let bytes = Self.large.dropLast(9) + Array("\nnonsense\n".utf8)
        #expect(throws: ZoneFileFlaw.badRule) { try ZoneFileReader.content(of: Array(bytes)) }
    }

    @Test func oversizedFileIsRejected() {
        let bytes = Self.large + [UInt8](repeating: 0, count: ZoneFileReader.maximumSize)
        #expect(throws: ZoneFileFlaw.tooLarge) { try ZoneFileReader.content(of: bytes) }
    }

    /// Randomly changed files are rejected or result in a usable zone, without traps or hangs.
    @Test func randomDamageNeverTraps() {
        var random = SystemRandomNumberGenerator()
        for round in 0..<3000 {
            var bytes = round % 2 == 0 ? Self.large : Self.small
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 4..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let content: ZoneFileContent
            do { content = try ZoneFileReader.content(of: bytes) } catch { continue }
            let zone = Zone(name: "Damaged", content: content)
            for second in [Int64.min, -86_400, 0, 1_774_746_000, 5_000_000_000, .max] {
                let period = zone.period(containing: Instant(secondsSince1970: second))
                #expect(ZoneOffset.acceptedSeconds.contains(period.offset.seconds), "\(bytes)")
                #expect(period.window.start.secondsSince1970 <= second, "\(bytes)")
                _ = zone.instant(ofLocalSeconds: second)
                _ = zone.hourMarks(
                    in: TimeWindow(start: Instant(secondsSince1970: 0), end: Instant(secondsSince1970: 7200)))
            }
        }
    }

    /// The last change is so long before 1900 that expanding the rule from there would not end.
    @Test(.timeLimit(.minutes(1))) func ancientLastChangeDoesNotHang() throws {
        var bytes = Self.large.dropLast(9) + Array("\nGMT0BST,M3.5.0/1,M10.5.0\n".utf8)
        let times = Self.small.count + 44
        bytes.replaceSubrange(times..<times + 8, with: [0x80, 0, 0, 0, 0, 0, 0, 0])
        let zone = Zone(name: "Old", content: try ZoneFileReader.content(of: Array(bytes)))
        expectEqual(zone.offset(at: Instant(secondsSince1970: 1_774_746_000)).abbreviation, "BST")
    }
}
