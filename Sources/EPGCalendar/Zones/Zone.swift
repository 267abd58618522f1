public import EPGModel

/// A time zone: the offsets of a place's clocks from UTC, in the past and the future.
///
/// ``init(named:)`` reads zones from the system's zone database; ``utc`` does not need it. The module does not use
/// Foundation, whose zones take milliseconds at startup and abbreviate British Summer Time as `GMT+1` instead of `BST`.
public struct Zone: Hashable, Sendable {
    /// The IANA name, such as `Europe/London`, or the text that a zone of another origin was created from.
    public let name: String

    /// The instants at which the offset changes, in ascending order.
    private let changes: [Int64]
    /// For each change, the index of the new offset in `offsets`.
    private let offsetIndices: [UInt16]
    /// At least one offset. The first applies before all changes (RFC 8536, 3.2).
    private let offsets: [ZoneOffset]
    /// The rule after the last change, or at all times if there is no change (RFC 8536, 3.3).
    private let rule: ZoneRule?

    /// UTC, which does not need the zone database.
    public static let utc = Zone(name: "UTC", rule: ZoneRule(standard: .utc, daylight: nil))

    /// Creates a zone that always follows one rule.
    init(name: String, rule: ZoneRule) {
        self.name = name
        self.rule = rule
        changes = []
        offsetIndices = []
        offsets = [rule.standard]
    }

    /// Creates a zone from the contents of a zone file.
    ///
    /// Expands the rule of the file up to 2100, so that looking up a current offset is a binary search. If the last
    /// change is before 1900, the rule is not expanded, because the number of changes would be unbounded.
    init(name: String, content: ZoneFileContent) {
        self.name = name
        rule = content.rule
        var changes = content.changes
        var offsetIndices = content.offsetIndices
        var offsets = content.offsets
        // The offset of the file's last change applies until the rule's next change. Some files contradict their own
        // rule during that time (America/Ojinaga in 2022, written by zic -b slim), and then the table is right.
        if let rule, rule.daylight != nil, let last = changes.last, last >= Zone.earliestExpansion {
            var period = rule.period(containing: Instant(secondsSince1970: last))
            while period.window.end.secondsSince1970 < Zone.endOfExpansion {
                let change = period.window.end
                period = rule.period(containing: change)
                let known = offsets.firstIndex(of: period.offset)
                if known == nil { offsets.append(period.offset) }
                changes.append(change.secondsSince1970)
                offsetIndices.append(UInt16(known ?? offsets.count - 1))
            }
        }
        self.changes = changes
        self.offsetIndices = offsetIndices
        self.offsets = offsets
    }

    /// 1900-01-01T00:00:00Z. Zones whose last change is earlier are not expanded.
    private static let earliestExpansion: Int64 = -2_208_988_800
    /// 2100-01-01T00:00:00Z, the end of the expanded rule.
    private static let endOfExpansion: Int64 = 4_102_444_800

    /// Whether the zone is UTC itself, as opposed to a zone with the same offset.
    public var isUTC: Bool { name == "UTC" && changes.isEmpty && offsets == [.utc] }

    /// Returns whether both zones have the same offsets at all times, regardless of their names.
    func hasSameOffsets(as other: Zone) -> Bool {
        changes == other.changes && offsetIndices == other.offsetIndices && offsets == other.offsets
            && rule == other.rule
    }

    /// Returns the offset at an instant.
    ///
    /// - Complexity: O(log *n*) for *n* changes; after 2099, O(1), but slower. Does not allocate.
    public func offset(at instant: Instant) -> ZoneOffset {
        let count = changesUp(to: instant)
        if count == changes.count, let rule { return rule.period(containing: instant).offset }
        return offset(afterChanges: count)
    }

    /// Returns the period between two changes that contains an instant.
    ///
    /// - Complexity: See ``offset(at:)``.
    public func period(containing instant: Instant) -> ZonePeriod {
        let count = changesUp(to: instant)
        let start = count == 0 ? Int64.min : changes[count - 1]
        if count == changes.count, let rule {
            let period = rule.period(containing: instant)
            let later = max(period.window.start, Instant(secondsSince1970: start))
            return ZonePeriod(window: TimeWindow(start: later, end: period.window.end), offset: period.offset)
        }
        let end = count == changes.count ? Int64.max : changes[count]
        return ZonePeriod(
            window: TimeWindow(start: Instant(secondsSince1970: start), end: Instant(secondsSince1970: end)),
            offset: offset(afterChanges: count))
    }

    private func offset(afterChanges count: Int) -> ZoneOffset {
        count == 0 ? offsets[0] : offsets[Int(offsetIndices[count - 1])]
    }

    /// Returns the number of changes at or before an instant.
    private func changesUp(to instant: Instant) -> Int {
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= instant.secondsSince1970 { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Zone: CustomStringConvertible {
    public var description: String { name }
}

// MARK: - Local times

extension Zone {
    /// Returns the local date and time at an instant.
    ///
    /// - Complexity: See ``offset(at:)``.
    public func localDateTime(at instant: Instant) -> LocalDateTime {
        LocalDateTime(secondsSince1970: instant.advanced(by: offset(at: instant).seconds).secondsSince1970)
    }

    /// Returns the minutes that a clock shows since midnight, from 0 to 1439. On days with a change of the offset, these are not
    /// the minutes that have passed.
    public func minuteOfDay(at instant: Instant) -> Int {
        let time = localDateTime(at: instant)
        return time.hour * 60 + time.minute
    }

    /// Returns the local date at an instant.
    ///
    /// - Complexity: See ``offset(at:)``.
    public func date(at instant: Instant) -> CivilDate {
        localDateTime(at: instant).date
    }

    /// Formats an instant as ISO 8601 with an offset, `2026-03-29T20:00:00+01:00`, or with `Z` in ``utc``.
    public func iso8601(_ instant: Instant) -> String {
        "\(localDateTime(at: instant))" + (isUTC ? "Z" : "\(offset(at: instant))")
    }

    /// Returns the instants with a local time, in ascending order: usually one; none if the clocks skip it; two if the
    /// clocks repeat it.
    ///
    /// - Complexity: A few lookups; see ``offset(at:)``.
    public func instants(of local: LocalDateTime) -> [Instant] {
        let seconds = local.secondsSince1970
        var instants: [Instant] = []
        for period in periods(aroundLocalSeconds: seconds) {
            let instant = period.instant(ofLocalSeconds: seconds)
            if period.window.contains(instant) { instants.append(instant) }
        }
        return instants
    }

    /// Returns the instant that a local time refers to.
    ///
    /// A repeated time refers to the first of the two instants. A skipped time is shifted forward by the length of the
    /// gap: in London on 2026-03-29, when 01:00 becomes 02:00, 01:30 refers to 02:30. RFC 5545, 3.3.5, and java.time do
    /// the same.
    public func instant(of local: LocalDateTime) -> Instant {
        instant(ofLocalSeconds: local.secondsSince1970)
    }

    /// Returns the instant that a local time refers to; see ``instant(of:)``.
    ///
    /// - Parameter seconds: Seconds since 1970-01-01T00:00:00 local time.
    /// - Complexity: A few lookups; see ``offset(at:)``. Does not allocate.
    public func instant(ofLocalSeconds seconds: Int64) -> Instant {
        var before: ZonePeriod?
        for period in periods(aroundLocalSeconds: seconds) {
            let instant = period.instant(ofLocalSeconds: seconds)
            if period.window.contains(instant) { return instant }
            // The time is in the gap between this period and the previous one.
            if instant < period.window.start, let before { return before.instant(ofLocalSeconds: seconds) }
            before = period
        }
        return Instant(secondsSince1970: seconds).advanced(by: -offset(at: Instant(secondsSince1970: seconds)).seconds)
    }

    /// Returns the periods that may contain a local time, in order.
    ///
    /// All offsets are within ±26 hours of UTC.
    func periods(aroundLocalSeconds seconds: Int64) -> ZonePeriods {
        let local = Instant(secondsSince1970: seconds)
        return periods(from: local.advanced(by: -26 * 3600), to: local.advanced(by: 26 * 3600))
    }
}

// MARK: - Local days

extension Zone {
    /// Returns the first instant of a local date.
    ///
    /// This is the first instant whose local date is this one or a later one: usually midnight; if the clocks skip
    /// midnight, the end of the gap; if the zone skips the whole date, the start of the next one.
    public func start(of date: CivilDate) -> Instant {
        let midnight = date.midnightSeconds
        for period in periods(aroundLocalSeconds: midnight) {
            let instant = max(period.window.start, period.instant(ofLocalSeconds: midnight))
            if instant < period.window.end { return instant }
        }
        return instant(ofLocalSeconds: midnight)
    }

    /// Returns the window of a local date, from its first instant to the first instant of the next date.
    ///
    /// It usually has 24 hours, 23 or 25 if the clocks change by an hour, and is empty for a date that the zone
    /// skipped, such as 2011-12-30 in Pacific/Apia. Windows of consecutive dates are adjacent.
    public func window(of date: CivilDate) -> TimeWindow {
        let start = start(of: date)
        return TimeWindow(start: start, end: max(start, self.start(of: date.advanced(byDays: 1))))
    }

    /// Returns the window of consecutive local dates.
    ///
    /// - Parameter count: The number of dates; `nil` for no end.
    package func window(ofDays count: Int?, from first: CivilDate) -> TimeWindow {
        let start = start(of: first)
        let end = count.map { self.start(of: first.advanced(byDays: $0)) } ?? .endOfTime
        return TimeWindow(start: start, end: max(start, end))
    }
}

extension CivilDate {
    /// Seconds from 1970-01-01T00:00:00 local time to the date's midnight, clamped like `LocalDateTime`.
    var midnightSeconds: Int64 {
        guard let midnight = LocalDateTime(date: self, hour: 0) else {
            preconditionFailure("every date has an hour 0 in the calendar")
        }
        return midnight.secondsSince1970
    }
}
