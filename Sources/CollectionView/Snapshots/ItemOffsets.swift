/// The number of items before each section, kept while counts change (a Fenwick tree).
struct ItemOffsets: Sendable {
    /// The entry `n` holds the sum of the `n & -n` counts that end with the one at `n - 1`; the entry 0 is not used.
    private var sums = [0]

    init() {}

    /// - Complexity: O(sections).
    init(counts: some Sequence<Int>) {
        sums.append(contentsOf: counts)
        for index in sums.indices.dropFirst() {
            let parent = index + (index & -index)
            if parent < sums.count { sums[parent] += sums[index] }
        }
    }

    /// The number of all items.
    ///
    /// - Complexity: O(log sections), like all that follows.
    var total: Int { before(sums.count - 1) }

    /// The number of items in the first sections.
    func before(_ section: Int) -> Int {
        var index = section
        var sum = 0
        while index > 0 {
            sum += sums[index]
            index &= index - 1
        }
        return sum
    }

    /// Changes the count of one section.
    mutating func add(_ difference: Int, toSection section: Int) {
        var index = section + 1
        while index < sums.count {
            sums[index] += difference
            index += index & -index
        }
    }

    /// Adds a section without items at the end.
    mutating func appendSection() {
        let index = sums.count
        sums.append(before(index - 1) - before(index & (index - 1)))
    }
}
