/// Why a snapshot refused an operation; it is unchanged then (chosen: the original traps, or warns and goes on).
public enum SnapshotError<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Error, Hashable, Sendable {
    /// The section stands in the snapshot already, or twice among those that were named.
    case duplicateSection(SectionID)
    /// The item stands in the snapshot already, in whatever section, or twice among those that were named.
    case duplicateItem(ItemID)
    /// The snapshot doesn't have the section.
    case unknownSection(SectionID)
    /// The snapshot doesn't have the item.
    case unknownItem(ItemID)
    /// Items were appended to the last section of a snapshot that has none.
    case noSection
    /// The identifier isn't equal to itself, as a number that is not a number: nothing could ever find it again.
    case sectionUnequalToItself(SectionID)
    /// The identifier isn't equal to itself, as a number that is not a number: nothing could ever find it again.
    case itemUnequalToItself(ItemID)
    /// The difference was made from a snapshot with other sections or counts.
    case differenceOfAnotherSnapshot
}

extension SnapshotError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .duplicateSection(let section):
            "The section \(section) would stand in the snapshot twice. Name each section once, or move it."
        case .duplicateItem(let item):
            "The item \(item) would stand in the snapshot twice. Name each item once over all sections, or move it."
        case .unknownSection(let section):
            "The snapshot has no section \(section). Append it first, or ask with indexOfSection(_:)."
        case .unknownItem(let item):
            "The snapshot has no item \(item). Append it first, or ask with indexOfItem(_:)."
        case .noSection:
            "Items were appended to a snapshot without sections. Append a section first."
        case .sectionUnequalToItself(let section):
            "The section identifier \(section) isn't equal to itself. Use one that is."
        case .itemUnequalToItself(let item):
            "The item identifier \(item) isn't equal to itself. Use one that is."
        case .differenceOfAnotherSnapshot:
            "The difference was made from another snapshot. Make it anew from the one that it is applied to."
        }
    }
}
