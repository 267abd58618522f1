extension FlowLayout {
    /// Takes measured sizes along with their items, and those of headers and footers with their sections (chosen): what
    /// is seen doesn't jump because rows above it fall back to their estimates.
    ///
    /// What a reloaded item measured is what it is taken for until its new cell is asked; the items of a reloaded section
    /// are others.
    ///
    /// - Complexity: O(n log n) in the measured elements, each O(log changes).
    public mutating func follow(_ updates: UpdateMap) {
        var items: [Int: [(item: Int, size: Size)]] = [:]
        var boundaries: [Int: FlowMeasuredSizes] = [:]
        for (number, sizes) in pending.followed ?? measuredSizes {
            for (item, size) in sizes.items.all {
                guard let path = updates.newIndexPath(for: IndexPath(section: number, item: item)) else { continue }
                items[path.section, default: []].append((path.item, size))
            }
            if !updates.sections.reloaded.contains(number), let section = updates.newSection(for: number) {
                boundaries[section] = sizes.boundaries
            }
        }
        var followed: [Int: FlowSectionSizes] = [:]
        for (section, sizes) in items { followed[section, default: .init()].items = FlowMeasuredSizes(sizes) }
        for (section, sizes) in boundaries { followed[section, default: .init()].boundaries = sizes }
        pending.followed = followed
        pending.awaitsCounts = true
    }

    /// What views asked for, by the numbers of their sections.
    var measuredSizes: [Int: FlowSectionSizes] {
        var sizes: [Int: FlowSectionSizes] = [:]
        for section in sections where !section.measured.isEmpty || !section.measuredBoundaries.isEmpty {
            sizes[section.number] = FlowSectionSizes(items: section.measured, boundaries: section.measuredBoundaries)
        }
        return sizes
    }
}

/// The sizes that the views of one section asked for.
struct FlowSectionSizes: Hashable, Sendable {
    var items = FlowMeasuredSizes()
    /// By ``FlowBoundary``.
    var boundaries = FlowMeasuredSizes()
}
