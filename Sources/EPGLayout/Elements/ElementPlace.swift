import CollectionLayout

/// What an element is and where it stands in the solved grid: all that a collection view asks for, and quick to make.
struct ElementPlace {
    let kind: GuideElement.Kind
    let frame: Rect
    let band: ZBand
    /// The station's row, of a group header its first row; `nil` for what belongs to no row.
    let row: Int?
    /// As ``GuideElement/ordinal``.
    let ordinal: Int

    init(_ kind: GuideElement.Kind, _ frame: Rect, _ band: ZBand, row: Int? = nil, ordinal: Int = 0) {
        self.kind = kind
        self.frame = frame
        self.band = band
        self.row = row
        self.ordinal = ordinal
    }

    /// The place of its band and kind in the order of drawing, below ``layerCount``: that of the kind, but thumbnails that
    /// are pinned lie above the now-line.
    var layer: Int {
        if kind == .thumbnail, band == .pinned { return GuideElement.Kind.nowLine.rank + 1 }
        return kind.rank + (kind.rank > GuideElement.Kind.nowLine.rank ? 1 : 0)
    }

    static let layerCount = 12
}

extension LayoutAttributes {
    /// Where an element stands that is shown at a frame; its place in its band is that of its kind.
    init(_ place: ElementPlace, shownAt frame: Rect, isHidden: Bool = false) {
        self.init(
            LayoutElement(place), frame: frame, band: place.band, zIndex: place.kind.rank, isHidden: isHidden)
    }
}
