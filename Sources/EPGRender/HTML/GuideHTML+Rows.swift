import CollectionLayout
import EPGCalendar
import EPGLayout
import EPGModel

// MARK: - Hours and rows

extension GuideHTML {
    /// Writes the corner with the day, and the hours.
    func writeHours(_ elements: [GuideElement], to html: inout HTMLWriter) {
        html.element("div", [.id("hours"), .class("hours"), .text("role", "row"), .number("aria-rowindex", 1)]) {
            html in
            html.element(
                "div",
                [
                    .id("corner"), .class("corner"), .text("role", "columnheader"), .number("aria-colindex", 1),
                    .number("aria-colspan", 2),
                ], text: zone.date(at: window.start).label)
            html.element("div", [.id("marks"), .class("marks")]) { html in
                let marks = elements.filter { $0.kind == .hourHeader || $0.kind == .halfHourHeader }
                for element in marks.sorted(by: { $0.frame.minX < $1.frame.minX }) {
                    html.element(
                        "div",
                        [
                            .class("mark", element.kind == .hourHeader ? nil : "half"),
                            .text("role", "columnheader"), place(of: element),
                        ] + indices(of: element)
                    ) { html in
                        html.element("span", text: element.label ?? "")
                    }
                }
            }
        }
    }

    /// Writes the rows in order, each with its station and its cells.
    func writeRows(_ elements: [GuideElement], to html: inout HTMLWriter) {
        var cells: [Int: [GuideElement]] = [:]
        for element in elements where element.kind == .airing || element.kind == .gap {
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
                        writeCell(cell, on: station.station, to: &html)
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
            html.element("a", [.class("station"), .url("href", frame.address(path)), .text("title", name)]) { html in
                html.element("span", [.class("name")]) { html in
                    html.element("b", [.text("dir", "auto")], text: name)
                    html.element("small", text: (row.channelNumber ?? row.station.number)?.description ?? "")
                }
                writeLogo(of: row.station, to: &html)
            }
        }
    }

    /// Writes the station's picture where it has one that may be shown, else the beginnings of its name's words.
    private func writeLogo(of station: Station, to html: inout HTMLWriter) {
        let icon = station.icons.lazy.compactMap { HTTPAddress($0.source)?.text }.first
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
            html.element(
                "div", [.class("cell", "gap"), .text("role", "gridcell"), place(of: cell)] + indices(of: cell)
            ) { html in
                html.element("span", [.class("unseen")], text: "No listings")
            }
            return
        }
        let title = airing.title.isEmpty ? "Untitled" : airing.title
        let range = range(of: airing.window)
        html.element(
            "div", [kind(of: cell, airing), .text("role", "gridcell"), place(of: cell)] + indices(of: cell)
        ) { html in
            html.element(
                "a",
                [
                    .url("href", frame.address("/airings/\(airing.id)")),
                    .text("aria-label", "\(range), \(station.name), \(title)"),
                    .text("title", "\(title)\n\(range)"),
                ]
            ) { html in
                let line = cell.frame.width < 44 ? nil : CellText.line(of: airing, range: range, frame.direction)
                if isCut(cell) {
                    // Its text follows the edge; where it ends is the style's business.
                    html.element("span") { write(title, line, to: &$0) }
                } else {
                    write(title, line, to: &html)
                }
            }
        }
    }

    /// Writes two lines of one text.
    private func write(_ title: String, _ line: String?, to html: inout HTMLWriter) {
        html.element("b", text: title)
        guard let line else { return }
        html.lineBreak()
        html.text(line)
    }

    /// Classes by what a cell is and how wide, as the script writes them too.
    private func kind(of cell: GuideElement, _ airing: Airing) -> HTMLAttribute {
        let number = Genre(categories: airing.categories).flatMap { Genre.allCases.firstIndex(of: $0) }
        let width = cell.frame.width
        return .class(
            "cell", number.map { "g\($0 + 1)" },
            width < 8 ? "tiny" : width < 44 ? "thin" : width < 100 ? "short" : nil,
            CellText.hasLeftward(airing.title + (airing.subtitle ?? "")) ? "mixed" : nil,
            CellText.beginsLeftward(airing.title) ? "away" : nil, phase(of: airing), isCut(cell) ? "cut" : nil)
    }

    /// Writes the now-line.
    func writeLines(_ elements: [GuideElement], to html: inout HTMLWriter) {
        for element in elements where element.kind == .nowLine {
            html.element(
                "div", [.class("nowline"), .text("aria-hidden", "true"), .points(["--x": x(of: element)])]
            ) { _ in }
        }
    }

    private func place(of element: GuideElement) -> HTMLAttribute {
        let (x, width) = (x(of: element), element.frame.width)
        guard let now = content.now, let airing = element.airing, airing.window.contains(now), let shown = element.shown
        else { return .points(["--x": x, "--w": width]) }
        let done = Double(shown.start.seconds(to: now)) * layout.metrics.pointsPerHour / 3600
        return .points(["--x": x, "--w": width, "--done": min(max(0, done), width)])
    }

    /// Whether a cell begins before what is shown, and so much of it is seen that its title has room there.
    private func isCut(_ cell: GuideElement) -> Bool {
        x(of: cell) < 0 && x(of: cell) + cell.frame.width > 24 && cell.frame.width > 76
    }

    private func phase(of airing: Airing) -> String? {
        guard let now = content.now else { return nil }
        if airing.window.end <= now { return "past" }
        return airing.window.contains(now) ? "on" : nil
    }

    /// `20:00–20:45`
    private func range(of window: TimeWindow) -> String {
        "\(zone.timeLabel(at: window.start))–\(zone.timeLabel(at: window.end))"
    }
}

extension String {
    /// The beginnings of the first two words, such as `BO` for `BBC One`.
    var initials: String {
        String(split { !($0.isLetter || $0.isNumber) }.prefix(2).compactMap(\.first)).uppercased()
    }
}
