package import EPGModel

/// The content of the stations page: a part of the stations that match a filter.
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

    /// The number of stations per page.
    fileprivate static let limit = 120

    /// Reads the content from a guide.
    package init(of guide: any GuideReading, text: String?, group: String?, offset: Int) throws {
        let filter = StationFilter(text: text, group: group)
        let found = try guide.stations(filter, offset: offset, limit: StationsPage.limit)
        self.init(
            text: text ?? "", group: group, groups: try guide.stationGroups(), offset: offset, total: found.total,
            stations: found.stations)
    }

    init(text: String, group: String?, groups: [NameCount], offset: Int, total: Int, stations: [StationRow]) {
        self.text = text
        self.group = group
        self.groups = groups
        self.offset = offset
        self.total = total
        self.stations = stations
    }
}

extension StationRow {
    /// The lineup's channel number, or the feed's if there is none.
    var shownNumber: String? { (channelNumber ?? station.number)?.description }
}

/// The HTML of the stations page: a grid of logos.
package struct StationsHTML {
    private let page: StationsPage
    private let frame: PageFrame

    package init(_ page: StationsPage, frame: PageFrame) {
        self.page = page
        self.frame = frame
    }

    /// The document in UTF-8.
    package var bytes: [UInt8] {
        frame.html { html in
            html.element("div", [.view("lede")]) { html in
                html.element("h1", text: "Stations")
                html.element("p", text: page.total == 1 ? "1 station" : "\(page.total) stations")
            }
            writeFilter(&html)
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

    private func path(offset: Int = 0) -> String {
        var own: [(name: String, value: String)] = []
        if !page.text.isEmpty { own.append(("q", page.text)) }
        if let group = page.group { own.append(("group", group)) }
        if offset > 0 { own.append(("offset", String(offset))) }
        return frame.path("/stations", own)
    }

    private func writeFilter(_ html: inout HTMLWriter) {
        html.element("form", [.view("filter"), .url("action", "/stations"), .text("aria-label", "Filter")]) { html in
            for (name, value) in frame.shared {
                html.hidden(name, value)
            }
            html.element("label") { html in
                html.element("span", text: "Name or number")
                html.void(
                    "input",
                    [
                        .text("type", "search"), .text("name", "q"), .text("value", page.text),
                        .text("maxlength", "200"), .text("autocomplete", "off"),
                    ])
            }
            if !page.groups.isEmpty {
                html.element("label") { html in
                    html.element("span", text: "Group")
                    html.element("select", [.text("name", "group")]) { writeGroups(&$0) }
                }
            }
            html.button("Show")
        }
    }

    private func writeGroups(_ html: inout HTMLWriter) {
        html.element("option", [.text("value", ""), .flag("selected", page.group == nil)], text: "All groups")
        for group in page.groups {
            html.element(
                "option", [.text("value", group.name), .flag("selected", group.name == page.group)],
                text: "\(group.name) (\(group.count))")
        }
    }

    private func writeNothing(_ html: inout HTMLWriter) {
        guard page.total > 0 || !page.text.isEmpty || page.group != nil else {
            return html.element("p", [.view("empty")]) { html in
                html.text("There are no stations yet. Stations appear here after the first import. ")
                html.link("How to get listings", to: frame.path("/setup"))
            }
        }
        html.element("p", [.view("empty")]) { html in
            html.text(
                page.total > 0 ? "There are no more stations. " : "No station matches. ")
            html.link("All stations", to: frame.path("/stations"))
        }
    }

    private func writeStations(_ html: inout HTMLWriter) {
        html.element("ul", [.view("canvas", "logos")]) { html in
            for station in page.stations {
                html.lineBreak()
                html.element("li") { write(station, &$0) }
            }
        }
    }

    private func write(_ row: StationRow, _ html: inout HTMLWriter) {
        let path = frame.path("/stations/\(row.station.id.rawValue.percentEncoded)")
        html.element("a", [.view("tile"), .url("href", path)]) { html in
            html.logo(frame.artwork.logo(of: row.station), name: row.station.name)
            html.guideText("span", "name", row.station.name)
            if let number = row.shownNumber { html.element("span", [.view("number")], text: number) }
        }
    }
}
