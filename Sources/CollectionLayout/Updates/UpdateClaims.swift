/// The places that changes name, in ascending order, when no two exclude each other.
///
/// - Throws: ``BatchUpdateError``, by `conflict`, for the first place that is named twice, whatever the order of the lists.
func claims<Place: Comparable>(
    _ lists: [(BatchUpdateError.Operation, [Place])],
    conflict: (Place, BatchUpdateError.Operation, BatchUpdateError.Operation) -> BatchUpdateError
) throws(BatchUpdateError) -> [Place] {
    var all: [(place: Place, operation: BatchUpdateError.Operation)] = []
    for (operation, places) in lists {
        for place in places { all.append((place, operation)) }
    }
    all.sort { ($0.place, $0.operation) < ($1.place, $1.operation) }
    for index in all.indices.dropFirst() where all[index].place == all[index - 1].place {
        throw conflict(all[index].place, all[index - 1].operation, all[index].operation)
    }
    return all.map(\.place)
}

extension BatchUpdates {
    /// Throws for the first item that is out of range.
    func checkItems(from old: CheckedCounts, to new: CheckedCounts) throws(BatchUpdateError) {
        let named: [(BatchUpdateError.Operation, [IndexPath])] = [
            (.delete, deletedItems), (.insert, insertedItems), (.moveAway, itemMoves.map(\.from)),
            (.moveHere, itemMoves.map(\.to)), (.reconfigure, reconfiguredItems), (.reload, reloadedItems),
        ]
        for (operation, paths) in named {
            let counts = operation.refersToNew ? new : old
            guard let path = paths.filter({ !counts.contains($0) }).min() else { continue }
            throw .unknownItem(path, operation, count: counts.itemCount(inSection: path.section))
        }
    }

    /// Throws for the first section that is out of range.
    func checkSections(from old: CheckedCounts, to new: CheckedCounts) throws(BatchUpdateError) {
        let named: [(BatchUpdateError.Operation, [Int])] = [
            (.delete, deletedSections), (.insert, insertedSections), (.moveAway, sectionMoves.map(\.from)),
            (.moveHere, sectionMoves.map(\.to)), (.reload, reloadedSections),
        ]
        for (operation, sections) in named {
            let count = operation.refersToNew ? new.sectionCount : old.sectionCount
            guard let section = sections.filter({ $0 < 0 || $0 >= count }).min() else { continue }
            throw .unknownSection(section, operation, count: count)
        }
    }
}
