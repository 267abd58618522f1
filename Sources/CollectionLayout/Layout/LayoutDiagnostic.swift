/// A request that a layout could not fulfill. The layout still returned finite results.
public struct LayoutDiagnostic: Hashable, Sendable {
    /// What could not be laid out as requested, and the fallback.
    public enum Problem: Hashable, Sendable {
        /// A length was negative, infinite or NaN; the nearest usable length was used.
        case unusableLength
        /// Insets or spacing leave no space; the length was set to 0.
        case noRoom
        /// A group has no items or no length and would repeat forever; it was placed once.
        case endlessRepetition
        /// Elements kept asking for other sizes; the last sizes were kept.
        case unsettledEstimates
        /// There are more sections, items or levels than the limit; those beyond it are not placed, or share the
        /// position of others.
        case limitReached
        /// An index path doesn't exist in the data.
        case unknownIndexPath
        /// Two elements have the same kind and index path; only the first is placed.
        case duplicateElement
    }

    /// What went wrong.
    public let problem: Problem
    /// The affected element, if it is a single one.
    public let element: LayoutElement?
    /// The affected section, if it is a single one.
    public let section: Int?
    /// The requested value in a few words, such as `itemSize.width is -5`.
    public let detail: String

    /// Creates a diagnostic. Without `section`, it has the section of the element.
    public init(_ problem: Problem, element: LayoutElement? = nil, section: Int? = nil, detail: String) {
        self.problem = problem
        self.element = element
        self.section = section ?? element?.indexPath.section
        self.detail = detail
    }
}

/// The first ``limit`` distinct diagnostics of a layout, so that a million invalid cells don't produce a million
/// diagnostics.
public struct LayoutDiagnostics: Hashable, Sendable {
    /// The diagnostics in the order in which they were added.
    public private(set) var all: [LayoutDiagnostic] = []
    private var seen: Set<LayoutDiagnostic> = []
    /// The maximum number of diagnostics.
    public static let limit = 100

    /// Creates an empty collection.
    public init() {}

    /// Adds a diagnostic unless it is a duplicate. After ``limit`` diagnostics, the argument isn't evaluated.
    public mutating func add(_ diagnostic: @autoclosure () -> LayoutDiagnostic) {
        guard all.count < Self.limit else { return }
        let diagnostic = diagnostic()
        if seen.insert(diagnostic).inserted { all.append(diagnostic) }
    }

    /// Returns `value` clamped to a length (0...10¹²), and adds a diagnostic if it had to be changed.
    ///
    /// - Parameter name: The property that holds the length, as in the API.
    public mutating func length(
        _ value: Double, _ name: @autoclosure () -> String, element: LayoutElement? = nil, section: Int? = nil
    ) -> Double {
        let length = value.asLength
        if length != value {
            add(LayoutDiagnostic(.unusableLength, element: element, section: section, detail: "\(name()) is \(value)"))
        }
        return length
    }
}
