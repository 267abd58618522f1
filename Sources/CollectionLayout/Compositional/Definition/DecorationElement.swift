/// An element of the layout alone (documented: `NSCollectionLayoutDecorationItem`).
public struct DecorationElement: Hashable, Sendable {
    /// By which whoever draws knows what to draw.
    public var elementKind: ElementKind
    /// Taken off the section's frame.
    public var contentInsets: EdgeInsets
    /// Among the backgrounds; 0 by default.
    public var zIndex: Int

    /// What lies behind a section: its whole frame with its insets, headers and footers, minus its own insets, below
    /// everything (documented; that headers and footers count is observed).
    ///
    /// Its index path is [section, n], where n counts those of the same kind from 0 (chosen).
    public static func background(
        elementKind: ElementKind, contentInsets: EdgeInsets = .zero, zIndex: Int = 0
    ) -> DecorationElement {
        DecorationElement(elementKind: elementKind, contentInsets: contentInsets, zIndex: zIndex)
    }
}
