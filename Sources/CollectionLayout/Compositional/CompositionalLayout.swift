/// Sections of groups of items, put together from values (documented: `UICollectionViewCompositionalLayout`).
///
/// ```swift
/// let item = LayoutItem(layoutSize: .full)
/// let row = LayoutGroup.horizontal(
///     layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(44)),
///     subitem: .item(item), count: 2, interItemSpacing: .fixed(10))
/// var layout = CompositionalLayout(section: LayoutSection(group: row))
/// layout.prepare(in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 480), counts: ItemCounts([1000])))
/// ```
///
/// A group is solved once and repeated by arithmetic: what is kept grows with the sections, and with the elements that
/// were measured, not with the items. Edges are snapped to device pixels. Everything is solved from left to right, and
/// mirrored in the content's width where text runs from right to left.
///
/// - Complexity: Preparing takes O(sections); after a scroll, O(visible elements) where something is pinned or a
///   handler wants to see them. A query takes O(log sections + log groups + elements of the groups touched).
public struct CompositionalLayout: CollectionViewLayout {
    /// Gives the layout of a section for an environment; `nil` leaves the section empty, with a diagnostic (chosen: the
    /// original stops).
    ///
    /// It may use `[weak self]` and the state of the actor that the view belongs to: like the view, layouts with functions
    /// of the program are not `Sendable`.
    public typealias SectionProvider = (_ section: Int, _ environment: LayoutEnvironment) -> LayoutSection?

    /// What all sections share; changing it makes everything anew (documented).
    public var configuration: LayoutConfiguration {
        didSet { if configuration != oldValue { invalidate(with: .everything) } }
    }

    /// Asked for a section each time it is solved.
    package let sectionProvider: SectionProvider
    /// What no longer holds.
    var pending: InvalidationContext? = .everything
    /// `nil` before the first preparation.
    var prepared: PreparedSections?
    /// What was visible before the last preparation, in the coordinates of the solution.
    var earlierVisible: Rect?
    var measures = ElementMeasures()
    /// Whether the measures say nothing about what is prepared next.
    var forgetsMeasures = false
    /// Whether the measures belong to the items as they are after updates, whose counts are still to come.
    var isFollowing = false
    /// The offsets of sections that scroll by themselves, as they were set.
    var orthogonalOffsets: [Int: Double] = [:]
    /// What handlers of visible elements made of them.
    var adjusted: [LayoutElement: LayoutAttributes] = [:]
    var found = LayoutDiagnostics()

    /// The greatest number of sections; those behind them are not placed (chosen). Each takes about a kilobyte.
    public static let greatestSectionCount = 200_000

    /// All sections alike.
    public init(section: LayoutSection, configuration: LayoutConfiguration = LayoutConfiguration()) {
        self.init(configuration: configuration) { _, _ in section }
    }

    /// Sections by a provider, each of its own kind.
    public init(
        configuration: LayoutConfiguration = LayoutConfiguration(), sectionProvider: @escaping SectionProvider
    ) {
        self.configuration = configuration
        self.sectionProvider = sectionProvider
    }

    public var contentSize: Size { prepared?.contentSize ?? .zero }

    public var diagnostics: [LayoutDiagnostic] {
        Array((found.all + measures.diagnostics.all).prefix(LayoutDiagnostics.limit))
    }
}

extension IndexPath {
    /// The section that boundary items of the whole layout have in their index paths: -1.
    public static let wholeLayoutSection = -1
}
