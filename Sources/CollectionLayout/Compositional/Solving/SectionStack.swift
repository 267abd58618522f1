/// Sections one after the other along the scroll direction.
struct SectionStack {
    /// What of a section decides where the others stand.
    private struct Extent {
        let length: Double
        let breadth: Double
        let reach: (start: Double, end: Double)

        init(_ section: SolvedSection, axis: Axis) {
            length = section.size[axis]
            breadth = section.size[axis.crossing]
            reach = section.reach
        }
    }

    private(set) var sections: [SolvedSection]
    /// Where each begins.
    private(set) var starts: [Double]
    /// The end of the last, the greatest length across.
    private(set) var end = 0.0
    private(set) var breadth = 0.0
    private var extents: [Extent]
    /// The farthest end of the elements of a section and of all before it.
    private var farthestEnds: [Double]
    /// The nearest start of the elements of a section and of all behind it.
    private var nearestStarts: [Double]
    private let axis: Axis
    private let start: Double
    private let spacing: Double

    /// - Parameters:
    ///   - start: Where the first section begins.
    ///   - spacing: Between neighbours.
    init(_ sections: [SolvedSection], axis: Axis, start: Double, spacing: Double) {
        self.sections = sections
        self.axis = axis
        self.start = start
        self.spacing = spacing
        extents = sections.map { Extent($0, axis: axis) }
        starts = [Double](repeating: 0, count: sections.count)
        farthestEnds = starts
        nearestStarts = starts
        arrange()
    }

    /// Takes the content out of a section that is going to be replaced.
    mutating func withdraw(_ index: Int) -> SolvedSection.Earlier { sections[index].withdraw() }

    /// Takes other solutions of some sections over.
    ///
    /// - Complexity: O(sections) in a few numbers of each; the others are not copied.
    mutating func replace(_ solved: [Int: SolvedSection]) {
        for (index, section) in solved {
            sections[index] = section
            extents[index] = Extent(section, axis: axis)
        }
        arrange()
    }

    private mutating func arrange() {
        end = start
        breadth = 0
        var farthest = -Double.infinity
        for (index, extent) in extents.enumerated() {
            if index > 0 { end += spacing }
            starts[index] = end
            farthest = max(farthest, end + extent.reach.end)
            farthestEnds[index] = farthest
            end += extent.length
            breadth = max(breadth, extent.breadth)
        }
        var nearest = Double.infinity
        for index in extents.indices.reversed() {
            nearest = min(nearest, starts[index] + extents[index].reach.start)
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
