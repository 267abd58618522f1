import CollectionLayout
import EPGModel
import Testing

@testable import EPGLayout

/// Properties of pinning and hit testing, each tested with random cases (ten thousand for a release). Failures include
/// the seed.
@Suite struct PinnedPropertyTests {
    private static let everywhere = Rect(minX: -1e7, minY: -1e7, maxX: 1e7, maxY: 1e7)

    @Test(arguments: UInt64(0)..<10)
    func pinnedElementsStayInContentAndRow(batch: UInt64) throws {
        try eachGuide(of: batch) { guide, random in
            let layout = guide.layout
            let content = Rect(origin: .zero, size: layout.contentSize)
            let across = layout.timeAxis.perpendicular
            return try (0..<20).allSatisfy { _ in
                let viewport = try guide.viewport(using: &random)
                let all = layout.page(in: Self.everywhere, at: viewport, of: guide.content).elements
                return all.filter { $0.zIndex >= ZBand.pinned.rawValue }.allSatisfy { element in
                    let frame = element.frame
                    // Columns or a header larger than the content begin at its origin.
                    let isInside =
                        content.minX <= frame.minX && frame.maxX <= content.maxX && content.minY <= frame.minY
                        && frame.maxY <= content.maxY
                    guard element.kind == .station || element.kind == .thumbnail, let row = element.row else {
                        return isInside
                    }
                    let cells = all.first { $0.row == row && ($0.kind == .gap || $0.kind == .airing) }?.frame
                    return isInside
                        && (cells.map {
                            $0.start(across) == frame.start(across) && $0.end(across) == frame.end(across)
                        } ?? true)
                }
            }
        }
    }

    @Test(arguments: UInt64(0)..<10)
    func pinnedElementsAreAtViewEdgesWithinContent(batch: UInt64) throws {
        try eachCase(of: batch) { guide, random in
            let layout = guide.layout
            let size = layout.contentSize
            // Use whole pixels, because pinned edges are snapped.
            let viewport = try Viewport(
                x: layout.metrics.pixels.snapped(.random(in: 0...size.width / 2, using: &random)),
                y: layout.metrics.pixels.snapped(.random(in: 0...size.height / 2, using: &random)),
                width: max(1, size.width / 2), height: max(1, size.height / 2))
            let room = layout.solvedSize
            let visible = layout.transform.solved(viewport.rect)
            guard layout.metrics.pinnedWidth <= room.width - visible.minX,
                layout.metrics.headerHeight <= room.height - visible.minY
            else { return nil }
            let all = layout.page(in: Self.everywhere, at: viewport, of: guide.content).elements
            guard let corner = all.last else { return false }
            let mirrored = layout.direction == .rightToLeft
            let isAtSide =
                mirrored
                ? abs(corner.frame.maxX - viewport.rect.maxX) <= layout.metrics.pixels.pixel
                : corner.frame.minX == viewport.x
            return corner.kind == .corner && isAtSide && corner.frame.minY == viewport.y
        }
    }

    /// Geometry and frames agree in every orientation; points are the centers of device pixels.
    @Test(arguments: UInt64(0)..<10)
    func pointHitsForemostElement(batch: UInt64) throws {
        try eachCase(of: batch) { guide, random in
            let layout = guide.layout
            let viewport = try guide.viewport(using: &random)
            let page = layout.page(in: viewport, of: guide.content).elements
            let scale = layout.metrics.scale
            let rect = viewport.rect
            let x = ((Double.random(in: rect.minX...rect.maxX, using: &random) * scale).floored + 0.5) / scale
            let y = ((Double.random(in: rect.minY...rect.maxY, using: &random) * scale).floored + 0.5) / scale
            guard rect.contains(x: x, y: y) else { return nil }
            let place = layout.place(atX: x, y: y, in: viewport)
            let element = page.foremost(atX: x, y: y)
            return switch (place, element?.kind) {
            case (.corner, .corner): true
            case (.header(let instant), .hourHeader), (.header(let instant), .halfHourHeader):
                element?.shown?.contains(instant) == true
            // The header is empty before the first mark.
            case (.header(let instant), _): guide.marks.allSatisfy { $0.kind == .day || instant < $0.instant }
            case (nil, nil): true
            case (.group(let group), .groupHeader): element?.ordinal == group
            case (.station(let row), .station), (.thumbnail(let row), .thumbnail): element?.row == row
            case (.schedule(let row, let instant), _):
                element?.row == row && element?.shown?.contains(instant) == true
            default: false
            }
        }
    }
}
