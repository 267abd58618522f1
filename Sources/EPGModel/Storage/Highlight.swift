/// Where the words of a search stand in a text of an airing.
public struct Highlight: Hashable, Sendable {
    /// The texts of an airing that are searched.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        case title
        case subtitle
        case description
    }

    public var field: Field
    /// Ranges of UTF-8 bytes, ascending; they neither overlap nor touch, and each begins and ends between two characters'
    /// code points.
    public var ranges: [Range<Int>]

    public init(field: Field, ranges: [Range<Int>]) {
        self.field = field
        self.ranges = ranges
    }
}
