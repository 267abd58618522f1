import EPGJSON
import EPGModel
import GRDB

/// A row of `source`, with that of `source_state` if there is one.
struct SourceRow: FetchableRecord {
    let id: Int64
    let source: Source
    let state: SourceState
    let header: [ContentAttribute]

    init(row: Row) throws {
        id = row["id"]
        source = Source(
            name: row["name"], location: row["location"], timeZone: row["time_zone"], shift: row["shift"],
            interval: row["refresh_interval"], priority: row["priority"],
            stations: (row["station_patterns"] as String).unicodeScalars.split(separator: "\n").map { String($0) },
            encoding: row["encoding"], isConfigured: row["is_configured"])
        var state = SourceState()
        state.lastAttempt = row.instant("last_attempt")
        state.lastSuccess = row.instant("last_success")
        state.entityTag = row["entity_tag"]
        state.lastModified = row["last_modified"]
        state.bodyHash = row["body_hash"]
        state.lastError = row["last_error"]
        state.lastEnding = (row["last_ending"] as String?).flatMap(RefreshEnding.init(rawValue:))
        state.lastDuration = (row["last_duration"] as Int64?).map { .milliseconds($0) }
        state.failures = row["failures"] ?? 0
        state.notBefore = row.instant("not_before")
        self.state = state
        header = try row.attributes("header")
    }

    /// All sources, by name.
    static func all(in database: Database) throws -> [SourceRow] {
        try fetchAll(database, sql: "SELECT * FROM source LEFT JOIN source_state ON source_id = id ORDER BY name")
    }

    /// The number of a source; `nil` where there is none of that name.
    static func id(ofSource name: String, in database: Database) throws -> Int64? {
        try Int64.fetchOne(database, sql: "SELECT id FROM source WHERE name = ?", arguments: [name])
    }

    /// The number of a source, which is added where there is none of its name.
    static func id(of source: Source, orInsertIn database: Database) throws -> (id: Int64, isNew: Bool) {
        if let known = try id(ofSource: source.name, in: database) { return (known, false) }
        try SourceSettingsRow(source: source).insert(database)
        return (database.lastInsertedRowID, true)
    }

    /// Keeps the attributes of `<tv>` of a source's last guide.
    static func saveHeader(_ header: [ContentAttribute], ofSource id: Int64, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO source_state (source_id, header) VALUES (?, ?)
                ON CONFLICT (source_id) DO UPDATE SET header = excluded.header WHERE header IS NOT excluded.header
                """, arguments: [id, String(json: StoredDocument.attributes(header))])
    }

    /// Forgets the last guides of all sources, or of one and of all that cover a station of it, so that the next refresh
    /// reads them again: what they say of the station may count now (see ``StationWriter``).
    static func forgetBodies(besideSource name: String? = nil, in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE source_state SET entity_tag = NULL, last_modified = NULL, body_hash = NULL
                WHERE :name IS NULL OR source_id IN
                    (SELECT other.source_id FROM coverage own JOIN coverage other ON other.station_id = own.station_id
                     WHERE own.source_id = (SELECT id FROM source WHERE name = :name))
                """, arguments: ["name": name])
    }
}

/// How a source is to be read: the columns of `source`.
struct SourceSettingsRow: PersistableRecord {
    static let databaseTableName = "source"

    let source: Source

    func encode(to container: inout PersistenceContainer) {
        container["name"] = source.name
        container["location"] = source.location
        container["time_zone"] = source.timeZone
        container["shift"] = source.shift
        container["refresh_interval"] = source.interval
        container["priority"] = source.priority
        container["station_patterns"] = source.stations.filter { !$0.isEmpty }.joined(separator: "\n")
        container["encoding"] = source.encoding
        container["is_configured"] = source.isConfigured
    }
}

/// The columns of `source_state` besides the header.
struct SourceStateRow: PersistableRecord {
    static let databaseTableName = "source_state"

    let id: Int64
    let state: SourceState

    func encode(to container: inout PersistenceContainer) {
        container["source_id"] = id
        container["last_attempt"] = state.lastAttempt?.secondsSince1970
        container["last_success"] = state.lastSuccess?.secondsSince1970
        container["entity_tag"] = state.entityTag
        container["last_modified"] = state.lastModified
        container["body_hash"] = state.bodyHash
        container["last_error"] = state.lastError
        container["last_ending"] = state.lastEnding?.rawValue
        container["last_duration"] = state.lastDuration?.wholeMilliseconds
        container["failures"] = state.failures
        container["not_before"] = state.notBefore?.secondsSince1970
    }
}

extension Duration {
    /// Rounded down; below 0 counts as 0.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return max(0, min(seconds, .max / 2000) * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
