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
