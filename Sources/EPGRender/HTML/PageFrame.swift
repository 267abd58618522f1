package import CollectionLayout
package import EPGCalendar
import EPGJSON
package import EPGModel

/// The frame of all pages: the head, and the bar with navigation and search.
///
/// ```swift
/// let html = frame.html { html in html.element("h1", text: "Stations") }
/// ```
package struct PageFrame: Sendable {
    /// The pages in the navigation bar.
    package enum Place: String, Hashable, Sendable, CaseIterable {
        case guide, home, stations, watch

        var path: String { self == .guide ? "/" : "/" + rawValue }

        func name(in texts: PageTexts) -> String {
            switch self {
            case .guide: texts("navGuide")
            case .home: texts("navHome")
            case .stations: texts("navStations")
            case .watch: texts("navWatch")
            }
        }
    }

    /// The URLs of the files that a page loads.
    package struct Files: Hashable, Sendable {
        package var styles: [String]
        /// Scripts that run before the first rendering, to set the theme.
        package var firstScripts: [String]
        /// Modules, which run after the page is parsed.
        package var scripts: [String]
        /// The modules that those import, which the browser requests at the same time.
        package var imports: [String]
        package var icon: String
        /// An icon in PNG for home screens that ignore the manifest.
        package var touchIcon: String?

        package init(
            styles: [String], firstScripts: [String], scripts: [String], imports: [String] = [], icon: String,
            touchIcon: String? = nil
        ) {
            self.styles = styles
            self.firstScripts = firstScripts
            self.scripts = scripts
            self.imports = imports
            self.icon = icon
            self.touchIcon = touchIcon
        }
    }

    /// The title of the page, before the name of the site.
    package var title: String
    package var site: String
    package var files: Files
    /// The page in the navigation bar; `nil` for other pages.
    package var place: Place?
    /// The text in the search field.
    package var words = ""
    /// The page's own texts.
    package var texts = PageTexts.english
    /// The hours of times: 12 or 24 (the default).
    package var clockStyle = ClockStyle.twentyFourHours
    package var direction = LayoutDirection.leftToRight
    /// The query parameters of the request that links to other pages keep: `zone`, `lang`, `dir`, `tv`.
    package var shared: [(name: String, value: String)] = []
    /// Whether the page is for televisions: for remote controls, from a distance, and for older browsers.
    package var isForTelevision = false
    /// The class of `body`, for the style sheets.
    package var kind: String?
    /// The time zone of the page, whose name the page shows, and which `page.js` compares with the viewer's; `nil` for a page
    /// without times and links to such pages.
    package var zone: Zone?
    /// The URLs of pictures.
    package var artwork = ArtworkLinks.direct
    /// The seconds after which a browser without scripts loads the page again; `nil` for never.
    package var reloadSeconds: Int?
    /// Whether the service lets administrators, and viewers of some profiles, change watch rules.
    package var acceptsRules = false
    /// Whether the service sends reminders of watch rules.
    package var sendsReminders = false

    package init(title: String, site: String, files: Files, place: Place? = nil) {
        self.title = title
        self.site = site
        self.files = files
        self.place = place
    }

    /// Returns the page in UTF-8.
    package func html(_ content: (inout HTMLWriter) throws -> Void) rethrows -> [UInt8] {
        var html = HTMLWriter(texts: texts)
        html.doctype()
        let direction = direction == .rightToLeft ? TextDirection.rtl : .ltr
        let attributes: [HTMLAttribute] = [
            .text("lang", texts.language), .text("dir", direction.rawValue), .text("data-zone", zone?.name),
            .text("data-tv", isForTelevision ? "" : nil),
        ]
        try html.element("html", attributes) { html in
            html.element("head") { writeHead(&$0) }
            html.lineBreak()
            try html.element("body", [.class(kind)]) { html in
                html.link(texts("skip"), to: "#main", class: "skip")
                writeBar(&html)
                html.lineBreak()
                try html.element("main", [.id("main"), .number("tabindex", -1)], content: content)
                if let shownZone {
                    html.element("footer", [.class("zone")], text: texts("timeZoneOf", ["zone": shownZone.name]))
                }
            }
        }
        html.lineBreak()
        return html.bytes
    }

    /// The format of times in a zone, by default the page's.
    package func clock(in zone: Zone) -> GuideClock { GuideClock(zone: zone, style: clockStyle, names: texts.dates) }

    /// Returns the title that a page shows for an airing.
    package func title(of airing: Airing) -> String { title(airing.shownTitle) }

    /// Returns a title in the language of the page, if it replaces a missing or a locked one.
    func title(_ title: String) -> String {
        if title == Airing.untitled { return texts("untitled") }
        return isLimited && title == LimitedGuide.lockedTitle ? texts("locked") : title
    }

    /// Whether the parental limit of the page hides an airing.
    func isLocked(_ airing: Airing) -> Bool { isLimited && airing.title == LimitedGuide.lockedTitle }

    /// Returns a path of this service with the given query parameters followed by the shared ones.
    func path(_ path: String, _ parameters: [(name: String, value: String)] = []) -> String {
        let own = Set(parameters.map(\.name))
        let all = parameters + shared.filter { !own.contains($0.name) }
        guard !all.isEmpty else { return path }
        return path + "?" + all.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }

    /// Returns the path of a calendar or a feed of this service with the parental limit, the only shared parameter that it
    /// supports.
    func feedPath(_ path: String) -> String {
        var frame = self
        frame.shared = shared.filter { Self.isLimit($0.name) }
        return frame.path(path)
    }

    /// The attribute that tells scripts whether rules can be added and whether reminders are sent.
    var watchAttribute: HTMLAttribute {
        .text("data-watch", acceptsRules ? sendsReminders ? "write" : "quiet" : nil)
    }

    /// Whether the page has a parental limit.
    var isLimited: Bool { shared.contains { Self.isLimit($0.name) } }

    /// Whether a shared parameter belongs to the parental limit.
    private static func isLimit(_ name: String) -> Bool { name == "lockAge" || name == "lockCategory" }

    /// Returns the path of the guide from an instant and a row on.
    func guidePath(from start: Instant, row: Int) -> String {
        let row = row > 0 ? [(name: "row", value: String(row))] : []
        return path("/", [("from", String(start.secondsSince1970))] + row)
    }

    private func writeHead(_ html: inout HTMLWriter) {
        let files = isForTelevision ? files.forTelevision : files
        html.void("meta", [.text("charset", "utf-8")])
        html.void("meta", [.text("name", "viewport"), .text("content", "width=device-width, initial-scale=1")])
        html.void("meta", [.text("name", "color-scheme"), .text("content", "light dark")])
        html.element("title", text: title == site ? site : "\(title) · \(site)")
        for style in files.styles { html.void("link", [.text("rel", "stylesheet"), .url("href", style)]) }
        if let reloadSeconds { html.reloadWithoutScripts(seconds: reloadSeconds) }
        for script in files.firstScripts { html.script(at: script) }
        for script in files.scripts { html.module(at: script) }
        for module in files.imports { html.void("link", [.text("rel", "modulepreload"), .url("href", module)]) }
        html.void(
            "link", [.text("rel", "icon"), .text("type", "image/svg+xml"), .url("href", files.icon)])
        if let touchIcon = files.touchIcon {
            html.void("link", [.text("rel", "apple-touch-icon"), .url("href", touchIcon)])
        }
        html.void("link", [.text("rel", "manifest"), .url("href", "/manifest.webmanifest")])
    }

    private func writeBar(_ html: inout HTMLWriter) {
        html.element("header", [.class("bar")]) { html in
            html.element("a", [.class("brand"), .url("href", path("/"))]) { html in
                html.void(
                    "img", [.url("src", files.icon), .text("alt", ""), .number("width", 24), .number("height", 24)])
                html.element("span", text: site)
            }
            html.element("nav", [.text("aria-label", texts("navLabel"))]) { html in
                for place in Place.allCases {
                    html.element(
                        "a",
                        [
                            .url("href", path(place.path)),
                            .text("aria-current", place == self.place ? "page" : nil),
                        ], text: place.name(in: texts))
                }
            }
            if let shownZone {
                html.element("span", [.class("bar-zone"), .text("title", texts("timeZone"))], text: shownZone.name)
            }
            writeSearch(&html)
        }
    }

    /// The zone whose name is in the bar, or at the end of the page if the bar is narrow. The guide has it in its corner.
    private var shownZone: Zone? { place == .guide ? nil : zone }

    private func writeSearch(_ html: inout HTMLWriter) {
        html.element("form", [.class("search"), .text("role", "search"), .url("action", "/search")]) { html in
            for (name, value) in shared where ["zone", "lang", "ui", "dir", "tv"].contains(name) || Self.isLimit(name) {
                html.hidden(name, value)
            }
            html.void(
                "input",
                [
                    .id("q"), .text("type", "search"), .text("name", "q"), .text("value", words),
                    .text("placeholder", texts("search")), .text("aria-label", texts("searchGuide")),
                    .text("autocomplete", "off"), .text("maxlength", "200"),
                ])
            html.button(texts("search"))
        }
    }
}

/// The direction of text in HTML and query parameters.
package enum TextDirection: String, CaseIterable, Sendable {
    case ltr, rtl

    package var layoutDirection: LayoutDirection { self == .rtl ? .rightToLeft : .leftToRight }
}

/// The HTML page that the service worker shows offline instead of a page that it did not store.
package struct OfflineHTML: Sendable {
    private let frame: PageFrame

    package init(frame: PageFrame) {
        self.frame = frame
    }

    /// The document in UTF-8.
    package var bytes: [UInt8] {
        frame.html { html in
            html.element("div", [.view("trouble")]) { html in
                html.element("h1", text: frame.texts("youAreOffline"))
                html.element("p", text: frame.texts("offlineNotStored"))
                html.element("p") { html in
                    html.link(frame.texts("backToGuide"), to: frame.path("/"))
                    html.text(" · ")
                    html.link(frame.texts("whatIsOnTonight"), to: frame.path("/home"))
                }
            }
        }
    }
}

/// The HTML page of an error. Its heading is also its title.
package struct ErrorHTML: Sendable {
    private let status: Int
    private let reason: String
    private let detail: String
    private var frame: PageFrame

    /// - Parameters:
    ///   - status: The HTTP status code, such as 404.
    ///   - reason: The reason phrase, such as `Not Found`.
    ///   - detail: A sentence that says what went wrong and what to do.
    package init(status: Int, reason: String, detail: String, frame: PageFrame) {
        self.status = status
        self.reason = reason
        self.detail = detail
        self.frame = frame
        self.frame.title = heading
    }

    /// The document in UTF-8.
    package var bytes: [UInt8] {
        frame.html { html in
            html.element("div", [.view("trouble")]) { html in
                html.element("h1", text: heading)
                html.element("p", [.view("detail"), .text("dir", "auto"), .text("lang", "en")], text: detail)
                html.element("p") { html in
                    html.link(frame.texts("backToGuide"), to: frame.path("/"))
                    html.text(" · ")
                    html.link(frame.texts("whatIsOnTonight"), to: frame.path("/home"))
                    html.text(" · ")
                    html.link(frame.texts("allStations"), to: frame.path("/stations"))
                }
                html.element("p", [.view("code")], text: "\(status) \(reason)")
            }
        }
    }

    private var heading: String {
        switch status {
        case 400: frame.texts("errorBadURL")
        case 404: frame.texts("errorNotFound")
        case 429: frame.texts("errorTooMany")
        case 503: frame.texts("errorUnavailable")
        default: frame.texts("errorFailed")
        }
    }
}
