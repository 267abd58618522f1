package import EPGCalendar
package import EPGJSON
package import EPGModel

/// What is coming by some watch rules, for all outputs.
package struct WatchListing: Sendable {
    /// The rules, sorted by profile and name.
    package private(set) var rules: [WatchRule]
    /// The airings of all rules, sorted by start and row.
    package private(set) var airings: [WatchedAiring]
    /// Whether the list has all airings of the rules, except ``failures``.
    package let isComplete: Bool
    /// The rules that cannot be evaluated.
    package private(set) var failures: [WatchFailure]
    /// The times with more stations at once than there are tuners.
    package private(set) var conflicts: WatchConflicts
    private let list: Watchlist
    private let tuners: Int

    /// Evaluates rules.
    ///
    /// - Parameters:
    ///   - days: The number of days from now on, at least 1.
    ///   - tuners: The number of airings that can be recorded at once, at least 1.
    ///   - index: What former evaluations of the same guide have read; by default, nothing.
    /// - Throws: ``SearchIndexMissing``, errors of the store.
    package init(
        of rules: [WatchRule], in guide: any GuideReading, now: Instant, zone: Zone,
        days: Int = Watchlist.defaultDays, tuners: Int = 1, index: WatchIndex = WatchIndex()
    ) throws {
        self.rules = rules
        self.tuners = tuners
        list = Watchlist(
            guide, now: now, reminders: try guide.reminders(), index: index,
            minuteOfDay: { zone.minuteOfDay(at: $0) })
        let found = try list.airings(of: rules, until: now.advanced(by: Int64(days) * 86_400))
        for failure in found.failures where failure.error is SearchIndexMissing { throw failure.error }
        (airings, isComplete, failures) = (found.airings, found.isComplete, found.failures)
        conflicts = WatchConflicts(in: airings, tuners: tuners)
    }

    /// Returns the part of the rules of a profile, with the conflicts among their airings.
    package func part(ofProfile profile: String) -> WatchListing {
        var part = self
        part.rules.removeAll { $0.profile != profile }
        part.failures.removeAll { $0.rule.profile != profile }
        part.airings = airings.compactMap { watched in
            var watched = watched
            watched.rules.removeAll { $0.profile != profile }
            return watched.rules.isEmpty ? nil : watched
        }
        part.conflicts = WatchConflicts(in: part.airings, tuners: tuners)
        return part
    }

    /// Returns the key of the reminder of an airing, which stays if the airing moves. Call it while the guide is being read.
    ///
    /// - Throws: An error of the store.
    package func key(of watched: WatchedAiring, for rule: WatchRule) throws -> String {
        try list.key(of: watched, for: rule)
    }
}

extension WatchListing: JSONObject {
    /// `{"rules", "airings", "conflicts", "conflictCount", "complete", "failures"}`.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("rules", rules)
        json.member("airings", airings)
        json.member("conflicts", conflicts.list)
        json.member("conflictCount", conflicts.count)
        json.member("complete", isComplete)
        json.member("failures", failures)
    }
}

extension WatchFailure: JSONObject {
    /// `{"rule", "reason"}`: the name of the rule, and why it cannot be evaluated.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("rule", rule.name)
        json.member("reason", "\(error)")
    }
}

extension WatchRule {
    /// The conditions as text, such as `“Harbour News”, without repeat or omnibus, 20:00-23:00, new, once per episode`.
    ///
    /// - Parameter stationName: The name of the station; `nil` for its identifier.
    package func summary(stationName: String?, in texts: PageTexts = .english) -> String {
        var parts: [String] = []
        let list = { (words: [String]) in words.joined(separator: texts("or")) }
        if let title = conditions.title { parts.append(texts("ruleTitle", ["title": title])) }
        if let words = conditions.words { parts.append(texts("ruleWords", ["words": words])) }
        if !conditions.anyWords.isEmpty { parts.append(texts("ruleAny", ["words": list(conditions.anyWords)])) }
        if !conditions.excludedWords.isEmpty {
            parts.append(texts("ruleWithout", ["words": list(conditions.excludedWords)]))
        }
        if let pattern = conditions.pattern { parts.append(texts("rulePattern", ["pattern": "\(pattern)"])) }
        if let category = conditions.category { parts.append(texts("ruleCategory", ["category": category])) }
        if let station = conditions.station {
            parts.append(texts("ruleStation", ["station": stationName ?? station.rawValue]))
        }
        if let airing = conditions.airing { parts.append(texts("ruleAiring", ["number": "\(airing.id)"])) }
        if let times = conditions.times { parts.append(times.description) }
        if conditions.isNew { parts.append(texts("ruleNew")) }
        if isOncePerEpisode { parts.append(texts("ruleOnce")) }
        return parts.joined(separator: ", ")
    }
}

extension WatchRule {
    /// Creates the rule for one airing. A rule to store needs ``AiringReference/init(_:in:)`` instead of its reference.
    ///
    /// - Parameter name: The name; `nil` for the title and the number of the airing.
    package init(
        remindingOf detail: AiringDetail, named name: String? = nil, profile: String = WatchRule.defaultProfile,
        minutesBefore: Int = WatchRule.defaultMinutesBefore
    ) throws(WatchRuleError) {
        let airing = detail.airing
        let conditions = WatchConditions(
            title: airing.title.isEmpty ? nil : airing.title, station: airing.station,
            airing: AiringReference(id: airing.id, start: airing.window.start))
        try self.init(
            name: name ?? "\(airing.shownTitle.cut(to: 120)) #\(airing.id)", profile: profile, conditions,
            minutesBefore: minutesBefore)
    }

    /// Returns the name of a rule for a title by default.
    package static func name(forTitle title: String) -> String { title.cut(to: 120) }

    /// Returns the name of a rule for a title that the rule of another profile has, too: `News (anna)`.
    package static func name(forTitle title: String, profile: String) -> String {
        "\(title.cut(to: 120)) (\(profile.cut(to: 60)))"
    }

    /// Creates the rule for all episodes with the title of an airing, each once; `nil` for an airing without a title.
    package init?(
        followingTitleOf detail: AiringDetail, named name: String? = nil, profile: String = WatchRule.defaultProfile
    ) {
        guard !detail.airing.title.trimmed.isEmpty else { return nil }
        let rule = Result { () throws(WatchRuleError) in
            try WatchRule(
                name: name ?? Self.name(forTitle: detail.airing.title), profile: profile,
                WatchConditions(title: detail.airing.title), isOncePerEpisode: true)
        }
        guard case .success(let valid) = rule else { return nil }
        self = valid
    }
}

extension String {
    /// The longest prefix of whole characters with at most a number of bytes, on one line.
    fileprivate func cut(to count: Int) -> String {
        var kept = ""
        for character in self {
            guard kept.utf8.count + character.utf8.count <= count else { break }
            let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
            kept.append(isControl || character.isNewline ? " " : character)
        }
        return kept
    }
}
