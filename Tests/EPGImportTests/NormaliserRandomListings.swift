import EPGModel

/// Listings of one station such as a bad feed gives: crowded, so that every rule meets every other.
enum NormaliserRandomListings {
    static func make(with random: inout NormaliserGenerator) -> [Listing] {
        let count = Int.random(in: 0...30, using: &random)
        let steps = Int64.random(in: 1...80, using: &random)
        return (0..<count).map { make(line: UInt32($0 + 1), steps: steps, with: &random) }
    }

    private static func make(line: UInt32, steps: Int64, with random: inout NormaliserGenerator) -> Listing {
        let start = Instant(
            secondsSince1970: NormaliserNotation.midnight + 300 * Int64.random(in: 0..<steps, using: &random))
        let programme = Int64.random(in: 1...8, using: &random)
        let count = Int.random(in: 2...3, using: &random)
        let isPart = Int.random(in: 0..<5, using: &random) == 0
        return Listing(
            start: start, stop: stop(after: start, with: &random), programme: programme,
            contentKey: UInt64(programme), titleKey: UInt32(programme / 3), line: line,
            richness: [5, 10, 40].randomElement(using: &random) ?? 10,
            clump: isPart ? Clump(index: Int.random(in: 0..<count, using: &random), count: count) : nil)
    }

    private static func stop(after start: Instant, with random: inout NormaliserGenerator) -> Instant? {
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1: nil
        case 2: start
        case 3: start.advanced(by: -300)
        case 4: start.advanced(by: 3600 * Int64.random(in: 3...90, using: &random))
        default: start.advanced(by: 300 * Int64.random(in: 1...12, using: &random))
        }
    }
}
