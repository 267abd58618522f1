public import CollectionLayout

/// A collection view without rendering: it manages an offset, a layout and the visible cells, like UIKit's
/// `UICollectionView`.
///
/// A view belongs to one thread or actor and is not `Sendable`. Nothing happens automatically: changes only mark the
/// view, and ``layoutIfNeeded()`` performs the layout. For index paths that don't exist, methods return `nil` or throw
/// an error.
public final class CollectionView {
    /// The maximum number of sections that are iterated one by one: one million.
    public static let eagerSectionLimit = UpdateMap.eagerSectionLimit

    /// The maximum number of times that cells are measured in one layout pass.
    public static let selfSizingLimit = 10
    /// The maximum number of rounds in one layout pass in which cells that became visible are measured for the first
    /// time.
    public static let selfSizingRoundLimit = 100

    // MARK: Data source and delegate

    /// The data source, which is not retained. Setting it reloads the data.
    public weak var dataSource: (any CollectionViewDataSource)? {
        didSet { reloadData() }
    }

    /// The delegate, which is not retained.
    public weak var delegate: (any CollectionViewDelegate)?

    // MARK: Layout

    /// The layout. A new layout takes effect with the next ``layoutIfNeeded()``.
    ///
    /// The content offset stays, as far as the new content allows. Cells stay with their items. To modify the layout in
    /// place, use ``changeLayout(_:_:)``.
    public var layout: any CollectionViewLayout {
        get { currentLayout }
        set {
            currentLayout = newValue
            state.isPrepared = false
            invalidate(with: .everything)
        }
    }

    // MARK: Insets and geometry

    /// The distances between the edges of the bounds and the content; zero by default.
    public var contentInset: EdgeInsets = .zero {
        didSet { geometryChanged { $0.contentInset = oldValue } }
    }

    /// The parts of the bounds that bars and notches cover, from the edges of the bounds; zero by default.
    public var safeAreaInsets: EdgeInsets = .zero {
        didSet { geometryChanged { $0.safeAreaInsets = oldValue } }
    }

    /// The margins around the content inside the safe area; 8 on all sides by default, as in UIKit.
    public var layoutMargins = EdgeInsets(all: 8) {
        didSet { geometryChanged { _ in } }
    }

    /// Whether the safe area is added to the content inset; it is by default.
    public var contentInsetAdjustment: ContentInsetAdjustment = .always {
        didSet { geometryChanged { $0.adjustment = oldValue } }
    }

    /// The reading direction; left to right by default.
    public var layoutDirection: LayoutDirection = .leftToRight {
        didSet { geometryChanged { $0.direction = oldValue } }
    }

    /// The number of device pixels per point, 1 by default; see ``/CollectionLayout/PixelGrid``.
    public var scale: Double = 1 {
        didSet { geometryChanged { _ in } }
    }

    // MARK: Scrolling

    /// Whether a drag that begins along one axis stays on it; `false` by default.
    public var isDirectionalLockEnabled = false

    /// Whether a drag can move beyond the content; `true` by default.
    public var bounces = true

    /// The rate at which scrolling slows down after a drag; normal by default.
    public var decelerationRate = DecelerationRate.normal

    // MARK: Selection

    /// Whether touches select items; `true` by default. Setting it to `false` keeps the selection.
    public var allowsSelection = true

    /// The selected item; `nil` if there is none.
    public internal(set) var selectedItem: IndexPath?

    // MARK: Results

    /// The number of times that a layout was prepared, to detect redundant work.
    public private(set) var preparationCount = 0
    /// The counts that the view uses, as of the last load or update.
    public var counts: any SectionCounts { knownCounts }

    private var currentLayout: any CollectionViewLayout
    var knownCounts = CheckedCounts.none
    private var viewBounds: Rect
    /// Stored in addition to the edges: computing it from them repeatedly would accumulate rounding errors.
    private var viewSize: Size
    private var hasInitialOffset = true
    private var offsetLimit = OffsetLimit.content
    var drag: DragSession?

    var state = LayoutState()
    var shown: [LayoutElement: ShownElement] = [:]
    var viewDiagnostics = LayoutDiagnostics()
    var pool = ReusePool()
    /// Creates decoration views, by kind.
    var decorationProviders: [ElementKind: (CollectionView) -> any ReusableView] = [:]
    var request = ViewRequest()

    var touched: IndexPath?

    /// Creates a view. The data source isn't called before the first layout pass.
    public init(layout: any CollectionViewLayout, bounds: Rect = .zero) {
        currentLayout = layout
        viewBounds = bounds.usable
        viewSize = viewBounds.size
    }

    /// The diagnostics of the layout and the view since the data was loaded.
    public var diagnostics: [LayoutDiagnostic] { layout.diagnostics + viewDiagnostics.all }
}

// MARK: - Bounds and insets

extension CollectionView {
    /// The visible part of the content. Its origin is the content offset, as in UIKit.
    ///
    /// A new origin isn't clamped to the content; use ``setContentOffset(_:within:)`` for that. Values that aren't
    /// finite are clamped.
    public var bounds: Rect {
        get { viewBounds }
        set {
            if newValue.origin != viewBounds.origin {
                hasInitialOffset = false
                state.target = nil
                recordOffsetWidth()
            }
            viewSize = newValue.usable.size
            moveBounds(to: newValue.usable)
        }
    }

    /// The effective inset: the content inset plus, depending on ``contentInsetAdjustment``, the safe area.
    public var adjustedContentInset: EdgeInsets {
        ScrollGeometry(self).adjustedInset
    }

    /// The container for which the layout is prepared.
    public var container: LayoutContainer {
        LayoutContainer(
            bounds: viewBounds, counts: knownCounts, contentInset: adjustedContentInset,
            safeAreaInsets: safeAreaInsets.usable, layoutMargins: (layoutMargins + safeAreaInsets).usable,
            layoutDirection: layoutDirection, scale: scale)
    }

    /// The size of the content as of the last preparation; zero before the first.
    public var contentSize: Size {
        guard state.isPrepared else { return .zero }
        let size = layout.contentSize
        return Size(width: size.width.asLength, height: size.height.asLength)
    }

    /// Returns the range of offsets along an axis that show only content. It is a single offset if the content fits.
    public func offsetRange(_ axis: Axis) -> ClosedRange<Double> {
        ScrollGeometry(self).offsetRange(axis, of: self)
    }

    /// Sets the bounds and invalidates what the layout requests.
    private func moveBounds(to bounds: Rect) {
        let old = viewBounds
        guard bounds != old else { return }
        viewBounds = bounds
        state.needsLayout = true
        if state.isPrepared, layout.shouldInvalidate(forBoundsChangeFrom: old, to: bounds) {
            invalidate(with: layout.invalidationContext(forBoundsChangeFrom: old, to: bounds))
        }
        if bounds.origin != old.origin { delegate?.collectionViewDidScroll(self) }
    }

    /// Invalidates the layout after a property changed. An offset at the start of an axis stays at its start.
    private func geometryChanged(_ restore: (inout ScrollGeometry) -> Void) {
        var before = ScrollGeometry(self)
        restore(&before)
        let after = ScrollGeometry(self)
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
    /// The origin of the bounds. A new value is clamped to the content.
    public var contentOffset: Point {
        get { viewBounds.origin }
        set { setContentOffset(newValue) }
    }

    /// Scrolls to an offset.
    ///
    /// By default, the offset is clamped to the content; UIKit accepts any offset. If layout is pending, the content
    /// after the next layout pass is used. Values that aren't finite are clamped.
    public func setContentOffset(_ offset: Point, within limit: OffsetLimit = .content) {
        hasInitialOffset = false
        offsetLimit = limit
        state.target = nil
        // The content size is unknown until the layout is prepared, which then applies the limit.
        recordOffsetWidth()
        let origin = limit == .content && isContentKnown ? clamped(offset) : offset
        moveBounds(to: Rect(origin: origin, size: viewSize).usable)
    }

    /// Scrolls so that an item is visible, after performing pending layout.
    ///
    /// An orthogonally scrolling section is scrolled, too, inside its insets.
    ///
    /// - Parameter position: The position in the view inside the content inset; see
    ///   ``/CollectionLayout/ScrollPosition``.
    /// - Throws: ``CollectionViewError`` if the item doesn't exist or isn't placed.
    public func scrollToItem(
        at path: IndexPath, position: ScrollPosition = .nearest
    ) throws(CollectionViewError) {
        layoutIfNeeded()
        scrollSection(ofItemAt: path, position: position)
        setContentOffset(try contentOffset(showing: path, position: position))
        // Cells measured on the way can move the item, so aim at it again.
        if state.needsLayout { state.target = (path, position) }
    }

    /// Returns the offset within the content at which an item is visible. Pending layout is performed first.
    ///
    /// - Throws: ``CollectionViewError`` if the item doesn't exist or isn't placed.
    public func contentOffset(
        showing path: IndexPath, position: ScrollPosition
    ) throws(CollectionViewError) -> Point {
        layoutIfNeeded()
        guard knownCounts.contains(path) else { throw .unknownItem(path) }
        guard let attributes = layout.attributes(of: .item(path)) else { throw .notPlaced(path) }
        let frame = attributes.frame
        let geometry = ScrollGeometry(self)
        var offset = contentOffset
        for axis in Axis.allCases {
            guard let alignment = position.alignment(axis) else { continue }
            let (lower, upper) = geometry.insets(axis)
            let length = (viewBounds.length(axis) - lower - upper).asLength
            let start = alignment.offset(
                showing: (frame.start(axis), frame.end(axis)), length: length, now: offset[axis] + lower)
            offset[axis] = start - lower
        }
        return clamped(offset)
    }

    /// Whether no pending change can affect the size of the content.
    private var isContentKnown: Bool { state.isPrepared && state.pending == nil && !state.needsReload }

    /// Records the content width to which a new offset refers; `nil` if the content is about to change.
    private func recordOffsetWidth() { state.offsetWidth = isContentKnown ? contentSize.width : nil }

    /// The offset at which the content begins.
    private var startOffset: Point {
        let geometry = ScrollGeometry(self)
        return Point(x: geometry.start(.horizontal, of: self), y: geometry.start(.vertical, of: self))
    }

    /// Returns the nearest offset that shows only content.
    func clamped(_ offset: Point) -> Point {
        Point(
            x: offset.x.asDistance.clamped(to: offsetRange(.horizontal)),
            y: offset.y.asDistance.clamped(to: offsetRange(.vertical)))
    }
}

// MARK: - Layout

extension CollectionView {
    /// Marks the view: the next ``layoutIfNeeded()`` queries the layout for visible elements.
    ///
    /// The layout is prepared only if it was also invalidated. Several marks and invalidations before one layout pass
    /// cause only one preparation.
    public func setNeedsLayout() { state.needsLayout = true }

    /// Whether layout is pending.
    public var needsLayout: Bool { state.needsLayout }

    /// Invalidates parts of the layout and marks the view.
    public func invalidateLayout(with context: InvalidationContext = .everything) { invalidate(with: context) }

    /// Modifies the layout in place and invalidates what the closure returns.
    ///
    /// ```swift
    /// view.changeLayout(GuideGridLayout.self) { $0.tick(to: now) }
    /// view.changeLayout(FlowLayout.self) { flow in
    ///     flow.itemSize.width = 80
    ///     return .everything
    /// }
    /// ```
    ///
    /// UIKit's layouts are objects, which are modified directly; here, a layout is a value that the view owns. A
    /// context that invalidates counts causes the data to be counted again. Cells stay with their index paths:
    /// reconfigure those that now represent something else (``/CollectionLayout/BatchUpdates/reconfigureItems(at:)``).
    ///
    /// - Returns: Whether the layout was changed. Nothing happens if the layout of the view has another type, and during
    ///   a layout pass, for instance when the view asks the data source for a cell.
    @discardableResult
    public func changeLayout<Layout: CollectionViewLayout>(
        _ type: Layout.Type, _ change: (inout Layout) -> InvalidationContext
    ) -> Bool {
        guard !state.isLayingOut, var working = layout as? Layout else { return false }
        // Remove the layout from the view, so that it is modified in place and not copied.
        currentLayout = PlaceholderLayout()
        let context = change(&working)
        currentLayout = working
        invalidate(with: context)
        return true
    }

    /// Modifies the layout in place, whatever its type, without invalidating it.
    func withLayout(_ change: (inout any CollectionViewLayout) -> Void) {
        var working = currentLayout
        currentLayout = PlaceholderLayout()
        change(&working)
        currentLayout = working
    }

    /// Makes the next ``layoutIfNeeded()`` count the data again and create all cells again. Clears the selection.
    public func reloadData() {
        state.needsReload = true
        state.needsLayout = true
        selectedItem = nil
        touched = nil
    }

    /// Performs pending layout immediately.
    ///
    /// The view loads data, prepares the layout, queries the visible rectangle, creates cells and measures them. While
    /// the layout accepts other sizes, the view repeats preparation and query. If cells keep changing their sizes, it
    /// stops after ``selfSizingLimit`` repetitions, and in any case after ``selfSizingRoundLimit`` rounds, with the
    /// diagnostic ``/CollectionLayout/LayoutDiagnostic/Problem/unsettledEstimates``. During a layout pass or batch
    /// updates, this method does nothing.
    ///
    /// - Returns: The changes of the visible elements.
    @discardableResult
    public func layoutIfNeeded() -> VisibleChanges {
        guard state.needsLayout, !state.isUpdating, !state.isLayingOut else { return VisibleChanges() }
        var pass = LayoutPass()
        layOut(&pass)
        return pass.changes(to: shown)
    }

    /// Performs layout, continuing a pass in which the effects of updates have been recorded.
    func layOut(_ pass: inout LayoutPass) {
        state.isLayingOut = true
        loadIfNeeded(&pass)
        countIfNeeded()
        if state.pending == nil { settleOffset(for: InvalidationContext()) }
        var (rounds, repetitions) = (0, 1)
        repeat {
            prepareIfInvalidated()
            pass.place(layout.attributes(in: viewBounds), in: self)
            guard repetitions < Self.selfSizingLimit, rounds < Self.selfSizingRoundLimit else { break }
            rounds += 1
            // A round that measures only new elements makes progress and doesn't count as a repetition.
            if measureViews(&pass) { repetitions += 1 }
            let isLast = repetitions == Self.selfSizingLimit || rounds == Self.selfSizingRoundLimit
            if isLast, state.pending != nil { reportUnsettled(pass) }
        } while state.pending != nil
        state.needsLayout = state.pending != nil || state.needsReload || viewBounds != pass.bounds
        state.isLayingOut = false
        state.hasCounted = false
        state.target = nil
    }

    private func loadIfNeeded(_ pass: inout LayoutPass) {
        guard state.needsReload else { return }
        state.needsReload = false
        viewDiagnostics = LayoutDiagnostics()
        knownCounts = loadedCounts()
        state.hasCounted = true
        pass.removeAll(from: self)
        invalidate(with: .counts)
    }

    /// Counts the data again if a context invalidated the counts, unless it was counted for batch updates.
    private func countIfNeeded() {
        guard state.pending?.invalidatesCounts == true, !state.hasCounted else { return }
        knownCounts = loadedCounts()
    }

    /// Returns the current counts of the data source.
    func loadedCounts() -> CheckedCounts {
        dataSource.map { CheckedCounts($0.sectionCounts(for: self)) } ?? .none
    }

    func invalidate(with context: InvalidationContext) {
        state.pending = state.pending?.merged(with: context) ?? context
        state.needsLayout = true
    }

    /// Prepares the layout after an invalidation, and again if the change of the offset invalidates it.
    private func prepareIfInvalidated() {
        // Stop after a few attempts if the layout never settles.
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
        currentLayout = PlaceholderLayout()
        working.invalidate(with: context)
        working.prepare(in: container)
        preparationCount += 1
        // Keep a layout that replaced this one in the meantime.
        guard currentLayout is PlaceholderLayout else { return }
        currentLayout = working
        state.isPrepared = true
    }

    /// Adjusts the offset to the changed content.
    ///
    /// In right-to-left layouts, content grows to the left and offsets count from there: visible content keeps its
    /// distance from the right edge, except for growth that the context reports, since the context also has the
    /// adjustment for it. A view at its start stays there.
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
        if hasInitialOffset {
            origin = startOffset
            follow = adjustment
        }
        if let offset = targetOffset {
            origin = offset
        } else if follow != .zero {
            if adjustment != .zero { hasInitialOffset = false }
            origin = origin + follow
            drag?.contentMoved(by: follow)
        }
        moveBounds(to: Rect(origin: offsetLimit == .content ? clamped(origin) : origin, size: viewSize).usable)
    }

    /// The offset that shows the item to which the view is scrolling; `nil` if there is none.
    private var targetOffset: Point? {
        guard let target = state.target, state.isPrepared else { return nil }
        // Ignore an item that is no longer placed.
        return try? contentOffset(showing: target.path, position: target.position)
    }
}

// MARK: - Self-sizing

extension CollectionView {
    /// Measures the views that are new or whose size has changed since they were last measured, and invalidates the
    /// layout once for all accepted sizes.
    ///
    /// - Returns: Whether the layout accepted another size of an element that already had one accepted in this pass.
    private func measureViews(_ pass: inout LayoutPass) -> Bool {
        var isRepetition = false
        let elements = pass.unmeasured
        pass.unmeasured = []
        pass.unsettled = nil
        var taken: [LayoutElement: Size] = [:]
        for element in elements {
            // Decorations always have the size that the layout gives them.
            if case .decoration = element { continue }
            guard let current = shown[element], let content = current.content else { continue }
            let original = current.attributes
            guard current.measuredSize != original.frame.size else { continue }
            shown[element]?.measuredSize = original.frame.size
            let size = usable(content.preferredAttributes(fitting: original).frame, for: element)
            guard size != original.frame.size else { continue }
            var preferred = original
            preferred.frame = Rect(origin: original.frame.origin, size: size)
            guard layout.shouldInvalidate(forPreferred: preferred, original: original) else { continue }
            if !pass.measured.insert(element).inserted { isRepetition = true }
            pass.unsettled = element
            taken[element] = size
        }
        guard !taken.isEmpty else { return false }
        invalidate(with: layout.invalidationContext(forPreferredSizes: taken))
        return isRepetition
    }

    /// Returns the preferred size of a view, adding a diagnostic if it is unusable.
    private func usable(_ frame: Rect, for element: LayoutElement) -> Size {
        Size(
            width: viewDiagnostics.length(frame.width, "the preferred width", element: element),
            height: viewDiagnostics.length(frame.height, "the preferred height", element: element))
    }

    private func reportUnsettled(_ pass: LayoutPass) {
        guard let element = pass.unsettled else { return }
        viewDiagnostics.add(
            LayoutDiagnostic(
                .unsettledEstimates, element: element,
                detail: "the preferred size changed \(Self.selfSizingLimit) times"))
    }
}

// MARK: - State

/// The pending work of a view and whether a layout pass is in progress.
struct LayoutState {
    /// Set by every change.
    var needsLayout = true
    /// The context to apply before the next preparation.
    var pending: InvalidationContext? = .everything
    /// Whether the data must be counted again and every cell created again.
    var needsReload = true
    /// The content width to which the offset refers; `nil` if the offset is for future content.
    var offsetWidth: Double?
    /// The target of scrolling until the layout pass that shows it ends, because measured cells can move it.
    var target: (path: IndexPath, position: ScrollPosition)?
    var isLayingOut = false
    var isUpdating = false
    /// Whether the layout has been prepared.
    var isPrepared = false
    /// Whether the data has been counted since the last layout pass.
    var hasCounted = false
    /// The number of placements.
    var round = 0
}

// MARK: - Errors

/// A request that a collection view can't fulfill.
public enum CollectionViewError: Error, Hashable, Sendable {
    /// The item doesn't exist in the data.
    case unknownItem(IndexPath)
    /// The layout doesn't place the item.
    case notPlaced(IndexPath)
}

extension CollectionViewError: CustomStringConvertible {
    /// A message with the cause and advice.
    public var description: String {
        switch self {
        case .unknownItem(let path):
            "Item \(path) does not exist. Use an item that the data source counts, or reload the data if it has changed."
        case .notPlaced(let path):
            "The layout does not place item \(path). Check with attributes(of:) first."
        }
    }
}
