import EPGJSON
package import EPGModel
import GRDB

extension GuideStore {
    package func watchRules() throws -> [WatchRule] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM watch_rule ORDER BY profile, name").map { row in
                try WatchRule(row, path: path)
            }
        }
    }

    package func reminders() throws -> [Reminder] {
        try read { try Self.reminders(in: $0, sql: "SELECT * FROM reminder ORDER BY start, key, target") }
    }

    package func saveWatchRule(_ rule: WatchRule) throws {
        try write { database in
            let others = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM watch_rule WHERE name <> ?", arguments: [rule.name])
            guard others ?? 0 < WatchRule.maximumCount else { throw WatchRuleError.tooMany }
            let conditions = rule.conditions
            let arguments: [String: (any DatabaseValueConvertible)?] = [
                "id": rule.id, "name": rule.name, "profile": rule.profile, "title": conditions.title,
                "words": conditions.words, "category": conditions.category, "station": conditions.station?.rawValue,
                "airing": conditions.airing?.id.rawValue,
                "airing_start": conditions.airing?.start.secondsSince1970,
                "siblings": conditions.airing.map { String(json: StoredDocument.identifiers($0.siblings)) },
                "from": conditions.times?.start, "to": conditions.times?.end, "new": conditions.isNew,
                "once": rule.isOncePerEpisode, "before": rule.minutesBefore,
                "created": rule.created.secondsSince1970,
            ]
            try database.execute(
                sql: """
                    INSERT INTO watch_rule (id, name, profile, title, words, category, feed_id, airing_id, airing_start,
                        airing_siblings, from_minute, to_minute, is_new, is_once, minutes_before, created_at)
                    VALUES (:id, :name, :profile, :title, :words, :category, :station, :airing, :airing_start, :siblings, :from,
                        :to, :new, :once, :before, :created)
                    ON CONFLICT (name) DO UPDATE SET profile = excluded.profile, title = excluded.title,
                        words = excluded.words, category = excluded.category, feed_id = excluded.feed_id,
                        airing_id = excluded.airing_id, airing_start = excluded.airing_start,
                        airing_siblings = excluded.airing_siblings, from_minute = excluded.from_minute, to_minute = excluded.to_minute, is_new = excluded.is_new,
                        is_once = excluded.is_once, minutes_before = excluded.minutes_before
                    """, arguments: StatementArguments(arguments))
        }
    }

    package func removeWatchRule(named name: String) throws -> Bool {
        try write { database in
            try database.execute(sql: "DELETE FROM watch_rule WHERE name = ?", arguments: [name])
            return database.changesCount > 0
        }
    }

    package func claimReminders(_ reminders: [Reminder]) throws -> [Reminder] {
        try write { database in
            let rules = try Set(Int64.fetchAll(database, sql: "SELECT id FROM watch_rule"))
            return try reminders.compactMap { reminder in
                guard rules.contains(reminder.rule) else { return nil }
                let stored = try Self.reminders(
                    in: database, sql: "SELECT * FROM reminder WHERE key = ? AND target = ?",
                    arguments: [reminder.key, reminder.target]
                ).first
                let claimed: Reminder
                if let stored {
                    guard let repeated = stored.claimed(for: reminder) else { return nil }
                    guard repeated != stored else { return stored }
                    claimed = repeated
                } else {
                    claimed = reminder
                }
                try database.execute(
                    sql: """
                        INSERT OR REPLACE INTO reminder (key, target, rule_id, airing_id, feed_id, start, stop, title, episode, generation,
                            siblings, state, failures, changed_at, not_before, error)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        claimed.key, claimed.target, claimed.rule, claimed.airing.rawValue,
                        claimed.station.rawValue, claimed.window.start.secondsSince1970,
                        claimed.window.end.secondsSince1970, claimed.title, claimed.episode?.rawValue,
                        claimed.generation.rawValue, String(json: StoredDocument.identifiers(claimed.siblings)),
                        claimed.state.rawValue, claimed.failures, claimed.changed.secondsSince1970,
                        claimed.notBefore?.secondsSince1970, claimed.error,
                    ])
                return claimed
            }
        }
    }

    package func saveReminders(_ reminders: [Reminder]) throws {
        try write { database in
            let update = try database.makeStatement(
                sql: """
                    UPDATE reminder SET state = ?, failures = ?, changed_at = ?, not_before = ?, error = ?
                    WHERE key = ? AND target = ?
                    """)
            for reminder in reminders {
                try update.execute(arguments: [
                    reminder.state.rawValue, reminder.failures, reminder.changed.secondsSince1970,
                    reminder.notBefore?.secondsSince1970, reminder.error, reminder.key, reminder.target,
                ])
            }
        }
    }

    /// Removes the reminders of airings that stopped at or before an instant, and are no longer in the guide.
    static func pruneReminders(before instant: Instant, in database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM reminder WHERE stop <= ?
                    AND NOT EXISTS (SELECT 1 FROM airing a WHERE a.id = airing_id)
                    AND (stop <= ? OR rule_id NOT IN (SELECT id FROM watch_rule WHERE is_once))
                """,
            arguments: [
                instant.secondsSince1970, instant.advanced(by: -Reminder.episodeRetention).secondsSince1970,
            ])
    }

    private static func reminders(
        in database: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Reminder] {
        try Row.fetchAll(database, sql: sql, arguments: arguments).map { row in
            try Reminder(
                key: row["key"], target: row["target"], rule: row["rule_id"], airing: AiringID(row["airing_id"]),
                station: StationID(row["feed_id"]),
                window: row.window("start", "stop") ?? TimeWindow(start: .beginningOfTime, end: .beginningOfTime),
                title: row["title"], episode: (row["episode"] as String?).map(EpisodeIdentity.init(rawValue:)),
                generation: Generation(row["generation"]),
                siblings: row.identifiers("siblings"),
                state: Reminder.State(rawValue: row["state"]) ?? .failed,
                failures: row["failures"], changed: Instant(secondsSince1970: row["changed_at"]),
                notBefore: row.instant("not_before"), error: row["error"])
        }
    }
}

extension WatchRule {
    /// - Throws: ``StoreError`` for a row that another program has changed.
    fileprivate init(_ row: Row, path: String) throws {
        let name: String = row["name"]
        let times = (row["from_minute"] as Int?).flatMap { start in
            (row["to_minute"] as Int?).flatMap { TimesOfDay(start: start, end: $0) }
        }
        let airing = try (row["airing_id"] as Int64?).flatMap { id in
            try row.instant("airing_start").map {
                AiringReference(id: AiringID(id), start: $0, siblings: try row.identifiers("airing_siblings"))
            }
        }
        let conditions = WatchConditions(
            title: row["title"], words: row["words"], category: row["category"],
            station: (row["feed_id"] as String?).map(StationID.init), times: times, isNew: row["is_new"], airing: airing
        )
        do {
            try self.init(
                id: row["id"], name: name, profile: row["profile"], conditions, isOncePerEpisode: row["is_once"],
                minutesBefore: row["minutes_before"], created: Instant(secondsSince1970: row["created_at"]))
        } catch {
            throw StoreError.damaged(path: path, detail: "the watch rule “\(name.prefix(80))” is invalid: \(error)")
        }
    }
}
