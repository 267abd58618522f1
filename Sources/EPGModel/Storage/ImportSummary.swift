/// What the last import of a source did.
public struct ImportSummary: Hashable, Sendable {
    /// The name of the source.
    public var source: String
    /// When it was imported.
    public var at: Instant
    /// The generation that stood after it.
    public var generation: Generation
    /// Programmes of the file.
    public var read: Int
    /// Airings that the schedules of this import hold.
    public var stored: Int
    /// Listings that are not in the schedule.
    public var dropped: Int
    /// Airings that were new.
    public var inserted: Int
    /// Airings that said something else than before, or moved.
    public var changed: Int
    /// Airings that the source no longer listed.
    public var removed: Int

    public init(
        source: String, at: Instant, generation: Generation, read: Int, stored: Int, dropped: Int, inserted: Int,
        changed: Int, removed: Int
    ) {
        self.source = source
        self.at = at
        self.generation = generation
        self.read = read
        self.stored = stored
        self.dropped = dropped
        self.inserted = inserted
        self.changed = changed
        self.removed = removed
    }
}
