public import CollectionLayout

/// One layout pass of a view: the previous state of visible elements, and the remaining work.
///
/// A journal records changes, so that the cost of scrolling depends on what moves and not on what is visible.
struct LayoutPass {
    /// The previous attributes of changed elements, by their current index paths; `nil` for elements that became
    /// visible. Elements not listed are unchanged.
    private var journal: [(element: LayoutElement, before: LayoutAttributes?)] = []
    /// The elements in the journal; `nil` as long as no element can be recorded twice.
    private var recorded: Set<LayoutElement>?
    /// The previous attributes of elements that were removed or created again.
    private var removed: [LayoutAttributes] = []
    private var reconfigured: [IndexPath] = []
    /// The elements whose views must be measured.
    var unmeasured: [LayoutElement] = []
    /// The last element whose preferred size differed.
    var unsettled: LayoutElement?
    /// The elements whose preferred sizes the layout accepted.
    var measured: Set<LayoutElement> = []
    /// Reloaded items. Their views are released after their replacements exist, so that these get other views.
    private var replaced: [ShownElement] = []
    /// The bounds of the last placement.
    private(set) var bounds: Rect?

    /// Removes all visible elements.
    mutating func removeAll(from view: CollectionView) {
        let gone = Array(view.shown.values)
        removed += gone.map(\.attributes)
        journal = []
        recorded = nil
        view.shown = [:]
        view.release(gone)
    }

    /// Moves visible elements to their new index paths, releases those that were deleted or replaced, and configures
    /// the reconfigured ones again.
    mutating func applyUpdates(_ map: ElementMap, in view: CollectionView) {
        var kept: [LayoutElement: ShownElement] = [:]
        var gone: [ShownElement] = []
        var again: [LayoutElement] = []
        journal = []
        for (element, current) in view.shown {
            guard let new = map.kept(element) else {
                removed.append(current.attributes)
                if map.isReloaded(element) { replaced.append(current) } else { gone.append(current) }
                continue
            }
            kept[new] = current
            journal.append((new, current.attributes))
            if map.isReconfigured(element) { again.append(new) }
        }
        view.shown = kept
        view.release(gone)
        for element in again.sorted() {
            view.reconfigure(element)
            unmeasured.append(element)
            if element.kind == nil { reconfigured.append(element.indexPath) }
        }
    }

    /// Shows exactly these elements. If an element occurs twice, the first one is used.
    ///
    /// - Complexity: O(elements), and O(n log n) for those that appear, disappear or change.
    mutating func place(_ placed: [LayoutAttributes], in view: CollectionView) {
        bounds = view.bounds
        if recorded == nil, !journal.isEmpty { recorded = Set(journal.map(\.element)) }
        view.state.round &+= 1
        let round = view.state.round
        // Remove the dictionary from the view, so that it is modified in place. No client code runs in the meantime.
        var shown = view.shown
        view.shown = [:]
        var (entering, changed): ([LayoutAttributes], [LayoutAttributes]) = ([], [])
        var placedCount = 0
        for placed in placed where view.exists(placed.element) {
            let attributes = view.finite(placed)
            guard let index = shown.index(forKey: attributes.element) else {
                record(attributes.element, before: nil)
                shown[attributes.element] = ShownElement(attributes: attributes, round: round)
                entering.append(attributes)
                placedCount += 1
                continue
            }
            guard shown.values[index].round != round else {
                view.reportDuplicate(attributes.element)
                continue
            }
            shown.values[index].round = round
            placedCount += 1
            let before = shown.values[index].attributes
            guard before != attributes else { continue }
            record(attributes.element, before: before)
            shown.values[index].attributes = attributes
            changed.append(attributes)
        }
        var gone: [ShownElement] = []
        if placedCount < shown.count {
            // Use the key: after updates, the attributes still have the old index path.
            for (element, current) in shown where current.round != round {
                record(element, before: current.attributes)
                shown[element] = nil
                gone.append(current)
            }
        }
        view.shown = shown
        view.release(gone)
        entering.sortInDrawingOrder(by: \.self)
        changed.sortInDrawingOrder(by: \.self)
        for attributes in changed { view.shown[attributes.element]?.content?.apply(attributes) }
        for attributes in entering { view.show(attributes) }
        view.release(replaced)
        replaced = []
        unmeasured += changed.lazy.map(\.element)
        unmeasured += entering.lazy.map(\.element)
    }

    /// Records the previous attributes of an element, unless they were recorded already.
    private mutating func record(_ element: LayoutElement, before: LayoutAttributes?) {
        guard recorded?.insert(element).inserted ?? true else { return }
        journal.append((element, before))
    }

    /// Returns the changes, without initial and final attributes.
    func changes(to shown: [LayoutElement: ShownElement]) -> VisibleChanges {
        changes(to: shown, initial: { _ in nil }, final: { _ in nil })
    }

    /// Returns the changes.
    ///
    /// - Parameters:
    ///   - initial: Returns the initial attributes of a new element.
    ///   - final: Returns the final attributes of an element, given its previous attributes.
    /// - Complexity: The same as ``place(_:in:)``.
    func changes(
        to shown: [LayoutElement: ShownElement], initial: (LayoutElement) -> LayoutAttributes?,
        final: (LayoutAttributes) -> LayoutAttributes?
    ) -> VisibleChanges {
        var changes = VisibleChanges()
        changes.left = removed.map { .init(attributes: $0, final: final($0)) }
        for (element, before) in journal {
            switch (before, shown[element]?.attributes) {
            case (nil, let new?): changes.entered.append(.init(attributes: new, initial: initial(element)))
            case (let old?, let new?) where old != new: changes.moved.append(.init(old: old, new: new))
            case (let old?, nil): changes.left.append(.init(attributes: old, final: final(old)))
            default: break
            }
        }
        changes.entered.sortInDrawingOrder(by: \.attributes)
        changes.moved.sortInDrawingOrder(by: \.new)
        changes.left.sortInDrawingOrder(by: \.attributes)
        changes.reconfigured = reconfigured
        return changes
    }
}

extension Array {
    /// Sorts by attributes in drawing order, which layouts often return already.
    ///
    /// - Complexity: O(n) if sorted already, otherwise O(n log n).
    fileprivate mutating func sortInDrawingOrder(by attributes: (Element) -> LayoutAttributes) {
        let isSorted = indices.dropFirst().allSatisfy { index in
            !LayoutAttributes.isDrawnBefore(attributes(self[index]), attributes(self[index - 1]))
        }
        guard !isSorted else { return }
        sort { LayoutAttributes.isDrawnBefore(attributes($0), attributes($1)) }
    }
}

/// A placeholder for the layout of a view while the layout is being prepared. It lets the layout be modified in place
/// instead of copied, and clients that query the view in the meantime get no results instead of unfinished ones.
struct PlaceholderLayout: CollectionViewLayout {
    var contentSize: Size { .zero }

    mutating func prepare(in container: LayoutContainer) {}

    func attributes(in rect: Rect) -> [LayoutAttributes] { [] }

    func attributes(of element: LayoutElement) -> LayoutAttributes? { nil }

    mutating func invalidate(with context: InvalidationContext) {}
}

/// The differences between the visible elements of two layout passes, in drawing order.
///
/// Frames are in content coordinates: an element that stays in place while the view scrolls doesn't move. Elements are
/// identified across batch updates: an item with another index path is the same item.
public struct VisibleChanges: Hashable, Sendable {
    /// An element that became visible.
    public struct Entrance: Hashable, Sendable {
        /// The current attributes.
        public let attributes: LayoutAttributes
        /// The attributes from which the element is animated during batch updates: the layout's initial attributes if
        /// it was inserted, or its attributes in the old layout if it wasn't visible; otherwise `nil`.
        public let initial: LayoutAttributes?
    }

    /// An element that is no longer visible.
    public struct Removal: Hashable, Sendable {
        /// The last attributes, with the old index path.
        public let attributes: LayoutAttributes
        /// The attributes to which the element is animated during batch updates: the layout's final attributes if it
        /// was deleted, or its attributes in the new layout if it is no longer visible; otherwise `nil`.
        public let final: LayoutAttributes?
    }

    /// A visible element whose attributes or index path changed.
    public struct Move: Hashable, Sendable {
        /// The previous attributes, with the old index path.
        public let old: LayoutAttributes
        /// The current attributes.
        public let new: LayoutAttributes
    }

    /// The elements that became visible.
    public internal(set) var entered: [Entrance] = []
    /// The elements that are no longer visible.
    public internal(set) var left: [Removal] = []
    /// The elements that moved or look different.
    public internal(set) var moved: [Move] = []
    /// The current index paths of items whose existing cells were configured again.
    public internal(set) var reconfigured: [IndexPath] = []

    /// Creates an empty set of changes.
    public init() {}

    /// Whether nothing changed.
    public var isEmpty: Bool { entered.isEmpty && left.isEmpty && moved.isEmpty && reconfigured.isEmpty }
}

extension LayoutAttributes {
    /// Returns the attributes for another element.
    func moved(to element: LayoutElement) -> LayoutAttributes {
        var copy = self
        copy.element = element
        return copy
    }
}
