public import CollectionLayout

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

/// Views that left and wait to be handed out again, by registration.
struct ReusePool {
    /// The greatest number of waiting views; any more are let go (chosen).
    static let limit = 1024

    /// How many wait.
    private(set) var count = 0
    private var waiting: [ReuseIdentity: [any ReusableView]] = [:]

    /// Takes a view in.
    mutating func put(_ view: any ReusableView, _ identity: ReuseIdentity) {
        guard count < Self.limit else { return }
        waiting[identity, default: []].append(view)
        count += 1
    }

    /// The view that came in last of those of a registration.
    mutating func take(_ identity: ReuseIdentity) -> (any ReusableView)? {
        guard let view = waiting[identity]?.popLast() else { return nil }
        count -= 1
        if waiting[identity]?.isEmpty == true { waiting[identity] = nil }
        return view
    }
}
