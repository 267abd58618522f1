import CollectionLayout
import EPGLayout
import EPGModel
import Foundation
import TestSupport
import Testing

/// Hand-computed cases in files that other implementations can also run; see `Corpus/README.md`.
@Suite struct CorpusTests {
    private static let files = [
        "rows", "orientation", "pinning", "clusters", "groups", "thumbnails", "scales", "marks", "now",
        "titles", "edges",
    ]

    @Test(arguments: files)
    func viewportMatchesCorpus(file: String) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Corpus")
        let json = try Foundation.Data(contentsOf: folder.appendingPathComponent("\(file).json"))
        let cases = try JSONDecoder().decode([GridCase].self, from: json)
        #expect(cases.count >= 3)
        for grid in cases {
            let layout = try grid.layout()
            #expect([layout.contentSize.width, layout.contentSize.height].isNear(grid.contentSize), "\(grid.name)")
            let page = layout.page(in: try grid.viewport(of: layout), of: grid.content)
            let found = page.elements.map { GridCase.Expected($0, leastTextWidth: grid.leastTextWidth ?? 0) }.sorted()
            let expected = grid.elements.sorted()
            expectEqual(found.count, expected.count, "\(grid.name): \(found)")
            for (found, expected) in zip(found, expected) {
                #expect(
                    found.kind == expected.kind && found.row == expected.row && found.frame.isNear(expected.frame),
                    "\(grid.name): \(found), expected \(expected)")
                #expect(
                    expected.inset.map { abs((found.inset ?? .nan) - $0) < 1e-6 } ?? true,
                    "\(grid.name): \(found), expected \(expected)")
            }
        }
    }
}

/// A case of the corpus.
private struct GridCase: Decodable {
    struct Expected: Decodable, Comparable {
        let kind: String
        let row: Int?
        let frame: [Double]
        /// The inset of the title at the leading edge.
        let inset: Double?

        init(_ element: GuideElement, leastTextWidth: Double) {
            kind = element.kind.rawValue
            row = element.row
            frame = [element.frame.x, element.frame.y, element.frame.width, element.frame.height]
            inset = element.leadingTextInset(leastTextWidth: leastTextWidth)
        }

        static func < (lhs: Expected, rhs: Expected) -> Bool {
            (lhs.kind, lhs.row ?? -1, lhs.frame[0], lhs.frame[1], lhs.frame[2]) < (
                rhs.kind, rhs.row ?? -1, rhs.frame[0], rhs.frame[1], rhs.frame[2]
            )
        }
    }

    let name: String
    let pointsPerHour, rowHeight, rowSpacing, stationWidth, headerHeight, scale: Double?
    let thumbnails: String?
    let thumbnailWidth, groupHeaderHeight, clusterWidth: Double?
    let timeAxis, direction: String?
    let window: [Int64]
    let rows: [[[Int64]]]
    let groups: [Int]?
    let hours, halfHours, days: [Int64]?
    let now: Int64?
    let offset, size: [Double]?
    let leastTextWidth: Double?
    let contentSize: [Double]
    let elements: [Expected]

    func layout() throws -> GuideLayout {
        let width = thumbnailWidth ?? 0
        let column: GuideMetrics.ThumbnailColumn =
            thumbnails == "sticky"
            ? .sticky(width: width) : thumbnails == "scrolling" ? .scrolling(width: width) : .none
        let metrics = try GuideMetrics(
            pointsPerHour: pointsPerHour ?? 600, rowHeight: rowHeight ?? 80, rowSpacing: rowSpacing ?? 10,
            stationColumnWidth: stationWidth ?? 100, headerHeight: headerHeight ?? 40, thumbnails: column,
            groupHeaderHeight: groupHeaderHeight ?? 24, scale: scale ?? 1)
        return try GuideLayout(
            metrics: metrics, window: EPGLayoutTests.window(window[0], window[1]), rowCount: rows.count,
            groups: (groups ?? []).map { GuideGroup(firstRow: $0, title: "") },
            timeAxis: timeAxis.flatMap(Axis.init) ?? .horizontal,
            direction: direction.flatMap(LayoutDirection.init) ?? .leftToRight,
            clusters: try clusterWidth.map { try ClusterPolicy(leastWidth: $0) })
    }

    func viewport(of layout: GuideLayout) throws -> Viewport {
        try Viewport(
            x: offset?[0] ?? 0, y: offset?[1] ?? 0, width: size?[0] ?? layout.contentSize.width,
            height: size?[1] ?? layout.contentSize.height)
    }

    var content: GuideContent {
        let schedules = rows.enumerated().map { row, ranges in
            let airings = ranges.enumerated().map { place, range in
                let sharing = ranges.indices.filter { ranges[$0] == range }
                let clump = Clump(index: place - (sharing.first ?? 0), count: sharing.count)
                return airing(
                    Int64(row * 1000 + place), EPGLayoutTests.window(range[0], range[1]), row: row, clump: clump)
            }
            return rowSchedule(row, airings)
        }
        func marks(_ instants: [Int64]?, _ kind: TimeMark.Kind) -> [TimeMark] {
            (instants ?? []).map { TimeMark(instant: minutes($0), label: "", kind: kind) }
        }
        let all = marks(hours, .hour) + marks(halfHours, .halfHour) + marks(days, .day)
        return GuideContent(
            schedules: schedules, coverage: EPGLayoutTests.window(window[0], window[1]), marks: GuideMarks(all),
            now: now.map(minutes))
    }
}

extension [Double] {
    /// Returns whether all numbers are within 10⁻⁶ of others.
    fileprivate func isNear(_ others: [Double]) -> Bool {
        count == others.count && zip(self, others).allSatisfy { abs($0 - $1) <= 1e-6 }
    }
}
