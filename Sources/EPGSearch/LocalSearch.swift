package import EPGModel
import GRDB
import Synchronization

/// The search index of a guide in another store: a file of its own, which is marked with the version of the guide that it has.
package struct LocalSearch {
    /// The relation of the version of an index to the guide that a search reads.
    package enum Relation {
        /// The guide was at this version, or is.
        case past
        /// The guide will be at this version: the search reads a server that is behind. The index has later programmes, too.
        case future
        /// A failover or a restore has lost this version, so that its numbers of programmes may belong to others now.
        case lost
    }

    private let path: String
    private let relation: (GuideVersion) throws -> Relation

    /// - Parameter relation: Returns the relation of a version to the current guide.
    package init(at path: String, relation: @escaping (GuideVersion) throws -> Relation) {
        self.path = path
        self.relation = relation
    }

    /// Returns whether the index has programmes of a guide, possibly not all.
    package func isUsable(for state: GuideState) throws -> Bool {
        try read { index in try SearchIndex.mark(index).isFilled(for: state) && relation(of: index) != .lost } ?? false
    }

    /// Returns whether the index has all programmes of a guide.
    package func isCurrent(for state: GuideState) throws -> Bool {
        try read { index in try SearchIndex.mark(index).covers(state) && relation(of: index) != .lost } ?? false
    }

    /// Adds the programmes that the index lacks, or builds it again if its version is lost.
    ///
    /// - Parameter wait: The time to wait for another process that does the same.
    package func refresh(from texts: some SearchTexts, at current: GuideVersion, waiting wait: LockWait) throws {
        do {
            let lock = try FileLock(.writing, of: path, wait: wait)
            defer { lock.release() }
            let (index, relation) = try open(key: texts.state.contentKey)
            if relation != .future {
                // Before the entries, which an interruption may leave incomplete: they belong to the past of this version.
                try index.queue.write { try Self.set(current, in: $0) }
                try index.refresh(from: texts)
            }
            try Connections.checkpoint(index.queue, path: path)
            try index.queue.close()
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }

    /// Opens the index for writing, without entries if its version is lost.
    fileprivate func open(key: ContentHash) throws -> (SearchIndex, Relation) {
        let index = try SearchIndex(at: path, key: key, usesWriteAheadLog: true)
        let relation = try index.queue.write { database in
            try database.execute(
                sql: "CREATE TABLE IF NOT EXISTS version (generation INTEGER NOT NULL, nonce INTEGER NOT NULL) STRICT")
            let relation = try self.relation(of: database)
            if relation == .lost { try SearchIndex.clear(database) }
            return relation
        }
        return (index, relation)
    }

    /// Sets the version of the guide to which the entries belong.
    fileprivate static func set(_ version: GuideVersion, in database: Database) throws {
        try database.execute(sql: "DELETE FROM version")
        try database.execute(
            sql: "INSERT INTO version VALUES (?, ?)", arguments: [version.generation.rawValue, version.nonce])
    }

    /// Starts a feed for an import; `nil` if the index is in use, outdated, or cannot be written, which is not an error of the
    /// import.
    ///
    /// - Parameters:
    ///   - state: The state of the guide before the import.
    ///   - version: Returns the version of the guide after the commit of the import.
    package func feed(
        for state: GuideState, version: @escaping () throws -> GuideVersion
    ) -> LocalSearchFeed? {
        do {
            let lock = try FileLock(.writing, of: path, wait: .never)
            let (index, relation) = try open(key: state.contentKey)
            guard relation != .future, let feed = SearchFeed(nextProgramme: state.nextProgramme, lock: lock, { index })
            else { return nil }
            return LocalSearchFeed(feed, of: index, lock, version)
        } catch {
            return nil
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
            guard mark.isFilled(for: state), try relation(of: index) != .lost else { throw SearchIndexMissing() }
            var search = RankedSearch(terms, query, index: index, guide: guide)
            let found = try matches(search.page()) { airing in
                query.order == .start ? nil : try terms.highlights(in: airing)
            }
            return SearchResults(
                total: search.total, isTotalExact: mark.covers(state) && !search.isTruncated, matches: found)
        }
        guard let results else { throw SearchIndexMissing() }
        return results
    }

    /// Returns the corrections of a search; see ``GuideReading/corrections(of:)``.
    package func corrections(of query: SearchQuery, state: GuideState) throws -> [String] {
        try read { index in
            guard try SearchIndex.mark(index).isFilled(for: state), try relation(of: index) != .lost else { return [] }
            return try SearchTerms.corrections(of: query, WordTokenizer(index), in: index)
        } ?? []
    }

    /// Calls a closure with a function that returns the programmes of a guide above a number that match words.
    ///
    /// - Parameter state: The state of the guide.
    package func withProgrammes<Value>(
        above number: Int64, of state: GuideState,
        _ body: (@escaping (String) throws -> ProgrammeMatches) throws -> Value
    ) throws -> Value {
        let value = try read { index in
            let usable = try relation(of: index) == .lost ? nil : index
            let tokenizer = try WordTokenizer(index)
            return try body { try SearchTerms($0, tokenizer).programmes(above: number, of: state, in: usable) }
        }
        if let value { return value }
        return try TokenizerConnection.shared.withTokenizer { tokenizer in
            try body { try SearchTerms($0, tokenizer).programmes(above: number, of: state, in: nil) }
        }
    }

    private func relation(of database: Database) throws -> Relation {
        guard try database.tableExists("version"),
            let row = try Row.fetchOne(database, sql: "SELECT generation, nonce FROM version")
        else { return .lost }
        return try relation(
            GuideVersion(generation: Generation(row["generation"]), nonce: row["nonce"], since: nil))
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

/// A feed of a local index, which holds its lock until it is closed.
package final class LocalSearchFeed {
    private let feed: SearchFeed
    private let index: SearchIndex
    private let lock: FileLock
    private let version: () throws -> GuideVersion
    private var isClosed = false

    fileprivate init(
        _ feed: SearchFeed, of index: SearchIndex, _ lock: FileLock, _ version: @escaping () throws -> GuideVersion
    ) {
        (self.feed, self.index, self.lock, self.version) = (feed, index, lock, version)
    }

    /// An import that fails at its start leaves its feed unfinished.
    deinit {
        _ = Result { try close() }
    }

    /// Appends a batch unless too many are waiting.
    package func append(_ batch: ContentBatch) { feed.append(batch) }

    /// Commits the entries in the background, after the commit of the guide.
    package func finish() {
        do {
            let version = try version()
            // A failover that loses the commit also loses the version, and with it the entries.
            feed.finish { try LocalSearch.set(version, in: $0) }
        } catch {
            // The next search reads the programmes from the guide.
            feed.cancel()
        }
    }

    /// Discards the entries of an import that is rolled back.
    package func cancel() { feed.cancel() }

    /// Waits for the commit, or discards the entries if ``finish()`` was not called, and releases the index.
    package func close() throws {
        guard !isClosed else { return }
        isClosed = true
        defer { lock.release() }
        // After the step of `finish()`, this has no effect.
        feed.cancel()
        try index.queue.close()
    }
}

/// A connection for tokenizers where no database is open.
package final class TokenizerConnection: Sendable {
    package static let shared = TokenizerConnection()

    private let queue = Mutex<DatabaseQueue?>(nil)

    private init() {}

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
