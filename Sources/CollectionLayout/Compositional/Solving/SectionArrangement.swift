/// A way to place the items of a section: groups that repeat, or the rows of a list.
///
/// This is the seam for other sorts of sections. The layout takes care of everything around the items: insets, boundary
/// items and their pinning, backgrounds, orthogonal scrolling, the place in the stack of sections, pixels, right to
/// left. An arrangement only says where items (and elements that belong to them, such as separators) stand in the room
/// that is left, from its upper leading corner, from left to right. A new sort is a type of this protocol and one of
/// ``SectionContent``, and a `LayoutSection(arrangement:)`.
package protocol SectionArrangement {
    /// Places the items of a section.
    ///
    /// - Parameters:
    ///   - measures: Those that are known already for the section; they have to be regarded.
    ///   - previous: The content of a section that was solved just before; a solution may be taken over from it.
    func solved(
        in room: SectionRoom, measures: ElementMeasures, reusing previous: (any SectionContent)?,
        diagnostics: inout LayoutDiagnostics
    ) -> any SectionContent
}

/// The room that a section's items are placed in.
package struct SectionRoom: Hashable, Sendable {
    /// Its index in the layout, from 0.
    package var section: Int
    /// At least 0.
    package var itemCount: Int
    /// What insets and boundary items leave: fractional dimensions refer to it. Finite and at least 0.
    package var container: Size
    /// The axis along which groups follow each other: the layout's, or the other one in an orthogonal section.
    package var axis: Axis
    /// Finite and at least 0.
    package var interGroupSpacing: Double
    /// Kinds that the section's boundary has taken: no element of an item may have them.
    package var takenKinds: Set<ElementKind>
    /// What the section's provider was handed; custom groups are handed the same with their own container.
    package var environment: LayoutEnvironment
}

/// The items of a section in their places, in coordinates that begin where the section's insets end.
package protocol SectionContent {
    /// The room that it takes; may be larger than the container. Finite.
    var size: Size { get }
    /// The least rectangle that holds all its frames; what it gives too much only costs time.
    var reach: Rect { get }
    /// The length of one group, and from the start of one to the start of the next, for snapping.
    var groupLengths: (group: Double, pitch: Double) { get }

    /// Adds the attributes of all elements whose frames touch a rectangle; some more may be among them.
    ///
    /// Frames are neither snapped nor mirrored. Bands and z-indexes are kept.
    func append(to found: inout [LayoutAttributes], in rect: Rect, cost: inout LayoutCost)

    /// The attributes of one element; `nil` for one that it doesn't place.
    func attributes(of element: LayoutElement) -> LayoutAttributes?

    /// The axes along which the size of an element is an estimate.
    func estimatedAxes(of element: LayoutElement) -> AxisSet

    /// Takes new measures of some elements over; one that has no measure any longer has its estimate again.
    mutating func remeasure(
        _ elements: some Sequence<LayoutElement>, measures: ElementMeasures, diagnostics: inout LayoutDiagnostics)
}
