/// The name of a colour by what it is for; who draws decides which colour it is in light and in dark surroundings
/// (documented: the semantic colours of `UIColor`).
public struct ColorToken: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// Text that is read first.
    public static let label: ColorToken = "label"
    /// Text that stands back, such as a second line.
    public static let secondaryLabel: ColorToken = "secondaryLabel"
    /// Signs, and text that is disabled.
    public static let tertiaryLabel: ColorToken = "tertiaryLabel"
    /// Text on a ground of the tint colour.
    public static let selectedLabel: ColorToken = "selectedLabel"
    /// What can be acted on, such as a control or an image.
    public static let tint: ColorToken = "tint"
    /// What takes something away.
    public static let destructive: ColorToken = "destructive"
    /// What adds something.
    public static let constructive: ColorToken = "constructive"
    /// The line between two rows.
    public static let separator: ColorToken = "separator"
    /// The ground of plain lists, and of their rows.
    public static let systemBackground: ColorToken = "systemBackground"
    /// The ground of lists whose rows stand in groups.
    public static let groupedBackground: ColorToken = "groupedBackground"
    /// On a grouped ground.
    public static let secondaryGroupedBackground: ColorToken = "secondaryGroupedBackground"
    /// The ground of a column beside the content.
    public static let sidebarBackground: ColorToken = "sidebarBackground"
    /// Behind a row that is selected.
    public static let selection: ColorToken = "selection"
    /// Behind a row that a finger lies on.
    public static let highlight: ColorToken = "highlight"
}
