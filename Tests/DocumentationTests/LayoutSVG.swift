import CollectionLayout
import CollectionView
import XMLTV

@testable import EPGRender

/// A picture of a layout: a box for each element, from back to front.
///
/// It draws the elements of any ``CollectionViewLayout`` in drawing order. The same attributes produce the same bytes.
/// It omits hidden and empty elements, and clips texts to the edges of their elements.
struct LayoutSVG: Sendable {
    /// The accessible description of the picture.
    let title: String
    let theme: SVGTheme
    /// The visible part of the content. Content outside is drawn paler. If it is `nil` (the default), no frame is drawn.
    let viewport: Rect?
    /// The background color.
    let ground: ColorToken
    let look: @Sendable (LayoutAttributes) -> Look

    /// - Parameter look: How an element is drawn; by default, as a box with its kind and index path.
    init(
        title: String, theme: SVGTheme = .light, viewport: Rect? = nil, ground: ColorToken = .groupedBackground,
        look: @escaping @Sendable (LayoutAttributes) -> Look = { .box(caption(of: $0)) }
    ) {
        self.title = title
        self.theme = theme
        self.viewport = viewport
        self.ground = ground
        self.look = look
    }

    /// Draws attributes inside a part of the content.
    ///
    /// - Parameters:
    ///   - attributes: The attributes in any order; those outside `rect` are ignored.
    ///   - rect: A rectangle in content coordinates. It is enlarged to at least one point in each direction.
    /// - Returns: A complete SVG document.
    func text(of attributes: [LayoutAttributes], in rect: Rect) -> String {
        let view = Rect(
            x: rect.minX.asDistance, y: rect.minY.asDistance, width: max(1, rect.width.asLength),
            height: max(1, rect.height.asLength))
        return XMLWriter.document(view: view, title: title, style: style) { svg in
            svg.rectangle(view, [("fill", color(of: ground))])
            svg.lineBreak()
            for attributes in attributes.sorted(by: LayoutAttributes.isDrawnBefore)
            where isSeen(attributes, in: view) {
                draw(attributes, in: &svg)
                svg.lineBreak()
            }
            drawViewport(in: view, &svg)
        }
    }

    /// How an element is drawn.
    enum Look: Sendable {
        /// A box in the color of its category (item, supplementary, decoration), with a caption, which may be empty.
        case box(String)
        /// A row, header or footer of a list.
        case row(ListCell)
    }

    /// Returns a caption such as `header [0, 0]`, or only the index path for items. If it doesn't fit, returns the
    /// item's number or an empty string.
    static func caption(of attributes: LayoutAttributes) -> String {
        let path = attributes.indexPath
        var captions = ["\(path)", "\(path.item)"]
        if attributes.element.kind != nil { captions.insert("\(attributes.element)", at: 0) }
        // Assume seven points for each character, because pictures must not depend on the fonts of the machine.
        return captions.first { Double($0.count) * 7 <= attributes.frame.width - 4 } ?? ""
    }

    private func isSeen(_ attributes: LayoutAttributes, in view: Rect) -> Bool {
        !attributes.isHidden && attributes.alpha > 0 && !attributes.frame.isEmpty
            && attributes.frame.intersects(view)
    }

    private var style: String {
        """
        text { fill: \(theme.text); } \
        .item { fill: \(theme.fill(of: .news)); } .supplementary { fill: \(theme.fill(of: .children)); } \
        .decoration { fill: \(theme.fill(of: .sport)); } .edge { fill: none; stroke: \(theme.dimText); \
        stroke-opacity: 0.5; } .outside { fill: \(theme.background); fill-opacity: 0.6; } \
        .viewport { fill: none; stroke: \(theme.now); stroke-width: 2; stroke-dasharray: 6 4; }
        """
    }
}

// MARK: - Elements

extension LayoutSVG {
    /// Draws one element with its alpha.
    private func draw(_ attributes: LayoutAttributes, in svg: inout XMLWriter) {
        guard attributes.alpha < 1 else { return drawContent(of: attributes, in: &svg) }
        svg.element("g", [("opacity", attributes.alpha.svg)]) { drawContent(of: attributes, in: &$0) }
    }

    private func drawContent(of attributes: LayoutAttributes, in svg: inout XMLWriter) {
        let frame = attributes.frame
        switch look(attributes) {
        case .box(let caption): drawBox(caption, of: attributes, in: &svg)
        case .row(let cell): draw(cell, in: frame, &svg)
        }
    }

    private func drawBox(_ caption: String, of attributes: LayoutAttributes, in svg: inout XMLWriter) {
        let frame = attributes.frame
        svg.clipped(to: frame) { svg in
            svg.element("title", text: "\(attributes.element)")
            let inside = Rect(origin: .zero, size: frame.size)
            let radius = min(Self.cornerRadius, min(frame.width, frame.height) / 2)
            svg.rectangle(inside, [("rx", radius.svg), ("class", className(of: attributes.element))])
            if frame.width > 2, frame.height > 2 {
                svg.rectangle(inside.inset(by: EdgeInsets(all: 0.5)), [("rx", radius.svg), ("class", "edge")])
            }
            guard !caption.isEmpty, frame.height >= Self.minimumTextHeight else { return }
            // Small cells have a centered caption; long ones have it at the leading edge.
            let isSmall = frame.width < Self.wideBoxWidth
            svg.element(
                "text",
                [
                    ("x", isSmall ? inside.midX.svg : Self.padding.svg),
                    ("y", (captionMiddle(of: attributes) + 4).svg), ("text-anchor", isSmall ? "middle" : ""),
                ], text: String(caption.prefix(Self.maximumCaptionLength)))
        }
    }

    /// Returns the vertical center of the caption: at the lower edge for backgrounds, where a header doesn't cover it,
    /// and otherwise in the middle.
    private func captionMiddle(of attributes: LayoutAttributes) -> Double {
        let height = attributes.frame.height
        guard case .decoration = attributes.element, height > Self.minimumTextHeight * 2 else { return height / 2 }
        return height - Self.minimumTextHeight / 2 - 3
    }

    /// Draws the frame of the viewport above everything else.
    private func drawViewport(in view: Rect, _ svg: inout XMLWriter) {
        guard let viewport, !viewport.isEmpty else { return }
        svg.element(
            "path", [("class", "outside"), ("fill-rule", "evenodd"), ("d", path(of: view) + path(of: viewport))])
        svg.rectangle(viewport.inset(by: EdgeInsets(all: 1)), [("class", "viewport")])
        svg.lineBreak()
    }

    private func path(of rect: Rect) -> String {
        "M\(rect.minX.svg) \(rect.minY.svg)H\(rect.maxX.svg)V\(rect.maxY.svg)H\(rect.minX.svg)Z"
    }

    private func className(of element: LayoutElement) -> String {
        switch element {
        case .item: "item"
        case .supplementary: "supplementary"
        case .decoration: "decoration"
        }
    }

    private static var cornerRadius: Double { 4 }
    private static var padding: Double { 8 }
    private static var minimumTextHeight: Double { 12 }
    private static var wideBoxWidth: Double { 160 }
    /// The maximum number of characters, more than the widest picture has space for.
    private static var maximumCaptionLength: Int { 500 }
}

// MARK: - List rows

extension LayoutSVG {
    /// Draws a row: its background, its image as a rounded square, its texts and its accessories.
    private func draw(_ cell: ListCell, in frame: Rect, _ svg: inout XMLWriter) {
        let layout = cell.layout(width: frame.width, height: frame.height, measuring: Self.measure)
        svg.clipped(to: frame) { svg in
            drawBackground(of: cell, in: Rect(origin: .zero, size: frame.size), &svg)
            if let image = layout.imageFrame {
                let token = cell.content.imageProperties.tintColor ?? .tint
                svg.rectangle(image, [("rx", "5"), ("fill", color(of: token)), ("fill-opacity", "0.35")])
            }
            draw(cell.content.text, cell.content.textProperties, in: layout.textFrame, &svg)
            draw(cell.content.secondaryText, cell.content.secondaryTextProperties, in: layout.secondaryTextFrame, &svg)
            for placed in layout.accessories where !placed.accessory.isHidden {
                draw(placed.accessory, in: placed.frame, &svg)
            }
        }
    }

    private func drawBackground(of cell: ListCell, in bounds: Rect, _ svg: inout XMLWriter) {
        guard let background = cell.background, let token = background.backgroundColor else { return }
        let radius = background.cornerRadius
        svg.rectangle(
            background.frame(in: bounds), [("rx", radius > 0 ? radius.svg : ""), ("fill", color(of: token))])
    }

    /// Draws a text in one line, vertically centered in its frame.
    private func draw(_ text: String?, _ properties: TextProperties, in frame: Rect?, _ svg: inout XMLWriter) {
        guard let text, let frame else { return }
        let point = properties.style.pointSize
        let isCentered = properties.alignment == .center
        let isBold = properties.isEmphasized || properties.style == .headline
        let style = "fill: \(color(of: properties.color)); font-size: \(point.svg)px"
        svg.element(
            "text",
            [
                ("x", isCentered ? frame.midX.svg : frame.minX.svg),
                ("y", (frame.midY + point * 0.36).svg), ("text-anchor", isCentered ? "middle" : ""),
                ("style", isBold ? style + "; font-weight: 600" : style),
            ], text: String(properties.transformed(text).prefix(Self.maximumCaptionLength)))
    }

    private func draw(_ accessory: CellAccessory, in frame: Rect, _ svg: inout XMLWriter) {
        let color = color(of: accessory.drawnColor)
        let stroke = [
            ("fill", "none"), ("stroke", color), ("stroke-width", "2"), ("stroke-linecap", "round"),
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
            drawDisc(in: frame, color, sign: accessory.kind == .delete ? "–" : "+", &svg)
        case .detail: drawDisc(in: frame, color, sign: "i", &svg)
        case .multiselect:
            svg.rectangle(frame.inset(by: EdgeInsets(all: 1)), [("rx", (frame.width / 2).svg)] + stroke)
        case .label:
            draw(accessory.text, CellAccessory.labelProperties, in: frame, &svg)
        case .custom:
            svg.rectangle(frame.inset(by: EdgeInsets(all: 1)), [("rx", "4")] + stroke)
        }
    }

    private func drawDisc(in frame: Rect, _ color: String, sign: String, _ svg: inout XMLWriter) {
        svg.rectangle(frame.inset(by: EdgeInsets(all: 2)), [("rx", (frame.width / 2).svg), ("fill", color)])
        svg.element(
            "text",
            [
                ("x", frame.midX.svg), ("y", (frame.midY + 5).svg), ("text-anchor", "middle"),
                ("style", "fill: \(theme.cell); font-size: 15px"),
            ], text: sign)
    }

    /// Returns the size of a text with 0.56 em for each character, because pictures must not depend on the fonts of the
    /// machine.
    static func measure(_ request: TextRequest) -> Size {
        let point = request.properties.style.pointSize
        let width = Double(request.text.count) * point * 0.56
        let line = point * lineHeight
        guard request.width > 0, width > request.width else { return Size(width: width, height: line) }
        let lines = min(Double(max(1, request.properties.numberOfLines)), (width / request.width).floored + 1)
        return Size(width: request.width, height: line * lines)
    }

    /// The line height as a fraction of the font size.
    private static var lineHeight: Double { 1.2 }

    /// Returns the color of a token in the theme.
    private func color(of token: ColorToken) -> String {
        switch token {
        case .secondaryLabel, .tertiaryLabel, .tint, .constructive: theme.dimText
        case .separator: theme.rule
        case .systemBackground, .secondaryGroupedBackground, .selectedLabel: theme.cell
        case .groupedBackground: theme.background
        case .selection, .highlight: theme.fill(of: .news)
        case .destructive: theme.now
        default: theme.text
        }
    }
}

extension TextStyle {
    /// The size in points at UIKit's default text size setting.
    fileprivate var pointSize: Double {
        switch self {
        case .largeTitle: 34
        case .title1: 28
        case .title2: 22
        case .title3: 20
        case .headline, .body: 17
        case .callout: 16
        case .subheadline: 15
        case .footnote: 13
        case .caption1: 12
        case .caption2: 11
        }
    }
}

extension CellAccessory {
    /// The explicit tint color, or else the color of the kind.
    fileprivate var drawnColor: ColorToken {
        if let tintColor { return tintColor }
        return switch kind {
        case .delete: .destructive
        case .insert, .checkmark: .constructive
        case .disclosureIndicator, .reorder: .tertiaryLabel
        case .label: .secondaryLabel
        case .detail, .multiselect, .outlineDisclosure, .custom: .tint
        }
    }
}
