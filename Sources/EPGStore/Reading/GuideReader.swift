import EPGModel

/// One connection of a ``GuideReaderPool``, to a guide and to its index for searches.
final class GuideReader: Sendable {
    private let store: GuideStore

    /// - Throws: ``StoreError``.
    init(path: String) throws {
        store = try GuideStore(readingFrom: path)
    }

    /// Hands the guide over within one read transaction.
    ///
    /// - Throws: The error of the cause for which the reading gave up, what the body throws, and ``StoreError``.
    func read<Answer>(
        until deadline: ReadingDeadline, _ body: (any GuideBrowsing) throws -> Answer
    ) throws -> Answer {
        // What the body throws is not the store's error, so that it isn't translated.
        var outcome: Result<Answer, any Error>?
        do {
            try store.read { database in
                outcome = Result {
                    try ReadingDeadline.watching(deadline, database) {
                        try store.keepingSearchIndexOpen(until: deadline) { try body(store) }
                    }
                }
            }
        } catch {
            if outcome == nil { throw error }
        }
        guard let outcome else { throw StoreError.inaccessible(path: store.path, detail: "nothing was read") }
        do {
            return try outcome.get()
        } catch {
            if let cause = deadline.stoppedReading { throw cause.error }
            throw StoreError(error, path: store.path) ?? error
        }
    }

    func close() throws { try store.close() }
}
