import CollectionLayout
import EPGCalendar
import EPGLayout
import EPGModel

/// The line above the rows: the day in the corner, and the hours over their columns.
struct TextHeader {
    /// Columns at which a tick stands.
    private(set) var borders: Set<Int> = []
    private(set) var line: TextLine

    private let timeColumn: Int
    private let days: [GuideElement]
    /// The day that the corner names.
    private let today: String?

    init(elements: [GuideElement], grid: TextGrid) {
        let corner = elements.first { $0.kind == .corner }
        line = TextLine(columns: grid.columns)
        timeColumn = Int(corner?.frame.maxX ?? 0)
        days = elements.filter { $0.kind == .daySeparator }
        today = corner?.label
        if let today {
            line.draw(TerminalText(today), in: 1..<max(1, timeColumn), TerminalStyle(isBold: true))
        }
        let marks = elements.filter { !$0.isStartClipped }.sorted { $0.frame.minX < $1.frame.minX }
        let hours = marks.filter { $0.kind == .hourHeader }
        let (labelled, step) = TextHeader.labelled(hours, zone: grid.zone)
        borders = Set(labelled.map { Int($0.frame.minX) } + [timeColumn])
        for column in borders { line.draw("│", at: column, .dim) }
        for (index, hour) in labelled.enumerated() {
            let next = index + 1 < labelled.count ? Int(labelled[index + 1].frame.minX) : grid.columns
            draw(hour, before: next)
        }
        if step == 1 {
            for half in marks where half.kind == .halfHourHeader { drawHalfHour(half) }
        }
        if let now = elements.first(where: { $0.kind == .nowLine }).map({ Int($0.frame.minX) }), line.isBlank(now) {
            line.draw("▾", at: now, TextGrid.nowLine)
        }
    }

    /// The hours that have room for their labels and a blank: each, or those that every second, third … hour of the local
    /// clock begins, so that they are the same each day.
    private static func labelled(_ hours: [GuideElement], zone: Zone) -> (hours: [GuideElement], step: Int) {
        guard let first = hours.first, let last = hours.last, hours.count > 1 else { return (hours, 1) }
        let widest = Double(hours.compactMap { $0.label.map { DisplayWidth.of($0) } }.max() ?? 0) + 2
        let hourWidth = (last.frame.minX - first.frame.minX) / Double(hours.count - 1)
        let step = [1, 2, 3, 4, 6, 12].first { Double($0) * hourWidth >= widest } ?? 24
        var labelled: [GuideElement] = []
        for hour in hours {
            guard let start = hour.window?.start, zone.localDateTime(at: start).hour.isMultiple(of: step) else {
                continue
            }
            // A repeated hour has no room, and a day may have none either.
            if step > 1, let previous = labelled.last, hour.frame.minX - previous.frame.minX < widest { continue }
            labelled.append(hour)
        }
        return (labelled, step)
    }

    /// Draws an hour's label, or that of the day which begins with it.
    private mutating func draw(_ hour: GuideElement, before next: Int) {
        let column = Int(hour.frame.minX)
        let day = days.first { $0.window?.start == hour.window?.start }?.label
        for (label, isBold) in [(day == today ? nil : day, true), (hour.label, false)] {
            guard let text = label.map({ TerminalText($0) }), column + 1 + text.width <= next else { continue }
            line.draw(text, in: column + 1..<next, TerminalStyle(isBold: isBold))
            return
        }
    }

    /// Draws the label of a half hour where nothing else stands.
    private mutating func drawHalfHour(_ half: GuideElement) {
        guard let label = half.label.map({ TerminalText($0) }) else { return }
        let start = Int(half.frame.minX)
        let isFree = start + label.width < line.columns && line.isBlank(start - 1..<start + label.width + 2)
        guard isFree, half.frame.width > Double(label.width) + 1 else { return }
        line.draw("╷", at: start, .dim)
        line.draw(label, in: start + 1..<line.columns, .dim)
    }
}
