public import CollectionLayout

/// How a text of a cell is set (documented: `UIListContentConfiguration.TextProperties`).
public struct TextProperties: Hashable, Sendable {
    /// Where lines stand in the room that the text has.
    public enum Alignment: String, Hashable, Sendable, CaseIterable {
        /// At its leading edge.
        case natural
        /// In the middle of the room.
        case center
    }

    /// What becomes of capitals and small letters.
    public enum Transform: String, Hashable, Sendable, CaseIterable {
        /// As the text has them; all capitals; no capitals.
        case none, uppercase, lowercase
    }

    /// Its size; body by default.
    public var style: TextStyle
    /// Whether it is bolder than its style; `false` by default.
    public var isEmphasized: Bool
    /// The colour of labels by default.
    public var color: ColorToken
    /// The greatest number of lines; 0, the default, for as many as it takes (documented).
    public var numberOfLines: Int
    /// Natural by default.
    public var alignment: Alignment
    /// None by default.
    public var transform: Transform

    public init(
        style: TextStyle = .body, isEmphasized: Bool = false, color: ColorToken = .label, numberOfLines: Int = 0,
        alignment: Alignment = .natural, transform: Transform = .none
    ) {
        self.style = style
        self.isEmphasized = isEmphasized
        self.color = color
        self.numberOfLines = numberOfLines
        self.alignment = alignment
        self.transform = transform
    }

    /// The text as it is shown.
    public func transformed(_ text: String) -> String {
        switch transform {
        case .none: text
        case .uppercase: text.uppercased()
        case .lowercase: text.lowercased()
        }
    }
}

/// The size of a text by what it is for (documented: `UIFont.TextStyle`).
public enum TextStyle: String, Hashable, Sendable, CaseIterable {
    /// From the largest, 34 points, to the smallest, 11.
    case largeTitle, title1, title2, title3, headline, body, callout, subheadline, footnote, caption1, caption2

    /// In points, where the reader has chosen no other size (documented: the interface guidelines).
    public var pointSize: Double {
        switch self {
        case .largeTitle: 34
        case .title1: 28
        case .title2: 22
        case .title3: 20
        case .headline, .body: 17
        case .callout: 16
        case .subheadline: 15
        case .footnote: 13
        case .caption1: 12
        case .caption2: 11
        }
    }
}

/// A text whose size a cell has to know.
public struct TextRequest: Hashable, Sendable {
    /// As it is shown.
    public var text: String
    /// How it is set: ``TextProperties/transform`` is carried out already.
    public var properties: TextProperties
    /// The width at which lines are broken, in points; infinite where the text shall stand in one line.
    public var width: Double

    public init(text: String, properties: TextProperties, width: Double) {
        self.text = text
        self.properties = properties
        self.width = width
    }
}

/// Gives the size that a text takes. This library has no fonts: whoever draws has them.
public typealias TextMeasurer = (TextRequest) -> Size
