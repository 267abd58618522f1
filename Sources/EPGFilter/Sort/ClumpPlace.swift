/// Which part of a clump a programme is: `1/3` is the second of three.
struct ClumpPlace: Hashable, Sendable {
    /// From 0.
    let index: Int
    /// Parts of the clump.
    let count: Int

    /// Reads `clumpidx`; `nil` where it isn't written like one.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let index = ClumpPlace.number(parts[0]), let count = ClumpPlace.number(parts[1])
        else { return nil }
        self.index = index
        self.count = count
    }

    /// Digits alone, at most nine of them.
    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.count <= 9, text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        return Int(text)
    }
}

extension ClumpPlace? {
    /// How two places compare: negative, 0 or positive; `nil` where they belong to no one clump.
    static func compare(_ left: ClumpPlace?, _ right: ClumpPlace?) -> Int? {
        switch (left, right) {
        case (nil, nil): 0
        case (let left?, let right?) where left.count == right.count: left.index - right.index
        default: nil
        }
    }
}
