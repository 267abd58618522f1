public import CollectionLayout

/// A row, a header or a footer of a list as a value: what a view of it shows (documented: `UICollectionViewListCell`).
///
/// ```swift
/// var cell = ListCell(content: content)
/// cell.accessories = [.disclosureIndicator()]
/// let layout = cell.layout(width: 390, measuring: font.size)
/// attributes.layoutFrame = Rect(origin: attributes.layoutFrame.origin, size: layout.preferredSize)
/// ```
public struct ListCell: Hashable, Sendable {
    /// Texts and image, with their margins.
    public var content: ContentConfiguration
    /// The ground; `nil`, the default, for none.
    public var background: BackgroundConfiguration?
    /// In any order; see ``CellAccessory``. More than ``greatestAccessoryCount`` are not placed (chosen).
    public var accessories: [CellAccessory] = []
    /// How deep it stands in an outline; 0 by default, and for a negative one (documented).
    public var indentationLevel = 0
    /// For each level, in points; 10 by default (documented).
    public var indentationWidth = 10.0
    /// Whether leading accessories are indented too; `true` by default (documented).
    public var indentsAccessories = true
    /// What accessories keep from the edges, and the content where there are none; 16 at both sides by default
    /// (observed on telephones).
    public var layoutMargins = EdgeInsets(leading: 16, trailing: 16)
    /// Decides which accessories are shown; the looks of content and background follow by ``updated(for:)``.
    public var state = CellState()

    /// The greatest number of accessories that are placed.
    public static let greatestAccessoryCount = 100
    /// Between neighbouring accessories, in points (chosen).
    public static let accessorySpacing = 8.0

    public init(content: ContentConfiguration, background: BackgroundConfiguration? = nil) {
        self.content = content
        self.background = background
    }

    /// The content of a cell of this style without texts and image, to be filled and set (documented:
    /// `defaultContentConfiguration()`).
    public func defaultContentConfiguration() -> ContentConfiguration { ContentConfiguration(style: content.style) }

    /// The same cell as it looks in a state (documented: the automatic updates of configurations).
    public func updated(for state: CellState) -> ListCell {
        var copy = self
        copy.state = state
        copy.content = content.updated(for: state)
        copy.background = background?.updated(for: state)
        return copy
    }

    /// Places what the cell shows.
    ///
    /// - Parameters:
    ///   - height: That of the cell, in which everything is centred; the preferred one where it is `nil`.
    ///   - pixels: What edges are snapped to.
    ///   - measure: Is asked at most twice for each text, and once for each label.
    public func layout(
        width: Double, height: Double? = nil, direction: LayoutDirection = .leftToRight,
        pixels: PixelGrid = PixelGrid(scale: 1), measuring measure: TextMeasurer
    ) -> ListCellLayout {
        var solver = ListCellSolver(cell: self, width: width, pixels: pixels)
        let layout = solver.solve(height: height, measure: measure)
        return direction == .rightToLeft ? layout.mirrored() : layout
    }
}
