import CollectionLayout
import EPGLayout
import EPGModel
import Foundation
import Testing

/// The guide page's own modules, run by Node, and the layout show the same of random guides: where cells are, which airings share
/// one, how far cut titles move, and where the focus goes.
///
/// `EPG_PAGE_CASES` sets the number of guides, `EPG_PAGE_SEED` the seed.
@Suite(.enabled(if: PageModules.node != nil, "Node is missing (Debian: nodejs)"))
struct PageAgreementTests {
    private static let count = PageModules.number("EPG_PAGE_CASES") ?? 60
    private static let seed = PageModules.number("EPG_PAGE_SEED") ?? 20_261_125

    @Test func cellsAndClustersAreTheSame() throws {
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
                guide.question(["cells": viewports.map { ["row": $0.row, "from": $0.from, "to": $0.to] }])
            })
        for ((guide, viewports), answers) in zip(zip(guides, viewports), answers) {
            for (viewport, answer) in zip(viewports, answers) {
                let seen = answer.filter { $0.x < viewport.to && $0.x + $0.width > viewport.from }
                    .map { $0.cut(from: viewport.from, to: viewport.to) }
                let expected = try guide.cells(row: viewport.row, from: viewport.from, to: viewport.to)
                    .map { $0.cut(from: viewport.from, to: viewport.to) }
                #expect(seen == expected, "seed \(Self.seed), \(guide), \(viewport)")
            }
        }
    }

    /// Thirty airings of two minutes at 240 points an hour, least width 10: stretches of ten minutes hold five each.
    @Test func clustersDoNotDependOnWhatIsDrawn() throws {
        let airings = (0..<30).map { airing(Int64($0 + 1), window(Int64($0) * 2, Int64($0) * 2 + 2)) }
        let guide = try PageGuide(
            window: window(0, 120), hour: 240, least: 10, rows: [rowSchedule(0, airings)])
        let starts: [Double] = [0, 1, 7, 24, 39, 40, 41, 100]
        let answers: [[[PageCell]]] = try PageModules.answers(
            to: [guide.question(["cells": starts.map { ["row": 0, "from": $0, "to": $0 + 400] }])])
        var all: [PageCell] = []
        for index in 0..<6 {
            let start = Int64(index) * 600
            all.append(PageCell(id: 0, count: 5, start: start, end: start + 600, x: Double(index) * 40, width: 40))
        }
        for (start, cells) in zip(starts, answers[0]) {
            #expect(
                cells.filter { $0.count > 0 }.map { $0.moved(by: -dayStart.secondsSince1970) }
                    == all.filter { $0.x + $0.width > start }, "from \(start)")
        }
    }

    @Test func cutTitlesMoveTheSameWay() throws {
        var random = SeededGenerator(seed: UInt64(Self.seed))
        let guide = try PageGuide(shortest: 60, using: &random)
        var insets: [[String: Double]] = []
        var expected: [Double] = []
        for element in guide.layout.elements(in: try guide.layout.everything(), schedules: guide.rows)
        where element.kind == .airing {
            for _ in 0..<4 {
                let left = (element.frame.minX + .random(in: -100...(element.frame.width + 100), using: &random))
                    .rounded()
                let viewport = try Viewport(x: left, y: element.frame.minY, width: 600, height: 10)
                let least = Double.random(in: 1...200, using: &random).rounded()
                let id = element.airing?.id
                let shown = guide.layout.elements(in: viewport, schedules: guide.rows).first {
                    $0.kind == .airing && $0.airing?.id == id
                }
                guard let shown, left >= 0 else { continue }
                insets.append(["left": left, "x": shown.frame.minX, "width": shown.frame.width, "least": least])
                expected.append(shown.leadingTextInset(leastTextWidth: least))
            }
        }
        let answers: [[Double]] = try PageModules.answers(to: [guide.question(["insets": insets])])
        #expect(answers == [expected] && expected.contains { $0 > 0 })
    }

    @Test func focusMovesTheSameWay() throws {
        var random = SeededGenerator(seed: UInt64(Self.seed))
        var guides: [PageGuide] = []
        var walks: [(row: Int, instant: Instant, left: Double, moves: [FocusMove])] = []
        for _ in 0..<Self.count {
            // Four seconds are a pixel, so that all offsets are whole.
            let guide = try PageGuide(shortest: 40, hour: 900, grain: 4, using: &random)
            let left = (Double.random(in: 0...(guide.layout.contentSize.width - 800), using: &random)).rounded()
            let instant = guide.layout.window.start.advanced(by: Int64(left + .random(in: 0..<800, using: &random)) * 4)
            let moves: [FocusMove] = (0..<12).map { _ in
                [.later, .later, .earlier, .nextRow, .previousRow].randomElement(using: &random) ?? .later
            }
            guides.append(guide)
            walks.append((.random(in: 0..<guide.rows.count, using: &random), instant, left, moves))
        }
        let answers: [[PagePlace]] = try PageModules.answers(
            to: zip(guides, walks).map { guide, walk in
                guide.question([
                    "walk": [
                        "row": walk.row, "instant": walk.instant.secondsSince1970, "left": walk.left,
                        "steps": walk.moves.map(\.pageName),
                    ] as [String: Any]
                ])
            })
        for ((guide, walk), answer) in zip(zip(guides, walks), answers) {
            let expected = try guide.places(row: walk.row, instant: walk.instant, left: walk.left, moves: walk.moves)
            #expect(answer == expected, "seed \(Self.seed), \(guide), \(walk)")
        }
    }
}

/// A guide for both sides: no columns and no header, one viewport of 800 points.
private struct PageGuide: CustomStringConvertible {
    let layout: GuideLayout
    let rows: [RowSchedule]
    let hour: Double
    let least: Double

    init(window: TimeWindow, hour: Double, least: Double, rows: [RowSchedule]) throws {
        let metrics = try GuideMetrics(pointsPerHour: hour, rowHeight: 56, stationColumnWidth: 0, headerHeight: 0)
        layout = try GuideLayout(
            metrics: metrics, window: window, rowCount: rows.count, clusters: ClusterPolicy(leastWidth: least))
        self.rows = rows
        self.hour = hour
        self.least = least
    }

    /// Days of 23, 24 and 25 hours, with short and long airings and gaps.
    ///
    /// - Parameters:
    ///   - shortest: Seconds of the shortest airing.
    ///   - grain: What all times are a multiple of, in seconds.
    init(shortest: Int64, hour: Double? = nil, grain: Int64 = 1, using random: inout SeededGenerator) throws {
        let start = dayStart.advanced(by: .random(in: -86_400...86_400, using: &random) / 60 * 60)
        let length = [23, 24, 25].randomElement(using: &random) ?? 24
        let range = TimeWindow(start: start, end: start.advanced(by: Int64(length) * 3600))
        let rows = (0..<Int.random(in: 1...5, using: &random)).map { row in
            var airings: [Airing] = []
            var time = range.start.advanced(by: .random(in: -7200...7200, using: &random) / grain * grain)
            while time < range.end {
                if Int.random(in: 0..<4, using: &random) == 0 {
                    time = time.advanced(by: .random(in: 1...9000, using: &random) / grain * grain)
                }
                let longest: Int64 = [120, 600, 3600, 20_000].randomElement(using: &random) ?? 600
                let seconds = max(grain, .random(in: shortest...max(shortest, longest), using: &random) / grain * grain)
                let end = time.advanced(by: seconds)
                airings.append(
                    airing(Int64(row * 10_000 + airings.count + 1), TimeWindow(start: time, end: end), row: row))
                time = end
            }
            return rowSchedule(row, airings.filter { $0.window.overlaps(range) })
        }
        try self.init(
            window: range, hour: hour ?? [60, 120, 240, 480, 777].randomElement(using: &random) ?? 240,
            least: [10, 20, 40].randomElement(using: &random) ?? 10, rows: rows)
    }

    var description: String { "\(rows.count) rows, \(layout.window), \(hour) points an hour, least \(least)" }

    func question(_ wanted: [String: Any]) -> [String: Any] {
        let guide: [String: Any] = [
            "origin": layout.window.start.secondsSince1970, "end": layout.window.end.secondsSince1970, "hour": hour,
            "least": least, "width": 800,
            "rows": rows.map { row in
                row.schedule.airings.map { airing in
                    [airing.id.rawValue, airing.window.start.secondsSince1970, airing.window.end.secondsSince1970]
                }
            },
        ]
        return wanted.merging(["guide": guide]) { $1 }
    }

    /// What the layout shows of a row between two places.
    func cells(row: Int, from: Double, to: Double) throws -> [PageCell] {
        let viewport = try Viewport(x: from, y: Double(row) * 56 + 1, width: to - from, height: 10)
        return layout.elements(in: viewport, schedules: rows).compactMap { element in
            guard [.airing, .gap, .cluster].contains(element.kind), let shown = element.shown,
                element.frame.minX < to, element.frame.maxX > from
            else { return nil }
            return PageCell(
                id: element.kind == .airing ? element.airing?.id.rawValue ?? 0 : 0, count: element.members.count,
                start: shown.start.secondsSince1970, end: shown.end.secondsSince1970, x: element.frame.minX,
                width: element.frame.width)
        }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }

    /// Where the navigator's focus is after each move.
    func places(row: Int, instant: Instant, left: Double, moves: [FocusMove]) throws -> [PagePlace] {
        let navigator = GuideNavigator(layout, source: GuideSchedules(rows))
        var viewport = try Viewport(x: left, y: 0, width: 800, height: 224)
        var focus = try #require(
            navigator.focus(inRow: row, anchor: instant, visible: layout.visibleTime(in: viewport)))
        return try moves.map { move in
            let step = navigator.step(move, from: focus, in: viewport)
            focus = step.focus
            viewport = try Viewport(x: step.contentOffset.x, y: step.contentOffset.y, width: 800, height: 224)
            return PagePlace(
                row: focus.row, id: focus.airing?.rawValue ?? 0, anchor: focus.anchor.secondsSince1970,
                left: step.contentOffset.x)
        }
    }
}

/// A cell as the page shows it: an airing, a gap with neither identifier nor number, or a cluster with the number of its airings.
private struct PageCell: Decodable, Equatable {
    let id: Int64
    let count: Int
    var start: Int64
    var end: Int64
    var x: Double
    var width: Double

    /// Of a gap the part in sight: a layout that reads what is in sight knows no more of it.
    func cut(from: Double, to: Double) -> PageCell {
        guard id == 0, count == 0 else { return self }
        let first = max(x, from)
        return PageCell(id: 0, count: 0, start: 0, end: 0, x: first, width: min(x + width, to) - first)
    }

    func moved(by seconds: Int64) -> PageCell {
        var moved = self
        moved.start += seconds
        moved.end += seconds
        return moved
    }
}

/// Where the focus is, and how far the guide is scrolled.
private struct PagePlace: Decodable, Equatable {
    let row: Int
    let id: Int64
    let anchor: Int64
    let left: Double
}

extension FocusMove {
    fileprivate var pageName: String {
        switch self {
        case .later: "later"
        case .earlier: "earlier"
        case .nextRow: "down"
        default: "up"
        }
    }
}

/// Runs the page's modules.
private enum PageModules {
    private static let package = (0..<3).reduce(URL(filePath: #filePath)) { file, _ in file.deletingLastPathComponent()
    }

    /// The path of Node.
    static let node: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .flatMap { ["\($0)/node", "\($0)/nodejs"] }.first { FileManager.default.isExecutableFile(atPath: $0) }

    static func number(_ variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
    }

    static func answers<Answer: Decodable>(to cases: [[String: Any]]) throws -> Answer {
        let question: [String: Any] = [
            "folder": package.appending(path: "Sources/CPage/Assets/guide").path, "cases": cases,
        ]
        let file = FileManager.default.temporaryDirectory.appending(path: "epg-page-\(UUID().uuidString).json")
        try JSONSerialization.data(withJSONObject: question).write(to: file)
        defer { _ = Result { try FileManager.default.removeItem(at: file) } }
        let process = Process()
        process.executableURL = URL(filePath: try #require(node))
        process.arguments = [package.appending(path: "Tests/GuidePage/agreement.js").path]
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answer = try #require(try output.fileHandleForReading.readToEnd(), "the page's modules failed")
        process.waitUntilExit()
        return try JSONDecoder().decode(Answer.self, from: answer)
    }
}
