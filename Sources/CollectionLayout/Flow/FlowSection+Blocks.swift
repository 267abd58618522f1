extension FlowSection {
    /// Fills all rows.
    mutating func fill(_ problems: inout LayoutDiagnostics) {
        blocks = []
        fill(from: 0, at: 0, &problems)
    }

    /// Fills rows anew from where an item that has another size now can make a difference: from the row of the item
    /// before it, into which it may fit now.
    mutating func refill(fromItem item: Int, _ problems: inout LayoutDiagnostics) {
        guard let place = place(of: max(0, item - 1)) else { return fill(&problems) }
        let line = blocks[place.block].line(place.line, spacing: lineSpacing)
        blocks.removeSubrange((place.block + 1)...)
        blocks[place.block].lineCount = place.line
        if place.line == 0 { blocks.removeLast() }
        fill(from: line.items.lowerBound, at: line.start, &problems)
    }

    /// - Complexity: O(items with a size of their own + measured items), whatever the number of others.
    private mutating func fill(from first: Int, at start: Double, _ problems: inout LayoutDiagnostics) {
        var item = first
        var position = start
        // The size of the item that begins the next row, where the row before asked for it.
        var known: Size?
        let capacity = capacity
        while item < itemCount {
            let special = nextSpecialItem(from: item)
            let lines = commonLines(from: item, to: special, capacity: capacity)
            let block: FlowBlock
            if lines > 0 {
                block = commonBlock(from: item, itemsPerLine: capacity, lineCount: lines, at: position)
            } else if special == itemCount {
                block = commonBlock(from: item, itemsPerLine: itemCount - item, lineCount: 1, at: position)
            } else {
                block = ownLine(from: item, at: position, known: &known, &problems)
            }
            if block.isCommon {
                known = nil
                reportWidth(commonSize, of: nil, &problems)
            }
            blocks.append(block)
            item = block.endItem
            position = block.end(spacing: lineSpacing) + lineSpacing
        }
    }

    /// The first item from one on that may have another size than the common one; the number of items if there is none.
    private func nextSpecialItem(from item: Int) -> Int {
        item < ownSizeCount ? item : measured.firstItem(from: item) ?? itemCount
    }

    /// The number of full rows of common items before a special one.
    ///
    /// A row that ends right before the special item isn't among them: that item may be small enough to fit.
    private func commonLines(from item: Int, to special: Int, capacity: Int) -> Int {
        let (lines, rest) = (special - item).quotientAndRemainder(dividingBy: capacity)
        return rest == 0 && special < itemCount ? max(0, lines - 1) : lines
    }

    private func commonBlock(from item: Int, itemsPerLine: Int, lineCount: Int, at start: Double) -> FlowBlock {
        FlowBlock(
            firstItem: item, itemsPerLine: itemsPerLine, lineCount: lineCount, start: start,
            thickness: commonSize[axis], isCommon: true)
    }

    /// A row of items of any size: as many as fit, as thick as the thickest (documented).
    private func ownLine(
        from first: Int, at start: Double, known: inout Size?, _ problems: inout LayoutDiagnostics
    ) -> FlowBlock {
        var count = 0
        var used = 0.0
        var thickness = 0.0
        while first + count < itemCount, count < FlowRowRule.itemLimit {
            let size = known ?? reportedSize(of: first + count, &problems)
            known = size
            let length = size[axis.crossing]
            if count > 0, !rule.fits(length, after: count, used: used) { break }
            known = nil
            count += 1
            used += length
            thickness = max(thickness, size[axis])
        }
        return FlowBlock(
            firstItem: first, itemsPerLine: count, lineCount: 1, start: start, thickness: thickness, isCommon: false)
    }

    /// The size of an item, with diagnostics for what can't be used.
    private func reportedSize(of item: Int, _ problems: inout LayoutDiagnostics) -> Size {
        let path = IndexPath(section: number, item: item)
        var size = commonSize
        if let measured = measured[item] {
            size = measured
        } else if item < ownSizeCount, let ownSize {
            let asked = ownSize(path)
            size.width = problems.length(asked.width, "sizeForItem.width", element: .item(path))
            size.height = problems.length(asked.height, "sizeForItem.height", element: .item(path))
        }
        reportWidth(size, of: item, &problems)
        return size
    }

    private func reportWidth(_ size: Size, of item: Int?, _ problems: inout LayoutDiagnostics) {
        let length = size[axis.crossing]
        guard length > rule.available + FlowRowRule.tolerance else { return }
        problems.add(
            LayoutDiagnostic(
                .noRoom, element: item.map { .item(IndexPath(section: number, item: $0)) }, section: number,
                detail: "the item is \(length) long and its row \(rule.available)"))
    }
}
