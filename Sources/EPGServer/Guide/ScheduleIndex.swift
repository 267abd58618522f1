import EPGModel
import EPGRender
import Synchronization

/// An in-memory cache of the schedules of one version of the guide by row and day, for ``EPGRender/GridColumns``.
///
/// A cached viewport costs a binary search per row, so the event loop of `epgd` can respond directly (49 µs of CPU). A cache
/// miss reads complete days, so the first viewport of a day reads all airings of its rows on that day.
final class ScheduleIndex: Sendable {
    /// A UTC day of a row, counted from 1970.
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
    /// The number of stations, which equals the number of rows.
    let stationCount: Int
    private let texts: GridTexts
    /// In bytes.
    private let capacity: Int
    private let state = Mutex(State())

    /// Creates an empty index.
    ///
    /// - Parameters:
    ///   - texts: The texts of the same database, which are shared between versions.
    ///   - capacity: The maximum number of bytes of airings.
    init(of version: GuideVersion, stationCount: Int, texts: GridTexts, capacity: Int) {
        self.version = version
        self.stationCount = stationCount
        self.texts = texts
        self.capacity = capacity
    }

    /// The size of the airings in bytes.
    var size: Int { state.withLock { $0.size } }

    /// Returns the airings of rows in a window; `nil` unless all are in memory.
    ///
    /// - Parameter first: The layout's row for the first row; the others follow it.
    /// - Complexity: O(*rows* · (*days* + log *airings of a day*)).
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

    /// Returns the airings of rows in a window. Reads missing days, and caches them if there is room.
    ///
    /// - Parameters:
    ///   - first: The layout's row for the first row; the others follow it.
    ///   - guide: The guide at ``version``.
    /// - Throws: An error of the store.
    func rows(
        _ rows: RowRanges, from first: Int, during window: TimeWindow, guide: any GuideReading
    ) throws -> [GridRow] {
        let days = window.daysSince1970
        let rows = Array(rows.ranges.joined())
        var found = state.withLock { state in
            rows.map { row in days.map { state.days[Place(row: Int32(row), day: $0)] } }
        }
        let missing = found.indices.filter { found[$0].contains { $0 == nil } }
        let gaps = missing.flatMap { row in days.indices.filter { found[row][Int($0 - days.lowerBound)] == nil } }
        if let firstDay = gaps.min(), let lastDay = gaps.max() {
            // One query covers all missing days, so it may read others again.
            let range = firstDay..<lastDay + 1
            let read = try self.read(range, ofRows: missing.map { rows[$0] }, guide)
            for (index, ofRow) in zip(missing, read) {
                for (day, airings) in zip(range, ofRow) { found[index][Int(day - days.lowerBound)] = airings }
                store(ofRow, at: range.map { Place(row: Int32(rows[index]), day: $0) })
            }
        }
        return found.enumerated().map { index, ofRow in
            var airings = DayJoin(window)
            for ofDay in ofRow { airings.append(ofDay ?? []) }
            return GridRow(row: first + index, airings: airings.joined)
        }
    }

    /// Returns the airings of rows for each day.
    private func read(
        _ days: Range<Int32>, ofRows rows: [Int], _ guide: any GuideReading
    ) throws -> [[[GridAiring]]] {
        let outlines = try guide.outlines(inRows: rows, during: TimeWindow(daysSince1970: days))
        let numbers = rows.flatMap { outlines[$0] ?? [] }.map(\.programme)
        var texts = try texts.texts(ofProgrammes: numbers, from: guide)[...]
        return rows.map { row in
            var found = days.map { _ in [GridAiring]() }
            for outline in outlines[row] ?? [] {
                guard let text = texts.removeFirst() else { continue }
                let airing = GridAiring(outline, text: text)
                for day in outline.window.daysSince1970.clamped(to: days) {
                    found[Int(day - days.lowerBound)].append(airing)
                }
            }
            return found
        }
    }

    /// Caches days. A full cache drops half of its days.
    private func store(_ days: [[GridAiring]], at places: [Place]) {
        let size = days.reduce(0) { $0 + ScheduleIndex.size(of: $1) }
        guard size <= capacity / 8 else { return }
        state.withLock { state in
            for (place, day) in zip(places, days) where state.days.updateValue(day, forKey: place) == nil {
                state.size += ScheduleIndex.size(of: day)
            }
            guard state.size > capacity else { return }
            // The order of a dictionary is arbitrary, and so is the choice of days.
            for place in Array(state.days.keys.prefix(state.days.count / 2)) {
                state.size -= state.days.removeValue(forKey: place).map(ScheduleIndex.size(of:)) ?? 0
            }
        }
    }

    /// The approximate size of a day and its key in bytes.
    private static func size(of day: [GridAiring]) -> Int { day.count * MemoryLayout<GridAiring>.stride + 80 }
}

/// A cache of the texts of programmes in grids by their numbers in one database.
///
/// A number identifies the same content for the lifetime of the database, so entries never expire.
final class GridTexts: Sendable {
    private struct State {
        var texts: [Int64: GridText] = [:]
        /// In bytes.
        var size = 0
    }

    /// In bytes.
    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: The maximum number of bytes of texts.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Returns the text of each programme, or `nil` if it does not exist. Reads missing texts and caches them.
    ///
    /// - Throws: An error of the store.
    func texts(ofProgrammes numbers: [Int64], from guide: any GuideReading) throws -> [GridText?] {
        var found = state.withLock { state in numbers.map { state.texts[$0] } }
        let missing = Set(zip(numbers, found).lazy.filter { $0.1 == nil }.map(\.0))
        guard !missing.isEmpty else { return found }
        let briefs = try guide.briefs(ofProgrammes: Array(missing))
        let read = Dictionary(uniqueKeysWithValues: briefs.map { ($0.number, GridText($0)) })
        store(read)
        for index in found.indices where found[index] == nil { found[index] = read[numbers[index]] }
        return found
    }

    /// Caches texts. A full cache is emptied first; airings keep their references.
    private func store(_ read: [Int64: GridText]) {
        let size = read.values.reduce(0) { $0 + $1.size }
        guard size <= capacity / 8 else { return }
        state.withLock { state in
            if state.size + size > capacity { state = State() }
            for (number, text) in read where state.texts.updateValue(text, forKey: number) == nil {
                state.size += text.size
            }
        }
    }
}

/// Joins the days of a row to the airings that overlap a window.
private struct DayJoin {
    private let window: TimeWindow
    private(set) var joined: ArraySlice<GridAiring> = []

    init(_ window: TimeWindow) {
        self.window = window
    }

    /// Adds the airings of the next day. An airing that spans midnight is in both days.
    ///
    /// - Complexity: O(log *airings*) for the first day, O(*airings of the window*) for others.
    mutating func append(_ day: [GridAiring]) {
        let first = day.partitioningIndex { $0.end > window.start }
        let end = day.partitioningIndex { $0.start >= window.end }
        guard first < end else { return }
        guard let last = joined.last else {
            joined = day[first..<end]
            return
        }
        joined += day[first..<end].drop { $0.start < last.end || $0.id == last.id }
    }
}

/// The ``ScheduleIndex`` of the current version of the guide.
final class CurrentSchedules: Sendable {
    private struct State {
        var index: ScheduleIndex?
        var texts: GridTexts
        /// Up to eight previous versions, oldest first.
        var past: [GuideVersion] = []
    }

    /// The maximum number of bytes of airings. Texts may take another half of it.
    private let capacity: Int
    private let state: Mutex<State>

    /// - Parameter capacity: The maximum number of bytes of airings.
    init(capacity: Int) {
        self.capacity = capacity
        state = Mutex(State(texts: GridTexts(capacity: capacity / 2)))
    }

    /// The size of the airings in bytes.
    var size: Int { state.withLock { $0.index }?.size ?? 0 }

    /// Returns the index of a version; `nil` unless it is the current one.
    func index(of version: GuideVersion) -> ScheduleIndex? {
        state.withLock { $0.index?.version == version ? $0.index : nil }
    }

    /// Returns the index of the version that a read sees, and makes it current unless a newer version already is.
    ///
    /// Texts of programmes stay cached while each version succeeds the previous one in the same database.
    ///
    /// - Throws: An error of the store.
    func index(of version: GuideVersion, in guide: any GuideReading) throws -> ScheduleIndex {
        let known = state.withLock { $0.index }
        if let known, known.version == version { return known }
        let count = try guide.stationCount()
        let isSuccessor = try known.map { try guide.version(of: $0.version.generation) == $0.version } ?? true
        return state.withLock { state in
            if let index = state.index, index.version == version { return index }
            // Another thread was faster, or the version is outdated: use a separate index for this response only.
            guard state.index === known, !state.past.contains(version) else {
                let texts = GridTexts(capacity: capacity / 2)
                return ScheduleIndex(of: version, stationCount: count, texts: texts, capacity: capacity)
            }
            if let known { state.past = state.past.suffix(7) + [known.version] }
            if !isSuccessor { state.texts = GridTexts(capacity: capacity / 2) }
            let index = ScheduleIndex(of: version, stationCount: count, texts: state.texts, capacity: capacity)
            state.index = index
            return index
        }
    }
}
