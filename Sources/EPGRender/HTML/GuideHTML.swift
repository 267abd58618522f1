import CollectionLayout
package import EPGCalendar
import EPGJSON
import EPGLayout
package import EPGModel

/// A request for a part of the guide page.
package struct GuidePageRequest: Sendable {
    private let now: Instant
    private let zone: Zone
    private let languages: [String]
    private let from: Instant?
    private let hours: Int
    private let row: Int
    private let pointsPerHour: Double

    /// - Parameters:
    ///   - languages: Languages of texts in order of preference.
    ///   - from: The first visible instant; `nil` to show the current time at 15% of the width.
    ///   - hours: The number of hours of the page.
    ///   - row: The first visible row; clamped to the last row of the guide.
    package init(
        now: Instant, zone: Zone, languages: [String] = [], from: Instant?, hours: Int, row: Int, pointsPerHour: Double
    ) {
        self.now = now
        self.zone = zone
        self.languages = languages
        self.from = from
        self.hours = hours
        self.row = row
        self.pointsPerHour = pointsPerHour
    }

    /// Reads the guide and returns the page in UTF-8.
    ///
    /// - Parameter generation: The full name of the guide's generation.
    /// - Throws: An error of the store, or ``EPGLayout/GuideLayoutError``.
    package func html(of guide: any GuideReading, generation: String, frame: PageFrame) throws -> [UInt8] {
        guard let span = try guide.guideSpan(), !span.isEmpty else { return emptyGuide(frame) }
        let whole = GuidePageRequest.window(of: span, around: now)
        let layout = try GuideLayout(
            metrics: GuideHTML.metrics(pointsPerHour: pointsPerHour), window: whole, rowCount: guide.stationCount(),
            clusters: GuideHTML.clusters())
        let visible = visiblePart(of: whole, with: span)
        let opensAtNow = from == nil && span.contains(now) && visible.contains(now)
        let first = min(row, max(0, layout.rowCount - 1))
        let rows = first..<min(layout.rowCount, first + GuideHTML.rowsPerPage)
        // Includes the airings that determine the clusters at the edges.
        let read = try layout.demand(of: GuideHTML.viewport(showing: rows, during: visible, of: layout)).window
        var schedules = try guide.schedules(guide.schedules(inRows: rows, during: read), in: languages)
        if frame.isLimited {
            for index in schedules.indices { schedules[index].schedule.joinLocked() }
        }
        let content = GuideContent(
            schedules: schedules, coverage: read,
            marks: GuideMarks(in: whole, clock: frame.clock(in: zone), now: now), now: now)
        let stations = try guide.stations(inRows: rows).map { $0.localized(in: languages) }
        return try GuideHTML(
            layout: layout, content: content, stations: stations, window: visible, opensAtNow: opensAtNow, rows: rows,
            clock: frame.clock(in: zone), generation: generation, frame: frame, listings: ListingsState(span, at: now)
        ).page()
    }

    /// Returns the part of a guide that the page can scroll to: whole UTC days from 15 days before to 31 days after now,
    /// or around the end or beginning of a guide in the past or the future.
    ///
    /// The limit exists because a single airing years away would make the page too wide for browsers.
    static func window(of span: TimeWindow, around now: Instant) -> TimeWindow {
        let center = min(max(now, span.start), span.end)
        let near = TimeWindow(
            start: max(span.start, center.advanced(by: -15 * 86_400)),
            end: min(span.end, center.advanced(by: 31 * 86_400)))
        return TimeWindow(daysSince1970: near.daysSince1970)
    }

    /// Returns the part of the initial page: the requested one, the hours around now, or the end or beginning of a guide in the
    /// past or future.
    ///
    /// Of the hours around now, up to an hour and a half is before the current half hour, which is 15% of a wide window.
    private func visiblePart(of whole: TimeWindow, with span: TimeWindow) -> TimeWindow {
        let seconds = min(Int64(hours) * 3600, whole.seconds)
        let last = whole.end.advanced(by: -seconds)
        var chosen = max(now, span.start)
        if now >= span.end { chosen = max(span.start, span.end.advanced(by: -seconds)) }
        let local = zone.localDateTime(at: chosen)
        let halfHour = chosen.advanced(by: -Int64(local.minute % 30 * 60 + local.second))
        let before = span.contains(now) ? min(3, Int64(hours) / 2) * 1800 : 0
        let start = min(max(from ?? halfHour.advanced(by: -before), whole.start), last)
        return TimeWindow(start: start, end: start.advanced(by: seconds))
    }

    /// The page before the first import.
    private func emptyGuide(_ frame: PageFrame) -> [UInt8] {
        frame.html { html in
            html.element("div", [.class("empty")]) { html in
                html.element("h1", text: html.texts("emptyGuide"))
                html.element("p", text: html.texts("emptyGuideReload"))
                html.element("p") { $0.setupButton() }
                html.element("p") { $0.link($0.texts("howToGetListings"), to: frame.path("/setup")) }
            }
        }
    }
}

/// The HTML of the guide page: the visible part of the grid with positioned cells, and links to the rest.
///
/// The layout determines the position of cells. On the page, x is relative to the first instant of the page and the leading
/// edge; the style sheet determines the width of the columns before the grid, and which part of the texts fits a cell. `guide.js`
/// takes over after loading and reads its configuration from the `data-` attributes of `#guide`.
struct GuideHTML: Sendable {
    /// A layout of the whole guide with time from left to right.
    private let layout: GuideLayout
    private let content: GuideContent
    private let stations: [StationRow]
    /// The part of the guide on the page.
    private let window: TimeWindow
    /// Whether the page opens with the current time at 15% of the width, instead of the start of ``window`` at the edge.
    private let opensAtNow: Bool
    private let rows: Range<Int>
    private let clock: GuideClock
    /// The full name of the generation.
    private let generation: String
    private let frame: PageFrame
    /// If the guide has no current listings, a sentence above the grid says so.
    private let listings: ListingsState

    /// - Parameters:
    ///   - content: The content of ``GuideHTML/viewport(showing:during:of:)`` and the marks of the whole guide.
    ///   - stations: The stations of the rows.
    init(
        layout: GuideLayout, content: GuideContent, stations: [StationRow], window: TimeWindow,
        opensAtNow: Bool = false,
        rows: Range<Int>, clock: GuideClock, generation: String, frame: PageFrame, listings: ListingsState = .current
    ) {
        self.layout = layout
        self.content = content
        self.stations = stations
        self.window = window
        self.opensAtNow = opensAtNow
        self.rows = rows
        self.clock = clock
        self.generation = generation
        self.frame = frame
        self.listings = listings
    }

    /// Returns the metrics of the page. `guide.css` may scale them up.
    static func metrics(pointsPerHour: Double) throws(GuideLayoutError) -> GuideMetrics {
        try GuideMetrics(
            pointsPerHour: pointsPerHour, rowHeight: 56, stationColumnWidth: 132, headerHeight: 34,
            thumbnails: .sticky(width: 60))
    }

    /// Returns the policy for short airings, whose least width is the `minimumWidth` of `drawing.js`.
    static func clusters() throws(GuideLayoutError) -> ClusterPolicy { try ClusterPolicy(leastWidth: 10) }

    /// Returns the viewport that shows rows during a window, without station column and header.
    fileprivate static func viewport(
        showing rows: Range<Int>, during window: TimeWindow, of layout: GuideLayout
    ) throws(GuideLayoutError) -> Viewport {
        let metrics = layout.metrics
        return try Viewport(
            x: layout.x(of: window.start), y: metrics.headerHeight + Double(rows.lowerBound) * metrics.rowHeight,
            width: max(1, Double(window.seconds) * metrics.pointsPerHour / 3600),
            height: max(1, Double(rows.count) * metrics.rowHeight))
    }

    /// Returns the page in UTF-8.
    func page() throws -> [UInt8] {
        let viewport = try GuideHTML.viewport(showing: rows, during: window, of: layout)
        let elements = layout.page(in: viewport, of: content).elements
        return frame.html { html in
            html.element("h1", [.class("unseen")], text: html.texts("titleOf", ["day": day]))
            writeTools(to: &html)
            if listings != .current {
                html.element("p", [.id("notice"), .class("notice")]) { html in
                    html.noListings(listings, clock, frame: frame)
                }
            }
            html.lineBreak()
            html.element("div", gridAttributes) { html in
                let now = opensAtNow ? elements.first { $0.kind == .nowLine }.map(x) : nil
                let size: HTMLAttribute =
                    now.map { .points(["--width": width, "--now-x": $0]) } ?? .points(["--width": width])
                html.element("div", [.id("canvas"), .class("canvas"), size]) { html in
                    writeHours(elements, to: &html)
                    html.element("div", [.id("first"), .class("rows"), .text("role", "rowgroup")]) { html in
                        // Before the rows, so that the line is behind the texts of their cells.
                        writeNow([.class("nowline")], elements, to: &html)
                        writeRows(elements, to: &html)
                    }
                }
            }
            html.element("p", [.id("live"), .class("unseen"), .text("role", "status"), .text("aria-live", "polite")]) {
                _ in
            }
        }
    }

    /// The width of ``window`` in points.
    private var width: Double { Double(window.seconds) * layout.metrics.pointsPerHour / 3600 }

    private var gridAttributes: [HTMLAttribute] {
        [
            .id("guide"), .class("guide"), .text("role", "grid"), .text("aria-label", frame.texts("title")),
            .text("aria-readonly", "true"),
            .number("aria-rowcount", layout.accessibilityRowCount(content.marks)),
            .number("aria-colcount", layout.accessibilityColumnCount(content.marks)),
            .text("data-generation", generation), .number("data-rows", layout.rowCount),
            .number("data-origin", layout.window.start.secondsSince1970),
            .number("data-end", layout.window.end.secondsSince1970),
            .number("data-from", window.start.secondsSince1970), .text("data-start", opensAtNow ? "now" : nil),
            .number("data-row", rows.lowerBound),
            .text("data-hour", layout.metrics.pointsPerHour.svg),
            .text("data-now", content.now.map { String($0.secondsSince1970) }), .text("data-zone", clock.zone.name),
            frame.watchAttribute,
        ]
    }

    /// Returns the x of an element relative to the first visible instant.
    private func x(of element: GuideElement) -> Double {
        element.frame.minX - PixelGrid(scale: layout.metrics.scale).snapped(layout.x(of: window.start))
    }

    /// Returns the ARIA attributes for the column of an element.
    private func indices(of element: GuideElement) -> [HTMLAttribute] {
        guard let place = layout.accessibility(of: element, marks: content.marks) else { return [] }
        return [
            .number("aria-colindex", place.columnIndex),
            .text("aria-colspan", place.columnSpan > 1 ? String(place.columnSpan) : nil),
        ]
    }
}

// MARK: - Navigation

extension GuideHTML {
    /// Writes links to other times, days and stations, which work without JavaScript.
    private func writeTools(to html: inout HTMLWriter) {
        html.element("nav", [.id("tools"), .class("tools"), .text("aria-label", html.texts("timesAndStations"))]) {
            html in
            html.element("div", [.class("ways")]) { html in
                html.element("a", [.class("button"), .url("href", path(from: nil))], text: html.texts("now"))
                writeLink(html.texts("earlier"), to: window.start.advanced(by: -window.seconds), &html)
                writeLink(html.texts("later"), to: window.end, &html)
                if rows.lowerBound > 0 {
                    let row = max(0, rows.lowerBound - GuideHTML.rowsPerPage)
                    html.element(
                        "a", [.class("button"), .url("href", path(from: window.start, row: row))],
                        text: html.texts("stationsAbove"))
                }
                if rows.upperBound < layout.rowCount {
                    html.element(
                        "a", [.class("button"), .url("href", path(from: window.start, row: rows.upperBound))],
                        text: html.texts("stationsBelow"))
                }
            }
            html.element("div", [.class("days")]) { writeDays(to: &$0) }
        }
    }

    /// The number of stations in the initial page: as many as a window of 870 points shows.
    fileprivate static var rowsPerPage: Int { 13 }

    private func writeLink(_ label: String, to start: Instant, _ html: inout HTMLWriter) {
        let last = max(layout.window.start, layout.window.end.advanced(by: -window.seconds))
        let start = min(max(start, layout.window.start), last)
        guard start != window.start else { return }
        html.element("a", [.class("button"), .url("href", path(from: start))], text: label)
    }

    /// Writes a link to each day of the guide, at the visible time of day.
    private func writeDays(to html: inout HTMLWriter) {
        let today = clock.zone.date(at: window.start)
        let time = clock.zone.localDateTime(at: window.start)
        for day in content.marks.days where day.instant < layout.window.end {
            let date = clock.zone.date(at: day.instant)
            guard clock.zone.window(of: date).end > layout.window.start else { continue }
            let local = LocalDateTime(date: date, hour: time.hour, minute: time.minute, second: time.second)
            let start = min(max(local.map(clock.zone.instant) ?? day.instant, layout.window.start), layout.window.end)
            html.element(
                "a", [.url("href", path(from: start)), .text("aria-current", date == today ? "date" : nil)],
                text: day.label)
        }
    }

    /// The day at the start of the page.
    private var day: String {
        clock.names.label(
            of: clock.zone.date(at: window.start), seenFrom: clock.zone.date(at: content.now ?? window.start))
    }

    private func path(from start: Instant?, row: Int? = nil) -> String {
        var parameters: [(name: String, value: String)] = []
        if let start { parameters.append(("from", String(start.secondsSince1970))) }
        let row = row ?? rows.lowerBound
        if row > 0 { parameters.append(("row", String(row))) }
        return frame.path("/", parameters)
    }
}

// MARK: - Hours, rows and cells

extension GuideHTML {
    /// Writes the corner with the day, and the hours.
    private func writeHours(_ elements: [GuideElement], to html: inout HTMLWriter) {
        html.element("div", [.id("hours"), .class("hours"), .text("role", "row"), .number("aria-rowindex", 1)]) {
            html in
            html.element(
                "div",
                [
                    .id("corner"), .class("corner"), .text("role", "columnheader"), .number("aria-colindex", 1),
                    .number("aria-colspan", 2),
                ]
            ) { html in
                html.element("span", text: day)
                html.element("small", [.text("title", clock.zone.name)], text: clock.zone.placeName)
            }
            html.element("div", [.id("marks"), .class("marks")]) { html in
                let labels = TimeLabels(clock: clock, pointsPerHour: layout.metrics.pointsPerHour, halfHour: 75) {
                    // About 8 points for a character, and the space around the label.
                    Double($0.count) * 8 + 8
                }
                let chosen = Dictionary(
                    uniqueKeysWithValues: labels.chosen(of: content.marks.hours).map { ($0.instant, $0.label) })
                let marks = elements.filter { $0.kind == .hourHeader || $0.kind == .halfHourHeader }
                for element in marks.sorted(by: { $0.frame.minX < $1.frame.minX }) {
                    guard let label = chosen[content.marks.hours[element.ordinal].instant] else { continue }
                    html.element(
                        "div",
                        [
                            .class("mark", element.kind == .hourHeader ? nil : "half"),
                            .text("role", "columnheader"), place(of: element),
                        ] + indices(of: element)
                    ) { html in
                        html.element("span", text: label)
                    }
                }
            }
            writeNow([.id("nowmark"), .class("nowmark")], elements, to: &html)
        }
    }

    /// Writes the marker of the current time in the header, or its line across the rows.
    private func writeNow(_ attributes: [HTMLAttribute], _ elements: [GuideElement], to html: inout HTMLWriter) {
        for element in elements where element.kind == .nowLine {
            html.element("div", attributes + [.text("aria-hidden", "true"), .points(["--x": x(of: element)])]) { _ in }
        }
    }

    /// Writes the rows in order, each with its station and its cells.
    private func writeRows(_ elements: [GuideElement], to html: inout HTMLWriter) {
        var cells: [Int: [GuideElement]] = [:]
        for element in elements where [.airing, .gap, .cluster].contains(element.kind) {
            if let row = element.row, rows.contains(row), element.frame.width > 0 {
                cells[row, default: []].append(element)
            }
        }
        for station in stations {
            html.lineBreak()
            html.element(
                "div",
                [
                    .class("row"), .text("role", "row"), .number("aria-rowindex", station.row + 2),
                    .number("data-row", station.row),
                ]
            ) { html in
                writeHead(station, to: &html)
                html.element("div", [.class("cells")]) { html in
                    for cell in (cells[station.row] ?? []).sorted(by: { $0.frame.minX < $1.frame.minX }) {
                        if cell.kind == .cluster {
                            writeCluster(cell, on: station.station, to: &html)
                        } else {
                            writeCell(cell, on: station.station, to: &html)
                        }
                    }
                }
            }
        }
    }

    private func writeHead(_ row: StationRow, to html: inout HTMLWriter) {
        let name = row.station.name
        html.element(
            "div",
            [
                .class("head"), .text("role", "rowheader"), .number("aria-colindex", 1), .number("aria-colspan", 2),
            ]
        ) { html in
            let path = "/stations/\(row.station.id.rawValue.percentEncoded)"
            html.element("a", [.class("station"), .url("href", frame.path(path)), .text("title", name)]) { html in
                html.element("span", [.class("name")]) { html in
                    html.element("b", [.text("dir", "auto")], text: name)
                    html.element("small", text: (row.channelNumber ?? row.station.number)?.description ?? "")
                }
                writeLogo(of: row.station, to: &html)
            }
        }
    }

    /// Writes the station's logo, or its initials if it has no valid icon.
    private func writeLogo(of station: Station, to html: inout HTMLWriter) {
        let icon = frame.artwork.logo(of: station)
        html.element("span", [.class("logo"), .text("aria-hidden", "true")]) { html in
            if let icon {
                html.void(
                    "img",
                    [
                        .url("src", icon), .text("alt", ""), .text("loading", "lazy"), .text("decoding", "async"),
                        .text("referrerpolicy", "no-referrer"),
                    ])
            } else {
                html.element("i", text: station.name.initials)
            }
        }
    }

    private func writeCell(_ cell: GuideElement, on station: Station, to html: inout HTMLWriter) {
        guard let airing = cell.airing else {
            let style: HTMLAttribute = .class("cell", "gap", cell.window.flatMap(phase))
            html.element("div", [style, .text("role", "gridcell"), place(of: cell)] + indices(of: cell)) { html in
                if cell.frame.width < 120 {
                    html.element("span", [.class("unseen")], text: html.texts("noInformation"))
                } else {
                    html.element("a") { $0.element("b", text: $0.texts("noInformation")) }
                }
            }
            return
        }
        let isThin = cell.frame.width < 44
        // The name of other cells is their text, after the name of the row.
        let needsName = isThin || airing.marks.contains(.derived)
        let title = frame.title(of: airing)
        let range = range(of: airing.window, seenFrom: airing.window.end.advanced(by: -1))
        html.element(
            "div", [kind(of: cell, airing), .text("role", "gridcell"), place(of: cell)] + indices(of: cell)
        ) { html in
            html.element(
                "a",
                [
                    .url("href", frame.path("/airings/\(airing.id)")),
                    .text(
                        "aria-label",
                        needsName
                            ? CellText.label(
                                of: airing, titled: title, range: range, station: station.name, html.texts) : nil),
                ]
            ) { html in
                html.element("b", text: title)
                if !isThin {
                    let range = shownRange(of: airing.window)
                    write(CellText.line(of: airing, range: range, frame.direction, html.texts), to: &html)
                }
            }
        }
    }

    /// Writes several short airings as one cell, which leads to the page of the day. `elements.js` draws the same cell.
    private func writeCluster(_ cell: GuideElement, on station: Station, to html: inout HTMLWriter) {
        guard let window = cell.window else { return }
        let label = frame.texts("shortPrograms", count: cell.members.count)
        let width = cell.frame.width
        let style: HTMLAttribute = .class(
            "cell", "many", width < 8 ? "tiny" : width < 44 ? "thin" : width < 100 ? "short" : nil, phase(of: window))
        let range = range(of: window, seenFrom: window.end.advanced(by: -1))
        let day = frame.path(
            "/stations/\(station.id.rawValue.percentEncoded)", [("day", clock.zone.date(at: window.start).description)])
        html.element("div", [style, .text("role", "gridcell"), place(of: cell)] + indices(of: cell)) { html in
            html.element(
                "a",
                [.url("href", day), .text("aria-label", "\(range), \(station.name), \(label)")]
            ) { html in
                html.element("b", text: width < 160 ? "\(cell.members.count)" : label)
                if width >= 44 { write([shownRange(of: window)], to: &html) }
            }
        }
    }

    /// Writes the parts of the second line. The style sheet hides those that do not fit.
    private func write(_ parts: [String], to html: inout HTMLWriter) {
        html.element("small") { html in
            for (index, part) in parts.enumerated() {
                if index > 0 { html.text(" ") }
                html.element("i", text: index > 0 ? "· " + part : part)
            }
        }
    }

    /// Returns the classes of a cell by genre, width, direction and phase, as `elements.js` also computes them.
    private func kind(of cell: GuideElement, _ airing: Airing) -> HTMLAttribute {
        let number = airing.drawnGenre.flatMap { Genre.allCases.firstIndex(of: $0) }
        let width = cell.frame.width
        return .class(
            "cell", number.map { "g\($0 + 1)" },
            width < 8 ? "tiny" : width < 44 ? "thin" : width < 100 ? "short" : nil,
            CellText.hasRightToLeft(airing.title + (airing.subtitle ?? "")) ? "mixed" : nil,
            CellText.beginsRightToLeft(airing.title) ? "away" : nil,
            frame.isLocked(airing) ? "locked" : nil, phase(of: airing.window))
    }

    private func place(of element: GuideElement) -> HTMLAttribute {
        let (x, width) = (x(of: element), element.frame.width)
        guard let now = content.now, [.airing, .cluster, .gap].contains(element.kind),
            let window = element.window, window.contains(now), let shown = element.shown
        else { return .points(["--x": x, "--w": width]) }
        let done = Double(shown.start.seconds(to: now)) * layout.metrics.pointsPerHour / 3600
        return .points(["--x": x, "--w": width, "--done": done])
    }

    private func phase(of window: TimeWindow) -> String? {
        guard let now = content.now else { return nil }
        if window.end <= now { return "past" }
        return window.contains(now) ? "on" : nil
    }

    /// Returns the range as seen from the day on which the text of a cell begins: at the start of the airing, or at the edge.
    ///
    /// If the page opens at now, the edge depends on the width of the window. It is 40 minutes before now on usual screens.
    private func shownRange(of airing: TimeWindow) -> String {
        let edge = opensAtNow ? content.now?.advanced(by: -2400) : nil
        return range(of: airing, seenFrom: max(airing.start, min(edge ?? window.start, airing.end.advanced(by: -1))))
    }

    /// Returns a label such as `20:00–20:45`, or `Sat 23:30–00:30` for an airing that did not begin on the day of an instant.
    private func range(of window: TimeWindow, seenFrom instant: Instant) -> String {
        let range = clock.range(window, seenFrom: clock.zone.date(at: instant))
        // A common AM or PM appears once, as in `8:00–8:45 PM`; see `zone.range` of base.js.
        guard clock.style == .twelveHours, window.seconds < 43_200,
            let end = [" AM", " PM"].first(where: range.hasSuffix)
        else { return range }
        return range.replacing(end + "–", with: "–", maxReplacements: 1)
    }
}

extension Schedule {
    /// Joins adjacent locked airings, as `listings.js` does: nothing tells them apart. The joined airing has the first identifier.
    fileprivate mutating func joinLocked() {
        var joined: [Airing] = []
        for airing in airings {
            if let last = joined.last, last.title == LimitedGuide.lockedTitle, airing.title == LimitedGuide.lockedTitle,
                last.window.end == airing.window.start
            {
                joined[joined.count - 1] = Airing(
                    id: last.id, station: last.station,
                    window: TimeWindow(start: last.window.start, end: airing.window.end), title: last.title)
            } else {
                joined.append(airing)
            }
        }
        if joined.count < airings.count { self = Schedule(station: station, airings: joined) }
    }
}

extension String {
    /// The uppercase initials of the first two words, with complete numbers of up to four digits: `BO` for `BBC One`, `C10` for
    /// `CCTV-10`, `C5+` for `CCTV-5+`. A later number of up to three digits follows them: `SS1` for `Sky Sport 1`. The scripts of the pages
    /// compute the same.
    var initials: String {
        var initials = ""
        var rest = self[...]
        for _ in 0..<2 {
            rest = rest.drop { !$0.isLetter && !$0.isNumber }
            // Some ideographs are numbers and letters.
            if rest.first?.isLetter ?? true {
                initials += rest.prefix(1)
                rest = rest.drop(while: \.isLetter)
            } else {
                let digits = rest.prefix(4).prefix { $0.isNumber && !$0.isLetter }
                rest = rest[digits.endIndex...]
                initials += digits
                if rest.first == "+" { initials += "+" }
            }
        }
        if !initials.contains(where: { $0.isNumber && !$0.isLetter }) { initials += rest.firstNumber }
        return initials.uppercased()
    }
}

extension Substring {
    /// The first number of up to three digits that is a whole word, with a plus sign after it; empty if there is none.
    fileprivate var firstNumber: Substring {
        var rest = self
        while true {
            rest = rest.drop { !$0.isNumber || $0.isLetter }
            let digits = rest.prefix { $0.isNumber && !$0.isLetter }
            if digits.isEmpty { return "" }
            rest = rest[digits.endIndex...]
            let end = rest.first == "+" ? rest.index(after: rest.startIndex) : rest.startIndex
            let isWhole = rest[end...].first.map { !$0.isLetter && !$0.isNumber } ?? true
            if digits.count <= 3, isWhole { return self[digits.startIndex..<end] }
        }
    }
}

extension Zone {
    /// The place in the name, such as `New York`, as `base.js` also computes it; the complete name of a zone without a place.
    fileprivate var placeName: String {
        guard !name.hasPrefix("Etc/") else { return name }
        return (name.split(separator: "/").last.map(String.init) ?? name).replacing("_", with: " ")
    }
}

/// The text of cells of the guide page and its direction, as `elements.js` also computes them.
enum CellText {
    /// Returns the accessible name: times, station, title, and whether the airing is derived.
    static func label(
        of airing: Airing, titled title: String, range: String, station: String, _ texts: PageTexts
    ) -> String {
        "\(range), \(station), \(title)" + (airing.marks.contains(.derived) ? ", " + texts("derived") : "")
    }

    /// Returns the parts of the second line: times, badge and subtitle.
    static func line(
        of airing: Airing, range: String, _ direction: LayoutDirection, _ texts: PageTexts
    ) -> [String] {
        let subtitle = AiringText.subtitle(airing.subtitle, of: airing.title)
        // Times run in the direction of the language regardless of the text around them (isolates, UAX #9, 2.4).
        let isMixed = direction == .rightToLeft || hasRightToLeft(airing.title + (subtitle ?? ""))
        let isolate = texts.direction == .rtl ? "\u{2067}" : "\u{2066}"
        let when = isMixed ? "\(isolate)\(range)\u{2069}" : range
        let badge = AiringBadge(airing.marks).flatMap { $0 == .derived ? nil : texts(badge: $0) }
        let text = AiringText(airing)
        // The first strong letter decides the direction of the line.
        let mark = texts.direction == .rtl ? "\u{200F}" : ""
        return [mark + text.startMark + when + text.endMark, badge, subtitle].compactMap(\.self)
    }

    /// Returns whether a text contains right-to-left letters.
    fileprivate static func hasRightToLeft(_ text: String) -> Bool {
        text.unicodeScalars.contains(where: isRightToLeft)
    }

    /// Returns whether a scalar is in the Hebrew and Arabic blocks, including presentation forms, or between them.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC: true
        default: false
        }
    }

    /// Returns whether the first letter of a text is a right-to-left letter.
    fileprivate static func beginsRightToLeft(_ text: String) -> Bool {
        text.unicodeScalars.first { $0.properties.isAlphabetic }.map(isRightToLeft) ?? false
    }
}
