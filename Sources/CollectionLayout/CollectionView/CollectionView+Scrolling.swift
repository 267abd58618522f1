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
    /// - Parameter position: Where in the view, inside the content inset; see ``ScrollPosition``.
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
    func noteOffsetWidth() { state.offsetWidth = isContentKnown ? contentSize.width : nil }

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
