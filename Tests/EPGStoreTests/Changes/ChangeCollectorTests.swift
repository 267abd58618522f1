import EPGModel
import StoreConformance
import TestSupport
import Testing

/// The collector keeps the changes of an import in bounded memory.
@Suite struct ChangeCollectorTests {
    private func airing(_ id: Int64, _ start: Int64, _ stop: Int64) -> StoredAiring {
        let window = TimeWindow(start: Instant(secondsSince1970: start), end: Instant(secondsSince1970: stop))
        var airing = StoredAiring(ScheduledListing(window: window, programme: 1))
        airing.id = id
        return airing
    }

    @Test func stationsBeyondLimitCountAsEntirelyChanged() {
        var difference = ScheduleDifference(from: [], to: [airing(0, 1000, 1060)])
        difference.inserted[0].id = 5
        var collector = ChangeCollector(room: 2)
        for station in 1...3 as ClosedRange<Int64> { collector.add(difference, of: station) }
        let window = TimeWindow(start: Instant(secondsSince1970: 1000), end: Instant(secondsSince1970: 1060))
        let changes = [AiringChange(AiringID(5), from: nil, to: window)].compactMap { $0 }
        expectEqual(collector.stations, [1: .airings(changes), 2: .airings(changes), 3: .whole])
        collector.add(difference, of: 1)
        collector.setWhole(2)
        expectEqual(collector.stations, [1: .whole, 2: .whole, 3: .whole])
    }
}
