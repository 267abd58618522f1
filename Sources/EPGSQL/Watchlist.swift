import EPGJSON
package import EPGModel

/// Watch rules and reminders. ``GuideReading`` documents the members.
extension SQLReading {
    package func watchRules() throws -> [WatchRule] {
        try reading { connection in
            try connection.values(
                """
                SELECT id, name, profile, title, words, category, feed_id, airing_id, airing_start, from_minute, to_minute, is_new,
                    is_once, minutes_before, airing_siblings, created_at, any_words, excluded_words, pattern
                FROM watch_rule ORDER BY profile, name
                """
            ) { try WatchRule($0, location: location) }
        }
    }

    package func reminders() throws -> [Reminder] {
        try reading { try $0.reminders("ORDER BY start, key, target") }
    }
}

/// Changes of watch rules and reminders. ``GuideWriting`` documents the members.
extension SQLWriting {
    package func saveWatchRule(_ rule: WatchRule) throws {
        try writing { connection in
            let known = try connection.first("SELECT name FROM watch_rule WHERE id = $1", [.integer(rule.id)]) {
                $0.text(0)
            }
            if let known, known != rule.name {
                guard try connection.integer("SELECT id FROM watch_rule WHERE name = $1", [.text(rule.name)]) == nil
                else { throw WatchRuleError.nameInUse(rule.name) }
                try connection.execute(
                    "UPDATE watch_rule SET name = $2 WHERE id = $1", [.integer(rule.id), .text(rule.name)])
            }
            let others = try connection.integer("SELECT count(*) FROM watch_rule WHERE name <> $1", [.text(rule.name)])
            guard others ?? 0 < WatchRule.maximumCount else { throw WatchRuleError.tooMany }
            let conditions = rule.conditions
            try connection.execute(
                """
                INSERT INTO watch_rule (id, name, profile, title, words, category, feed_id, airing_id, airing_start,
                    from_minute, to_minute, is_new, is_once, minutes_before, airing_siblings, created_at, any_words,
                    excluded_words, pattern)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
                ON CONFLICT (name) DO UPDATE SET profile = excluded.profile, title = excluded.title, words = excluded.words,
                    category = excluded.category, feed_id = excluded.feed_id, airing_id = excluded.airing_id,
                    airing_start = excluded.airing_start, from_minute = excluded.from_minute,
                    to_minute = excluded.to_minute, is_new = excluded.is_new, is_once = excluded.is_once,
                    minutes_before = excluded.minutes_before, airing_siblings = excluded.airing_siblings,
                    any_words = excluded.any_words, excluded_words = excluded.excluded_words, pattern = excluded.pattern
                """,
                [
                    .integer(rule.id), .text(rule.name), .text(rule.profile), .text(conditions.title),
                    .text(conditions.words), .text(conditions.category), .text(conditions.station?.rawValue),
                    .integer(conditions.airing?.id.rawValue), .instant(conditions.airing?.start),
                    .number(conditions.times?.start), .number(conditions.times?.end), .boolean(conditions.isNew),
                    .boolean(rule.isOncePerEpisode), .number(rule.minutesBefore),
                    .json(conditions.airing.map { StoredDocument.identifiers($0.siblings) }), .instant(rule.created),
                    .texts(orNull: conditions.anyWords), .texts(orNull: conditions.excludedWords),
                    .text(conditions.pattern?.text),
                ])
        }
    }

    package func removeWatchRule(named name: String) throws -> Bool {
        try writing { try $0.execute("DELETE FROM watch_rule WHERE name = $1", [.text(name)]) > 0 }
    }

    package func claimReminders(_ reminders: [Reminder]) throws -> [Reminder] {
        try writing { connection in
            let rules = try Set(connection.values("SELECT id FROM watch_rule") { $0.integer(0) })
            return try reminders.compactMap { reminder in
                guard rules.contains(reminder.rule) else { return nil }
                let key: [SQLValue] = [.text(reminder.key), .text(reminder.target)]
                let stored = try connection.reminders("WHERE key = $1 AND target = $2", key).first
                let claimed: Reminder
                if let stored {
                    guard let repeated = stored.claimed(for: reminder) else { return nil }
                    guard repeated != stored else { return stored }
                    claimed = repeated
                } else {
                    claimed = reminder
                }
                try connection.execute(
                    """
                    INSERT INTO reminder (key, target, rule_id, airing_id, feed_id, start, stop, title, episode, generation,
                        siblings, state, failures, changed_at, not_before, error)
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
                    ON CONFLICT (key, target) DO UPDATE SET rule_id = excluded.rule_id, airing_id = excluded.airing_id,
                        feed_id = excluded.feed_id, start = excluded.start, stop = excluded.stop, title = excluded.title,
                        episode = excluded.episode, generation = excluded.generation, siblings = excluded.siblings,
                        state = excluded.state, failures = excluded.failures, changed_at = excluded.changed_at,
                        not_before = excluded.not_before, error = excluded.error
                    """,
                    key + [
                        .integer(claimed.rule), .integer(claimed.airing.rawValue), .text(claimed.station.rawValue),
                        .instant(claimed.window.start), .instant(claimed.window.end), .text(claimed.title),
                        .text(claimed.episode?.rawValue), .integer(claimed.generation.rawValue),
                        .json(StoredDocument.identifiers(claimed.siblings)), .text(claimed.state.rawValue),
                        .number(claimed.failures), .instant(claimed.changed), .instant(claimed.notBefore),
                        .text(claimed.error),
                    ])
                return claimed
            }
        }
    }

    package func saveReminders(_ reminders: [Reminder]) throws {
        try writing { connection in
            for reminder in reminders {
                try connection.execute(
                    """
                    UPDATE reminder SET state = $3, failures = $4, changed_at = $5, not_before = $6, error = $7
                    WHERE key = $1 AND target = $2
                    """,
                    [
                        .text(reminder.key), .text(reminder.target), .text(reminder.state.rawValue),
                        .number(reminder.failures), .instant(reminder.changed), .instant(reminder.notBefore),
                        .text(reminder.error),
                    ])
            }
        }
    }
}

extension SQLConnection {
    /// Removes the reminders of airings that stopped at or before an instant, and are no longer in the guide.
    package func pruneReminders(before instant: Instant) throws {
        try execute(
            """
            DELETE FROM reminder WHERE stop <= $1
                AND NOT EXISTS (SELECT 1 FROM airing a WHERE a.id = airing_id)
                AND (stop <= $2 OR rule_id NOT IN (SELECT id FROM watch_rule WHERE is_once))
            """,
            [.instant(instant), .instant(instant.advanced(by: -Reminder.episodeRetention))])
    }

    fileprivate func reminders(_ selection: String, _ parameters: [SQLValue] = []) throws -> [Reminder] {
        try values(
            """
            SELECT key, target, rule_id, airing_id, feed_id, start, stop, title, episode, generation, siblings, state, failures,
                changed_at, not_before, error
            FROM reminder \(selection)
            """, parameters
        ) { row in
            try Reminder(
                key: row.text(0), target: row.text(1), rule: row.integer(2), airing: AiringID(row.integer(3)),
                station: StationID(row.text(4)), window: row.window(5, 6), title: row.text(7),
                episode: row.textIfPresent(8).map(EpisodeIdentity.init(rawValue:)),
                generation: Generation(row.integer(9)), siblings: StoredDocument.identifiers(row.blob(10)),
                state: Reminder.State(rawValue: row.text(11)) ?? .failed, failures: Int(row.integer(12)),
                changed: Instant(secondsSince1970: row.integer(13)), notBefore: row.instant(14),
                error: row.textIfPresent(15))
        }
    }
}

extension SQLValue {
    /// A JSON array of texts; NULL if there are none.
    fileprivate static func texts(orNull texts: [String]) -> SQLValue {
        .json(texts.isEmpty ? nil : StoredDocument.texts(texts))
    }
}

extension StoredRow {
    /// Returns the texts of a JSON array; none for NULL.
    fileprivate func texts(_ index: Int32) throws -> [String] {
        let document = blob(index)
        return document.isEmpty ? [] : try StoredDocument.texts(document)
    }
}

extension WatchRule {
    /// - Throws: ``StoreError`` for a row that another program has changed.
    fileprivate init(_ row: any StoredRow, location: String) throws {
        let name = row.text(1)
        let times = row.integerIfPresent(9).flatMap { start in
            row.integerIfPresent(10).flatMap { TimesOfDay(start: Int(start), end: Int($0)) }
        }
        let airing = try row.integerIfPresent(7).flatMap { id in
            try row.instant(8).map {
                AiringReference(id: AiringID(id), start: $0, siblings: try StoredDocument.identifiers(row.blob(14)))
            }
        }
        do {
            let conditions = WatchConditions(
                title: row.textIfPresent(3), words: row.textIfPresent(4), anyWords: try row.texts(16),
                excludedWords: try row.texts(17), pattern: try row.textIfPresent(18).map { try TextPattern($0) },
                category: row.textIfPresent(5), station: row.textIfPresent(6).map { StationID($0) }, times: times,
                isNew: row.flag(11), airing: airing)
            try self.init(
                id: row.integer(0), name: name, profile: row.text(2), conditions, isOncePerEpisode: row.flag(12),
                minutesBefore: Int(row.integer(13)), created: Instant(secondsSince1970: row.integer(15)))
        } catch {
            throw StoreError.damaged(
                path: location, detail: "the watch rule “\(name.prefix(80))” is invalid: \(error)")
        }
    }
}
