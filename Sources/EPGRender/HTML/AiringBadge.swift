package import EPGModel

/// A badge of an airing on a page, in order of precedence.
package enum AiringBadge: String, Hashable, Sendable, CaseIterable {
    case live, premiere, new, derived

    /// Creates the badge of the most important mark of a programme; `nil` without marks.
    package init?(_ programme: Programme) {
        let marks = AiringMarks(programme)
        if marks.contains(.live) {
            self = .live
        } else if marks.contains(.premiere) {
            self = .premiere
        } else if marks.contains(.new) {
            self = .new
        } else if marks.contains(.derived) {
            self = .derived
        } else {
            return nil
        }
    }

    /// The text, such as `LIVE`.
    fileprivate var label: String { rawValue.uppercased() }
}

extension Genre? {
    /// The class in the style sheet.
    var style: String { self.map { "g-\($0.rawValue)" } ?? "g-none" }
}

extension HTMLWriter {
    /// Writes a badge.
    mutating func badge(_ badge: AiringBadge?) {
        guard let badge else { return }
        element("span", [.view("badge")]) { html in
            html.element("span", [.view("badge-\(badge.rawValue)")], text: badge.label)
        }
    }

    /// Writes the symbol of a genre, hidden from screen readers.
    mutating func sign(_ genre: Genre?) {
        guard let genre else { return }
        element("span", [.view("sign"), .text("aria-hidden", "true")], text: genre.sign)
    }
}
