/// Sections one after the other along the scroll direction.
struct SectionStack: Sendable {
    private(set) var sections: [SolvedSection]
    /// Where each begins.
    private(set) var starts: [Double] = []
    /// The end of the last, the greatest length across.
    private(set) var end: Double
    private(set) var breadth = 0.0
    /// The farthest end of the elements of a section and of all before it.
    private var farthestEnds: [Double] = []
    /// The nearest start of the elements of a section and of all behind it.
    private var nearestStarts: [Double] = []

    /// - Parameters:
    ///   - start: Where the first section begins.
    ///   - spacing: Between neighbours.
    init(_ sections: [SolvedSection], axis: Axis, start: Double, spacing: Double) {
        self.sections = sections
        end = start
        starts.reserveCapacity(sections.count)
        farthestEnds.reserveCapacity(sections.count)
        for (index, section) in sections.enumerated() {
            if index > 0 { end += spacing }
            starts.append(end)
            farthestEnds.append(max(farthestEnds.last ?? -.infinity, end + section.reach.end))
            end += section.size[axis]
            breadth = max(breadth, section.size[axis.crossing])
        }
        nearestStarts = [Double](repeating: .infinity, count: sections.count)
        var nearest = Double.infinity
        for index in sections.indices.reversed() {
            nearest = min(nearest, starts[index] + sections[index].reach.start)
            nearestStarts[index] = nearest
        }
    }

    /// The sections that may have elements in a stretch along the scroll direction.
    ///
    /// - Complexity: O(log n).
    func sections(from start: Double, to end: Double) -> Range<Int> {
        let first = farthestEnds.partitioningIndex { $0 >= start }
        let last = nearestStarts.partitioningIndex { $0 > end }
        return first..<max(first, last)
    }
}
