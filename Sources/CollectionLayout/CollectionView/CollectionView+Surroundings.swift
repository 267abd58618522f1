/// Whether the safe area is added to the content inset (documented: `ContentInsetAdjustmentBehavior`, without the cases
/// that depend on the axes).
public enum ContentInsetAdjustment: String, Hashable, Sendable {
    /// The safe area counts, the default; or the content inset alone is in force.
    case always, never
}

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
    func moveBounds(to bounds: Rect) {
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
    func surroundingsChanged(_ restore: (inout Surroundings) -> Void) {
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

/// What of the surroundings of a view the offset depends on.
struct Surroundings {
    var contentInset: EdgeInsets
    var safeAreaInsets: EdgeInsets
    var adjustment: ContentInsetAdjustment
    var direction: LayoutDirection

    init(_ view: CollectionView) {
        contentInset = view.contentInset
        safeAreaInsets = view.safeAreaInsets
        adjustment = view.contentInsetAdjustment
        direction = view.layoutDirection
    }

    var adjustedInset: EdgeInsets {
        switch adjustment {
        case .always: (contentInset + safeAreaInsets).usable
        case .never: contentInset.usable
        }
    }

    /// The inset at the lesser and at the greater coordinates of an axis: leading is right where text runs from there.
    func insets(_ axis: Axis) -> (lower: Double, upper: Double) {
        let inset = adjustedInset
        return axis == .horizontal && direction == .rightToLeft
            ? (inset.trailing, inset.leading) : (inset.start(axis), inset.end(axis))
    }

    func offsetRange(_ axis: Axis, of view: CollectionView) -> ClosedRange<Double> {
        let (lower, upper) = insets(axis)
        let greatest = view.contentSize[axis] + upper - view.bounds.length(axis)
        // 0 less the inset: never the zero with a sign.
        return 0 - lower...max(0 - lower, greatest)
    }

    /// The offset at which an axis begins.
    func start(_ axis: Axis, of view: CollectionView) -> Double {
        let range = offsetRange(axis, of: view)
        return axis == .horizontal && direction == .rightToLeft ? range.upperBound : range.lowerBound
    }
}

extension Rect {
    /// The rectangle with numbers that a layout can work with.
    var usable: Rect {
        Rect(x: minX.asDistance, y: minY.asDistance, width: width.asLength, height: height.asLength)
    }
}
