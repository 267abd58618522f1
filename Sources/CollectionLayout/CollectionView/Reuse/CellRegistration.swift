/// How cells of one type are filled with items of one type (documented: `UICollectionView.CellRegistration`).
///
/// Cells are reused within one registration. Make it once and keep it: with one made anew for each cell nothing is reused
/// (documented).
public struct CellRegistration<Cell: ReusableView, Item> {
    /// Fills a cell, new or used, with the item at a place.
    public typealias Configuration = (_ cell: Cell, _ path: IndexPath, _ item: Item) -> Void

    let identity = ReuseIdentity()
    let configure: Configuration

    /// A registration.
    ///
    /// - Parameter configure: Fills a new or a used cell.
    public init(configure: @escaping Configuration) {
        self.configure = configure
    }
}

/// How supplementary views of one type and kind are filled (documented: `UICollectionView.SupplementaryRegistration`).
public struct SupplementaryRegistration<View: ReusableView> {
    /// Fills a view, new or used, for the element of a kind at a place.
    public typealias Configuration = (_ view: View, _ kind: ElementKind, _ path: IndexPath) -> Void

    /// The kind of the elements that it is for.
    public let kind: ElementKind
    let identity = ReuseIdentity()
    let configure: Configuration

    /// A registration.
    ///
    /// - Parameter configure: Fills a new or a used view.
    public init(kind: ElementKind, configure: @escaping Configuration) {
        self.kind = kind
        self.configure = configure
    }
}

/// Tells registrations apart; copies of one are the same.
struct ReuseIdentity: Hashable {
    private final class Token {}

    // Kept, and not just its address: no other registration can then be taken for one that is gone.
    private let token = Token()

    static func == (lhs: ReuseIdentity, rhs: ReuseIdentity) -> Bool { lhs.token === rhs.token }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(token)) }
}
