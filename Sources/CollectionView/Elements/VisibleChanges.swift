public import CollectionLayout

/// What of the visible elements differs from one layout to the next, in the order of drawing.
///
/// Frames are in the content's coordinates: what stands still while the view scrolls is not a move. An element is followed
/// by its identity: after batch updates, an item that has another index path is the same one.
public struct VisibleChanges: Hashable, Sendable {
    /// An element that is seen now and was not before.
    public struct Entrance: Hashable, Sendable {
        /// Its attributes now.
        public let attributes: LayoutAttributes
        /// Where it comes from, with batch updates: the layout's initial attributes for one that was inserted, the place in
        /// the old layout for one that was out of sight (documented); otherwise `nil`.
        public let initial: LayoutAttributes?
    }

    /// An element that was seen and is no longer.
    public struct Departure: Hashable, Sendable {
        /// Its last attributes, with the index path of before.
        public let attributes: LayoutAttributes
        /// Where it goes, with batch updates: the layout's final attributes for one that was deleted, the place in the new
        /// layout for one that is out of sight now (documented); otherwise `nil`.
        public let final: LayoutAttributes?
    }

    /// An element that is seen before and after, with other attributes, or with another index path alone.
    public struct Move: Hashable, Sendable {
        /// Its attributes before, with the index path of before.
        public let old: LayoutAttributes
        /// Its attributes now.
        public let new: LayoutAttributes
    }

    /// What came into sight.
    public internal(set) var entered: [Entrance] = []
    /// What went out of sight, or is gone.
    public internal(set) var left: [Departure] = []
    /// What stands elsewhere or looks otherwise.
    public internal(set) var moved: [Move] = []
    /// Items that kept their cell and had it filled again, where they stand now.
    public internal(set) var reconfigured: [IndexPath] = []

    /// No changes.
    public init() {}

    /// Whether nothing differs.
    public var isEmpty: Bool { entered.isEmpty && left.isEmpty && moved.isEmpty && reconfigured.isEmpty }
}

extension LayoutAttributes {
    /// The same looks for the element as it is now.
    func moved(to element: LayoutElement) -> LayoutAttributes {
        var copy = self
        copy.element = element
        return copy
    }
}
