import CollectionLayout
import LayoutTestSupport
import TestSupport
import Testing

/// Properties of all layouts, tested with random ones (10,000 for a release); a failure prints its seed.
@Suite struct CompositionalPropertyTests {
    @Test func rectangleQueryEqualsScanAndSplits() {
        let seed = SeededGenerator.anySeed()
        var maker = RandomCompositional(random: SeededGenerator(seed: seed))
        for _ in 0..<TestScope.cases(10_000) {
            var sample = maker.next()
            sample.layout.prepare(in: sample.container)
            if maker.chance(30) { maker.measure(&sample) }
            let all = sample.elements
            let rect = maker.rect(sample.layout.contentSize)
            let found = Set(sample.query(rect))
            guard found == Set(all.filter { $0.frame.intersects(rect) }) else {
                Issue.record("seed \(seed): the query of \(rect) differs from a scan")
                return
            }
            let axis: Axis = maker.chance(50) ? .horizontal : .vertical
            let (start, end) = (rect.start(axis), rect.end(axis))
            let middle = start + (end - start) / 2
            let cross = (rect.start(axis.perpendicular), rect.end(axis.perpendicular))
            let halves =
                sample.query(Rect(along: axis, (start, middle), across: cross))
                + sample.query(Rect(along: axis, (middle, end), across: cross))
            guard rect.isEmpty || middle == start || Set(halves) == found else {
                Issue.record("seed \(seed): \(rect) split at \(middle), \(axis), gives other elements")
                return
            }
        }
    }

    @Test func mirroringTwiceRestoresLayout() {
        let seed = SeededGenerator.anySeed()
        var maker = RandomCompositional(random: SeededGenerator(seed: seed))
        for _ in 0..<TestScope.cases(10_000) {
            var sample = maker.next()
            sample.container.layoutDirection = .leftToRight
            sample.layout.prepare(in: sample.container)
            let width = sample.layout.contentSize.width
            var other = sample
            other.container.layoutDirection = .rightToLeft
            other.container.bounds = sample.container.bounds.mirrored(inWidth: width)
            other.layout.prepare(in: other.container)
            let mirrored = other.elements.map { $0.mirrored(inWidth: width) }
            // Rectangles are half-open: an element without width at an edge of the bounds is passed to handlers at one
            // edge but not at the other.
            let bounds = sample.container.bounds
            func isClear(_ attributes: LayoutAttributes) -> Bool {
                let frame = attributes.frame
                return frame.width > 0 || (frame.minX != bounds.minX && frame.minX != bounds.maxX)
            }
            guard other.layout.contentSize == sample.layout.contentSize,
                mirrored.filter(isClear) == sample.elements.filter(isClear)
            else {
                Issue.record("seed \(seed): right to left is not the mirror image")
                return
            }
        }
    }

    @Test func pinnedElementsStayInTheirHost() {
        let seed = SeededGenerator.anySeed()
        var maker = RandomCompositional(random: SeededGenerator(seed: seed), pins: true)
        let count = TestScope.cases(10_000)
        var reached = (sections: 0, layouts: 0)
        for _ in 0..<4 * count where min(reached.sections, reached.layouts) < count {
            var sample = maker.next()
            sample.layout.prepare(in: sample.container)
            let unpinned = sample.unpinned
            for attributes in sample.elements where attributes.band == .pinned {
                let isOfWholeLayout = attributes.indexPath.section == IndexPath.wholeLayoutSection
                let host: Rect
                if isOfWholeLayout {
                    host = Rect(origin: .zero, size: sample.layout.contentSize)
                    reached.layouts += 1
                } else {
                    let path = IndexPath(section: attributes.indexPath.section, item: 0)
                    guard let background = sample.layout.attributes(of: .decoration("background", path)) else {
                        Issue.record("seed \(seed): a section has no background")
                        return
                    }
                    host = background.frame
                    reached.sections += 1
                }
                // Offsets can place an element outside its host from the start; it doesn't move farther out.
                let natural = unpinned.attributes(of: attributes.element)?.frame ?? host
                let room = host.union(natural).inset(by: EdgeInsets(all: -1 / sample.container.pixels.scale))
                guard room.union(attributes.frame) == room else {
                    Issue.record("seed \(seed): \(attributes) is outside of \(host), unpinned \(natural)")
                    return
                }
            }
        }
        #expect(min(reached.sections, reached.layouts) >= count, "seed \(seed): only \(reached) pinned elements")
    }

    @Test func invalidNumbersProduceFiniteLayouts() {
        let seed = SeededGenerator.anySeed()
        var maker = RandomCompositional(random: SeededGenerator(seed: seed), isInvalid: true)
        for _ in 0..<TestScope.cases(10_000) {
            var sample = maker.next()
            sample.layout.prepare(in: sample.container)
            if maker.chance(20) { maker.measure(&sample) }
            var frames = sample.query(maker.rect(sample.layout.contentSize)).map(\.frame)
            for section in sample.counts.indices {
                for item in 0..<sample.counts[section] {
                    let path = IndexPath(section: section, item: item)
                    if let attributes = sample.layout.attributes(of: .item(path)) { frames.append(attributes.frame) }
                }
                frames.append(
                    Rect(
                        x: sample.layout.orthogonalOffset(section: section),
                        y: sample.layout.targetOrthogonalOffset(
                            section: section, proposed: maker.length(0...90), velocity: maker.length(-1...1)),
                        width: 0, height: 0))
            }
            frames.append(Rect(origin: .zero, size: sample.layout.contentSize))
            guard frames.allSatisfy({ $0.minX.isFinite && $0.minY.isFinite && $0.maxX.isFinite && $0.maxY.isFinite })
            else {
                Issue.record("seed \(seed): a frame is not finite")
                return
            }
        }
    }
}

extension RandomCompositional.Case {
    fileprivate func query(_ rect: Rect) -> [LayoutAttributes] {
        var cost = LayoutCost()
        return layout.attributes(in: rect, cost: &cost)
    }

    /// The layout of the same sample without pinned elements.
    fileprivate var unpinned: CompositionalLayout {
        let provider = layout
        var configuration = layout.configuration
        for index in configuration.boundarySupplementaryItems.indices {
            configuration.boundarySupplementaryItems[index].pinToVisibleBounds = false
        }
        var copy = CompositionalLayout(configuration: configuration) { index, environment in
            var section = provider.sectionProvider(index, environment)
            for index in section?.boundarySupplementaryItems.indices ?? 0..<0 {
                section?.boundarySupplementaryItems[index].pinToVisibleBounds = false
            }
            return section
        }
        copy.prepare(in: container)
        return copy
    }
}

/// Small random layouts, with lengths in quarters of a point.
struct RandomCompositional {
    var random: SeededGenerator
    /// Whether lengths can be negative, infinite or NaN.
    var isInvalid = false
    /// Whether all boundary items are pinned, and there are more of them, including one of the whole layout.
    var pins = false

    /// The kinds of its supplementary elements.
    static let kinds: [ElementKind] = ["header", "footer", "side", "badge", "mark"]

    struct Case {
        var layout: CompositionalLayout
        var container: LayoutContainer
        var counts: [Int]
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func length(_ range: ClosedRange<Int>) -> Double {
        if isInvalid, chance(10) {
            // Infinite lengths are rare, because each fills a group with its 10,000 items.
            if chance(4) {
                return [.infinity, 1e300, 1e-300, .greatestFiniteMagnitude].randomElement(using: &random) ?? 0
            }
            return [-5, -.infinity, .nan, 0, -0.0, -1e300].randomElement(using: &random) ?? 0
        }
        return Double(Int.random(in: (range.lowerBound * 4)...(range.upperBound * 4), using: &random)) / 4
    }

    mutating func insets() -> EdgeInsets {
        chance(50)
            ? .zero
            : EdgeInsets(top: length(0...8), leading: length(0...8), bottom: length(-2...8), trailing: length(0...8))
    }

    mutating func dimension(_ range: ClosedRange<Int>) -> LayoutDimension {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .fractionalWidth(length(1...4) / 4)
        case 1: .fractionalHeight(length(1...4) / 8)
        case 2: .estimated(length(range))
        default: .absolute(length(range))
        }
    }

    mutating func size(_ range: ClosedRange<Int>) -> LayoutSize {
        LayoutSize(widthDimension: dimension(range), heightDimension: dimension(range))
    }

    mutating func spacing() -> LayoutSpacing? {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .fixed(length(0...6))
        case 1: .flexible(length(0...6))
        default: nil
        }
    }

    mutating func edges() -> LayoutEdgeSpacing? {
        guard chance(20) else { return nil }
        return LayoutEdgeSpacing(leading: spacing(), top: spacing(), trailing: spacing(), bottom: spacing())
    }

    mutating func supplementaries(_ kind: ElementKind) -> [AnchoredSupplementary] {
        guard chance(20) else { return [] }
        let anchor = LayoutAnchor(
            edges: RectEdges(rawValue: Int.random(in: 0..<16, using: &random)),
            fractionalOffset: Point(x: length(-2...2) / 4, y: length(-2...2) / 4))
        return [AnchoredSupplementary(elementKind: kind, layoutSize: size(2...8), containerAnchor: anchor)]
    }

    mutating func subitem(depth: Int) -> LayoutSubitem {
        if depth < 2, chance(25) { return .group(group(depth: depth + 1)) }
        return .item(
            LayoutItem(
                layoutSize: size(5...40), contentInsets: chance(25) ? insets() : .zero, edgeSpacing: edges(),
                supplementaryItems: supplementaries("badge")))
    }

    mutating func group(depth: Int = 0) -> LayoutGroup {
        let size = size(20...80)
        let count = Int.random(in: (isInvalid ? -1 : 1)...3, using: &random)
        var group: LayoutGroup
        switch Int.random(in: 0..<7, using: &random) {
        case 0:
            let items = (0..<max(0, count)).map { _ in
                LayoutGroup.CustomItem(
                    frame: Rect(x: length(-5...40), y: length(-5...40), width: length(0...30), height: length(0...30)))
            }
            group = .custom(layoutSize: size) { _ in items }
        case 1: group = .horizontal(layoutSize: size, subitem: subitem(depth: depth), count: count)
        case 2: group = .vertical(layoutSize: size, repeatingSubitem: subitem(depth: depth), count: count)
        case 3, 4:
            let subitems = (0..<max(1, count)).map { _ in subitem(depth: depth) }
            group = .vertical(layoutSize: size, subitems: subitems)
        default:
            let subitems = (0..<max(1, count)).map { _ in subitem(depth: depth) }
            group = .horizontal(layoutSize: size, subitems: subitems)
        }
        group.interItemSpacing = spacing()
        group.contentInsets = chance(20) ? insets() : .zero
        group.edgeSpacing = edges()
        group.supplementaryItems = supplementaries("mark")
        return group
    }

    mutating func boundary(_ kind: ElementKind) -> BoundarySupplementary {
        BoundarySupplementary(
            elementKind: kind, layoutSize: size(5...20),
            alignment: RectAlignment.allCases.randomElement(using: &random) ?? .top,
            absoluteOffset: chance(70) ? .zero : Point(x: length(-5...5), y: length(-5...5)),
            extendsBoundary: chance(80), pinToVisibleBounds: pins || chance(50))
    }

    mutating func section() -> LayoutSection {
        var section = LayoutSection(group: group())
        section.contentInsets = insets()
        section.interGroupSpacing = chance(50) ? 0 : length(0...8)
        for kind in ["header", "footer", "side"] as [ElementKind] where chance(pins ? 70 : 30) {
            section.boundarySupplementaryItems.append(boundary(kind))
        }
        section.decorationItems = [.background(elementKind: "background")]
        section.supplementariesFollowContentInsets = chance(70)
        if chance(15) {
            section.visibleItemsInvalidationHandler = { items, _, _ in
                for index in items.indices where items[index].element.kind == nil {
                    items[index].frame = items[index].frame.offset(x: 0, y: 7.25)
                    items[index].alpha = 0.5
                }
            }
        }
        if chance(30) {
            section.orthogonalScrollingBehavior =
                OrthogonalScrollingBehavior.allCases.randomElement(using: &random) ?? .none
        }
        return section
    }

    mutating func next() -> Case {
        let counts = (0..<Int.random(in: 0...2, using: &random)).map { _ in Int.random(in: 0...5, using: &random) }
        let sections = counts.map { _ in section() }
        let configuration = LayoutConfiguration(
            scrollDirection: chance(70) ? .vertical : .horizontal,
            interSectionSpacing: chance(50) ? 0 : length(0...8),
            boundarySupplementaryItems: pins || chance(25) ? [boundary("header")] : [])
        var layout = CompositionalLayout(configuration: configuration) { index, _ in sections[index] }
        for section in counts.indices { layout.setOrthogonalOffset(length(-5...60), section: section) }
        let container = LayoutContainer(
            bounds: Rect(x: length(-10...60), y: length(-10...90), width: length(50...120), height: length(50...120)),
            counts: ItemCounts(counts), contentInset: chance(70) ? .zero : insets(),
            safeAreaInsets: chance(70) ? .zero : insets(),
            layoutDirection: chance(50) ? .leftToRight : .rightToLeft, scale: chance(50) ? 1 : 2)
        return Case(layout: layout, container: container, counts: counts)
    }

    /// Measures some elements with other sizes.
    mutating func measure(_ sample: inout Case) {
        let elements = sample.elements
        for _ in 0..<2 {
            guard let original = elements.randomElement(using: &random) else { return }
            var preferred = original
            preferred.frame = Rect(
                origin: original.frame.origin, size: Size(width: length(0...60), height: length(0...60)))
            guard sample.layout.shouldInvalidate(forPreferred: preferred, original: original) else { continue }
            sample.layout.invalidate(
                with: sample.layout.invalidationContext(forPreferred: preferred, original: original))
        }
        sample.layout.prepare(in: sample.container)
    }

    /// A rectangle around the content, sometimes without area.
    mutating func rect(_ size: Size) -> Rect {
        let x = length(-20...120)
        let y = length(-20...200)
        return chance(10)
            ? Rect(x: x, y: y, width: 0, height: 0) : Rect(x: x, y: y, width: length(0...100), height: length(0...100))
    }
}

extension RandomCompositional.Case {
    /// The attributes of all placed elements, queried one by one.
    var elements: [LayoutAttributes] {
        var found: [LayoutAttributes] = []
        func add(_ element: LayoutElement) {
            if let attributes = layout.attributes(of: element) { found.append(attributes) }
        }
        add(.supplementary("header", IndexPath(section: IndexPath.wholeLayoutSection, item: 0)))
        for (section, count) in counts.enumerated() {
            add(.decoration("background", IndexPath(section: section, item: 0)))
            for item in 0..<max(1, count) {
                if item < count { add(.item(IndexPath(section: section, item: item))) }
                for kind in RandomCompositional.kinds {
                    add(.supplementary(kind, IndexPath(section: section, item: item)))
                }
            }
        }
        return found
    }
}
