/// What tells one state of a guide from every other, of this and of other databases; it keys caches.
public struct GuideVersion: Hashable, Sendable {
    /// Grows with every change of the guide.
    public var generation: Generation
    /// A text that every database has its own of.
    public var key: String
    /// When the generation came; `nil` for a guide that was never filled.
    public var since: Instant?

    public init(generation: Generation, key: String, since: Instant?) {
        self.generation = generation
        self.key = key
        self.since = since
    }
}
