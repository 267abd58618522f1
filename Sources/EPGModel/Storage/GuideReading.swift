/// A guide that many may read at once, each in a transaction of its own.
package protocol GuideReading: Sendable {
    /// Hands the guide over as it stands: all that is asked in one call belongs to one generation.
    ///
    /// The calling thread reads, and waits where all connections are taken.
    /// - Parameter limit: How long the reading may take; `nil` for as long as it takes.
    /// - Throws: ``ReadingTookTooLong`` where the limit is over, or what the body or the store throws.
    func read<Answer>(within limit: Duration?, _ body: (any GuideBrowsing) throws -> Answer) throws -> Answer
}

/// An answer took longer to read than it was given.
package struct ReadingTookTooLong: Error, Hashable, Sendable, CustomStringConvertible {
    package init() {}

    package var description: String { "reading took longer than it may; ask for less at once" }
}
