package import EPGCalendar
package import EPGModel

extension HTMLWriter {
    /// Writes why a guide has no current listings, and a link to what to do; nothing for a guide that has some.
    mutating func noListings(_ listings: ListingsState, _ clock: GuideClock, frame: PageFrame) {
        func write(_ text: String, _ instant: Instant) {
            self.text(text, "date") { html in
                html.text(clock.date(instant) + ", ")
                html.time(instant, clock)
            }
        }
        switch listings {
        case .empty:
            text(texts("listingsNone") + " ")
            setupButton()
        case .over(let end): write(texts("listingsEnded"), end)
        case .future(let start): return write(texts("listingsBegin"), start)
        case .current: return
        }
        text(" ")
        link(texts("howToGetListings"), to: frame.path("/setup"))
    }
}

extension HTMLWriter {
    /// Writes the link that leads administrators to the setup, through the log-in.
    mutating func setupButton() {
        element("a", [.class("button", "primary"), .url("href", "/login?next=/admin")], text: texts("setUpGuide"))
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
                html.element("h1", text: html.texts("setUpGuide"))
                html.element("p", text: summary)
            }
            html.element("div", [.view("steps")]) { html in
                html.element("p") { $0.setupButton() }
                html.element("p", text: html.texts("setupLede"))
                html.element("p") { html in
                    html.text(html.texts("setupLive") + " ")
                    html.link(html.texts("backToGuide"), to: frame.path("/"))
                }
                html.element("details") { html in
                    html.element("summary", text: html.texts("setupCommands"))
                    writeCommands(&html)
                }
            }
        }
    }

    /// Writes the commands that do the same on the machine of the service.
    private func writeCommands(_ html: inout HTMLWriter) {
        write(html.texts("setupAddSource"), "epg source add home https://example.com/guide.xml\nepg refresh", &html)
        html.element("p", text: html.texts("setupAddSourceNote"))
        write(html.texts("setupImport"), "epg import guide.xml.gz channels.m3u", &html)
        write(html.texts("setupKeep"), "refresh: \"30 3 * * *\"", &html)
        html.element("p", text: html.texts("setupKeepNote"))
        write(html.texts("setupMissing"), "epg sources\nepg check", &html)
        html.element("p", text: html.texts("setupMissingNote"))
    }

    private var summary: String {
        switch listings {
        case .empty: frame.texts("listingsNone")
        case .over(let end): frame.texts("listingsEnded", ["date": clock.date(end)])
        case .future(let start): frame.texts("listingsBegin", ["date": clock.date(start)])
        case .current: frame.texts("listingsCurrent")
        }
    }

    private func write(_ heading: String, _ commands: String, _ html: inout HTMLWriter) {
        html.element("h2", text: heading)
        html.element("pre") { $0.element("code", text: commands) }
    }
}
