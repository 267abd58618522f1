/// The sizes that cells of a section asked for, by item.
struct FlowMeasuredSizes: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let item: Int
        var size: Size
        /// How often another size was asked for since everything was laid out.
        var changes: Int
    }

    /// In order of items, so that the next one after an item is found.
    private var entries: [Entry] = []

    /// How often an item may ask for another size, until its last one is kept (chosen).
    static let changeLimit = 10

    init() {}

    /// Sizes of items that are named once each, in any order.
    init(_ sizes: [(item: Int, size: Size)]) {
        entries = sizes.map { Entry(item: $0.item, size: $0.size, changes: 0) }.sorted { $0.item < $1.item }
    }

    var isEmpty: Bool { entries.isEmpty }

    /// In order of items.
    var all: [(item: Int, size: Size)] { entries.map { ($0.item, $0.size) } }

    /// The size of an item, if it was measured.
    ///
    /// - Complexity: O(log n).
    subscript(item: Int) -> Size? {
        let index = place(of: item)
        return index < entries.count && entries[index].item == item ? entries[index].size : nil
    }

    /// The first measured item that isn't before another.
    ///
    /// - Complexity: O(log n).
    func firstItem(from item: Int) -> Int? {
        let index = place(of: item)
        return index < entries.count ? entries[index].item : nil
    }

    /// Whether an item has asked for other sizes so often that it is asked no more.
    func isUnsettled(_ item: Int) -> Bool {
        let index = place(of: item)
        return index < entries.count && entries[index].item == item && entries[index].changes >= Self.changeLimit
    }

    /// Keeps a size.
    ///
    /// - Complexity: O(log n) behind the last measured item, where scrolling leads, else O(n).
    mutating func set(_ size: Size, of item: Int) {
        let index = place(of: item)
        if index < entries.count, entries[index].item == item {
            guard entries[index].size != size else { return }
            entries[index].size = size
            entries[index].changes = min(entries[index].changes + 1, Self.changeLimit)
        } else {
            entries.insert(Entry(item: item, size: size, changes: 0), at: index)
        }
    }

    /// Goes back to the estimate.
    mutating func remove(_ item: Int) {
        let index = place(of: item)
        if index < entries.count, entries[index].item == item { entries.remove(at: index) }
    }

    /// The same sizes of items that exist, with every item free to ask for others again.
    func renewed(itemCount: Int) -> FlowMeasuredSizes {
        var copy = self
        copy.entries.removeSubrange(place(of: itemCount)...)
        for index in copy.entries.indices { copy.entries[index].changes = 0 }
        return copy
    }

    private func place(of item: Int) -> Int { entries.partitioningIndex { $0.item >= item } }
}
