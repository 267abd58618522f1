public import CollectionLayout

/// A view that displays an element: a cell, supplementary view or decoration view, like UIKit's
/// `UICollectionReusableView`.
public protocol ReusableView: AnyObject {
    /// Creates an empty view.
    init()

    /// Resets the view before it is reused for another element.
    func prepareForReuse()

    /// Applies a position and appearance. Called before the view is first shown and whenever the attributes change.
    func apply(_ attributes: LayoutAttributes)

    /// Returns the attributes that the view prefers. By default, the same attributes, which requests no change. Only
    /// the size is used.
    func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes

    /// Updates the view for a state, such as selected or highlighted. Called for cells when they are created and when
    /// the state changes.
    func apply(_ state: CellState)
}

extension ReusableView {
    public func prepareForReuse() {}

    public func apply(_ attributes: LayoutAttributes) {}

    public func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes { attributes }

    public func apply(_ state: CellState) {}
}

/// The state of a cell, like UIKit's `UICellConfigurationState`.
///
/// The view maintains ``isSelected`` and ``isHighlighted``; clients set the other properties.
public struct CellState: Hashable, Sendable {
    /// Whether the item is selected.
    public var isSelected: Bool
    /// Whether a touch highlights the cell.
    public var isHighlighted: Bool
    /// Whether the cell has the keyboard or remote-control focus.
    public var isFocused = false
    /// Whether the cell is disabled.
    public var isDisabled = false
    /// Whether the list is being edited, which determines the visible accessories.
    public var isEditing = false
    /// Whether the item of an outline is expanded.
    public var isExpanded = false

    /// Creates a state in which all other properties are `false`.
    public init(isSelected: Bool = false, isHighlighted: Bool = false) {
        self.isSelected = isSelected
        self.isHighlighted = isHighlighted
    }
}

/// The configuration of cells of one type with items of one type, like UIKit's `UICollectionView.CellRegistration`.
///
/// Cells are reused within one registration. Create a registration once and keep it: if you create one for each cell,
/// no cells are reused.
public struct CellRegistration<Cell: ReusableView, Item> {
    /// Configures a new or reused cell with the item at an index path.
    public typealias Configuration = (_ cell: Cell, _ path: IndexPath, _ item: Item) -> Void

    let identity = ReuseIdentity()
    let configure: Configuration

    /// Creates a registration.
    ///
    /// - Parameter configure: Configures a new or reused cell.
    public init(configure: @escaping Configuration) {
        self.configure = configure
    }
}

/// The configuration of supplementary views of one type and kind, like UIKit's
/// `UICollectionView.SupplementaryRegistration`.
public struct SupplementaryRegistration<View: ReusableView> {
    /// Configures a new or reused view for the element of a kind at an index path.
    public typealias Configuration = (_ view: View, _ kind: ElementKind, _ path: IndexPath) -> Void

    /// The kind of the elements.
    public let kind: ElementKind
    let identity = ReuseIdentity()
    let configure: Configuration

    /// Creates a registration.
    ///
    /// - Parameter configure: Configures a new or reused view.
    public init(kind: ElementKind, configure: @escaping Configuration) {
        self.kind = kind
        self.configure = configure
    }
}

/// The identity of a registration, which its copies share.
struct ReuseIdentity: Hashable {
    private final class Token {}

    // Keeping the object instead of its address prevents a later registration from getting the same identity.
    private let token = Token()

    static func == (lhs: ReuseIdentity, rhs: ReuseIdentity) -> Bool { lhs.token === rhs.token }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(token)) }
}

/// Views available for reuse, by registration.
struct ReusePool {
    /// The maximum number of stored views; further ones are released.
    static let limit = 1024

    /// The number of stored views.
    private(set) var count = 0
    private var waiting: [ReuseIdentity: [any ReusableView]] = [:]

    /// Stores a view.
    mutating func enqueue(_ view: any ReusableView, _ identity: ReuseIdentity) {
        guard count < Self.limit else { return }
        waiting[identity, default: []].append(view)
        count += 1
    }

    /// Removes and returns the last stored view of a registration.
    mutating func dequeue(_ identity: ReuseIdentity) -> (any ReusableView)? {
        guard let view = waiting[identity]?.popLast() else { return nil }
        count -= 1
        if waiting[identity]?.isEmpty == true { waiting[identity] = nil }
        return view
    }
}
