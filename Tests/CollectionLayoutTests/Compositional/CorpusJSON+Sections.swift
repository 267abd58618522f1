import CollectionLayout
import LayoutTestSupport

extension CorpusCase {
    /// The cases of a file whose sections are groups of items.
    static func all(in file: String) throws -> [CorpusCase] {
        try CorpusJSON.corpus(file).member("cases").array.map { json in
            try CorpusCase(json) { try (json["configuration"] ?? .object([:])).layout(of: $0) }
        }
    }
}

extension CorpusJSON {
    /// The layout of some sections, by this configuration.
    fileprivate func layout(of sections: [CorpusJSON]) throws -> CompositionalLayout {
        let layouts = try sections.map { try $0.section }
        return CompositionalLayout(
            configuration: LayoutConfiguration(
                scrollDirection: try self["scrollDirection"]?.named() ?? .vertical,
                interSectionSpacing: try self["interSectionSpacing"]?.number ?? 0,
                boundarySupplementaryItems: try self["boundary"]?.array.map { try $0.boundary } ?? [],
                contentInsetsReference: try self["contentInsetsReference"]?.named() ?? .automatic)
        ) { index, _ in layouts[index] }
    }

    private var dimension: LayoutDimension {
        get throws {
            if case .number(let points) = self { return .absolute(points) }
            let words = try string
            if words.hasPrefix("~"), let points = Double(words.dropFirst()) { return .estimated(points) }
            if words.hasSuffix("w"), let part = Double(words.dropLast()) { return .fractionalWidth(part) }
            if words.hasSuffix("h"), let part = Double(words.dropLast()) { return .fractionalHeight(part) }
            throw Mismatch(description: "\(words) is not a dimension")
        }
    }

    private var layoutSize: LayoutSize {
        get throws {
            let dimensions = try member("size").array
            guard dimensions.count == 2 else { throw Mismatch(description: "\(self) has no size") }
            return LayoutSize(
                widthDimension: try dimensions[0].dimension, heightDimension: try dimensions[1].dimension)
        }
    }

    private var spacing: LayoutSpacing? {
        get throws {
            switch self {
            case .null: return nil
            case .number(let points): return .fixed(points)
            default:
                let words = try string
                guard words.hasSuffix("+"), let points = Double(words.dropLast()) else {
                    throw Mismatch(description: "\(words) is not a spacing")
                }
                return .flexible(points)
            }
        }
    }

    private var edgeSpacing: LayoutEdgeSpacing? {
        get throws {
            guard let edges = try self["edges"]?.array else { return nil }
            guard edges.count == 4 else { throw Mismatch(description: "\(self) has not four edges") }
            return LayoutEdgeSpacing(
                leading: try edges[0].spacing, top: try edges[1].spacing, trailing: try edges[2].spacing,
                bottom: try edges[3].spacing)
        }
    }

    private static func edges(_ words: String) throws -> RectEdges {
        let named: [String: RectEdges] = [
            "top": .top, "leading": .leading, "bottom": .bottom, "trailing": .trailing,
        ]
        var edges: RectEdges = []
        for word in words.split(separator: " ") {
            guard let edge = named[String(word)] else { throw Mismatch(description: "\(word) is not an edge") }
            edges.insert(edge)
        }
        return edges
    }

    private var anchored: AnchoredSupplementary {
        get throws {
            let edges = try Self.edges(member("edges").string)
            let anchor =
                if let fraction = self["fractionalOffset"] {
                    LayoutAnchor(edges: edges, fractionalOffset: try fraction.point)
                } else {
                    LayoutAnchor(edges: edges, absoluteOffset: try self["offset"]?.point ?? .zero)
                }
            return AnchoredSupplementary(
                elementKind: ElementKind(rawValue: try member("kind").string), layoutSize: try layoutSize,
                containerAnchor: anchor,
                itemAnchor: try self["itemEdges"].map { LayoutAnchor(edges: try Self.edges($0.string)) })
        }
    }

    private var supplementaries: [AnchoredSupplementary] {
        get throws { try self["supplementaries"]?.array.map { try $0.anchored } ?? [] }
    }

    private var boundary: BoundarySupplementary {
        get throws {
            BoundarySupplementary(
                elementKind: ElementKind(rawValue: try member("kind").string), layoutSize: try layoutSize,
                alignment: try member("alignment").named(), absoluteOffset: try self["offset"]?.point ?? .zero,
                extendsBoundary: try self["extends"]?.bool ?? true,
                pinToVisibleBounds: try self["pins"]?.bool ?? false)
        }
    }

    private var subitem: LayoutSubitem {
        get throws {
            if ["axis", "frames"].contains(where: { self[$0] != nil }) { return .group(try group) }
            return .item(
                LayoutItem(
                    layoutSize: try layoutSize, contentInsets: try self["insets"]?.insets ?? .zero,
                    edgeSpacing: try edgeSpacing, supplementaryItems: try supplementaries))
        }
    }

    private var group: LayoutGroup {
        get throws {
            var group = try bareGroup
            group.contentInsets = try self["insets"]?.insets ?? .zero
            group.edgeSpacing = try edgeSpacing
            group.supplementaryItems = try supplementaries
            return group
        }
    }

    private var bareGroup: LayoutGroup {
        get throws {
            let size = try layoutSize
            if let frames = try self["frames"]?.array {
                let items = try frames.map { json in
                    let numbers = try json.array.map { try $0.number }
                    let frame = Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
                    return LayoutGroup.CustomItem(frame: frame, zIndex: numbers.count > 4 ? Int(numbers[4]) : 0)
                }
                return .custom(layoutSize: size) { _ in items }
            }
            let spacing = try self["spacing"]?.spacing
            let isHorizontal = try member("axis").named(Axis.self) == .horizontal
            if let count = try self["count"].map({ Int(try $0.number) }) {
                let subitem = try member("subitem").subitem
                return isHorizontal
                    ? .horizontal(layoutSize: size, subitem: subitem, count: count, interItemSpacing: spacing)
                    : .vertical(layoutSize: size, subitem: subitem, count: count, interItemSpacing: spacing)
            }
            if let count = try self["repeating"].map({ Int(try $0.number) }) {
                let subitem = try member("subitem").subitem
                return isHorizontal
                    ? .horizontal(
                        layoutSize: size, repeatingSubitem: subitem, count: count, interItemSpacing: spacing)
                    : .vertical(
                        layoutSize: size, repeatingSubitem: subitem, count: count, interItemSpacing: spacing)
            }
            let subitems = try member("subitems").array.map { try $0.subitem }
            return isHorizontal
                ? .horizontal(layoutSize: size, subitems: subitems, interItemSpacing: spacing)
                : .vertical(layoutSize: size, subitems: subitems, interItemSpacing: spacing)
        }
    }

    private var section: LayoutSection {
        get throws {
            var section = LayoutSection(group: try member("group").group)
            section.contentInsets = try self["insets"]?.insets ?? .zero
            section.interGroupSpacing = try self["interGroupSpacing"]?.number ?? 0
            section.boundarySupplementaryItems = try self["boundary"]?.array.map { try $0.boundary } ?? []
            section.decorationItems =
                try self["decorations"]?.array.map {
                    .background(
                        elementKind: ElementKind(rawValue: try $0.member("kind").string),
                        contentInsets: try $0["insets"]?.insets ?? .zero)
                } ?? []
            section.orthogonalScrollingBehavior = try self["orthogonal"]?.named() ?? .none
            section.contentInsetsReference = try self["contentInsetsReference"]?.named() ?? .automatic
            section.supplementariesFollowContentInsets =
                try self["supplementariesFollowContentInsets"]?.bool ?? true
            return section
        }
    }
}
