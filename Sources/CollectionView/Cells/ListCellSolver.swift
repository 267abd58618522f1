import CollectionLayout

/// Places what a cell shows, from left to right.
///
/// Accessories stand at the layout margins, the content between them with its own margins (observed); where there are
/// none it keeps the greater of both margins (observed). Image and texts are centred between upper and lower margin,
/// and so are the accessories (chosen: the original aligns some by their baselines, which needs fonts).
struct ListCellSolver {
    let cell: ListCell
    let pixels: PixelGrid
    let width: Double
    let margins: EdgeInsets
    let layoutMargins: EdgeInsets
    var diagnostics = LayoutDiagnostics()

    /// An accessory with its size and the stretch that is kept for it.
    struct Sized {
        let accessory: CellAccessory
        let size: Size
        let reserved: Double
        var start = 0.0

        /// About a middle, as far as a cell of that height has the room for it.
        func frame(middle: Double, height: Double) -> Rect {
            let y = min(max(0, middle - size.height / 2), max(0, height - size.height))
            return Rect(
                x: start + (reserved - size.width) / 2, y: y, width: size.width, height: size.height)
        }
    }

    init(cell: ListCell, width: Double, pixels: PixelGrid) {
        self.cell = cell
        self.pixels = pixels
        self.width = diagnostics.length(width, "width")
        margins = diagnostics.lengths(cell.content.margins, "margins")
        layoutMargins = diagnostics.lengths(cell.layoutMargins, "layoutMargins")
    }

    mutating func solve(height: Double?, measure: TextMeasurer) -> ListCellLayout {
        var accessories = self.accessories(measure)
        let room = self.room(&accessories)
        let image = self.image()
        let texts = self.texts(in: room, after: image, measure)
        let block = max(image?.reserved.height ?? 0, texts.height)
        let preferred = preferredHeight(
            content: block, accessories: (accessories.leading + accessories.trailing).map(\.size.height))
        let height = height.map { diagnostics.length($0, "height") } ?? preferred

        let content = Rect(
            minX: room.start, minY: min(margins.top, height), maxX: room.end,
            maxY: max(min(margins.top, height), height - margins.bottom))
        let middle = content.midY
        var layout = ListCellLayout(
            size: Size(width: width, height: height), preferredHeight: preferred,
            accessories: (accessories.leading + accessories.trailing).map {
                ListCellLayout.PlacedAccessory(
                    accessory: $0.accessory, frame: pixels.snapped($0.frame(middle: middle, height: height)))
            },
            contentFrame: pixels.snapped(content), separatorLeading: pixels.snapped(texts.leading),
            isSideBySide: texts.isSideBySide, diagnostics: [])
        if let image {
            layout.imageFrame = pixels.snapped(
                Rect(
                    x: room.start + (image.reserved.width - image.size.width) / 2, y: middle - image.size.height / 2,
                    width: image.size.width, height: image.size.height))
        }
        let top = middle - texts.height / 2
        layout.textFrame = texts.primary.map { pixels.snapped($0.offset(x: 0, y: top)) }
        layout.secondaryTextFrame = texts.secondary.map { pixels.snapped($0.offset(x: 0, y: top)) }
        layout.diagnostics = diagnostics.all
        return layout
    }

    /// The height that holds everything, brought up to whole device pixels (chosen).
    private mutating func preferredHeight(content: Double, accessories: [Double]) -> Double {
        let least = diagnostics.length(cell.content.minimumHeight, "minimumHeight")
        let wanted = max(least, margins.top + content + margins.bottom, accessories.max() ?? 0).asLength
        // A height that is whole but for the last bits stays.
        return (-(0.000_001 - wanted * pixels.scale).floored / pixels.scale).asLength
    }
}

// MARK: - Along the line

extension ListCellSolver {
    private mutating func accessories(_ measure: TextMeasurer) -> (leading: [Sized], trailing: [Sized]) {
        var all = cell.accessories
        if all.count > ListCell.greatestAccessoryCount {
            diagnostics.add(
                LayoutDiagnostic(
                    .limitReached, detail: "of \(all.count) accessories \(ListCell.greatestAccessoryCount) are placed"))
            all = Array(all.prefix(ListCell.greatestAccessoryCount))
        }
        let isEditing = cell.state.isEditing
        return (
            all.arranged(at: .leading, isEditing: isEditing).map { sized($0, measure) },
            all.arranged(at: .trailing, isEditing: isEditing).map { sized($0, measure) }
        )
    }

    private mutating func sized(_ accessory: CellAccessory, _ measure: TextMeasurer) -> Sized {
        let asked =
            accessory.kind == .label
            ? measure(
                TextRequest(text: accessory.text, properties: CellAccessory.labelProperties, width: .infinity))
            : accessory.size
        let name = "\(accessory.kind.rawValue)"
        let size = diagnostics.lengths(asked, name)
        let reserved =
            switch accessory.reservedLayoutWidth {
            case .actual: 0.0
            case .standard: CellAccessory.standardDimension
            case .custom(let width): diagnostics.length(width, "reservedLayoutWidth of \(name)")
            }
        return Sized(accessory: accessory, size: size, reserved: reserved > 0 ? reserved : size.width)
    }

    /// Places the accessories along the line, and gives what they leave for the content.
    private mutating func room(
        _ accessories: inout (leading: [Sized], trailing: [Sized])
    ) -> (start: Double, end: Double) {
        let indentation =
            Double(max(0, cell.indentationLevel)) * diagnostics.length(cell.indentationWidth, "indentationWidth")
        var start = layoutMargins.leading + (cell.indentsAccessories ? indentation.asLength : 0)
        for index in accessories.leading.indices {
            if index > 0 { start += ListCell.accessorySpacing }
            accessories.leading[index].start = start
            start += accessories.leading[index].reserved
        }
        let keepsMargins = cell.content.preservesLayoutMargins
        if accessories.leading.isEmpty {
            start = max(margins.leading, keepsMargins ? layoutMargins.leading : 0) + indentation.asLength
        } else {
            start += margins.leading + (cell.indentsAccessories ? 0 : indentation.asLength)
        }

        var end = width - layoutMargins.trailing
        for index in accessories.trailing.indices.reversed() {
            end -= accessories.trailing[index].reserved
            accessories.trailing[index].start = end
            if index > 0 { end -= ListCell.accessorySpacing }
        }
        end =
            accessories.trailing.isEmpty
            ? width - max(margins.trailing, keepsMargins ? layoutMargins.trailing : 0) : end - margins.trailing
        if end < start {
            diagnostics.add(
                LayoutDiagnostic(.noRoom, detail: "margins and accessories leave \(end - start) points of the width"))
        }
        return (start.asDistance, max(start, end).asDistance)
    }
}

extension ListCellSolver {
    /// The texts in their places, from the top of the two.
    struct Texts {
        var primary: Rect?
        var secondary: Rect?
        var height = 0.0
        var isSideBySide = false
        /// Where they begin; where the content begins if there are none.
        var leading: Double
    }

    /// The image's size, and that of the room it is centred in; `nil` where there is none.
    mutating func image() -> (size: Size, reserved: Size)? {
        guard let image = cell.content.image else { return nil }
        let properties = cell.content.imageProperties
        var size = diagnostics.lengths(image.size, "image.size")
        let greatest = diagnostics.lengths(properties.maximumSize, "maximumSize")
        var scale = 1.0
        for axis in Axis.allCases where greatest[axis] > 0 && size[axis] > greatest[axis] {
            scale = min(scale, greatest[axis] / size[axis])
        }
        size = Size(width: size.width * scale, height: size.height * scale)
        var reserved = diagnostics.lengths(properties.reservedLayoutSize, "reservedLayoutSize")
        for axis in Axis.allCases where reserved[axis] == 0 { reserved[axis] = size[axis] }
        return (size, reserved)
    }

    /// Places the texts behind the image: side by side if that is preferred and both fit into one line each, otherwise
    /// one below the other (documented).
    mutating func texts(
        in room: (start: Double, end: Double), after image: (size: Size, reserved: Size)?, _ measure: TextMeasurer
    ) -> Texts {
        let content = cell.content
        let texts = (shown(content.text), shown(content.secondaryText))
        var leading = room.start
        if texts.0 != nil || texts.1 != nil, let image {
            leading += image.reserved.width + diagnostics.length(content.imageToTextPadding, "imageToTextPadding")
        }
        leading = leading.asDistance
        if leading > room.end {
            diagnostics.add(
                LayoutDiagnostic(.noRoom, detail: "the image leaves \(room.end - leading) points for the texts"))
        }
        let width = (room.end - leading).asLength
        if content.prefersSideBySideTextAndSecondaryText, let text = texts.0, let secondary = texts.1,
            let placed = sideBySide(text, secondary, from: leading, width: width, measure)
        {
            return placed
        }
        var placed = Texts(leading: leading)
        if let text = texts.0 {
            let size = measured(text, content.textProperties, within: width, measure)
            placed.primary = frame(size, at: leading, y: 0, within: width, content.textProperties.alignment)
            placed.height = size.height
        }
        if let text = texts.1 {
            let size = measured(text, content.secondaryTextProperties, within: width, measure)
            if placed.primary != nil {
                placed.height += diagnostics.length(
                    content.textToSecondaryTextVerticalPadding, "textToSecondaryTextVerticalPadding")
            }
            placed.secondary = frame(
                size, at: leading, y: placed.height, within: width, content.secondaryTextProperties.alignment)
            placed.height += size.height
        }
        placed.height = placed.height.asLength
        return placed
    }

    /// The text at the start, the secondary text at the end, their middles at one height (chosen: the original aligns
    /// their baselines); `nil` where they don't fit.
    private mutating func sideBySide(
        _ text: String, _ secondary: String, from leading: Double, width: Double, _ measure: TextMeasurer
    ) -> Texts? {
        let content = cell.content
        let first = measured(text, content.textProperties, within: nil, measure)
        let second = measured(secondary, content.secondaryTextProperties, within: nil, measure)
        let padding = diagnostics.length(
            content.textToSecondaryTextHorizontalPadding, "textToSecondaryTextHorizontalPadding")
        guard first.width + padding + second.width <= width else { return nil }
        let height = max(first.height, second.height)
        return Texts(
            primary: Rect(
                x: leading, y: (height - first.height) / 2, width: first.width, height: first.height),
            secondary: Rect(
                x: leading + width - second.width, y: (height - second.height) / 2, width: second.width,
                height: second.height), height: height, isSideBySide: true, leading: leading)
    }

    /// An empty text is none.
    private func shown(_ text: String?) -> String? { text?.isEmpty == false ? text : nil }

    /// - Parameter width: `nil` for one line.
    private mutating func measured(
        _ text: String, _ properties: TextProperties, within width: Double?, _ measure: TextMeasurer
    ) -> Size {
        var request = TextRequest(
            text: properties.transformed(text), properties: properties, width: width ?? .infinity)
        if width == nil { request.properties.numberOfLines = 1 }
        var size = diagnostics.lengths(measure(request), "the size of a text")
        if let width { size.width = min(size.width, width) }
        return size
    }

    private func frame(
        _ size: Size, at leading: Double, y: Double, within width: Double, _ alignment: TextProperties.Alignment
    ) -> Rect {
        let x = alignment == .center ? leading + (width - size.width) / 2 : leading
        return Rect(x: x, y: y, width: size.width, height: size.height)
    }
}

extension LayoutDiagnostics {
    /// A size of two lengths.
    mutating func lengths(_ size: Size, _ name: String) -> Size {
        Size(width: length(size.width, "\(name).width"), height: length(size.height, "\(name).height"))
    }

    /// Insets of four lengths: a negative one is taken as 0 (chosen).
    mutating func lengths(_ insets: EdgeInsets, _ name: String) -> EdgeInsets {
        EdgeInsets(
            top: length(insets.top, "\(name).top"), leading: length(insets.leading, "\(name).leading"),
            bottom: length(insets.bottom, "\(name).bottom"), trailing: length(insets.trailing, "\(name).trailing"))
    }
}
