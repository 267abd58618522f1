import CollectionLayout
import EPGCalendar
import EPGLayout
import EPGModel

/// A viewport over the guide, as the parameters of an address have it.
///
/// The same measures give the same elements as `epg grid --format json`.
struct GridQuery: Sendable {
    let window: TimeWindow
    /// What counts as now.
    let now: Instant
    let zone: Zone
    /// `nil` for all rows.
    let rows: RowRanges?
    let languages: [String]
    let measures: GridMeasures
    /// The cells alone: no station column and no header, and time to the right.
    let isBare: Bool

    /// Visible rows times visible hours; what is more is refused.
    static let greatestArea = 20_000.0
    /// The same where titles are looked up by language, which costs about five times as much.
    static let greatestAreaByLanguage = 4_000.0
    /// 15 days.
    static let longestHours = 360.0

    /// Reads the parameters.
    ///
    /// - Parameter isBare: Whether the cells alone are wanted; then the clock counts only where no start is given.
    init(_ request: inout RequestReader, isBare: Bool) throws(Problem) {
        self.isBare = isBare
        zone = try request.zone()
        languages = try request.languages()
        rows = try request.rows()
        measures = try GridMeasures(&request)
        let from = try request.instant("from")
        if isBare, from != nil {
            // It changes nothing here, but the address may have it.
            now = try request.instant("at") ?? request.clock
        } else {
            now = try request.minute()
        }
        window = try GridQuery.window(&request, from: from ?? GridQuery.halfHour(before: now, in: zone))
    }

    /// The window from a start up to `to`, else as long as `hours` says.
    private static func window(_ request: inout RequestReader, from start: Instant) throws(Problem) -> TimeWindow {
        let hours = try request.number("hours", default: 3, in: 0.25...longestHours)
        guard let end = try request.instant("to") else {
            return TimeWindow(start: start, end: start.advanced(by: Int64(hours * 3600)))
        }
        guard let window = TimeWindow(from: start, to: end), !window.isEmpty else {
            throw .badParameter("to", "it must be later than from, which is \(start).")
        }
        guard window.seconds <= Int64(longestHours * 3600) else {
            throw .badParameter("to", "the window is longer than 15 days; ask for a part of it.")
        }
        return window
    }

    /// The last full or half hour on the clocks of a zone.
    private static func halfHour(before now: Instant, in zone: Zone) -> Instant {
        let local = zone.localDateTime(at: now)
        return now.advanced(by: -Int64(local.minute % 30 * 60 + local.second))
    }
}

extension RequestReader {
    /// `rows`: such as `0-19,25`; `nil` where none are named.
    mutating func rows() throws(Problem) -> RowRanges? {
        try value(
            "rows", atMost: 4000, wanted: "a list of rows such as 0-19,25, counted from 0, in at most 4000 characters",
            RowRanges.init(_:))
    }
}
