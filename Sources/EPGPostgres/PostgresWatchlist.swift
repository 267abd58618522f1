import EPGJSON
import EPGModel

extension PostgresReader {
    func watchRules() throws -> [WatchRule] {
        try connection.values(
            """
            SELECT id, name, profile, title, words, category, feed_id, airing_id, airing_start, from_minute, to_minute, is_new,
                is_once, minutes_before, airing_siblings, created_at
            FROM watch_rule ORDER BY profile, name
            """
        ) { row in
            let name = row.text(1)
            let times = row.integerIfPresent(9).flatMap { start in
                row.integerIfPresent(10).flatMap { TimesOfDay(start: Int(start), end: Int($0)) }
            }
            let airing = try row.integerIfPresent(7).flatMap { id in
                try row.instant(8).map {
                    AiringReference(id: AiringID(id), start: $0, siblings: try StoredDocument.identifiers(row.blob(14)))
                }
            }
            let conditions = WatchConditions(
                title: row.textIfPresent(3), words: row.textIfPresent(4), category: row.textIfPresent(5),
                station: row.textIfPresent(6).map { StationID($0) }, times: times, isNew: row.boolean(11),
                airing: airing)
            do {
                return try WatchRule(
                    id: row.integer(0), name: name, profile: row.text(2), conditions, isOncePerEpisode: row.boolean(12),
                    minutesBefore: Int(row.integer(13)), created: Instant(secondsSince1970: row.integer(15)))
            } catch {
                throw StoreError.damaged(
                    path: location, detail: "the watch rule “\(name.prefix(80))” is invalid: \(error)")
            }
        }
    }

    func reminders() throws -> [Reminder] { try reminders("ORDER BY start, key, target") }

    fileprivate func reminders(_ selection: String, _ parameters: [PostgresValue] = []) throws -> [Reminder] {
        try connection.values(
            """
            SELECT key, target, rule_id, airing_id, feed_id, start, stop, title, episode, generation, siblings, state, failures,
                changed_at, not_before, error
            FROM reminder \(selection)
            """, parameters
        ) { row in
            try Reminder(
                key: row.text(0), target: row.text(1), rule: row.integer(2), airing: AiringID(row.integer(3)),
                station: StationID(row.text(4)),
                window: row.windowIfPresent(5, 6) ?? TimeWindow(start: .beginningOfTime, end: .beginningOfTime),
                title: row.text(7), episode: row.textIfPresent(8).map(EpisodeIdentity.init(rawValue:)),
                generation: Generation(row.integer(9)),
                siblings: StoredDocument.identifiers(row.blob(10)),
                state: Reminder.State(rawValue: row.text(11)) ?? .failed, failures: Int(row.integer(12)),
                changed: Instant(secondsSince1970: row.integer(13)), notBefore: row.instant(14),
                error: row.textIfPresent(15))
        }
    }
}

extension PostgresWriter {
    func saveWatchRule(_ rule: WatchRule) throws {
        try write {
            let others = try connection.integer("SELECT count(*) FROM watch_rule WHERE name <> $1", [.text(rule.name)])
            guard others ?? 0 < WatchRule.maximumCount else { throw WatchRuleError.tooMany }
            let conditions = rule.conditions
            try connection.execute(
                """
                INSERT INTO watch_rule (id, name, profile, title, words, category, feed_id, airing_id, airing_start,
                    from_minute, to_minute, is_new, is_once, minutes_before, airing_siblings, created_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
                ON CONFLICT (name) DO UPDATE SET profile = excluded.profile, title = excluded.title, words = excluded.words,
                    category = excluded.category, feed_id = excluded.feed_id, airing_id = excluded.airing_id,
                    airing_start = excluded.airing_start, from_minute = excluded.from_minute,
                    to_minute = excluded.to_minute, is_new = excluded.is_new, is_once = excluded.is_once,
                    minutes_before = excluded.minutes_before, airing_siblings = excluded.airing_siblings
                """,
                [
                    .integer(rule.id), .text(rule.name), .text(rule.profile), .text(conditions.title),
                    .text(conditions.words), .text(conditions.category), .text(conditions.station?.rawValue),
                    .integer(conditions.airing?.id.rawValue), .integer(conditions.airing?.start.secondsSince1970),
                    .integer(conditions.times.map { Int64($0.start) }),
                    .integer(conditions.times.map { Int64($0.end) }), .boolean(conditions.isNew),
                    .boolean(rule.isOncePerEpisode), .integer(Int64(rule.minutesBefore)),
                    .json(conditions.airing.map { StoredDocument.identifiers($0.siblings) }),
                    .integer(rule.created.secondsSince1970),
                ])
        }
    }

    func removeWatchRule(named name: String) throws -> Bool {
        try write { try connection.execute("DELETE FROM watch_rule WHERE name = $1", [.text(name)]) > 0 }
    }

    func claimReminders(_ reminders: [Reminder]) throws -> [Reminder] {
        try write {
            let rules = try Set(connection.values("SELECT id FROM watch_rule") { $0.integer(0) })
            return try reminders.compactMap { reminder in
                guard rules.contains(reminder.rule) else { return nil }
                let key: [PostgresValue] = [.text(reminder.key), .text(reminder.target)]
                let stored = try self.reminders("WHERE key = $1 AND target = $2", key).first
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
                    ON CONFLICT (key, target) DO UPDATE SET airing_id = excluded.airing_id, feed_id = excluded.feed_id,
                        start = excluded.start, stop = excluded.stop, title = excluded.title, episode = excluded.episode,
                        generation = excluded.generation, siblings = excluded.siblings, state = excluded.state,
                        failures = excluded.failures, changed_at = excluded.changed_at, not_before = excluded.not_before,
                        error = excluded.error
                    """,
                    key + [
                        .integer(claimed.rule), .integer(claimed.airing.rawValue), .text(claimed.station.rawValue),
                        .integer(claimed.window.start.secondsSince1970), .integer(claimed.window.end.secondsSince1970),
                        .text(claimed.title), .text(claimed.episode?.rawValue), .integer(claimed.generation.rawValue),
                        .json(StoredDocument.identifiers(claimed.siblings)), .text(claimed.state.rawValue),
                        .integer(Int64(claimed.failures)), .integer(claimed.changed.secondsSince1970),
                        .integer(claimed.notBefore?.secondsSince1970), .text(claimed.error),
                    ])
                return claimed
            }
        }
    }

    func saveReminders(_ reminders: [Reminder]) throws {
        try write {
            for reminder in reminders {
                try connection.execute(
                    """
                    UPDATE reminder SET state = $3, failures = $4, changed_at = $5, not_before = $6, error = $7
                    WHERE key = $1 AND target = $2
                    """,
                    [
                        .text(reminder.key), .text(reminder.target), .text(reminder.state.rawValue),
                        .integer(Int64(reminder.failures)), .integer(reminder.changed.secondsSince1970),
                        .integer(reminder.notBefore?.secondsSince1970), .text(reminder.error),
                    ])
            }
        }
    }

    /// Removes the reminders of airings that stopped at or before an instant, and are no longer in the guide.
    func pruneReminders(before instant: Instant) throws {
        try connection.execute(
            """
            DELETE FROM reminder WHERE stop <= $1
                AND NOT EXISTS (SELECT 1 FROM airing a WHERE a.id = airing_id)
                AND (stop <= $2 OR rule_id NOT IN (SELECT id FROM watch_rule WHERE is_once))
            """,
            [
                .integer(instant.secondsSince1970),
                .integer(instant.advanced(by: -Reminder.episodeRetention).secondsSince1970),
            ])
    }
}
