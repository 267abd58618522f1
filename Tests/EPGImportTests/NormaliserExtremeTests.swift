import EPGImport
import EPGModel
import Testing

/// Hostile listings: the ends of time, and very many at once. Nothing traps and nothing is quadratic.
@Suite struct NormaliserExtremeTests {
    static let instants: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]

    @Test func theEndsOfTimeAreAccountedFor() {
        var listings: [Listing] = []
        for start in Self.instants {
            for stop in Self.instants.map(Optional.some) + [nil] {
                listings.append(listing(start: start, stop: stop, key: UInt64(listings.count)))
            }
        }
        let result = Normaliser().normalise(listings)
        let gone = result.repairs.count { $0.action == .merged || $0.action == .dropped }
        #expect(result.airings.count + gone == listings.count)
        #expect(result.airings.allSatisfy { !$0.window.isEmpty })
        #expect(result.airings.map(\.window.start.secondsSince1970) == Array(Self.instants.dropLast()))
    }

    @Test func everyPairAtTheEndsOfTimeIsAccountedFor() {
        for start in Self.instants {
            for stop in Self.instants {
                for other in Self.instants {
                    let result = Normaliser().normalise([
                        listing(start: start, stop: stop, key: 1), listing(start: other, stop: nil, key: 2),
                    ])
                    let gone = result.repairs.count { $0.action == .merged || $0.action == .dropped }
                    #expect(result.airings.count + gone == 2)
                }
            }
        }
    }

    @Test func oneAtTheLastInstantIsDroppedForItsStart() {
        let result = Normaliser().normalise([listing(start: .max, stop: nil, key: 1)])
        #expect(result.repairs.map(\.keyword) == [.badstart])
        #expect(result.airings.isEmpty && result.coverage == nil)
    }

    enum Crowd: String, CaseIterable, Sendable {
        case alike, nested, otherTitles, withoutStops, partsOfOneClump, chain
    }

    @Test(arguments: Crowd.allCases) func aCrowdCostsNoMoreThanSorting(_ crowd: Crowd) {
        let count = 20_000
        let listings = (0..<count).map { index in
            switch crowd {
            case .alike: listing(start: 0, stop: 3600, key: 1)
            case .nested: listing(start: Int64(index), stop: Int64(2 * count - index), key: UInt64(index))
            case .otherTitles: listing(start: 0, stop: Int64(1 + index), key: UInt64(index))
            case .withoutStops: listing(start: 0, stop: nil, key: UInt64(index))
            case .partsOfOneClump:
                listing(start: 0, stop: 3600, key: UInt64(index), clump: Clump(index: index % 255, count: 255))
            case .chain: listing(start: Int64(index), stop: Int64(index + count), key: UInt64(index))
            }
        }
        let result = Normaliser().normalise(listings)
        let gone = result.repairs.count { $0.action == .merged || $0.action == .dropped }
        #expect(result.airings.count + gone == count)
    }

    private func listing(start: Int64, stop: Int64?, key: UInt64, clump: Clump? = nil) -> Listing {
        Listing(
            start: Instant(secondsSince1970: start),
            stop: stop.map { Instant(secondsSince1970: $0) },
            programme: Int64(key), contentKey: key, titleKey: UInt32(truncatingIfNeeded: key), line: 1,
            richness: UInt16(key % 100), clump: clump)
    }
}
