import CollectionLayout
import Testing

/// A case of the corpus as values of this library; see Corpus/README.md.
struct CorpusCase: CustomTestStringConvertible, Sendable {
    let name: String
    let container: LayoutContainer
    let layout: CompositionalLayout
    let orthogonalOffsets: [Int: Double]
    let measures: [LayoutElement: Size]
    let frames: [LayoutElement: Rect]
    let absent: [LayoutElement]
    let contentSize: Size?
    let diagnostics: [String]

    var testDescription: String { name }

    static func all(in file: String) throws -> [CorpusCase] {
        try CorpusJSON.corpus(file).member("cases").array.map(CorpusCase.init)
    }

    init(_ json: CorpusJSON) throws {
        name = try json.member("name").string
        let sections = try json.member("sections").array
        container = LayoutContainer(
            bounds: Rect(
                origin: try json["offset"]?.point ?? .zero, size: try json.member("container").size),
            counts: ItemCounts(try sections.map { Int(try $0.member("items").number) }),
            contentInset: try json["contentInset"]?.insets ?? .zero,
            safeAreaInsets: try json["safeArea"]?.insets ?? .zero,
            layoutMargins: try json["margins"]?.insets ?? .zero,
            layoutDirection: try json["direction"]?.choice() ?? .leftToRight, scale: try json["scale"]?.number ?? 1)
        let configuration = json["configuration"]
        let layouts = try sections.map { try $0.section }
        layout = CompositionalLayout(
            configuration: LayoutConfiguration(
                scrollDirection: try configuration?["scrollDirection"]?.choice() ?? .vertical,
                interSectionSpacing: try configuration?["interSectionSpacing"]?.number ?? 0,
                boundarySupplementaryItems: try configuration?["boundary"]?.array.map { try $0.boundary } ?? [],
                contentInsetsReference: try configuration?["contentInsetsReference"]?.choice() ?? .automatic)
        ) { index, _ in layouts[index] }
        var offsets: [Int: Double] = [:]
        for (index, section) in sections.enumerated() {
            if let offset = section["orthogonalOffset"] { offsets[index] = try offset.number }
        }
        orthogonalOffsets = offsets
        measures = try json["measures"]?.byElement { try $0.size } ?? [:]
        frames = try json.member("frames").byElement { try $0.rect }
        absent = try json["absent"]?.array.map { try CorpusJSON.element($0.string) } ?? []
        contentSize = try json["contentSize"]?.size
        diagnostics = try json["diagnostics"]?.array.map { try $0.string } ?? []
    }
}

// MARK: - Definitions

extension CorpusJSON {
    fileprivate func choice<Choice: RawRepresentable>() throws -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: try string) else {
            throw Mismatch(description: "\(self) is not a \(Choice.self)")
        }
        return choice
    }

    fileprivate func byElement<Value>(
        _ value: (CorpusJSON) throws -> Value
    ) throws -> [LayoutElement: Value] {
        var values: [LayoutElement: Value] = [:]
        for (words, json) in try object { values[try Self.element(words)] = try value(json) }
        return values
    }

    fileprivate var dimension: LayoutDimension {
        get throws {
            if case .number(let points) = self { return .absolute(points) }
            let words = try string
            if words.hasPrefix("~"), let points = Double(words.dropFirst()) { return .estimated(points) }
            if words.hasSuffix("w"), let part = Double(words.dropLast()) { return .fractionalWidth(part) }
            if words.hasSuffix("h"), let part = Double(words.dropLast()) { return .fractionalHeight(part) }
            throw Mismatch(description: "\(words) is not a dimension")
        }
    }

    fileprivate var layoutSize: LayoutSize {
        get throws {
            let dimensions = try member("size").array
            guard dimensions.count == 2 else { throw Mismatch(description: "\(self) has no size") }
            return LayoutSize(
                widthDimension: try dimensions[0].dimension, heightDimension: try dimensions[1].dimension)
        }
    }

    fileprivate var spacing: LayoutSpacing? {
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

    fileprivate var edgeSpacing: LayoutEdgeSpacing? {
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

    fileprivate var boundary: BoundarySupplementary {
        get throws {
            BoundarySupplementary(
                elementKind: ElementKind(rawValue: try member("kind").string), layoutSize: try layoutSize,
                alignment: try member("alignment").choice(), absoluteOffset: try self["offset"]?.point ?? .zero,
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
            let isHorizontal = try member("axis").choice() == Axis.horizontal
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

    fileprivate var section: LayoutSection {
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
            section.orthogonalScrollingBehavior = try self["orthogonal"]?.choice() ?? .none
            section.contentInsetsReference = try self["contentInsetsReference"]?.choice() ?? .automatic
            section.supplementariesFollowContentInsets =
                try self["supplementariesFollowContentInsets"]?.bool ?? true
            return section
        }
    }
}
