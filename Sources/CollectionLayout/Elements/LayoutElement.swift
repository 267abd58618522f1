/// The kind of a supplementary or decoration element, such as `header`.
public struct ElementKind: RawRepresentable, Hashable, Sendable, Comparable, ExpressibleByStringLiteral {
    public let rawValue: String

    /// Creates a kind with a name. Kinds with the same name are equal.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a kind from a literal, such as `"badge"`.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The element before the items of a section.
    public static let header: ElementKind = "header"
    /// The element after the items of a section.
    public static let footer: ElementKind = "footer"

    public static func < (lhs: ElementKind, rhs: ElementKind) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// An element that a layout places: a cell, supplementary view or decoration view in UIKit's terms.
public enum LayoutElement: Hashable, Sendable {
    /// The cell of an item.
    case item(IndexPath)
    /// An element with data of its own that belongs to a section or to the whole layout, such as a header or a badge.
    case supplementary(ElementKind, IndexPath)
    /// An element that only the layout knows, such as a background or a line.
    case decoration(ElementKind, IndexPath)

    /// The index path of the item, or the index path that the layout assigned to the supplementary or decoration element.
    public var indexPath: IndexPath {
        switch self {
        case .item(let path), .supplementary(_, let path), .decoration(_, let path): path
        }
    }

    /// The kind of the supplementary or decoration element; `nil` for an item.
    public var kind: ElementKind? {
        switch self {
        case .item: nil
        case .supplementary(let kind, _), .decoration(let kind, _): kind
        }
    }

    /// Hashes only the index path. Few elements share one, and hashing the kind, a string, would take longer than the
    /// rest.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        hasher.combine(indexPath)
    }

    /// Returns the same element at another index path.
    public func moved(to path: IndexPath) -> LayoutElement {
        switch self {
        case .item: .item(path)
        case .supplementary(let kind, _): .supplementary(kind, path)
        case .decoration(let kind, _): .decoration(kind, path)
        }
    }
}

extension LayoutElement: Comparable {
    /// Orders decorations before items and items before supplementary elements; each by kind, section and item.
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

/// The position of an item: the index of its section and its index in the section, as in UIKit.
///
/// In a file that also imports Foundation, write `CollectionLayout.IndexPath`.
public struct IndexPath: Hashable, Sendable, Comparable {
    /// The section's index, from 0.
    public var section: Int
    /// The index in the section, from 0.
    public var item: Int

    /// Creates the index path of an item. Both indexes are from 0; -1 as the section stands for the whole layout.
    public init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }

    /// Creates an index path with the argument order of UIKit's initializer.
    public init(item: Int, section: Int) {
        self.init(section: section, item: item)
    }

    /// Orders by section, then by item.
    public static func < (lhs: IndexPath, rhs: IndexPath) -> Bool {
        (lhs.section, lhs.item) < (rhs.section, rhs.item)
    }
}

extension IndexPath: CustomStringConvertible {
    /// The index path as UIKit prints it: `[section, item]`.
    public var description: String { "[\(section), \(item)]" }
}
