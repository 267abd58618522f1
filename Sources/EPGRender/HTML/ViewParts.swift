import EPGModel

/// What several pages show in the same way.
extension HTMLWriter {
    /// The logo of a station; where it has none, or none that can be shown, the beginning of its name.
    ///
    mutating func logo(_ address: String?, name: String) {
        let letters = name.initials
        element("span", [.view("logo"), .text("aria-hidden", "true")]) { html in
            html.element("span", text: letters)
            html.picture(address, size: 64, instead: letters)
        }
    }

    /// A picture of the feed, fetched when it comes near; nothing where the address isn't one of another host.
    ///
    /// - Parameter instead: What the style sheet shows where it can't be fetched.
    mutating func picture(_ address: String?, size: Int, instead: String?) {
        guard let address, let web = HTTPAddress(address) else { return }
        void(
            "img",
            [
                .url("src", web.text), .text("alt", ""), .text("loading", "lazy"), .text("decoding", "async"),
                .text("referrerpolicy", "no-referrer"), .number("width", size), .number("height", size),
                .text("data-instead", instead),
            ])
    }

    /// A text of the guide, which may run in another direction than the page.
    mutating func guideText(_ name: StaticString, _ style: String, _ text: String) {
        element(name, [.view(style), .text("dir", "auto")], text: text)
    }

    /// A bar that tells how far an airing is.
    mutating func progress(_ window: TimeWindow, at now: Instant) {
        element("span", [.view("progress"), .text("aria-hidden", "true")]) { html in
            html.element("span", [.part(window.progress(at: now))]) { _ in }
        }
    }

    /// `LIVE`, `NEW`, `PREMIERE`.
    mutating func badge(_ badge: AiringBadge?) {
        guard let badge else { return }
        element("span", [.view("badge")]) { html in
            html.element("span", [.view("badge-\(badge.rawValue)")], text: badge.label)
        }
    }

    /// The sign of a genre, for those who see, and its name for those who listen.
    mutating func sign(_ genre: Genre?) {
        guard let genre else { return }
        element("span", [.view("sign"), .text("aria-hidden", "true")], text: genre.sign)
    }

    /// Links to the pages before and after; nothing where there is one page only.
    ///
    /// - Parameter address: That of the page that begins with a number, from 0.
    mutating func pager(offset: Int, limit: Int, count: Int, total: Int, address: (Int) -> String) {
        guard offset > 0 || offset + count < total else { return }
        element("nav", [.view("pager"), .text("aria-label", "More pages")]) { html in
            if offset > 0 {
                html.element(
                    "a", [.text("rel", "prev"), .url("href", address(max(0, offset - limit)))], text: "Previous")
            }
            html.element("span", text: count == 0 ? "None of \(total)" : "\(offset + 1)–\(offset + count) of \(total)")
            if offset + count < total {
                html.element("a", [.text("rel", "next"), .url("href", address(offset + limit))], text: "Next")
            }
        }
    }
}

extension Genre? {
    /// The class by which the style sheet colours it.
    var style: String { self.map { "g-\($0.rawValue)" } ?? "g-none" }
}
