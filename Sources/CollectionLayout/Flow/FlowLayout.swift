/// Lays items out in rows that are filled one after the other, section below section (documented:
/// `UICollectionViewFlowLayout`).
///
/// A section is its header, the inset before, its rows with line spacing only between them, the inset after, and its
/// footer (documented). Headers and footers span the whole container and ignore insets; one of no length is no element
/// (observed). Where it scrolls horizontally the same holds with the axes swapped: rows become columns.
///
/// Sections whose items have one size are computed, not stored: a million items cost as much as ten. A section whose
/// items have sizes of their own keeps about fifty bytes for each row, and asks for the sizes of visible rows again.
///
/// Setting a property invalidates everything, but for the two switches that pin headers and footers and for ``rounding``:
/// every query regards these, and nothing is laid out anew. Negative insets and spacings count as 0 (chosen), with a diagnostic.
public struct FlowLayout: CollectionViewLayout {
    /// The size of items that nobody gives another one; 50 × 50 by default (documented).
    public var itemSize = Size(width: 50, height: 50) { didSet { pending.everything = true } }

    /// What items are taken for until they are measured; zero, the default, for items that don't size themselves
    /// (documented).
    public var estimatedItemSize = Size.zero { didSet { pending.everything = true } }

    /// The least distance between rows; 10 by default (documented).
    public var minimumLineSpacing = 10.0 { didSet { pending.everything = true } }

    /// The least distance between the items of a row; 10 by default (documented).
    public var minimumInteritemSpacing = 10.0 { didSet { pending.everything = true } }

    /// The axis along which rows follow each other; vertical by default (documented).
    public var scrollDirection = Axis.vertical { didSet { pending.everything = true } }

    /// Kept free around the rows of each section, within header and footer; none by default (documented).
    ///
    /// A section without items keeps them too (chosen).
    public var sectionInset = EdgeInsets.zero { didSet { pending.everything = true } }

    /// What section insets are counted from; the content inset by default (documented).
    ///
    /// It concerns the edges beside the rows only (chosen): before and after a section nothing is covered for good.
    public var sectionInsetReference = SectionInsetReference.fromContentInset {
        didSet { pending.everything = true }
    }

    /// The size of headers; only the length along the scroll axis counts (documented). Zero by default: no headers.
    /// Where items size themselves, headers do too, and this is what they are taken for until then (observed).
    public var headerReferenceSize = Size.zero { didSet { pending.everything = true } }

    /// The size of footers; only the length along the scroll axis counts (documented). Zero by default: no footers.
    /// Where items size themselves, footers do too, and this is what they are taken for until then (observed).
    public var footerReferenceSize = Size.zero { didSet { pending.everything = true } }

    /// Whether headers stay in sight while their section is; `false` by default (documented).
    public var sectionHeadersPinToVisibleBounds = false

    /// Whether footers stay in sight while their section is; `false` by default (documented).
    public var sectionFootersPinToVisibleBounds = false

    /// How the items of a row share what it leaves free; justified by default (observed).
    public var rowAlignment = RowAlignment.justified { didSet { pending.everything = true } }

    /// How a last row that isn't full is laid out; by the sizes of its section by default (observed).
    public var lastRow = LastRow.bySizes { didSet { pending.everything = true } }

    /// How frames are brought to device pixels; by their edges by default (chosen).
    public var rounding = PixelGrid.Rounding.edges

    /// Values of single sections and items; none by default.
    public var delegate = FlowLayoutDelegate() { didSet { pending.everything = true } }

    /// The sections that have elements, by number; what lies between two of them is in ``FlowSection/gapBefore``.
    var sections: [FlowSection] = []
    /// The length of the sections without elements after the last one that has any.
    var gapAfter = 0.0
    /// The room that it was last prepared for.
    var space: FlowSpace?
    var viewport = FlowViewport()
    var pending = FlowPending(everything: true)
    /// A smaller one than ``FlowLayoutDelegate/itemLimit`` is for tests.
    package var ownSizeLimit = FlowLayoutDelegate.itemLimit
    var problems = LayoutDiagnostics()

    /// A layout with the defaults of all its properties.
    public init() {}

    /// The length along the scroll axis snapped to the pixel grid, and across it the container's without its content
    /// inset (documented); zero before it was prepared.
    public private(set) var contentSize = Size.zero

    public var diagnostics: [LayoutDiagnostic] { problems.all }

    /// Whether cells are asked for the sizes that they prefer (documented: where there is an estimate).
    var sizesItself: Bool { estimatedItemSize.width.asLength > 0 || estimatedItemSize.height.asLength > 0 }

    /// The end of the last section.
    var solvedLength: Double { (sections.last?.end ?? 0) + gapAfter }

    mutating func resizeContent(in space: FlowSpace) {
        let length = problems.length(solvedLength, "the length of all sections")
        contentSize = Size(along: space.axis, viewport.pixels.snapped(length), across: space.across)
    }
}

// MARK: - Choices

extension FlowLayout {
    /// How the items of a row share what it leaves free.
    public enum RowAlignment: Hashable, Sendable, CaseIterable {
        /// Gaps grow equally until the row is filled; an item that fills a row alone is centred (observed).
        case justified
        /// From the leading edge on at the least spacing, as many clients rebuild it (chosen).
        case leading
    }

    /// How a last row that isn't full is laid out; one that no further copy of its last item fits into is full (chosen).
    public enum LastRow: Hashable, Sendable, CaseIterable {
        /// As if filled where the items of a section have one size, else leading (observed).
        case bySizes
        /// As if phantom copies of its last item filled it, so that it stands in line with the rows above (observed).
        case asIfFilled
        /// From the leading edge on at the least spacing (observed).
        case leading
    }
}
