import EPGModel
import EPGStore
import Testing

/// The same records give the same guide in whatever order they stand: station by station, by time, or mixed.
@Suite struct ImportOrderTests {
    private static func record(_ station: Int, _ half: Int) -> String {
        // One in seven reaches into the next one, one in five has no stop, one in eleven is there twice.
        let start = 1_000 + half * 30
        let stop = start + (half % 7 == 0 ? 40 : 30)
        func time(_ minutes: Int) -> String {
            let (hour, minute) = (minutes / 60 % 24, minutes % 60)
            return
                "202603\(10 + minutes / 1440)\(hour < 10 ? "0" : "")\(hour)\(minute < 10 ? "0" : "")\(minute)00 +0000"
        }
        let stopAttribute = half % 5 == 0 ? "" : "stop=\"\(time(stop))\" "
        let text =
            "<programme start=\"\(time(start))\" \(stopAttribute)channel=\"s\(station)\"><title>T\(half / 2)</title></programme>"
        return half % 11 == 0 ? text + "\n" + text : text
    }

    private static func contents(_ records: [String]) throws -> [[String]] {
        let guide = try ImportedGuide(records.joined(separator: "\n"))
        #expect(guide.outcome.report.addsUp)
        #expect(try guide.store.check().problems == [])
        return try (0..<4).map { station in
            try guide.airings(of: "s\(station)").map { airing in
                "\(airing.window) \(airing.title) \(airing.isStopInferred) \(String(describing: airing.published))"
            }
        }
    }

    private static let grouped = (0..<4).flatMap { station in (0..<60).map { record(station, $0) } }

    @Test func everyOrderGivesTheSameSchedules() throws {
        let expected = try Self.contents(Self.grouped)
        #expect(expected.map(\.count) == [60, 60, 60, 60])
        // By time: each record of another station than the one before.
        #expect(try Self.contents((0..<60).flatMap { half in (0..<4).map { Self.record($0, half) } }) == expected)
        // Station by station, twice: each comes again after its listings seemed complete.
        let halves = [0..<30, 30..<60].flatMap { part in
            (0..<4).flatMap { station in part.map { Self.record(station, $0) } }
        }
        #expect(try Self.contents(halves) == expected)
        // A last straggler of the first station, and one of each at the end.
        #expect(try Self.contents(Array(Self.grouped[1...]) + [Self.grouped[0]]) == expected)
        #expect(try Self.contents(Self.grouped.reversed()) == expected)
        var generator = NormaliserGenerator(seed: 11)
        #expect(try Self.contents(Self.grouped.shuffled(using: &generator)) == expected)
    }
}
