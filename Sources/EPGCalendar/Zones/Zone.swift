public import EPGModel

/// A time zone: when the clocks of a place showed, show and will show what.
///
/// Zones are read from the system's zone database with ``init(named:)``; ``utc`` needs none. Foundation isn't used: its
/// zones cost milliseconds at the start, and it says `GMT+1` where people say `BST`.
public struct Zone: Hashable, Sendable {
    /// The IANA name, such as `Europe/London`; for a zone of another origin, what it was asked by.
    public let name: String

    /// The changes of the clocks, ascending.
    private let changes: [Int64]
    /// What holds from each change on, as an index into `offsets`.
    private let offsetIndices: [UInt16]
    /// At least one; the first holds before all changes (RFC 8536, 3.2).
    private let offsets: [ZoneOffset]
    /// What holds after the last change, or always where there is none (RFC 8536, 3.3).
    private let rule: ZoneRule?

    /// UTC, which needs no zone database.
    public static let utc = Zone(name: "UTC", rule: ZoneRule(standard: .utc, daylight: nil))

    /// A zone that follows one rule always.
    init(name: String, rule: ZoneRule) {
        self.name = name
        self.rule = rule
        changes = []
        offsetIndices = []
        offsets = [rule.standard]
    }

    /// A zone of what a zone file holds.
    ///
    /// The changes that the file's rule makes up to 2100 are worked out here, once, so that looking up an offset of our
    /// days is one binary search. A file whose last change lies before 1900 goes without, for that could be any number.
    init(name: String, content: ZoneFileContent) {
        self.name = name
        rule = content.rule
        var changes = content.changes
        var offsetIndices = content.offsetIndices
        var offsets = content.offsets
        // What the last change of the file leads to holds until the rule's next change: some files contradict their own
        // rule for these weeks (America/Ojinaga in 2022, written by zic -b slim), and then the table is right.
        if let rule, rule.daylight != nil, let last = changes.last, last >= Zone.startOfYearsAhead {
            var period = rule.period(containing: Instant(secondsSince1970: last))
            while period.window.end.secondsSince1970 < Zone.endOfYearsAhead {
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

    /// 1900-01-01T00:00:00Z.
    private static let startOfYearsAhead: Int64 = -2_208_988_800
    /// 2100-01-01T00:00:00Z: from here on the rule is worked out for each question.
    private static let endOfYearsAhead: Int64 = 4_102_444_800

    /// Whether it is UTC itself, not a zone that happens to agree with it.
    public var isUTC: Bool { name == "UTC" && changes.isEmpty && offsets == [.utc] }

    /// Whether the clocks of both zones always show the same, whatever their names.
    func hasSameClocks(as other: Zone) -> Bool {
        changes == other.changes && offsetIndices == other.offsetIndices && offsets == other.offsets
            && rule == other.rule
    }

    /// What the clocks show at an instant.
    ///
    /// - Complexity: O(log *n*) for *n* changes; O(1), yet slower, after the year 2099. Nothing is allocated.
    public func offset(at instant: Instant) -> ZoneOffset {
        let count = changesUp(to: instant)
        if count == changes.count, let rule { return rule.period(containing: instant).offset }
        return offset(afterChanges: count)
    }

    /// The period between two changes of the clocks that holds an instant.
    ///
    /// - Complexity: As ``offset(at:)``.
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

    /// The number of changes at or before an instant.
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
