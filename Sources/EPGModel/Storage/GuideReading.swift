/// A guide that many may read at once, each in a transaction of its own.
package protocol GuideReading: Sendable {
    /// Hands the guide over as it stands: all that is asked in one call belongs to one generation.
    ///
    /// The calling thread reads, and waits where all connections are taken. The body may be called more than once: when another
    /// database takes the place of the one being read, the reading is interrupted and starts again on the new one.
    /// - Parameter limit: When the reading gives up.
    /// - Throws: ``ReadingTookTooLong``, ``ReadingCancelled``, or what the body or the store throws.
    func read<Answer>(until limit: ReadingLimit, _ body: (any GuideBrowsing) throws -> Answer) throws -> Answer
}

extension GuideReading {
    /// Reads for at most `duration` from now on; `nil` for as long as it takes.
    package func read<Answer>(
        within duration: Duration?, _ body: (any GuideBrowsing) throws -> Answer
    ) throws -> Answer {
        try read(until: ReadingLimit(duration), body)
    }
}

/// When a reading gives up, whether it still waits for a connection or has one.
package struct ReadingLimit: Sendable {
    /// How long the reading may take; `nil` for no limit.
    package let duration: Duration?
    /// The instant from which ``duration`` counts, such as the arrival of a request.
    package let start: ContinuousClock.Instant
    /// Returns whether the answer is no longer wanted. The reading thread calls it every few dozen microseconds.
    package let isCancelled: (@Sendable () -> Bool)?

    package init(
        _ duration: Duration?, from start: ContinuousClock.Instant = .now, isCancelled: (@Sendable () -> Bool)? = nil
    ) {
        self.duration = duration
        self.start = start
        self.isCancelled = isCancelled
    }
}

/// An answer took longer to read than it was given.
package struct ReadingTookTooLong: Error, Hashable, Sendable, CustomStringConvertible {
    package init() {}

    package var description: String { "reading took longer than it may; ask for less at once" }
}

/// A reading ended early because its answer is no longer wanted.
package struct ReadingCancelled: Error, Hashable, Sendable, CustomStringConvertible {
    package init() {}

    package var description: String { "the reading was cancelled" }
}
