/// What has to be written so that the stored airings of a station become the new ones.
struct ScheduleDifference {
    var removed: [StoredAiring] = []
    /// Changed content at the same start: the identifier is kept.
    var changed: [(old: StoredAiring, new: StoredAiring)] = []
    /// New ones; those that are an unambiguous shift of a removed one have its identifier, the others 0.
    var inserted: [StoredAiring] = []
    var unchanged = 0
    /// Shifts to another start; each is among the removed and among the inserted ones.
    private(set) var moved = 0
    /// Shifts to another part of a clump, likewise.
    private(set) var rearranged = 0

    /// Whether nothing has to be written.
    var isEmpty: Bool { removed.isEmpty && changed.isEmpty && inserted.isEmpty }

    /// Whether nothing stood, so that all is new.
    var onlyInserts: Bool { removed.isEmpty && changed.isEmpty && unchanged == 0 && !inserted.isEmpty }

    /// Compares two runs of airings, both sorted by start and part.
    ///
    /// An airing whose start and part stand keeps its identifier. One that is gone and one that is new with the same
    /// programme are a shift, where there is just one of each: that keeps it too.
    /// - Complexity: O(n), and O(m log m) for m shifted ones.
    init(from old: [StoredAiring], to new: [StoredAiring]) {
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if right == new.count || (left < old.count && old[left].key < new[right].key) {
                removed.append(old[left])
                left += 1
            } else if left == old.count || new[right].key < old[left].key {
                inserted.append(new[right])
                right += 1
            } else {
                if old[left].says(theSameAs: new[right]) {
                    unchanged += 1
                } else {
                    var airing = new[right]
                    airing.id = old[left].id
                    changed.append((old[left], airing))
                }
                left += 1
                right += 1
            }
        }
        if !removed.isEmpty, !inserted.isEmpty { keepIdentifiersOfShifts() }
    }

    private mutating func keepIdentifiersOfShifts() {
        var gone: [Int64: (count: Int, id: Int64, start: Int64)] = [:]
        for airing in removed {
            gone[airing.programme] = (gone[airing.programme, default: (0, 0, 0)].count + 1, airing.id, airing.start)
        }
        var come: [Int64: Int] = [:]
        for airing in inserted { come[airing.programme, default: 0] += 1 }
        for index in inserted.indices {
            let programme = inserted[index].programme
            guard let match = gone[programme], match.count == 1, come[programme] == 1 else { continue }
            inserted[index].id = match.id
            if match.start == inserted[index].start { rearranged += 1 } else { moved += 1 }
        }
    }
}
