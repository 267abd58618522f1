public import CollectionLayout

/// Receives events of a collection view and decides about touches, like UIKit's `UICollectionViewDelegate`.
///
/// All methods have default implementations. Highlighting and selection methods are called only for touches, not for
/// changes by the program. A touch calls should-highlight and did-highlight; when it ends, it calls should-select or
/// should-deselect, did-select or did-deselect, and did-unhighlight.
public protocol CollectionViewDelegate: AnyObject {
    /// Returns whether a touch highlights an item; `true` by default. If not, the touch doesn't select the item,
    /// either.
    func collectionView(_ view: CollectionView, shouldHighlightItemAt path: IndexPath) -> Bool

    /// Called after a touch highlighted an item.
    func collectionView(_ view: CollectionView, didHighlightItemAt path: IndexPath)

    /// Called after a touch that highlighted an item ended or became a drag.
    func collectionView(_ view: CollectionView, didUnhighlightItemAt path: IndexPath)

    /// Returns whether a touch selects an item; `true` by default.
    func collectionView(_ view: CollectionView, shouldSelectItemAt path: IndexPath) -> Bool

    /// Called after a touch selected an item.
    func collectionView(_ view: CollectionView, didSelectItemAt path: IndexPath)

    /// Called after a touch deselected an item by selecting another item.
    func collectionView(_ view: CollectionView, didDeselectItemAt path: IndexPath)

    /// Called before an element is shown, when its attributes and its view, if any, are ready.
    func collectionView(
        _ view: CollectionView, willDisplay content: (any ReusableView)?, with attributes: LayoutAttributes)

    /// Called after an element was removed from the view.
    ///
    /// - Parameter attributes: The last attributes; after batch updates, with the old index path.
    func collectionView(
        _ view: CollectionView, didEndDisplaying content: (any ReusableView)?, with attributes: LayoutAttributes)

    /// Called after the content offset changed, as UIKit's `scrollViewDidScroll`.
    func collectionViewDidScroll(_ view: CollectionView)
}

extension CollectionViewDelegate {
    public func collectionView(_ view: CollectionView, shouldHighlightItemAt path: IndexPath) -> Bool { true }

    public func collectionView(_ view: CollectionView, didHighlightItemAt path: IndexPath) {}

    public func collectionView(_ view: CollectionView, didUnhighlightItemAt path: IndexPath) {}

    public func collectionView(_ view: CollectionView, shouldSelectItemAt path: IndexPath) -> Bool { true }

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
