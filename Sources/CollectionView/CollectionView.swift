public import CollectionLayout

/// A collection view without pixels: it keeps an offset, a layout and the cells that are in sight (documented:
/// `UICollectionView`).
///
/// It belongs to one thread or actor and is not `Sendable`. Nothing happens behind the back: changes only mark, and
/// ``layoutIfNeeded()`` lays out. Index paths that the data doesn't have are answered by `nil` or an error.
public final class CollectionView {
    /// The largest number of sections that are walked through one by one: a million.
    public static let eagerSectionLimit = UpdateMap.eagerSectionLimit

    /// The greatest number of times that cells are asked for their sizes in one layout (chosen).
    public static let selfSizingLimit = 10
    /// The greatest number of rounds in one layout in which cells that came into sight are measured first (chosen).
    public static let selfSizingRoundLimit = 100

    // MARK: Who is asked

    /// Not kept alive, as in the original; another one reloads the data.
    public weak var dataSource: (any CollectionViewDataSource)? {
        didSet { reloadData() }
    }

    /// Not kept alive, as in the original.
    public weak var delegate: (any CollectionViewDelegate)?

    // MARK: Layout

    /// The layout; another one is taken with the next ``layoutIfNeeded()``.
    ///
    /// The first visible item stays where it is seen, as far as the new content allows; an axis at its beginning stays
    /// there (chosen: the original asks the layout). Cells stay with their items. To change the layout in place, use
    /// ``changeLayout(_:_:)``.
    public var layout: any CollectionViewLayout {
        get { currentLayout }
        set {
            if state.isPrepared, state.anchor == nil { state.anchor = OffsetAnchor(self) }
            currentLayout = newValue
            state.isPrepared = false
            invalidate(with: .everything)
        }
    }

    // MARK: Surroundings

    /// Distances between the edges of the bounds and the content; zero by default.
    public var contentInset: EdgeInsets = .zero {
        didSet { surroundingsChanged { $0.contentInset = oldValue } }
    }

    /// What bars and notches cover, from the edges of the bounds; zero by default.
    public var safeAreaInsets: EdgeInsets = .zero {
        didSet { surroundingsChanged { $0.safeAreaInsets = oldValue } }
    }

    /// The margins of the content inside the safe area; 8 on all sides by default (documented: a view's default).
    public var layoutMargins = EdgeInsets(all: 8) {
        didSet { surroundingsChanged { _ in } }
    }

    /// Whether the safe area counts as content inset; it does by default.
    public var contentInsetAdjustment: ContentInsetAdjustment = .always {
        didSet { surroundingsChanged { $0.adjustment = oldValue } }
    }

    /// Where lines begin; left by default.
    public var layoutDirection: LayoutDirection = .leftToRight {
        didSet { surroundingsChanged { $0.direction = oldValue } }
    }

    /// Device pixels per point, 1 by default; see ``/CollectionLayout/PixelGrid``.
    public var scale: Double = 1 {
        didSet { surroundingsChanged { _ in } }
    }

    // MARK: Scrolling

    /// Whether a drag that begins along one axis stays on it; `false` by default (documented).
    public var isDirectionalLockEnabled = false

    /// Whether a drag can go beyond the content; `true` by default (documented).
    public var bounces = true

    /// How far the content goes on after a drag; normal by default.
    public var decelerationRate = DecelerationRate.normal

    // MARK: Selection

    /// Whether touches select items; `true` by default (documented). Set to `false`, what is selected stays selected.
    public var allowsSelection = true

    /// Whether more than one item can be selected; `false` by default (documented). Set to `false`, the first one of
    /// several stays selected (chosen).
    public var allowsMultipleSelection = false {
        didSet { limitSelection() }
    }

    /// In which sections batch updates compare counts; in all of them by default.
    public var countChecking: UpdateMap.CountChecking = .everySection

    // MARK: What has come of it

    /// How often a layout was prepared: it tells whether work was done twice.
    public private(set) var preparationCount = 0
    /// What the last layout touched, its rounds of self-sizing together.
    public private(set) var lastCost = LayoutCost()
    /// The counts that the view works with, those of the last loading or updating.
    public var counts: any SectionCounts { knownCounts }

    private var currentLayout: any CollectionViewLayout
    var knownCounts = CheckedCounts.none
    private var viewBounds: Rect
    /// Kept beside the edges of the bounds: told from them again and again, it would drift.
    private var viewSize: Size
    private var isOffsetUntouched = true
    private var offsetLimit = OffsetLimit.content
    var drag: DragSession?

    var state = LayoutState()
    var shown: [LayoutElement: ShownElement] = [:]
    var ownDiagnostics = LayoutDiagnostics()
    var pool = ReusePool()
    /// Make the views of decorations, by kind.
    var decorationProviders: [ElementKind: (CollectionView) -> any ReusableView] = [:]
    /// Changes that were recorded by calls of the view itself inside of ``performBatchUpdates(_:)``.
    var recordedUpdates = BatchUpdates()
    var request = ViewRequest()

    var selection: Set<IndexPath> = []
    var touched: IndexPath?

    /// A view; nothing is asked before the first layout.
    public init(layout: any CollectionViewLayout, bounds: Rect = .zero) {
        currentLayout = layout
        viewBounds = bounds.usable
        viewSize = viewBounds.size
    }

    /// What could not be done as asked: the layout's diagnostics and those of the view, since the data was loaded.
    public var diagnostics: [LayoutDiagnostic] { layout.diagnostics + ownDiagnostics.all }
}

// MARK: - Surroundings

extension CollectionView {
    /// The visible part of the content: its origin is the content offset (documented).
    ///
    /// A new origin is taken as it is; ``setContentOffset(_:within:)`` keeps it in the content. What is not finite
    /// becomes the nearest number that is (chosen).
    public var bounds: Rect {
        get { viewBounds }
        set {
            if newValue.origin != viewBounds.origin {
                isOffsetUntouched = false
                state.target = nil
                noteOffsetWidth()
            }
            viewSize = newValue.usable.size
            moveBounds(to: newValue.usable)
        }
    }

    /// The inset that is in force: the content inset, and the safe area where it is added (documented).
    public var adjustedContentInset: EdgeInsets {
        Surroundings(self).adjustedInset
    }

    /// What the layout is told of the view.
    public var container: LayoutContainer {
        LayoutContainer(
            bounds: viewBounds, counts: knownCounts, contentInset: adjustedContentInset,
            safeAreaInsets: safeAreaInsets.usable, layoutMargins: (layoutMargins + safeAreaInsets).usable,
            layoutDirection: layoutDirection, scale: scale)
    }

    /// The size of the content, as of the last preparation; zero before the first.
    public var contentSize: Size {
        guard state.isPrepared else { return .zero }
        let size = layout.contentSize
        return Size(width: size.width.asLength, height: size.height.asLength)
    }

    /// The offsets along an axis at which no place beyond the content is seen: one where all of it fits.
    public func offsetRange(_ axis: Axis) -> ClosedRange<Double> {
        Surroundings(self).offsetRange(axis, of: self)
    }

    /// Notes other bounds, and what the layout says to that.
    private func moveBounds(to bounds: Rect) {
        let old = viewBounds
        guard bounds != old else { return }
        viewBounds = bounds
        state.isNeeded = true
        if state.isPrepared, layout.shouldInvalidate(forBoundsChangeFrom: old, to: bounds) {
            invalidate(with: layout.invalidationContext(forBoundsChangeFrom: old, to: bounds))
        }
        if bounds.origin != old.origin { delegate?.collectionViewDidScroll(self) }
    }

    /// Lays out anew in other surroundings; an offset at the beginning of an axis stays at its beginning (chosen).
    private func surroundingsChanged(_ restore: (inout Surroundings) -> Void) {
        var before = Surroundings(self)
        restore(&before)
        let after = Surroundings(self)
        var origin = viewBounds.origin
        for axis in Axis.allCases where origin[axis] == before.start(axis, of: self) {
            origin[axis] = after.start(axis, of: self)
        }
        moveBounds(to: Rect(origin: origin, size: viewSize))
        invalidate(with: .everything)
    }
}

// MARK: - Scrolling

extension CollectionView {
    /// The origin of the bounds (documented). Set, it is kept in the content.
    public var contentOffset: Point {
        get { viewBounds.origin }
        set { setContentOffset(newValue) }
    }

    /// Scrolls to an offset.
    ///
    /// Within the content (chosen: the original takes any offset), as it is after the next layout where one is marked.
    /// What is not finite becomes the nearest number that is.
    public func setContentOffset(_ offset: Point, within limit: OffsetLimit = .content) {
        isOffsetUntouched = false
        offsetLimit = limit
        state.anchor = nil
        state.target = nil
        // The size of the content is not known until the layout is prepared; it then looks after the limit.
        noteOffsetWidth()
        let origin = limit == .content && isContentKnown ? clamped(offset) : offset
        moveBounds(to: Rect(origin: origin, size: viewSize).usable)
    }

    /// Scrolls so that an item is seen (documented), after laying out what is marked.
    ///
    /// A section that scrolls by itself is scrolled too (chosen), inside of its insets.
    ///
    /// - Parameter position: Where in the view, inside the content inset; see ``/CollectionLayout/ScrollPosition``.
    /// - Throws: ``CollectionViewError`` for an item that doesn't exist or is not placed.
    public func scrollToItem(
        at path: IndexPath, position: ScrollPosition = .nearest
    ) throws(CollectionViewError) {
        layoutIfNeeded()
        scrollSection(ofItemAt: path, position: position)
        setContentOffset(try contentOffset(showing: path, position: position))
        // Cells that are measured on the way move it: then it is aimed at again.
        if state.isNeeded { state.target = (path, position) }
    }

    /// The offset at which an item is seen, within the content; what is marked is laid out first.
    ///
    /// - Throws: ``CollectionViewError`` for an item that doesn't exist or is not placed.
    public func contentOffset(
        showing path: IndexPath, position: ScrollPosition
    ) throws(CollectionViewError) -> Point {
        layoutIfNeeded()
        guard knownCounts.contains(path) else { throw .unknownItem(path) }
        guard let attributes = layout.attributes(of: .item(path)) else { throw .notPlaced(path) }
        let frame = attributes.frame
        let surroundings = Surroundings(self)
        var offset = contentOffset
        for axis in Axis.allCases {
            guard let alignment = position.alignment(axis) else { continue }
            let (lower, upper) = surroundings.insets(axis)
            let length = (viewBounds.length(axis) - lower - upper).asLength
            let start = alignment.offset(
                showing: (frame.start(axis), frame.end(axis)), length: length, now: offset[axis] + lower)
            offset[axis] = start - lower
        }
        return clamped(offset)
    }

    /// Whether nothing is marked that could change the size of the content.
    private var isContentKnown: Bool { state.isPrepared && state.pending == nil && !state.reloads }

    /// An offset was set: for the content as it is, or for what is to come.
    private func noteOffsetWidth() { state.offsetWidth = isContentKnown ? contentSize.width : nil }

    /// The offset at which the content begins.
    var startOffset: Point {
        let surroundings = Surroundings(self)
        return Point(x: surroundings.start(.horizontal, of: self), y: surroundings.start(.vertical, of: self))
    }

    /// The nearest offset at which no place beyond the content is seen.
    func clamped(_ offset: Point) -> Point {
        Point(
            x: offset.x.asDistance.clamped(to: offsetRange(.horizontal)),
            y: offset.y.asDistance.clamped(to: offsetRange(.vertical)))
    }
}

// MARK: - Layout

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

    /// Sets ``layout``.
    public func setLayout(_ layout: any CollectionViewLayout) { self.layout = layout }

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
    /// those filled again that stand for something else now (``/CollectionLayout/BatchUpdates/reconfigureItems(at:)``).
    ///
    /// - Returns: Whether the view has a layout of this type; if not, nothing happens. During a layout nothing happens either.
    @discardableResult
    public func changeLayout<Layout: CollectionViewLayout>(
        _ type: Layout.Type, _ change: (inout Layout) -> InvalidationContext
    ) -> Bool {
        guard var working = layout as? Layout else { return false }
        // Taken out of the view, so that it is changed in place and not copied.
        currentLayout = AbsentLayout()
        let context = change(&working)
        currentLayout = working
        invalidate(with: context)
        return true
    }

    /// Changes the layout in place, whatever its type, and invalidates nothing.
    func withLayout(_ change: (inout any CollectionViewLayout) -> Void) {
        var working = currentLayout
        currentLayout = AbsentLayout()
        change(&working)
        currentLayout = working
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
    /// ``/CollectionLayout/LayoutDiagnostic/Problem/unsettledEstimates`` is noted. Called during a layout
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
        var working = currentLayout
        currentLayout = AbsentLayout()
        working.invalidate(with: context)
        working.prepare(in: container)
        preparationCount += 1
        // Unless it was replaced meanwhile.
        guard currentLayout is AbsentLayout else { return }
        currentLayout = working
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

// MARK: - Cells that size themselves

extension CollectionView {
    /// Asks the views that are new, or have another size than when they were asked last, for the size that they prefer,
    /// and invalidates the layout, once for all that it takes.
    ///
    /// - Returns: Whether the layout took another size of an element of which it had taken one in this pass.
    private func askForSizes(_ pass: inout LayoutPass) -> Bool {
        var isRepetition = false
        let elements = pass.unfitted
        pass.unfitted = []
        pass.unsettled = nil
        var taken: [LayoutElement: Size] = [:]
        for element in elements {
            // Decorations have the size that the layout gives them.
            if case .decoration = element { continue }
            guard let current = shown[element], let content = current.content else { continue }
            let original = current.attributes
            guard current.fitted != original.layoutFrame.size else { continue }
            shown[element]?.fitted = original.layoutFrame.size
            let size = usable(content.preferredAttributes(fitting: original).layoutFrame, for: element)
            guard size != original.layoutFrame.size else { continue }
            var preferred = original
            preferred.layoutFrame = Rect(origin: original.layoutFrame.origin, size: size)
            guard layout.shouldInvalidate(forPreferred: preferred, original: original) else { continue }
            if !pass.measured.insert(element).inserted { isRepetition = true }
            pass.unsettled = element
            taken[element] = size
        }
        guard !taken.isEmpty else { return false }
        invalidate(with: layout.invalidationContext(forPreferredSizes: taken))
        return isRepetition
    }

    /// The size of a frame that a view prefers, with a diagnostic where it can't be used.
    private func usable(_ frame: Rect, for element: LayoutElement) -> Size {
        Size(
            width: ownDiagnostics.length(frame.width, "the preferred width", element: element),
            height: ownDiagnostics.length(frame.height, "the preferred height", element: element))
    }

    private func noteUnsettled(_ pass: LayoutPass) {
        guard let element = pass.unsettled else { return }
        ownDiagnostics.add(
            LayoutDiagnostic(
                .unsettledEstimates, element: element,
                detail: "asked for another size \(Self.selfSizingLimit) times"))
    }
}

// MARK: - State

/// What a layout still owes, and whether one is going on.
struct LayoutState {
    /// Marked by whatever changed.
    var isNeeded = true
    /// What the layout is told before it is prepared again.
    var pending: InvalidationContext? = .everything
    /// The data has to be counted anew, and every cell to be made anew.
    var reloads = true
    /// Elements are about to be placed by another layout, which this one has to meet.
    var anchor: OffsetAnchor?
    /// The width of the content that the offset was brought to; `nil` where it is meant for content that is to come.
    var offsetWidth: Double?
    /// What was scrolled to, until the layout that shows it is at its end: cells that are measured move it.
    var target: (path: IndexPath, position: ScrollPosition)?
    var isLayingOut = false
    var isUpdating = false
    /// The layout was prepared at least once.
    var isPrepared = false
    /// The data was counted since the last layout.
    var hasCounted = false
    /// Counts how often elements were placed.
    var round = 0
}
