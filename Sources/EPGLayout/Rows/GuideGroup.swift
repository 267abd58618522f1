/// Neighbouring stations under one header, such as those of a lineup or of a genre.
///
/// A group reaches to the row before the next group's first; its header stays in sight as long as one of its rows does.
public struct GuideGroup: Hashable, Sendable {
    /// From 0.
    public let firstRow: Int
    /// What is written in the header.
    public let title: String

    public init(firstRow: Int, title: String) {
        self.firstRow = firstRow
        self.title = title
    }
}
