import CollectionLayout

/// An item, a line of subitems (with an axis), or a custom group (with frames).
struct SubitemCase: Decodable {
    let size: [DimensionCase]
    /// Top, leading, bottom, trailing.
    let insets: [Double]
    /// Leading, top, trailing, bottom.
    let edges: [SpacingCase?]?
    let anchored: [AnchoredCase]
    let axis: String?
    let repetition: RepetitionCase?
    let spacing: SpacingCase?
    let subitems: [SubitemCase]?
    /// x, y, width and height as fractions of the group's size.
    let frames: [[Double]]?

    private func subitem() throws -> LayoutSubitem {
        guard axis == nil, frames == nil else { return .group(try group()) }
        return .item(
            LayoutItem(
                layoutSize: try LayoutSize(size), contentInsets: EdgeInsets(insets), edgeSpacing: edgeSpacing,
                supplementaryItems: try anchored.map { try $0.element() }))
    }

    func group() throws -> LayoutGroup {
        var group = try bareGroup()
        group.contentInsets = EdgeInsets(insets)
        group.interItemSpacing = spacing?.spacing
        group.edgeSpacing = edgeSpacing
        group.supplementaryItems = try anchored.map { try $0.element() }
        return group
    }

    private func bareGroup() throws -> LayoutGroup {
        let size = try LayoutSize(size)
        if let frames {
            return .custom(layoutSize: size) { environment in
                let container = environment.container.effectiveContentSize
                return frames.map {
                    LayoutGroup.CustomItem(
                        frame: Rect(
                            x: $0[0] * container.width, y: $0[1] * container.height, width: $0[2] * container.width,
                            height: $0[3] * container.height))
                }
            }
        }
        let subitems = try (subitems ?? []).map { try $0.subitem() }
        let first = try known(subitems.first, "a line without subitems")
        let repetition = try known(repetition, "a line without repetition")
        switch (axis, repetition.kind) {
        case ("horizontal", "untilFull"): return .horizontal(layoutSize: size, subitems: subitems)
        case ("horizontal", "equal"): return .horizontal(layoutSize: size, subitem: first, count: repetition.count)
        case ("horizontal", "own"):
            return .horizontal(layoutSize: size, repeatingSubitem: first, count: repetition.count)
        case ("vertical", "untilFull"): return .vertical(layoutSize: size, subitems: subitems)
        case ("vertical", "equal"): return .vertical(layoutSize: size, subitem: first, count: repetition.count)
        case ("vertical", "own"): return .vertical(layoutSize: size, repeatingSubitem: first, count: repetition.count)
        default: throw UnknownValue(name: "\(axis ?? "no axis") \(repetition.kind)")
        }
    }

    private var edgeSpacing: LayoutEdgeSpacing? {
        edges.map {
            LayoutEdgeSpacing(
                leading: $0[0]?.spacing, top: $0[1]?.spacing, trailing: $0[2]?.spacing, bottom: $0[3]?.spacing)
        }
    }
}

/// A badge anchored to an item or group.
struct AnchoredCase: Decodable {
    let kind: String
    let size: [DimensionCase]
    let anchor: AnchorCase
    let own: AnchorCase?

    func element() throws -> AnchoredSupplementary {
        AnchoredSupplementary(
            elementKind: ElementKind(rawValue: kind), layoutSize: try LayoutSize(size),
            containerAnchor: try anchor.anchor(), itemAnchor: try own?.anchor())
    }
}
