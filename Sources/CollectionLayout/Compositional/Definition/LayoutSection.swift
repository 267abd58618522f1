/// The layout of one section, like UIKit's `NSCollectionLayoutSection`.
public struct LayoutSection {
    /// A closure that can modify the visible elements of the section before each pass: their alpha, z-index and
    /// frame.
    ///
    /// Added elements, and elements whose identity changes, are ignored. The content offset is the offset of the section
    /// along the axis on which it scrolls orthogonally, and the offset of the view along the other axis.
    public typealias VisibleItemsHandler =
        (_ visibleItems: inout [LayoutAttributes], _ contentOffset: Point, _ environment: LayoutEnvironment) -> Void

    /// The insets around the groups, inside headers and footers. Fractional dimensions refer to the space that they
    /// leave, as observed in UIKit.
    public var contentInsets: EdgeInsets
    /// The spacing between groups, in points; 0 by default. A negative spacing becomes 0.
    public var interGroupSpacing: Double
    /// Supplementary elements at the boundary of the section.
    public var boundarySupplementaryItems: [BoundarySupplementary]
    /// Decorations behind the section.
    public var decorationItems: [DecorationElement]
    /// How the section scrolls across the layout's direction; none by default.
    public var orthogonalScrollingBehavior: OrthogonalScrollingBehavior
    /// The closure that modifies visible elements; `nil` by default.
    public var visibleItemsInvalidationHandler: VisibleItemsHandler?
    /// The reference of ``contentInsets`` across the scroll direction; by default, the reference of the layout.
    public var contentInsetsReference: ContentInsetsReference
    /// Whether boundary elements are inset by ``contentInsets`` across the scroll direction; `true` by default. The
    /// insets of ``contentInsetsReference`` always apply to them.
    public var supplementariesFollowContentInsets: Bool
    /// Extra space along the scroll direction before the section and its header, in points; 0 by default.
    package var spaceBeforeBoundary = 0.0
    /// How items are placed inside the insets.
    package var arrangement: any SectionArrangement

    /// Creates a section that repeats a group until all items are placed.
    public init(group: LayoutGroup) {
        self.init(arrangement: GroupArrangement(group: group))
    }

    /// Creates a section with another arrangement of items; see ``SectionArrangement``.
    package init(arrangement: any SectionArrangement) {
        self.contentInsets = .zero
        self.interGroupSpacing = 0
        self.boundarySupplementaryItems = []
        self.decorationItems = []
        self.orthogonalScrollingBehavior = .none
        self.contentInsetsReference = .automatic
        self.supplementariesFollowContentInsets = true
        self.arrangement = arrangement
    }
}

/// How a section scrolls across the layout's direction, like UIKit's
/// `UICollectionLayoutSectionOrthogonalScrollingBehavior`.
public enum OrthogonalScrollingBehavior: String, Hashable, Sendable, CaseIterable {
    /// The section doesn't scroll; its groups follow each other along the scroll direction.
    case none
    /// Scrolling stops anywhere.
    case continuous
    /// Scrolling stops at the leading edge of a group.
    case continuousGroupLeadingBoundary
    /// Scrolling stops at multiples of the visible length.
    case paging
    /// Scrolling stops at the nearest group.
    case groupPaging
    /// Scrolling stops at the nearest group, which is centered.
    case groupPagingCentered
}

/// The lengths that determine where an orthogonally scrolling section stops, in points along its scroll direction. All
/// lengths are finite and at least 0.
public struct OrthogonalMetrics: Hashable, Sendable {
    /// The visible length.
    public let viewport: Double
    /// The visible length without the section's insets.
    public let container: Double
    /// The length of one group.
    public let group: Double
    /// The distance from the start of a group to the start of the next: group length plus spacing.
    public let pitch: Double
    /// The length of all groups, without the section's insets.
    public let content: Double

    /// Creates metrics. Lengths are clamped to 0...10¹², and NaN becomes 0. `content` has no upper limit, but infinity
    /// becomes 0.
    public init(viewport: Double, container: Double, group: Double, pitch: Double, content: Double) {
        self.viewport = viewport.asLength
        self.container = container.asLength
        self.group = group.asLength
        self.pitch = pitch.asLength
        self.content = content > 0 && content < .infinity ? content : 0
    }
}

extension OrthogonalScrollingBehavior {
    /// Returns the range of valid offsets; its lower bound is the initial offset.
    ///
    /// The range is 0 to content + insets − viewport. For centered groups, it extends from the offset that centers the
    /// first group to the offset that centers the last.
    public func offsets(for metrics: OrthogonalMetrics) -> ClosedRange<Double> {
        switch self {
        case .none: return 0...0
        case .continuous, .continuousGroupLeadingBoundary, .paging, .groupPaging:
            let insets = metrics.viewport - metrics.container
            return 0...max(0, metrics.content + insets - metrics.viewport)
        case .groupPagingCentered:
            let margin = (metrics.container - metrics.group) / 2
            return -margin...max(-margin, metrics.content - metrics.group - margin)
        }
    }

    /// Returns the offset at which scrolling stops, as observed in UIKit.
    ///
    /// | behavior | offset |
    /// |---|---|
    /// | continuous | proposed |
    /// | continuousGroupLeadingBoundary | (floor(proposed / pitch) + 1 when moving forward, otherwise + 0) · pitch |
    /// | paging | nearest multiple of the viewport |
    /// | groupPaging | nearest multiple of the pitch |
    /// | groupPagingCentered | nearest multiple of the pitch − (container − group) / 2 |
    ///
    /// Results are clamped to ``offsets(for:)``; halves round forward.
    ///
    /// - Parameters:
    ///   - proposed: The offset at which scrolling would end without snapping; NaN means the initial offset.
    ///   - velocity: Positive while the offset grows.
    public func targetOffset(proposed: Double, velocity: Double, metrics: OrthogonalMetrics) -> Double {
        let range = offsets(for: metrics)
        guard !proposed.isNaN else { return range.lowerBound }
        let target: Double
        switch self {
        case .none, .continuous:
            target = proposed
        case .continuousGroupLeadingBoundary:
            // The tolerance of 0.001 points keeps a rounding error from moving a section back that is already at a
            // boundary.
            let boundary = ((proposed + 0.001) / metrics.pitch).floored + (velocity > 0 ? 1 : 0)
            target = metrics.pitch > 0 ? boundary * metrics.pitch : proposed
        case .paging:
            target = Self.nearest(proposed, multipleOf: metrics.viewport)
        case .groupPaging:
            target = Self.nearest(proposed, multipleOf: metrics.pitch)
        case .groupPagingCentered:
            let margin = (metrics.container - metrics.group) / 2
            target = Self.nearest(proposed + margin, multipleOf: metrics.pitch) - margin
        }
        return target.isNaN ? range.lowerBound : target.clamped(to: range)
    }

    private static func nearest(_ value: Double, multipleOf step: Double) -> Double {
        step > 0 ? (value / step + 0.5).floored * step : value
    }
}

/// The reference of section insets across the scroll direction, like UIKit's `UIContentInsetsReference`.
///
/// Along the scroll direction, the view's content inset applies. An area that the content inset already covers isn't
/// counted twice. UIKit's readable content is not included because it depends on a font.
public enum ContentInsetsReference: String, Hashable, Sendable, CaseIterable {
    /// For a section, the reference of the layout; for the layout, the safe area.
    case automatic
    /// The edges of the bounds.
    case none
    /// The safe area.
    case safeArea
    /// The layout margins of the view, which include the safe area.
    case layoutMargins
}

/// The settings of a whole compositional layout, like UIKit's `UICollectionViewCompositionalLayoutConfiguration`.
public struct LayoutConfiguration: Hashable, Sendable {
    /// The scroll direction; vertical by default.
    public var scrollDirection: Axis
    /// The spacing between sections, including empty ones, in points; 0 by default.
    public var interSectionSpacing: Double
    /// Supplementary elements at the boundary of the whole layout.
    public var boundarySupplementaryItems: [BoundarySupplementary]
    /// The reference of section insets; the safe area by default.
    public var contentInsetsReference: ContentInsetsReference

    /// Creates a configuration with defaults for everything that isn't specified.
    public init(
        scrollDirection: Axis = .vertical, interSectionSpacing: Double = 0,
        boundarySupplementaryItems: [BoundarySupplementary] = [],
        contentInsetsReference: ContentInsetsReference = .automatic
    ) {
        self.scrollDirection = scrollDirection
        self.interSectionSpacing = interSectionSpacing
        self.boundarySupplementaryItems = boundarySupplementaryItems
        self.contentInsetsReference = contentInsetsReference
    }
}

/// The environment for which a section is created, like UIKit's `NSCollectionLayoutEnvironment`.
public struct LayoutEnvironment: Hashable, Sendable {
    /// A space to be filled, like UIKit's `NSCollectionLayoutContainer`.
    public struct Container: Hashable, Sendable {
        /// The size before insets are subtracted.
        public var contentSize: Size
        /// The insets in points. (UIKit interprets values below 1 as fractions.)
        public var contentInsets: EdgeInsets

        /// Creates a container, by default without insets.
        public init(contentSize: Size, contentInsets: EdgeInsets = .zero) {
            self.contentSize = contentSize
            self.contentInsets = contentInsets
        }

        /// The size inside the insets, at least 0.
        public var effectiveContentSize: Size {
            Size(
                width: max(0, contentSize.width - contentInsets.horizontal),
                height: max(0, contentSize.height - contentInsets.vertical))
        }
    }

    /// The space of a section: the view without its content inset, with the insets of the layout's
    /// ``LayoutConfiguration/contentInsetsReference``. For a custom group, the space of the group.
    public var container: Container
    /// The reading direction. Return frames from left to right in either case; the layout mirrors them for
    /// right-to-left text.
    public var layoutDirection: LayoutDirection
    /// The grid to which frames are finally snapped. A device pixel is 1 / scale points.
    public var pixels: PixelGrid

    /// Creates an environment, by default from left to right and with one device pixel per point.
    public init(
        container: Container, layoutDirection: LayoutDirection = .leftToRight, pixels: PixelGrid = PixelGrid(scale: 1)
    ) {
        self.container = container
        self.layoutDirection = layoutDirection
        self.pixels = pixels
    }
}
