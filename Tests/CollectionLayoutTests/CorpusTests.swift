import CollectionLayout
import LayoutTestSupport
import TestSupport
import Testing

/// Runs the corpus, whose expected values were calculated by hand.
@Suite struct CompositionalCorpusTests {
    @Test(arguments: try CorpusCase.all(in: "compositional-groups.json"))
    func groupsMatchCorpus(_ sample: CorpusCase) throws { try sample.check() }

    @Test(arguments: try CorpusCase.all(in: "compositional-sections.json"))
    func sectionsMatchCorpus(_ sample: CorpusCase) throws { try sample.check() }

    @Test(arguments: try CorpusCase.all(in: "compositional-boundary.json"))
    func boundaryItemsMatchCorpus(_ sample: CorpusCase) throws { try sample.check() }

    @Test(arguments: try CorpusJSON.corpus("compositional-snapping.json").member("snapping").array)
    func snappingMatchesCorpus(_ sample: CorpusJSON) throws {
        let behavior = try #require(OrthogonalScrollingBehavior(rawValue: try sample.member("behavior").string))
        let metrics = OrthogonalMetrics(
            viewport: try sample.member("viewport").number, container: try sample.member("container").number,
            group: try sample.member("group").number, pitch: try sample.member("pitch").number,
            content: try sample.member("content").number)
        let target = behavior.targetOffset(
            proposed: try sample.member("proposed").number, velocity: try sample.member("velocity").number,
            metrics: metrics)
        let expected = try sample.member("offset").number
        let name = try sample.member("name").string
        #expect(abs(target - expected) < 1e-6, "\(name): \(target), not \(expected)")
    }
}

/// Runs the list cases of the corpus, whose expected values were calculated by hand.
@Suite struct ListCorpusTests {
    @Test(arguments: try CorpusCase.lists())
    func listsMatchCorpus(_ sample: CorpusCase) throws { try sample.check() }
}

/// A case of the corpus as values of this library; see Corpus/README.md.
struct CorpusCase: CustomTestStringConvertible, Sendable {
    let name: String
    let container: LayoutContainer
    /// Creates the layout. Layouts are not `Sendable`, but test arguments must be.
    let makeLayout: @Sendable () throws -> CompositionalLayout
    let orthogonalOffsets: [Int: Double]
    let measures: [LayoutElement: Size]
    let frames: [LayoutElement: Rect]
    let absent: [LayoutElement]
    let contentSize: Size?
    let diagnostics: [String]

    var testDescription: String { name }

    /// Creates a case from its JSON.
    ///
    /// - Parameter layout: Creates the layout of its sections, whose JSON differs between files.
    init(
        _ json: CorpusJSON, layout: @escaping @Sendable (_ sections: [CorpusJSON]) throws -> CompositionalLayout
    ) throws {
        name = try json.member("name").string
        let sections = try json.member("sections").array
        container = LayoutContainer(
            bounds: Rect(
                origin: try json["offset"]?.point ?? .zero, size: try json.member("container").size),
            counts: ItemCounts(try sections.map { Int(try $0.member("items").number) }),
            contentInset: try json["contentInset"]?.insets ?? .zero,
            safeAreaInsets: try json["safeArea"]?.insets ?? .zero,
            layoutMargins: try json["margins"]?.insets ?? .zero,
            layoutDirection: try json["direction"]?.named() ?? .leftToRight, scale: try json["scale"]?.number ?? 1)
        makeLayout = { try layout(sections) }
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

extension CorpusJSON {
    /// The members by the element that their names describe.
    fileprivate func byElement<Value>(_ value: (CorpusJSON) throws -> Value) throws -> [LayoutElement: Value] {
        var values: [LayoutElement: Value] = [:]
        for (text, json) in try object { values[try Self.element(text)] = try value(json) }
        return values
    }
}

extension CorpusCase {
    /// Prepares the layout and compares it with the expected values.
    ///
    /// Without measured sizes, it compares after one preparation and again after a second one, which must change nothing.
    func check() throws {
        var layout = try makeLayout()
        layout.prepare(in: container)
        if measures.isEmpty { try compare(&layout) } else { try measure(&layout) }
        layout.prepare(in: container)
        try compare(&layout)
    }

    /// Applies the preferred sizes of elements, as a view does.
    private func measure(_ layout: inout CompositionalLayout) throws {
        for (element, size) in measures {
            let original = try #require(layout.attributes(of: element))
            var preferred = original
            preferred.frame = Rect(origin: original.frame.origin, size: size)
            #expect(layout.shouldInvalidate(forPreferred: preferred, original: original))
            layout.invalidate(with: layout.invalidationContext(forPreferred: preferred, original: original))
        }
    }

    private func compare(_ layout: inout CompositionalLayout) throws {
        for (section, offset) in orthogonalOffsets { layout.setOrthogonalOffset(offset, section: section) }
        for (element, expected) in frames {
            let found = try #require(layout.attributes(of: element), "\(element) is not placed")
            #expect(found.frame.isClose(to: expected), "\(element): \(found.frame), not \(expected)")
            let around = expected.inset(by: EdgeInsets(all: -1))
            #expect(layout.attributes(in: around).contains(found), "\(element) is not found at its frame")
        }
        let everywhere = Set(
            layout.attributes(in: Rect(minX: -1e6, minY: -1e6, maxX: 1e6, maxY: 1e6)).map(\.element))
        for element in absent {
            expectEqual(layout.attributes(of: element), nil, "\(element) is placed")
            #expect(!everywhere.contains(element), "\(element) is found")
        }
        if let contentSize {
            let found = Rect(origin: .zero, size: layout.contentSize)
            #expect(found.isClose(to: Rect(origin: .zero, size: contentSize)), "\(layout.contentSize)")
        }
        for problem in diagnostics {
            #expect(layout.diagnostics.contains { "\($0.problem)" == problem }, "\(layout.diagnostics)")
        }
        if diagnostics.isEmpty { #expect(layout.diagnostics.isEmpty) }
    }
}

// MARK: - Sections

extension CorpusCase {
    /// The cases of a file whose sections contain groups of items.
    static func all(in file: String) throws -> [CorpusCase] {
        try CorpusJSON.corpus(file).member("cases").array.map { json in
            try CorpusCase(json) { try (json["configuration"] ?? .object([:])).layout(of: $0) }
        }
    }
}

extension CorpusJSON {
    /// Returns the layout of some sections with this configuration.
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
            let text = try string
            if text.hasPrefix("~"), let points = Double(text.dropFirst()) { return .estimated(points) }
            if text.hasSuffix("w"), let part = Double(text.dropLast()) { return .fractionalWidth(part) }
            if text.hasSuffix("h"), let part = Double(text.dropLast()) { return .fractionalHeight(part) }
            throw Mismatch(description: "\(text) is not a dimension")
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
                let text = try string
                guard text.hasSuffix("+"), let points = Double(text.dropLast()) else {
                    throw Mismatch(description: "\(text) is not a spacing")
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

    private static func edges(_ text: String) throws -> RectEdges {
        let named: [String: RectEdges] = [
            "top": .top, "leading": .leading, "bottom": .bottom, "trailing": .trailing,
        ]
        var edges: RectEdges = []
        for word in text.split(separator: " ") {
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

// MARK: - Lists

extension CorpusCase {
    /// The cases whose sections are lists.
    static func lists() throws -> [CorpusCase] {
        try CorpusJSON.corpus("list.json").member("cases").array.map { json in
            try CorpusCase(json) { sections in
                let lists = try sections.map { try $0.member("list").list }
                return CompositionalLayout { .list(using: lists[$0], layoutEnvironment: $1) }
            }
        }
    }
}

extension CorpusJSON {
    fileprivate var list: ListConfiguration {
        get throws {
            var list = ListConfiguration(appearance: try member("appearance").named())
            list.headerMode = try self["header"]?.named() ?? .none
            list.footerMode = try self["footer"]?.named() ?? .none
            list.headerTopPadding = try self["headerTopPadding"]?.number
            list.sectionMargins = try self["sectionMargins"]?.insets
            list.estimatedRowHeight = try self["estimatedRowHeight"]?.number ?? list.estimatedRowHeight
            list.estimatedHeaderHeight = try self["estimatedHeaderHeight"]?.number ?? list.estimatedHeaderHeight
            list.estimatedFooterHeight = try self["estimatedFooterHeight"]?.number ?? list.estimatedFooterHeight
            return list
        }
    }
}
