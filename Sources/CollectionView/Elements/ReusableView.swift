public import CollectionLayout

/// A cell, a supplementary view or a decoration view: whatever shows an element (documented: `UICollectionReusableView`).
public protocol ReusableView: AnyObject {
    /// A view that shows nothing yet.
    init()

    /// Forgets what it showed; called before it is handed to another element (documented).
    func prepareForReuse()

    /// Takes its place and its looks; called before it is first shown, and whenever they change (documented).
    func apply(_ attributes: LayoutAttributes)

    /// The attributes that it would like to have instead of those that the layout gives it; the same by default, which
    /// asks for nothing (documented). Only the size counts.
    func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes

    /// Shows whether it is selected and highlighted; called for cells when they are made and when it changes.
    func apply(_ state: CellState)
}

extension ReusableView {
    public func prepareForReuse() {}

    public func apply(_ attributes: LayoutAttributes) {}

    public func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes { attributes }

    public func apply(_ state: CellState) {}
}

/// How a cell stands with the viewer (documented: `UICellConfigurationState`).
///
/// The view keeps the first two; the others are for whoever makes a state by hand.
public struct CellState: Hashable, Sendable {
    /// Whether its item is selected.
    public var isSelected: Bool
    /// Whether a touch lies on it.
    public var isHighlighted: Bool
    /// Whether keys and remote controls act on it.
    public var isFocused = false
    /// Whether it can't be used at the moment.
    public var isDisabled = false
    /// Whether the list is being edited: some accessories are shown only then, or only otherwise.
    public var isEditing = false
    /// Whether an outline shows what belongs to it.
    public var isExpanded = false

    public init(isSelected: Bool = false, isHighlighted: Bool = false) {
        self.isSelected = isSelected
        self.isHighlighted = isHighlighted
    }
}
