/// What became of a refresh of a source.
public enum RefreshEnding: String, Hashable, Sendable, CaseIterable {
    /// A new guide was fetched and stored.
    case imported
    /// The body had the same bytes as the last one.
    case unchanged
    /// The server said that nothing changed.
    case notModified = "not-modified"
    /// There is a reason why nothing was stored.
    case failed
}
