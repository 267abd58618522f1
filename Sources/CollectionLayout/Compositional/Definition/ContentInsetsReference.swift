/// What the insets of a section are counted from (documented: `UIContentInsetsReference`).
///
/// It works across the scroll direction; along it the view's content inset keeps the room. What the content inset keeps
/// free already isn't kept free twice (chosen). The original's readable content is missing: it needs a font.
public enum ContentInsetsReference: String, Hashable, Sendable, CaseIterable {
    /// A section's: as the layout's. The layout's: the safe area.
    case automatic
    /// The edges of the bounds.
    case none
    /// What bars and notches leave.
    case safeArea
    /// What the margins of the view leave, which include the safe area.
    case layoutMargins
}
