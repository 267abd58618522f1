import CollectionLayout

// MARK: - Rows of lists

extension LayoutSVG {
    /// Draws a row: its ground, its image as a rounded square, its texts and its accessories.
    func draw(_ cell: ListCell, in frame: Rect, _ svg: inout SVGWriter) {
        let layout = cell.layout(width: frame.width, height: frame.height, measuring: Self.measure)
        svg.clipped(to: frame) { svg in
            drawGround(of: cell, in: Rect(origin: .zero, size: frame.size), &svg)
            if let image = layout.imageFrame {
                let token = cell.content.imageProperties.tintColor ?? .tint
                svg.rectangle(image, [("rx", "5"), ("fill", colour(of: token)), ("fill-opacity", "0.35")])
            }
            draw(cell.content.text, cell.content.textProperties, in: layout.textFrame, &svg)
            draw(cell.content.secondaryText, cell.content.secondaryTextProperties, in: layout.secondaryTextFrame, &svg)
            for placed in layout.accessories where !placed.accessory.isHidden {
                draw(placed.accessory, in: placed.frame, &svg)
            }
        }
    }

    private func drawGround(of cell: ListCell, in bounds: Rect, _ svg: inout SVGWriter) {
        guard let background = cell.background, let token = background.backgroundColor else { return }
        let radius = background.cornerRadius
        svg.rectangle(
            background.frame(in: bounds), [("rx", radius > 0 ? radius.svg : ""), ("fill", colour(of: token))])
    }

    /// A text in one line, in the middle of the height of its frame.
    private func draw(_ text: String?, _ properties: TextProperties, in frame: Rect?, _ svg: inout SVGWriter) {
        guard let text, let frame else { return }
        let point = properties.style.pointSize
        let isCentred = properties.alignment == .center
        let isBold = properties.isEmphasized || properties.style == .headline
        let style = "fill: \(colour(of: properties.color)); font-size: \(point.svg)px"
        svg.element(
            "text",
            [
                ("x", isCentred ? frame.midX.svg : frame.minX.svg),
                ("y", (frame.midY + point * 0.36).svg), ("text-anchor", isCentred ? "middle" : ""),
                ("style", isBold ? style + "; font-weight: 600" : style),
            ], text: String(properties.transformed(text).prefix(Self.longestCaption)))
    }

    private func draw(_ accessory: CellAccessory, in frame: Rect, _ svg: inout SVGWriter) {
        let colour = colour(of: accessory.resolvedTintColor)
        let stroke = [
            ("fill", "none"), ("stroke", colour), ("stroke-width", "2"), ("stroke-linecap", "round"),
            ("stroke-linejoin", "round"),
        ]
        switch accessory.kind {
        case .disclosureIndicator:
            svg.element("path", [("d", "M\((frame.midX - 3).svg) \((frame.midY - 6).svg)l6 6l-6 6")] + stroke)
        case .outlineDisclosure:
            svg.element("path", [("d", "M\((frame.midX - 6).svg) \((frame.midY - 3).svg)l6 6l6 -6")] + stroke)
        case .checkmark:
            svg.element("path", [("d", "M\((frame.midX - 7).svg) \(frame.midY.svg)l5 5l9 -10")] + stroke)
        case .reorder:
            let lines = [-4.0, 0, 4].map { "M\((frame.midX - 8).svg) \((frame.midY + $0).svg)h16" }
            svg.element("path", [("d", lines.joined())] + stroke)
        case .delete, .insert:
            drawDisc(in: frame, colour, sign: accessory.kind == .delete ? "–" : "+", &svg)
        case .detail: drawDisc(in: frame, colour, sign: "i", &svg)
        case .multiselect:
            svg.rectangle(frame.inset(by: EdgeInsets(all: 1)), [("rx", (frame.width / 2).svg)] + stroke)
        case .label:
            draw(accessory.text, CellAccessory.labelProperties, in: frame, &svg)
        case .custom:
            svg.rectangle(frame.inset(by: EdgeInsets(all: 1)), [("rx", "4")] + stroke)
        }
    }

    private func drawDisc(in frame: Rect, _ colour: String, sign: String, _ svg: inout SVGWriter) {
        svg.rectangle(frame.inset(by: EdgeInsets(all: 2)), [("rx", (frame.width / 2).svg), ("fill", colour)])
        svg.element(
            "text",
            [
                ("x", frame.midX.svg), ("y", (frame.midY + 5).svg), ("text-anchor", "middle"),
                ("style", "fill: \(theme.cell); font-size: 15px"),
            ], text: sign)
    }

    /// The size of a text, as it would be with 0.56 em for each character: pictures may not depend on the fonts of
    /// the machine that makes them.
    static func measure(_ request: TextRequest) -> Size {
        let point = request.properties.style.pointSize
        let width = Double(request.text.count) * point * 0.56
        let line = point * lineHeight
        guard request.width > 0, width > request.width else { return Size(width: width, height: line) }
        let lines = min(Double(max(1, request.properties.numberOfLines)), (width / request.width).floored + 1)
        return Size(width: request.width, height: line * lines)
    }

    /// The height of a line in parts of the font's size.
    private static var lineHeight: Double { 1.2 }

    /// The colour of a token in the theme.
    func colour(of token: ColorToken) -> String {
        switch token {
        case .secondaryLabel, .tertiaryLabel, .tint, .constructive: theme.dimText
        case .separator: theme.rule
        case .systemBackground, .secondaryGroupedBackground, .selectedLabel: theme.cell
        case .groupedBackground: theme.background
        case .sidebarBackground: theme.gap
        case .selection, .highlight: theme.fill(of: .news)
        case .destructive: theme.now
        default: theme.text
        }
    }
}
