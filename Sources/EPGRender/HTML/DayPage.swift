package import EPGCalendar
package import EPGModel

/// What the page of a station shows: one day of its schedule, by the clocks of a zone.
package struct DayPage: Sendable {
    let station: StationRow
    let date: CivilDate
    /// From the first instant of the day to that of the next: 23, 24 or 25 hours.
    let window: TimeWindow
    let now: Instant
    let zone: Zone
    /// The parts of the day in which something stands.
    let parts: [DayPart]
    /// The days that the reader may choose from, ascending; the shown one is among them.
    let days: [CivilDate]

    /// How many days there are to choose from at most.
    static let dayLimit = 15

    /// - Parameters:
    ///   - schedule: What overlaps the day.
    ///   - span: What is known of the guide as a whole; `nil` where nothing is.
    package init(
        station: StationRow, date: CivilDate, schedule: Schedule, now: Instant, zone: Zone, span: TimeWindow?
    ) {
        self.station = station
        self.date = date
        self.now = now
        self.zone = zone
        let window = zone.window(of: date)
        self.window = window
        days = DayPage.days(around: date, today: zone.date(at: now), span: span, zone: zone)

        var parts: [DayPart] = []
        for segment in schedule.segments(in: window) {
            let rows = DayRow.rows(of: segment)
            let start = max(window.start, rows.first?.window.start ?? window.start)
            let name = DayPart.Name(hour: zone.localDateTime(at: start).hour)
            if parts.last?.name != name { parts.append(DayPart(name: name, rows: [])) }
            parts[parts.count - 1].rows += rows
        }
        self.parts = parts
    }

    /// Whether the day has another number of hours than 24, and how many.
    var oddHours: Int64? { window.seconds == 86_400 || window.isEmpty ? nil : window.seconds / 3600 }

    /// Days of the guide, at most ``dayLimit`` of them, as many before the chosen one as there may be after it.
    private static func days(around date: CivilDate, today: CivilDate, span: TimeWindow?, zone: Zone) -> [CivilDate] {
        let first = span.map { zone.date(at: $0.start) } ?? today
        let last = span.map { zone.date(at: $0.end.advanced(by: -1)) } ?? today
        let earliest = min(first, date).daysSince1970
        let latest = max(last, date, first).daysSince1970
        let chosen = date.daysSince1970
        let half = Int64(dayLimit / 2)
        // The window of days slides so that it is full where the guide has enough of them.
        let start = max(earliest, min(chosen - half, latest - Int64(dayLimit) + 1))
        let end = min(latest, start + Int64(dayLimit) - 1)
        return (start...max(start, end)).map { CivilDate(daysSince1970: $0) }
    }
}

/// A part of the day, with what begins in it.
struct DayPart: Hashable, Sendable {
    enum Name: String, Hashable, Sendable, CaseIterable {
        case night = "Night"
        case morning = "Morning"
        case afternoon = "Afternoon"
        case evening = "Evening"

        /// The part that an hour of the clock belongs to, from 0.
        init(hour: Int) {
            self =
                switch hour {
                case ..<6: .night
                case ..<12: .morning
                case ..<18: .afternoon
                default: .evening
                }
        }
    }

    let name: Name
    var rows: [DayRow]
}

/// A row of the day: an airing, or that nothing is known.
enum DayRow: Hashable, Sendable {
    case airing(Airing)
    case gap(TimeWindow)

    static func rows(of segment: ScheduleSegment) -> [DayRow] {
        switch segment {
        case .airings(let airings): airings.map { .airing($0) }
        case .gap(let window): [.gap(window)]
        }
    }

    var window: TimeWindow {
        switch self {
        case .airing(let airing): airing.window
        case .gap(let window): window
        }
    }
}

extension Airing {
    /// `S1 E13 · The Map Room`
    var secondLine: String? {
        let words = [episode, subtitle].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: " · ")
    }
}
