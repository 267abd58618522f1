import EPGCalendar

extension Genre? {
    /// The class in the style sheet.
    var style: String { self.map { "g-\($0.rawValue)" } ?? "g-none" }
}

extension HTMLWriter {
    /// Writes a badge.
    mutating func badge(_ badge: AiringBadge?) {
        guard let badge else { return }
        element("span", [.view("badge")]) { html in
            html.element("span", [.view("badge-\(badge.rawValue)")], text: html.texts(badge: badge))
        }
    }

    /// Writes the symbol of a genre, hidden from screen readers.
    mutating func sign(_ genre: Genre?) {
        guard let genre else { return }
        element("span", [.view("sign"), .text("aria-hidden", "true")], text: genre.sign)
    }
}
