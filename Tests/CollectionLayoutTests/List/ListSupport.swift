import CollectionLayout

/// What the tests of lists share.
enum Lists {
    /// Letters are 10 wide, lines 20 high; a line holds as many letters as fit, at least one.
    static func measure(_ request: TextRequest) -> Size {
        let count = request.text.count
        let fitting = request.width < 1e6 ? max(1, Int(request.width / 10)) : max(1, count)
        var lines = (count + fitting - 1) / fitting
        if request.properties.numberOfLines > 0 { lines = min(lines, request.properties.numberOfLines) }
        return Size(width: Double(min(count, fitting)) * 10, height: Double(lines) * 20)
    }

    static func item(_ section: Int, _ item: Int) -> LayoutElement {
        .item(IndexPath(section: section, item: item))
    }

    static func line(_ kind: ElementKind, _ section: Int, _ item: Int) -> LayoutElement {
        .decoration(kind, IndexPath(section: section, item: item))
    }

    static func configuration(
        _ appearance: ListConfiguration.Appearance, _ configure: (inout ListConfiguration) -> Void = { _ in }
    ) -> ListConfiguration {
        var configuration = ListConfiguration(appearance: appearance)
        configure(&configuration)
        return configuration
    }

    /// A list of sections alike, prepared in a container of 320 × 480 points.
    static func layout(
        _ configuration: ListConfiguration, counts: [Int], offset: Double = 0, margins: EdgeInsets = .zero,
        direction: LayoutDirection = .leftToRight
    ) -> CompositionalLayout {
        var layout = CompositionalLayout.list(using: configuration)
        layout.prepare(
            in: LayoutContainer(
                bounds: Rect(x: 0, y: offset, width: 320, height: 480), counts: ItemCounts(counts),
                layoutMargins: margins, layoutDirection: direction))
        return layout
    }
}
