import CollectionLayout

/// Where text begins, as parameters name it.
enum TextDirection: String, CaseIterable, Sendable {
    case ltr, rtl

    var layoutDirection: LayoutDirection { self == .rtl ? .rightToLeft : .leftToRight }
}
