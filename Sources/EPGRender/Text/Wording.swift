package import EPGCalendar
package import EPGModel

/// Formatting of durations and quantities as English text.
package enum Wording {
    /// Returns a duration: `45 min`, `1 h`, `1 h 30 min`, `3 days 2 h`; less than a minute in seconds.
    package static func duration(_ seconds: Int64) -> String {
        let seconds = max(0, seconds)
        if seconds < 60 { return "\(seconds) s" }
        let minutes = seconds / 60
        if minutes < 60 { return "\(minutes) min" }
        let (hours, rest) = (minutes / 60, minutes % 60)
        if hours < 48 { return rest == 0 ? "\(hours) h" : "\(hours) h \(rest) min" }
        return hours % 24 == 0 ? "\(hours / 24) days" : "\(hours / 24) days \(hours % 24) h"
    }

    /// Returns a duration in whole minutes for a narrow column: `45m`, `1h`, `1h 30m`, `26h`.
    package static func compactDuration(_ seconds: Int64) -> String {
        let minutes = max(0, seconds) / 60
        if minutes < 60 { return "\(minutes)m" }
        return minutes % 60 == 0 ? "\(minutes / 60)h" : "\(minutes / 60)h \(minutes % 60)m"
    }

    /// Returns a number with its noun: `1 airing`, `417 airings`.
    package static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// Returns nonzero counts: `12 inserted, 3 removed`.
    package static func difference(_ difference: AiringDifference) -> String {
        let counts = [
            (difference.inserted, "inserted"), (difference.removed, "removed"), (difference.moved, "moved"),
            (difference.changed, "changed"),
        ]
        let texts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return texts.isEmpty ? "no airing changed" : texts.joined(separator: ", ")
    }

    /// Returns the changes of a lineup: `channels: 3 added, 1 removed, 2 renamed`.
    package static func difference(_ changes: [ChannelChange]) -> String {
        let counts = changes.counts
        let texts = [(counts.added, "added"), (counts.removed, "removed"), (counts.renamed, "renamed")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return texts.isEmpty ? "no channel added, removed or renamed" : "channels: \(texts.joined(separator: ", "))"
    }

    /// Returns the result of importing a lineup: `120 channels, 88 matched; channels: 3 added`.
    package static func result(of outcome: LineupOutcome) -> String {
        let counts = "\(count(outcome.channels, "channel")), \(outcome.channels - outcome.unmatched) matched"
        return outcome.changes.isEmpty ? counts : "\(counts); \(difference(outcome.changes))"
    }

    /// Returns the changes of an import: `12 inserted, 3 removed; 4 completed from “other”`.
    package static func changes(_ outcome: ImportOutcome) -> String {
        let completed = outcome.completed.sorted { $0.key < $1.key }.map {
            "\($0.value.airings) completed from “\($0.key)”"
        }
        return ([difference(outcome.airings)] + completed).joined(separator: "; ")
    }

    /// Returns a number of bytes: `812 bytes`, `147 MB`.
    package static func bytes(_ count: Int64) -> String {
        switch count {
        case ..<10_000: "\(count) bytes"
        case ..<10_000_000: "\(count / 1000) kB"
        default: "\(count / 1_000_000) MB"
        }
    }
}

extension GuideClock {
    /// Returns date, time and zone such as `Sat 24 Oct 2026, 20:30 BST`.
    package func fullLabel(_ instant: Instant) -> String {
        let time = style.text(of: zone.localDateTime(at: instant))
        return "\(date(instant)), \(time) \(zone.offset(at: instant).abbreviation)"
    }
}

extension Zone {
    /// Returns a date such as `Sat 24 Oct 2026`.
    package func dayLabel(at instant: Instant) -> String {
        let date = date(at: instant)
        return "\(date.label) \(date.year)"
    }

    /// Returns date, time and zone such as `Sat 24 Oct 2026, 20:30 BST`.
    package func fullLabel(at instant: Instant) -> String {
        let time = ClockStyle.twentyFourHours.text(of: localDateTime(at: instant))
        return "\(dayLabel(at: instant)), \(time) \(offset(at: instant).abbreviation)"
    }

    /// Returns a time such as `20:30`, preceded by the day unless `reference` is on the same day, with the year if it differs.
    package func timeLabel(at instant: Instant, seenFrom reference: Instant) -> String {
        let (date, known) = (date(at: instant), date(at: reference))
        let time = timeLabel(at: instant)
        if date == known { return time }
        return "\(date.label(seenFrom: known)) \(time)"
    }
}
