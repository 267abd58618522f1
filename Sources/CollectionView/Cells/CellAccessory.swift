public import CollectionLayout

/// A sign or a control at the leading or trailing edge of a cell (documented: `UICellAccessory`).
public struct CellAccessory: Hashable, Sendable {
    /// What it is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A chevron that points to the trailing edge.
        case disclosureIndicator
        /// A button that tells more.
        case detail
        /// A tick.
        case checkmark
        /// A minus or a plus in a circle: takes the row away, puts one in.
        case delete, insert
        /// Three lines to drag the row by.
        case reorder
        /// A circle that is filled in selected rows.
        case multiselect
        /// A chevron that opens and closes an outline.
        case outlineDisclosure
        /// A short text, such as a number.
        case label
        /// Whatever ``CellAccessory/text`` says, of a size that is given.
        case custom
    }

    /// When it is shown (documented).
    public enum DisplayedState: String, Hashable, Sendable, CaseIterable {
        /// Always; only while the list is edited; only while it isn't.
        case always, whenEditing, whenNotEditing
    }

    /// The edge of the cell that it stands at.
    public enum Placement: String, Hashable, Sendable, CaseIterable {
        /// Where lines of text begin; where they end.
        case leading, trailing
    }

    /// The width that is kept for it, in which it is centred (documented).
    public enum LayoutDimension: Hashable, Sendable {
        /// Its own.
        case actual
        /// 28 points (chosen).
        case standard
        /// Points; 0 stands for its own (documented).
        case custom(Double)
    }

    /// Where a custom one stands among the others at its edge, in order from leading to trailing (documented).
    public enum Position: Hashable, Sendable {
        /// Closest to the content, the default (documented).
        case automatic
        /// Before the first of a kind, or at the beginning where there is none (documented).
        case before(Kind)
        /// Behind the last of a kind, or at the end where there is none (documented).
        case after(Kind)
    }

    /// Decides its looks and its place among the others.
    public let kind: Kind
    /// Of a label; or what a custom one is, for whoever draws it. Empty for the others.
    public let text: String
    /// In points. That of a label is measured.
    public var size: Size
    /// The default depends on the kind.
    public var displayed: DisplayedState
    /// Leading to delete, insert and select several (documented); a custom one wherever it is put; else trailing.
    public var placement: Placement
    /// Counts for custom ones alone: the others have an order of their own.
    public var position: Position = .automatic
    /// Its own width by default.
    public var reservedLayoutWidth: LayoutDimension = .actual
    /// `nil`, the default, for the colour of its kind (documented).
    public var tintColor: ColorToken?
    /// Whether it keeps its room without being seen (documented); `false` by default.
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

    /// The width for ``LayoutDimension/standard``, in points.
    public static let standardDimension = 28.0
    /// How a label is set: body by default (documented), in the secondary colour (chosen).
    public static let labelProperties = TextProperties(color: .secondaryLabel, numberOfLines: 1)

    /// The colour that it is drawn in (the named ones are documented, the others chosen).
    public var resolvedTintColor: ColorToken {
        if let tintColor { return tintColor }
        return switch kind {
        case .delete: .destructive
        case .insert, .checkmark: .constructive
        case .disclosureIndicator, .reorder: .tertiaryLabel
        case .label: .secondaryLabel
        case .detail, .multiselect, .outlineDisclosure, .custom: .tint
        }
    }

    /// Whether it has a place in a cell.
    public func isDisplayed(whileEditing isEditing: Bool) -> Bool {
        switch displayed {
        case .always: true
        case .whenEditing: isEditing
        case .whenNotEditing: !isEditing
        }
    }
}

// MARK: - By name

/// When each is shown unless something else is asked for is documented; sizes are chosen.
extension CellAccessory {
    /// 12 × 16 points, at the trailing edge.
    public static func disclosureIndicator(displayed: DisplayedState = .always) -> CellAccessory {
        CellAccessory(.disclosureIndicator, size: Size(width: 12, height: 16), displayed: displayed)
    }

    /// 24 × 24 points, at the trailing edge.
    public static func detail(displayed: DisplayedState = .always) -> CellAccessory {
        CellAccessory(.detail, size: Size(width: 24, height: 24), displayed: displayed)
    }

    /// 18 × 18 points, at the trailing edge.
    public static func checkmark(displayed: DisplayedState = .always) -> CellAccessory {
        CellAccessory(.checkmark, size: Size(width: 18, height: 18), displayed: displayed)
    }

    /// 24 × 24 points, at the leading edge.
    public static func delete(displayed: DisplayedState = .whenEditing) -> CellAccessory {
        CellAccessory(.delete, size: Size(width: 24, height: 24), displayed: displayed, placement: .leading)
    }

    /// 24 × 24 points, at the leading edge.
    public static func insert(displayed: DisplayedState = .whenEditing) -> CellAccessory {
        CellAccessory(.insert, size: Size(width: 24, height: 24), displayed: displayed, placement: .leading)
    }

    /// 24 × 16 points, at the trailing edge.
    public static func reorder(displayed: DisplayedState = .whenEditing) -> CellAccessory {
        CellAccessory(.reorder, size: Size(width: 24, height: 16), displayed: displayed)
    }

    /// 24 × 24 points, at the leading edge.
    public static func multiselect(displayed: DisplayedState = .whenEditing) -> CellAccessory {
        CellAccessory(.multiselect, size: Size(width: 24, height: 24), displayed: displayed, placement: .leading)
    }

    /// 16 × 16 points, at the trailing edge.
    public static func outlineDisclosure(displayed: DisplayedState = .always) -> CellAccessory {
        CellAccessory(.outlineDisclosure, size: Size(width: 16, height: 16), displayed: displayed)
    }

    /// A text as large as it is measured to be, at the trailing edge.
    public static func label(_ text: String, displayed: DisplayedState = .always) -> CellAccessory {
        CellAccessory(.label, text: text, size: .zero, displayed: displayed)
    }

    /// - Parameter name: What it is, for whoever draws it.
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
    /// Those that a cell shows at one of its edges, from leading to trailing.
    ///
    /// The original's own stand in an order that it doesn't tell; here it is ``CellAccessory/Kind/ordered``
    /// (chosen). Of the same kind the earlier one comes first. Then the custom ones are put where they want, one after
    /// the other (documented).
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
    /// From leading to trailing, whichever edge they stand at; without custom ones.
    public static let ordered: [CellAccessory.Kind] = [
        .delete, .insert, .multiselect, .label, .checkmark, .detail, .disclosureIndicator, .outlineDisclosure, .reorder,
    ]
}
