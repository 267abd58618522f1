public import CollectionLayout

/// What a collection view reports, and asks leave for (documented: `UICollectionViewDelegate`).
///
/// All members have defaults. Only touches ask and report about highlights and selections; what the program does by
/// itself is not reported (documented). The order for a touch that selects: should highlight, did highlight; when it
/// lifts, should select or should deselect, did select or did deselect, did unhighlight (documented).
public protocol CollectionViewDelegate: AnyObject {
    /// Whether a touch highlights an item; if not, it doesn't select it either (documented). `true` by default.
    func collectionView(_ view: CollectionView, shouldHighlightItemAt path: IndexPath) -> Bool

    /// A touch highlighted an item (documented).
    func collectionView(_ view: CollectionView, didHighlightItemAt path: IndexPath)

    /// A touch that had highlighted an item lifted, or became a drag (documented).
    func collectionView(_ view: CollectionView, didUnhighlightItemAt path: IndexPath)

    /// Whether a touch selects an item; `true` by default.
    func collectionView(_ view: CollectionView, shouldSelectItemAt path: IndexPath) -> Bool

    /// Whether a touch on a selected item deselects it; asked with multiple selection alone (documented). `true` by
    /// default.
    func collectionView(_ view: CollectionView, shouldDeselectItemAt path: IndexPath) -> Bool

    /// A touch selected an item (documented).
    func collectionView(_ view: CollectionView, didSelectItemAt path: IndexPath)

    /// A touch deselected an item, by itself or by selecting another one (documented).
    func collectionView(_ view: CollectionView, didDeselectItemAt path: IndexPath)

    /// An element is about to be shown, its attributes and its view, if it has one, being ready (documented).
    func collectionView(
        _ view: CollectionView, willDisplay content: (any ReusableView)?, with attributes: LayoutAttributes)

    /// An element is no longer shown (documented).
    ///
    /// - Parameter attributes: Its last ones; after batch updates their index path is that of before.
    func collectionView(
        _ view: CollectionView, didEndDisplaying content: (any ReusableView)?, with attributes: LayoutAttributes)

    /// The content offset changed (documented: `scrollViewDidScroll`).
    func collectionViewDidScroll(_ view: CollectionView)
}

extension CollectionViewDelegate {
    public func collectionView(_ view: CollectionView, shouldHighlightItemAt path: IndexPath) -> Bool { true }

    public func collectionView(_ view: CollectionView, didHighlightItemAt path: IndexPath) {}

    public func collectionView(_ view: CollectionView, didUnhighlightItemAt path: IndexPath) {}

    public func collectionView(_ view: CollectionView, shouldSelectItemAt path: IndexPath) -> Bool { true }

    public func collectionView(_ view: CollectionView, shouldDeselectItemAt path: IndexPath) -> Bool { true }

    public func collectionView(_ view: CollectionView, didSelectItemAt path: IndexPath) {}

    public func collectionView(_ view: CollectionView, didDeselectItemAt path: IndexPath) {}

    public func collectionView(
        _ view: CollectionView, willDisplay content: (any ReusableView)?, with attributes: LayoutAttributes
    ) {}

    public func collectionView(
        _ view: CollectionView, didEndDisplaying content: (any ReusableView)?, with attributes: LayoutAttributes
    ) {}

    public func collectionViewDidScroll(_ view: CollectionView) {}
}
