package import EPGCalendar
package import EPGModel

extension HTMLWriter {
    /// Writes why a guide has no current listings, and a link to what to do; nothing for a guide that has some.
    mutating func noListings(_ listings: ListingsState, _ clock: GuideClock, frame: PageFrame) {
        func moment(_ instant: Instant, _ html: inout HTMLWriter) {
            let date = clock.zone.date(at: instant)
            html.text("\(date.label) \(date.year), ")
            html.time(instant, clock)
        }
        switch listings {
        case .empty:
            text("There are no listings yet. ")
            setupButton()
            text(" ")
        case .over(let end):
            text("The listings ended on ")
            moment(end, &self)
            text(". ")
        case .future(let start):
            text("The listings begin on ")
            moment(start, &self)
            text(". ")
            return
        case .current: return
        }
        link("How to get listings", to: frame.path("/setup"))
    }
}

extension HTMLWriter {
    /// Writes the link that leads administrators to the setup, through the log-in.
    mutating func setupButton() {
        element("a", [.class("button", "primary"), .url("href", "/login?next=/admin")], text: "Set up the guide")
    }
}

/// The HTML of the page that explains how to get listings.
package struct SetupHTML: Sendable {
    private let listings: ListingsState
    private let clock: GuideClock
    private let frame: PageFrame

    /// Creates the page for a guide without, or with outdated, listings.
    package init(_ listings: ListingsState, clock: GuideClock, frame: PageFrame) {
        self.listings = listings
        self.clock = clock
        self.frame = frame
    }

    /// The document in UTF-8.
    package var bytes: [UInt8] {
        frame.html { html in
            html.element("div", [.view("lede")]) { html in
                html.element("h1", text: "Set up the guide")
                html.element("p", text: summary)
            }
            html.element("div", [.view("steps")]) { html in
                html.element("p") { $0.setupButton() }
                html.element(
                    "p", text: "The setup adds guides and playlists, and keeps them up to date. It needs a log-in.")
                html.element("p") { html in
                    html.text("Open pages show new listings as soon as a refresh ends. ")
                    html.link("The guide", to: frame.path("/"))
                }
                html.element("details") { html in
                    html.element("summary", text: "Use commands instead")
                    writeCommands(&html)
                }
            }
        }
    }

    /// Writes the commands that do the same on the machine of the service.
    private func writeCommands(_ html: inout HTMLWriter) {
        write("Add a source", "epg source add home https://example.com/guide.xml\nepg refresh", &html)
        html.element(
            "p", text: "A source is the URL or the file of a guide. A refresh downloads it if it has changed.")
        write("Or import a file", "epg import guide.xml.gz channels.m3u", &html)
        write("Keep the guide up to date", "refresh: \"30 3 * * *\"", &html)
        html.element(
            "p",
            text: "This line in epg.yml lets epgd refresh all sources each night. Without it, run epg refresh "
                + "from cron."
        )
        write("If listings are missing", "epg sources\nepg check", &html)
        html.element(
            "p",
            text:
                "The first command shows the last refresh of each source and its errors, the second one checks "
                + "the database."
        )
    }

    private var summary: String {
        switch listings {
        case .empty: "There are no listings yet."
        case .over(let end): "The listings ended on \(label(end))."
        case .future(let start): "The listings begin on \(label(start))."
        case .current: "The guide has current listings."
        }
    }

    private func label(_ instant: Instant) -> String {
        let date = clock.zone.date(at: instant)
        return "\(date.label) \(date.year)"
    }

    private func write(_ heading: String, _ commands: String, _ html: inout HTMLWriter) {
        html.element("h2", text: heading)
        html.element("pre") { $0.element("code", text: commands) }
    }
}
