/// What a layout is made for (documented: `NSCollectionLayoutEnvironment`).
public struct LayoutEnvironment: Hashable, Sendable {
    /// A room that is filled (documented: `NSCollectionLayoutContainer`).
    public struct Container: Hashable, Sendable {
        /// Before its insets are taken off.
        public var contentSize: Size
        /// In points; the original reads values below 1 as parts.
        public var contentInsets: EdgeInsets

        /// A room; all of it is filled by default.
        public init(contentSize: Size, contentInsets: EdgeInsets = .zero) {
            self.contentSize = contentSize
            self.contentInsets = contentInsets
        }

        /// What the insets leave, at least 0.
        public var effectiveContentSize: Size {
            Size(
                width: max(0, contentSize.width - contentInsets.horizontal),
                height: max(0, contentSize.height - contentInsets.vertical))
        }
    }

    /// The room of a section: that of the view without its content inset, and with the insets of the layout's
    /// ``LayoutConfiguration/contentInsetsReference``; that of a group for the provider of a custom group.
    public var container: Container
    /// Frames are given from left to right in any case, and mirrored where text runs from right to left (chosen).
    public var layoutDirection: LayoutDirection
    /// The grid that frames are brought to at last; a device pixel is 1 / scale points.
    public var pixels: PixelGrid

    /// By default text runs from left to right, and a device pixel is a point.
    public init(
        container: Container, layoutDirection: LayoutDirection = .leftToRight, pixels: PixelGrid = PixelGrid(scale: 1)
    ) {
        self.container = container
        self.layoutDirection = layoutDirection
        self.pixels = pixels
    }
}
