public import CollectionLayout

/// The kinds of a guide's elements besides its airings, which are the items.
///
/// What belongs to no row has section -1, `IndexPath.wholeLayoutSection`, so that rows that are inserted, deleted or moved
/// leave it as it is (chosen).
extension ElementKind {
    /// Supplementary, one for each row: item 0.
    public static let station: ElementKind = "station"
    /// Supplementary, one for each row where there are thumbnails: item 0.
    public static let thumbnail: ElementKind = "thumbnail"
    /// Supplementary, by the section of the group's first row: item 0.
    public static let groupHeader: ElementKind = "groupHeader"
    /// Supplementary of several short airings, by the first of them.
    public static let cluster: ElementKind = "cluster"
    /// Supplementary, section `IndexPath.wholeLayoutSection`, by the place among hours and half hours together.
    public static let hourHeader: ElementKind = "hourHeader"
    /// Supplementary, section `IndexPath.wholeLayoutSection`, by the place among hours and half hours together.
    public static let halfHourHeader: ElementKind = "halfHourHeader"
    /// Supplementary: section `IndexPath.wholeLayoutSection`, item 0.
    public static let corner: ElementKind = "corner"
    /// Decoration, by the airing that follows it; behind the last airing by their number.
    public static let gap: ElementKind = "gap"
    /// Decoration: section `IndexPath.wholeLayoutSection`, item 0.
    public static let nowLine: ElementKind = "nowLine"
    /// Decoration, section `IndexPath.wholeLayoutSection`, by the place among the days.
    public static let daySeparator: ElementKind = "daySeparator"
}

extension LayoutElement {
    /// What a guide's element is called in a collection view: a section is a station's row, an item an airing (facts,
    /// layout 1).
    public init(_ element: GuideElement) {
        self.init(element.kind, row: element.row, ordinal: element.ordinal)
    }

    init(_ place: ElementPlace) { self.init(place.kind, row: place.row, ordinal: place.ordinal) }

    private init(_ kind: GuideElement.Kind, row: Int?, ordinal: Int) {
        let section = row ?? IndexPath.wholeLayoutSection
        let path = IndexPath(section: section, item: ordinal)
        let head = IndexPath(section: section, item: 0)
        self =
            switch kind {
            case .airing: .item(path)
            case .cluster: .supplementary(.cluster, path)
            case .station: .supplementary(.station, head)
            case .thumbnail: .supplementary(.thumbnail, head)
            case .groupHeader: .supplementary(.groupHeader, head)
            case .hourHeader: .supplementary(.hourHeader, path)
            case .halfHourHeader: .supplementary(.halfHourHeader, path)
            case .corner: .supplementary(.corner, head)
            case .gap: .decoration(.gap, path)
            case .nowLine: .decoration(.nowLine, path)
            case .daySeparator: .decoration(.daySeparator, path)
            }
    }
}

extension LayoutElement {
    /// Whether a guide places it for all rows together.
    var isOfWholeGuide: Bool {
        switch self {
        case .supplementary(.hourHeader, _), .supplementary(.halfHourHeader, _), .supplementary(.corner, _),
            .decoration(.nowLine, _), .decoration(.daySeparator, _):
            true
        default: false
        }
    }
}

extension LayoutAttributes {
    /// Where a guide's element stands; its band and place in it are those of ``GuideElement/zIndex`` and of its kind.
    init(_ element: GuideElement, isHidden: Bool = false) {
        self.init(
            LayoutElement(element), frame: element.frame, band: ZBand(rawValue: element.zIndex),
            zIndex: element.kind.rank, isHidden: isHidden)
    }
}
