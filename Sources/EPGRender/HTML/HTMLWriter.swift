import EPGCalendar
import EPGModel

/// A writer of HTML that escapes all text and attribute values.
///
/// ```swift
/// var html = HTMLWriter()
/// html.element("p", [.class("note")]) { html in
///     html.text("Tom & Jerry")
///     html.element("a", [.url("href", "/airings/7")], text: "more")
/// }
/// html.markup     // <p class="note">Tom &amp; Jerry<a href="/airings/7">more</a></p>
/// ```
///
/// Names of elements and attributes are `StaticString`, so that no guide can provide them, and ``PageLink`` validates URLs.
/// Scripts and styles have a URL only; the writer cannot write inline code.
package struct HTMLWriter: Sendable {
    /// The markup written so far in UTF-8.
    package private(set) var bytes: [UInt8] = []
    /// The texts in the language of the page.
    package let texts: PageTexts

    /// Creates a writer of an empty document, by default in English.
    package init(texts: PageTexts = .english) {
        self.texts = texts
    }

    /// The markup written so far.
    package var markup: String { String(decoding: bytes, as: UTF8.self) }

    /// Writes the document type.
    package mutating func doctype() { append("<!DOCTYPE html>\n") }

    /// Writes an element with the content that a closure writes.
    package mutating func element(
        _ name: StaticString, _ attributes: [HTMLAttribute] = [], content: (inout HTMLWriter) throws -> Void
    ) rethrows {
        precondition(!HTMLWriter.isRaw(name), "the content of this element is not HTML")
        begin(name, attributes)
        try content(&self)
        end(name)
    }

    /// Writes an element that contains text.
    package mutating func element(_ name: StaticString, _ attributes: [HTMLAttribute] = [], text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// Writes a void element: `meta`, `link`, `img`, `input`, `br`, `hr`.
    package mutating func void(_ name: StaticString, _ attributes: [HTMLAttribute] = []) {
        begin(name, attributes)
    }

    /// Makes browsers without scripts load the page again. In `head` only.
    package mutating func reloadWithoutScripts(seconds: Int) {
        begin("noscript", [])
        void("meta", [.text("http-equiv", "refresh"), .number("content", seconds)])
        end("noscript")
    }

    /// Writes a reference to a script, which runs before the following content is rendered.
    package mutating func script(at url: String) {
        begin("script", [.url("src", url)])
        end("script")
    }

    /// Writes a reference to a JavaScript module, which runs after the document is parsed.
    package mutating func module(at url: String) {
        begin("script", [.text("type", "module"), .url("src", url)])
        end("script")
    }

    /// Writes text.
    package mutating func text(_ text: String) { append(escaped: text) }

    /// Begins a new line, for readable source text only.
    package mutating func lineBreak() { bytes.append(UInt8(ascii: "\n")) }

    private mutating func begin(_ name: StaticString, _ attributes: [HTMLAttribute]) {
        bytes.append(UInt8(ascii: "<"))
        append(name)
        for attribute in attributes {
            switch attribute.content {
            case .none: continue
            case .flag:
                bytes.append(UInt8(ascii: " "))
                append(attribute.name)
            case .value(let value):
                bytes.append(UInt8(ascii: " "))
                append(attribute.name)
                append("=\"")
                append(escaped: value)
                bytes.append(UInt8(ascii: "\""))
            }
        }
        bytes.append(UInt8(ascii: ">"))
    }

    private mutating func end(_ name: StaticString) {
        append("</")
        append(name)
        bytes.append(UInt8(ascii: ">"))
    }

    private static func isRaw(_ name: StaticString) -> Bool {
        ["script", "style", "noscript", "iframe", "plaintext", "xmp"].contains("\(name)")
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Appends text with the characters escaped that are special in text or attribute values.
    ///
    /// Omits control characters except tabs and line breaks: no character reference makes them legal (HTML, 13.1.4).
    private mutating func append(escaped text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "&": append("&amp;")
            case "\"": append("&quot;")
            case "'": append("&#39;")
            case "\t", "\n": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            case "\r": bytes.append(UInt8(ascii: "\n"))
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": break
            case _ where scalar.properties.isNoncharacterCodePoint: break
            default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }
}

/// Elements that several pages share.
extension HTMLWriter {
    /// Writes the logo of a station, or the initials of its name if there is no logo or it fails to load.
    ///
    /// - Parameter url: A URL of ``ArtworkLinks``; `nil` for none.
    mutating func logo(_ url: String?, name: String) {
        let letters = name.initials
        element("span", [.view("logo"), .text("aria-hidden", "true")]) { html in
            if url == nil { html.element("span", text: letters) } else { html.picture(url, size: 64, instead: letters) }
        }
    }

    /// Writes a lazily loaded picture; nothing if it has no URL.
    ///
    /// - Parameters:
    ///   - url: A URL of ``ArtworkLinks``; `nil` for none.
    ///   - instead: The text that the style sheet shows if loading fails.
    mutating func picture(_ url: String?, size: Int, instead: String?) {
        guard let url else { return }
        void(
            "img",
            [
                .url("src", url), .text("alt", ""), .text("loading", "lazy"), .text("decoding", "async"),
                .text("referrerpolicy", "no-referrer"), .number("width", size), .number("height", size),
                .text("data-instead", instead),
            ])
    }

    /// Writes a text of the guide, whose direction may differ from the page's.
    mutating func guideText(_ name: StaticString, _ style: String, _ text: String) {
        element(name, [.view(style), .text("dir", "auto")], text: text)
    }

    /// Writes the progress bar of an airing.
    mutating func progress(_ window: TimeWindow, at now: Instant) {
        element("span", [.view("progress"), .text("aria-hidden", "true")]) { html in
            html.element("span", [.part(window.progress(at: now))]) { _ in }
        }
    }

    /// Writes the progress bar of an airing, and `On now` for screen readers; nothing for an airing that is not current.
    mutating func currentProgress(_ window: TimeWindow, at now: Instant) {
        guard window.contains(now) else { return }
        element("span", [.class("unseen")], text: texts("onNow"))
        progress(window, at: now)
    }

    /// Writes links to the previous and the next page; nothing if there is only one page.
    ///
    /// - Parameter path: Returns the path of the page that begins at a 0-based offset.
    package mutating func pager(offset: Int, limit: Int, count: Int, total: Int, path: (Int) -> String) {
        guard offset > 0 || offset + count < total else { return }
        element("nav", [.view("pager"), .text("aria-label", texts("morePages"))]) { html in
            if offset > 0 {
                html.element(
                    "a", [.text("rel", "prev"), .url("href", path(max(0, offset - limit)))],
                    text: html.texts("previous"))
            }
            html.element(
                "span",
                text: html.texts(
                    count == 0 ? "noneOf" : "rangeOf",
                    ["first": String(offset + 1), "last": String(offset + count), "total": String(total)]))
            if offset + count < total {
                html.element("a", [.text("rel", "next"), .url("href", path(offset + limit))], text: html.texts("next"))
            }
        }
    }

    // MARK: - Forms and links

    /// Writes a text in which `[label](name)` becomes a link to the path with this name.
    package mutating func text(_ text: String, linking paths: KeyValuePairs<String, String>) {
        var rest = text[...]
        while let start = rest.firstIndex(of: "["), let middle = rest[start...].firstRange(of: "]("),
            let end = rest[middle.upperBound...].firstIndex(of: ")")
        {
            self.text(String(rest[..<start]))
            let label = String(rest[rest.index(after: start)..<middle.lowerBound])
            let name = rest[middle.upperBound..<end]
            if let path = paths.first(where: { $0.key == name })?.value {
                link(label, to: path)
            } else {
                self.text(label)
            }
            rest = rest[rest.index(after: end)...]
        }
        self.text(String(rest))
    }

    /// Writes a text with markup, which a closure writes, instead of a placeholder.
    package mutating func text(_ text: String, _ placeholder: String, content: (inout HTMLWriter) -> Void) {
        guard let range = text.firstRange(of: "{\(placeholder)}") else { return self.text(text) }
        self.text(String(text[..<range.lowerBound]))
        content(&self)
        self.text(String(text[range.upperBound...]))
    }

    /// Writes a hidden field of a form.
    package mutating func hidden(_ name: String, _ value: String) {
        void("input", [.text("type", "hidden"), .text("name", name), .text("value", value)])
    }

    /// Writes a button that submits its form.
    package mutating func button(_ text: String, class style: String? = nil, _ attributes: [HTMLAttribute] = []) {
        element("button", [.text("type", "submit"), .class(style)] + attributes, text: text)
    }

    /// Writes a link within the service.
    package mutating func link(_ text: String, to path: String, class style: String? = nil) {
        element("a", [.class(style), .url("href", path)], text: text)
    }

    /// Writes a link to another host, or only the text if ``HTTPURL`` rejects the URL.
    mutating func link(_ text: String, toHost url: String) {
        guard let web = HTTPURL(url) else { return self.text(text) }
        element("a", [.url("href", web.text), .text("rel", "noopener noreferrer"), .text("dir", "auto")], text: text)
    }
}

/// Times and airings.
extension HTMLWriter {
    /// Writes a `<time>` element.
    mutating func time(_ instant: Instant, _ clock: GuideClock) {
        // page.js writes the time with the clock of the viewer.
        let whole = clock.style == .twelveHours ? clock.zone.timeLabel(at: instant) : nil
        element("time", [.text("datetime", instant.iso8601), .text("data-time", whole)], text: clock.time(instant))
    }

    /// Writes the start of an airing, as ``AiringText/start(_:)`` returns it.
    mutating func start(of airing: Airing, _ clock: GuideClock) {
        text(AiringText(airing).startMark)
        time(airing.window.start, clock)
    }

    /// Writes start and end of an airing, as ``AiringText/times(_:seenFrom:)`` returns them.
    mutating func times(of airing: Airing, _ clock: GuideClock, seenFrom date: CivilDate) {
        text(AiringText(airing).startMark)
        range(airing.window, clock, seenFrom: date)
        text(AiringText(airing).endMark)
    }

    /// Writes the airing that follows, such as `Then 21:00 News`.
    mutating func next(_ title: String, at start: Instant, _ clock: GuideClock, seenFrom date: CivilDate) {
        element("span", [.view("next")]) { html in
            html.text(html.texts("then") + " " + clock.day(of: start, seenFrom: date))
            html.time(start, clock)
            html.text(" ")
            html.element("bdi", text: title)
        }
    }

    /// Writes a link to the page of an airing, with its day and start before the content that a closure writes, and with the progress
    /// of a current one after it.
    mutating func airing(
        _ airing: Airing, _ clock: GuideClock, at now: Instant, frame: PageFrame, content: (inout HTMLWriter) -> Void
    ) {
        element("a", [.url("href", frame.path("/airings/\(airing.id)"))]) { html in
            html.element("span", [.view("when", airing.drawnGenre.style)]) { html in
                let date = clock.zone.date(at: airing.window.start)
                html.element("span", [.view("date")], text: clock.day(date, at: now))
                html.start(of: airing, clock)
            }
            html.element("span", [.view("words")]) { html in
                content(&html)
                html.currentProgress(airing.window, at: now)
            }
        }
    }

    /// Writes a range, as ``GuideClock/range(_:seenFrom:)`` returns it.
    mutating func range(_ window: TimeWindow, _ clock: GuideClock, seenFrom date: CivilDate) {
        let days = clock.days(of: window, seenFrom: date)
        text(days.start)
        time(window.start, clock)
        text("–" + days.end)
        time(window.end, clock)
    }
}

extension TimeWindow {
    /// The class of an airing in the style sheet.
    func style(at now: Instant) -> String { contains(now) ? "current" : end <= now ? "past" : "coming" }
}

/// An attribute of an HTML element. Each factory method validates the values of one kind of attribute.
package struct HTMLAttribute: Sendable {
    fileprivate enum Content: Sendable {
        /// The attribute is omitted.
        case none
        /// The attribute has no value.
        case flag
        case value(String)
    }

    fileprivate let name: StaticString
    fileprivate let content: Content

    private init(_ name: StaticString, _ content: Content) {
        self.name = name
        self.content = content
    }

    /// A text attribute such as `title` or `aria-label`; omitted if the value is `nil`.
    ///
    /// - Precondition: The attribute does not contain a URL, a script or a style.
    package static func text(_ name: StaticString, _ value: String?) -> HTMLAttribute {
        precondition(!isSpecial("\(name)"), "use the method for this attribute")
        return HTMLAttribute(name, value.map(Content.value) ?? .none)
    }

    /// An integer attribute.
    package static func number(_ name: StaticString, _ value: some BinaryInteger) -> HTMLAttribute {
        text(name, String(value))
    }

    /// A Boolean attribute such as `hidden`.
    package static func flag(_ name: StaticString, _ isPresent: Bool = true) -> HTMLAttribute {
        precondition(!isSpecial("\(name)"), "use the method for this attribute")
        return HTMLAttribute(name, isPresent ? .flag : .none)
    }

    /// A URL attribute such as `href` or `src`; omitted unless ``PageLink`` accepts the URL.
    package static func url(_ name: StaticString, _ url: String?) -> HTMLAttribute {
        HTMLAttribute(name, url.flatMap(PageLink.init).map { .value($0.text) } ?? .none)
    }

    /// `id`; omitted unless it consists of ASCII letters, digits, `-` and `_`.
    package static func id(_ name: String) -> HTMLAttribute {
        HTMLAttribute("id", isName(name) ? .value(name) : .none)
    }

    /// `class` with the names that consist of ASCII letters, digits, `-` and `_`.
    package static func `class`(_ names: String?...) -> HTMLAttribute {
        let names = names.compactMap(\.self).filter(isName)
        return HTMLAttribute("class", names.isEmpty ? .none : .value(names.joined(separator: " ")))
    }

    /// `style` with properties in points, for positions and sizes.
    package static func points(_ properties: KeyValuePairs<StaticString, Double>) -> HTMLAttribute {
        HTMLAttribute("style", .value(properties.map { "\($0.key):\($0.value.svg)px" }.joined(separator: ";")))
    }

    /// `class` with names of `views.css`, whose prefix `v-` keeps them apart from the rules of `guide.css`.
    static func view(_ names: String?...) -> HTMLAttribute {
        let names = names.compactMap(\.self).filter(isName).map { "v-" + $0 }
        return HTMLAttribute("class", names.isEmpty ? .none : .value(names.joined(separator: " ")))
    }

    /// `style` with a fraction from 0 to 1 as the custom property `--part`.
    static func part(_ part: Double) -> HTMLAttribute { HTMLAttribute("style", .value("--part:\(part.svg)")) }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// Returns whether an attribute contains a URL, a script, a style, a document or names.
    private static func isSpecial(_ name: String) -> Bool {
        name.hasPrefix("on")
            || [
                "href", "src", "srcset", "srcdoc", "action", "formaction", "poster", "data", "ping", "cite",
                "background",
                "style", "id", "class", "xlink:href",
            ].contains(name)
    }
}

/// A URL that is safe in a link or an image of a page: an ``HTTPURL`` or a path of this service.
///
/// All other URLs that browsers accept (`javascript:`, `data:`, `//host`, URLs with a user name) are rejected, including
/// variants with blanks, line breaks and uppercase letters.
package struct PageLink: Hashable, Sendable {
    package let text: String

    /// Creates a link from text without leading and trailing blanks.
    ///
    /// Returns `nil` unless the text is an ``HTTPURL``, or begins with a single `/`, with `?` or with `#`, has at most
    /// 4,000 bytes and contains no control characters, blanks and backslashes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { $0 != 0x20 }), let last = bytes.lastIndex(where: { $0 != 0x20 })
        else { return nil }
        let trimmed = bytes[first...last]
        let link = String(decoding: trimmed, as: UTF8.self)
        guard let text = PageLink.isPath(trimmed) ? link : HTTPURL(link)?.text else { return nil }
        self.text = text
    }

    private static func isPath(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count <= 4000, bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
            return false
        }
        switch bytes.first {
        case UInt8(ascii: "/"): return bytes.dropFirst().first != UInt8(ascii: "/")
        case UInt8(ascii: "?"), UInt8(ascii: "#"): return true
        default: return false
        }
    }
}
