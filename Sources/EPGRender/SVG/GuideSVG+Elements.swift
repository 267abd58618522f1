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
        case .gap: svg.rectangle(cell(element.frame), [("class", "gap"), ("rx", "3")])
        case .cluster: drawCluster(element, in: &svg)
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

    /// Several short airings in one cell: how many, and in the title which.
    private func drawCluster(_ element: GuideElement, in svg: inout SVGWriter) {
        let titles = element.members.compactMap(\.airing?.title).joined(separator: ", ")
        let words = "\(element.members.count) short programmes"
        svg.clipped(to: cell(element.frame)) { svg in
            svg.element("title", text: element.window.map { "\(words), \(range(of: $0)): \(titles)" } ?? words)
            svg.rectangle(
                Rect(x: 0, y: 0, width: element.frame.width, height: element.frame.height),
                [("class", "gap"), ("rx", "3")])
            drawText(words, of: element, in: &svg)
        }
    }

    /// A header stays in sight while its hour does: its label follows the visible edge.
    private func drawHeader(_ element: GuideElement, in svg: inout SVGWriter) {
        drawPinned(element, in: &svg) { svg in
            let size = element.frame.size
            let rule =
                element.timeAxis == .vertical
                ? Rect(x: 0, y: 0, width: size.width, height: 1) : Rect(x: 0, y: 0, width: 1, height: size.height)
            svg.rectangle(isRightToLeft ? rule.mirrored(inWidth: size.width) : rule, [("class", "rule")])
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

    /// A single line in the middle of the height; of an hour where time runs down, at its beginning.
    private func drawText(
        _ text: String?, of element: GuideElement, isStrong: Bool = false, in svg: inout SVGWriter
    ) {
        guard let text, !text.isEmpty else { return }
        let isHour = element.kind == .hourHeader || element.kind == .halfHourHeader
        let base =
            element.timeAxis == .vertical && isHour ? inset(of: element) + 18 : element.frame.height / 2 + 5
        drawLine(
            text, of: element, width: element.frame.width, base: base, style: isStrong ? "title strong" : "title", &svg)
    }

    /// A line of text from where text begins, in sight while there is room for it.
    ///
    /// - Parameter width: That of the cell.
    func drawLine(
        _ text: String, of element: GuideElement, width: Double, base: Double, style: String, _ svg: inout SVGWriter
    ) {
        let x = (element.timeAxis == .vertical ? 0 : inset(of: element)) + Self.padding
        let styles = [style, isRightToLeft ? "end" : ""].filter { !$0.isEmpty }.joined(separator: " ")
        svg.element(
            "text", [("x", (isRightToLeft ? width - x : x).svg), ("y", base.svg), ("class", styles)], text: text)
    }

    /// How far a text moves along the time axis to stay in sight.
    func inset(of element: GuideElement) -> Double {
        element.leadingTextInset(
            leastTextWidth: element.timeAxis == .vertical ? layout.metrics.lineHeight : Self.leastTextWidth)
    }

    /// Whether text begins at the right.
    var isRightToLeft: Bool { layout.direction == .rightToLeft }

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
