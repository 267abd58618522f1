import EPGModel
import TestSupport
import Testing

@Suite struct ScheduleTests {
    private let station = StationID("one.test")

    private func window(_ start: Int64, _ end: Int64) -> TimeWindow {
        TimeWindow(start: Instant(secondsSince1970: start), end: Instant(secondsSince1970: end))
    }

    private func airing(_ id: Int64, _ start: Int64, _ end: Int64, _ clump: Clump? = nil) -> Airing {
        Airing(id: AiringID(id), station: station, window: window(start, end), clump: clump, title: "A\(id)")
    }

    /// Returns the identifiers of the first two airings that overlap.
    private func conflict(_ airings: Airing...) -> [Int64]? {
        do throws(ScheduleOverlap) {
            _ = try Schedule(checking: airings, of: station)
            return nil
        } catch {
            return [error.first.rawValue, error.second.rawValue]
        }
    }

    @Test func airingsMayTouchButNotOverlap() throws {
        let schedule = try Schedule(checking: [airing(1, 0, 10), airing(2, 10, 20)], of: station)
        expectEqual(schedule.airings.count, 2)
        // An overlap is reported with both airings.
        expectEqual(conflict(airing(1, 0, 10), airing(2, 10, 20), airing(3, 19, 30)), [2, 3])
        expectEqual(conflict(airing(1, 10, 20), airing(2, 0, 10)), [1, 2])
        expectEqual(conflict(airing(1, 0, 10), airing(2, 0, 10)), [1, 2])
    }

    @Test func onlyClumpMembersShareWindowInOrder() throws {
        let (first, second) = (Clump(index: 0, count: 2), Clump(index: 1, count: 2))
        let valid = [airing(1, 0, 10, first), airing(2, 0, 10, second), airing(3, 10, 20)]
        try expectEqual(Schedule(checking: valid, of: station).airings, valid)
        expectEqual(conflict(airing(1, 0, 10, second), airing(2, 0, 10, first)), [1, 2])
        expectEqual(conflict(airing(1, 0, 10, first), airing(2, 0, 9, second)), [1, 2])
        expectEqual(conflict(airing(1, 0, 10, first), airing(2, 0, 10)), [1, 2])
    }

    @Test func segmentsAreAiringsAndGaps() throws {
        // Computed by hand.
        let (first, second) = (Clump(index: 0, count: 2), Clump(index: 1, count: 2))
        let airings = [
            airing(1, 0, 10), airing(2, 20, 30, first), airing(3, 20, 30, second), airing(4, 30, 40), airing(5, 50, 60),
        ]
        let schedule = Schedule(station: station, airings: airings)
        expectEqual(
            schedule.segments(in: window(5, 45)),
            [
                .airings(airings[0..<1]), .gap(window(10, 20)), .airings(airings[1..<3]), .airings(airings[3..<4]),
                .gap(window(40, 45)),
            ])
        expectEqual(schedule.segments(in: window(10, 20)), [.gap(window(10, 20))])
        expectEqual(schedule.segments(in: window(9, 10)), [.airings(airings[0..<1])])
        expectEqual(schedule.segments(in: window(70, 80)), [.gap(window(70, 80))])
        expectEqual(schedule.segments(in: window(20, 20)), [])
    }

    @Test(arguments: 0..<20) func segmentsTileWindow(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var airings: [Airing] = []
        var time: Int64 = 0
        for id in Int64(1)...40 {
            time += Int64.random(in: 0...3, using: &generator)
            let end = time + Int64.random(in: 1...5, using: &generator)
            airings.append(airing(id, time, end))
            time = end
        }
        let schedule = Schedule(station: station, airings: airings)
        for _ in 0..<200 {
            let start = Int64.random(in: -10...time, using: &generator)
            let viewed = window(start, start + Int64.random(in: 1...30, using: &generator))
            var reached = viewed.start
            var seen: [Airing] = []
            for segment in schedule.segments(in: viewed) {
                switch segment {
                case .gap(let gap):
                    #expect(gap.start == reached && !gap.isEmpty && gap.end <= viewed.end)
                    reached = gap.end
                case .airings(let shared):
                    let first = try #require(shared.first)
                    expectEqual(max(first.window.start, viewed.start), reached)
                    reached = first.window.end
                    seen += shared
                }
            }
            #expect(reached >= viewed.end)
            expectEqual(seen, airings.filter { $0.window.overlaps(viewed) })
        }
    }
}
