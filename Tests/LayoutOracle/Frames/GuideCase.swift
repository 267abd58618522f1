import CollectionLayout
import EPGLayout
import EPGModel

/// A guide with the content offsets to test.
struct GuideCase: Decodable {
    /// Start and end in seconds since 1970.
    let window: [Int64]
    let pointsPerHour: Double
    let rowHeight: Double
    let rowSpacing: Double
    let stationColumn: Double
    let header: Double
    /// The width of the thumbnail column; 0 for none.
    let thumbnail: Double
    let thumbnailSticks: Bool
    /// Start and stop of the airings of each station.
    let rows: [[[Int64]]]
    /// Instants of hours, half hours and days, from the generator's calendar.
    let hours: [Int64]
    let halfHours: [Int64]
    let days: [Int64]
    let now: Int64
    /// Whether time runs downward.
    let vertical: Bool
    let rightToLeft: Bool
    /// The first rows of groups.
    let groups: [Int]
    /// The height of a group's header.
    let title: Double
    /// Width and height of the view.
    let view: [Double]
    /// Content offsets.
    let offsets: [[Double]]

    /// Returns the elements' frames at each offset, by name: `airing 3 17` is airing 17 of row 3.
    func frames(scale: Double) throws -> [[String: [Double]]] {
        let layout = try GuideLayout(
            metrics: GuideMetrics(
                pointsPerHour: pointsPerHour, rowHeight: rowHeight, rowSpacing: rowSpacing,
                stationColumnWidth: stationColumn, headerHeight: header,
                thumbnails: thumbnail == 0
                    ? .none : thumbnailSticks ? .sticky(width: thumbnail) : .scrolling(width: thumbnail),
                groupHeaderHeight: title, scale: scale),
            window: span, rowCount: rows.count, groups: groups.map { GuideGroup(firstRow: $0, title: "") },
            timeAxis: vertical ? .vertical : .horizontal, direction: rightToLeft ? .rightToLeft : .leftToRight)
        let content = GuideContent(
            schedules: schedules, coverage: span,
            marks: GuideMarks(marks(hours, .hour) + marks(halfHours, .halfHour) + marks(days, .day)),
            now: Instant(secondsSince1970: now))
        return try offsets.enumerated().map { index, offset in
            let viewport = try Viewport(x: offset[0], y: offset[1], width: view[0], height: view[1])
            let everything = Rect(origin: .zero, size: layout.contentSize)
            var frames = ["content": [0, 0, layout.contentSize.width, layout.contentSize.height]]
            let rect = index == 0 ? viewport.rect : everything
            for element in layout.page(in: rect, at: viewport, of: content).elements {
                let frame = element.frame
                frames[name(of: element)] = [frame.minX, frame.minY, frame.maxX, frame.maxY]
            }
            return frames
        }
    }

    private var span: TimeWindow { TimeWindow(start: instant(window[0]), end: instant(window[1])) }

    private var schedules: [RowSchedule] {
        rows.enumerated().map { row, airings in
            let station = StationID("s\(row)")
            let list = airings.enumerated().map { index, times in
                Airing(
                    id: AiringID(Int64(index)), station: station,
                    window: TimeWindow(start: instant(times[0]), end: instant(times[1])), title: "")
            }
            return RowSchedule(row: row, stationName: "", schedule: Schedule(station: station, airings: list))
        }
    }

    private func marks(_ seconds: [Int64], _ kind: TimeMark.Kind) -> [TimeMark] {
        seconds.map { TimeMark(instant: instant($0), label: "", kind: kind) }
    }

    private func instant(_ seconds: Int64) -> Instant { Instant(secondsSince1970: seconds) }

    private func name(of element: GuideElement) -> String {
        let start = element.window?.start.secondsSince1970 ?? 0
        let row = element.row ?? -1
        return switch element.kind {
        case .airing: "airing \(row) \(element.airing?.id.rawValue ?? -1)"
        case .gap: "gap \(row) \(start)"
        case .station: "station \(row)"
        case .thumbnail: "thumbnail \(row)"
        case .hourHeader: "hour \(start)"
        case .halfHourHeader: "halfHour \(start)"
        case .daySeparator: "day \(start)"
        case .nowLine: "now"
        case .corner: "corner"
        case .cluster: "cluster \(row) \(start)"
        case .groupHeader: "group \(row)"
        }
    }
}
