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

    public static let label: ColorToken = "label"
    public static let secondaryLabel: ColorToken = "secondaryLabel"
    public static let tertiaryLabel: ColorToken = "tertiaryLabel"
    /// Text on a ground of the tint colour.
    public static let selectedLabel: ColorToken = "selectedLabel"
    public static let tint: ColorToken = "tint"
    /// What takes something away.
    public static let destructive: ColorToken = "destructive"
    /// What adds something.
    public static let constructive: ColorToken = "constructive"
    public static let separator: ColorToken = "separator"
    public static let systemBackground: ColorToken = "systemBackground"
    public static let groupedBackground: ColorToken = "groupedBackground"
    /// On a grouped ground.
    public static let secondaryGroupedBackground: ColorToken = "secondaryGroupedBackground"
    public static let sidebarBackground: ColorToken = "sidebarBackground"
    /// Behind a row that is selected.
    public static let selection: ColorToken = "selection"
    /// Behind a row that a finger lies on.
    public static let highlight: ColorToken = "highlight"
}
