/// Where an item stands in its section.
struct FlowPlacedItem {
    let item: Int
    /// From the beginning of the section's first row.
    let alongStart: Double
    let acrossStart: Double
    let size: Size
}

extension FlowSection {
    /// The block and the row in it that hold an item; `nil` for an item that doesn't exist.
    ///
    /// - Complexity: O(log blocks).
    func place(of item: Int) -> (block: Int, line: Int)? {
        let block = blocks.partitioningIndex { $0.endItem > item }
        guard block < blocks.count, item >= blocks[block].firstItem else { return nil }
        return (block, (item - blocks[block].firstItem) / blocks[block].itemsPerLine)
    }

    /// The row of an item; `nil` for one that doesn't exist.
    func line(of item: Int) -> FlowLine? {
        place(of: item).map { blocks[$0.block].line($0.line, spacing: lineSpacing) }
    }

    /// The first item of the first row that begins at a place or behind it; `nil` if all begin before.
    func firstItem(ofLineFrom position: Double) -> Int? {
        let index = blocks.partitioningIndex { $0.start(ofLine: $0.lineCount - 1, spacing: lineSpacing) >= position }
        guard index < blocks.count else { return nil }
        let block = blocks[index]
        let pitch = block.thickness + lineSpacing
        let guess = pitch > 0 ? Int((position - block.start) / pitch, clampedTo: 0...block.lineCount - 1) : 0
        let line = block.start(ofLine: guess, spacing: lineSpacing) >= position ? guess : guess + 1
        return block.firstItem + min(line, block.lineCount - 1) * block.itemsPerLine
    }

    /// The rows between two places that are measured from the beginning of the first row, in order.
    ///
    /// - Complexity: O(log blocks) to begin with.
    func forEachLine(between low: Double, and high: Double, _ body: (FlowLine) -> Bool) {
        var index = blocks.partitioningIndex { $0.end(spacing: lineSpacing) >= low }
        while index < blocks.count, blocks[index].start <= high {
            let block = blocks[index]
            for line in block.lines(between: low, and: high, spacing: lineSpacing) {
                guard body(block.line(line, spacing: lineSpacing)) else { return }
            }
            index += 1
        }
    }

    /// The items of a row, those that lie between two places across the scroll axis, or a few more.
    ///
    /// - Complexity: O(found items) where they have the common size, else O(items of the row).
    func items(of line: FlowLine, between low: Double, and high: Double) -> [FlowPlacedItem] {
        guard line.isCommon else { return ownItems(of: line) }
        let length = commonSize[axis.crossing]
        let (lead, gap) = commonPlacement(of: line)
        let found = indicesOfPieces(
            line.items.count, of: length, every: length + gap, from: acrossStart + lead, between: low, and: high)
        return found.map { commonItem($0, of: line, lead: lead, gap: gap) }
    }

    /// The rectangle of an item in solved coordinates; `nil` for one that doesn't exist.
    func rect(ofItem item: Int) -> Rect? {
        guard let line = line(of: item) else { return nil }
        let index = item - line.items.lowerBound
        if line.isCommon {
            let (lead, gap) = commonPlacement(of: line)
            return rect(of: commonItem(index, of: line, lead: lead, gap: gap))
        }
        let placed = ownItems(of: line)
        return placed.indices.contains(index) ? rect(of: placed[index]) : nil
    }

    /// The rectangle of an item in solved coordinates.
    func rect(of placed: FlowPlacedItem) -> Rect {
        let along = linesStart + placed.alongStart
        return Rect(
            along: axis, (along, along + placed.size[axis]),
            across: (placed.acrossStart, placed.acrossStart + placed.size[axis.crossing]))
    }

    private func commonPlacement(of line: FlowLine) -> (lead: Double, gap: Double) {
        let length = commonSize[axis.crossing]
        let count = line.items.count
        return rule.placement(
            count: count, used: Double(count) * length, last: length, isLast: line.items.upperBound == itemCount)
    }

    private func commonItem(_ index: Int, of line: FlowLine, lead: Double, gap: Double) -> FlowPlacedItem {
        let before = Double(index) * commonSize[axis.crossing] + Double(index) * gap
        return FlowPlacedItem(
            item: line.items.lowerBound + index, alongStart: line.start, acrossStart: acrossStart + lead + before,
            size: commonSize)
    }

    /// Items stand centred across their row, which is as thick as its thickest (documented).
    private func ownItems(of line: FlowLine) -> [FlowPlacedItem] {
        let sizes = line.items.map { size(of: $0) }
        let (lead, gap) = rule.placement(
            count: sizes.count, used: sizes.reduce(0) { $0 + $1[axis.crossing] },
            last: sizes.last?[axis.crossing] ?? 0, isLast: line.items.upperBound == itemCount)
        var before = 0.0
        return sizes.indices.map { index in
            defer { before += sizes[index][axis.crossing] }
            return FlowPlacedItem(
                item: line.items.lowerBound + index,
                alongStart: line.start + (line.thickness - sizes[index][axis]) / 2,
                acrossStart: acrossStart + lead + (before + Double(index) * gap), size: sizes[index])
        }
    }
}
