import EPGModel

/// The position of a programme in a clump: `1/3` is the second of three.
struct ClumpPlace: Hashable, Sendable {
    /// The index, from 0.
    let index: Int
    /// The number of parts of the clump.
    let count: Int

    /// Parses `clumpidx`. Fails if the form is invalid.
    init?(_ text: String) {
        guard let (index, count) = Clump.numbers(ofClumpidx: text) else { return nil }
        self.index = index
        self.count = count
    }
}

extension ClumpPlace? {
    /// Compares two positions: returns a negative number, 0, or a positive number, or `nil` if they belong to different
    /// clumps.
    static func compare(_ left: ClumpPlace?, _ right: ClumpPlace?) -> Int? {
        switch (left, right) {
        case (nil, nil): 0
        case (let left?, let right?) where left.count == right.count: left.index - right.index
        default: nil
        }
    }
}
