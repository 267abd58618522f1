import CollectionLayout
package import EPGCalendar
package import EPGLayout
package import EPGModel
import XMLTV

/// A renderer that draws a viewport of the guide as SVG from the cells of the layout.
///
/// Each cell is a nested `<svg>`, which clips its text. Fonts are CSS families, so that each viewer uses its own. A
/// `<title>` in each cell provides title and times for screen readers and tooltips.
package struct GuideSVG: Sendable {
    private let layout: GuideLayout
    private let viewport: Viewport
    private let theme: SVGTheme
    private let clock: GuideClock
    private let now: Instant?
    private let pictures: CurrentPictures

    /// Creates a renderer.
    ///
    /// - Parameters:
    ///   - now: The current time, which determines progress bars and past airings; `nil` to draw neither.
    ///   - pictures: What the thumbnails show.
    package init(
        layout: GuideLayout, viewport: Viewport, theme: SVGTheme = .light, clock: GuideClock, now: Instant?,
        pictures: CurrentPictures = CurrentPictures()
    ) {
        self.layout = layout
        self.viewport = viewport
        self.theme = theme
        self.clock = clock
        self.now = now
        self.pictures = pictures
    }

    /// Draws the viewport. The header has the hours and half hours whose labels have room.
    ///
    /// - Parameter content: The content for the demand of the viewport.
    /// - Returns: An SVG document.
    package func text(of content: GuideContent) -> String {
        let labels = TimeLabels(clock: clock, pointsPerHour: layout.metrics.pointsPerHour) { label in
            // About 8 points for a character, and the space around it.
            layout.timeAxis == .vertical ? layout.metrics.lineHeight : Double(label.count) * 8 + Self.padding * 2
        }
        var content = content
        content.marks = GuideMarks(labels.chosen(of: content.marks.hours) + content.marks.days)
        let elements = layout.page(in: viewport, of: content).elements
        let view = view
        return XMLWriter.document(view: view, title: title, style: style) { svg in
            svg.rectangle(view, [("class", "back")])
            svg.lineBreak()
            let nowLine = elements.first { $0.kind == .nowLine }?.frame
            // Cells draw their parts of the now-line below their texts.
            if let nowLine { svg.rectangle(nowLine, [("class", "now")]) }
            for element in elements where element.kind != .nowLine {
                draw(element, nowLine, in: &svg)
                svg.lineBreak()
            }
        }
    }

    /// The part of the viewport that contains content; the whole viewport if none does.
    private var view: Rect {
        let content = Rect(x: 0, y: 0, width: layout.contentSize.width, height: layout.contentSize.height)
        let seen = viewport.rect.intersection(content)
        return seen.isEmpty ? viewport.rect : seen
    }

    private var title: String {
        let seen = layout.visibleTime(in: viewport)
        return
            "TV guide, \(clock.zone.date(at: seen.start).label), \(clock.range(seen, seenFrom: clock.zone.date(at: seen.start)))"
    }

    private var style: String {
        """
        text { fill: \(theme.dimText); } \
        .title { font-size: 14px; fill: \(theme.text); } .strong { font-weight: 600; } .end { text-anchor: end; } \
        .group { font-weight: 600; } \
        .back { fill: \(theme.background); } .gap { fill: \(theme.gap); } .pin { fill: \(theme.pinned); } \
        .rule { fill: \(theme.rule); } .now { fill: \(theme.now); } .past { opacity: 0.6; }
        """
    }
}

// MARK: - Elements

extension GuideSVG {
    /// Draws an element unless it is empty.
    private func draw(_ element: GuideElement, _ nowLine: Rect?, in svg: inout XMLWriter) {
        guard !element.frame.isEmpty else { return }
        switch element.kind {
        case .airing: drawAiring(element, nowLine, in: &svg)
        case .gap:
            svg.rectangle(cell(element.frame), [("class", "gap"), ("rx", "3")])
            draw(nowLine, in: element, from: .zero, &svg)
        case .cluster: drawCluster(element, nowLine, in: &svg)
        case .station: drawHead(element, in: &svg)
        case .groupHeader: drawGroupHeader(element, in: &svg)
        case .hourHeader, .halfHourHeader: drawHeader(element, in: &svg)
        case .nowLine: break
        case .daySeparator: svg.rectangle(element.frame, [("class", "rule")])
        case .corner: drawPinned(element, in: &svg) { drawText(element.label, of: element, in: &$0) }
        case .thumbnail: drawThumbnail(element, in: &svg)
        }
    }

    private func drawHead(_ element: GuideElement, in svg: inout XMLWriter) {
        drawPinned(element, in: &svg) { svg in
            svg.element("title", text: element.label ?? "")
            drawText(element.label, of: element, isStrong: true, in: &svg)
        }
    }

    /// Draws the header of a group, whose title is where the view begins, over the whole width of the content.
    private func drawGroupHeader(_ element: GuideElement, in svg: inout XMLWriter) {
        let seen = element.frame.intersection(view)
        guard !seen.isEmpty else { return }
        svg.rectangle(seen, [("class", "back")])
        svg.clipped(to: seen) { svg in
            svg.element("title", text: element.label ?? "")
            // The header is a column on a vertical time axis.
            let isVertical = element.timeAxis == .vertical
            let isEnd = isRightToLeft && !isVertical
            svg.element(
                "text",
                [
                    ("x", (isEnd ? seen.width - Self.padding : Self.padding).svg),
                    ("y", ((isVertical ? -seen.width : seen.height) / 2 + 4).svg),
                    ("class", isEnd ? "group end" : "group"), ("transform", isVertical ? "rotate(90)" : ""),
                ], text: element.label ?? "")
        }
    }

    /// Draws the picture of what is on now, or the symbol of its genre without one.
    private func drawThumbnail(_ element: GuideElement, in svg: inout XMLWriter) {
        svg.rectangle(element.frame, [("class", "pin")])
        guard let current = pictures[element.row] else { return }
        let frame = cell(element.frame)
        svg.clipped(to: frame) { svg in
            svg.element("title", text: "On now: \(AiringText(current.airing).title)")
            let inside = Rect(x: 0, y: 0, width: frame.width, height: frame.height)
            svg.rectangle(inside, [("rx", "3"), ("fill", theme.fill(of: current.airing.drawnGenre))])
            // The symbol shows if the picture does not load.
            if let genre = current.airing.drawnGenre {
                drawMark(genre.sign, at: frame.width / 2 + 5, base: frame.height / 2 + 5, width: frame.width, &svg)
            }
            if let url = current.url { svg.image(url, in: inside) }
        }
    }

    /// Draws a cell that represents several short airings: their number, and their titles in the tooltip.
    private func drawCluster(_ element: GuideElement, _ nowLine: Rect?, in svg: inout XMLWriter) {
        let titles = element.members.compactMap { $0.airing.map { AiringText($0).title } }.joined(separator: ", ")
        let label = "\(element.members.count) short programs"
        svg.clipped(to: cell(element.frame)) { svg in
            svg.element("title", text: element.window.map { "\(label), \(clock.range($0)): \(titles)" } ?? label)
            svg.rectangle(
                Rect(x: 0, y: 0, width: element.frame.width, height: element.frame.height),
                [("class", "gap"), ("rx", "3")])
            draw(nowLine, in: element, from: element.frame.origin, &svg)
            drawText(label, of: element, in: &svg)
        }
    }

    /// Draws an hour header. Its label follows the visible edge while the hour is visible.
    private func drawHeader(_ element: GuideElement, in svg: inout XMLWriter) {
        drawPinned(element, in: &svg) { svg in
            let size = element.frame.size
            let rule =
                element.timeAxis == .vertical
                ? Rect(x: 0, y: 0, width: size.width, height: 1) : Rect(x: 0, y: 0, width: 1, height: size.height)
            svg.rectangle(isRightToLeft ? rule.mirrored(inWidth: size.width) : rule, [("class", "rule")])
            drawText(element.label, of: element, isStrong: element.kind == .hourHeader, in: &svg)
        }
    }

    private func drawPinned(_ element: GuideElement, in svg: inout XMLWriter, text: (inout XMLWriter) -> Void) {
        svg.rectangle(element.frame, [("class", "pin")])
        let frame = element.frame
        svg.rectangle(
            Rect(minX: frame.minX, minY: frame.maxY - 1, maxX: frame.maxX, maxY: frame.maxY), [("class", "rule")])
        svg.clipped(to: frame, content: text)
    }

    /// Draws one line, vertically centered; the label of an hour on a vertical time axis is at its start.
    private func drawText(
        _ text: String?, of element: GuideElement, isStrong: Bool = false, in svg: inout XMLWriter
    ) {
        guard let text, !text.isEmpty else { return }
        let isHour = element.kind == .hourHeader || element.kind == .halfHourHeader
        let base =
            element.timeAxis == .vertical && isHour ? inset(of: element) + 18 : element.frame.height / 2 + 5
        drawLine(
            text, of: element, width: element.frame.width, base: base, style: isStrong ? "title strong" : "title", &svg)
    }

    /// Draws a line of text from its leading edge, and keeps it visible while there is room.
    ///
    /// - Parameter width: The width of the cell.
    private func drawLine(
        _ text: String, of element: GuideElement, width: Double, base: Double, style: String, _ svg: inout XMLWriter
    ) {
        let x = (element.timeAxis == .vertical ? 0 : inset(of: element)) + Self.padding
        let styles = [style, isRightToLeft ? "end" : ""].filter { !$0.isEmpty }.joined(separator: " ")
        svg.element(
            "text", [("x", (isRightToLeft ? width - x : x).svg), ("y", base.svg), ("class", styles)], text: text)
    }

    /// Returns the distance by which text moves along the time axis to stay visible.
    private func inset(of element: GuideElement) -> Double {
        element.leadingTextInset(
            leastTextWidth: element.timeAxis == .vertical ? layout.metrics.lineHeight : Self.minimumTextWidth)
    }

    private var isRightToLeft: Bool { layout.direction == .rightToLeft }

    /// Returns the frame of a cell without the one-point gap to its neighbors.
    private func cell(_ frame: Rect) -> Rect {
        guard frame.width > 2, frame.height > 2 else { return frame }
        return frame.inset(by: EdgeInsets(bottom: 1, trailing: 1))
    }

    /// The horizontal space between the edge of a cell and its text.
    private static var padding: Double { 8 }
    /// The minimum width of a title that follows the visible edge.
    private static var minimumTextWidth: Double { 64 }
}

// MARK: - Airings

extension GuideSVG {
    /// Draws the cell of an airing: color and symbol of its genre, as much of title, times and description as fits,
    /// its progress, and marks where the cell is clipped.
    private func drawAiring(_ element: GuideElement, _ nowLine: Rect?, in svg: inout XMLWriter) {
        guard let airing = element.airing else { return }
        let frame = cell(element.frame)
        let genre = airing.drawnGenre
        let isOver = now.map { airing.window.end <= $0 } ?? false
        svg.clipped(to: frame, [("class", isOver ? "past" : "")]) { svg in
            svg.element("title", text: "\(AiringText(airing).title), \(AiringText(airing).times(clock))")
            let inside = Rect(x: 0, y: 0, width: frame.width, height: frame.height)
            svg.rectangle(inside, [("rx", "3"), ("fill", theme.fill(of: genre))])
            draw(nowLine, in: element, from: element.frame.origin, &svg)
            drawProgress(of: element, in: inside, &svg)
            guard frame.width > Self.padding * 2 else { return }
            drawLines(of: airing, genre, element, &svg)
            drawCuts(of: element, inside, &svg)
        }
    }

    /// Draws the part of the now-line in an element, relative to an origin.
    private func draw(_ nowLine: Rect?, in element: GuideElement, from origin: Point, _ svg: inout XMLWriter) {
        guard let part = nowLine?.intersection(cell(element.frame)), !part.isEmpty else { return }
        svg.rectangle(part.offset(x: -origin.x, y: -origin.y), [("class", "now")])
    }

    /// Draws the progress bar of a current airing: along the bottom, or along the leading side on a vertical time axis.
    private func drawProgress(of element: GuideElement, in inside: Rect, _ svg: inout XMLWriter) {
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

    /// Draws as many lines of title, times and description as fit: vertically centered, or from the visible edge on a
    /// vertical time axis.
    private func drawLines(of airing: Airing, _ genre: Genre?, _ element: GuideElement, _ svg: inout XMLWriter) {
        let text = AiringText(airing)
        let more = text.subtitle ?? airing.description ?? ""
        let times = [text.badge, text.times(clock)].compactMap(\.self).joined(separator: " · ")
        let lines = [text.title, times, more].prefix(max(1, element.textLines)).filter { !$0.isEmpty }
        let frame = cell(element.frame)
        let space = frame.height - Self.verticalPadding * 2
        let height = min(layout.metrics.lineHeight, max(space / Double(lines.count), Self.minimumLineHeight))
        let middle = max(0, (frame.height - height * Double(lines.count)) / 2)
        let top = element.timeAxis == .vertical ? inset(of: element) + Self.verticalPadding : middle
        for (index, line) in lines.enumerated() {
            let isOn = now.map { airing.window.contains($0) } ?? false
            let base = top + height * (Double(index) + 0.72)
            drawLine(
                String(line.prefix(Self.maximumLineLength)), of: element, width: frame.width, base: base,
                style: index > 0 ? "" : isOn ? "title strong" : "title", &svg)
            if index == 0, let genre, frame.width >= Self.minimumTextWidth {
                let end = Rect(
                    minX: frame.width - 20, minY: top, maxX: frame.width, maxY: min(top + height, frame.height))
                drawSign(of: genre, in: end, base: base, width: frame.width, &svg)
            }
        }
    }

    /// Draws the symbol of the genre over the end of the title's line.
    private func drawSign(of genre: Genre, in end: Rect, base: Double, width: Double, _ svg: inout XMLWriter) {
        svg.rectangle(isRightToLeft ? end.mirrored(inWidth: width) : end, [("fill", theme.fill(of: genre))])
        drawMark(genre.sign, at: width - 5, base: base, width: width, &svg)
    }

    /// Draws ◂ and ▸ (▴ and ▾ on a vertical time axis) where the cell is clipped.
    private func drawCuts(of element: GuideElement, _ inside: Rect, _ svg: inout XMLWriter) {
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

    /// Draws a symbol whose trailing edge is at a distance from the leading edge of the cell.
    private func drawMark(_ sign: String, at end: Double, base: Double, width: Double, _ svg: inout XMLWriter) {
        svg.element(
            "text",
            [
                ("x", (isRightToLeft ? width - end : end).svg), ("y", base.svg), ("class", isRightToLeft ? "" : "end"),
            ], text: sign)
    }

    /// The space between text and the upper and lower edge, if there is room.
    private static var verticalPadding: Double { 3 }
    /// The minimum line height without overlapping lines.
    private static var minimumLineHeight: Double { 16 }
    /// The maximum number of characters in a line, more than the widest picture can show.
    private static var maximumLineLength: Int { 500 }
}

/// The colors of an SVG guide as `#rrggbb`. Text contrasts with every background by at least 4.5:1 (WCAG 2.2, 1.4.3).
package struct SVGTheme: Sendable {
    package let background: String
    /// The fill of airings without a genre.
    package let cell: String
    /// The fill of gaps in the schedule.
    package let gap: String
    /// The fill of the station column, the headers and the corner.
    package let pinned: String
    /// The color of titles and names.
    package let text: String
    /// The color of times and other secondary text.
    package let dimText: String
    /// Lines between rows, hours and days.
    package let rule: String
    /// The now-line.
    package let now: String
    private let tints: [Genre: String]

    /// Dark text on light backgrounds.
    package static let light = SVGTheme(
        background: "#eceef1", cell: "#ffffff", gap: "#f4f5f7", pinned: "#f8f9fa", text: "#17191c",
        dimText: "#555b66", rule: "#d5d9df", now: "#d3302f",
        tints: [
            .news: "#dbe8fb", .sport: "#d9f0dd", .children: "#fde9d0", .documentary: "#d5eff0", .music: "#f9dcec",
            .film: "#eadff8", .series: "#e0e2fa", .entertainment: "#f6eec8",
        ])

    /// Light text on dark backgrounds.
    package static let dark = SVGTheme(
        background: "#0e1013", cell: "#20242b", gap: "#16191e", pinned: "#181b20", text: "#eceef1",
        dimText: "#a3abb8", rule: "#343a44", now: "#ff6b5e",
        tints: [
            .news: "#1d3554", .sport: "#1c3f28", .children: "#4d3517", .documentary: "#163f44", .music: "#4c2140",
            .film: "#372552", .series: "#2b2f5c", .entertainment: "#443c14",
        ])

    /// Returns the fill of a cell.
    func fill(of genre: Genre?) -> String {
        genre.flatMap { tints[$0] } ?? cell
    }
}
