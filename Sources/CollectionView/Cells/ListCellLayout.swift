public import CollectionLayout

/// Where everything in a cell stands, from the cell's upper left corner. All numbers are finite.
public struct ListCellLayout: Hashable, Sendable {
    /// An accessory with its place.
    public struct PlacedAccessory: Hashable, Sendable {
        /// As the cell has it.
        public var accessory: CellAccessory
        /// From the cell's upper left corner, on device pixels.
        public var frame: Rect
    }

    /// That of the cell.
    public var size: Size
    /// The height that the content asks for, in whole device pixels.
    public var preferredHeight: Double
    /// `nil` where the cell shows none, as below.
    public var imageFrame: Rect?
    /// That of the first text.
    public var textFrame: Rect?
    /// That of the second text.
    public var secondaryTextFrame: Rect?
    /// Those that are displayed, hidden ones too, in order from leading to trailing.
    public var accessories: [PlacedAccessory]
    /// What margins and accessories leave for the content.
    public var contentFrame: Rect
    /// From the leading edge of the cell to its text: where separators begin (observed).
    public var separatorLeading: Double
    /// Whether the texts stand side by side.
    public var isSideBySide: Bool
    /// What could not be placed as asked.
    public var diagnostics: [LayoutDiagnostic]

    /// The size to ask the layout for.
    public var preferredSize: Size { Size(width: size.width, height: preferredHeight) }

    /// The same for text that runs the other way: x′ = width − x − the width of each frame.
    public func mirrored() -> ListCellLayout {
        var copy = self
        func mirror(_ rect: Rect) -> Rect { rect.mirrored(inWidth: size.width) }
        copy.imageFrame = imageFrame.map(mirror)
        copy.textFrame = textFrame.map(mirror)
        copy.secondaryTextFrame = secondaryTextFrame.map(mirror)
        copy.contentFrame = mirror(contentFrame)
        for index in accessories.indices { copy.accessories[index].frame = mirror(accessories[index].frame) }
        return copy
    }
}
