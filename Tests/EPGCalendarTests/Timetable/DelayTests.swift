import EPGModel
import Testing

@testable import EPGCalendar

@Suite struct DelayTests {
    /// The test vectors of draft-eastlake-fnv, C.
    @Test(
        arguments: [
            ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
        ] as [(String, UInt64)])
    func hashIsFowlerNollVo(_ text: String, _ expected: UInt64) {
        var hash = FowlerNollVoHash()
        hash.combine(text.utf8)
        #expect(hash.value == expected)
    }

    @Test func numberIsTakenInByItsBytesTheLowestFirst() {
        var number = FowlerNollVoHash()
        number.combine(0x0102_0304_0506_0708)
        var bytes = FowlerNollVoHash()
        bytes.combine([8, 7, 6, 5, 4, 3, 2, 1])
        #expect(number.value == bytes.value)
    }

    @Test(
        arguments: [
            ("30 4 * * *", 3600), ("*/10 * * * *", 300), ("*/10 * * * *", 3600), ("* * * * *", 86_400),
            ("0 0 1 * *", 86_400), ("17 */3 * * mon", 1),
        ] as [(String, Int64)])
    func eachRunIsDelayedOnceAndNoneOvertakesTheNext(_ text: String, _ jitter: Int64) throws {
        let plain = try timetable(text, "Europe/London")
        let delayed = try timetable(text, "Europe/London", jitter: jitter, seed: "guide")
        var run = try #require(plain.next(after: noon))
        // Before the first one a delayed run may still be under way.
        var late = try #require(delayed.next(after: run.advanced(by: -1)))
        for _ in 0..<60 {
            let following = try #require(plain.next(after: run))
            #expect(late >= run)
            #expect(late <= run.advanced(by: jitter))
            #expect(late < following)
            // From every instant before it the delayed run is the same.
            let before = late.advanced(by: -max(1, run.seconds(to: late) / 2))
            #expect(delayed.next(after: before) == late)
            (run, late) = (following, try #require(delayed.next(after: late)))
        }
    }

    @Test func delayIsTheSameInEveryProcess() throws {
        let timetable = try timetable("30 4 * * *", "UTC", jitter: 1800, seed: "bbc")
        var runs: [String] = []
        for day in 10...12 {
            runs.append(try #require(timetable.next(after: try instant("2026-06-\(day)T00:00:00Z"))).iso8601)
        }
        #expect(runs == expectedRuns)
    }

    /// By Python: FNV-1a of `bbc` and of the run's eight bytes, the lowest first, modulo 1801.
    private let expectedRuns = ["2026-06-10T04:48:50Z", "2026-06-11T04:51:05Z", "2026-06-12T04:52:04Z"]

    @Test func sourcesAreSpreadOverTheWholeTime() throws {
        var counts = Array(repeating: 0, count: 10)
        for source in 0..<1000 {
            let timetable = try timetable("30 4 * * *", "UTC", jitter: 3599, seed: "source \(source)")
            let run = try #require(timetable.next(after: try instant("2026-06-10T00:00:00Z")))
            counts[Int(run.secondsSince1970 - (try instant("2026-06-10T04:30:00Z")).secondsSince1970) / 360] += 1
        }
        // The hundred that is expected, and five times its deviation of 9.5.
        for count in counts { #expect((52...148).contains(count)) }
    }

    @Test(arguments: [(-1, 0), (Int64.min, 0), (86_401, 86_400), (.max, 86_400), (600, 600)] as [(Int64, Int64)])
    func jitterIsKeptWithinADay(_ given: Int64, _ expected: Int64) throws {
        #expect(try timetable("@daily", "UTC", jitter: given).jitter == expected)
    }
}
