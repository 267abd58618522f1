import EPGCalendar
import EPGModel

/// A programme that the name of a channel announces.
struct ChannelEvent: Hashable, Sendable {
    /// The channel without the programme (`PPV 3`), if the pattern has the group `channel`.
    var channel: String?
    var title: String
    var window: TimeWindow
    var pattern: ChannelNamePattern
}

/// Reads programmes out of the names of channels (Rules.md, rule 19).
struct ChannelNameReader {
    private let patterns: [(pattern: ChannelNamePattern, match: (String) -> [String: String]?)]
    /// The zone of days.
    private let localZone: Zone

    init(_ patterns: [ChannelNamePattern], zone: Zone) throws {
        self.patterns = try patterns.map { ($0, try $0.pattern.matcher()) }
        localZone = zone
    }

    /// Returns the programme by the first pattern that matches the name of a channel and finds a title and a valid time.
    ///
    /// - Parameter firstSeen: The instant at which the name was first seen: a time without a date is the first one whose programme
    ///   had not ended then, and a date without a year the nearest one.
    func event(of channel: Channel, firstSeen: Instant) -> ChannelEvent? {
        for (pattern, match) in patterns where channel.isSelected(by: pattern.channels) {
            guard let texts = match(channel.name), let event = event(texts, pattern, firstSeen: firstSeen)
            else { continue }
            return event
        }
        return nil
    }

    private func event(
        _ texts: [String: String], _ pattern: ChannelNamePattern, firstSeen: Instant
    ) -> ChannelEvent? {
        guard let title = texts["title"]?.trimmedName, !title.isEmpty,
            let time = texts["time"].flatMap(ClockTime.init)
        else { return nil }
        let eventZone = zone(named: texts["zone"], pattern)
        let seconds = texts["duration"].flatMap(Self.duration) ?? pattern.duration
        let start: Instant
        switch date(texts, near: eventZone.date(at: firstSeen), in: eventZone) {
        case .invalid: return nil
        case .date(let date):
            guard let local = LocalDateTime(date: date, hour: time.hour, minute: time.minute) else { return nil }
            start = eventZone.instant(of: local)
        case .none:
            let day = eventZone.date(at: firstSeen)
            let next = (-1...1).lazy.compactMap { days in
                LocalDateTime(date: day.advanced(byDays: days), hour: time.hour, minute: time.minute)
                    .map { eventZone.instant(of: $0) }
            }.first { $0.advanced(by: seconds) > firstSeen }
            guard let next else { return nil }
            start = next
        }
        return ChannelEvent(
            channel: texts["channel"]?.trimmedName, title: title,
            window: TimeWindow(start: start, end: start.advanced(by: seconds)), pattern: pattern)
    }

    // MARK: - Zones

    /// Abbreviations in names of channels. Abbreviations of winter and summer mean the zone, because names often have the wrong one.
    private static let abbreviations: [String: String] = {
        let zones = [
            "America/New_York": "ET EST EDT", "America/Chicago": "CT CST CDT", "America/Denver": "MT MST MDT",
            "America/Los_Angeles": "PT PST PDT", "Europe/London": "UK BST", "Europe/Lisbon": "WET WEST",
            "Europe/Paris": "CET CEST", "Europe/Athens": "EET EEST", "Europe/Moscow": "MSK", "Asia/Kolkata": "IST",
            "Asia/Tokyo": "JST", "Australia/Sydney": "AET AEST AEDT", "Pacific/Auckland": "NZT NZST NZDT",
            "UTC": "UTC GMT Z",
        ]
        var names: [String: String] = [:]
        for (zone, list) in zones { for name in list.split(separator: " ") { names[String(name)] = zone } }
        return names
    }()

    /// Returns the first time zone found in the name, the pattern, and the days.
    private func zone(named text: String?, _ pattern: ChannelNamePattern) -> Zone {
        // The cache also remembers unknown names, which many channels may have.
        let zones = ZoneCache.shared
        if let text = text?.trimmedName, !text.isEmpty,
            let zone = zones.zone(named: Self.abbreviations[text.uppercased()] ?? text)
        {
            return zone
        }
        return pattern.zone.flatMap { zones.zone(named: $0) } ?? localZone
    }

    // MARK: - Dates

    private enum FoundDate {
        case none, invalid
        case date(CivilDate)
    }

    private func date(_ texts: [String: String], near day: CivilDate, in zone: Zone) -> FoundDate {
        let text = texts["date"]?.trimmedName ?? ""
        let parts = [texts["day"], texts["month"], texts["year"]]
        if text.isEmpty, parts.allSatisfy({ $0 == nil }) { return .none }
        let written =
            text.isEmpty
            ? WrittenDate(day: parts[0], month: parts[1], year: parts[2])
            : WrittenDate(text, isMonthFirst: zone.name.hasPrefix("America/"), today: day)
        guard let date = written?.date(near: day) else { return .invalid }
        return .date(date)
    }

    /// Returns the seconds of `2h`, `1h30`, `1:30`, `90 min` or `90`; `nil` for other texts, and for more than a day.
    static func duration(_ text: String) -> Int64? {
        let numbers = text.split { !("0"..."9").contains($0) }.map { Int64($0) ?? .max }
        guard let first = numbers.first, numbers.count <= 2, numbers.allSatisfy({ $0 <= 1440 }) else { return nil }
        let hasHours = text.contains(":") || text.lowercased().contains("h")
        let minutes = hasHours ? first * 60 + (numbers.count > 1 ? numbers[1] : 0) : first
        return (1...1440).contains(minutes) ? minutes * 60 : nil
    }
}

/// A time of day as written in a name: `21:00`, `9.30pm`, `7 PM`, `21h30` or `2100`.
private struct ClockTime {
    let hour: Int
    let minute: Int

    init?(_ text: String) {
        let lowered = text.lowercased().filter { $0 != " " && $0 != "\u{A0}" && $0 != "\u{202F}" }
        let numbers = lowered.split { !("0"..."9").contains($0) }.map(String.init)
        guard let first = numbers.first, numbers.count <= 3, numbers.allSatisfy({ $0.utf8.count <= 4 }) else {
            return nil
        }
        var hour: Int
        if numbers.count == 1, first.utf8.count >= 3 {
            guard let number = Int(first) else { return nil }
            hour = number / 100
            minute = number % 100
        } else {
            guard let number = Int(first) else { return nil }
            hour = number
            minute = numbers.count > 1 ? Int(numbers[1]) ?? 60 : 0
        }
        let letters = lowered.filter(\.isLetter)
        if letters.hasPrefix("am") || letters.hasPrefix("pm") {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (letters.hasPrefix("pm") ? 12 : 0)
        }
        guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
        self.hour = hour
    }
}

/// A date as written in a name.
private struct WrittenDate {
    private let day: Int
    private let month: Int
    private let year: Int64?

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private init?(day: Int, month: Int, year: Int64?) {
        guard (1...31).contains(day), (1...12).contains(month) else { return nil }
        (self.day, self.month, self.year) = (day, month, year)
    }

    /// Reads the groups of a pattern.
    init?(day: String?, month: String?, year: String?) {
        guard let day = day.flatMap(Self.number), let month = month.flatMap({ Self.number($0) ?? Self.month($0) })
        else { return nil }
        self.init(day: day, month: month, year: year.flatMap(Self.number).map(Self.year))
    }

    /// Reads `12 Dec`, `Dec 12th 2026`, `2026-12-12`, `12.12.`, `12/12`, `today` or `tomorrow`. Days of the week are ignored.
    ///
    /// - Parameter isMonthFirst: Whether the month comes first in `10/12`.
    init?(_ text: String, isMonthFirst: Bool, today: CivilDate) {
        switch text.lowercased() {
        case "today": self.init(day: today.day, month: today.month, year: today.year)
        case "tomorrow":
            let next = today.advanced(byDays: 1)
            self.init(day: next.day, month: next.month, year: next.year)
        default:
            let words = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
            let month = words.lazy.compactMap(Self.month).first
            let numbers = words.compactMap(Self.number)
            if let month {
                guard let day = numbers.first, numbers.count <= 2 else { return nil }
                self.init(day: day, month: month, year: numbers.count > 1 ? Self.year(numbers[1]) : nil)
            } else if numbers.count == 3, numbers[0] > 31 {
                self.init(day: numbers[2], month: numbers[1], year: Self.year(numbers[0]))
            } else if numbers.count == 2 || numbers.count == 3 {
                let isMonth = text.contains("/") && (numbers[1] > 12 || isMonthFirst && numbers[0] <= 12)
                self.init(
                    day: numbers[isMonth ? 1 : 0], month: numbers[isMonth ? 0 : 1],
                    year: numbers.count == 3 ? Self.year(numbers[2]) : nil)
            } else {
                return nil
            }
        }
    }

    /// Returns the date; without a year, the one nearest to a day.
    func date(near other: CivilDate) -> CivilDate? {
        if let year { return CivilDate(year: year, month: month, day: day) }
        return (-1...1).compactMap { CivilDate(year: other.year + $0, month: month, day: day) }
            .min { abs($0.daysSince1970 - other.daysSince1970) < abs($1.daysSince1970 - other.daysSince1970) }
    }

    /// Returns the number at the start of a word, such as `12th`.
    private static func number(_ word: String) -> Int? {
        let digits = word.prefix { ("0"..."9").contains($0) }
        return (1...4).contains(digits.count) ? Int(digits) : nil
    }

    private static func month(_ word: String) -> Int? {
        let word = word.lowercased()
        guard word.count >= 3 else { return nil }
        return months.firstIndex { word.hasPrefix($0) }.map { $0 + 1 }
    }

    private static func year(_ number: Int) -> Int64 { Int64(number < 100 ? 2000 + number : number) }
}

extension Channel {
    /// Returns whether a pattern (`*`, `?`) matches the name, the `tvg-id` or a group; always without patterns.
    func isSelected(by patterns: [String]) -> Bool {
        if patterns.isEmpty { return true }
        // A longer text is not a name, and would take long to match.
        let texts = ([name] + [guideID].compactMap { $0 } + groups).filter {
            $0.utf8.count <= ChannelName.maximumLength
        }
        return patterns.contains { text in
            let pattern = WildcardPattern(text)
            return texts.contains { pattern.matches($0) }
        }
    }
}

extension String {
    /// The text without white space and separators at its ends.
    fileprivate var trimmedName: String {
        let isSeparator = { (character: Character) in character.isWhitespace || ":|-–—@,;".contains(character) }
        var text = drop(while: isSeparator)
        while let last = text.last, isSeparator(last) { text.removeLast() }
        return String(text)
    }
}
