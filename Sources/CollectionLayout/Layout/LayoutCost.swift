/// How much a layout touched, so that a test can assert that the cost follows what is visible.
public struct LayoutCost: Hashable, Sendable {
    /// Sections that were looked at, apart from binary searches.
    public var sections = 0
    /// Items that were looked at, apart from binary searches.
    public var items = 0
    /// Attributes that were made, also of what turned out to lie just outside.
    public var attributes = 0

    /// Nothing was touched yet.
    public init() {}

    /// Everything that was touched.
    public var total: Int { sections + items + attributes }
}
