/// Values of single sections and items for a flow layout (documented: `UICollectionViewDelegateFlowLayout`).
///
/// What isn't set is taken from the layout's own property. The functions must answer the same until the layout is
/// invalidated: sizes of visible rows are asked for again at each query. Whatever they answer, the layout stays finite.
///
/// Like the layout it is not `Sendable`: its functions may use `[weak self]` and the state of the actor that the view
/// belongs to.
///
/// It is a value of functions, not a protocol (chosen): the layout has to know which are there, because items of one
/// size need no storage and have another last row.
public struct FlowLayoutDelegate {
    /// The size of each item; of the first ``itemLimit`` of the layout, the others have that of their section.
    public var sizeForItem: ((IndexPath) -> Size)?
    /// The size of all items of a section, where they have one (chosen: the original has only the one above).
    public var itemSizeForSection: ((_ section: Int) -> Size)?
    /// Instead of ``FlowLayout/sectionInset``, in points (documented).
    public var insetForSection: ((_ section: Int) -> EdgeInsets)?
    /// Instead of ``FlowLayout/minimumLineSpacing``, in points (documented).
    public var minimumLineSpacingForSection: ((_ section: Int) -> Double)?
    /// Instead of ``FlowLayout/minimumInteritemSpacing``, in points (documented).
    public var minimumInteritemSpacingForSection: ((_ section: Int) -> Double)?
    /// Instead of ``FlowLayout/headerReferenceSize``; zero for a section without a header (documented).
    public var referenceSizeForHeader: ((_ section: Int) -> Size)?
    /// Instead of ``FlowLayout/footerReferenceSize``; zero for a section without a footer (documented).
    public var referenceSizeForFooter: ((_ section: Int) -> Size)?

    /// The greatest number of items, in all sections together, that are asked for sizes of their own (chosen).
    public static let itemLimit = 4_000_000

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
