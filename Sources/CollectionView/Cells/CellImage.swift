public import CollectionLayout

/// The image of a cell by its name, with its own size: this library loads no pictures (chosen).
public struct CellImage: Hashable, Sendable {
    /// Such as that of a symbol.
    public var name: String
    /// In points.
    public var size: Size

    public init(name: String, size: Size) {
        self.name = name
        self.size = size
    }
}

/// How the image of a cell is shown (documented: `UIListContentConfiguration.ImageProperties`).
public struct ImageProperties: Hashable, Sendable {
    /// `nil` for the colours that the image has.
    public var tintColor: ColorToken?
    /// In points; 0 by default.
    public var cornerRadius = 0.0
    /// What an image is scaled down to, keeping its proportions; a length of 0, the default, sets no limit
    /// (documented).
    public var maximumSize: Size = .zero
    /// The room that the image is centred in, for texts that begin in one line below each other; a length of 0, the
    /// default, stands for the image's own. It doesn't change the image's size (both documented).
    public var reservedLayoutSize: Size = .zero

    /// An image of its own size in a colour, the tint by default.
    public init(tintColor: ColorToken? = .tint) {
        self.tintColor = tintColor
    }

    /// The width and height of images whose cells shall be alike; 28 points (chosen).
    public static let standardDimension = 28.0
}
