import CollectionLayout

/// One layout of a view: what was seen before it, and what still has to be done.
///
/// It keeps a journal of what changes, so that a step of scrolling costs what moves, and not all that is seen.
struct LayoutPass {
    /// How elements were seen before, by the names that they have now; `nil` for one that wasn't. What isn't here is seen
    /// as it was.
    private var journal: [(element: LayoutElement, before: LayoutAttributes?)] = []
    /// The elements of the journal; `nil` until one could come again.
    private var written: Set<LayoutElement>?
    /// What was seen and is gone or made anew.
    private var removed: [LayoutAttributes] = []
    private var reconfigured: [IndexPath] = []
    /// Elements whose views have to be asked for their size.
    var unfitted: [LayoutElement] = []
    /// The element that asked for another size last.
    var unsettled: LayoutElement?
    /// The elements of which the layout took a size.
    var measured: Set<LayoutElement> = []
    /// Reloaded items, which are let go of when their successors are there: so these get other views.
    private var replaced: [ShownElement] = []
    /// The bounds that were placed last.
    private(set) var bounds: Rect?

    /// Lets go of everything that is shown.
    mutating func removeAll(from view: CollectionView) {
        let gone = Array(view.shown.values)
        removed += gone.map(\.attributes)
        journal = []
        written = nil
        view.shown = [:]
        view.letGo(gone)
    }

    /// Gives the shown elements the places of after the updates; lets go of those that are gone or replaced, and fills
    /// those again that are reconfigured.
    mutating func follow(_ map: ElementMap, in view: CollectionView) {
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
            if map.isFilledAgain(element) { again.append(new) }
        }
        view.shown = kept
        view.letGo(gone)
        for element in again.sorted() {
            view.configureAgain(element)
            unfitted.append(element)
            if element.kind == nil { reconfigured.append(element.indexPath) }
        }
    }

    /// Shows exactly these elements; of one that is there twice, the first counts (chosen).
    ///
    /// - Complexity: O(elements), and O(n log n) in those that come into sight, leave it or change.
    mutating func place(_ placed: [LayoutAttributes], in view: CollectionView) {
        bounds = view.bounds
        if written == nil, !journal.isEmpty { written = Set(journal.map(\.element)) }
        view.state.round &+= 1
        let round = view.state.round
        // Taken out of the view, so that it is changed in place; nobody is called meanwhile.
        var shown = view.shown
        view.shown = [:]
        var (entering, changed): ([LayoutAttributes], [LayoutAttributes]) = ([], [])
        var seen = 0
        for placed in placed where view.exists(placed.element) {
            let attributes = view.finite(placed)
            guard let index = shown.index(forKey: attributes.element) else {
                note(attributes.element, before: nil)
                shown[attributes.element] = ShownElement(attributes: attributes, round: round)
                entering.append(attributes)
                seen += 1
                continue
            }
            guard shown.values[index].round != round else {
                view.noteDuplicate(attributes.element)
                continue
            }
            shown.values[index].round = round
            seen += 1
            let before = shown.values[index].attributes
            guard before != attributes else { continue }
            note(attributes.element, before: before)
            shown.values[index].attributes = attributes
            changed.append(attributes)
        }
        var gone: [ShownElement] = []
        if seen < shown.count {
            // By its key: after updates the attributes still bear the name of before.
            for (element, current) in shown where current.round != round {
                note(element, before: current.attributes)
                shown[element] = nil
                gone.append(current)
            }
        }
        view.shown = shown
        view.letGo(gone)
        entering.sortInOrderOfDrawing(by: \.self)
        changed.sortInOrderOfDrawing(by: \.self)
        for attributes in changed { view.shown[attributes.element]?.content?.apply(attributes) }
        for attributes in entering { view.show(attributes) }
        view.letGo(replaced)
        replaced = []
        unfitted += changed.lazy.map(\.element)
        unfitted += entering.lazy.map(\.element)
    }

    /// Writes down how an element was seen, where that isn't known.
    private mutating func note(_ element: LayoutElement, before: LayoutAttributes?) {
        guard written?.insert(element).inserted ?? true else { return }
        journal.append((element, before))
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
    /// - Complexity: That of ``place(_:in:)``.
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
        changes.entered.sortInOrderOfDrawing(by: \.attributes)
        changes.moved.sortInOrderOfDrawing(by: \.new)
        changes.left.sortInOrderOfDrawing(by: \.attributes)
        changes.reconfigured = reconfigured
        return changes
    }
}

extension Array {
    /// Sorts by attributes, in the order of drawing; layouts often answer in it already.
    ///
    /// - Complexity: O(n) where they do, else O(n log n).
    mutating func sortInOrderOfDrawing(by attributes: (Element) -> LayoutAttributes) {
        let isSorted = indices.dropFirst().allSatisfy { index in
            !LayoutAttributes.isDrawnBefore(attributes(self[index]), attributes(self[index - 1]))
        }
        guard !isSorted else { return }
        sort { LayoutAttributes.isDrawnBefore(attributes($0), attributes($1)) }
    }
}

/// Stands in a view while its layout is prepared, so that the layout is changed in place and not copied, and so that whoever
/// asks the view meanwhile meets nothing instead of something half done.
struct AbsentLayout: CollectionViewLayout {
    var contentSize: Size { .zero }

    mutating func prepare(in container: LayoutContainer) {}

    func attributes(in rect: Rect, cost: inout LayoutCost) -> [LayoutAttributes] { [] }

    func attributes(of element: LayoutElement) -> LayoutAttributes? { nil }

    mutating func invalidate(with context: InvalidationContext) {}
}
