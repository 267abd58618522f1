public import CollectionLayout

/// What a collection view asks for its data (documented: `UICollectionViewDataSource`).
///
/// All members but one have defaults: a source that vends no cells is enough for a view that is only measured.
public protocol CollectionViewDataSource: AnyObject {
    /// The number of sections; 1 by default (documented).
    func numberOfSections(in view: CollectionView) -> Int

    /// The number of items of a section; a negative one counts as 0.
    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int

    /// The counts as they are now, as a value that keeps its answers while the data goes on changing.
    ///
    /// The default asks for the count of every section, as the original does, up to
    /// ``CollectionView/CollectionView/eagerSectionLimit`` sections; those behind don't count, with a diagnostic. A source of many
    /// sections answers with a value that looks a count up when it is asked for it (chosen). The view asks when data is
    /// loaded and after batch updates.
    func sectionCounts(for view: CollectionView) -> any SectionCounts

    /// The cell of an item, made or handed on by ``CollectionView/CollectionView/dequeueCell(using:for:item:)``.
    ///
    /// `nil`, the default, for an item that is laid out and has no cell. A cell that was not dequeued is shown, and not
    /// reused; one that is shown elsewhere already counts as `nil` (chosen: the original traps for both).
    func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)?

    /// The view of a supplementary element; as for cells.
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
            view.ownDiagnostics.add(
                LayoutDiagnostic(
                    .limitReached, section: limit,
                    detail: "of \(counted) sections the first \(limit) are counted; see sectionCounts(for:)"))
        }
        let sections = counted.clamped(to: 0...limit)
        return ItemCounts((0..<sections).map { collectionView(view, numberOfItemsInSection: $0) })
    }

    public func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? { nil }

    public func collectionView(
        _ view: CollectionView, viewForSupplementaryElementOfKind kind: ElementKind, at path: IndexPath
    ) -> (any ReusableView)? { nil }
}
