import CollectionLayout
import CollectionView

extension Snapshot where SectionID == Int {
    /// The sections 0, 1, … with these items.
    init(_ items: [[ItemID]]) throws {
        try self.init(sections: items.enumerated().map { ($0, $1) })
    }
}

extension Snapshot {
    init(sections: [(SectionID, [ItemID])]) throws {
        self.init()
        for (section, items) in sections {
            try appendSections([section])
            try appendItems(items)
        }
    }

    /// The items of all sections, section by section.
    var rows: [[ItemID]] {
        get throws {
            try sectionIdentifiers.map { section throws in try itemIdentifiers(inSection: section) }
        }
    }
}

typealias IntSnapshot = Snapshot<Int, Int>
typealias IntError = SnapshotError<Int, Int>

extension PlaceChange<IndexPath> {
    init(_ from: (Int, Int), _ to: (Int, Int)) {
        self.init(
            from: IndexPath(section: from.0, item: from.1), to: IndexPath(section: to.0, item: to.1))
    }
}
