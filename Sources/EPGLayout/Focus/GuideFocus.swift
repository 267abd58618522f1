public import CollectionLayout
public import EPGModel

/// The cell that a remote control or a keyboard is on, anchored in time (facts, layout 2: chosen).
public struct GuideFocus: Hashable, Sendable {
    /// From 0.
    public let row: Int
    /// By which the row is found again where rows change.
    public let station: StationID
    /// `nil` for a gap.
    public let airing: AiringID?
    /// What the cell stands for, as ``GuideElement/shown``.
    public let cell: TimeWindow
    /// The instant that moving up and down keeps.
    public let anchor: Instant

    public init(row: Int, station: StationID, airing: AiringID?, cell: TimeWindow, anchor: Instant) {
        self.row = row
        self.station = station
        self.airing = airing
        self.cell = cell
        self.anchor = anchor
    }
}

/// Where the focus went, and what shall be seen then.
public struct FocusStep: Hashable, Sendable {
    /// As it is after the step.
    public let focus: GuideFocus
    /// Where the viewport shall begin: the origin of what is in sight within the view's content inset.
    ///
    /// The content offset of a view with an inset is this less the inset's left and upper distance, as all offsets that
    /// ``GuideLayout`` gives.
    public let contentOffset: Point

    public init(focus: GuideFocus, contentOffset: Point) {
        self.focus = focus
        self.contentOffset = contentOffset
    }
}
