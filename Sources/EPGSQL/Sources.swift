import EPGJSON
package import EPGModel

// MARK: - Sources

/// Sources. ``GuideReading`` documents the members.
extension SQLReading {
    package func sourceRecords() throws -> [SourceRecord] {
        try reading { try $0.sources().map { SourceRecord(source: $0.source, state: $0.state, kind: $0.kind) } }
    }

    package func sources() throws -> [SourceSummary] {
        try reading { connection in
            try connection.sources().map { stored in
                var summary = SourceSummary(source: stored.source, state: stored.state)
                let counts = try connection.first(
                    """
                    SELECT (SELECT count(*) FROM coverage WHERE source_id = $1), count(*), max(stop)
                    FROM airing WHERE source_id = $1
                    """, [.integer(stored.id)]
                ) { (stations: Int($0.integer(0)), airings: Int($0.integer(1)), end: $0.instant(2)) }
                summary.stations = counts?.stations ?? 0
                summary.airings = counts?.airings ?? 0
                if stored.kind == .playlist {
                    summary.channels = try connection.first(
                        """
                        SELECT count(*), count(c.station_id) FROM channel c JOIN lineup l ON l.id = c.lineup_id
                        WHERE l.source_id = $1
                        """, [.integer(stored.id)]
                    ) { (all: Int($0.integer(0)), matched: Int($0.integer(1))) }
                }
                summary.end = counts?.end
                summary.header = stored.header
                summary.lastImport = try connection.imports(ofSource: stored.id, limit: 1).first
                return summary
            }
        }
    }

    package func quality(ofSource name: String) throws -> ScheduleQuality {
        try reading { connection in
            var total = ScheduleQuality()
            var (station, airings): (Int64, [ScheduledListing]) = (0, [])
            try connection.rows(
                """
                SELECT station_id, start, stop, inferred, published_start, published_stop FROM airing
                WHERE source_id = (SELECT id FROM source WHERE name = $1) ORDER BY station_id, start, part
                """, [.text(name)], streams: true
            ) { row in
                if row.integer(0) != station {
                    total += ScheduleQuality(of: airings)
                    (station, airings) = (row.integer(0), [])
                }
                airings.append(
                    ScheduledListing(
                        window: row.window(1, 2),
                        published: row.instant(4).map { PublishedTimes(start: $0, stop: row.instant(5)) },
                        isStopInferred: row.flag(3), programme: 0))
                return true
            }
            total += ScheduleQuality(of: airings)
            return total
        }
    }
}

/// Changes of sources. ``GuideWriting`` documents the members.
extension SQLWriting {
    package func saveState(_ state: SourceState, ofSource name: String) throws {
        try writing { connection in
            guard let id = try connection.sourceKey(name) else { return }
            try connection.saveState(state, of: id)
        }
    }

    package func discardValidators(recordedAfter instant: Instant) throws {
        try writing { connection in
            try connection.discardValidators()
            try connection.execute(
                """
                UPDATE source_state SET
                    not_before = CASE WHEN last_attempt > $1 THEN NULL ELSE not_before END,
                    last_attempt = CASE WHEN last_attempt > $1 THEN NULL ELSE last_attempt END,
                    last_success = CASE WHEN last_success > $1 THEN NULL ELSE last_success END
                """, [.instant(instant)])
            try connection.execute("UPDATE guide SET pruned_at = NULL WHERE pruned_at > $1", [.instant(instant)])
        }
    }
}

extension SQLConnection {
    /// Returns the number of a source; `nil` if it does not exist.
    package func sourceKey(_ name: String) throws -> Int64? {
        try integer("SELECT id FROM source WHERE name = $1", [.text(name)])
    }

    /// Returns the number of a source, which is inserted if it does not exist.
    package func sourceKey(of source: Source) throws -> (id: Int64, isNew: Bool) {
        if let known = try sourceKey(source.name) { return (known, false) }
        return (try upsert(source), true)
    }

    /// Inserts a source or updates its settings, and returns its number.
    @discardableResult
    package func upsert(_ source: Source) throws -> Int64 {
        try integer(
            """
            INSERT INTO source (id, name, location, time_zone, shift, refresh_interval, priority, station_patterns, encoding,
                is_configured, username, lineups, service, follows_guides, playlist_id, group_patterns, completes)
            VALUES ((SELECT coalesce(max(id), 0) + 1 FROM source), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
                (SELECT id FROM source WHERE name = $14), $15, $16)
            ON CONFLICT (\(unique("name"))) DO UPDATE SET location = excluded.location, time_zone = excluded.time_zone,
                shift = excluded.shift, refresh_interval = excluded.refresh_interval, priority = excluded.priority,
                station_patterns = excluded.station_patterns, encoding = excluded.encoding,
                is_configured = excluded.is_configured, username = excluded.username, lineups = excluded.lineups,
                service = excluded.service, follows_guides = excluded.follows_guides, playlist_id = excluded.playlist_id,
                group_patterns = excluded.group_patterns, completes = excluded.completes
            RETURNING id
            """,
            [
                .text(source.name), .text(source.location), .text(source.timeZone), .integer(Int64(source.shift)),
                .integer(source.interval.map { Int64($0) }), .number(source.priority),
                .text(source.stations.filter { !$0.isEmpty }.joined(separator: "\n")), .text(source.encoding),
                .boolean(source.isConfigured), .text(source.account?.username),
                .text(source.account?.lineups.joined(separator: "\n") ?? ""),
                .text(source.account?.service.rawValue), .boolean(source.followsGuides), .text(source.playlist),
                .text(source.groups.filter { !$0.isEmpty }.joined(separator: "\n")),
                .boolean(source.completes),
            ]) ?? 0
    }

    package func saveState(_ state: SourceState, of id: Int64) throws {
        try execute(
            """
            INSERT INTO source_state (source_id, last_attempt, last_success, entity_tag, last_modified, body_hash, last_error,
                last_ending, last_duration, failures, not_before)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            ON CONFLICT (source_id) DO UPDATE SET last_attempt = excluded.last_attempt,
                last_success = excluded.last_success, entity_tag = excluded.entity_tag,
                last_modified = excluded.last_modified, body_hash = excluded.body_hash, last_error = excluded.last_error,
                last_ending = excluded.last_ending, last_duration = excluded.last_duration, failures = excluded.failures,
                not_before = excluded.not_before
            """,
            [
                .integer(id), .instant(state.lastAttempt), .instant(state.lastSuccess), .text(state.entityTag),
                .text(state.lastModified), .text(state.bodyHash), .text(state.lastError),
                .text(state.lastResult?.rawValue), .integer(state.lastDuration?.wholeMilliseconds),
                .number(state.failures), .instant(state.notBefore),
            ])
    }

    /// Stores the attributes of `<tv>` of a source's last guide.
    package func saveHeader(_ header: [ContentAttribute], of id: Int64) throws {
        try execute(
            """
            INSERT INTO source_state (source_id, header) VALUES ($1, $2) ON CONFLICT (source_id)
            DO UPDATE SET header = excluded.header
            WHERE CAST(source_state.header AS text) IS DISTINCT FROM CAST(excluded.header AS text)
            """, [.integer(id), .json(StoredDocument.attributes(header))])
    }

    /// Discards the validators of all sources, or of one source and those that share a station with it.
    ///
    /// The next refresh then imports them again, because their descriptions of stations may now take precedence.
    package func discardValidators(exceptSource name: String? = nil) throws {
        try execute(
            """
            UPDATE source_state SET entity_tag = NULL, last_modified = NULL, body_hash = NULL
            WHERE $1 IS NULL OR source_id IN
                (SELECT other.source_id FROM coverage own JOIN coverage other ON other.station_id = own.station_id
                 WHERE own.source_id = (SELECT id FROM source WHERE name = $1))
            """, [.text(name)])
    }

    /// Discards the validators of a source, so that the next refresh imports it again.
    package func discardValidators(ofSource name: String) throws {
        try execute(
            """
            UPDATE source_state SET entity_tag = NULL, last_modified = NULL, body_hash = NULL
            WHERE source_id = (SELECT id FROM source WHERE name = $1)
            """, [.text(name)])
    }

    /// Returns whether a source is limited to groups of channels.
    package func limitsGroups() throws -> Bool {
        try flag("SELECT EXISTS (SELECT 1 FROM source WHERE group_patterns <> '')")
    }

    /// Returns the stations that a source covers, each with all of its sources in order of precedence.
    package func ranking(ofStationsOf name: String) throws -> [Int64: [Int64]] {
        let rows = try values(
            """
            SELECT c.station_id, c.source_id FROM coverage c JOIN source o ON o.id = c.source_id
            WHERE c.station_id IN
                (SELECT station_id FROM coverage WHERE source_id = (SELECT id FROM source WHERE name = $1))
            ORDER BY c.station_id, o.priority DESC, c.stop DESC, c.source_id
            """, [.text(name)]
        ) { ($0.integer(0), $0.integer(1)) }
        return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
    }

    /// Returns all sources, sorted by name.
    fileprivate func sources() throws -> [StoredSource] {
        try values(
            """
            SELECT o.id, o.name, o.location, o.time_zone, o.shift, o.priority, o.station_patterns, o.encoding,
                o.refresh_interval, o.is_configured, t.last_attempt, t.last_success, t.entity_tag, t.last_modified,
                t.body_hash, t.last_error, t.last_ending, t.last_duration, t.failures, t.not_before, t.header,
                o.username, o.lineups, o.service, o.follows_guides, p.name, o.group_patterns,
                CASE WHEN EXISTS (SELECT 1 FROM lineup WHERE source_id = o.id) THEN 2
                    WHEN EXISTS (SELECT 1 FROM import WHERE source_id = o.id) THEN 1 ELSE 0 END,
                o.completes
            FROM source o LEFT JOIN source_state t ON t.source_id = o.id LEFT JOIN source p ON p.id = o.playlist_id
            ORDER BY o.name
            """, [], StoredSource.init)
    }
}

/// A row of `source`, with the row of `source_state` if there is one.
private struct StoredSource {
    let id: Int64
    let source: Source
    let state: SourceState
    let header: [ContentAttribute]
    let kind: SourceKind?

    init(_ row: any StoredRow) throws {
        id = row.integer(0)
        source = Source(
            name: row.text(1), location: row.textIfPresent(2), timeZone: row.textIfPresent(3), shift: row.integer(4),
            interval: row.integerIfPresent(8), priority: Int(row.integer(5)),
            stations: row.lines(6),
            encoding: row.textIfPresent(7), isConfigured: row.flag(9),
            account: row.textIfPresent(21).map { username in
                SourceAccount(
                    row.textIfPresent(23).flatMap(SourceAccount.Service.init(rawValue:)) ?? .schedulesDirect,
                    username: username, lineups: row.lines(22))
            }, followsGuides: row.flag(24), playlist: row.textIfPresent(25), groups: row.lines(26),
            completes: row.flag(28))
        kind = [1: SourceKind.guide, 2: .playlist][row.integer(27)]
        var state = SourceState()
        state.lastAttempt = row.instant(10)
        state.lastSuccess = row.instant(11)
        state.entityTag = row.textIfPresent(12)
        state.lastModified = row.textIfPresent(13)
        state.bodyHash = row.textIfPresent(14)
        state.lastError = row.textIfPresent(15)
        state.lastResult = row.textIfPresent(16).flatMap(RefreshResult.init(rawValue:))
        state.lastDuration = row.integerIfPresent(17).map { .milliseconds($0) }
        state.failures = Int(row.integer(18))
        state.notBefore = row.instant(19)
        self.state = state
        header = try row.attributes(20)
    }
}

extension StoredRow {
    /// The non-empty lines of a text.
    package func lines(_ index: Int32) -> [String] {
        text(index).unicodeScalars.split(separator: "\n").map { String($0) }
    }
}

// MARK: - Imports

extension SQLReading {
    package func imports(ofSource name: String, limit: Int) throws -> [ImportSummary] {
        try reading { connection in
            try connection.sourceKey(name).map { try connection.imports(ofSource: $0, limit: limit) } ?? []
        }
    }

    package func diagnostics(ofImport id: Int64, _ body: (Diagnostic) throws -> Bool) throws {
        try reading { connection in
            var last: Int64 = -1
            while let next = try connection.diagnostics(ofImport: id, after: last, body) { last = next }
        }
    }
}

extension SQLConnection {
    /// Returns the number of the next import.
    package func nextImport() throws -> Int64 { try integer("SELECT coalesce(max(id), 0) + 1 FROM import") ?? 1 }

    /// Returns the counts of the last imports of a source, newest first.
    fileprivate func imports(ofSource id: Int64, limit: Int) throws -> [ImportSummary] {
        try values(
            """
            SELECT at, generation, read, stored, dropped, inserted, changed, removed, id, completed FROM import
            WHERE source_id = $1 ORDER BY id DESC LIMIT $2
            """, [.integer(id), .number(max(0, limit))]
        ) { row in
            var summary = ImportSummary(
                at: Instant(secondsSince1970: row.integer(0)), generation: Generation(row.integer(1)))
            summary.read = Int(row.integer(2))
            summary.stored = Int(row.integer(3))
            summary.dropped = Int(row.integer(4))
            summary.inserted = Int(row.integer(5))
            summary.changed = Int(row.integer(6))
            summary.removed = Int(row.integer(7))
            summary.id = row.integer(8)
            summary.completed = Int(row.integer(9))
            return summary
        }
    }

    /// Visits the next 1000 diagnostics after an ordinal, and returns the last ordinal; `nil` if no more are wanted or left.
    ///
    /// A server sends the whole result of a statement, also if only a page of it is wanted.
    fileprivate func diagnostics(
        ofImport id: Int64, after ordinal: Int64, _ body: (Diagnostic) throws -> Bool
    ) throws -> Int64? {
        let atOnce = 1000
        var (count, last, wantsMore) = (0, ordinal, true)
        try rows(
            """
            SELECT d.severity, d.keyword, d.action, d.line, d.station, d.quote, d.line, d.start, d.stop, d.programme_id,
                p.title, d.other_line, d.other_start, d.other_stop, d.other_programme_id, o.title, d.window_start,
                d.window_stop, d.ordinal
            FROM diagnostic d
            LEFT JOIN programme p ON p.id = d.programme_id LEFT JOIN programme o ON o.id = d.other_programme_id
            WHERE d.import_id = (SELECT diagnostics_of FROM import WHERE id = $1) AND d.ordinal > $2
            ORDER BY d.ordinal LIMIT $3
            """, [.integer(id), .integer(ordinal), .number(atOnce)], streams: false
        ) { row in
            (count, last) = (count + 1, row.integer(18))
            // Another version may have keywords that this one does not know.
            guard let severity = Diagnostic.Severity(rawValue: row.text(0)),
                let keyword = Diagnostic.Keyword(rawValue: row.text(1)),
                let action = Diagnostic.Action(rawValue: row.text(2))
            else { return true }
            var diagnostic = Diagnostic(
                severity: severity, keyword: keyword, action: action, line: Int(row.integer(3)),
                station: row.textIfPresent(4).map { StationID($0) }, quote: row.textIfPresent(5))
            diagnostic.listing = Diagnostic.Reference(row, from: 6)
            diagnostic.other = Diagnostic.Reference(row, from: 11)
            diagnostic.window = row.windowIfPresent(16, 17)
            wantsMore = try body(diagnostic)
            return wantsMore
        }
        return wantsMore && count == atOnce ? last : nil
    }
}

extension Diagnostic.Reference {
    /// Creates the listing of five columns: line, start, stop, programme, title; `nil` if there is none.
    fileprivate init?(_ row: any StoredRow, from first: Int32) {
        guard let start = row.instant(first + 1) else { return nil }
        self.init(
            line: Int(row.integer(first)), start: start, stop: row.instant(first + 2),
            programme: row.integer(first + 3))
        title = row.textIfPresent(first + 4)
    }
}

// MARK: - Times

/// Statements whose plans the tests check.
package enum SourceSQL {
    package static let hasOldAirings = """
        SELECT EXISTS (SELECT 1 FROM coverage c WHERE (
            SELECT a.stop FROM airing a WHERE a.source_id = c.source_id AND a.station_id = c.station_id
            ORDER BY a.start LIMIT 1) <= \(RemovalSQL.horizon("c")))
        """

    package static let lastImport =
        "SELECT diagnostics_of, diagnostics_digest FROM import WHERE source_id = $1 ORDER BY id DESC LIMIT 1"
}

// Airings of a station from one source do not overlap, so that the first one is also the first to stop, and the last one the last.

extension SQLReading {
    package func end(ofSource name: String) throws -> Instant? {
        try reading { connection in
            try connection.integer(
                """
                SELECT max((SELECT a.stop FROM airing a WHERE a.source_id = c.source_id AND a.station_id = c.station_id
                    ORDER BY a.start DESC, a.part DESC LIMIT 1))
                FROM coverage c WHERE c.source_id = (SELECT id FROM source WHERE name = $1)
                """, [.text(name)])
        }.map(Instant.init(secondsSince1970:))
    }

    package func hasOldAirings(retention: Int64, now: Instant) throws -> Bool {
        try reading {
            try $0.flag(SourceSQL.hasOldAirings, [.instant(now.advanced(by: -retention)), .instant(now)])
        }
    }

    package func catchupHorizons(retention: Int64, now: Instant) throws -> [StationID: Instant] {
        try reading { connection in
            let days = try connection.values(
                """
                SELECT s.feed_id, max(c.catchup_days) FROM channel c JOIN station s ON s.id = c.station_id
                WHERE c.catchup_days IS NOT NULL GROUP BY s.feed_id
                """
            ) { (StationID($0.text(0)), $0.integer(1)) }
            let limit = now.advanced(by: -retention)
            let horizons = days.map { ($0, now.advanced(by: -86_400 * ($1 + 1))) }.filter { $0.1 < limit }
            return Dictionary(horizons) { first, _ in first }
        }
    }

    package func isAnythingOn(at instant: Instant) throws -> Bool {
        try reading { connection in
            try connection.flag(
                """
                SELECT EXISTS (SELECT 1 FROM coverage c WHERE c.start <= $1 AND c.stop > $1
                    AND c.source_id NOT IN (SELECT id FROM source WHERE name = $2)
                    AND (SELECT a.stop FROM airing a WHERE a.source_id = c.source_id AND a.station_id = c.station_id
                        AND a.start <= $1 ORDER BY a.start DESC LIMIT 1) > $1)
                """, [.instant(instant), .text(Derivation.source.name)])
        }
    }

    package func hasRecordedTimes(after instant: Instant) throws -> Bool {
        try reading { connection in
            try connection.flag(
                """
                SELECT EXISTS (SELECT 1 FROM source_state WHERE last_attempt > $1 OR last_success > $1)
                    OR EXISTS (SELECT 1 FROM guide WHERE pruned_at > $1)
                """, [.instant(instant)])
        }
    }

    package func guideSpan() throws -> TimeWindow? {
        try reading { try $0.first("SELECT min(start), max(stop) FROM coverage") { $0.windowIfPresent(0, 1) } ?? nil }
    }
}
