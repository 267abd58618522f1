/// The separators above and below a row (documented: `UIListSeparatorConfiguration`; the visual effect is missing).
public struct ListSeparatorConfiguration: Hashable, Sendable {
    public enum Visibility: String, Hashable, Sendable, CaseIterable {
        /// As the list sees fit (documented); see ``ListConfiguration`` for its rules.
        case automatic
        case visible, hidden
    }

    /// Distances from the sides of the row, in points; `nil`, the default, leaves one to the list (documented: the
    /// automatic insets).
    ///
    /// A negative distance is taken as 0, one beyond the row as all of it (chosen).
    public struct Insets: Hashable, Sendable {
        public var leading: Double?
        public var trailing: Double?

        public static let automatic = Insets()

        public init(leading: Double? = nil, trailing: Double? = nil) {
            self.leading = leading
            self.trailing = trailing
        }
    }

    /// Automatic by default in all appearances (observed).
    public var topSeparatorVisibility: Visibility = .automatic
    /// Automatic by default in all appearances (observed).
    public var bottomSeparatorVisibility: Visibility = .automatic
    public var topSeparatorInsets: Insets = .automatic
    public var bottomSeparatorInsets: Insets = .automatic
    public var color: ColorToken = .separator
    /// Instead of ``color`` in a group of selected rows (documented).
    public var multipleSelectionColor: ColorToken = .separator

    /// The defaults of an appearance; they are the same in all five (observed).
    public init(listAppearance: ListConfiguration.Appearance) {}
}
