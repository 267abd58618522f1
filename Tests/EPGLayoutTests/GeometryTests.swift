import CollectionLayout
import EPGModel
import TestSupport
import Testing

@testable import EPGLayout

/// Tests of the numbers in GridRules.md.
@Suite struct GeometryTests {
    @Test func airingFrameMatchesItsTime() throws {
        let layout = try GuideLayout.example(window: window(0, 240))
        let elements = layout.elements(
            in: try layout.everything(), schedules: [rowSchedule(0, [airing(1, window(90, 150))])])
        let cell = try #require(elements.first { $0.kind == .airing })
        expectEqual(cell.frame, Rect(minX: 1500, minY: 40, maxX: 2300, maxY: 120))
        expectEqual(cell.frame.width, 800)
    }

    /// Known fault: a now-line that ignores the width of the station and thumbnail columns.
    @Test func nowLineIncludesColumnsAndStartsBelowHeader() throws {
        let layout = try GuideLayout.example(window: window(0, 240), rows: 2)
        let elements = layout.elements(in: try layout.everything(), schedules: [], now: minutes(18))
        let line = try #require(elements.first { $0.kind == .nowLine })
        expectEqual(line.frame, Rect(minX: 540, minY: 40, maxX: 542, maxY: 210))
        let corner = try #require(elements.first { $0.kind == .corner })
        #expect(line.zIndex < ZBand.pinned.rawValue && ZBand.pinned.rawValue < corner.zIndex)
    }

    @Test(arguments: [(-1, false), (0, true), (239, true), (240, false)])
    func nowLineIsAbsentOutsideTheHalfOpenWindow(minute: Int64, isVisible: Bool) throws {
        let layout = try GuideLayout.example(window: window(0, 240))
        let elements = layout.elements(in: try layout.everything(), schedules: [], now: minutes(minute))
        expectEqual(elements.contains { $0.kind == .nowLine }, isVisible)
    }

    @Test func contentSizeIsColumnsAndTimeByHeaderAndRows() throws {
        let layout = try GuideLayout.example(window: window(0, 240), rows: 3)
        expectEqual(layout.contentSize, Size(width: 100 + 200 + 4 * 800, height: 40 + 3 * 80 + 2 * 10))
        let empty = try GuideLayout.example(window: window(0, 0), rows: 0)
        expectEqual(empty.contentSize, Size(width: 300, height: 40))
    }

    /// The start and the number of hours of 2026-03-29, 2026-03-30 and 2026-10-25 in London.
    static let londonDays: [(Int64, Int)] = [(1_774_742_400, 23), (1_774_825_200, 24), (1_792_882_800, 25)]

    /// Known faults: a hard-coded number of hour headers, and days of 86,400 seconds.
    @Test(arguments: londonDays)
    func dayHasHeaderForEachHour(midnight: Int64, hours: Int) throws {
        let first = Instant(secondsSince1970: midnight)
        let range = TimeWindow(start: first, end: first.advanced(by: Int64(hours) * 3600))
        let marks = (0..<hours * 2).map {
            TimeMark(instant: first.advanced(by: Int64($0) * 1800), label: "", kind: $0 % 2 == 0 ? .hour : .halfHour)
        }
        let layout = try GuideLayout.example(window: range)
        let headers = layout.elements(in: try layout.everything(), schedules: [], marks: marks)
        expectEqual(headers.count { $0.kind == .hourHeader }, hours)
        expectEqual(headers.count { $0.kind == .halfHourHeader }, hours)
        #expect(headers.filter { $0.kind == .hourHeader }.allSatisfy { $0.frame.width == 400 })
        expectEqual(layout.contentSize.width, 300 + Double(hours) * 800)
    }

    @Test func headerOfCurrentHourIsClippedToWindow() throws {
        // In Kathmandu (+05:45), a window that begins at a full UTC hour begins within a local hour.
        let layout = try GuideLayout.example(window: window(60, 180))
        let marks = [hourMark(minutes(15), "06:00"), hourMark(minutes(75), "07:00"), hourMark(minutes(135), "08:00")]
        let headers = layout.elements(in: try layout.everything(), schedules: [], marks: marks)
            .filter { $0.kind == .hourHeader }
        expectEqual(headers.map(\.label), ["06:00", "07:00", "08:00"])
        expectEqual(headers.map(\.isStartClipped), [true, false, false])
        expectEqual(headers.map(\.frame.minX), [300, 500, 1300])
        expectEqual(headers.map(\.frame.maxX), [500, 1300, 1900])
    }

    @Test func daySeparatorsAreAtMidnightAndCornerNamesVisibleDay() throws {
        let layout = try GuideLayout.example(window: window(0, 48 * 60), rows: 1)
        let days = [
            TimeMark(instant: minutes(-1380), label: "Sat", kind: .day),
            TimeMark(instant: minutes(60), label: "Sun", kind: .day),
        ]
        let elements = layout.elements(in: try layout.everything(), schedules: [], marks: days)
        expectEqual(elements.filter { $0.kind == .daySeparator }.map(\.frame.minX), [300 + 800])
        expectEqual(elements.first { $0.kind == .corner }?.label, "Sat")
        let later = try Viewport(x: 1100 - 100, y: 0, width: 400, height: 100)
        expectEqual(layout.elements(in: later, schedules: [], marks: days).first { $0.kind == .corner }?.label, "Sun")
    }
}
