public import EPGModel

extension Zone {
    /// How far apart hour marks stand.
    public enum MarkInterval: Int64, Hashable, Sendable, CaseIterable {
        case hour = 3600
        case halfHour = 1800
    }

    /// The most marks that one call gives: enough for a year of half-hours. A longer window is marked from its start
    /// for as long as they last.
    public static let maximumMarkCount = 20_000

    /// The full hours (and half-hours) of the zone's clocks in a window, ascending.
    ///
    /// Marks stand where the clocks show a full or half hour, so in Asia/Kathmandu at :15 of UTC. A day has as many
    /// hour marks as hours, be they 23, 24 or 25. A time that is repeated on that day carries its abbreviation, or its
    /// offset where both abbreviations are the same: `01:00 BST`, `01:00 GMT`.
    ///
    /// - Complexity: O(*n* log *m*) for *n* marks in a zone with *m* changes.
    public func hourMarks(
        in window: TimeWindow, every interval: MarkInterval = .halfHour, clock: ClockStyle = .twentyFourHours
    ) -> [LabelledInstant] {
        let window = window.withinSupportedTime
        guard !window.isEmpty else { return [] }
        var marks: [LabelledInstant] = []
        for period in periods(from: window.start, to: window.end) {
            guard let part = period.window.intersection(window) else { continue }
            let first = period.localSeconds(at: part.start)
            let beyond = first.quotientAndRemainderFloored(dividingBy: interval.rawValue).remainder
            var local = beyond == 0 ? first : first + interval.rawValue - beyond
            while period.instant(ofLocalSeconds: local) < part.end {
                if marks.count == Zone.maximumMarkCount { return marks }
                let instant = period.instant(ofLocalSeconds: local)
                marks.append(
                    LabelledInstant(
                        instant: instant, label: timeLabel(at: instant, clock: clock),
                        kind: local % 3600 == 0 ? .hour : .halfHour))
                local += interval.rawValue
            }
        }
        return marks
    }

    /// The starts of the local dates that begin in a window, ascending; a date that the zone skipped has none.
    public func dayMarks(in window: TimeWindow) -> [LabelledInstant] {
        let window = window.withinSupportedTime
        guard !window.isEmpty else { return [] }
        var marks: [LabelledInstant] = []
        var date = date(at: window.start)
        var day = self.window(of: date)
        while day.start < window.end, marks.count < Zone.maximumMarkCount {
            if day.start >= window.start, !day.isEmpty {
                marks.append(LabelledInstant(instant: day.start, label: date.label, kind: .day))
            }
            date = date.advanced(byDays: 1)
            day = self.window(of: date)
        }
        return marks
    }

    /// What the clocks show at an instant, told apart where they show it twice: `20:00`, `01:00 GMT`.
    public func timeLabel(at instant: Instant, clock: ClockStyle = .twentyFourHours) -> String {
        let local = localDateTime(at: instant)
        let text = clock.text(of: local)
        let twins = instants(of: local).filter { $0 != instant }
        guard !twins.isEmpty else { return text }
        let offset = offset(at: instant)
        let isToldByName = twins.allSatisfy { self.offset(at: $0).abbreviation != offset.abbreviation }
        return text + " " + (isToldByName ? offset.abbreviation : "\(offset)")
    }
}

extension TimeWindow {
    /// The part of the window for which local times are worked out, two days less than the whole of it.
    fileprivate var withinSupportedTime: TimeWindow {
        let bounds = LocalDateTime.supportedSeconds
        let first = Instant(secondsSince1970: bounds.lowerBound + 2 * 86_400)
        let last = Instant(secondsSince1970: bounds.upperBound - 2 * 86_400)
        return TimeWindow(start: min(max(start, first), last), end: min(max(end, first), last))
    }
}
