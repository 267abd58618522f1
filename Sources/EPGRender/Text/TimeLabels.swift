package import EPGCalendar
package import EPGLayout
package import EPGModel

/// Chooses the marks of a time axis whose labels have room: half hours, or every first, second, third … hour of the day.
///
/// The scripts of the guide page choose the same.
package struct TimeLabels {
    private let clock: GuideClock
    private let pointsPerHour: Double
    /// The length of half an hour from which half hours have labels.
    private let halfHour: Double
    /// The length of a label, except for times that occur twice on a day.
    private let room: Double
    private let length: (String) -> Double

    /// Creates a choice for a scale.
    ///
    /// - Parameters:
    ///   - halfHour: The length of half an hour from which half hours have labels; `nil` for the length of a label.
    ///   - length: Returns the length of a label along the time axis, with the space around it.
    package init(
        clock: GuideClock, pointsPerHour: Double, halfHour: Double? = nil, length: @escaping (String) -> Double
    ) {
        self.clock = clock
        self.pointsPerHour = pointsPerHour
        self.length = length
        room = length(clock.style == .twentyFourHours ? "20:00" : "10:00 PM")
        self.halfHour = halfHour ?? room
    }

    /// Returns the hours and half hours with a label; `01 BST` if there is no room for `01:00 BST`.
    ///
    /// The steps divide the day, so that labels are the same every day.
    /// - Complexity: O(n) for n marks.
    package func chosen(of hours: [TimeMark]) -> [TimeMark] {
        let step = [1, 2, 3, 4, 6, 12].first { Double($0) * pointsPerHour >= room } ?? 24
        let wanted = hours.filter { mark in
            pointsPerHour / 2 >= halfHour
                || mark.kind == .hour && clock.zone.localDateTime(at: mark.instant).hour.isMultiple(of: step)
        }
        // The label of a time that occurs twice is longer. A label without room for the next one takes its place.
        var free = wanted.first?.instant
        return wanted.compactMap { mark in
            guard let start = free, mark.instant >= start else { return nil }
            var label = mark.label
            if length(label) > Double(step) * pointsPerHour { label = label.replacing(":00 ", with: " ") }
            let seconds = max(length(label), room) * 3600 / pointsPerHour
            free = mark.instant.advanced(by: Int64(min(seconds, 1e15)))
            return TimeMark(instant: mark.instant, label: label, kind: mark.kind)
        }
    }

    /// Returns the marks with a label and all days of a window.
    ///
    /// - Parameter now: Labels of days in another year have the year; `nil` for no years.
    package func marks(in window: TimeWindow, now: Instant?) -> GuideMarks {
        let all = GuideMarks(in: window, clock: clock, now: now)
        return GuideMarks(chosen(of: all.hours) + all.days)
    }
}

extension GuideMarks {
    /// Creates the hours, half hours and days in a window, including the hour and the day that contain its start.
    ///
    /// - Parameter now: Labels of days in another year have the year; `nil` for no years.
    package init(in window: TimeWindow, clock: GuideClock, now: Instant?) {
        // Long enough for the longest day, and for zones that skipped a day.
        let sinceYesterday = TimeWindow(start: window.start.advanced(by: -50 * 3600), end: window.end)
        let sinceLastHour = TimeWindow(start: window.start.advanced(by: -3600), end: window.end)
        let hours = clock.zone.hourMarks(in: sinceLastHour, clock: clock.style)
        let days = clock.zone.dayMarks(in: sinceYesterday, seenFrom: now)
        let today = now.map { clock.zone.date(at: $0) }
        self.init(
            hours.map { TimeMark(instant: $0.instant, label: clock.time($0.instant), kind: TimeMark.Kind($0.kind)) }
                + days.map { day in
                    let date = clock.zone.date(at: day.instant)
                    let label = clock.names.label(of: date, seenFrom: today ?? date)
                    return TimeMark(instant: day.instant, label: label, kind: .day)
                })
    }
}

extension TimeMark.Kind {
    fileprivate init(_ kind: LabeledInstant.Kind) {
        switch kind {
        case .hour: self = .hour
        case .halfHour: self = .halfHour
        case .day: self = .day
        }
    }
}
