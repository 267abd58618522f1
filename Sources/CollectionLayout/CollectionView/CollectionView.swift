/// A collection view without pixels: it keeps an offset, a layout and the cells that are in sight (documented:
/// `UICollectionView`).
///
/// It belongs to one thread or actor and is not `Sendable`. Nothing happens behind the back: changes only mark, and
/// ``layoutIfNeeded()`` lays out. Index paths that the data doesn't have are answered by `nil` or an error.
public final class CollectionView {
    /// The greatest number of sections that are walked through one by one: a million.
    public static let eagerSectionLimit = 1_000_000

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

    /// Device pixels per point, 1 by default; see ``PixelGrid``.
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

    /// The layout; see ``setLayout(_:)``.
    public internal(set) var layout: any CollectionViewLayout
    /// How often a layout was prepared: it tells whether work was done twice.
    public internal(set) var preparationCount = 0
    /// What the last layout touched, its rounds of self-sizing together.
    public internal(set) var lastCost = LayoutCost()
    /// The counts that the view works with, those of the last loading or updating.
    public var counts: any SectionCounts { knownCounts }

    var knownCounts = CheckedCounts.none
    var viewBounds: Rect
    /// Kept beside the edges of the bounds: told from them again and again, it would drift.
    var viewSize: Size
    var isOffsetUntouched = true
    var offsetLimit = OffsetLimit.content
    var drag: DragSession?

    var state = LayoutState()
    var shown: [LayoutElement: ShownElement] = [:]
    var ownDiagnostics = LayoutDiagnostics()
    var pool = ReusePool()
    var request = ViewRequest()

    var selection: Set<IndexPath> = []
    var touched: IndexPath?

    /// A view; nothing is asked before the first layout.
    public init(layout: any CollectionViewLayout, bounds: Rect = .zero) {
        self.layout = layout
        viewBounds = bounds.usable
        viewSize = viewBounds.size
    }

    /// What could not be done as asked: the layout's diagnostics and those of the view, since the data was loaded.
    public var diagnostics: [LayoutDiagnostic] { layout.diagnostics + ownDiagnostics.all }
}

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

/// An element that is in sight, or was until now.
struct ShownElement {
    var attributes: LayoutAttributes
    /// The round of placing that it was placed in last.
    var round = 0
    var content: (any ReusableView)?
    /// `nil` for a view that was not dequeued.
    var identity: ReuseIdentity?
    /// The size that the view was last asked about.
    var fitted: Size?
}
