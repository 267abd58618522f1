import EPGModel
import EPGRender
import Synchronization

/// The schedules of one version of the guide in memory, by row and day, as far as they were asked for.
///
/// A viewport then costs a search in each of its rows. What isn't here yet is read by the day, so that the first viewport
/// over a day costs that day's airings of its rows and no more.
final class ScheduleIndex: Sendable {
    /// A day of a row, counted from 1970 in UTC.
    private struct Place: Hashable {
        let row: Int32
        let day: Int32
    }

    private struct State {
        var days: [Place: [GridAiring]] = [:]
        /// In bytes.
        var size = 0
    }

    let version: GuideVersion
    /// The number of stations, which is the number of rows.
    let stationCount: Int
    private let texts: GridTexts
    /// In bytes.
    private let capacity: Int
    private let state = Mutex(State())

    /// An index that is empty.
    ///
    /// - Parameters:
    ///   - texts: Those of the same database, which outlive the version.
    ///   - capacity: Bytes of airings that are kept.
    init(of version: GuideVersion, stationCount: Int, texts: GridTexts, capacity: Int) {
        self.version = version
        self.stationCount = stationCount
        self.texts = texts
        self.capacity = capacity
    }

    /// Bytes that the airings take.
    var size: Int { state.withLock { $0.size } }

    /// What is on in some rows during a window, if all of it is here.
    ///
    /// - Parameter first: The layout's row of the first of them; the others follow on it.
    /// - Complexity: O(rows · (days + log airings of a day)).
    func rows(_ rows: RowRanges, from first: Int, during window: TimeWindow) -> [GridRow]? {
        let days = window.daysSince1970
        var found: [GridRow] = []
        found.reserveCapacity(rows.count)
        return state.withLock { state in
            for row in rows.ranges.joined() {
                var airings = DayJoin(window)
                for day in days {
                    guard let ofDay = state.days[Place(row: Int32(row), day: day)] else { return nil }
                    airings.append(ofDay)
                }
                found.append(GridRow(row: first + found.count, airings: airings.joined))
            }
            return found
        }
    }

    /// What is on in some rows during a window; what isn't here is read, and kept where there is room.
    ///
    /// - Parameters:
    ///   - first: The layout's row of the first of them; the others follow on it.
    ///   - guide: That of ``version``.
    /// - Throws: An error of the store.
    func rows(
        _ rows: RowRanges, from first: Int, during window: TimeWindow, guide: any GuideReading
    ) throws -> [GridRow] {
        if let found = self.rows(rows, from: first, during: window) { return found }
        var found: [GridRow] = []
        found.reserveCapacity(rows.count)
        for row in rows.ranges.joined() {
            var airings = DayJoin(window)
            for ofDay in try days(window.daysSince1970, ofRow: row, guide) { airings.append(ofDay) }
            found.append(GridRow(row: first + found.count, airings: airings.joined))
        }
        return found
    }

    /// The airings of each of some days of a row.
    private func days(_ days: Range<Int32>, ofRow row: Int, _ guide: any GuideReading) throws -> [[GridAiring]] {
        let places = days.map { Place(row: Int32(row), day: $0) }
        var found = state.withLock { state in places.map { state.days[$0] } }
        guard let first = found.firstIndex(where: { $0 == nil }), let last = found.lastIndex(where: { $0 == nil })
        else {
            return found.map { $0 ?? [] }
        }
        // Of what lies between days that are missing some may be read once more.
        let read = try self.read(days.lowerBound + Int32(first)..<days.lowerBound + Int32(last) + 1, ofRow: row, guide)
        found.replaceSubrange(first...last, with: read.map(Optional.some))
        keep(read, at: places[first...last])
        return found.map { $0 ?? [] }
    }

    private func read(_ days: Range<Int32>, ofRow row: Int, _ guide: any GuideReading) throws -> [[GridAiring]] {
        let outlines = try guide.outlines(inRow: row, during: TimeWindow(daysSince1970: days))
        let texts = try texts.texts(ofProgrammes: outlines.map(\.programme), from: guide)
        var found = days.map { _ in [GridAiring]() }
        for (outline, text) in zip(outlines, texts) {
            guard let text else { continue }
            let airing = GridAiring(outline, text: text)
            for day in outline.window.daysSince1970.clamped(to: days) {
                found[Int(day - days.lowerBound)].append(airing)
            }
        }
        return found
    }

    /// Keeps days; where there is no room for them, half of the others go.
    private func keep(_ days: [[GridAiring]], at places: ArraySlice<Place>) {
        let size = days.reduce(0) { $0 + ScheduleIndex.size(of: $1) }
        guard size <= capacity / 8 else { return }
        state.withLock { state in
            for (place, day) in zip(places, days) where state.days.updateValue(day, forKey: place) == nil {
                state.size += ScheduleIndex.size(of: day)
            }
            guard state.size > capacity else { return }
            // A dictionary has no order, so those that go are any.
            for place in Array(state.days.keys.prefix(state.days.count / 2)) {
                state.size -= state.days.removeValue(forKey: place).map(ScheduleIndex.size(of:)) ?? 0
            }
        }
    }

    /// Bytes that the airings of a day take with their place, roughly.
    private static func size(of day: [GridAiring]) -> Int { day.count * MemoryLayout<GridAiring>.stride + 80 }
}
