/// What a layout is told of the view that it works for.
public struct LayoutContainer: Sendable {
    /// The visible part of the content: its origin is the content offset (documented).
    public var bounds: Rect
    /// The content inset that is in force, the safe area included where the view adds it.
    public var contentInset: EdgeInsets
    /// What bars and notches cover, from the edges of the bounds.
    public var safeAreaInsets: EdgeInsets
    /// The margins that content keeps, from the edges of the bounds; they include the safe area.
    public var layoutMargins: EdgeInsets
    /// Where lines of text begin; at the left by default.
    public var layoutDirection: LayoutDirection
    /// Device pixels per point, 1 by default.
    public var pixels: PixelGrid
    /// The sections and items that there are.
    public var counts: any SectionCounts

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

    /// The part of the bounds that the content inset leaves: what pinned elements stay in (observed).
    ///
    /// In the content's coordinates: the leading inset is at the right where text runs from there.
    public var visibleBounds: Rect {
        bounds.inset(by: layoutDirection == .rightToLeft ? contentInset.mirrored : contentInset)
    }

    /// The length of the bounds without the content insets, along an axis; at least 0.
    public func length(_ axis: Axis) -> Double {
        max(0, bounds.length(axis) - contentInset.along(axis))
    }
}

extension EdgeInsets {
    /// With leading and trailing exchanged.
    fileprivate var mirrored: EdgeInsets {
        EdgeInsets(top: top, leading: trailing, bottom: bottom, trailing: leading)
    }
}
