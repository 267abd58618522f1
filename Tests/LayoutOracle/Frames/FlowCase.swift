import CollectionLayout

/// A flow layout with the content offsets to test. Lengths are along the scroll direction and across it.
struct FlowCase: Decodable {
    struct Section: Decodable {
        let count: Int
        /// The item size, along and across.
        let size: [Double]
        /// Individual sizes of the items, if they differ.
        let sizes: [[Double]]?
        /// Insets before and after the rows, and at their start and end.
        let inset: [Double]
        let lineSpacing: Double
        let itemSpacing: Double
        let header: Double
        let footer: Double
    }

    let axis: String
    let rightToLeft: Bool
    /// Width and height of the view.
    let view: [Double]
    /// Top, leading, bottom, trailing.
    let contentInset: [Double]
    let pinsHeaders: Bool
    let pinsFooters: Bool
    let justified: Bool
    let lastRow: String
    /// Whether items have individual sizes.
    let sized: Bool
    let sections: [Section]
    /// Content offsets.
    let offsets: [[Double]]

    /// Returns the elements' frames at each offset.
    func frames(scale: Double) throws -> [[String: [Double]]] {
        let layout = try layout()
        return collectionFrames(
            of: layout, view: view, offsets: offsets, counts: ItemCounts(sections.map(\.count)),
            contentInset: EdgeInsets(contentInset), isRightToLeft: rightToLeft, scale: scale)
    }

    private func layout() throws -> FlowLayout {
        let axis = try known(Axis(rawValue: self.axis), self.axis)
        let sections = sections
        func size(_ lengths: [Double]) -> Size { Size(along: axis, lengths[0], across: lengths[1]) }
        var layout = FlowLayout()
        layout.scrollDirection = axis
        layout.sectionHeadersPinToVisibleBounds = pinsHeaders
        layout.sectionFootersPinToVisibleBounds = pinsFooters
        layout.rowAlignment = justified ? .justified : .leading
        let rules: [String: FlowLayout.LastRow] = ["bySizes": .bySizes, "asIfFilled": .asIfFilled, "leading": .leading]
        layout.lastRow = try known(rules[lastRow], lastRow)
        let itemSize: (IndexPath) -> Size = { size(sections[$0.section].sizes?[$0.item] ?? [0, 0]) }
        layout.delegate = FlowLayoutDelegate(
            sizeForItem: sized ? itemSize : nil,
            itemSizeForSection: { size(sections[$0].size) },
            insetForSection: {
                let inset = sections[$0].inset
                return axis == .vertical
                    ? EdgeInsets(top: inset[0], leading: inset[2], bottom: inset[1], trailing: inset[3])
                    : EdgeInsets(top: inset[2], leading: inset[0], bottom: inset[3], trailing: inset[1])
            },
            minimumLineSpacingForSection: { sections[$0].lineSpacing },
            minimumInteritemSpacingForSection: { sections[$0].itemSpacing },
            referenceSizeForHeader: { size([sections[$0].header, 0]) },
            referenceSizeForFooter: { size([sections[$0].footer, 0]) })
        return layout
    }
}
