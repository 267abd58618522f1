import CollectionLayout
import EPGLayout
import EPGModel

// MARK: - Airings

extension GuideSVG {
    /// Draws the cell of an airing: its genre as colour and as a sign, title, times and description as far as they fit,
    /// how much of it is over, and whether it goes on beyond the guide's edges.
    func drawAiring(_ element: GuideElement, in svg: inout SVGWriter) {
        guard let airing = element.airing else { return }
        let frame = cell(element.frame)
        let genre = Genre(categories: airing.categories)
        let isOver = now.map { airing.window.end <= $0 } ?? false
        svg.clipped(to: frame, [("class", isOver ? "past" : "")]) { svg in
            svg.element("title", text: "\(airing.title), \(range(of: airing.window))")
            let inside = Rect(x: 0, y: 0, width: frame.width, height: frame.height)
            svg.rectangle(inside, [("rx", "3"), ("fill", theme.fill(of: genre))])
            drawProgress(of: element, in: inside, &svg)
            guard frame.width > Self.padding * 2 else { return }
            drawLines(of: airing, genre, element, &svg)
            drawCuts(of: element, inside, &svg)
        }
    }

    /// A bar at the foot of what is on, from its start to now; where time runs down, at the side where text begins.
    private func drawProgress(of element: GuideElement, in inside: Rect, _ svg: inout SVGWriter) {
        guard let now, let airing = element.airing, airing.window.contains(now), let shown = element.shown else {
            return
        }
        let (start, end) = (layout.x(of: shown.start), layout.x(of: shown.end))
        let past = layout.x(of: now).clamped(to: start...max(start, end)) - start
        let bar =
            if element.timeAxis == .vertical {
                Rect(minX: 0, minY: 0, maxX: 3, maxY: past.clamped(to: 0...inside.height))
            } else {
                Rect(
                    minX: 0, minY: inside.maxY - 3, maxX: past.clamped(to: 0...inside.width), maxY: inside.maxY)
            }
        svg.rectangle(isRightToLeft ? bar.mirrored(inWidth: inside.width) : bar, [("class", "now")])
    }

    /// As many of title, times and description as there is room for: in the middle of the height, or where time runs
    /// down, from the visible edge on.
    private func drawLines(of airing: Airing, _ genre: Genre?, _ element: GuideElement, _ svg: inout SVGWriter) {
        let times = range(of: airing.window) + (airing.isStopInferred ? "?" : "")
        let more = airing.subtitle ?? airing.description ?? ""
        let lines = [airing.title, times, more].prefix(max(1, element.textLines)).filter { !$0.isEmpty }
        let frame = cell(element.frame)
        let space = frame.height - Self.verticalPadding * 2
        let height = min(layout.metrics.lineHeight, max(space / Double(lines.count), Self.leastLineHeight))
        let middle = max(0, (frame.height - height * Double(lines.count)) / 2)
        let top = element.timeAxis == .vertical ? inset(of: element) + Self.verticalPadding : middle
        for (index, line) in lines.enumerated() {
            let isOn = now.map { airing.window.contains($0) } ?? false
            let base = top + height * (Double(index) + 0.72)
            drawLine(
                String(line.prefix(Self.longestLine)), of: element, width: frame.width, base: base,
                style: index > 0 ? "" : isOn ? "title strong" : "title", &svg)
            if index == 0, let genre, frame.width >= Self.leastTextWidth {
                let end = Rect(
                    minX: frame.width - 20, minY: top, maxX: frame.width, maxY: min(top + height, frame.height))
                drawSign(of: genre, in: end, base: base, width: frame.width, &svg)
            }
        }
    }

    /// The genre's sign at the end of the title's line; the title ends before it.
    private func drawSign(of genre: Genre, in end: Rect, base: Double, width: Double, _ svg: inout SVGWriter) {
        svg.rectangle(isRightToLeft ? end.mirrored(inWidth: width) : end, [("fill", theme.fill(of: genre))])
        drawMark(genre.sign, at: width - 5, base: base, width: width, &svg)
    }

    /// Where the cell is cut: ◂ ▸, or where time runs down, ▴ ▾.
    private func drawCuts(of element: GuideElement, _ inside: Rect, _ svg: inout SVGWriter) {
        if element.timeAxis == .vertical {
            if element.isStartClipped { drawMark("▴", at: inside.width / 2, base: 8, width: inside.width, &svg) }
            guard element.isEndClipped else { return }
            drawMark("▾", at: inside.width / 2, base: inside.maxY - 3, width: inside.width, &svg)
        } else {
            let signs = isRightToLeft ? (start: "▸", end: "◂") : (start: "◂", end: "▸")
            if element.isStartClipped {
                svg.element(
                    "text",
                    [
                        ("x", (isRightToLeft ? inside.width : 0).svg), ("y", (inside.maxY - 5).svg),
                        ("class", isRightToLeft ? "end" : ""),
                    ], text: signs.start)
            }
            guard element.isEndClipped else { return }
            drawMark(signs.end, at: inside.width, base: inside.maxY - 5, width: inside.width, &svg)
        }
    }

    /// A sign that ends at a distance from where text begins.
    private func drawMark(_ sign: String, at end: Double, base: Double, width: Double, _ svg: inout SVGWriter) {
        svg.element(
            "text",
            [
                ("x", (isRightToLeft ? width - end : end).svg), ("y", base.svg), ("class", isRightToLeft ? "" : "end"),
            ], text: sign)
    }

    /// The space between text and the upper and lower edge, where there is any.
    private static var verticalPadding: Double { 3 }
    /// Below it lines run into each other.
    private static var leastLineHeight: Double { 16 }

    /// Characters of a line, at most: more than the widest picture has room for.
    private static var longestLine: Int { 500 }
}
