import CollectionLayout

/// A compositional layout with the content offsets to test.
struct CompositionalCase: Decodable {
    struct Section: Decodable {
        let count: Int
        /// Top, leading, bottom, trailing.
        let insets: [Double]
        let group: SubitemCase
        let groupSpacing: Double
        let boundary: [BoundaryCase]
        /// Whether boundary items follow the section's insets.
        let follows: Bool
        /// Orthogonal scrolling behavior.
        let strip: String
        /// Insets of background decorations.
        let decorations: [[Double]]
    }

    let axis: String
    let rightToLeft: Bool
    /// Width and height of the view.
    let view: [Double]
    let boundary: [BoundaryCase]
    /// Spacing between sections.
    let spacing: Double
    let sections: [Section]
    /// Content offsets, and for each of them the proposed offsets of the orthogonal sections.
    let offsets: [[Double]]
    let strips: [[String: Double]]

    /// Returns the elements' frames at each offset.
    func frames(scale: Double) throws -> [[String: [Double]]] {
        let configuration = LayoutConfiguration(
            scrollDirection: try known(Axis(rawValue: axis), axis), interSectionSpacing: spacing,
            boundarySupplementaryItems: try boundary.map { try $0.item() })
        let sections = try self.sections.map { try $0.section() }
        let layout = CompositionalLayout(configuration: configuration) { index, _ in sections[index] }
        return collectionFrames(
            of: layout, view: view, offsets: offsets, counts: ItemCounts(self.sections.map(\.count)),
            isRightToLeft: rightToLeft, scale: scale
        ) { index, layout in
            for (name, proposed) in strips[index] {
                let section = Int(name) ?? -1
                let offset = layout.targetOrthogonalOffset(section: section, proposed: proposed, velocity: 0)
                layout.setOrthogonalOffset(offset, section: section)
            }
        }
    }
}

extension CompositionalCase.Section {
    func section() throws -> LayoutSection {
        var section = LayoutSection(group: try group.group())
        section.contentInsets = EdgeInsets(insets)
        section.interGroupSpacing = groupSpacing
        section.boundarySupplementaryItems = try boundary.map { try $0.item() }
        section.supplementariesFollowContentInsets = follows
        section.orthogonalScrollingBehavior = try known(OrthogonalScrollingBehavior(rawValue: strip), strip)
        section.decorationItems = decorations.map {
            .background(elementKind: "background", contentInsets: EdgeInsets($0))
        }
        return section
    }
}

/// A boundary item.
struct BoundaryCase: Decodable {
    let kind: String
    let size: [DimensionCase]
    let alignment: String
    let offset: [Double]
    let extends: Bool
    let pins: Bool

    func item() throws -> BoundarySupplementary {
        BoundarySupplementary(
            elementKind: ElementKind(rawValue: kind), layoutSize: try LayoutSize(size),
            alignment: try known(RectAlignment(rawValue: alignment), alignment),
            absoluteOffset: Point(x: offset[0], y: offset[1]), extendsBoundary: extends, pinToVisibleBounds: pins)
    }
}
