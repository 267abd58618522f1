import EPGCalendar
import EPGModel

/// A read of the guide that finds changes by other processes, for a thread other than the screen's: a slow server delays no key.
///
/// It also reads the rows and hours around the screen into memory, so that the next key shows them without a read.
package struct GuideCheck: Sendable {
    /// The result of a check, for ``Browser/receive(_:)-(GuideCheck.Result)``.
    package struct Result: Sendable {
        let favoriteReads: Int
        let changes: Swift.Result<Changes, any Error>
    }

    struct Changes: Sendable {
        let version: GuideVersion
        let favorites: [StationID]
        /// The new schedules of the grid with the visible rows; `nil` if the grid is current.
        let schedules: StoredSchedules?
        /// The new home screen; `nil` if it is current or not shown.
        let shelves: [HomeView.Shelf]?
    }

    let storage: any GuideStorage
    let now: Instant
    let zone: Zone
    /// The known favorites.
    let favorites: [StationID]
    let favoriteReads: Int
    let showsOnlyFavorites: Bool
    /// The schedules in the grid.
    let schedules: StoredSchedules
    let visibleRows: Range<Int>
    let visibleTime: TimeWindow
    let isHome: Bool
    /// Whether to read the home screen even if nothing has changed.
    let isHomeDue: Bool

    /// Reads the guide; blocks until done.
    package func perform() -> Result {
        Result(favoriteReads: favoriteReads, changes: Swift.Result { try changes() })
    }

    private func changes() throws -> Changes {
        let (version, favorites) = try storage.read(within: .seconds(2)) { (try $0.version(), try $0.favorites()) }
        let stations = showsOnlyFavorites && !favorites.isEmpty ? favorites : nil
        let isCurrent = version == schedules.version && stations == schedules.stations
        let read =
            try isCurrent ? schedules : StoredSchedules(storage, window: schedules.window, stations: stations)
        // The layout looks beyond the edges of the screen, and the next key moves by a page. More than a day is too much.
        let page = visibleTime.seconds
        let margin = max(page, min(2 * page, 86_400))
        let time = TimeWindow(
            start: visibleTime.start.advanced(by: -margin), end: visibleTime.end.advanced(by: margin))
        let rows = max(0, visibleRows.lowerBound - visibleRows.count)..<visibleRows.upperBound + visibleRows.count
        _ = read.slices(inRows: rows, during: time)
        if !isCurrent {
            // The grid looks up the station of the focus at the start of the window.
            _ = read.slices(inRows: visibleRows, during: TimeWindow(start: read.window.start, end: read.window.start))
        }
        var shelves: [HomeView.Shelf]?
        if isHomeDue || isHome && (version != schedules.version || favorites != self.favorites) {
            shelves = try storage.read(within: .seconds(5)) { guide in
                try HomeView.Shelf.all(in: guide, favorites: favorites, now: now, zone: zone)
            }
        }
        return Changes(version: version, favorites: favorites, schedules: isCurrent ? nil : read, shelves: shelves)
    }
}
