package import EPGModel
import GRDB
import Synchronization

/// The search index of a guide in another store: a file of its own.
package struct LocalSearch {
    private let path: String

    package init(at path: String) {
        self.path = path
    }

    /// Returns whether the index has all programmes of a guide.
    ///
    /// - Parameter isPast: Returns whether the guide was in a state. Otherwise, the index belongs to a state that a failover or a
    ///   restore has lost, and its numbers of programmes may have been reused.
    package func isCurrent(for state: GuideState, isPast: (GuideVersion) throws -> Bool) throws -> Bool {
        try read { index in
            guard try SearchIndex.mark(index).isCurrent(for: state), let version = try Self.version(index) else {
                return false
            }
            return try isPast(version)
        } ?? false
    }

    /// Adds the programmes that the index lacks, or builds it again if it is not one of a past state.
    ///
    /// - Parameter wait: The time to wait for another process that does the same.
    package func refresh(
        from texts: some SearchTexts, at current: GuideVersion, waiting wait: LockWait,
        isPast: (GuideVersion) throws -> Bool
    ) throws {
        try StoreError.translating(path: path) {
            let lock = try FileLock(.writing, of: path, wait: wait)
            defer { lock.release() }
            let index = try SearchIndex(at: path, key: texts.state.contentKey, usesWriteAheadLog: true)
            try index.queue.write { database in
                try database.execute(
                    sql:
                        "CREATE TABLE IF NOT EXISTS version (generation INTEGER NOT NULL, nonce INTEGER NOT NULL) STRICT"
                )
                if let version = try Self.version(database), try !isPast(version) { try SearchIndex.clear(database) }
                try database.execute(sql: "DELETE FROM version")
            }
            try index.refresh(from: texts)
            try index.queue.write { database in
                try database.execute(
                    sql: "INSERT INTO version VALUES (?, ?)", arguments: [current.generation.rawValue, current.nonce])
            }
            try Connections.checkpoint(index.queue, path: path)
            try index.queue.close()
        }
    }

    /// Searches a guide.
    ///
    /// - Parameter matches: Returns the matches of airings, without those that no longer exist. It gets a closure that returns the
    ///   highlights of an airing.
    /// - Throws: ``SearchExpressionError``, ``SearchIndexMissing``.
    package func results<Guide: SearchedAirings>(
        of query: SearchQuery, in guide: Guide, state: GuideState,
        _ matches: ([Showing], (Airing) throws -> [SearchMatch.Field: [Range<Int>]]?) throws -> [SearchMatch]
    ) throws -> SearchResults {
        // Invalid terms are an error even if there is no index.
        guard try !TokenizerConnection.shared.withTokenizer({ try SearchTerms(query, $0).isEmpty }),
            state.nextProgramme > 1
        else { return SearchResults() }
        let results = try read { index in
            let terms = try SearchTerms(query, WordTokenizer(index))
            let mark = try SearchIndex.mark(index)
            guard mark.isFilled(for: state) else { throw SearchIndexMissing() }
            var search = RankedSearch(terms, query, index: index, guide: guide)
            let found = try matches(search.page()) { airing in
                query.order == .relevance ? try terms.highlights(in: airing) : nil
            }
            return SearchResults(
                total: search.total, isTotalExact: mark.isCurrent(for: state) && !search.isTruncated, matches: found)
        }
        guard let results else { throw SearchIndexMissing() }
        return results
    }

    /// Returns the state of the guide at the last refresh; `nil` if it was interrupted.
    private static func version(_ database: Database) throws -> GuideVersion? {
        guard try database.tableExists("version") else { return nil }
        return try Row.fetchOne(database, sql: "SELECT generation, nonce FROM version").map { row in
            GuideVersion(generation: Generation(row["generation"]), nonce: row["nonce"], since: nil)
        }
    }

    /// Reads the index in one transaction; returns `nil` if it does not exist.
    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value? {
        guard SearchIndex.exists(at: path) else { return nil }
        do {
            let queue = try Connections.reader(path: path, cacheKiB: 8 << 10)
            let value = try queue.read { try $0.tableExists("mark") ? try body($0) : nil }
            try queue.close()
            return value
        } catch let error as DatabaseError {
            throw SearchIndex.failure(error, at: path)
        }
    }
}

/// A connection for tokenizers where no database is open.
package final class TokenizerConnection: Sendable {
    package static let shared = TokenizerConnection()

    private let queue = Mutex<DatabaseQueue?>(nil)

    package init() {}

    /// Calls a closure with a tokenizer, one thread at a time.
    package func withTokenizer<Value>(_ body: (WordTokenizer) throws -> Value) throws -> Value {
        let open = try queue.withLock { queue in
            let open = try queue ?? DatabaseQueue()
            queue = open
            return open
        }
        return try open.inDatabase { try body(WordTokenizer($0)) }
    }
}
