package import EPGCalendar
import EPGJSON
package import EPGModel

/// The content of the page of a series: the airings with a title.
package struct SeriesPage: Sendable {
    fileprivate let title: String
    /// The first airing, for the button that follows the title; `nil` without airings.
    fileprivate let first: AiringDetail?
    fileprivate let matches: [SearchMatch]
    fileprivate let now: Instant
    fileprivate let zone: Zone

    /// Maximum number of current and upcoming airings on the page.
    package static let limit = 300
    /// Maximum number of past airings on the page.
    fileprivate static let pastLimit = 30

    package init(title: String, first: AiringDetail?, matches: [SearchMatch], now: Instant, zone: Zone) {
        (self.title, self.first, self.matches) = (title, first, matches)
        (self.now, self.zone) = (now, zone)
    }
}

/// The HTML of the page of a series.
package struct SeriesHTML: Sendable {
    private let page: SeriesPage
    private let frame: PageFrame
    private let clock: GuideClock

    package init(_ page: SeriesPage, frame: PageFrame) {
        self.page = page
        self.frame = frame
        clock = frame.clock(in: page.zone)
    }

    /// The document in UTF-8.
    package var bytes: [UInt8] {
        frame.html { html in
            html.element("div", [.view("lede")]) { html in
                html.element("h1", [.text("dir", "auto")], text: frame.title(page.title))
                if page.matches.isEmpty { html.element("p", text: html.texts("seriesNothing")) }
            }
            if let first = page.first {
                html.reminderButtons(of: first, titled: frame.title(page.title), frame: frame, isSingle: false)
            }
            let coming = page.matches.filter { $0.airing.window.end > page.now }
            let past = page.matches.filter { $0.airing.window.end <= page.now }.prefix(SeriesPage.pastLimit)
            for (heading, matches) in [(frame.texts("onNowAndComing"), coming), (frame.texts("over"), Array(past))]
            where !matches.isEmpty {
                html.element("h2", [.view("part")], text: heading)
                html.element("ol", [.view("matches")]) { html in
                    for match in matches { write(match, &html) }
                }
            }
        }
    }

    private func write(_ match: SearchMatch, _ html: inout HTMLWriter) {
        html.lineBreak()
        html.element("li", [.view("match", match.airing.window.style(at: page.now))]) { html in
            html.airing(match.airing, clock, at: page.now, frame: frame) { html in
                html.guideText(
                    "strong", "title", AiringText(match.airing).secondLine ?? frame.title(of: match.airing))
                html.guideText("span", "station", match.stationName)
                if let description = match.airing.description { html.guideText("span", "text", description) }
            }
        }
    }
}

extension HTMLWriter {
    /// Writes the buttons that remind of an airing and of all episodes with its title, which their script shows where they work, and
    /// a place for messages.
    ///
    /// - Parameters:
    ///   - title: The title that the page shows.
    ///   - isSingle: Whether there is a button for the airing.
    ///   - isPrimary: Whether the button for the airing is the primary action of the page.
    ///   - others: Writes other actions before the place for messages.
    mutating func reminderButtons(
        of detail: AiringDetail, titled title: String, frame: PageFrame, isSingle: Bool, isPrimary: Bool = false,
        before: (inout HTMLWriter) -> Void = { _ in }, others: (inout HTMLWriter) -> Void = { _ in }
    ) {
        let window = detail.airing.window
        let single = Result { () throws(WatchRuleError) in try WatchRule(remindingOf: detail) }
        let rules = [
            (texts("remindMe"), isSingle ? try? single.get() : nil, isPrimary ? "primary" : nil),
            (texts("everyEpisode"), WatchRule(followingTitleOf: detail), nil),
        ]
        element(
            "div",
            [
                .view("watch"), .text("data-airing", detail.airing.id.description),
                .text("data-start", String(window.start.secondsSince1970)),
                .text("data-stop", String(window.end.secondsSince1970)), .text("data-title", title),
                .text("data-station", detail.stationName), frame.watchAttribute,
            ]
        ) { html in
            before(&html)
            for (label, rule, style) in rules {
                guard let rule else { continue }
                var json = JSONWriter()
                json.write(rule)
                html.element(
                    "button",
                    [
                        .text("type", "button"), .class(style), .flag("hidden"),
                        .text("data-rule", String(decoding: json.takeBytes(), as: UTF8.self)),
                    ], text: label)
            }
            others(&html)
            html.element("p", [.text("role", "status")]) { _ in }
        }
    }
}
