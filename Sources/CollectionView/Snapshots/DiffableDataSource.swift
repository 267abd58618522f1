public import CollectionLayout

/// A data source that accepts whole snapshots and updates the view with the differences, like
/// UIKit's `UICollectionViewDiffableDataSource`.
///
/// The view doesn't retain its data source: keep a reference to it. Like the view, a data source belongs to one thread
/// or actor and is not `Sendable`.
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
    /// Returns the cell of an item, as ``CollectionViewDataSource/collectionView(_:cellForItemAt:)`` does.
    public typealias CellProvider = (
        _ view: CollectionView, _ path: IndexPath, _ item: ItemID
    ) -> (any ReusableView)?

    /// Returns the view of a supplementary element.
    public typealias SupplementaryProvider = (
        _ view: CollectionView, _ kind: ElementKind, _ path: IndexPath
    ) -> (any ReusableView)?

    /// The view that is updated; not retained.
    public private(set) weak var view: CollectionView?
    /// Provides the views of supplementary elements; while it is `nil`, the default, there are none.
    public var supplementaryProvider: SupplementaryProvider?

    private let cellProvider: CellProvider
    private var current = Snapshot<SectionID, ItemID>()
    /// The outlines from which sections were filled.
    private var outlines: [SectionID: SectionSnapshot<ItemID>] = [:]

    /// Creates an empty data source and makes it the view's data source.
    public init(view: CollectionView, cellProvider: @escaping CellProvider) {
        self.view = view
        self.cellProvider = cellProvider
        view.dataSource = self
    }

    /// Returns a copy of the current snapshot without marks for reloading, to be modified and applied.
    public func snapshot() -> Snapshot<SectionID, ItemID> { current }
}

// MARK: - Applying snapshots

extension DiffableDataSource {
    /// Applies a snapshot and updates the view with the differences in one batch update.
    ///
    /// The data changes before the view: when the view asks for cells, ``snapshot()`` returns the new snapshot. Pending
    /// layout is performed first, with the old one. The selected item stays selected if it is in the new snapshot.
    /// If the view was released or has another data source by now, only the data
    /// changes.
    ///
    /// - Returns: The changes of the visible elements.
    /// - Throws: ``/CollectionLayout/BatchUpdateError/nested`` during a layout pass or other updates; nothing has
    ///   changed then. If the view's counts differ from the data source's, the view is reloaded, and the error
    ///   describes the inconsistency.
    /// - Complexity: The same as ``Snapshot/updates(to:)``, plus the layout of the view.
    @discardableResult
    public func apply(_ snapshot: Snapshot<SectionID, ItemID>) throws(BatchUpdateError) -> VisibleChanges {
        try apply(snapshot, filledFrom: [:])
    }

    /// - Parameter outlines: The outlines of the sections that were filled from outlines.
    private func apply(
        _ snapshot: Snapshot<SectionID, ItemID>, filledFrom outlines: [SectionID: SectionSnapshot<ItemID>]
    ) throws(BatchUpdateError) -> VisibleChanges {
        guard let view, view.dataSource === self else {
            replace(by: snapshot, filledFrom: outlines)
            return VisibleChanges()
        }
        do throws(BatchUpdateError) {
            return try view.performBatchUpdates { updates in
                updates = current.updates(to: snapshot)
                replace(by: snapshot, filledFrom: outlines)
            }
        } catch {
            if error != .nested { view.reloadData() }
            throw error
        }
    }

    /// Applies a snapshot and reloads the view. Clears the selection.
    ///
    /// It computes no differences, which suits content unrelated to the old one. The view performs the layout when it
    /// is asked to.
    public func applyUsingReloadData(_ snapshot: Snapshot<SectionID, ItemID>) {
        replace(by: snapshot)
        if let view, view.dataSource === self { view.reloadData() }
    }

    /// Changes only the data.
    private func replace(
        by snapshot: Snapshot<SectionID, ItemID>, filledFrom outlines: [SectionID: SectionSnapshot<ItemID>] = [:]
    ) {
        current = snapshot
        current.marks = SnapshotMarks()
        self.outlines = self.outlines.merging(outlines) { $1 }.filter { section, outline in
            current.tokens[section].map { current.sections[$0].items } == outline.visibleItems
        }
    }
}

// MARK: - Lookup

extension DiffableDataSource {
    /// Returns the item at an index path; `nil` if there is none.
    ///
    /// - Complexity: O(1), like all lookups.
    public func itemIdentifier(for path: IndexPath) -> ItemID? { current.itemIdentifier(at: path) }

    /// Returns the index path of an item; `nil` if it isn't in the snapshot.
    public func indexPath(for item: ItemID) -> IndexPath? { current.indexPath(of: item) }

    /// Returns the section at an index; `nil` if there is none.
    public func sectionIdentifier(for index: Int) -> SectionID? { current.sectionIdentifier(at: index) }

    /// Returns the index of a section; `nil` if it isn't in the snapshot.
    public func index(for section: SectionID) -> Int? { current.indexOfSection(section) }
}

// MARK: - Data source methods

extension DiffableDataSource: CollectionViewDataSource {
    public func numberOfSections(in view: CollectionView) -> Int { current.numberOfSections }

    public func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int {
        current.itemCount(inSection: section)
    }

    /// Returns the snapshot itself, which is a value and computes counts on request.
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
    /// Fills a section with the visible items of an outline and updates the view with the differences.
    ///
    /// A section that doesn't exist is appended. Otherwise, the same as ``apply(_:outlines:)``.
    @discardableResult
    public func apply(_ outline: SectionSnapshot<ItemID>, to section: SectionID) throws -> VisibleChanges {
        var next = current
        if next.indexOfSection(section) == nil { try next.appendSections([section]) }
        return try apply(next, outlines: [section: outline])
    }

    /// Applies a snapshot whose sections are filled with the visible items of outlines, in one batch update. UIKit
    /// applies each outline on its own.
    ///
    /// Items that were expanded or collapsed are reconfigured, so that their cells can show it. An outline is kept until
    /// a snapshot changes the items of its section; when the view asks for cells, ``snapshot(for:)`` returns it.
    ///
    /// - Parameter outlines: The outlines by section. They replace the items that the snapshot has in these sections.
    /// - Returns: The changes of the visible elements.
    /// - Throws: ``SnapshotError`` if a section doesn't exist or an item is in two sections; nothing has changed then.
    ///   Otherwise, the errors of ``apply(_:)``.
    /// - Complexity: The same as ``apply(_:)``, plus O(visible items).
    @discardableResult
    public func apply(
        _ snapshot: Snapshot<SectionID, ItemID>, outlines: [SectionID: SectionSnapshot<ItemID>]
    ) throws -> VisibleChanges {
        var next = snapshot
        // Items that are there already keep their marks.
        let changed = try outlines.filter { try $0.value.visibleItems != next.itemIdentifiers(inSection: $0.key) }.keys
        // An item may move from one outline to another.
        for section in changed { try next.deleteItems(next.itemIdentifiers(inSection: section)) }
        for (section, outline) in outlines {
            let items = outline.visibleItems
            if changed.contains(section) { try next.appendItems(items, toSection: section) }
            guard let before = self.outlines[section] else { continue }
            try next.reconfigureItems(items.filter { before.isExpanded($0) != outline.isExpanded($0) })
        }
        return try apply(next, filledFrom: outlines)
    }

    /// Returns the outline from which a section was filled. Without an outline, returns the items of the section as
    /// root items; if the section doesn't exist, returns an empty outline.
    ///
    /// - Complexity: O(1) with an outline, otherwise O(items of the section).
    public func snapshot(for section: SectionID) -> SectionSnapshot<ItemID> {
        if let outline = outlines[section] { return outline }
        guard let token = current.tokens[section] else { return SectionSnapshot() }
        return SectionSnapshot(roots: current.sections[token].items)
    }
}
