import EPGModel
import Testing

/// Windows are half-open: two that touch neither overlap nor leave a gap (facts/xmltv, section 2).
@Suite struct TimeWindowTests {
    private func window(_ start: Int64, _ end: Int64) -> TimeWindow {
        TimeWindow(start: Instant(secondsSince1970: start), end: Instant(secondsSince1970: end))
    }

    @Test func theStartIsInAWindowAndTheEndIsNot() {
        let hour = window(0, 3600)
        #expect(hour.contains(Instant(secondsSince1970: 0)))
        #expect(hour.contains(Instant(secondsSince1970: 3599)))
        #expect(!hour.contains(Instant(secondsSince1970: 3600)))
        #expect(!hour.contains(Instant(secondsSince1970: -1)))
    }

    @Test func windowsThatTouchDoNotOverlap() {
        #expect(!window(0, 10).overlaps(window(10, 20)))
        #expect(!window(10, 20).overlaps(window(0, 10)))
        #expect(window(0, 11).overlaps(window(10, 20)))
        #expect(window(0, 10).intersection(window(10, 20)) == nil)
        #expect(window(0, 12).intersection(window(10, 20)) == window(10, 12))
    }

    @Test func anEmptyWindowHoldsNothingAndOverlapsNothing() {
        let empty = window(5, 5)
        #expect(empty.isEmpty)
        #expect(!empty.contains(Instant(secondsSince1970: 5)))
        #expect(!empty.overlaps(window(0, 10)))
        #expect(!window(0, 10).overlaps(empty))
        #expect(!empty.overlaps(empty))
    }

    @Test func overlapMeansThatSomeInstantIsInBoth() {
        // Every pair of windows within six seconds, against the definition.
        let instants = (0..<6).map { Instant(secondsSince1970: $0) }
        let windows = (Int64(0)...5).flatMap { start in (start...5).map { self.window(start, $0) } }
        for first in windows {
            for second in windows {
                let common = instants.filter { first.contains($0) && second.contains($0) }
                #expect(first.overlaps(second) == !common.isEmpty)
                #expect(first.intersection(second)?.start == common.first)
                #expect(first.intersection(second)?.seconds ?? 0 == Int64(common.count))
            }
        }
    }

    @Test func aReversedWindowIsNil() {
        #expect(TimeWindow(from: Instant(secondsSince1970: 1), to: Instant(secondsSince1970: 0)) == nil)
        #expect(TimeWindow(from: Instant(secondsSince1970: 1), to: Instant(secondsSince1970: 1))?.isEmpty == true)
    }

    @Test func theLongestWindowHasALength() {
        #expect(window(.min, .max).seconds == .max)
    }
}
