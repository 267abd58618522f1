import CollectionLayout
package import EPGCalendar
package import EPGLayout
package import EPGModel

/// A viewport of the guide as a picture, drawn from the cells of the layout.
///
/// Each cell is an `<svg>` of its own, which cuts off whatever of its text has no room. Fonts are named by CSS families,
/// so that every viewer takes its own. A `<title>` tells title and times to screen readers and to the mouse.
package struct GuideSVG: Sendable {
    let layout: GuideLayout
    let viewport: Viewport
    let theme: SVGTheme
    let zone: Zone
    let clock: ClockStyle
    let now: Instant?

    /// - Parameter now: What divides past from coming airings; `nil` for neither.
    package init(
        layout: GuideLayout, viewport: Viewport, theme: SVGTheme = .light, zone: Zone,
        clock: ClockStyle = .twentyFourHours, now: Instant?
    ) {
        self.layout = layout
        self.viewport = viewport
        self.theme = theme
        self.zone = zone
        self.clock = clock
        self.now = now
    }

    /// Draws the elements of a page of the layout, from the back to the front.
    ///
    /// - Returns: A whole SVG document.
    package func text(of elements: [GuideElement]) -> String {
        let view = view
        return SVGWriter.document(view: view, title: title, style: style) { svg in
            svg.rectangle(view, [("class", "back")])
            svg.lineBreak()
            for element in elements {
                draw(element, in: &svg)
                svg.lineBreak()
            }
        }
    }

    /// What of the viewport the content fills; all of it where they have nothing in common.
    private var view: Rect {
        let content = Rect(x: 0, y: 0, width: layout.contentSize.width, height: layout.contentSize.height)
        let seen = viewport.rect.intersection(content)
        return seen.isEmpty ? viewport.rect : seen
    }

    private var title: String {
        let seen = layout.visibleTime(in: viewport)
        return "TV guide, \(zone.date(at: seen.start).label), \(range(of: seen))"
    }

    /// `20:00–20:45`
    func range(of window: TimeWindow) -> String {
        "\(zone.timeLabel(at: window.start, clock: clock))–\(zone.timeLabel(at: window.end, clock: clock))"
    }

    private var style: String {
        """
        text { fill: \(theme.dimText); } \
        .title { font-size: 14px; fill: \(theme.text); } .strong { font-weight: 600; } .end { text-anchor: end; } \
        .back { fill: \(theme.background); } .gap { fill: \(theme.gap); } .pin { fill: \(theme.pinned); } \
        .rule { fill: \(theme.rule); } .now { fill: \(theme.now); } .past { opacity: 0.6; }
        """
    }
}
