import EPGJSON
import EPGModel
import EPGSQL

/// Lineups and mappings.
extension PostgresReader {
    func lineups() throws -> [String] { try connection.values("SELECT name FROM lineup ORDER BY name") { $0.text(0) } }

    func lineup(named name: String) throws -> (lineup: Lineup, matches: [ChannelMatch?])? {
        try storedLineup(named: name).map { ($0.lineup, $0.matches) }
    }

    private static let channelColumns = """
        c.name, c.number, c.guide_id, c.guide_name, c.logo, c.address, c.groups, c.attributes, c.directives
        """

    private static func channel(_ row: PostgresRow) throws -> Channel {
        Channel(
            name: row.text(0), number: row.textIfPresent(1).flatMap { ChannelNumber($0) },
            guideID: row.textIfPresent(2),
            guideName: row.textIfPresent(3), logo: row.textIfPresent(4), groups: try StoredDocument.texts(row.blob(6)),
            url: row.text(5), attributes: try StoredDocument.attributes(row.blob(7)),
            directives: try StoredDocument.texts(row.blob(8)))
    }

    func storedLineup(named name: String) throws -> StoredLineup? {
        try read {
            let found = try connection.first("SELECT id, attributes FROM lineup WHERE name = $1", [.text(name)]) {
                row in
                (id: row.integer(0), attributes: try StoredDocument.attributes(row.blob(1)))
            }
            guard let found else { return nil }
            let channels = try connection.values(
                """
                SELECT \(Self.channelColumns), s.feed_id, c.rule FROM channel c LEFT JOIN station s ON s.id = c.station_id
                WHERE c.lineup_id = $1 ORDER BY c.ordinal
                """, [.integer(found.id)]
            ) { row -> (Channel, ChannelMatch?) in
                var match: ChannelMatch?
                if let station = row.textIfPresent(9), let rule = row.textIfPresent(10) {
                    match = ChannelMatchRule(rawValue: rule).map { ChannelMatch(station: StationID(station), rule: $0) }
                }
                return (try Self.channel(row), match)
            }
            let lineup = Lineup(name: name, attributes: found.attributes, channels: channels.map(\.0))
            return StoredLineup(id: found.id, lineup: lineup, matches: channels.map(\.1))
        }
    }

    func lineups(containing station: StationID) throws -> [Lineup] {
        try read {
            var lineups: [Lineup] = []
            var last: Int64?
            try connection.rows(
                """
                SELECT \(Self.channelColumns), l.id, l.name, l.attributes FROM station s
                JOIN channel c ON c.station_id = s.id JOIN lineup l ON l.id = c.lineup_id
                WHERE s.feed_id = $1 ORDER BY l.name, c.ordinal
                """, [.text(station.rawValue)]
            ) { row in
                if row.integer(9) != last {
                    last = row.integer(9)
                    lineups.append(Lineup(name: row.text(10), attributes: try StoredDocument.attributes(row.blob(11))))
                }
                lineups[lineups.count - 1].channels.append(try Self.channel(row))
                return true
            }
            return lineups
        }
    }

    func mappings() throws -> [String: StationID] {
        let rows = try connection.values("SELECT channel_key, feed_id FROM mapping ORDER BY channel_key") {
            ($0.text(0), StationID($0.text(1)))
        }
        return Dictionary(rows) { first, _ in first }
    }

    func mappingShifts() throws -> [String: Int] {
        let rows = try connection.values(
            "SELECT channel_key, shift FROM mapping WHERE shift IS NOT NULL ORDER BY channel_key"
        ) {
            ($0.text(0), Int($0.integer(1)))
        }
        return Dictionary(rows) { first, _ in first }
    }

    func stationsWithAirings(during window: TimeWindow, ofSources names: Set<String>) throws -> Set<StationID> {
        // Airings of one source do not overlap, so the last one that starts before the end also stops last.
        Set(
            try connection.values(
                """
                SELECT s.feed_id FROM coverage c JOIN source o ON o.id = c.source_id JOIN station s ON s.id = c.station_id
                WHERE o.name = ANY($3) AND (
                    SELECT a.stop FROM airing a WHERE a.source_id = c.source_id AND a.station_id = c.station_id
                        AND a.start < $2
                    ORDER BY a.start DESC LIMIT 1) > $1
                """,
                [
                    .integer(window.start.secondsSince1970), .integer(window.end.secondsSince1970),
                    .texts(names.sorted()),
                ]
            ) { StationID($0.text(0)) })
    }
}

/// Sources and their imports.
extension PostgresReader {
    private static let sourceColumns = """
        o.id, o.name, o.location, o.time_zone, o.shift, o.priority, o.station_patterns, o.encoding, o.refresh_interval,
        o.is_configured, t.last_attempt, t.last_success, t.entity_tag, t.last_modified, t.body_hash, t.last_error,
        t.last_ending, t.last_duration, t.failures, t.not_before, t.header
        """

    private struct StoredSource {
        let id: Int64
        let source: Source
        let state: SourceState
        let header: [ContentAttribute]

        init(_ row: PostgresRow) throws {
            id = row.integer(0)
            source = Source(
                name: row.text(1), location: row.textIfPresent(2), timeZone: row.textIfPresent(3),
                shift: row.integer(4), interval: row.integerIfPresent(8),
                priority: Int(row.integer(5)),
                stations: row.text(6).unicodeScalars.split(separator: "\n").map { String($0) },
                encoding: row.textIfPresent(7), isConfigured: row.flag(9))
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
            header = row.isNull(20) ? [] : try StoredDocument.attributes(row.blob(20))
        }
    }

    private func storedSources() throws -> [StoredSource] {
        try read {
            try connection.values(
                "SELECT \(Self.sourceColumns) FROM source o LEFT JOIN source_state t ON t.source_id = o.id ORDER BY o.name",
                [], StoredSource.init)
        }
    }

    func sourceRecords() throws -> [SourceRecord] {
        try storedSources().map { SourceRecord(source: $0.source, state: $0.state) }
    }

    func sources() throws -> [SourceSummary] {
        try storedSources().map { stored in
            var summary = SourceSummary(source: stored.source, state: stored.state)
            let counts = try connection.first(
                """
                SELECT (SELECT count(*) FROM coverage WHERE source_id = $1), count(*), max(stop)
                FROM airing WHERE source_id = $1
                """, [.integer(stored.id)]
            ) { (stations: $0.integer(0), airings: $0.integer(1), end: $0.instant(2)) }
            summary.stations = Int(counts?.stations ?? 0)
            summary.airings = Int(counts?.airings ?? 0)
            summary.end = counts?.end
            summary.header = stored.header
            summary.lastImport = try imports(ofSource: stored.id, limit: 1).first
            return summary
        }
    }

    func imports(ofSource name: String, limit: Int) throws -> [ImportSummary] {
        let id = try connection.integer("SELECT id FROM source WHERE name = $1", [.text(name)])
        return try id.map { try imports(ofSource: $0, limit: limit) } ?? []
    }

    private func imports(ofSource id: Int64, limit: Int) throws -> [ImportSummary] {
        try connection.values(
            """
            SELECT at, generation, read, stored, dropped, inserted, changed, removed, id FROM import
            WHERE source_id = $1 ORDER BY id DESC LIMIT $2
            """, [.integer(id), .integer(Int64(max(0, limit)))]
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
            return summary
        }
    }

    func end(ofSource name: String) throws -> Instant? {
        try connection.integer(
            """
            SELECT max((SELECT a.stop FROM airing a WHERE a.source_id = c.source_id AND a.station_id = c.station_id
                ORDER BY a.start DESC, a.part DESC LIMIT 1))
            FROM coverage c WHERE c.source_id = (SELECT id FROM source WHERE name = $1)
            """, [.text(name)]
        ).map(Instant.init(secondsSince1970:))
    }

    func quality(ofSource name: String) throws -> ScheduleQuality {
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

    /// The number of diagnostics that are read at once, because the server sends the whole result of a statement.
    private static let diagnosticsAtOnce = 1000

    func diagnostics(ofImport id: Int64, _ body: (Diagnostic) throws -> Bool) throws {
        var last: Int64 = -1
        while let next = try diagnostics(ofImport: id, after: last, body) { last = next }
    }

    /// Visits the next diagnostics after an ordinal, and returns the last ordinal; `nil` if no more are wanted or left.
    private func diagnostics(
        ofImport id: Int64, after ordinal: Int64, _ body: (Diagnostic) throws -> Bool
    ) throws -> Int64? {
        var (count, last, wantsMore) = (0, ordinal, true)
        try connection.rows(
            """
            SELECT d.severity, d.keyword, d.action, d.line, d.station, d.quote, d.line, d.start, d.stop, d.programme_id,
                p.title, d.other_line, d.other_start, d.other_stop, d.other_programme_id, o.title, d.window_start,
                d.window_stop, d.ordinal
            FROM diagnostic d
            LEFT JOIN programme p ON p.id = d.programme_id LEFT JOIN programme o ON o.id = d.other_programme_id
            WHERE d.import_id = (SELECT diagnostics_of FROM import WHERE id = $1) AND d.ordinal > $2
            ORDER BY d.ordinal LIMIT $3
            """, [.integer(id), .integer(ordinal), .integer(Int64(Self.diagnosticsAtOnce))]
        ) { row in
            (count, last) = (count + 1, row.integer(18))
            guard let severity = Diagnostic.Severity(rawValue: row.text(0)),
                let keyword = Diagnostic.Keyword(rawValue: row.text(1)),
                let action = Diagnostic.Action(rawValue: row.text(2))
            else { return true }
            var diagnostic = Diagnostic(
                severity: severity, keyword: keyword, action: action, line: Int(row.integer(3)),
                station: row.textIfPresent(4).map { StationID($0) }, quote: row.textIfPresent(5))
            diagnostic.listing = Self.reference(row, from: 6)
            diagnostic.other = Self.reference(row, from: 11)
            diagnostic.window = row.windowIfPresent(16, 17)
            wantsMore = try body(diagnostic)
            return wantsMore
        }
        return wantsMore && count == Self.diagnosticsAtOnce ? last : nil
    }

    /// Returns the listing of five columns: line, start, stop, programme, title; `nil` if there is none.
    private static func reference(_ row: PostgresRow, from first: Int32) -> Diagnostic.Reference? {
        row.instant(first + 1).map { start in
            var reference = Diagnostic.Reference(
                line: Int(row.integer(first)), start: start, stop: row.instant(first + 2),
                programme: row.integer(first + 3))
            reference.title = row.textIfPresent(first + 4)
            return reference
        }
    }

    func hasAirings(stoppedBy instant: Instant) throws -> Bool {
        try connection.first(
            """
            SELECT EXISTS (SELECT 1 FROM coverage c WHERE (
                SELECT a.stop FROM airing a WHERE a.source_id = c.source_id AND a.station_id = c.station_id
                ORDER BY a.start LIMIT 1) <= $1)
            """, [.integer(instant.secondsSince1970)]
        ) { $0.flag(0) } ?? false
    }

    func hasRecordedTimes(after instant: Instant) throws -> Bool {
        try connection.first(
            """
            SELECT EXISTS (SELECT 1 FROM source_state WHERE last_attempt > $1 OR last_success > $1)
                OR EXISTS (SELECT 1 FROM guide WHERE pruned_at > $1)
            """, [.integer(instant.secondsSince1970)]
        ) { $0.flag(0) } ?? false
    }
}
