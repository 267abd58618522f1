/// A saved search for airings, of which a person wants to be reminded or which a recorder records.
///
/// An airing matches if it meets all conditions that are given. Airings that continue after another airing, of which an earlier
/// part is already on (``Airing/isContinuation``), never match.
public struct WatchRule: Hashable, Sendable, Identifiable {
    /// A random number from 1 to 2⁵³ − 1, which identifies the rule in all copies of the guide and is part of the keys of its
    /// reminders.
    public let id: Int64
    /// The unique name.
    public let name: String
    /// The person or the device that the rule is for.
    public let profile: String
    /// What an airing must meet to match.
    public let conditions: WatchConditions
    /// Whether a repeat of an episode counts once: only its first airing matches.
    public let isOncePerEpisode: Bool
    /// The minutes before the start of an airing at which reminders are due, from 0 to ``maximumMinutesBefore``.
    public let minutesBefore: Int
    /// The time at which the rule was made. Earlier airings of an episode do not make a later one a repeat.
    public let created: Instant

    /// The profile of rules without one.
    public static let defaultProfile = "default"
    /// The default of ``minutesBefore``.
    public static let defaultMinutesBefore = 5
    /// Maximum of ``minutesBefore``: a week.
    public static let maximumMinutesBefore = 10_080
    /// Maximum number of rules of a guide.
    public static let maximumCount = 1000
    /// Maximum length of a name or a profile in bytes.
    public static let maximumNameLength = 200
    /// Maximum length of a condition in bytes; of each text if it has several.
    public static let maximumConditionLength = 1000
    /// Maximum number of texts in ``WatchConditions/anyWords`` and in ``WatchConditions/excludedWords``.
    public static let maximumTextCount = 20

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - id: The number of a stored rule; `nil` (the default) for a new random number.
    ///   - name: The name, without control characters.
    ///   - profile: The profile, without control characters.
    ///   - isOncePerEpisode: Whether a repeat counts once (default: `false`).
    ///   - created: The current time; `nil` (the default) for the beginning of time, so that all airings count.
    /// - Throws: ``WatchRuleError`` for an invalid value, or without a condition that selects programmes or a station.
    public init(
        id: Int64? = nil, name: String, profile: String = WatchRule.defaultProfile, _ conditions: WatchConditions,
        isOncePerEpisode: Bool = false, minutesBefore: Int = WatchRule.defaultMinutesBefore,
        created: Instant? = nil
    ) throws(WatchRuleError) {
        for (field, text) in [(WatchRuleError.Field.name, name), (.profile, profile)] {
            guard !text.trimmed.isEmpty, text.utf8.count <= Self.maximumNameLength, !text.hasControls else {
                throw .invalid(field)
            }
        }
        // Browsers and proxies remove such segments from a URL.
        guard ![".", ".."].contains(name), ![".", ".."].contains(profile) else { throw .relativeName }
        guard (0...Self.maximumMinutesBefore).contains(minutesBefore) else { throw .invalid(.minutesBefore) }
        let texts: [(WatchRuleError.Field, String?)] = [
            (.title, conditions.title), (.category, conditions.category), (.station, conditions.station?.rawValue),
        ]
        for (field, list) in [(WatchRuleError.Field.any, conditions.anyWords), (.without, conditions.excludedWords)]
        where list.count > Self.maximumTextCount { throw .tooManyTexts(field) }
        for (field, text) in texts + conditions.searchedTexts.map({ ($0.field, Optional($0.text)) }) {
            guard let text else { continue }
            guard !text.trimmed.isEmpty, text.utf8.count <= Self.maximumConditionLength, !text.hasControls else {
                throw .invalid(field)
            }
        }
        if let id = conditions.airing?.id.rawValue, id <= 0 { throw .invalid(.airing) }
        var selecting = conditions
        (selecting.excludedWords, selecting.times, selecting.isNew) = ([], nil, false)
        guard selecting != WatchConditions() else { throw .matchesEverything }
        self.id = id ?? Int64.random(in: 1..<1 << 53)
        self.name = name
        self.profile = profile
        self.conditions = conditions
        self.isOncePerEpisode = isOncePerEpisode
        self.minutesBefore = minutesBefore
        self.created = created ?? .beginningOfTime
    }

    /// Returns the same rule with another name.
    ///
    /// - Throws: ``WatchRuleError`` for an invalid name.
    package func with(name: String) throws(WatchRuleError) -> WatchRule {
        try WatchRule(
            id: id, name: name, profile: profile, conditions, isOncePerEpisode: isOncePerEpisode,
            minutesBefore: minutesBefore, created: created)
    }

    /// The instant at which a reminder of an airing is due.
    package func dueTime(of window: TimeWindow) -> Instant { window.start.advanced(by: Int64(minutesBefore) * -60) }

    /// What a button of pages follows.
    package enum Button: String, Hashable, Sendable {
        /// One airing.
        case airing
        /// All episodes with a title, each once.
        case episodes
    }

    /// The button of pages that makes rules like this one; `nil` for a rule with other conditions or times.
    package var button: Button? {
        var rest = conditions
        (rest.title, rest.station, rest.airing) = (nil, nil, nil)
        guard rest == WatchConditions(), minutesBefore == Self.defaultMinutesBefore else { return nil }
        if conditions.airing != nil { return isOncePerEpisode ? nil : .airing }
        return conditions.title != nil && conditions.station == nil && isOncePerEpisode ? .episodes : nil
    }

    /// Returns whether a rule selects the same airings in the same way, regardless of its name and of when it was made.
    package func isEquivalent(to other: WatchRule) -> Bool {
        var (own, others) = (conditions, other.conditions)
        (own.airing, others.airing) = (nil, nil)
        return conditions.airing?.id == other.conditions.airing?.id
            && (profile, own, isOncePerEpisode, minutesBefore)
                == (other.profile, others, other.isOncePerEpisode, other.minutesBefore)
    }
}

/// The conditions of a ``WatchRule``; `nil` and `false` for those that are not given.
public struct WatchConditions: Hashable, Sendable {
    /// The first title of the feed, ignoring case.
    public var title: String?
    /// Words that must all occur in title, subtitle or description, as in ``SearchQuery/words``.
    public var words: String?
    /// Texts like ``words`` of which at least one must match; empty for no condition.
    public var anyWords: [String]
    /// Texts like ``words`` of which none may match.
    public var excludedWords: [String]
    /// A regular expression that must be found in title, subtitle or description.
    public var pattern: TextPattern?
    /// The first category of the feed, ignoring case.
    public var category: String?
    /// The station of the airing.
    public var station: StationID?
    /// The local time of the start.
    public var times: TimesOfDay?
    /// Whether the feed marks the episode as new or as a premiere.
    public var isNew: Bool
    /// One airing, also after it has moved on its station. Such a rule should have ``title`` and ``station``, too.
    public var airing: AiringReference?

    /// Creates conditions; none by default.
    public init(
        title: String? = nil, words: String? = nil, anyWords: [String] = [], excludedWords: [String] = [],
        pattern: TextPattern? = nil, category: String? = nil, station: StationID? = nil, times: TimesOfDay? = nil,
        isNew: Bool = false, airing: AiringReference? = nil
    ) {
        self.title = title
        self.words = words
        self.anyWords = anyWords
        self.excludedWords = excludedWords
        self.pattern = pattern
        self.category = category
        self.station = station
        self.times = times
        self.isNew = isNew
        self.airing = airing
    }

    /// The conditions that depend on the programme only.
    var ofProgramme: ProgrammeConditions {
        let required: [ProgrammeCondition?] = [
            title.map { .title($0) }, words.map { .words($0) }, pattern.map { .pattern($0) },
            category.map { .category($0) }, isNew ? .new : nil,
        ]
        return ProgrammeConditions(
            required: required.compactMap(\.self), alternatives: anyWords.map { .words($0) },
            excluded: excludedWords.map { .words($0) })
    }

    /// The conditions that the search index evaluates.
    var ofTexts: ProgrammeConditions {
        ProgrammeConditions(
            required: words.map { [.words($0)] } ?? [], alternatives: anyWords.map { .words($0) },
            excluded: excludedWords.map { .words($0) })
    }

    /// The texts that the search index evaluates, with their fields.
    var searchedTexts: [(field: WatchRuleError.Field, text: String)] {
        [words].compactMap(\.self).map { (.words, $0) } + anyWords.map { (.any, $0) }
            + excludedWords.map { (.without, $0) }
    }

    /// Returns whether an airing meets all conditions except ``searchedTexts``, which need the search index, and ``airing``.
    ///
    /// - Parameter minuteOfDay: Returns the minutes since the start of the local day, from 0 to 1439.
    package func match(_ airing: Airing, minuteOfDay: (Instant) -> Int) -> Bool {
        if airing.isContinuation { return false }
        if let station, airing.station != station { return false }
        if let title, !title.isEqualIgnoringCase(to: airing.title) { return false }
        if let pattern,
            ![airing.title, airing.subtitle, airing.description].contains(where: {
                $0.map(pattern.isFound) ?? false
            })
        {
            return false
        }
        if let category, airing.categories.first.map(category.isEqualIgnoringCase) != true { return false }
        if isNew, airing.marks.isDisjoint(with: [.new, .premiere]) { return false }
        if let times, !times.contains(minuteOfDay(airing.window.start)) { return false }
        return true
    }
}

/// The airing of a rule for a single one.
public struct AiringReference: Hashable, Sendable {
    /// The identifier of the airing when the rule was made; an import may change it.
    public let id: AiringID
    /// The start when the rule was made.
    public let start: Instant
    /// The other airings on the station with the same title at that time, within ``longestMove``.
    public let siblings: [AiringID]

    /// Seconds by which the airing may move if it loses its identifier.
    static let longestMove: Int64 = 6 * 3600

    /// Creates a reference to an airing, which need not exist.
    public init(id: AiringID, start: Instant, siblings: [AiringID] = []) {
        self.id = id
        self.start = start
        self.siblings = siblings
    }

    /// Creates a reference to an airing of a guide.
    ///
    /// - Throws: An error of the store.
    package init(_ airing: Airing, in guide: any GuideReading) throws {
        let siblings = try guide.schedule(of: airing.station, during: Self.range(around: airing.window.start)).airings
            .filter { $0.id != airing.id && $0.title.isEqualIgnoringCase(to: airing.title) }
        self.init(id: airing.id, start: airing.window.start, siblings: siblings.map(\.id))
    }

    /// The times at which the airing may be if it loses its identifier.
    static func range(around start: Instant) -> TimeWindow {
        TimeWindow(start: start.advanced(by: -longestMove), end: start.advanced(by: longestMove))
    }
}

/// A half-open range of local times, such as 20:00 to 23:00, which may extend over midnight.
public struct TimesOfDay: Hashable, Sendable, CustomStringConvertible {
    /// The minutes since midnight, from 0 to 1439.
    public let start: Int
    /// The minutes since midnight, from 1 to 1440.
    public let end: Int

    /// Creates a range; `nil` if a number is out of range, or the range is empty.
    public init?(start: Int, end: Int) {
        guard (0..<1440).contains(start), (1...1440).contains(end), start != end else { return nil }
        self.start = start
        self.end = end
    }

    /// Parses `20:00-23:00` or `22:00–1:30`; `nil` for anything else. `24:00` and `0:00` end at midnight.
    public init?(_ text: String) {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "–" }.map { String($0).trimmed }
        guard parts.count == 2, let start = Self.minutes(parts[0]), let end = Self.minutes(parts[1]) else { return nil }
        self.init(start: start, end: end == 0 ? 1440 : end)
    }

    private static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            let hours = Int(digits: parts[0]),
            let minutes = Int(digits: parts[1]), minutes < 60, hours * 60 + minutes <= 1440
        else { return nil }
        return hours * 60 + minutes
    }

    /// Returns whether a minute of the day is in the range.
    public func contains(_ minute: Int) -> Bool {
        start < end ? start <= minute && minute < end : minute >= start || minute < end
    }

    /// `20:00-23:00`
    public var description: String {
        [start, end].map { "\(Int64($0 / 60).paddedToTwo):\(Int64($0 % 60).paddedToTwo)" }.joined(separator: "-")
    }
}

/// An invalid watch rule.
public enum WatchRuleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A value of a rule.
    public enum Field: String, Hashable, Sendable {
        case name, profile, title, words, any, without, pattern, category, station, airing
        case minutesBefore = "minutes"

        fileprivate var noun: String {
            switch self {
            case .any, .without: "words of “\(rawValue)”"
            default: rawValue
            }
        }
    }

    /// The value is empty, too long, out of range, or has control characters.
    case invalid(Field)
    /// The name or the profile is `.` or `..`, which URLs cannot contain.
    case relativeName
    /// There are more than ``WatchRule/maximumTextCount`` texts.
    case tooManyTexts(Field)
    /// The words contain neither letters nor digits.
    case noWords(Field)
    /// The words cannot be searched.
    case unsearchable(Field, SearchExpressionError)
    /// The rule has no condition that selects programmes, a station or an airing: exclusions, times and new episodes do not.
    case matchesEverything
    /// The guide has the maximum number of rules.
    case tooMany
    /// There is another rule with that name.
    case nameInUse(String)

    /// The invalid value; `nil` for the whole rule.
    public var field: Field? {
        switch self {
        case .invalid(let field), .tooManyTexts(let field), .noWords(let field), .unsearchable(let field, _): field
        case .relativeName, .nameInUse: .name
        case .matchesEverything, .tooMany: nil
        }
    }

    public var description: String {
        switch self {
        case .invalid(.minutesBefore): "The minutes must be a number from 0 to \(WatchRule.maximumMinutesBefore)."
        case .invalid(.airing): "An airing is a number of at least 1."
        case .invalid(let field) where field == .name || field == .profile:
            "The \(field.rawValue) must have 1 to \(WatchRule.maximumNameLength) bytes and no control characters."
        case .invalid(let field):
            "The \(field.noun) must have 1 to \(WatchRule.maximumConditionLength) bytes and no control characters."
        case .tooManyTexts(let field):
            "A rule can have at most \(WatchRule.maximumTextCount) texts in “\(field.rawValue)”. Remove some."
        case .relativeName: "The name and the profile must not be “.” or “..”, which URLs cannot contain."
        case .noWords(let field): "The \(field.noun) contain neither letters nor digits. Enter at least one word."
        case .unsearchable(let field, let error): "The \(field.noun) are invalid: \(error)"
        case .matchesEverything:
            "A rule needs a title, words, alternatives, a pattern, a category, a station or an airing."
        case .tooMany: "A guide can have at most \(WatchRule.maximumCount) rules. Remove one first."
        case .nameInUse(let name):
            "There is another rule “\(name.prefix(80))”. Edit that rule, or choose another name."
        }
    }
}

extension String {
    /// Whether the text has characters that do not belong into a line.
    var hasControls: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{2028}" || $0 == "\u{2029}" }
    }

    /// Returns whether two texts are equal without blanks around them, ignoring case.
    func isEqualIgnoringCase(to other: String) -> Bool {
        self == other || foldedForComparison == other.foldedForComparison
    }

    /// The text without blanks around it in lowercase.
    package var foldedForComparison: String { trimmed.lowercased() }
}
