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
        case .empty: text(texts("listingsNone"))
        case .over(let end): write(texts("listingsEnded"), end)
        case .future(let start): return write(texts("listingsBegin"), start)
        case .current: return
        }
        text(" ")
        link(texts("howToGetListings"), to: frame.path("/setup"))
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
                html.element("h1", text: html.texts("getListings"))
                html.element("p", text: summary)
            }
            html.element("div", [.view("steps")]) { html in
                html.element("p") { html in
                    html.link("Set up the guide in the browser", to: "/admin")
                    html.text(
                        " (for the first time, with the link that epgd prints when it starts), or with commands on the "
                            + "machine of the service:")
                }
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
                html.element("p") { html in
                    html.text("Open pages show new listings as soon as a refresh ends. ")
                    html.link(html.texts("backToGuide"), to: frame.path("/"))
                }
            }
        }
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
