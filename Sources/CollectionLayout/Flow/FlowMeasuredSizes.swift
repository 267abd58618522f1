/// The preferred sizes of the cells of a section, by item.
struct FlowMeasuredSizes: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let item: Int
        var size: Size
        /// The number of size changes since the last complete layout.
        var changes: Int
    }

    /// Sorted by item.
    private var entries: [Entry] = []

    /// The number of size changes after which an item keeps its last size.
    static let changeLimit = 10

    init() {}

    /// Creates sizes for unique items, in any order.
    init(_ sizes: [(item: Int, size: Size)]) {
        entries = sizes.map { Entry(item: $0.item, size: $0.size, changes: 0) }.sorted { $0.item < $1.item }
    }

    var isEmpty: Bool { entries.isEmpty }

    /// All sizes, sorted by item.
    var all: [(item: Int, size: Size)] { entries.map { ($0.item, $0.size) } }

    /// The size of an item, or `nil` if it wasn't measured.
    ///
    /// - Complexity: O(log n).
    subscript(item: Int) -> Size? {
        let index = place(of: item)
        return index < entries.count && entries[index].item == item ? entries[index].size : nil
    }

    /// Returns the first measured item at or after `item`.
    ///
    /// - Complexity: O(log n).
    func firstItem(from item: Int) -> Int? {
        let index = place(of: item)
        return index < entries.count ? entries[index].item : nil
    }

    /// Returns whether an item has reached the limit of size changes.
    func hasReachedChangeLimit(_ item: Int) -> Bool {
        let index = place(of: item)
        return index < entries.count && entries[index].item == item && entries[index].changes >= Self.changeLimit
    }

    /// Stores a size.
    ///
    /// - Complexity: O(log n) after the last measured item, which is the usual case while scrolling; otherwise O(n).
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

    /// Discards the size of an item, which returns to its estimate.
    mutating func remove(_ item: Int) {
        let index = place(of: item)
        if index < entries.count, entries[index].item == item { entries.remove(at: index) }
    }

    /// Returns the sizes of items below `itemCount`, with the numbers of changes reset.
    func renewed(itemCount: Int) -> FlowMeasuredSizes {
        var copy = self
        copy.entries.removeSubrange(place(of: itemCount)...)
        for index in copy.entries.indices { copy.entries[index].changes = 0 }
        return copy
    }

    private func place(of item: Int) -> Int { entries.partitioningIndex { $0.item >= item } }
}

/// The space that rows fill. If it changes, the whole layout is computed again.
struct FlowSpace: Hashable, Sendable {
    /// The axis along which rows follow each other.
    let axis: Axis
    /// The length of the content across the scroll axis.
    let across: Double
    /// The distances from the edges of the content to the origin of section insets.
    let margins: EdgeInsets

    init(_ container: LayoutContainer, axis: Axis, reference: SectionInsetReference) {
        self.axis = axis
        across = container.length(axis.perpendicular).asLength
        margins = container.insets(from: reference)
    }
}

/// The state that can change without a new layout: the visible area, and how solved frames are aligned and mirrored.
struct FlowViewport: Hashable, Sendable {
    var bounds = Rect.zero
    var contentInset = EdgeInsets.zero
    var pixels = PixelGrid(scale: 1)
    var isMirrored = false

    init() {}

    init(_ container: LayoutContainer) {
        let bounds = container.bounds
        self.bounds = Rect(
            minX: bounds.minX.asDistance, minY: bounds.minY.asDistance, maxX: bounds.maxX.asDistance,
            maxY: bounds.maxY.asDistance)
        contentInset = container.contentInset
        pixels = container.pixels
        isMirrored = container.layoutDirection == .rightToLeft
    }

    /// Returns the visible part of the content inside the content inset along an axis, in left-to-right coordinates.
    func visibleRange(_ axis: Axis, contentWidth: Double) -> (start: Double, end: Double) {
        let solved = isMirrored ? bounds.mirrored(inWidth: contentWidth) : bounds
        let start = solved.start(axis) + contentInset.start(axis).asDistance
        return (start, max(start, solved.end(axis) - contentInset.end(axis).asDistance))
    }
}

/// The invalid parts of the layout since the last preparation.
struct FlowPending: Hashable, Sendable {
    var everything = false
    /// Whether measured sizes refer to items that have moved.
    var discardsMeasuredSizes = false
    /// Measured sizes by the section numbers after updates; `nil` without updates.
    var carriedSizes: [Int: FlowSectionSizes]?
    /// Whether the layout has followed updates whose change of counts is still to come.
    var expectsCountChange = false
}
