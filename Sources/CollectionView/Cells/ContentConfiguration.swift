public import CollectionLayout

/// The content and style of a list's cell, header or footer, like UIKit's `UIListContentConfiguration`.
///
/// ```swift
/// var content = ContentConfiguration(style: .subtitleCell)
/// content.text = "Tatort"
/// content.secondaryText = "Das Erste"
/// ```
public struct ContentConfiguration: Hashable, Sendable {
    /// The source of the default values.
    public let style: Style
    /// The primary text; `nil`, the default, or empty for none.
    public var text: String?
    /// The secondary text; `nil`, the default, or empty for none.
    public var secondaryText: String?
    /// The image before the texts; `nil`, the default, for none.
    public var image: CellImage?
    /// The properties of ``text``; by default, the style's.
    public var textProperties: TextProperties
    /// The properties of ``secondaryText``; by default, the style's.
    public var secondaryTextProperties: TextProperties
    /// The properties of ``image``; by default, the style's.
    public var imageProperties: ImageProperties
    /// The margins between the content and the edges of the cell or its accessories.
    public var margins: EdgeInsets
    /// Whether leading and trailing margins without accessories are at least the layout margins of the cell; `true` by
    /// default, as observed in UIKit.
    public var preservesLayoutMargins = true
    /// The spacing between image and texts, in points; 16 by default, as observed in UIKit.
    public var imageToTextPadding = 16.0
    /// The minimum spacing between texts placed side by side, in points; 8 by default.
    public var textToSecondaryTextHorizontalPadding = 8.0
    /// The spacing between texts placed one below the other, in points; 3 by default, as observed in UIKit.
    public var textToSecondaryTextVerticalPadding = 3.0
    /// Whether the texts are placed side by side if both fit in one line.
    public var prefersSideBySideTextAndSecondaryText: Bool
    /// The minimum height of the cell, in points: 44 for cells, as observed in UIKit, and 0 for headers and footers. In
    /// UIKit it is a property of the cell.
    public var minimumHeight: Double
    private var state = CellState()

    /// Creates the default content of a style.
    public init(style: Style) {
        self.style = style
        textProperties = style.textProperties(CellState())
        secondaryTextProperties = style.secondaryTextProperties(CellState())
        imageProperties = ImageProperties(tintColor: style.imageTint(CellState()))
        margins = style.margins
        prefersSideBySideTextAndSecondaryText = style == .valueCell
        minimumHeight = style.isHeaderOrFooter ? 0 : 44
    }

    /// Returns the content for a state of the cell.
    ///
    /// Colors that differ from the style's colors were set explicitly and are kept.
    public func updated(for state: CellState) -> ContentConfiguration {
        var copy = self
        if textProperties.color == style.textProperties(self.state).color {
            copy.textProperties.color = style.textProperties(state).color
        }
        if secondaryTextProperties.color == style.secondaryTextProperties(self.state).color {
            copy.secondaryTextProperties.color = style.secondaryTextProperties(state).color
        }
        if imageProperties.tintColor == style.imageTint(self.state) {
            copy.imageProperties.tintColor = style.imageTint(state)
        }
        copy.state = state
        return copy
    }
}

// MARK: - Defaults of an appearance

extension ContentConfiguration {
    /// Returns the default content of a cell in a list with this appearance.
    public static func cell(for appearance: ListConfiguration.Appearance) -> ContentConfiguration {
        ContentConfiguration(style: .cell)
    }

    /// Returns the default content of a header in a list with this appearance.
    public static func header(for appearance: ListConfiguration.Appearance) -> ContentConfiguration {
        ContentConfiguration(style: appearance == .plain ? .plainHeader : .groupedHeader)
    }

    /// Returns the default content of a footer in a list with this appearance.
    public static func footer(for appearance: ListConfiguration.Appearance) -> ContentConfiguration {
        ContentConfiguration(style: appearance == .plain ? .plainFooter : .groupedFooter)
    }
}

extension ContentConfiguration {
    /// The source of the default values. Fonts, colors and margins are our own unless stated otherwise.
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// Rows with one text, a second text below it, or a second text at the trailing edge.
        case cell, subtitleCell, valueCell
        /// Headers and footers of a section.
        case plainHeader, plainFooter, groupedHeader, groupedFooter

        /// Whether the style is for a header or footer, which has no minimum height.
        public var isHeaderOrFooter: Bool {
            switch self {
            case .plainHeader, .plainFooter, .groupedHeader, .groupedFooter: true
            case .cell, .subtitleCell, .valueCell: false
            }
        }
    }
}

extension ContentConfiguration.Style {
    /// The margins around the content, in points. The margins of cells and grouped headers were observed in UIKit.
    public var margins: EdgeInsets {
        switch self {
        case .cell, .subtitleCell, .valueCell:
            EdgeInsets(top: 11, leading: 16, bottom: 11, trailing: 8)
        case .groupedHeader: EdgeInsets(top: 17, leading: 8, bottom: 6, trailing: 8)
        case .plainHeader, .plainFooter, .groupedFooter: EdgeInsets(top: 6, leading: 8, bottom: 6, trailing: 8)
        }
    }

    fileprivate func textProperties(_ state: CellState) -> TextProperties {
        let color = color(.label, state)
        return switch self {
        case .cell, .subtitleCell, .valueCell: TextProperties(color: color)
        case .plainHeader: TextProperties(style: .headline, isEmphasized: true, color: color)
        case .groupedHeader:
            TextProperties(style: .footnote, color: self.color(.secondaryLabel, state), transform: .uppercase)
        case .groupedFooter, .plainFooter:
            TextProperties(style: .footnote, color: self.color(.secondaryLabel, state))
        }
    }

    fileprivate func secondaryTextProperties(_ state: CellState) -> TextProperties {
        let color = color(.secondaryLabel, state)
        return switch self {
        case .valueCell: TextProperties(color: color)
        case .cell, .subtitleCell:
            TextProperties(style: .subheadline, color: color)
        case .plainHeader, .plainFooter, .groupedHeader, .groupedFooter:
            TextProperties(style: .footnote, color: color)
        }
    }

    fileprivate func imageTint(_ state: CellState) -> ColorToken { color(.tint, state) }

    /// Returns the color for a state: pale for disabled content, and a contrasting color on the tinted background of
    /// focused cells.
    private func color(_ color: ColorToken, _ state: CellState) -> ColorToken {
        if state.isDisabled { return .tertiaryLabel }
        if state.isFocused { return .selectedLabel }
        return color
    }
}

/// The style of a text in a cell, like UIKit's `UIListContentConfiguration.TextProperties`.
public struct TextProperties: Hashable, Sendable {
    /// The alignment of lines in the space of the text.
    public enum Alignment: String, Hashable, Sendable, CaseIterable {
        /// At the leading edge.
        case natural
        /// Centered.
        case center
    }

    /// The transformation of letter case.
    public enum Transform: String, Hashable, Sendable, CaseIterable {
        /// Unchanged, all uppercase, or all lowercase.
        case none, uppercase, lowercase
    }

    /// The text style; body by default.
    public var style: TextStyle
    /// Whether the text is bolder than its style; `false` by default.
    public var isEmphasized: Bool
    /// The text color; by default, the color of labels.
    public var color: ColorToken
    /// The maximum number of lines; 0, the default, for no limit.
    public var numberOfLines: Int
    /// The alignment; natural by default.
    public var alignment: Alignment
    /// The transformation of letter case; none by default.
    public var transform: Transform

    /// Creates the properties of a text, by default body text in the label color without a limit on lines.
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

    /// Returns the text with the transformation applied.
    public func transformed(_ text: String) -> String {
        switch transform {
        case .none: text
        case .uppercase: text.uppercased()
        case .lowercase: text.lowercased()
        }
    }
}

/// The size of a text by its purpose, like UIKit's `UIFont.TextStyle`.
public enum TextStyle: String, Hashable, Sendable, CaseIterable {
    /// The styles from the largest, 34 points by default, to the smallest, 11 points.
    case largeTitle, title1, title2, title3, headline, body, callout, subheadline, footnote, caption1, caption2
}

/// A text to be measured for a cell.
public struct TextRequest: Hashable, Sendable {
    /// The text, with the transformation applied.
    public var text: String
    /// The properties; ``TextProperties/transform`` has been applied already.
    public var properties: TextProperties
    /// The width at which lines break, in points; infinite for a single line.
    public var width: Double

    /// Creates a request to measure a text that breaks at a width in points.
    public init(text: String, properties: TextProperties, width: Double) {
        self.text = text
        self.properties = properties
        self.width = width
    }
}

/// Returns the size of a text. The library has no fonts; the renderer provides this function.
public typealias TextMeasurer = (TextRequest) -> Size

/// The name and size of a cell's image. The library loads no images.
public struct CellImage: Hashable, Sendable {
    /// The name, such as the name of a symbol.
    public var name: String
    /// The size in points.
    public var size: Size

    /// Creates an image of a size in points.
    public init(name: String, size: Size) {
        self.name = name
        self.size = size
    }
}

/// The style of a cell's image, like UIKit's `UIListContentConfiguration.ImageProperties`.
public struct ImageProperties: Hashable, Sendable {
    /// The tint color; `nil` for the image's own colors.
    public var tintColor: ColorToken?
    /// The corner radius in points; 0 by default.
    public var cornerRadius = 0.0
    /// The maximum size, to which a larger image is scaled down proportionally. A length of 0, the default, sets no
    /// limit.
    public var maximumSize: Size = .zero
    /// The space in which the image is centered, so that the texts of several rows align. A length of 0, the default,
    /// means the length of the image. It doesn't change the size of the image.
    public var reservedLayoutSize: Size = .zero

    /// Creates properties without size limits and with a color, by default the tint color.
    public init(tintColor: ColorToken? = .tint) {
        self.tintColor = tintColor
    }

    /// The standard width and height of images, in points.
    public static let standardDimension = 28.0
}

// MARK: - Background

/// The background of a cell, header or footer, like UIKit's `UIBackgroundConfiguration`.
///
/// The colors, radii and insets are our own; UIKit documents only that each appearance has its own background.
public struct BackgroundConfiguration: Hashable, Sendable {
    /// The kind of element and the appearance of the list.
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// No background in any state.
        case clear
        /// Backgrounds of rows.
        case listPlainCell, listGroupedCell
        /// Backgrounds of headers and footers.
        case listPlainHeaderFooter, listGroupedHeaderFooter
    }

    /// The source of the default values.
    public let style: Style
    /// The background color; `nil` for a transparent background.
    public var backgroundColor: ColorToken?
    /// The corner radius in points; 0 by default.
    public var cornerRadius = 0.0
    /// The insets from the frame of the cell; none by default.
    public var backgroundInsets = EdgeInsets.zero
    private var state = CellState()

    /// Creates the default background of a style.
    public init(style: Style) {
        self.style = style
        backgroundColor = style.color(CellState())
    }

    /// Returns a background that is empty in any state.
    public static func clear() -> BackgroundConfiguration { BackgroundConfiguration(style: .clear) }

    /// Returns the background of a cell in a list with this appearance.
    public static func cell(for appearance: ListConfiguration.Appearance) -> BackgroundConfiguration {
        BackgroundConfiguration(style: appearance == .plain ? .listPlainCell : .listGroupedCell)
    }

    /// Returns the background of a header or footer in a list with this appearance.
    public static func headerFooter(for appearance: ListConfiguration.Appearance) -> BackgroundConfiguration {
        BackgroundConfiguration(style: appearance == .plain ? .listPlainHeaderFooter : .listGroupedHeaderFooter)
    }

    /// Returns the background for a state of the cell. A color that was set explicitly is kept.
    public func updated(for state: CellState) -> BackgroundConfiguration {
        var copy = self
        if backgroundColor == style.color(self.state) { copy.backgroundColor = style.color(state) }
        copy.state = state
        return copy
    }

    /// Returns the frame of the background in a cell: the bounds inside the insets, with a size of at least 0. NaN
    /// insets count as 0.
    public func frame(in bounds: Rect, direction: LayoutDirection = .leftToRight) -> Rect {
        var insets = backgroundInsets.usable
        if direction == .rightToLeft { swap(&insets.leading, &insets.trailing) }
        return bounds.inset(by: insets)
    }
}

extension BackgroundConfiguration.Style {
    fileprivate func color(_ state: CellState) -> ColorToken? {
        switch self {
        case .clear, .listGroupedHeaderFooter: return nil
        case .listPlainHeaderFooter: return .systemBackground
        case .listPlainCell, .listGroupedCell: break
        }
        if state.isFocused { return .tint }
        if state.isSelected { return .selection }
        if state.isHighlighted { return .highlight }
        return self == .listPlainCell ? .systemBackground : .secondaryGroupedBackground
    }
}
