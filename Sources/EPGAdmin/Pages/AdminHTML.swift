import EPGCalendar
import EPGHTTP
import EPGModel
import EPGRender
import EPGServer

extension PageFrame.Files {
    /// The files of administration and of the log-in.
    static let admin = PageFrame.Files(
        styles: ["guide.css", "views.css", "dialogs.css", "admin.css"].map(PageFile.url(of:)),
        firstScripts: PageFrame.Files.common(in: .english).firstScripts, scripts: [PageFile.url(of: "admin.js")],
        icon: PageFile.url(of: "icon.svg"))
}

/// Elements that the pages of administration share.
extension HTMLWriter {
    /// Writes the links to all pages, and the button that ends the session.
    mutating func adminNavigation(path: String, formToken: String) {
        let places = [
            ("/admin", "Overview"), ("/admin/add", "Add"), ("/admin/matching", "Matching"),
            ("/admin/lineups", "Lineups"),
            ("/admin/changes", "Changes"), ("/admin/profiles", "Profiles"), ("/admin/settings", "Settings"),
            ("/admin/access", "Access"),
        ]
        element("div", [.class("a-top")]) { html in
            html.element("nav", [.class("a-nav"), .text("aria-label", "Administration")]) { html in
                for (place, name) in places {
                    html.element(
                        "a", [.url("href", place), .text("aria-current", place == path ? "page" : nil)], text: name)
                }
            }
            html.form("/logout", formToken, class: "a-logout") { $0.button("Log out", class: "quiet") }
        }
    }

    /// Writes the message of the last action: an error in its place on the page, a success as a toast, perhaps with a button that
    /// undoes it.
    mutating func notice(_ notice: Session.Notice, back: String, formToken: String) {
        guard !notice.isError else { return alert(notice.text) }
        element("div", [.class("state", "toast"), .text("role", "status")]) { html in
            html.element("span", text: notice.text)
            guard let undo = notice.undo else { return }
            html.form("/admin/undo", formToken) { html in
                html.hidden("back", back)
                html.hidden("change", String(undo))
                html.button("Undo")
            }
        }
    }

    /// Writes that a list is empty, and a button that leads to where it is filled.
    mutating func nothing(_ text: String, action: (label: String, path: String)? = nil) {
        element("div", [.class("v-empty")]) { html in
            html.element("p", text: text)
            guard let action else { return }
            html.element("a", [.class("button"), .url("href", action.path)], text: action.label)
        }
    }

    /// Writes a mark and a word for the severity of a problem or the health of something.
    mutating func mark(_ mark: Mark, _ text: String) {
        element("span", [.class("a-mark", "a-\(mark.rawValue)")], text: text)
    }

    /// Writes the bar above a list with boxes: one that checks all boxes, and buttons for the checked rows.
    ///
    /// - Parameters:
    ///   - all: The URL of the same page with all boxes checked, for browsers without scripts.
    mutating func selection(_ label: String, all: String, buttons: (inout HTMLWriter) -> Void) {
        element("div", [.class("a-selection"), .text("role", "group"), .text("aria-label", label)]) { html in
            html.element("label", [.class("a-check"), .flag("hidden")]) { html in
                html.void("input", [.text("type", "checkbox"), .text("data-all", "1")])
                html.element("span", text: "Select all shown")
            }
            html.element(
                "a", [.class("button", "quiet"), .url("href", all), .text("data-plain", "1")], text: "Select all shown")
            html.element("span", [.class("a-count"), .text("aria-live", "polite"), .text("data-count", "1")]) { _ in }
            buttons(&html)
        }
    }

    /// Writes the box that selects a row.
    ///
    /// - Parameter form: The identifier of a form that does not contain the box; `nil` for the form around it.
    mutating func selectionBox(
        _ label: String, name: String, value: String, form: String? = nil, isChecked: Bool = false
    ) {
        void(
            "input",
            [
                .text("type", "checkbox"), .text("name", name), .text("value", value), .text("form", form),
                .flag("checked", isChecked), .text("aria-label", label), .text("data-select", "1"),
            ])
    }

    /// Writes a message about invalid input.
    mutating func alert(_ text: String?) {
        guard let text else { return }
        element("div", [.class("a-notice", "a-error"), .text("role", "alert")]) { $0.element("p", text: text) }
    }

    /// Writes a problem at the top of a page, unless the page shows it beside one of its fields.
    mutating func alert(_ problem: Problem?, exceptOf fields: Set<String>) {
        guard let problem, !(problem.parameter.map(fields.contains) ?? false) else { return }
        alert(problem.detail)
    }

    /// Writes a form that sends its fields with the token of the session.
    mutating func form(
        _ path: String, _ formToken: String, class style: String? = nil, sendsFile: Bool = false,
        _ attributes: [HTMLAttribute] = [], content: (inout HTMLWriter) throws -> Void
    ) rethrows {
        let type: HTMLAttribute = .text("enctype", sendsFile ? "multipart/form-data" : nil)
        try element("form", [.url("action", path), .text("method", "post"), .class(style), type] + attributes) { html in
            // It must precede the file.
            html.hidden("form-token", formToken)
            try content(&html)
        }
    }

    /// Writes a labeled input.
    ///
    /// - Parameters:
    ///   - hint: A sentence below it.
    ///   - problem: The problem of the form. If it is about this field, the field has the focus and shows it.
    mutating func field(
        _ label: String, name: String, type: String = "text", value: String? = nil, hint: String? = nil,
        problem: Problem? = nil, class style: String? = nil, _ attributes: [HTMLAttribute] = []
    ) {
        let flaw = problem?.parameter == name ? problem?.detail : nil
        element("label", [.class("a-field", style)]) { html in
            html.element("span", text: label)
            html.void(
                "input",
                [.text("type", type), .text("name", name), .text("value", value)] + HTMLWriter.marks(ofFlaw: flaw)
                    + attributes)
            html.flaw(flaw)
            if let hint { html.element("small", text: hint) }
        }
    }

    /// Writes an input in a table, whose label only assistive technology shows.
    mutating func input(
        _ label: String, name: String, value: String?, problem: Problem?, _ attributes: [HTMLAttribute] = []
    ) {
        let flaw = problem?.parameter == name ? problem?.detail : nil
        void(
            "input",
            [.text("name", name), .text("value", value), .text("aria-label", label)] + HTMLWriter.marks(ofFlaw: flaw)
                + attributes)
        self.flaw(flaw)
    }

    /// Writes a labeled list with one choice. For the parameters, see ``field(_:name:type:value:hint:problem:class:_:)``.
    mutating func select(
        _ label: String, name: String, options: [(value: String, label: String)], selected: String?,
        hint: String? = nil, problem: Problem? = nil
    ) {
        let flaw = problem?.parameter == name ? problem?.detail : nil
        element("label", [.class("a-field")]) { html in
            html.element("span", text: label)
            html.element("select", [.text("name", name)] + HTMLWriter.marks(ofFlaw: flaw)) { html in
                for option in options {
                    html.element(
                        "option", [.text("value", option.value), .flag("selected", option.value == selected)],
                        text: option.label)
                }
            }
            html.flaw(flaw)
            if let hint { html.element("small", text: hint) }
        }
    }

    /// The attributes of an input whose value is invalid; none without a flaw.
    private static func marks(ofFlaw flaw: String?) -> [HTMLAttribute] {
        [.text("aria-invalid", flaw == nil ? nil : "true"), .flag("autofocus", flaw != nil)]
    }

    private mutating func flaw(_ text: String?) {
        if let text { element("span", [.class("a-flaw")], text: text) }
    }

    /// Writes an input for a time zone, with a list of zones that the browser filters while the user types.
    mutating func zoneField(
        _ label: String, name: String = "zone", value: String?, hint: String, problem: Problem? = nil, now: Instant
    ) {
        field(
            label, name: name, value: value, hint: hint, problem: problem,
            [
                .text("list", "zones"), .text("autocomplete", "off"), .text("maxlength", "100"),
                .text("spellcheck", "false"),
            ])
        element("datalist", [.id("zones")]) { html in
            for zone in ZoneChoice.all(at: now) {
                html.element("option", [.text("value", zone.name)], text: zone.label)
            }
        }
    }

    /// Writes the choice of a refresh schedule in words, and a field for a cron expression that only the last choice uses.
    ///
    /// - Parameters:
    ///   - choice: The selected choice.
    ///   - custom: The cron expression in the field.
    ///   - hint: A sentence below the choice.
    ///   - help: What a cron expression is.
    mutating func scheduleFields(
        _ label: String, _ choice: ScheduleChoice, custom: String?, hint: String?, help: String,
        problem: Problem? = nil
    ) {
        element("div", [.class("a-schedule")]) { html in
            html.select(
                label, name: "schedule", options: ScheduleChoice.allCases.map { ($0.rawValue, $0.label) },
                selected: choice.rawValue, hint: hint, problem: problem)
            html.field(
                "Cron expression", name: "refresh", value: custom, hint: help, problem: problem, class: "a-custom",
                [.text("maxlength", "1000"), .text("autocomplete", "off")])
        }
    }

    /// Writes a labeled checkbox.
    mutating func checkbox(_ label: String, name: String, isOn: Bool = false) {
        element("label", [.class("a-check")]) { html in
            html.void(
                "input",
                [.text("type", "checkbox"), .text("name", name), .text("value", "1"), .flag("checked", isOn)])
            html.element("span", text: label)
        }
    }

    /// Writes names with values; omits those without a value.
    mutating func facts(_ facts: [(name: String, value: String?)]) {
        element("dl", [.class("a-facts")]) { html in
            for (name, value) in facts {
                guard let value else { continue }
                html.element("div") { html in
                    html.element("dt", text: name)
                    html.element("dd", [.text("dir", "auto")], text: value)
                }
            }
        }
    }

    /// Writes a table that scrolls in its own box on narrow screens.
    mutating func table(
        _ label: String, headings: [String], rows: (inout HTMLWriter) throws -> Void
    ) rethrows {
        try element(
            "div", [.class("a-table"), .text("role", "region"), .text("aria-label", label), .number("tabindex", 0)]
        ) { html in
            try html.element("table") { html in
                html.element("thead") { html in
                    html.element("tr") { html in
                        for heading in headings { html.element("th", [.text("scope", "col")], text: heading) }
                    }
                }
                try html.element("tbody", content: rows)
            }
        }
    }

    /// Writes the buttons that move a row of a table to the place of another row. `admin.js` adds keys and dragging.
    ///
    /// - Parameters:
    ///   - places: The places of the row, and of its neighbors; `nil` for a neighbor that does not exist.
    mutating func moves(_ name: String, _ places: (above: Int?, own: Int, below: Int?)) {
        for (target, sign, label) in [(places.above, "↑", "up"), (places.below, "↓", "down")] {
            guard let target else { continue }
            button(
                sign, class: "a-move",
                [
                    .text("name", "action"), .text("value", "move:\(places.own):\(target)"),
                    .text("aria-label", "Move \(name) \(label)"), .text("data-move", label),
                ])
        }
    }

    mutating func cell(_ text: String, class style: String? = nil) {
        element("td", [.class(style), .text("dir", "auto")], text: text)
    }

    mutating func heading(_ text: String) { element("h2", text: text) }

    mutating func paragraph(_ text: String, class style: String? = nil) { element("p", [.class(style)], text: text) }
}

/// The mark beside a word for a severity or a state. Each has its own shape, so that its color is not needed.
enum Mark: String, Sendable {
    /// A cross.
    case error
    /// A triangle.
    case warning
    /// A circle.
    case note
    /// A check mark.
    case good
    /// An open circle.
    case waiting
}

/// The move of a row to the place of another row, as the button of a form sends it: `move:7:3`.
struct RowMove: Sendable {
    /// The index of the row, and the index of the row whose place it takes.
    let from: Int
    let to: Int

    /// Parses the value of the button; `nil` for another value.
    init?(_ action: String) {
        let parts = action.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "move", let from = Int(parts[1]), let to = Int(parts[2]) else { return nil }
        (self.from, self.to) = (from, to)
    }

    /// Moves an element; returns `false` if there is no such place.
    func apply<Element>(to elements: inout [Element]) -> Bool {
        guard elements.indices.contains(from), elements.indices.contains(to) else { return false }
        elements.insert(elements.remove(at: from), at: to)
        return true
    }
}

/// Times on pages of administration.
struct AdminClock {
    let zone: Zone
    let now: Instant

    /// Returns an instant and its age, or its distance: `Sat 24 Oct 2026, 20:30 BST (2 h ago)`.
    func text(_ instant: Instant) -> String {
        let seconds = instant.seconds(to: now)
        let distance = Wording.duration(abs(seconds))
        return "\(zone.fullLabel(at: instant)) (\(seconds >= 0 ? "\(distance) ago" : "in \(distance)"))"
    }
}
