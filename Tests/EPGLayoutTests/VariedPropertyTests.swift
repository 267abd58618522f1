import CollectionLayout
import EPGModel
import Testing

@testable import EPGLayout

/// Properties of every guide, including groups, clusters, and all orientations and directions.
/// For a release, each is tested with ten thousand random cases. Failures include the seed of the guide.
@Suite struct VariedPropertyTests {
    private static let everywhere = Rect(minX: -1e7, minY: -1e7, maxX: 1e7, maxY: 1e7)

    @Test(arguments: UInt64(0)..<10)
    func rectangleQueryEqualsBruteForce(batch: UInt64) throws {
        try eachGuide(of: batch) { guide, random in
            try (0..<20).allSatisfy { _ in
                let viewport = try guide.viewport(using: &random)
                let all = guide.layout.page(in: Self.everywhere, at: viewport, of: guide.content).elements
                let expected = all.filter { $0.frame.intersects(viewport.rect) }
                return guide.layout.page(in: viewport, of: guide.content).elements == expected
            }
        }
    }

    @Test(arguments: UInt64(0)..<10)
    func splittingTheRectangleSplitsTheResult(batch: UInt64) throws {
        try eachGuide(of: batch) { guide, random in
            try (0..<20).allSatisfy { _ in
                let viewport = try guide.viewport(using: &random)
                let rect = viewport.rect
                let axis = Axis.allCases.randomElement(using: &random) ?? .horizontal
                let boundary = Double.random(in: rect.start(axis)...rect.end(axis), using: &random).rounded()
                guard boundary > rect.start(axis), boundary < rect.end(axis) else { return true }
                let across = (rect.start(axis.perpendicular), rect.end(axis.perpendicular))
                let halves = [
                    Rect(along: axis, (rect.start(axis), boundary), across: across),
                    Rect(along: axis, (boundary, rect.end(axis)), across: across),
                ]
                let parts = halves.flatMap { guide.layout.page(in: $0, at: viewport, of: guide.content).elements }
                return Set(parts) == Set(guide.layout.page(in: viewport, of: guide.content).elements)
            }
        }
    }

    @Test(arguments: UInt64(0)..<10)
    func cellsTileTheirRow(batch: UInt64) throws {
        try eachGuide(of: batch, count: 1000) { guide, _ in
            let axis = guide.layout.timeAxis
            let page = guide.layout.page(in: try guide.layout.everything(), of: guide.content).elements
            // The members of a cluster tile its cell.
            let leaves: [GuideElement] = page.flatMap { $0.members.isEmpty ? [$0] : $0.members }
            let cells = leaves.filter { $0.kind == .airing || $0.kind == .gap }
            return (0..<guide.layout.rowCount).allSatisfy { row in
                let row = cells.filter { $0.row == row }.map(\.frame)
                    .sorted { ($0.start(axis), $0.end(axis)) < ($1.start(axis), $1.end(axis)) }
                let isTiled = zip(row, row.dropFirst()).allSatisfy { $0.end(axis) == $1.start(axis) }
                let length = (row.last?.end(axis) ?? 0) - (row.first?.start(axis) ?? 0)
                let time = Double(guide.layout.window.seconds) * guide.layout.metrics.pointsPerHour / 3600
                return isTiled && abs(length - time) <= 1.001 / guide.layout.metrics.scale
            }
        }
    }

    @Test(arguments: UInt64(0)..<10)
    func instantAtXInvertsX(batch: UInt64) throws {
        eachGuide(of: batch, count: 100) { guide, random in
            let layout = guide.layout
            return (0..<10).allSatisfy { _ in
                let instant = layout.window.start.advanced(by: .random(in: -50_000...200_000, using: &random))
                let x = Double.random(in: -1000...layout.solvedSize.width + 1000, using: &random)
                let found = layout.instant(atX: x)
                return layout.instant(atX: layout.x(of: instant)) == instant && layout.x(of: found) <= x
                    && x < layout.x(of: found.advanced(by: 1))
            }
        }
    }

    @Test(arguments: UInt64(0)..<10)
    func mirroringTwiceIsIdentity(batch: UInt64) throws {
        try eachGuide(of: batch, count: 1000) { guide, _ in
            var leftToRight = guide.layout
            leftToRight.direction = .leftToRight
            var rightToLeft = guide.layout
            rightToLeft.direction = .rightToLeft
            let mirror = rightToLeft.transform
            // Use the whole content, so that pinned elements have not moved.
            let around = try guide.layout.everything()
            let plain = leftToRight.page(in: Self.everywhere, at: around, of: guide.content).elements
            let mirrored = rightToLeft.page(in: Self.everywhere, at: around, of: guide.content).elements
            let isCellOfClusters = mirrored.allSatisfy { cluster in
                cluster.members.isEmpty
                    || (cluster.members.map(\.frame.minX).min() == cluster.frame.minX
                        && cluster.members.map(\.frame.maxX).max() == cluster.frame.maxX)
            }
            let inverse = GridTransform(
                timeAxis: .horizontal, isMirrored: true, width: mirror.width, pixels: mirror.pixels)
            return isCellOfClusters && plain.count == mirrored.count
                && zip(plain, mirrored).allSatisfy { plain, mirrored in
                    inverse.shown(inverse.shown(plain.frame)) == plain.frame
                        && inverse.shown(mirrored.frame) == plain.frame
                }
        }
    }

    @Test(arguments: UInt64(0)..<10)
    func groupHeadersStayInTheirGroup(batch: UInt64) throws {
        try eachGuide(of: batch) { guide, random in
            let layout = guide.layout
            return try (0..<20).allSatisfy { _ in
                let viewport = try guide.viewport(using: &random)
                let all = layout.page(in: Self.everywhere, at: viewport, of: guide.content).elements
                return all.filter { $0.kind == .groupHeader }.allSatisfy { header in
                    let rows = layout.rows.rows(ofGroup: header.ordinal)
                    let bottom = layout.edges(ofRow: rows.upperBound - 1).maxY
                    let previous = rows.lowerBound == 0 ? 0 : layout.edges(ofRow: rows.lowerBound - 1).maxY
                    let mirrored = layout.transform.solved(header.frame)
                    return previous - 1e-6 <= mirrored.minY && mirrored.maxY <= bottom + 1e-6
                }
            }
        }
    }

    @Test(arguments: UInt64(0)..<10)
    func gridLayoutPlacesSameElementsAndFindsEach(batch: UInt64) throws {
        try eachGuide(of: batch, count: 20) { guide, random in
            let source = GuideSchedules(guide.schedules)
            var adapter = GuideGridLayout(
                guide.layout, source: source, marks: GuideMarks(guide.marks), now: guide.now)
            return try (0..<50).allSatisfy { _ in
                let viewport = try guide.viewport(using: &random)
                adapter.prepare(
                    in: LayoutContainer(
                        bounds: viewport.rect, counts: GuideCounts(source), layoutDirection: guide.layout.direction,
                        scale: guide.layout.metrics.scale))
                let page = guide.layout.page(in: viewport, of: guide.content).elements
                let attributes = adapter.attributes(in: viewport.rect)
                let sample = attributes.randomElement(using: &random)
                return Set(attributes.filter { !$0.isHidden }.map(\.element)) == Set(page.map { LayoutElement($0) })
                    && attributes.filter { !$0.isHidden }.map(\.frame) == page.map(\.frame)
                    && Set(attributes.map(\.element)).count == attributes.count
                    && zip(attributes, attributes.dropFirst()).allSatisfy(LayoutAttributes.isDrawnBefore)
                    && (sample.map { adapter.attributes(of: $0.element) == $0 } ?? true)
            }
        }
    }
}
