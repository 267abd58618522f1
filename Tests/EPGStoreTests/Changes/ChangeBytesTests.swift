@testable import EPGStore
import EPGModel
import Testing

/// The bytes of logged changes are those of `schema.sql`, and anything else is refused.
@Suite struct ChangeBytesTests {
    private func airing(_ id: Int64, _ start: Int64, _ stop: Int64) -> StoredAiring {
        let window = TimeWindow(start: Instant(secondsSince1970: start), end: Instant(secondsSince1970: stop))
        var airing = StoredAiring(ScheduledListing(window: window, programme: 1))
        airing.id = id
        return airing
    }

    private func decoded(_ bytes: [UInt8]) throws -> [AiringChange] {
        var decoder = ChangeDecoder(bytes)
        return try decoder.changes()
    }

    /// By hand: 1000 is zigzag 2000 = 0x7D0, LEB128 D0 0F; 60 is 3C; 300 is AC 02.
    @Test func changesAreWrittenAsTheSchemaSays() throws {
        var encoder = ChangeEncoder()
        encoder.inserted(airing(5, 1000, 1060))
        encoder.removed(airing(3, 900, 1200))
        encoder.changed(7, from: airing(7, 900, 960), to: airing(7, 1000, 1060))
        encoder.changed(8, from: airing(8, 1000, 1060), to: airing(8, 1000, 1300))
        #expect(
            encoder.bytes == [
                0x00, 10, 0xD0, 0x0F, 0x3C,  // inserted 5 at 1000 for 60
                0x01, 3, 0xC7, 0x01, 0xAC, 0x02,  // removed 3 = 5 - 2, at 900 = 1000 - 100, for 300
                0x02, 8, 0x00, 0x3C, 0xC8, 0x01, 0x3C,  // moved 7 = 3 + 4, from 900 to 1000 = 900 + 100
                0x03, 2, 0x00, 0x3C, 0x00, 0xAC, 0x02,  // changed 8 = 7 + 1
            ])
        let changes = try decoded(encoder.bytes)
        #expect(changes.map(\.kind) == [.inserted, .removed, .moved, .changed])
        #expect(changes.map(\.id.rawValue) == [5, 3, 7, 8])
        #expect(changes.map { $0.before?.start.secondsSince1970 } == [nil, 900, 900, 1000])
        #expect(changes.map { $0.before?.end.secondsSince1970 } == [nil, 1200, 960, 1060])
        #expect(changes.map { $0.after?.start.secondsSince1970 } == [1000, nil, 1000, 1000])
        #expect(changes.map { $0.after?.end.secondsSince1970 } == [1060, nil, 1060, 1300])
    }

    @Test func theEndsOfTimeComeBack() throws {
        var encoder = ChangeEncoder()
        encoder.inserted(airing(.max, .min, .max))
        encoder.changed(.min, from: airing(.min, .max - 1, .max), to: airing(.min, .min, .min + 1))
        let changes = try decoded(encoder.bytes)
        #expect(changes.map(\.id.rawValue) == [.max, .min])
        #expect(
            changes.first?.after
                == TimeWindow(start: Instant(secondsSince1970: .min), end: Instant(secondsSince1970: .max)))
        #expect(changes.last?.before?.start.secondsSince1970 == Int64.max - 1)
        #expect(changes.last?.after?.end.secondsSince1970 == Int64.min + 1)
        #expect(encoder.bytes.count <= LoggedChanges.longest / LoggedChanges.limit * 2)
    }

    @Test(
        arguments: [
            ([0x04, 2, 0, 1], 0),  // an unknown kind
            ([0x00], 1), ([0x00, 2], 2), ([0x00, 2, 4], 3),  // cut off
            ([0x00, 2, 0, 0], 2),  // a window without length
            ([0x00, 0x80], 1), ([0x00, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0, 1], 1),
            ([0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02, 0, 1], 1),  // more than 64 bits
            // From 1 on for 2^63 - 1 seconds, beyond the last instant.
            ([0x00, 2, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], 2),
            ([0x02, 2, 2, 1, 0, 1], 0),  // moved to where it was
            ([0x03, 2, 2, 1, 2, 1], 0),  // not moved, to another start
            ([0x00, 2, 2, 1, 0xFF], 4),  // the second change
        ] as [([UInt8], Int)])
    func damagedBytesAreAnError(bytes: [UInt8], offset: Int) {
        #expect(throws: ChangeDamage(offset: offset)) { try decoded(bytes) }
    }

    @Test func moreChangesThanAreWrittenAreAnError() throws {
        let one: [UInt8] = [0x00, 2, 2, 1]
        #expect(try decoded(Array(repeatElement(one, count: 2000).joined())).count == 2000)
        #expect(throws: ChangeDamage(offset: 8000)) { try decoded(Array(repeatElement(one, count: 2001).joined())) }
    }

    @Test(arguments: 0..<4) func anyBytesAreReadOrRefused(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                // Small bytes lead further into the format.
                Bool.random(using: &generator)
                    ? UInt8.random(in: 0...3, using: &generator)
                    : .random(
                        in: 0...255, using: &generator)
            }
            do {
                for change in try decoded(bytes) {
                    #expect([change.before, change.after].allSatisfy { $0?.isEmpty != true }, "seed \(seed): \(bytes)")
                }
            } catch {
                let damage = error as? ChangeDamage
                #expect(damage.map { (0...bytes.count).contains($0.offset) } == true, "seed \(seed): \(bytes)")
            }
        }
    }

    // MARK: - In the database

    @Test(arguments: ["x'FF'", "x'0002'", "zeroblob(102001)", "zeroblob(5)"])
    func damagedChangesCountAsTheWholeSchedule(blob: String) throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A", "two 20:00-21:00 B"])
        try scratch.importing(["one 20:00-21:00 C", "two 20:00-21:00 D"])
        try scratch.close()
        try RawDatabase.write(
            scratch.path, "UPDATE change SET airings = \(blob) WHERE generation = 2 AND station_id = 1")
        #expect(try scratch.changes(since: 1) == ["one *", "two ~ 2 20:00-21:00 20:00-21:00"])
        #expect(try scratch.store.check().problems.contains { $0.contains("station 1 in generation 2 can't be read") })
    }

    // MARK: - Memory

    @Test func furtherStationsCountAsWholeWhereTheRoomIsUsedUp() {
        var difference = ScheduleDifference(from: [], to: [airing(0, 1000, 1060)])
        difference.inserted[0].id = 5
        // Five bytes each, see above.
        var collector = ChangeCollector(room: 11)
        for station in 1...3 as ClosedRange<Int64> { collector.add(difference, of: station) }
        let bytes: [UInt8] = [0x00, 10, 0xD0, 0x0F, 0x3C]
        #expect(collector.stations == [1: .airings(bytes), 2: .airings(bytes), 3: .whole])
        collector.forget(1)
        collector.add(difference, of: 4)
        #expect(collector.stations == [2: .airings(bytes), 3: .whole, 4: .airings(bytes)])
        collector.add(difference, of: 4)
        collector.setWhole(2)
        #expect(collector.stations == [2: .whole, 3: .whole, 4: .whole])
    }
}
