import EPGJSON
import EPGModel
import EPGSQL
import EPGSearch
import FoundationEssentials
import Glibc

/// The search index of a guide on PostgreSQL: a file on each computer that searches.
///
/// The file is the same as for an SQLite guide, so both engines find the same airings in the same order. Programmes never
/// change, so a computer only reads those that it has not indexed yet.
final class PostgresSearch: Sendable {
    let folder: String
    /// The path without the suffix of the index. It depends on the location, because copies of a guide have the same content key.
    let base: String

    /// - Parameter folder: `nil` for ``defaultFolder``.
    init(folder: String?, location: String) {
        self.folder = folder ?? Self.defaultFolder
        base = self.folder + "/" + ContentHasher.fixed.hash(Array(location.utf8).span).base36
    }

    /// The folder of the current user for caches: `EPG_CACHE`, systemd's `CACHE_DIRECTORY`, or `epg` in `XDG_CACHE_HOME`
    /// (`~/.cache`).
    private static var defaultFolder: String {
        let variables = ProcessInfo.processInfo.environment
        func value(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let folder = value("EPG_CACHE") ?? value("CACHE_DIRECTORY") { return folder }
        let home = value("HOME") ?? getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/"
        return (value("XDG_CACHE_HOME") ?? home + "/.cache") + "/epg"
    }

    private func index(for reader: PostgresReader) -> LocalSearch {
        LocalSearch(at: base + "-search") { version in
            if try reader.version(of: version.generation)?.nonce == version.nonce { return .past }
            return try version.generation > reader.version().generation ? .future : .lost
        }
    }

    /// Returns whether the index has all programmes of a guide.
    func isCurrent(for reader: PostgresReader) throws -> Bool {
        let state = try reader.state()
        return try state.nextProgramme == 1 || index(for: reader).isCurrent(for: state)
    }

    /// Adds the programmes that the index lacks.
    ///
    /// - Parameter wait: The time to wait for another process that does the same.
    /// - Throws: ``StoreError`` if the file cannot be written.
    func refresh(for reader: PostgresReader, waiting wait: LockWait = .always) throws {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let texts = PostgresTexts(connection: reader.connection, state: try reader.state())
        try index(for: reader).refresh(from: texts, at: reader.version(), waiting: wait)
    }

    /// Starts to add the programmes of an import while it runs; `nil` if the index cannot follow it.
    func feed(for reader: PostgresReader) throws -> LocalSearchFeed? {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return try index(for: reader).feed(for: reader.state()) { [reader] in try reader.version() }
    }

    /// Searches, after adding the programmes that the index lacks.
    func results(
        of query: SearchQuery, for reader: PostgresReader,
        _ matches: ([Showing], (Airing) throws -> [SearchMatch.Field: [Range<Int>]]?) throws -> [SearchMatch]
    ) throws -> SearchResults {
        let failure = try update(for: reader)
        do {
            return try index(for: reader).results(
                of: query, in: SearchedTables(connection: reader.connection), state: reader.state(), matches)
        } catch let missing as SearchIndexMissing {
            throw failure ?? missing
        }
    }

    /// Returns the corrections of a search, by what the index has.
    func corrections(of query: SearchQuery, for reader: PostgresReader) throws -> [String] {
        try index(for: reader).corrections(of: query, state: reader.state())
    }

    /// Calls a closure with a function that returns the programmes above a number that match words, after adding the programmes
    /// that the index lacks.
    func withProgrammes<Value>(
        above number: Int64, for reader: PostgresReader,
        _ body: (@escaping (String) throws -> ProgrammeMatches) throws -> Value
    ) throws -> Value {
        let failure = try update(for: reader)
        return try index(for: reader).withProgrammes(above: number, of: reader.state()) { matches in
            try body { words in
                do {
                    return try matches(words)
                } catch let missing as SearchIndexMissing {
                    throw failure ?? missing
                }
            }
        }
    }

    /// Adds the programmes that the index lacks. Returns the error if it cannot be written.
    private func update(for reader: PostgresReader) throws -> (any Error)? {
        guard try !isCurrent(for: reader) else { return nil }
        // While another process updates it, or if it cannot be written, an outdated index still finds most airings.
        nonisolated(unsafe) let interruption = reader.connection.interruption
        let wait =
            try index(for: reader).isUsable(for: reader.state()) ? LockWait.never : .until { interruption() != nil }
        do { try refresh(for: reader, waiting: wait) } catch let error as StoreError { return error }
        return nil
    }
}

extension LocalSearchFeed: ImportObserver {}

/// The programmes of a guide on PostgreSQL.
struct PostgresTexts: SearchTexts {
    let connection: PostgresConnection
    let state: GuideState

    func programmeCount() throws -> Int { Int(try connection.integer("SELECT count(*) FROM programme") ?? 0) }

    func programmeCount(above number: Int64) throws -> Int64 {
        try connection.integer("SELECT count(*) FROM programme WHERE id > $1", [.integer(number)]) ?? 0
    }

    func visitProgrammes(
        above number: Int64,
        _ body: (Int64, UnsafeRawBufferPointer?, UnsafeRawBufferPointer?, UnsafeRawBufferPointer?) throws -> Void
    ) throws {
        try connection.rows(
            "SELECT id, title, subtitle, description FROM programme WHERE id > $1 ORDER BY id", [.integer(number)],
            streams: true
        ) { row in
            try body(row.integer(0), row.bytes(1), row.bytes(2), row.bytes(3))
            return true
        }
    }
}

/// The airings of a guide on PostgreSQL for searches.
struct SearchedTables: SearchedAirings {
    let connection: PostgresConnection

    var seeker: PostgresSeeker { PostgresSeeker(connection: connection) }

    func showings(ofProgrammes programmes: [Int64], limit: Int) throws -> [Showing] {
        guard !programmes.isEmpty else { return [] }
        return try connection.values(
            """
            SELECT \(AiringSQL.showing)
            FROM unnest($1::bigint[]) WITH ORDINALITY AS w (programme, place)
            JOIN airing a ON a.programme_id = w.programme JOIN station s ON s.id = a.station_id
            WHERE s.source_id = a.source_id OR s.is_shared ORDER BY w.place, a.id DESC LIMIT $2
            """, [.integers(programmes), .integer(Int64(limit))]
        ) { Showing($0) }
    }

    private static let columns = """
        SELECT \(AiringSQL.showing), a.programme_id, p.title, p.subtitle,
            p.description
        FROM station s
        JOIN coverage c ON c.station_id = s.id AND (s.is_shared OR c.source_id = s.source_id) AND c.stop > $1
        JOIN airing a ON a.source_id = c.source_id AND a.station_id = c.station_id
        JOIN programme p ON p.id = a.programme_id
        """

    func visitAirings(at instant: Instant, limit: Int, _ body: (UpcomingAiring) throws -> Void) throws {
        try visit(
            """
            \(Self.columns) WHERE a.stop > $1 AND a.start = (SELECT b.start FROM airing b
                WHERE b.source_id = c.source_id AND b.station_id = c.station_id AND b.start <= $1
                ORDER BY b.start DESC LIMIT 1)
            ORDER BY s.id, c.source_id, a.part LIMIT $2
            """, [.integer(instant.secondsSince1970), .integer(Int64(limit))], body)
    }

    func visitAirings(startingIn window: TimeWindow, limit: Int, _ body: (UpcomingAiring) throws -> Void) throws {
        try visit(
            """
            \(Self.columns) WHERE a.start >= $1 AND a.start < $2
            ORDER BY s.id, c.source_id, a.start, a.part LIMIT $3
            """,
            [
                .integer(window.start.secondsSince1970), .integer(window.end.secondsSince1970), .integer(Int64(limit)),
            ], body)
    }

    private func visit(
        _ sql: String, _ parameters: [SQLValue], _ body: (UpcomingAiring) throws -> Void
    ) throws {
        try connection.rows(sql, parameters, streams: true) { row in
            try body(
                UpcomingAiring(showing: Showing(row), programme: row.integer(6)) { count in
                    (0..<Int32(count)).map { row.text(7 + $0) }
                })
            return true
        }
    }

    func end() throws -> Instant? {
        try connection.integer("SELECT max(stop) FROM coverage").map(Instant.init(secondsSince1970:))
    }
}
