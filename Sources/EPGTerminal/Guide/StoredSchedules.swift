import EPGLayout
import EPGModel
import Synchronization

/// One generation of the stored guide for the grid, which reads rows when they first become visible.
///
/// Rows are the stations of the guide in order, or a selection of them. A row in memory has the times of all airings in
/// ``window``; programmes in memory have the content of their cells. A failed read leaves its rows empty and sets ``failure``.
final class StoredSchedules: GuideSource {
    /// A row in memory.
    fileprivate struct Row {
        let station: StationRow
        let airings: [AiringOutline]
    }

    private struct State {
        var rows: [Int: Row] = [:]
        var briefs: [Int64: ProgrammeBrief] = [:]
        var failure: (any Error)?
    }

    /// Maximum number of rows in memory, more than the largest screen shows: about 5 MB for a busy guide.
    private static let rowLimit = 256
    /// Maximum number of programmes in memory, each about 200 bytes.
    private static let briefLimit = 8_000

    let storage: any GuideStorage
    let version: GuideVersion
    /// The time range to read.
    let window: TimeWindow
    let rowCount: Int
    /// The selected stations; `nil` for all.
    let stations: [StationID]?
    /// The guide's row for each row of the selection; `nil` for all stations.
    private let choice: [Int]?
    private let state = Mutex(State())

    /// Reads the version and the number of stations.
    ///
    /// - Parameter stations: The stations to show, in this order, or `nil` for all. Unknown stations are ignored.
    /// - Throws: An error of the store.
    init(_ storage: any GuideStorage, window: TimeWindow, stations: [StationID]? = nil) throws {
        self.storage = storage
        self.window = window
        self.stations = stations
        let (version, count, choice) = try storage.read { guide in
            (
                try guide.version(), try guide.stationCount(),
                try stations.map { try $0.compactMap { try guide.station($0)?.row } }
            )
        }
        self.version = version
        self.choice = choice
        rowCount = choice?.count ?? count
    }

    /// The error of the last read; `nil` if it succeeded.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// The station of a row; `nil` outside the guide or after a failed read.
    func station(inRow row: Int) -> StationRow? { self.row(row)?.station }

    // MARK: - GuideSource

    /// - Complexity: A binary search per row in memory. Other rows take one read of all their airings.
    func slices(inRows rows: Range<Int>, during window: TimeWindow) -> [GuideSlice] {
        let rows = rows.clamped(to: 0..<rowCount)
        let found = self.rows(rows)
        var cuts: [(row: Int, stored: Row, places: Range<Int>)] = []
        for row in rows {
            guard let stored = found[row] else { continue }
            let airings = stored.airings
            var first = airings.partitioningIndex { $0.window.end > window.start }
            var end = airings.partitioningIndex { $0.window.start >= window.end && $0.window.start > window.start }
            end = max(first, end)
            if first > 0 { first = airings.clump(at: first - 1).lowerBound }
            if end < airings.count { end = airings.clump(at: end).upperBound }
            cuts.append((row, stored, first..<end))
        }
        let briefs = briefs(ofProgrammes: cuts.flatMap { cut in cut.stored.airings[cut.places].map(\.programme) })
        return cuts.map { cut in
            let station = cut.stored.station.station
            let airings = cut.places.map { cut.stored.airing(at: $0, brief: briefs[cut.stored.airings[$0].programme]) }
            return GuideSlice(
                schedule: RowSchedule(
                    row: cut.row, stationName: station.name, schedule: Schedule(station: station.id, airings: airings)),
                firstItem: cut.places.lowerBound)
        }
    }

    func airingCount(inRow row: Int) -> Int { self.row(row)?.airings.count ?? 0 }

    func airing(_ item: Int, inRow row: Int) -> Airing? {
        guard let stored = self.row(row), stored.airings.indices.contains(item) else { return nil }
        let programme = stored.airings[item].programme
        return stored.airing(at: item, brief: briefs(ofProgrammes: [programme])[programme])
    }

    func row(of station: StationID) -> Int? {
        let found = state.withLock { state in
            state.rows.first { $0.value.station.station.id == station }?.key
        }
        if let found { return found }
        guard let row = read({ try $0.station(station)?.row }) ?? nil else { return nil }
        return choice.map { $0.firstIndex(of: row) } ?? row
    }

    /// - Complexity: O(airings of the row).
    func item(of airing: AiringID, inRow row: Int) -> Int? {
        self.row(row)?.airings.firstIndex { $0.id == airing }
    }

    // MARK: - Reading

    private func row(_ row: Int) -> Row? {
        guard (0..<rowCount).contains(row) else { return nil }
        return rows(row..<row + 1)[row]
    }

    /// Returns rows by number, from memory or from the store. Omits rows that cannot be read.
    private func rows(_ rows: Range<Int>) -> [Int: Row] {
        var found = state.withLock { state in state.rows.filter(in: rows) }
        let missing = rows.filter { found[$0] == nil }
        guard !missing.isEmpty else { return found }
        let read: [Int: Row]? = read { guide in
            var read: [Int: Row] = [:]
            for row in missing {
                let stored = choice?[row] ?? row
                guard let station = try guide.stations(inRows: stored..<stored + 1).first else { continue }
                read[row] = Row(station: station, airings: try guide.outlines(inRow: stored, during: window))
            }
            return read
        }
        guard let read else { return found }
        state.withLock { state in
            if state.rows.count + read.count > StoredSchedules.rowLimit { state.rows = found }
            state.rows.merge(read) { $1 }
        }
        found.merge(read) { $1 }
        return found
    }

    private func briefs(ofProgrammes numbers: [Int64]) -> [Int64: ProgrammeBrief] {
        var found: [Int64: ProgrammeBrief] = [:]
        let missing = state.withLock { state in
            var missing: Set<Int64> = []
            for number in numbers {
                if let brief = state.briefs[number] { found[number] = brief } else { missing.insert(number) }
            }
            return missing
        }
        guard !missing.isEmpty, let read = read({ try $0.briefs(ofProgrammes: Array(missing)) }) else { return found }
        state.withLock { state in
            // Dropping the briefs of this read, too, would make the next check read them again.
            if state.briefs.count + read.count > StoredSchedules.briefLimit { state.briefs = found }
            for brief in read { state.briefs[brief.number] = brief }
        }
        for brief in read { found[brief.number] = brief }
        return found
    }

    private func read<Answer>(_ body: (any GuideReading) throws -> Answer) -> Answer? {
        do {
            let answer = try storage.read(within: .seconds(5), body)
            state.withLock { $0.failure = nil }
            return answer
        } catch {
            state.withLock { $0.failure = error }
            return nil
        }
    }
}

extension StoredSchedules {
    /// Creates an airing from its outline and the texts of its programme.
    fileprivate static func airing(
        _ outline: AiringOutline, station: StationID, clump: Clump?, brief: ProgrammeBrief?
    ) -> Airing {
        Airing(
            id: outline.id, station: station, window: outline.window, clump: clump,
            isStopInferred: outline.isStopInferred, title: brief?.title ?? "", subtitle: brief?.subtitle,
            categories: brief?.category.map { [$0] } ?? [], marks: brief?.marks ?? [],
            genre: brief?.genre ?? .none)
    }
}

extension StoredSchedules.Row {
    fileprivate func airing(at place: Int, brief: ProgrammeBrief?) -> Airing {
        let clump = airings.clump(at: place)
        return StoredSchedules.airing(
            airings[place], station: station.station.id,
            clump: Clump(index: place - clump.lowerBound, count: clump.count), brief: brief)
    }
}

extension [Int: StoredSchedules.Row] {
    /// The rows of a range.
    fileprivate func filter(in rows: Range<Int>) -> [Int: StoredSchedules.Row] {
        var found: [Int: StoredSchedules.Row] = [:]
        for row in rows { found[row] = self[row] }
        return found
    }
}

extension [AiringOutline] {
    /// The airings that share the window of one.
    fileprivate func clump(at index: Int) -> Range<Int> {
        guard self[index].isInClump else { return index..<index + 1 }
        var (start, end) = (index, index + 1)
        while start > 0, self[start - 1].window == self[index].window { start -= 1 }
        while end < count, self[end].window == self[index].window { end += 1 }
        return start..<end
    }
}
