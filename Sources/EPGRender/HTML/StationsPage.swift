package import EPGCalendar
package import EPGModel

/// The content of the stations page: a part of the stations that match a filter, with what is on.
package struct StationsPage: Sendable {
    /// The text that a name, an identifier or a number must contain; empty for all stations.
    fileprivate let text: String
    /// The selected group; `nil` for all.
    fileprivate let group: String?
    fileprivate let groups: [NameCount]
    /// The 0-based index of the first station among all matches.
    fileprivate let offset: Int
    /// The number of matches.
    fileprivate let total: Int
    fileprivate let stations: [StationRow]
    /// What is on by row.
    fileprivate let onNow: [Int: NowAndNext]
    fileprivate let now: Instant
    fileprivate let zone: Zone

    /// The number of stations per page.
    fileprivate static let limit = 120

    /// Reads the content from a guide.
    package init(
        of guide: any GuideReading, text: String?, group: String?, offset: Int, now: Instant, zone: Zone
    ) throws {
        let filter = StationFilter(text: text, group: group)
        let found = try guide.stations(filter, offset: offset, limit: StationsPage.limit)
        let rows = StationsPage.ranges(of: found.stations.map(\.row))
        self.init(
            text: text ?? "", group: group, groups: try guide.stationGroups(), offset: offset, total: found.total,
            stations: found.stations, onNow: try rows.flatMap { try guide.nowAndNext(at: now, inRows: $0) }, now: now,
            zone: zone)
    }

    /// Returns ranges that contain ascending rows. They contain others as well, because a few more rows cost less than a query.
    private static func ranges(of rows: [Int]) -> [Range<Int>] {
        rows.reduce(into: []) { ranges, row in
            if let last = ranges.last, row < last.upperBound + 16 {
                ranges[ranges.count - 1] = last.lowerBound..<row + 1
            } else {
                ranges.append(row..<row + 1)
            }
        }
    }

    init(
        text: String, group: String?, groups: [NameCount], offset: Int, total: Int, stations: [StationRow],
        onNow: [NowAndNext], now: Instant, zone: Zone
    ) {
        self.text = text
        self.group = group
        self.groups = groups
        self.offset = offset
        self.total = total
        self.stations = stations
        self.onNow = Dictionary(onNow.map { ($0.row, $0) }) { first, _ in first }
        self.now = now
        self.zone = zone
    }

    /// The names that several stations of the page have.
    fileprivate var repeatedNames: Set<String> {
        var names: Set<String> = []
        return Set(stations.map(\.station.name.foldedForComparison).filter { !names.insert($0).inserted })
    }
}

extension StationRow {
    /// The lineup's channel number, or the feed's if there is none.
    var shownNumber: String? { (channelNumber ?? station.number)?.description }
}

/// The HTML of the stations page: cards with what is on. `views.js` replaces the list while the viewer types.
package struct StationsHTML {
    private let page: StationsPage
    private let frame: PageFrame
    private let clock: GuideClock
    private let repeatedNames: Set<String>

    package init(_ page: StationsPage, frame: PageFrame) {
        self.page = page
        self.frame = frame
        clock = frame.clock(in: page.zone)
        repeatedNames = page.repeatedNames
    }

    /// The document in UTF-8.
    package var bytes: [UInt8] {
        frame.html { html in
            html.element("div", [.view("lede")]) { html in
                html.element("h1", text: html.texts("stations"))
                html.element(
                    "p", [.id("count"), .text("role", "status")], text: html.texts("stationsCount", count: page.total))
            }
            writeFilter(&html)
            html.element("div", [.id("list")]) { html in
                if page.stations.isEmpty {
                    writeNothing(&html)
                } else {
                    writeStations(&html)
                }
                html.pager(
                    offset: page.offset, limit: StationsPage.limit, count: page.stations.count, total: page.total
                ) { path(offset: $0) }
            }
        }
    }

    private func path(offset: Int = 0) -> String {
        var own: [(name: String, value: String)] = []
        if !page.text.isEmpty { own.append(("q", page.text)) }
        if let group = page.group { own.append(("group", group)) }
        if offset > 0 { own.append(("offset", String(offset))) }
        return frame.path("/stations", own)
    }

    private func writeFilter(_ html: inout HTMLWriter) {
        html.element("form", [.view("filter"), .url("action", "/stations"), .text("aria-label", html.texts("filter"))])
        { html in
            for (name, value) in frame.shared {
                html.hidden(name, value)
            }
            html.element("label") { html in
                html.element("span", text: html.texts("nameOrNumber"))
                html.void(
                    "input",
                    [
                        .text("type", "search"), .text("name", "q"), .text("value", page.text),
                        .text("maxlength", "200"), .text("autocomplete", "off"),
                    ])
            }
            if !page.groups.isEmpty {
                html.element("label") { html in
                    html.element("span", text: html.texts("group"))
                    html.element("select", [.text("name", "group")]) { writeGroups(&$0) }
                }
            }
            html.button(html.texts("show"))
        }
    }

    private func writeGroups(_ html: inout HTMLWriter) {
        html.element(
            "option", [.text("value", ""), .flag("selected", page.group == nil)], text: html.texts("allGroups"))
        for group in page.groups {
            html.element(
                "option", [.text("value", group.name), .flag("selected", group.name == page.group)],
                text: "\(group.name) (\(group.count))")
        }
    }

    private func writeNothing(_ html: inout HTMLWriter) {
        guard page.total > 0 || !page.text.isEmpty || page.group != nil else {
            return html.element("p", [.view("empty")]) { html in
                html.text(html.texts("noStations") + " ")
                html.link(html.texts("howToGetListings"), to: frame.path("/setup"))
            }
        }
        html.element("p", [.view("empty")]) { html in
            html.text(
                html.texts(page.total > 0 ? "moreStationsNone" : "noStationMatches"),
                linking: ["stations": frame.path("/stations")])
        }
    }

    private func writeStations(_ html: inout HTMLWriter) {
        html.element("div", [.view("canvas")]) { html in
            html.element("ul", [.view("cards")]) { html in
                for station in page.stations {
                    html.lineBreak()
                    let genre = page.onNow[station.row]?.now.first?.drawnGenre
                    html.element("li", [.view("card", genre.style)]) { write(station, &$0) }
                }
            }
        }
    }

    private func write(_ row: StationRow, _ html: inout HTMLWriter) {
        let listings = page.onNow[row.row]
        let current = listings?.now.first
        let path = frame.path("/stations/\(row.station.id.rawValue.percentEncoded)") + (current == nil ? "" : "#now")
        html.element("a", [.view("now"), .url("href", path)]) { html in
            html.logo(frame.artwork.logo(of: row.station), name: row.station.name)
            html.element("span", [.view("words")]) { html in
                html.element("span", [.view("line")]) { html in
                    html.guideText("strong", "title", row.station.name)
                    if let number = row.shownNumber { html.element("span", [.view("number")], text: number) }
                    if repeatedNames.contains(row.station.name.foldedForComparison) {
                        html.guideText("span", "station", row.station.id.rawValue)
                    }
                }
                html.element("span", [.view("line", "second")]) { html in
                    guard let current else { return html.text(html.texts("noListingsNow")) }
                    html.guideText("span", "title", frame.title(of: current))
                    let left = html.texts(duration: AiringText(current).minutesLeft(at: page.now) * 60)
                    html.element("span", [.view("number")], text: html.texts("timeLeft", ["time": left]))
                }
                if let next = listings?.next {
                    html.next(
                        frame.title(of: next), at: next.window.start, clock, seenFrom: page.zone.date(at: page.now))
                }
            }
            if let current { html.progress(current.window, at: page.now) }
        }
    }
}
