import EPGModel

/// The page of stations as HTML: as many logos in a row as there is room for.
package struct StationsHTML {
    private let page: StationsPage
    private let frame: PageFrame

    package init(_ page: StationsPage, frame: PageFrame) {
        self.page = page
        self.frame = frame
    }

    /// The whole document.
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
            ) { address(offset: $0) }
        }
    }

    private func address(offset: Int = 0) -> String {
        var own: [(name: String, value: String)] = []
        if !page.text.isEmpty { own.append(("q", page.text)) }
        if let group = page.group { own.append(("group", group)) }
        if offset > 0 { own.append(("offset", String(offset))) }
        return frame.address("/stations", own)
    }

    private func writeFilter(_ html: inout HTMLWriter) {
        html.element("form", [.view("filter"), .url("action", "/stations"), .text("aria-label", "Filter")]) { html in
            for (name, value) in frame.shared {
                html.void("input", [.text("type", "hidden"), .text("name", name), .text("value", value)])
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
            html.element("button", [.text("type", "submit")], text: "Show")
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
            return html.element(
                "p", [.view("empty")],
                text: "There is no guide yet. Stations stand here as soon as listings are imported.")
        }
        html.element("p", [.view("empty")]) { html in
            html.text(
                page.total > 0 ? "There are no more stations here. " : "No station matches. ")
            html.element("a", [.url("href", frame.address("/stations"))], text: "All stations")
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
        let address = frame.address("/stations/\(row.station.id.rawValue.percentEncoded)")
        html.element("a", [.view("tile"), .url("href", address)]) { html in
            html.logo(row.station.icons.first?.source, name: row.station.name)
            html.guideText("span", "name", row.station.name)
            if let number = row.shownNumber { html.element("span", [.view("number")], text: number) }
        }
    }
}
