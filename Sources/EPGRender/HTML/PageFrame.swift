package import CollectionLayout
import EPGModel

/// What all pages have in common: the head, the bar with the ways to other pages and the search, and the place of the
/// content.
///
/// ```swift
/// let html = frame.html { html in html.element("h1", text: "Stations") }
/// ```
package struct PageFrame: Sendable {
    /// The pages that the bar leads to.
    package enum Place: String, Hashable, Sendable, CaseIterable {
        case guide, home, stations

        var path: String { self == .guide ? "/" : "/" + rawValue }

        var name: String {
            switch self {
            case .guide: "Guide"
            case .home: "Home"
            case .stations: "Stations"
            }
        }
    }

    /// The addresses of the files that a page needs.
    package struct Files: Hashable, Sendable {
        package var styles: [String]
        /// Those that run before anything is drawn: how the page looks is chosen there.
        package var firstScripts: [String]
        package var scripts: [String]
        package var icon: String

        package init(styles: [String], firstScripts: [String], scripts: [String], icon: String) {
            self.styles = styles
            self.firstScripts = firstScripts
            self.scripts = scripts
            self.icon = icon
        }
    }

    /// What the page is about; the site's title is put behind it.
    package var title: String
    package var site: String
    package var files: Files
    /// Where in the bar the page stands, if anywhere.
    package var place: Place?
    /// What stands in the search field.
    package var words = ""
    /// The language of the page's own words (BCP 47).
    package var language = "en"
    package var direction = LayoutDirection.leftToRight
    /// Parameters that go along to the other pages: `zone`, `lang`, `dir`, as far as they were given.
    package var shared: [(name: String, value: String)] = []
    /// A class of `body`, by which a style tells pages apart.
    package var kind: String?

    package init(title: String, site: String, files: Files, place: Place? = nil) {
        self.title = title
        self.site = site
        self.files = files
        self.place = place
    }

    /// The whole page, in UTF-8.
    package func html(_ content: (inout HTMLWriter) throws -> Void) rethrows -> [UInt8] {
        var html = HTMLWriter()
        html.doctype()
        let direction = direction == .rightToLeft ? TextDirection.rtl : .ltr
        try html.element("html", [.text("lang", language), .text("dir", direction.rawValue)]) { html in
            html.element("head") { writeHead(&$0) }
            html.lineBreak()
            try html.element("body", [.class(kind)]) { html in
                html.element("a", [.class("skip"), .url("href", "#main")], text: "Skip to the content")
                writeBar(&html)
                html.lineBreak()
                try html.element("main", [.id("main"), .number("tabindex", -1)], content: content)
            }
        }
        html.lineBreak()
        return html.bytes
    }

    /// An address of this service with the shared parameters behind its own.
    package func address(_ path: String, _ parameters: [(name: String, value: String)] = []) -> String {
        let own = Set(parameters.map(\.name))
        let all = parameters + shared.filter { !own.contains($0.name) }
        guard !all.isEmpty else { return path }
        return path + "?" + all.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }

    /// The guide from an instant and a row on.
    func guideAddress(from start: Instant, row: Int) -> String {
        let row = row > 0 ? [(name: "row", value: String(row))] : []
        return address("/", [("from", String(start.secondsSince1970))] + row)
    }

    private func writeHead(_ html: inout HTMLWriter) {
        html.void("meta", [.text("charset", "utf-8")])
        html.void("meta", [.text("name", "viewport"), .text("content", "width=device-width, initial-scale=1")])
        html.void("meta", [.text("name", "color-scheme"), .text("content", "light dark")])
        html.element("title", text: title == site ? site : "\(title) · \(site)")
        for style in files.styles { html.void("link", [.text("rel", "stylesheet"), .url("href", style)]) }
        for script in files.firstScripts { html.script(at: script) }
        for script in files.scripts { html.module(at: script) }
        html.void(
            "link", [.text("rel", "icon"), .text("type", "image/svg+xml"), .url("href", files.icon)])
        html.void("link", [.text("rel", "manifest"), .url("href", "/manifest.webmanifest")])
    }

    private func writeBar(_ html: inout HTMLWriter) {
        html.element("header", [.class("bar")]) { html in
            html.element("a", [.class("brand"), .url("href", address("/"))]) { html in
                html.void(
                    "img", [.url("src", files.icon), .text("alt", ""), .number("width", 24), .number("height", 24)])
                html.element("span", text: site)
            }
            html.element("nav", [.text("aria-label", "Pages")]) { html in
                for place in Place.allCases {
                    html.element(
                        "a",
                        [
                            .url("href", address(place.path)),
                            .text("aria-current", place == self.place ? "page" : nil),
                        ], text: place.name)
                }
            }
            writeSearch(&html)
        }
    }

    private func writeSearch(_ html: inout HTMLWriter) {
        html.element("form", [.class("search"), .text("role", "search"), .url("action", "/search")]) { html in
            for (name, value) in shared where ["zone", "lang", "dir"].contains(name) {
                html.void("input", [.text("type", "hidden"), .text("name", name), .text("value", value)])
            }
            html.void(
                "input",
                [
                    .id("q"), .text("type", "search"), .text("name", "q"), .text("value", words),
                    .text("placeholder", "Search"), .text("aria-label", "Search the guide"),
                    .text("autocomplete", "off"), .text("maxlength", "200"),
                ])
            html.element("button", [.text("type", "submit")], text: "Search")
        }
    }
}

/// The direction of text, as HTML and parameters of URLs name it.
package enum TextDirection: String, CaseIterable, Sendable {
    case ltr, rtl

    package var layoutDirection: LayoutDirection { self == .rtl ? .rightToLeft : .leftToRight }
}
