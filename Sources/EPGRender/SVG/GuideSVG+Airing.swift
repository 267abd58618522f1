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

    /// A bar at the foot of what is on, from its start to now.
    private func drawProgress(of element: GuideElement, in inside: Rect, _ svg: inout SVGWriter) {
        guard let now, let airing = element.airing, airing.window.contains(now), let shown = element.shown else {
            return
        }
        let (start, end) = (layout.x(of: shown.start), layout.x(of: shown.end))
        let width = (layout.x(of: now).clamped(to: start...max(start, end)) - start).clamped(to: 0...inside.width)
        svg.rectangle(
            Rect(minX: 0, minY: inside.maxY - 3, maxX: width, maxY: inside.maxY), [("class", "now")])
    }

    /// As many of title, times and description as there is room for, in the middle of the height.
    private func drawLines(of airing: Airing, _ genre: Genre?, _ element: GuideElement, _ svg: inout SVGWriter) {
        let times = range(of: airing.window) + (airing.isStopInferred ? "?" : "")
        let more = airing.subtitle ?? airing.description ?? ""
        let lines = [airing.title, times, more].prefix(max(1, element.textLines)).filter { !$0.isEmpty }
        let x = element.leadingTextInset(leastTextWidth: Self.leastTextWidth) + Self.padding
        let frame = cell(element.frame)
        let space = frame.height - Self.verticalPadding * 2
        let height = min(layout.metrics.lineHeight, max(space / Double(lines.count), Self.leastLineHeight))
        let top = max(0, (frame.height - height * Double(lines.count)) / 2)
        for (index, line) in lines.enumerated() {
            let isOn = now.map { airing.window.contains($0) } ?? false
            let base = top + height * (Double(index) + 0.72)
            svg.element(
                "text",
                [
                    ("x", x.svg), ("y", base.svg),
                    ("class", index > 0 ? "" : isOn ? "title strong" : "title"),
                ], text: String(line.prefix(Self.longestLine)))
            if index == 0, let genre, frame.width >= Self.leastTextWidth {
                let line = Rect(
                    minX: frame.width - 20, minY: top, maxX: frame.width, maxY: min(top + height, frame.height))
                drawSign(of: genre, in: line, base: base, &svg)
            }
        }
    }

    /// The genre's sign at the end of the title's line; the title ends before it.
    private func drawSign(of genre: Genre, in line: Rect, base: Double, _ svg: inout SVGWriter) {
        svg.rectangle(line, [("fill", theme.fill(of: genre))])
        svg.element("text", [("x", (line.maxX - 5).svg), ("y", base.svg), ("class", "mark")], text: genre.sign)
    }

    /// ◂ ▸ where the cell is cut.
    private func drawCuts(of element: GuideElement, _ inside: Rect, _ svg: inout SVGWriter) {
        let base = (inside.maxY - 5).svg
        if element.isStartClipped { svg.element("text", [("x", "0"), ("y", base)], text: "◂") }
        if element.isEndClipped {
            svg.element("text", [("x", inside.maxX.svg), ("y", base), ("class", "mark")], text: "▸")
        }
    }

    /// The space between text and the upper and lower edge, where there is any.
    private static var verticalPadding: Double { 3 }
    /// Below it lines run into each other.
    private static var leastLineHeight: Double { 16 }

    /// Characters of a line, at most: more than the widest picture has room for.
    private static var longestLine: Int { 500 }
}
