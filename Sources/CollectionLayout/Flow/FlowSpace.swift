/// The room that rows are filled in; with another one everything is laid out anew.
struct FlowSpace: Hashable, Sendable {
    /// The axis along which rows follow each other.
    let axis: Axis
    /// The length of the content across it.
    let across: Double
    /// What lies between the content's edges and those that section insets are counted from.
    let margins: EdgeInsets

    init(_ container: LayoutContainer, axis: Axis, reference: SectionInsetReference) {
        self.axis = axis
        across = container.length(axis.crossing).asLength
        margins = container.insets(from: reference)
    }
}

/// What may change without anything being laid out anew: where the view stands, and how solved frames become answers.
struct FlowViewport: Hashable, Sendable {
    var bounds = Rect.zero
    var contentInset = EdgeInsets.zero
    var pixels = PixelGrid(scale: 1)
    var isMirrored = false

    init() {}

    init(_ container: LayoutContainer) {
        let bounds = container.bounds
        self.bounds = Rect(
            minX: bounds.minX.asDistance, minY: bounds.minY.asDistance, maxX: bounds.maxX.asDistance,
            maxY: bounds.maxY.asDistance)
        contentInset = container.contentInset
        pixels = container.pixels
        isMirrored = container.layoutDirection == .rightToLeft
    }

    /// The visible part of the content along an axis, as solved from left to right, within the content inset.
    func visibleRange(_ axis: Axis, contentWidth: Double) -> (start: Double, end: Double) {
        let solved = isMirrored ? bounds.mirrored(inWidth: contentWidth) : bounds
        let start = solved.start(axis) + contentInset.start(axis).asDistance
        return (start, max(start, solved.end(axis) - contentInset.end(axis).asDistance))
    }
}

/// What no longer holds since the last preparation.
struct FlowPending: Hashable, Sendable {
    var everything = false
    /// Sections whose rows are to be filled anew.
    var sections: Set<Int> = []
    /// Sections whose header or footer may have another size.
    var boundaries: Set<Int> = []
    /// Whether measured sizes belong to items that are elsewhere now.
    var forgetsMeasuredSizes = false
    /// Measured sizes by the numbers that sections have after updates; `nil` without updates.
    var followed: [Int: FlowSectionSizes]?
    /// Whether the counts of the followed updates are still to come.
    var awaitsCounts = false
}
