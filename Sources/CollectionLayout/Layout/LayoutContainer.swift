/// The properties of the view for which a layout is prepared.
public struct LayoutContainer: Sendable {
    /// The visible part of the content. Its origin is the content offset, as in UIKit.
    public var bounds: Rect
    /// The effective content inset, including the safe area if the view adds it.
    public var contentInset: EdgeInsets
    /// The parts of the bounds that bars and notches cover, from the edges of the bounds.
    public var safeAreaInsets: EdgeInsets
    /// The margins around content, from the edges of the bounds; they include the safe area.
    public var layoutMargins: EdgeInsets
    /// The reading direction; left to right by default.
    public var layoutDirection: LayoutDirection
    /// The pixel grid; 1 device pixel per point by default.
    public var pixels: PixelGrid
    /// The number of sections and items.
    public var counts: any SectionCounts

    /// Creates the properties of a view that reads from left to right and has no insets or margins by default.
    ///
    /// - Parameter scale: The number of device pixels per point.
    public init(
        bounds: Rect, counts: any SectionCounts, contentInset: EdgeInsets = .zero, safeAreaInsets: EdgeInsets = .zero,
        layoutMargins: EdgeInsets = .zero, layoutDirection: LayoutDirection = .leftToRight, scale: Double = 1
    ) {
        self.bounds = bounds
        self.counts = counts
        self.contentInset = contentInset
        self.safeAreaInsets = safeAreaInsets
        self.layoutMargins = layoutMargins
        self.layoutDirection = layoutDirection
        self.pixels = PixelGrid(scale: scale)
    }

    /// The part of the bounds inside the content inset, in content coordinates. UIKit was observed to keep pinned
    /// elements in it.
    ///
    /// In right-to-left layouts, the leading inset is on the right.
    public var visibleBounds: Rect {
        bounds.inset(by: layoutDirection == .rightToLeft ? contentInset.mirrored : contentInset)
    }

    /// Returns the length of ``visibleBounds`` along `axis`, at least 0.
    public func length(_ axis: Axis) -> Double {
        max(0, bounds.length(axis) - contentInset.along(axis))
    }
}

extension EdgeInsets {
    /// The insets with leading and trailing swapped.
    fileprivate var mirrored: EdgeInsets {
        EdgeInsets(top: top, leading: trailing, bottom: bottom, trailing: leading)
    }
}

/// The origin of section insets, like UIKit's `UICollectionViewFlowLayout.SectionInsetReference`.
public enum SectionInsetReference: String, Hashable, Sendable, CaseIterable {
    /// The content inset (the default).
    case fromContentInset
    /// The safe area.
    case fromSafeArea
    /// The layout margins.
    case fromLayoutMargins
}

extension LayoutContainer {
    /// Returns the insets from the content inset to `reference`, to be added to the insets of a section.
    ///
    /// They count from the inside of the content inset, so an area that it already covers is not counted twice. UIKit
    /// documents only the references, not this case.
    public func insets(from reference: SectionInsetReference) -> EdgeInsets {
        switch reference {
        case .fromContentInset: .zero
        case .fromSafeArea: safeAreaInsets.exceeding(contentInset)
        case .fromLayoutMargins: layoutMargins.exceeding(contentInset)
        }
    }
}

extension EdgeInsets {
    /// Returns each inset minus `other`'s, at least 0.
    fileprivate func exceeding(_ other: EdgeInsets) -> EdgeInsets {
        EdgeInsets(
            top: (top - other.top).asLength, leading: (leading - other.leading).asLength,
            bottom: (bottom - other.bottom).asLength, trailing: (trailing - other.trailing).asLength)
    }

    /// The insets with every distance clamped to a finite value.
    package var usable: EdgeInsets {
        EdgeInsets(
            top: top.asDistance, leading: leading.asDistance, bottom: bottom.asDistance, trailing: trailing.asDistance)
    }
}

/// The number of sections and of items in each section: all that a layout knows about the data.
public protocol SectionCounts: Sendable {
    /// The number of sections, at least 0.
    var sectionCount: Int { get }

    /// Returns the number of items in a section, at least 0. Layouts ask only for existing sections, and lazy layouts
    /// only for those that they touch.
    func itemCount(inSection section: Int) -> Int
}

/// Counts stored in an array.
public struct ItemCounts: SectionCounts, Hashable, ExpressibleByArrayLiteral {
    private let counts: [Int]

    /// Creates counts from the number of items in each section; a negative number becomes 0.
    public init(_ counts: [Int]) {
        self.counts = counts.map { max(0, $0) }
    }

    /// Creates counts from a literal: `[3, 0, 5]` has three sections. A negative number becomes 0.
    public init(arrayLiteral counts: Int...) {
        self.init(counts)
    }

    public var sectionCount: Int { counts.count }

    public func itemCount(inSection section: Int) -> Int {
        counts.indices.contains(section) ? counts[section] : 0
    }
}

extension SectionCounts {
    /// Returns whether an item exists.
    public func contains(_ path: IndexPath) -> Bool {
        path.section >= 0 && path.section < sectionCount && path.item >= 0
            && path.item < itemCount(inSection: path.section)
    }
}
