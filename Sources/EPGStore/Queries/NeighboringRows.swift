/// Chosen rows as ranges of neighbors, so that rows that follow on each other are read at once.
struct NeighboringRows: Sequence {
    private var ranges: [Range<Int>] = []

    /// - Parameter rows: In any order, however often; what is below 0 is no row.
    init(_ rows: some Sequence<Int>) {
        for row in rows.sorted() where row >= 0 && row < .max {
            if let last = ranges.last, row <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<Swift.max(last.upperBound, row + 1)
            } else {
                ranges.append(row..<row + 1)
            }
        }
    }

    func makeIterator() -> IndexingIterator<[Range<Int>]> { ranges.makeIterator() }

    /// What was read of some rows, in the order in which they were named; those of which there is nothing are left out.
    static func inOrder<Answer>(of rows: [Int], _ found: [Answer], row: (Answer) -> Int) -> [Answer] {
        let places = Dictionary(found.map { (row($0), $0) }, uniquingKeysWith: { first, _ in first })
        return rows.compactMap { places[$0] }
    }
}
