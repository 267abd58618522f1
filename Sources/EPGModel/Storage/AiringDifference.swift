/// How many airings of a source an import changed, each counted once.
package struct AiringDifference: Hashable, Sendable {
    package var inserted: Int
    package var removed: Int
    package var moved: Int
    package var changed: Int

    package init(inserted: Int = 0, removed: Int = 0, moved: Int = 0, changed: Int = 0) {
        self.inserted = inserted
        self.removed = removed
        self.moved = moved
        self.changed = changed
    }
}

extension ImportOutcome {
    /// What the import changed of its source's airings, by the kinds of the log of changes.
    package var difference: AiringDifference {
        AiringDifference(
            inserted: airingsInserted, removed: airingsRemoved, moved: airingsMoved, changed: airingsChanged)
    }
}
