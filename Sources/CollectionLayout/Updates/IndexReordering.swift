/// Where the indices of a list go when some are taken out and others are put in; the rest keep their order.
struct IndexReordering: Hashable, Sendable {
    /// What is taken out, by the old index, in ascending order, each once.
    let removed: [Int]
    /// What is put in, by the new index, in ascending order, each once.
    let placed: [Int]

    static let identity = IndexReordering(removed: [], placed: [])

    /// The new index of what stayed; `nil` for what was taken out.
    ///
    /// - Complexity: O(log n) in what is taken out and put in, whatever the length of the list.
    func newIndex(ofOld old: Int) -> Int? {
        let before = removed.partitioningIndex { $0 >= old }
        guard before == removed.count || removed[before] != old else { return nil }
        let rank = old - before
        // placed[n] − n of those that stayed stand before placed[n].
        let ahead = placed.indices.partitioningIndex { placed[$0] - $0 > rank }
        return rank + ahead
    }

    /// The old index of what stayed; `nil` for what was put in.
    ///
    /// - Complexity: As for ``newIndex(ofOld:)``.
    func oldIndex(ofNew new: Int) -> Int? { inverse.newIndex(ofOld: new) }

    /// The way back.
    var inverse: IndexReordering { IndexReordering(removed: placed, placed: removed) }
}
