extension CollectionView {
    /// Marks the view: the next ``layoutIfNeeded()`` asks the layout what is in sight (documented).
    ///
    /// The layout is prepared only if it was invalidated too; several marks and invalidations before one layout cost one
    /// preparation (documented).
    public func setNeedsLayout() { state.isNeeded = true }

    /// Whether the next ``layoutIfNeeded()`` does anything.
    public var needsLayout: Bool { state.isNeeded }

    /// Notes what of the layout no longer holds, and marks the view (documented).
    public func invalidateLayout(with context: InvalidationContext = .everything) { invalidate(with: context) }

    /// Takes another layout, with the next ``layoutIfNeeded()``.
    ///
    /// The first visible item stays where it is seen, as far as the new content allows; an axis at its beginning stays there
    /// (chosen: the original asks the layout). Cells stay with their items.
    public func setLayout(_ layout: any CollectionViewLayout) {
        if state.isPrepared, state.anchor == nil { state.anchor = OffsetAnchor(self) }
        self.layout = layout
        state.isPrepared = false
        invalidate(with: .everything)
    }

    /// Changes the layout in place, and invalidates what the change says.
    ///
    /// ```swift
    /// view.changeLayout(GuideGridLayout.self) { $0.tick(to: now) }
    /// view.changeLayout(FlowLayout.self) { flow in
    ///     flow.itemSize.width = 80
    ///     return .everything
    /// }
    /// ```
    ///
    /// The original's layouts are objects, which are changed where they are; here a layout is a value that the view owns
    /// (chosen). A context that invalidates counts has the data counted anew. Cells stay with their index paths: have
    /// those filled again that stand for something else now (``BatchUpdates/reconfigureItems(at:)``).
    ///
    /// - Returns: Whether the view has a layout of this type; if not, nothing happens. During a layout nothing happens either.
    @discardableResult
    public func changeLayout<Layout: CollectionViewLayout>(
        _ type: Layout.Type, _ change: (inout Layout) -> InvalidationContext
    ) -> Bool {
        guard var working = layout as? Layout else { return false }
        // Taken out of the view, so that it is changed in place and not copied.
        layout = AbsentLayout()
        let context = change(&working)
        layout = working
        invalidate(with: context)
        return true
    }

    /// Counts the data anew and makes all cells anew, with the next ``layoutIfNeeded()``; nothing stays selected
    /// (documented).
    public func reloadData() {
        state.reloads = true
        state.isNeeded = true
        selection = []
        touched = nil
    }

    /// Lays out now, and only if something is marked (documented).
    ///
    /// Data is loaded, the layout prepared, the visible rectangle asked for, cells are made, and asked for the sizes that
    /// they prefer; as long as the layout takes such a size, it is prepared and asked again. Where cells want another size
    /// again and again, ``selfSizingLimit`` ends it, and in any case ``selfSizingRoundLimit``; then
    /// ``LayoutDiagnostic/Problem/unsettledEstimates`` is noted. Called during a layout
    /// or batch updates, it does nothing.
    ///
    /// - Returns: What changed among the visible elements.
    @discardableResult
    public func layoutIfNeeded() -> VisibleChanges {
        guard state.isNeeded, !state.isUpdating, !state.isLayingOut else { return VisibleChanges() }
        var pass = LayoutPass()
        layOut(&pass)
        return pass.changes(to: shown)
    }

    /// Lays out, after what came of updates is noted in the pass.
    func layOut(_ pass: inout LayoutPass) {
        state.isLayingOut = true
        lastCost = LayoutCost()
        loadIfNeeded(&pass)
        countIfNeeded()
        if state.pending == nil { settleOffset(for: InvalidationContext()) }
        var (rounds, repetitions) = (0, 1)
        repeat {
            prepareIfInvalidated()
            pass.place(visibleAttributes(), in: self)
            guard repetitions < Self.selfSizingLimit, rounds < Self.selfSizingRoundLimit else { break }
            rounds += 1
            // A round that measures only what was never measured before brings the layout nearer to its end.
            if askForSizes(&pass) { repetitions += 1 }
            let isLast = repetitions == Self.selfSizingLimit || rounds == Self.selfSizingRoundLimit
            if isLast, state.pending != nil { noteUnsettled(pass) }
        } while state.pending != nil
        state.isNeeded = state.pending != nil || state.reloads || viewBounds != pass.bounds
        state.isLayingOut = false
        state.hasCounted = false
        state.target = nil
    }

    private func loadIfNeeded(_ pass: inout LayoutPass) {
        guard state.reloads else { return }
        state.reloads = false
        ownDiagnostics = LayoutDiagnostics()
        knownCounts = loadedCounts()
        state.hasCounted = true
        pass.removeAll(from: self)
        invalidate(with: .counts)
    }

    /// Counts the data again where a context says that it is another; batch updates have done so.
    private func countIfNeeded() {
        guard state.pending?.invalidatesCounts == true, !state.hasCounted else { return }
        knownCounts = loadedCounts()
    }

    /// What the data source counts now.
    func loadedCounts() -> CheckedCounts {
        dataSource.map { CheckedCounts($0.sectionCounts(for: self)) } ?? .none
    }

    func invalidate(with context: InvalidationContext) {
        state.pending = state.pending?.merged(with: context) ?? context
        state.isNeeded = true
    }

    /// Prepares the layout for what was invalidated, and again where that moves the offset and the layout minds.
    private func prepareIfInvalidated() {
        // A layout that never comes to rest is left alone after a few times.
        for attempt in 0..<4 {
            guard let context = state.pending else { return }
            state.pending = nil
            let wasAtStart = viewBounds.minX == startOffset.x
            prepare(with: context)
            if attempt < 3 { settleOffset(for: context, wasAtStart: wasAtStart) }
        }
    }

    private func prepare(with context: InvalidationContext) {
        let container = self.container
        var working = layout
        layout = AbsentLayout()
        working.invalidate(with: context)
        working.prepare(in: container)
        preparationCount += 1
        // Unless it was replaced meanwhile.
        guard layout is AbsentLayout else { return }
        layout = working
        state.isPrepared = true
    }

    /// Brings the offset to where it belongs in the content as it is now.
    ///
    /// From right to left content grows to the left, and offsets count from there: what is seen keeps its distance from the
    /// right edge (chosen), but for growth that the context tells of, since it says what to add for that. A view at the
    /// beginning stays there.
    private func settleOffset(for context: InvalidationContext, wasAtStart: Bool = false) {
        let adjustment = context.contentOffsetAdjustment
        var follow = adjustment
        let width = contentSize.width
        if layoutDirection == .rightToLeft, let known = state.offsetWidth {
            follow.x =
                wasAtStart && adjustment.x == 0
                ? startOffset.x - viewBounds.minX
                : adjustment.x + width - known - context.contentSizeAdjustment.width.asDistance
        }
        if state.isPrepared { state.offsetWidth = width }
        var origin = viewBounds.origin
        if isOffsetUntouched {
            origin = startOffset
            follow = adjustment
        } else if let anchor = state.anchor {
            origin = anchor.origin(in: self)
            follow = adjustment
        }
        state.anchor = nil
        if let offset = targetOffset {
            origin = offset
        } else if follow != .zero {
            if adjustment != .zero { isOffsetUntouched = false }
            origin = origin + follow
            drag?.contentMoved(by: follow)
        }
        moveBounds(to: Rect(origin: offsetLimit == .content ? clamped(origin) : origin, size: viewSize).usable)
    }

    /// Where the item that was scrolled to is seen now; `nil` for none.
    private var targetOffset: Point? {
        guard let target = state.target, state.isPrepared else { return nil }
        // One that isn't placed any more is no target.
        return try? contentOffset(showing: target.path, position: target.position)
    }

    private func visibleAttributes() -> [LayoutAttributes] {
        layout.attributes(in: viewBounds, cost: &lastCost)
    }
}
