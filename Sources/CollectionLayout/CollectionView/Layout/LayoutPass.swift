/// One layout of a view: what was seen before it, and what still has to be done.
struct LayoutPass {
    /// What was seen and still exists, by the element that it is now; the attributes are those of before.
    private var before: [LayoutElement: LayoutAttributes] = [:]
    /// What was seen and is gone or made anew.
    private var removed: [LayoutAttributes] = []
    private var reconfigured: [IndexPath] = []
    /// Elements whose views have to be asked for their size.
    var unfitted: [LayoutElement] = []
    /// The element that asked for another size last.
    var unsettled: LayoutElement?
    /// The bounds that were placed last.
    private(set) var bounds: Rect?

    init(_ shown: [LayoutElement: ShownElement]) {
        before = shown.mapValues(\.attributes)
    }

    /// Lets go of everything that is shown.
    mutating func removeAll(from view: CollectionView) {
        removed += view.shown.values.map(\.attributes)
        before = [:]
        let gone = Array(view.shown.values)
        view.shown = [:]
        view.letGo(gone)
    }

    /// Gives the shown elements the places of after the updates; lets go of those that are gone or replaced, and fills
    /// those again that are reconfigured.
    mutating func follow(_ map: ElementMap, in view: CollectionView) {
        var kept: [LayoutElement: ShownElement] = [:]
        var gone: [ShownElement] = []
        var again: [LayoutElement] = []
        before = [:]
        for (element, current) in view.shown {
            guard let new = map.kept(element) else {
                removed.append(current.attributes)
                gone.append(current)
                continue
            }
            kept[new] = current
            before[new] = current.attributes
            if element.kind == nil, map.updates.reconfigures(element.indexPath) { again.append(new) }
        }
        view.shown = kept
        view.letGo(gone)
        for element in again.sorted() {
            view.configureAgain(element)
            unfitted.append(element)
            reconfigured.append(element.indexPath)
        }
    }

    /// Shows exactly these elements; of one that is there twice, the first counts (chosen).
    ///
    /// - Complexity: O(elements), and O(n log n) in those that come into sight, leave it or change.
    mutating func place(_ placed: [LayoutAttributes], in view: CollectionView) {
        bounds = view.bounds
        let old = view.shown
        var next: [LayoutElement: ShownElement] = [:]
        next.reserveCapacity(placed.count)
        var (entering, changed): ([LayoutAttributes], [LayoutAttributes]) = ([], [])
        var stayed = 0
        for attributes in placed where view.exists(attributes.element) {
            var current = old[attributes.element]
            let isNew = current == nil
            let isChanged = !isNew && current?.attributes != attributes
            current?.attributes = attributes
            let first = next.updateValue(
                current ?? ShownElement(attributes: attributes), forKey: attributes.element)
            if let first {
                next[attributes.element] = first
            } else if isNew {
                entering.append(attributes)
            } else {
                stayed += 1
                if isChanged { changed.append(attributes) }
            }
        }
        entering.sort(by: LayoutAttributes.isDrawnBefore)
        changed.sort(by: LayoutAttributes.isDrawnBefore)
        view.shown = next
        if stayed < old.count { view.letGo(old.filter { next[$0.key] == nil }.map(\.value)) }
        for attributes in changed { next[attributes.element]?.content?.apply(attributes) }
        for attributes in entering { view.show(attributes) }
        unfitted += changed.map(\.element) + entering.map(\.element)
    }

    /// What differs from before, apart from where things come from and go to.
    func changes(to shown: [LayoutElement: ShownElement]) -> VisibleChanges {
        changes(to: shown, initial: { _ in nil }, final: { _ in nil })
    }

    /// What differs from before.
    ///
    /// - Parameters:
    ///   - initial: Where an element, as it is now, comes from.
    ///   - final: Where an element goes, given its attributes of before.
    func changes(
        to shown: [LayoutElement: ShownElement], initial: (LayoutElement) -> LayoutAttributes?,
        final: (LayoutAttributes) -> LayoutAttributes?
    ) -> VisibleChanges {
        var changes = VisibleChanges()
        var stayed = 0
        for (element, current) in shown {
            let new = current.attributes
            guard let old = before[element] else {
                changes.entered.append(.init(attributes: new, initial: initial(element)))
                continue
            }
            stayed += 1
            if old != new { changes.moved.append(.init(old: old, new: new)) }
        }
        changes.entered.sort { LayoutAttributes.isDrawnBefore($0.attributes, $1.attributes) }
        changes.moved.sort { LayoutAttributes.isDrawnBefore($0.new, $1.new) }
        let left = stayed < before.count ? before.filter { shown[$0.key] == nil }.map(\.value) : []
        changes.left = (removed + left).map { .init(attributes: $0, final: final($0)) }
        changes.left.sort { LayoutAttributes.isDrawnBefore($0.attributes, $1.attributes) }
        changes.reconfigured = reconfigured
        return changes
    }
}
