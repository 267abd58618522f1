public import CollectionLayout

/// A data source that is handed whole snapshots and tells the view what differs (documented:
/// `UICollectionViewDiffableDataSource`).
///
/// The view doesn't keep its data source alive: whoever makes it keeps it. Like the view it belongs to one thread or actor
/// and is not `Sendable`.
///
/// ```swift
/// let source = DiffableDataSource<String, Int>(view: view) { view, path, item in
///     view.dequeueCell(using: registration, for: path, item: item)
/// }
/// var snapshot = source.snapshot()
/// try snapshot.appendSections(["news"])
/// try snapshot.appendItems([1, 2])
/// try source.apply(snapshot)
/// ```
public final class DiffableDataSource<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
    /// The cell of an item, as of ``CollectionViewDataSource/collectionView(_:cellForItemAt:)``.
    public typealias CellProvider = (
        _ view: CollectionView, _ path: IndexPath, _ item: ItemID
    ) -> (any ReusableView)?

    /// The view of a supplementary element.
    public typealias SupplementaryProvider = (
        _ view: CollectionView, _ kind: ElementKind, _ path: IndexPath
    ) -> (any ReusableView)?

    /// The view that is told of changes; not kept alive.
    public private(set) weak var view: CollectionView?
    /// Asked for the views of supplementary elements; there are none while it is `nil`, the default (documented).
    public var supplementaryProvider: SupplementaryProvider?

    private let cellProvider: CellProvider
    var current = Snapshot<SectionID, ItemID>()
    /// The outlines that sections were filled from.
    var outlines: [SectionID: SectionSnapshot<ItemID>] = [:]

    /// A source without sections, which becomes the view's data source (documented).
    public init(view: CollectionView, cellProvider: @escaping CellProvider) {
        self.view = view
        self.cellProvider = cellProvider
        view.dataSource = self
    }

    /// A copy of what stands now, with nothing marked for reloading: to be changed and applied (documented).
    public func snapshot() -> Snapshot<SectionID, ItemID> { current }
}

// MARK: - Applying

extension DiffableDataSource {
    /// Takes a snapshot over, and tells the view what differs from the one before, as one batch update.
    ///
    /// The model changes first, then the view (documented): when the view asks for cells, ``snapshot()`` answers with the
    /// new one. What the view still had to lay out is laid out before, with the old one. What is selected stays selected
    /// while it stands in the snapshot, unless its section is reloaded. A view that has another data source by now, or is
    /// gone, isn't told (chosen).
    ///
    /// - Returns: What changed among the visible elements.
    /// - Throws: ``/CollectionLayout/BatchUpdateError/nested`` during a layout or other updates; nothing has changed then.
    ///   Should the view count other items than the source did, it is reloaded, and the error says what didn't add up.
    /// - Complexity: That of ``SnapshotDifference/init(from:to:)``, and what the view needs to lay out.
    @discardableResult
    public func apply(_ snapshot: Snapshot<SectionID, ItemID>) throws(BatchUpdateError) -> VisibleChanges {
        guard let view, view.dataSource === self else {
            replace(by: snapshot)
            return VisibleChanges()
        }
        do throws(BatchUpdateError) {
            return try view.performBatchUpdates { updates in
                updates = BatchUpdates(SnapshotDifference(from: current, to: snapshot).changes)
                replace(by: snapshot)
            }
        } catch {
            if error != .nested { view.reloadData() }
            throw error
        }
    }

    /// Takes a snapshot over, and has the view load everything anew; nothing stays selected (documented).
    ///
    /// It costs no difference: for content that has nothing to do with the old one. The view lays out when it is asked to.
    public func applyUsingReloadData(_ snapshot: Snapshot<SectionID, ItemID>) {
        replace(by: snapshot)
        if let view, view.dataSource === self { view.reloadData() }
    }

    /// Changes the model alone.
    private func replace(by snapshot: Snapshot<SectionID, ItemID>) {
        current = snapshot.withoutMarks
        outlines = outlines.filter { section, outline in
            current.tokens[section].map { current.sections[$0].items } == outline.visibleItems
        }
    }
}

// MARK: - Looking up

extension DiffableDataSource {
    /// The item at a path; `nil` where there is none (documented).
    ///
    /// - Complexity: O(1), like all that follows.
    public func itemIdentifier(for path: IndexPath) -> ItemID? { current.itemIdentifier(at: path) }

    /// Where an item stands; `nil` for one that isn't there (documented).
    public func indexPath(for item: ItemID) -> IndexPath? { current.indexPath(of: item) }

    /// The section at a place; `nil` where there is none (documented).
    public func sectionIdentifier(for index: Int) -> SectionID? { current.sectionIdentifier(at: index) }

    /// Where a section stands; `nil` for one that isn't there (documented).
    public func index(for section: SectionID) -> Int? { current.indexOfSection(section) }
}

// MARK: - What the view asks

extension DiffableDataSource: CollectionViewDataSource {
    public func numberOfSections(in view: CollectionView) -> Int { current.numberOfSections }

    public func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int {
        current.itemCount(inSection: section)
    }

    /// The snapshot itself: it is a value, and looks a count up when it is asked.
    public func sectionCounts(for view: CollectionView) -> any SectionCounts { current }

    public func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
        current.itemIdentifier(at: path).flatMap { cellProvider(view, path, $0) }
    }

    public func collectionView(
        _ view: CollectionView, viewForSupplementaryElementOfKind kind: ElementKind, at path: IndexPath
    ) -> (any ReusableView)? {
        supplementaryProvider?(view, kind, path)
    }
}

// MARK: - Outlines

extension DiffableDataSource {
    /// Fills a section with the visible items of an outline, and tells the view what differs (documented).
    ///
    /// A section that isn't there is appended (documented by example). Items that were there and are expanded or collapsed
    /// now are reconfigured, so that their cells can show it (chosen). The outline is kept until the section's items are
    /// changed by a snapshot (chosen).
    ///
    /// - Returns: What changed among the visible elements.
    /// - Throws: ``SnapshotError/duplicateItem(_:)`` for an item that stands in another section; nothing has changed then.
    ///   Also what ``apply(_:)`` throws; the outline isn't kept then.
    /// - Complexity: That of ``apply(_:)``, and O(visible items).
    @discardableResult
    public func apply(_ outline: SectionSnapshot<ItemID>, to section: SectionID) throws -> VisibleChanges {
        var next = current
        let items = outline.visibleItems
        if next.indexOfSection(section) == nil {
            try next.appendSections([section])
        } else {
            try next.deleteItems(next.itemIdentifiers(inSection: section))
        }
        try next.appendItems(items, toSection: section)
        if let before = outlines[section] {
            try next.reconfigureItems(
                items.filter { before.isExpanded($0) != outline.isExpanded($0) })
        }
        let changes = try apply(next)
        outlines[section] = outline
        return changes
    }

    /// The outline that a section was filled from; without one its items side by side, and none for a section that isn't
    /// there (documented).
    ///
    /// - Complexity: O(1) with an outline, otherwise O(items of the section).
    public func snapshot(for section: SectionID) -> SectionSnapshot<ItemID> {
        if let outline = outlines[section] { return outline }
        guard let token = current.tokens[section] else { return SectionSnapshot() }
        return .plain(current.sections[token].items)
    }
}
