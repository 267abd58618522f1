/// Closures that return values for individual sections and items of a flow layout, like
/// UIKit's `UICollectionViewDelegateFlowLayout`.
///
/// If a closure is `nil`, the layout's property applies. Closures must return the same values until
/// the layout is invalidated: the sizes of visible rows are requested again on each query. The layout remains finite
/// whatever they return.
///
/// Like the layout, the type is not `Sendable`: closures can capture `[weak self]` and use the state of the actor to
/// which the view belongs.
///
/// The type has closures and is not a protocol because the layout must know which values are provided: items with one
/// size need no storage and have a different last row.
public struct FlowLayoutDelegate {
    /// The size of each item. Only the first ``itemLimit`` items of the layout use it; further items have the size of
    /// their section.
    public var sizeForItem: ((IndexPath) -> Size)?
    /// The common size of all items in a section, in points. ``sizeForItem`` takes precedence. UIKit has no
    /// counterpart.
    public var itemSizeForSection: ((_ section: Int) -> Size)?
    /// Replaces ``FlowLayout/sectionInset``, in points.
    public var insetForSection: ((_ section: Int) -> EdgeInsets)?
    /// Replaces ``FlowLayout/minimumLineSpacing``, in points.
    public var minimumLineSpacingForSection: ((_ section: Int) -> Double)?
    /// Replaces ``FlowLayout/minimumInteritemSpacing``, in points.
    public var minimumInteritemSpacingForSection: ((_ section: Int) -> Double)?
    /// Replaces ``FlowLayout/headerReferenceSize``; zero for a section without a header.
    public var referenceSizeForHeader: ((_ section: Int) -> Size)?
    /// Replaces ``FlowLayout/footerReferenceSize``; zero for a section without a footer.
    public var referenceSizeForFooter: ((_ section: Int) -> Size)?

    /// The maximum number of items with individual sizes, in all sections together.
    public static let itemLimit = 4_000_000

    /// Creates a delegate; without arguments, the layout's properties apply everywhere.
    public init(
        sizeForItem: ((IndexPath) -> Size)? = nil,
        itemSizeForSection: ((_ section: Int) -> Size)? = nil,
        insetForSection: ((_ section: Int) -> EdgeInsets)? = nil,
        minimumLineSpacingForSection: ((_ section: Int) -> Double)? = nil,
        minimumInteritemSpacingForSection: ((_ section: Int) -> Double)? = nil,
        referenceSizeForHeader: ((_ section: Int) -> Size)? = nil,
        referenceSizeForFooter: ((_ section: Int) -> Size)? = nil
    ) {
        self.sizeForItem = sizeForItem
        self.itemSizeForSection = itemSizeForSection
        self.insetForSection = insetForSection
        self.minimumLineSpacingForSection = minimumLineSpacingForSection
        self.minimumInteritemSpacingForSection = minimumInteritemSpacingForSection
        self.referenceSizeForHeader = referenceSizeForHeader
        self.referenceSizeForFooter = referenceSizeForFooter
    }
}
