public import CollectionLayout

/// A symbol or control at the leading or trailing edge of a cell, like UIKit's `UICellAccessory`.
public struct CellAccessory: Hashable, Sendable {
    /// The kind of accessory.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A chevron that points to the trailing edge.
        case disclosureIndicator
        /// An info button.
        case detail
        /// A checkmark.
        case checkmark
        /// A minus or plus in a circle, to delete or insert a row.
        case delete, insert
        /// A drag handle of three lines.
        case reorder
        /// A circle that is filled in selected rows.
        case multiselect
        /// A chevron that expands and collapses an outline.
        case outlineDisclosure
        /// A short text, such as a number.
        case label
        /// A custom view, identified by ``CellAccessory/text``, with a given size.
        case custom
    }

    /// When the accessory is shown.
    public enum DisplayedState: String, Hashable, Sendable, CaseIterable {
        /// Always, only while the list is being edited, or only while it isn't.
        case always, whenEditing, whenNotEditing
    }

    /// The edge of the cell at which the accessory is placed.
    public enum Placement: String, Hashable, Sendable, CaseIterable {
        /// `leading` is the edge where lines of text begin, `trailing` where they end.
        case leading, trailing
    }

    /// The width reserved for the accessory, which is centered in it.
    public enum LayoutDimension: Hashable, Sendable {
        /// The width of the accessory.
        case actual
        /// The standard width of 28 points.
        case standard
        /// A width in points; 0 means the width of the accessory.
        case custom(Double)
    }

    /// The position of a custom accessory among others at its edge, in order from leading to trailing.
    public enum Position: Hashable, Sendable {
        /// Next to the content; the default.
        case automatic
        /// Before the first accessory of a kind, or at the start if there is none.
        case before(Kind)
        /// After the last accessory of a kind, or at the end if there is none.
        case after(Kind)
    }

    /// The kind, which determines the appearance and the order.
    public let kind: Kind
    /// The text of a label, or the name of a custom accessory for the renderer; empty for other kinds.
    public let text: String
    /// The size in points. The size of a label is measured.
    public var size: Size
    /// When the accessory is shown; the default depends on the kind.
    public var displayed: DisplayedState
    /// The edge. Delete, insert and multiselect are leading, custom accessories as specified, and all others trailing.
    public var placement: Placement
    /// The position of a custom accessory. Other kinds have a fixed order.
    public var position: Position = .automatic
    /// The reserved width; by default, the width of the accessory.
    public var reservedLayoutWidth: LayoutDimension = .actual
    /// The tint color; `nil`, the default, for the renderer's color of the kind.
    public var tintColor: ColorToken?
    /// Whether the accessory is invisible but keeps its space; `false` by default.
    public var isHidden = false

    private init(
        _ kind: Kind, text: String = "", size: Size, displayed: DisplayedState, placement: Placement = .trailing
    ) {
        self.kind = kind
        self.text = text
        self.size = size
        self.displayed = displayed
        self.placement = placement
    }

    /// The width of ``LayoutDimension/standard``, in points.
    public static let standardDimension = 28.0
    /// The text properties of labels: the body font in the secondary label color, as in UIKit.
    public static let labelProperties = TextProperties(color: .secondaryLabel, numberOfLines: 1)

    /// Returns whether a cell shows the accessory.
    public func isDisplayed(whileEditing isEditing: Bool) -> Bool {
        switch displayed {
        case .always: true
        case .whenEditing: isEditing
        case .whenNotEditing: !isEditing
        }
    }
}

// MARK: - Factory methods

/// The default display states are UIKit's; the sizes are our own.
extension CellAccessory {
    /// Returns a chevron of 12 × 16 points at the trailing edge.
    public static func disclosureIndicator(displayed: DisplayedState = .always) -> CellAccessory {
        CellAccessory(.disclosureIndicator, size: Size(width: 12, height: 16), displayed: displayed)
    }

    /// Returns an info button of 24 × 24 points at the trailing edge.
    public static func detail(displayed: DisplayedState = .always) -> CellAccessory {
        CellAccessory(.detail, size: Size(width: 24, height: 24), displayed: displayed)
    }

    /// Returns a checkmark of 18 × 18 points at the trailing edge.
    public static func checkmark(displayed: DisplayedState = .always) -> CellAccessory {
        CellAccessory(.checkmark, size: Size(width: 18, height: 18), displayed: displayed)
    }

    /// Returns a delete button of 24 × 24 points at the leading edge.
    public static func delete(displayed: DisplayedState = .whenEditing) -> CellAccessory {
        CellAccessory(.delete, size: Size(width: 24, height: 24), displayed: displayed, placement: .leading)
    }

    /// Returns an insert button of 24 × 24 points at the leading edge.
    public static func insert(displayed: DisplayedState = .whenEditing) -> CellAccessory {
        CellAccessory(.insert, size: Size(width: 24, height: 24), displayed: displayed, placement: .leading)
    }

    /// Returns a reorder control of 24 × 16 points at the trailing edge.
    public static func reorder(displayed: DisplayedState = .whenEditing) -> CellAccessory {
        CellAccessory(.reorder, size: Size(width: 24, height: 16), displayed: displayed)
    }

    /// Returns a selection circle of 24 × 24 points at the leading edge.
    public static func multiselect(displayed: DisplayedState = .whenEditing) -> CellAccessory {
        CellAccessory(.multiselect, size: Size(width: 24, height: 24), displayed: displayed, placement: .leading)
    }

    /// Returns an outline chevron of 16 × 16 points at the trailing edge.
    public static func outlineDisclosure(displayed: DisplayedState = .always) -> CellAccessory {
        CellAccessory(.outlineDisclosure, size: Size(width: 16, height: 16), displayed: displayed)
    }

    /// Returns a text label with its measured size at the trailing edge.
    public static func label(_ text: String, displayed: DisplayedState = .always) -> CellAccessory {
        CellAccessory(.label, text: text, size: .zero, displayed: displayed)
    }

    /// Returns a custom accessory.
    ///
    /// - Parameter name: The name by which the renderer knows what to draw.
    public static func custom(
        _ name: String, size: Size, placement: Placement, displayed: DisplayedState = .always,
        position: Position = .automatic
    ) -> CellAccessory {
        var accessory = CellAccessory(.custom, text: name, size: size, displayed: displayed, placement: placement)
        accessory.position = position
        return accessory
    }
}

extension [CellAccessory] {
    /// Returns the accessories that a cell shows at one of its edges, from leading to trailing.
    ///
    /// UIKit doesn't document the order of its own accessories; here it is ``CellAccessory/Kind/ordered``, and
    /// accessories of the same kind keep their order. Custom accessories are then inserted at their positions, one
    /// after the other.
    public func arranged(at placement: CellAccessory.Placement, isEditing: Bool) -> [CellAccessory] {
        let shown = filter { $0.placement == placement && $0.isDisplayed(whileEditing: isEditing) }
        var arranged: [CellAccessory] = []
        for kind in CellAccessory.Kind.ordered { arranged += shown.filter { $0.kind == kind } }
        for custom in shown where custom.kind == .custom {
            let index =
                switch custom.position {
                case .automatic: placement == .leading ? arranged.count : 0
                case .before(let kind): arranged.firstIndex { $0.kind == kind } ?? 0
                case .after(let kind): arranged.lastIndex { $0.kind == kind }.map { $0 + 1 } ?? arranged.count
                }
            arranged.insert(custom, at: index)
        }
        return arranged
    }
}

extension CellAccessory.Kind {
    /// All kinds except custom ones, from leading to trailing at either edge.
    public static let ordered: [CellAccessory.Kind] = [
        .delete, .insert, .multiselect, .label, .checkmark, .detail, .disclosureIndicator, .outlineDisclosure, .reorder,
    ]
}
