/// Kinds of decorations that lists make. Where a list's section is given decorations of its own, they need other names.
extension ElementKind {
    /// The separator at the upper edge of a row; its index path is the row's.
    public static let listSeparatorTop: ElementKind = "listSeparatorTop"
    /// The separator at the lower edge of a row; its index path is the row's.
    public static let listSeparatorBottom: ElementKind = "listSeparatorBottom"
    /// The rounded ground behind the rows of an inset group; its index path is [section, 0].
    public static let listGroupBackground: ElementKind = "listGroupBackground"
}
