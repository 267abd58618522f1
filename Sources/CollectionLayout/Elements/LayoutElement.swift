/// The name of a sort of supplementary or decoration element, such as `header`.
public struct ElementKind: RawRepresentable, Hashable, Sendable, Comparable, ExpressibleByStringLiteral {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// What stands before the items of a section.
    public static let header: ElementKind = "header"
    /// What stands behind the items of a section.
    public static let footer: ElementKind = "footer"

    public static func < (lhs: ElementKind, rhs: ElementKind) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// One thing that a layout places (documented: cell, supplementary view, decoration view).
public enum LayoutElement: Hashable, Sendable {
    /// A cell: it stands for an item.
    case item(IndexPath)
    /// It belongs to a section or to the whole, and has data of its own: a header, a badge.
    case supplementary(ElementKind, IndexPath)
    /// It belongs to the layout alone: a background, a line.
    case decoration(ElementKind, IndexPath)

    /// The place of the item, or the one that the layout gives a supplementary or a decoration.
    public var indexPath: IndexPath {
        switch self {
        case .item(let path), .supplementary(_, let path), .decoration(_, let path): path
        }
    }

    /// `nil` for an item.
    public var kind: ElementKind? {
        switch self {
        case .item: nil
        case .supplementary(let kind, _), .decoration(let kind, _): kind
        }
    }

    /// Hashes the place alone: few elements share one, and a kind is a text, which takes longer than all the rest.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        hasher.combine(indexPath)
    }

    /// The same element at another place.
    public func moved(to path: IndexPath) -> LayoutElement {
        switch self {
        case .item: .item(path)
        case .supplementary(let kind, _): .supplementary(kind, path)
        case .decoration(let kind, _): .decoration(kind, path)
        }
    }
}

extension LayoutElement: Comparable {
    /// Decorations, then items, then supplementaries; each by kind, section and item (chosen).
    public static func < (lhs: LayoutElement, rhs: LayoutElement) -> Bool {
        if lhs.rank != rhs.rank { return lhs.rank < rhs.rank }
        if lhs.kind != rhs.kind { return (lhs.kind?.rawValue ?? "") < (rhs.kind?.rawValue ?? "") }
        return lhs.indexPath < rhs.indexPath
    }

    private var rank: Int {
        switch self {
        case .decoration: 0
        case .item: 1
        case .supplementary: 2
        }
    }
}

extension LayoutElement: CustomStringConvertible {
    public var description: String {
        switch self {
        case .item(let path): "item \(path)"
        case .supplementary(let kind, let path), .decoration(let kind, let path): "\(kind.rawValue) \(path)"
        }
    }
}
