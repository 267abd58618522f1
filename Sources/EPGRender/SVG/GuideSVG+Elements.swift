import CollectionLayout
import EPGLayout
import EPGModel

// MARK: - Elements

extension GuideSVG {
    /// Draws one element; one without width or height isn't seen.
    func draw(_ element: GuideElement, in svg: inout SVGWriter) {
        guard !element.frame.isEmpty else { return }
        switch element.kind {
        case .airing: drawAiring(element, in: &svg)
        case .gap, .cluster: svg.rectangle(cell(element.frame), [("class", "gap"), ("rx", "3")])
        case .station, .groupHeader: drawStation(element, in: &svg)
        case .hourHeader, .halfHourHeader: drawHeader(element, in: &svg)
        case .nowLine: svg.rectangle(element.frame, [("class", "now")])
        case .daySeparator: svg.rectangle(element.frame, [("class", "rule")])
        case .corner: drawPinned(element, in: &svg) { drawText(element.label, of: element, in: &$0) }
        case .thumbnail: svg.rectangle(cell(element.frame), [("class", "pin"), ("rx", "3")])
        }
    }

    private func drawStation(_ element: GuideElement, in svg: inout SVGWriter) {
        drawPinned(element, in: &svg) { svg in
            svg.element("title", text: element.label ?? "")
            drawText(element.label, of: element, isStrong: true, in: &svg)
        }
    }

    /// A header stays in sight while its hour does: its label follows the visible edge.
    private func drawHeader(_ element: GuideElement, in svg: inout SVGWriter) {
        drawPinned(element, in: &svg) { svg in
            svg.rectangle(Rect(x: 0, y: 0, width: 1, height: element.frame.height), [("class", "rule")])
            drawText(element.label, of: element, isStrong: element.kind == .hourHeader, in: &svg)
        }
    }

    private func drawPinned(_ element: GuideElement, in svg: inout SVGWriter, text: (inout SVGWriter) -> Void) {
        svg.rectangle(element.frame, [("class", "pin")])
        let frame = element.frame
        svg.rectangle(
            Rect(minX: frame.minX, minY: frame.maxY - 1, maxX: frame.maxX, maxY: frame.maxY), [("class", "rule")])
        svg.clipped(to: frame, content: text)
    }

    /// A single line in the middle of the height.
    private func drawText(
        _ text: String?, of element: GuideElement, isStrong: Bool = false, in svg: inout SVGWriter
    ) {
        guard let text, !text.isEmpty else { return }
        let x = element.leadingTextInset(leastTextWidth: Self.leastTextWidth) + Self.padding
        svg.element(
            "text",
            [
                ("x", x.svg), ("y", (element.frame.height / 2 + 5).svg),
                ("class", isStrong ? "title strong" : "title"),
            ], text: text)
    }

    /// A cell without the hair's breadth that parts it from its neighbours.
    func cell(_ frame: Rect) -> Rect {
        guard frame.width > 2, frame.height > 2 else { return frame }
        return frame.inset(by: EdgeInsets(bottom: 1, trailing: 1))
    }

    /// The space between the edge of a cell and its text.
    static var padding: Double { 8 }
    /// What a title keeps for itself while it follows the visible edge.
    static var leastTextWidth: Double { 64 }
}
