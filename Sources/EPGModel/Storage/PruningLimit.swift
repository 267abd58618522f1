/// How much may be removed at once because it is old.
package enum PruningLimit: Hashable, Sendable {
    /// At most half of all airings: what a clock that runs far ahead calls old stays.
    case half
    /// At most half of all airings, those that stopped first: the next time the rest goes. For a clock that can be trusted.
    case oldestHalf
    /// Whatever is old.
    case none

    /// Why some of all airings may not be removed; `nil` where they may.
    package func refusal(of aged: AgedAirings, before instant: Instant) -> RefusedPruning? {
        // An odd number is no reason to count halves: 2 of 3 are more than half.
        self == .half && aged.count > aged.total - aged.count ? RefusedPruning(aged: aged, before: instant) : nil
    }
}

/// How many airings stopped at or before an instant.
package struct AgedAirings: Hashable, Sendable {
    package var count: Int
    /// All airings of all sources.
    package var total: Int

    package init(count: Int, total: Int) {
        self.count = count
        self.total = total
    }
}

/// Airings that stopped long ago by the clock, and are too many to be removed unasked; nothing was.
package struct RefusedPruning: Error, Hashable, Sendable, CustomStringConvertible {
    package let aged: AgedAirings
    /// Airings that stopped at or before it would have gone.
    package let before: Instant

    package init(aged: AgedAirings, before: Instant) {
        self.aged = aged
        self.before = before
    }

    /// One sentence, with both numbers.
    package var description: String {
        "\(aged.count) of \(aged.total) airings stopped by \(before), more than half of the guide, so none was removed"
    }
}
