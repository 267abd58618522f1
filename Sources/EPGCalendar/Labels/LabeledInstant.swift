public import EPGModel

/// An instant and its label: an hour mark or a day separator of the guide.
public struct LabeledInstant: Hashable, Sendable {
    /// The kind of a mark.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A full hour of local time.
        case hour
        /// A half hour of local time.
        case halfHour
        /// The start of a local date.
        case day
    }

    /// The instant of the mark.
    public let instant: Instant
    /// `20:00`, `8:00 PM`, `01:00 GMT` for a repeated hour, or `Sat 28 Mar` for a day.
    public let label: String
    /// The kind of the mark.
    public let kind: Kind

    /// Creates a mark.
    public init(instant: Instant, label: String, kind: Kind) {
        self.instant = instant
        self.label = label
        self.kind = kind
    }
}

// MARK: - Labels of a zone

extension Zone {
    /// The interval between hour marks.
    public enum MarkInterval: Int64, Hashable, Sendable, CaseIterable {
        case hour = 3600
        case halfHour = 1800
    }

    /// Maximum number of marks per call: 20,000, enough for a year of half hours. The marks of a longer window end
    /// early.
    public static let maximumMarkCount = 20_000

    /// Returns the full hours, and optionally half hours, of local time in a window, in ascending order.
    ///
    /// In Asia/Kathmandu, for example, the marks are at :15 and :45 UTC. A day has as many hour marks as hours: 23, 24,
    /// or 25. The label of a repeated time contains its abbreviation, or its offset if both abbreviations are equal:
    /// `01:00 BST`, `01:00 GMT`.
    ///
    /// - Parameters:
    ///   - window: The window. The function clamps it to about ±998,000 years.
    ///   - interval: The interval between marks. The default is half an hour.
    ///   - clock: The format of the labels. The default is `20:00`.
    /// - Returns: At most ``maximumMarkCount`` marks.
    /// - Complexity: O(*n* log *m*) for *n* marks in a zone with *m* changes.
    public func hourMarks(
        in window: TimeWindow, every interval: MarkInterval = .halfHour, clock: ClockStyle = .twentyFourHours
    ) -> [LabeledInstant] {
        let window = window.withinSupportedTime
        guard !window.isEmpty else { return [] }
        var marks: [LabeledInstant] = []
        for period in periods(from: window.start, to: window.end) {
            guard let part = period.window.intersection(window) else { continue }
            let first = period.localSeconds(at: part.start)
            let beyond = first.quotientAndRemainderFloored(dividingBy: interval.rawValue).remainder
            var local = beyond == 0 ? first : first + interval.rawValue - beyond
            while period.instant(ofLocalSeconds: local) < part.end {
                if marks.count == Zone.maximumMarkCount { return marks }
                let instant = period.instant(ofLocalSeconds: local)
                marks.append(
                    LabeledInstant(
                        instant: instant, label: timeLabel(at: instant, clock: clock),
                        kind: local % 3600 == 0 ? .hour : .halfHour))
                local += interval.rawValue
            }
        }
        return marks
    }

    /// Returns the starts of the local dates that begin in a window, in ascending order, without skipped dates.
    ///
    /// - Parameters:
    ///   - window: The window. The function clamps it to about ±998,000 years.
    ///   - now: Labels of dates in another year have the year; `nil` for no years.
    /// - Returns: At most ``maximumMarkCount`` marks.
    /// - Complexity: O(*n* log *m*) for *n* dates in a zone with *m* changes.
    public func dayMarks(in window: TimeWindow, seenFrom now: Instant? = nil) -> [LabeledInstant] {
        let window = window.withinSupportedTime
        guard !window.isEmpty else { return [] }
        var marks: [LabeledInstant] = []
        var date = date(at: window.start)
        var day = self.window(of: date)
        let today = now.map { self.date(at: $0) }
        while day.start < window.end, marks.count < Zone.maximumMarkCount {
            if day.start >= window.start, !day.isEmpty {
                marks.append(LabeledInstant(instant: day.start, label: date.label(seenFrom: today ?? date), kind: .day))
            }
            date = date.advanced(byDays: 1)
            day = self.window(of: date)
        }
        return marks
    }

    /// Returns the local time at an instant, with its abbreviation if the time is repeated: `20:00`, `01:00 GMT`.
    public func timeLabel(at instant: Instant, clock: ClockStyle = .twentyFourHours) -> String {
        let local = localDateTime(at: instant)
        let text = clock.text(of: local)
        let twins = instants(of: local).filter { $0 != instant }
        guard !twins.isEmpty else { return text }
        let offset = offset(at: instant)
        let abbreviationIsUnique = twins.allSatisfy { self.offset(at: $0).abbreviation != offset.abbreviation }
        return text + " " + (abbreviationIsUnique ? offset.abbreviation : "\(offset)")
    }
}

extension TimeWindow {
    /// The part of the window for which local times are supported, less two days at each end.
    fileprivate var withinSupportedTime: TimeWindow {
        let bounds = LocalDateTime.supportedSeconds
        let first = Instant(secondsSince1970: bounds.lowerBound + 2 * 86_400)
        let last = Instant(secondsSince1970: bounds.upperBound - 2 * 86_400)
        return TimeWindow(start: min(max(start, first), last), end: min(max(end, first), last))
    }
}

/// The format of hours.
public enum ClockStyle: String, Hashable, Sendable, CaseIterable {
    /// `20:00`, from `00:00` to `23:59`.
    case twentyFourHours = "24"
    /// `8:00 PM`; midnight is `12:00 AM`, noon `12:00 PM`.
    case twelveHours = "12"

    /// Formats a time of day.
    public func text(of time: LocalDateTime) -> String {
        switch self {
        case .twentyFourHours: "\(digits: time.hour):\(digits: time.minute)"
        case .twelveHours:
            "\((time.hour + 11) % 12 + 1):\(digits: time.minute) " + (time.hour < 12 ? "AM" : "PM")
        }
    }
}
