/// The separators above and below a row (documented: `UIListSeparatorConfiguration`; the visual effect is missing).
public struct ListSeparatorConfiguration: Hashable, Sendable {
    /// Whether a separator is drawn.
    public enum Visibility: String, Hashable, Sendable, CaseIterable {
        /// As the list sees fit (documented); see ``ListConfiguration`` for its rules.
        case automatic
        /// Drawn, if the list shows separators at all; not drawn.
        case visible, hidden
    }

    /// Distances from the sides of the row, in points; `nil`, the default, leaves one to the list (documented: the
    /// automatic insets).
    ///
    /// A negative distance is taken as 0, one beyond the row as all of it (chosen).
    public struct Insets: Hashable, Sendable {
        /// From the side where lines of text begin.
        public var leading: Double?
        /// From the side where lines of text end.
        public var trailing: Double?

        /// Both are the list's to choose.
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
    /// Automatic by default.
    public var topSeparatorInsets: Insets = .automatic
    /// Automatic by default.
    public var bottomSeparatorInsets: Insets = .automatic
    /// Of both separators; the colour of separators by default.
    public var color: ColorToken = .separator
    /// Instead of ``color`` in a group of selected rows (documented).
    public var multipleSelectionColor: ColorToken = .separator

    /// The defaults of an appearance; they are the same in all five (observed).
    public init(listAppearance: ListConfiguration.Appearance) {}
}
