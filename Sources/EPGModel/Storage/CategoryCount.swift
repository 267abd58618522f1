/// A category, and how many programmes name it first.
public struct CategoryCount: Hashable, Sendable {
    public var name: String
    /// Programmes, each once, however often it is aired.
    public var count: Int

    public init(name: String, count: Int) {
        self.name = name
        self.count = count
    }
}
