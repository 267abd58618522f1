import CollectionLayout

// MARK: - Elements

extension LayoutSVG {
    /// Draws one element, turned, scaled and pale as its attributes say.
    func draw(_ attributes: LayoutAttributes, in svg: inout SVGWriter) {
        let group = [
            ("opacity", attributes.alpha < 1 ? attributes.alpha.svg : ""), ("transform", matrix(of: attributes)),
        ]
        guard group.contains(where: { !$0.1.isEmpty }) else { return drawContent(of: attributes, in: &svg) }
        svg.element("g", group) { drawContent(of: attributes, in: &$0) }
    }

    private func drawContent(of attributes: LayoutAttributes, in svg: inout SVGWriter) {
        let frame = attributes.layoutFrame
        switch look(attributes) {
        case .box(let caption): drawBox(caption, of: attributes, in: &svg)
        case .ground(let token, let radius):
            svg.rectangle(frame, [("rx", radius > 0 ? radius.svg : ""), ("fill", colour(of: token))])
        case .row(let cell): draw(cell, in: frame, &svg)
        }
    }

    private func drawBox(_ caption: String, of attributes: LayoutAttributes, in svg: inout SVGWriter) {
        let frame = attributes.layoutFrame
        svg.clipped(to: frame) { svg in
            svg.element("title", text: "\(attributes.element)")
            let inside = Rect(origin: .zero, size: frame.size)
            let radius = min(Self.cornerRadius, min(frame.width, frame.height) / 2)
            svg.rectangle(inside, [("rx", radius.svg), ("class", className(of: attributes.element))])
            if frame.width > 2, frame.height > 2 {
                svg.rectangle(inside.inset(by: EdgeInsets(all: 0.5)), [("rx", radius.svg), ("class", "edge")])
            }
            guard !caption.isEmpty, frame.height >= Self.leastTextHeight else { return }
            // Small cells have the caption in their middle, long ones at the leading edge, where it is looked for.
            let isSmall = frame.width < Self.wideBox
            svg.element(
                "text",
                [
                    ("x", isSmall ? inside.midX.svg : Self.padding.svg),
                    ("y", (captionMiddle(of: attributes) + 4).svg), ("text-anchor", isSmall ? "middle" : ""),
                ], text: String(caption.prefix(Self.longestCaption)))
        }
    }

    /// Behind other elements the caption stands at the lower edge, where a header doesn't cover it, else in the middle.
    private func captionMiddle(of attributes: LayoutAttributes) -> Double {
        let height = attributes.layoutFrame.height
        guard case .decoration = attributes.element, height > Self.leastTextHeight * 2 else { return height / 2 }
        return height - Self.leastTextHeight / 2 - 3
    }

    /// The frame of the viewport, above everything.
    func drawViewport(in view: Rect, _ svg: inout SVGWriter) {
        guard let viewport, !viewport.isEmpty else { return }
        svg.element(
            "path", [("class", "outside"), ("fill-rule", "evenodd"), ("d", path(of: view) + path(of: viewport))])
        svg.rectangle(viewport.inset(by: EdgeInsets(all: 1)), [("class", "viewport")])
        svg.lineBreak()
    }

    private func path(of rect: Rect) -> String {
        "M\(rect.minX.svg) \(rect.minY.svg)H\(rect.maxX.svg)V\(rect.maxY.svg)H\(rect.minX.svg)Z"
    }

    /// The transform about the centre as SVG writes it; empty for none.
    private func matrix(of attributes: LayoutAttributes) -> String {
        let transform = attributes.transform
        guard transform != .identity else { return "" }
        let center = attributes.center
        let moved = transform(Point(x: -center.x, y: -center.y)) + center
        let parts = [transform.a, transform.b, transform.c, transform.d, moved.x, moved.y]
        return "matrix(\(parts.map(\.svg).joined(separator: " ")))"
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
    private static var leastTextHeight: Double { 12 }
    private static var wideBox: Double { 160 }
    /// Characters, at most: more than the widest picture has room for.
    static var longestCaption: Int { 500 }
}
