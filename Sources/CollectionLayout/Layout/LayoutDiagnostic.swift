/// What a layout was asked for and could not give as asked; it answered with something finite all the same (chosen).
public struct LayoutDiagnostic: Hashable, Sendable {
    /// What can't be laid out as asked, and what is done instead.
    public enum Problem: Hashable, Sendable {
        /// A length was negative, infinite or not a number; the nearest usable one was taken.
        case unusableLength
        /// Insets or spacings leave no room; the length was taken as 0.
        case noRoom
        /// A group without items, or with items of no length, that would repeat for ever; it was taken once.
        case endlessRepetition
        /// Elements asked for other sizes again and again; their last ones were kept.
        case unsettledEstimates
        /// More sections, items or levels than are laid out; those beyond the limit have no place, or that of the others.
        case limitReached
        /// A place that the data doesn't have.
        case unknownIndexPath
        /// A second element of the same name; only the first is placed.
        case duplicateElement
    }

    /// What was wrong.
    public let problem: Problem
    /// Where, where it is one element.
    public let element: LayoutElement?
    /// Where, where it is one section.
    public let section: Int?
    /// What was asked for, in a few words: `itemSize.width is -5`.
    public let detail: String

    /// A diagnostic; its section is that of the element where none is given.
    public init(_ problem: Problem, element: LayoutElement? = nil, section: Int? = nil, detail: String) {
        self.problem = problem
        self.element = element
        self.section = section ?? element?.indexPath.section
        self.detail = detail
    }
}
