import EPGJSON
import EPGModel
import EPGSQL
import EPGSearch

/// Modifications of a guide on PostgreSQL through the connection that holds the writer lock. See ``GuideWriting``.
final class PostgresWriter: PostgresReader, GuideWriting, SQLWriting, @unchecked Sendable {
    private weak var currentImport: (any ImportSession)?
    private var searchFeed: LocalSearchFeed?

    /// Runs a transaction, which must preserve all invariants.
    func write<Value>(_ body: () throws -> Value) throws -> Value {
        try converting { try connection.transaction(body) }
    }

    func writing<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
        try write { try body(connection) }
    }

    /// Converts errors of PostgreSQL.
    func converting<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try read(body)
        } catch let error as PostgresError {
            throw StoreError(writing: error, location: location)
        }
    }

    /// Returns whether nothing was ever written to the guide.
    func isEmpty() throws -> Bool {
        let tables = ["source", "lineup", "mapping", "favorite", "watch_rule", "profile", "setting", "generation"]
        return try tables.allSatisfy { try connection.integer("SELECT 1::bigint FROM \($0) LIMIT 1") == nil }
    }

    // MARK: - Imports

    func beginImport(
        of source: Source, now: Instant, matcher: (any ChannelMatching)?, safeguard: ImportSafeguard?,
        limits: ImportLimits
    ) throws -> any ImportSession {
        closeSearchFeed()
        // The import uses the connection until it has ended.
        let feed = try search.feed(for: self)
        let session = try QueuedImport(PostgresImportQueue(self)) {
            try ImportWriter(
                PostgresImportTables(self), source: source, now: now, matcher: matcher, safeguard: safeguard,
                limits: limits)
        }
        session.observer = feed
        (currentImport, searchFeed) = (session, feed)
        return session
    }

    /// Cancels an import that the caller left open.
    func cancelImport() {
        currentImport?.cancel()
        closeSearchFeed()
    }

    /// Updates the search index of this computer. If the file cannot be written, searches report it.
    func refreshSearchIndex() throws {
        closeSearchFeed()
        do { try search.refresh(for: self) } catch is StoreError {}
    }

    /// Waits for the feed of the last import. What it could not write, a refresh of the index reads from the guide.
    private func closeSearchFeed() {
        _ = Result { try searchFeed.take()?.close() }
    }
}
