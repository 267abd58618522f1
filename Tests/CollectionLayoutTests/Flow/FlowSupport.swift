import CollectionLayout

func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Rect {
    Rect(x: x, y: y, width: width, height: height)
}

extension FlowLayout {
    /// A layout that is prepared for a view.
    static func prepared(
        width: Double, height: Double = 200, counts: [Int], _ configure: (inout FlowLayout) -> Void = { _ in },
        in change: (inout LayoutContainer) -> Void = { _ in }
    ) -> FlowLayout {
        var layout = FlowLayout()
        configure(&layout)
        layout.prepare(in: .view(width: width, height: height, counts: counts, change))
        return layout
    }

    func item(_ item: Int, in section: Int = 0) -> Rect? {
        attributes(of: .item(IndexPath(section: section, item: item)))?.frame
    }

    func header(_ section: Int = 0) -> Rect? {
        attributes(of: .supplementary(.header, IndexPath(section: section, item: 0)))?.frame
    }

    func footer(_ section: Int = 0) -> Rect? {
        attributes(of: .supplementary(.footer, IndexPath(section: section, item: 0)))?.frame
    }

    func items(_ count: Int, in section: Int = 0) -> [Rect?] { (0..<count).map { item($0, in: section) } }

    /// The leading edges of a section's first items.
    func leadingEdges(_ count: Int, in section: Int = 0) -> [Double?] { items(count, in: section).map { $0?.minX } }

    mutating func scroll(to offset: Double, height: Double, width: Double, counts: [Int], top: Double = 0) {
        prepare(
            in: .view(width: width, height: height, counts: counts) {
                $0.bounds = Rect(x: 0, y: offset, width: width, height: height)
                $0.contentInset.top = top
            })
    }

    func elements(in rect: Rect) -> [LayoutElement] { attributes(in: rect).map(\.element) }
}

extension LayoutContainer {
    static func view(
        width: Double, height: Double, counts: [Int], _ change: (inout LayoutContainer) -> Void = { _ in }
    ) -> LayoutContainer {
        var container = LayoutContainer(
            bounds: Rect(x: 0, y: 0, width: width, height: height), counts: ItemCounts(counts))
        change(&container)
        return container
    }
}

extension FlowLayoutDelegate {
    /// Sizes of items by section and item.
    init(sizes: [[Size]]) {
        self.init(sizeForItem: { sizes[$0.section][$0.item] })
    }
}

func size(_ width: Double, _ height: Double) -> Size { Size(width: width, height: height) }
