/// A group of channels (`group-title`), over all lineups.
public struct StationGroup: Hashable, Sendable {
    public var name: String
    /// How many stations its channels show; at least 1.
    public var count: Int

    public init(name: String, count: Int) {
        self.name = name
        self.count = count
    }
}
