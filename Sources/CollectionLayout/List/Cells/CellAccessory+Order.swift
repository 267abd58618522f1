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
