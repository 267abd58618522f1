/// The name of one state of a guide: it differs from that of every other state, of this and of other databases.
///
/// The number alone would repeat where a backup is restored or a failover loses a commit.
public struct GuideVersion: Hashable, Sendable {
    /// Grows with every change of the guide.
    public var generation: Generation
    /// A random number that the generation was given; 0 for a guide that was never filled.
    public var nonce: Int64
    /// When the generation came; `nil` for a guide that was never filled.
    public var since: Instant?

    public init(generation: Generation, nonce: Int64, since: Instant?) {
        self.generation = generation
        self.nonce = nonce
        self.since = since
    }
}
