import CollectionLayout
import EPGLayout
import EPGModel
import Foundation
import TestSupport
import Testing

/// Tests that the modules of the guide page (run by Node) and the layout agree for random guides: on the positions of
/// cells, clusters, the insets of clipped titles, rows below headers of groups, and focus movement.
///
/// `EPG_PAGE_CASES` sets the number of guides and `EPG_PAGE_SEED` the seed, which failures print. As in the store, airings
/// are not empty and do not overlap.
@Suite(.needs(.programs("node")))
struct PageAgreementTests {
    private static let count = PageModules.number("EPG_PAGE_CASES") ?? 60
    private static let seed = PageModules.number("EPG_PAGE_SEED") ?? 20_261_125

    @Test func pageAndLayoutAgreeOnCellsAndClusters() throws {
        var random = SeededGenerator(seed: UInt64(Self.seed))
        let guides = try (0..<Self.count).map { _ in try PageGuide(shortest: 1, using: &random) }
        let viewports = guides.map { guide in
            (0..<8).map { _ in
                let from = Double.random(in: 0...max(0, guide.layout.contentSize.width - 400), using: &random).rounded()
                return (row: Int.random(in: 0..<guide.rows.count, using: &random), from: from, to: from + 400)
            }
        }
        let answers: [[[PageCell]]] = try PageModules.answers(
            to: zip(guides, viewports).map { guide, viewports in
                guide.request(["cells": viewports.map { ["row": $0.row, "from": $0.from, "to": $0.to] }])
            })
        for ((guide, viewports), answers) in zip(zip(guides, viewports), answers) {
            let shared = Set(guide.rows.flatMap(\.schedule.airings).filter { $0.clump != nil }.map(\.id.rawValue))
            for (viewport, answer) in zip(viewports, answers) {
                let visible = answer.filter { $0.x < viewport.to && $0.x + $0.width > viewport.from }
                    .map { $0.clipped(from: viewport.from, to: viewport.to, shared: shared) }
                let expected = try guide.cells(row: viewport.row, from: viewport.from, to: viewport.to)
                    .map { $0.clipped(from: viewport.from, to: viewport.to, shared: shared) }
                expectEqual(visible, expected, "seed \(Self.seed), \(guide), \(viewport)")
            }
        }
    }

    /// Thirty airings of two minutes at 240 points per hour and a cluster width of 10: buckets of ten minutes have five each.
    @Test func clustersDoNotDependOnViewport() throws {
        let airings = (0..<30 as Range<Int64>).map { airing($0 + 1, window($0 * 2, $0 * 2 + 2)) }
        let guide = try PageGuide(
            window: window(0, 120), hour: 240, least: 10, rows: [rowSchedule(0, airings)])
        let starts: [Double] = [0, 1, 7, 24, 39, 40, 41, 100]
        let answers: [[[PageCell]]] = try PageModules.answers(
            to: [guide.request(["cells": starts.map { ["row": 0, "from": $0, "to": $0 + 400] }])])
        var all: [PageCell] = []
        for index in 0..<6 {
            let start = Int64(index) * 600
            all.append(PageCell(id: 0, count: 5, start: start, end: start + 600, x: Double(index) * 40, width: 40))
        }
        for (start, cells) in zip(starts, answers[0]) {
            expectEqual(
                cells.filter { $0.count > 0 }.map { $0.moved(by: -dayStart.secondsSince1970) },
                all.filter { $0.x + $0.width > start }, "from \(start)")
        }
    }

    /// A guide of two hours. Four airings share a window that begins 20 minutes before its end and lasts 200 minutes. The first
    /// takes 50 minutes, so it is the only one in the guide, and forms a cluster with the airing of ten minutes before it.
    @Test func airingsAfterTheEndOfTheGuideAreInNoCluster() throws {
        let shared = (0..<4).map { airing(Int64($0 + 3), window(100, 300), clump: Clump(index: $0, count: 4)) }
        let guide = try PageGuide(
            window: window(0, 120), hour: 60, least: 40,
            rows: [rowSchedule(0, [airing(1, window(0, 90)), airing(2, window(90, 100))] + shared)])
        let answers: [[[PageCell]]] = try PageModules.answers(
            to: [guide.request(["cells": [["row": 0, "from": 0, "to": 120]]])])
        expectEqual(
            answers[0][0].map { $0.moved(by: -dayStart.secondsSince1970) },
            [
                PageCell(id: 1, count: 0, start: 0, end: 5400, x: 0, width: 90),
                PageCell(id: 0, count: 2, start: 5400, end: 7200, x: 90, width: 30),
            ])
    }

    /// Three airings share a window of 56,320 seconds from 12:47:06, so that the second begins a second before 18:00, where a tile
    /// of the page ends: 56,320 / 3 is 18,773 and a third.
    @Test func partsOfASharedWindowAreExactBesideTheEdgeOfATile() throws {
        let day = TimeWindow(
            start: Instant(secondsSince1970: 1_774_742_400), end: Instant(secondsSince1970: 1_774_828_800))
        let shared = TimeWindow(
            start: Instant(secondsSince1970: 1_774_788_426), end: Instant(secondsSince1970: 1_774_844_746))
        let airings = (0..<3).map { airing(Int64($0 + 1), shared, clump: Clump(index: $0, count: 3)) }
        let guide = try PageGuide(window: day, hour: 60, least: 10, rows: [rowSchedule(0, airings)])
        let answers: [[[PageCell]]] = try PageModules.answers(
            to: [guide.request(["cells": [["row": 0, "from": 0, "to": 1440]]])])
        expectEqual(
            answers[0][0],
            [
                PageCell(id: 0, count: 0, start: 1_774_742_400, end: 1_774_788_426, x: 0, width: 767),
                PageCell(id: 1, count: 0, start: 1_774_788_426, end: 1_774_807_199, x: 767, width: 313),
                PageCell(id: 2, count: 0, start: 1_774_807_199, end: 1_774_825_972, x: 1080, width: 313),
                PageCell(id: 3, count: 0, start: 1_774_825_972, end: 1_774_828_800, x: 1393, width: 47),
            ])
    }

    @Test func pageAndLayoutAgreeOnTitleInsets() throws {
        var random = SeededGenerator(seed: UInt64(Self.seed))
        var requests: [[String: Any]] = []
        var expected: [[Double]] = []
        for _ in 0..<max(2, Self.count / 20) {
            let guide = try PageGuide(shortest: 60, using: &random)
            var (insets, moved): ([[String: Double]], [Double]) = ([], [])
            for element in guide.layout.elements(in: try guide.layout.everything(), schedules: guide.rows)
            where element.kind == .airing {
                let (width, id) = (element.frame.width, element.airing?.id)
                let x = guide.mirrored(element.frame.minX, width: width)
                let left = (x + .random(in: -100...(width + 100), using: &random)).rounded()
                let least = Double.random(in: 1...200, using: &random).rounded()
                let viewport = try Viewport(
                    x: guide.mirrored(left, width: PageGuide.width), y: element.frame.minY, width: PageGuide.width,
                    height: 10)
                let shown = guide.layout.elements(in: viewport, schedules: guide.rows)
                    .first { $0.kind == .airing && $0.airing?.id == id }
                guard let shown, left >= 0 else { continue }
                insets.append(["left": left, "x": x, "width": width, "least": least])
                moved.append(shown.leadingTextInset(leastTextWidth: least))
            }
            requests.append(guide.request(["insets": insets]))
            expected.append(moved)
        }
        let answers: [[Double]] = try PageModules.answers(to: requests)
        #expect(answers == expected && expected.joined().contains { $0 > 0 }, "seed \(Self.seed)")
    }

    @Test func pageAndLayoutAgreeOnRowsOfGroups() throws {
        var random = SeededGenerator(seed: UInt64(Self.seed))
        let guides = try (0..<Self.count).map { _ in
            try PageGuide(shortest: 60, isGrouped: true, using: &random)
        }
        let offsets = guides.map { guide in
            (0..<20).map { _ in
                Double(Int.random(in: 0...max(0, Int(guide.size.breadth - PageGuide.height)), using: &random))
            }
        }
        let answers: [[PagePlaces]] = try PageModules.answers(
            to: zip(guides, offsets).map { $0.request(["places": $1]) })
        for ((guide, offsets), answers) in zip(zip(guides, offsets), answers) {
            for (offset, answer) in zip(offsets, answers) {
                let viewport = try Viewport(
                    x: guide.mirrored(0, width: PageGuide.width), y: offset, width: PageGuide.width,
                    height: PageGuide.height)
                let rows = guide.layout.visibleRows(in: viewport)
                expectEqual([answer.first, answer.end], [rows.lowerBound, rows.upperBound], "\(guide) at \(offset)")
                // The headers of 24 points of groups up to the row are above it.
                expectEqual(
                    answer.tops,
                    rows.map { row in
                        Double(row) * 56 + 24 * Double(guide.layout.groups.count { $0.firstRow <= row })
                    }, "\(guide)")
            }
        }
    }

    @Test(arguments: [Axis.horizontal, .vertical]) func pageAndLayoutAgreeOnFocusMoves(timeAxis: Axis) throws {
        var random = SeededGenerator(seed: UInt64(Self.seed))
        let guides = try (0..<Self.count).map { _ in
            try PageGuide(shortest: 1, timeAxis: timeAxis, isGrouped: true, using: &random)
        }
        let keySequences: [[String: Any]] = guides.map { guide in
            let (length, breadth) = guide.size
            let steps: [[String: Any]] = (0..<30).map { _ in
                guard Int.random(in: 0..<6, using: &random) > 0 else {
                    return [
                        "x": Double.random(in: 0...(length - PageGuide.width), using: &random).rounded(),
                        "y": Double(Int.random(in: 0...Int(breadth), using: &random)),
                    ]
                }
                return ["key": PageMove.keys(timeAxis).randomElement(using: &random) ?? "ArrowRight"]
            }
            let instant = guide.layout.window.start.advanced(
                by: .random(in: 0..<guide.layout.window.seconds, using: &random))
            return [
                "row": Int.random(in: 0..<guide.rows.count, using: &random), "instant": instant.secondsSince1970,
                "steps": steps,
            ]
        }
        let answers: [[PageMove]] = try PageModules.answers(
            to: zip(guides, keySequences).map { $0.request(["walk": $1]) })
        #expect(answers.joined().count > 20 * Self.count)
        for (guide, moves) in zip(guides, answers) {
            for move in moves {
                let expected = try guide.place(after: move)
                let isEqual = move.after.isEqual(to: expected, hour: guide.hour)
                #expect(isEqual, "seed \(Self.seed), \(guide): \(move), engine \(expected)")
            }
        }
    }
}

/// A guide for both implementations: no columns and no header, and one viewport of 800 points.
private struct PageGuide: CustomStringConvertible {
    static let width = 800.0
    /// The height of four and a half rows.
    static let height = 244.0

    let layout: GuideLayout
    let rows: [RowSchedule]
    let hour: Double
    let least: Double

    init(
        window: TimeWindow, hour: Double, least: Double, timeAxis: Axis = .horizontal,
        direction: LayoutDirection = .leftToRight, rows: [RowSchedule], groups: [GuideGroup] = []
    ) throws {
        let metrics = try GuideMetrics(pointsPerHour: hour, rowHeight: 56, stationColumnWidth: 0, headerHeight: 0)
        layout = try GuideLayout(
            metrics: metrics, window: window, rowCount: rows.count, groups: groups, timeAxis: timeAxis,
            direction: direction, clusters: ClusterPolicy(leastWidth: least))
        self.rows = rows
        self.hour = hour
        self.least = least
    }

    /// Creates a guide of 23, 24 or 25 hours in either direction, with airings from seconds to days, gaps and clumps.
    ///
    /// - Parameters:
    ///   - shortest: The length of the shortest airing in seconds.
    ///   - isGrouped: Whether rows may begin groups.
    init(
        shortest: Int64, timeAxis: Axis = .horizontal, isGrouped: Bool = false, using random: inout SeededGenerator
    ) throws {
        let start = dayStart.advanced(by: .random(in: -86_400...86_400, using: &random) / 60 * 60)
        let length = [23, 24, 25].randomElement(using: &random) ?? 24
        let range = TimeWindow(start: start, end: start.advanced(by: Int64(length) * 3600))
        let rows = (0..<Int.random(in: 1...12, using: &random)).map { row in
            var airings: [Airing] = []
            var time = range.start.advanced(by: .random(in: -7200...7200, using: &random))
            while time < range.end {
                if Int.random(in: 0..<4, using: &random) == 0 {
                    time = time.advanced(by: .random(in: 1...9000, using: &random))
                }
                let longest: Int64 = [120, 600, 3600, 20_000, 200_000].randomElement(using: &random) ?? 600
                let end = time.advanced(by: .random(in: shortest...longest, using: &random))
                let shared = TimeWindow(start: time, end: end)
                let isShared = shared.seconds > 300 && Int.random(in: 0..<8, using: &random) == 0
                let count = isShared ? Int.random(in: 2...4, using: &random) : 1
                for index in 0..<count {
                    airings.append(
                        airing(
                            Int64(row * 100_000 + airings.count + 1), shared, row: row,
                            clump: isShared ? Clump(index: index, count: count) : nil))
                }
                time = end
            }
            return rowSchedule(row, airings.filter { $0.window.overlaps(range) })
        }
        try self.init(
            window: range, hour: [60, 120, 240, 480, 777, 1920].randomElement(using: &random) ?? 240,
            least: [10, 20, 40].randomElement(using: &random) ?? 10, timeAxis: timeAxis,
            direction: LayoutDirection.allCases.randomElement(using: &random) ?? .leftToRight, rows: rows,
            groups: rows.indices.filter { _ in isGrouped && Int.random(in: 0..<3, using: &random) == 0 }
                .map { GuideGroup(firstRow: $0, title: "Group \($0)") })
    }

    var description: String {
        "\(rows.count) rows, groups from \(layout.groups.map(\.firstRow)), \(layout.window), \(hour) points an hour, least \(least), \(layout.timeAxis), \(layout.direction)"
    }

    /// The length of the content along time, and its breadth across.
    var size: (length: Double, breadth: Double) {
        let size = layout.contentSize
        return isVertical ? (size.height, size.width) : (size.width, size.height)
    }

    private var isVertical: Bool { layout.timeAxis == .vertical }

    /// Converts the position of an element of a width from the leading edge to the left edge, and back.
    func mirrored(_ x: Double, width: Double) -> Double {
        layout.direction == .rightToLeft ? layout.contentSize.width - x - width : x
    }

    func request(_ members: [String: Any]) -> [String: Any] {
        let guide: [String: Any] = [
            "origin": layout.window.start.secondsSince1970, "end": layout.window.end.secondsSince1970, "hour": hour,
            "least": least, "width": Self.width, "height": Self.height,
            "direction": layout.direction == .rightToLeft ? "rtl" : "ltr", "isVertical": isVertical,
            "runs": layout.groups.map { ["row": $0.firstRow, "name": $0.title] as [String: Any] },
            "rows": rows.map { row in
                row.schedule.airings.map { airing in
                    [
                        airing.id.rawValue, airing.window.start.secondsSince1970, airing.window.end.secondsSince1970,
                        Int64(airing.clump?.index ?? 0), Int64(airing.clump?.count ?? 1),
                    ]
                }
            },
        ]
        return members.merging(["guide": guide]) { $1 }
    }

    /// Returns the cells of a row between two positions, from the layout.
    func cells(row: Int, from: Double, to: Double) throws -> [PageCell] {
        let viewport = try Viewport(
            x: mirrored(from, width: to - from), y: Double(row) * 56 + 1, width: to - from, height: 10)
        return layout.elements(in: viewport, schedules: rows).compactMap { element in
            let x = mirrored(element.frame.minX, width: element.frame.width)
            guard [.airing, .gap, .cluster].contains(element.kind), let shown = element.shown, x < to,
                x + element.frame.width > from
            else { return nil }
            return PageCell(
                id: element.kind == .airing ? element.airing?.id.rawValue ?? 0 : 0, count: element.members.count,
                start: shown.start.secondsSince1970, end: shown.end.secondsSince1970, x: x, width: element.frame.width)
        }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }

    /// Returns the navigator's focus and offset after a move from the page's previous state.
    func place(after move: PageMove) throws -> PageState {
        let before = move.before
        let focus = GuideFocus(
            row: before.row, station: rows[before.row].schedule.station,
            airing: before.id > 0 ? AiringID(before.id) : nil,
            cell: TimeWindow(
                start: Instant(secondsSince1970: before.start), end: Instant(secondsSince1970: before.end)),
            anchor: Instant(secondsSince1970: before.anchor))
        // The size of the viewport on the screen.
        let (width, height) = isVertical ? (Self.height, Self.width) : (Self.width, Self.height)
        let (x, y) = isVertical ? (before.top, before.left) : (before.left, before.top)
        let viewport = try Viewport(x: mirrored(x, width: width), y: y, width: width, height: height)
        let step = GuideNavigator(layout, source: GuideSchedules(rows))
            .step(move.focusMove(in: layout), from: focus, in: viewport)
        let (left, top) = (mirrored(step.contentOffset.x, width: width), step.contentOffset.y)
        return PageState(
            row: step.focus.row, id: step.focus.airing?.rawValue ?? 0, start: step.focus.cell.start.secondsSince1970,
            end: step.focus.cell.end.secondsSince1970, anchor: step.focus.anchor.secondsSince1970,
            left: isVertical ? top : left, top: isVertical ? left : top)
    }
}

/// A cell of the page: an airing, a gap without identifier and count, or a cluster with the number of its airings.
private struct PageCell: Decodable, Equatable {
    let id: Int64
    let count: Int
    var start: Int64
    var end: Int64
    var x: Double
    var width: Double

    /// Clips gaps and shares of a window to the visible part, beyond which the page does not read.
    func clipped(from: Double, to: Double, shared: Set<Int64>) -> PageCell {
        guard count == 0, id == 0 || shared.contains(id) else { return self }
        let first = max(x, from)
        return PageCell(id: id, count: 0, start: 0, end: 0, x: first, width: min(x + width, to) - first)
    }

    func moved(by seconds: Int64) -> PageCell {
        var moved = self
        moved.start += seconds
        moved.end += seconds
        return moved
    }
}

/// The places in sight, and the positions of their rows.
private struct PagePlaces: Decodable {
    let first: Int
    let end: Int
    let tops: [Double]
}

/// The focus, its cell and the scroll offset.
private struct PageState: Decodable {
    let row: Int
    let id: Int64
    let start: Int64
    let end: Int64
    let anchor: Int64
    let left: Double
    let top: Double

    /// Returns whether two states are equal. The page scrolls by whole pixels, which also affects anchors at the edge.
    func isEqual(to other: PageState, hour: Double) -> Bool {
        (row, id, start, end) == (other.row, other.id, other.start, other.end)
            && Double((anchor - other.anchor).magnitude) <= 1800 / hour + 1 && abs(left - other.left) < 0.501
            && abs(top - other.top) < 0.001
    }
}

/// The state before and after a key press.
private struct PageMove: Decodable {
    /// The keys to press. Downwards, the keys for a page move by the visible time, which the navigator rounds differently.
    static func keys(_ timeAxis: Axis) -> [String] {
        let arrows = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"]
        return timeAxis == .vertical
            ? arrows + ["ArrowDown", "ArrowUp"] : arrows + ["ArrowRight", "ArrowLeft", "PageDown", "PageUp"]
    }
    let key: String
    let before: PageState
    let after: PageState

    func focusMove(in layout: GuideLayout) -> FocusMove {
        switch key {
        case "ArrowRight": layout.move(for: .right)
        case "ArrowLeft": layout.move(for: .left)
        case "ArrowDown": layout.move(for: .down)
        case "ArrowUp": layout.move(for: .up)
        case "PageDown": .rowsDown
        default: .rowsUp
        }
    }
}

/// The page's modules in Node.
private enum PageModules {
    static func number(_ variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
    }

    static func answers<Answer: Decodable>(to cases: [[String: Any]]) throws -> Answer {
        let request: [String: Any] = [
            "folder": PackageFiles.root.appending(path: "Sources/C/Page/Assets").path, "cases": cases,
        ]
        let file = FileManager.default.temporaryDirectory.appending(path: "epg-page-\(UUID().uuidString).json")
        try JSONSerialization.data(withJSONObject: request).write(to: file)
        defer { _ = Result { try FileManager.default.removeItem(at: file) } }
        let process = Process()
        process.executableURL = URL(filePath: try #require(TestProgram.path(of: "node")))
        process.arguments = [
            "--experimental-vm-modules", "--no-warnings",
            PackageFiles.root.appending(path: "Tests/GuidePage/agreement.js").path,
        ]
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answer = try #require(try output.fileHandleForReading.readToEnd(), "the page's modules failed")
        process.waitUntilExit()
        return try JSONDecoder().decode(Answer.self, from: answer)
    }
}
