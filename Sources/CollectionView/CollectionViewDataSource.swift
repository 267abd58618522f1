public import CollectionLayout

/// The source of a collection view's data, like UIKit's `UICollectionViewDataSource`.
///
/// All methods except one have default implementations: a source without cells is sufficient for a view that is only
/// measured.
public protocol CollectionViewDataSource: AnyObject {
    /// Returns the number of sections; 1 by default.
    func numberOfSections(in view: CollectionView) -> Int

    /// Returns the number of items in a section; a negative number counts as 0.
    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int

    /// Returns the current counts as a value that doesn't change when the data does.
    ///
    /// The default implementation requests the count of every section, as UIKit does, up to
    /// ``CollectionView/CollectionView/eagerSectionLimit`` sections; further sections are ignored, with a diagnostic. A
    /// source with many sections should return a value that computes a count on request. The view calls this method
    /// when data is loaded and after batch updates.
    func sectionCounts(for view: CollectionView) -> any SectionCounts

    /// Returns the cell of an item, created or reused by
    /// ``CollectionView/CollectionView/dequeueCell(using:for:item:)``.
    ///
    /// Returns `nil`, the default, for an item without a cell, which is still laid out. A cell that wasn't dequeued is
    /// shown but not reused. A cell that is already shown elsewhere counts as `nil`. UIKit traps in both cases.
    func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)?

    /// Returns the view of a supplementary element, with the same rules as for cells.
    func collectionView(
        _ view: CollectionView, viewForSupplementaryElementOfKind kind: ElementKind, at path: IndexPath
    ) -> (any ReusableView)?
}

extension CollectionViewDataSource {
    public func numberOfSections(in view: CollectionView) -> Int { 1 }

    public func sectionCounts(for view: CollectionView) -> any SectionCounts {
        let limit = CollectionView.eagerSectionLimit
        let counted = numberOfSections(in: view)
        if counted > limit {
            view.viewDiagnostics.add(
                LayoutDiagnostic(
                    .limitReached, section: limit,
                    detail: "only the first \(limit) of \(counted) sections are counted; see sectionCounts(for:)"))
        }
        let sections = counted.clamped(to: 0...limit)
        return ItemCounts((0..<sections).map { collectionView(view, numberOfItemsInSection: $0) })
    }

    public func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? { nil }

    public func collectionView(
        _ view: CollectionView, viewForSupplementaryElementOfKind kind: ElementKind, at path: IndexPath
    ) -> (any ReusableView)? { nil }
}
