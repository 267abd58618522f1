package import EPGCalendar
import EPGJSON
package import EPGModel

/// The content of the page of the watchlist.
package struct WatchPage: Sendable {
    /// The rules of a profile, and the upcoming airings that match them.
    fileprivate struct Profile: Sendable {
        let name: String
        let listing: WatchListing
    }

    fileprivate let profiles: [Profile]
    /// The names of the stations in rules.
    fileprivate let stationNames: [StationID: String]
    /// The number of reminders of each rule that were not delivered.
    fileprivate let undelivered: [Int64: Int]
    fileprivate let tuners: Int
    fileprivate let now: Instant
    fileprivate let zone: Zone
    /// The zone of times in rules.
    fileprivate let ruleZone: Zone

    /// Maximum number of airings of a profile on the page.
    fileprivate static let maximumAirings = 500

    /// Reads the rules and evaluates them.
    ///
    /// - Parameters:
    ///   - profile: The profile; `nil` for all.
    ///   - ruleZone: The zone of times in rules.
    ///   - index: What former evaluations of the same guide have read; by default, nothing.
    package init(
        of guide: any GuideReading, profile: String?, tuners: Int, now: Instant, zone: Zone, ruleZone: Zone,
        index: WatchIndex = WatchIndex()
    ) throws {
        let rules = try guide.watchRules().filter { profile == nil || $0.profile == profile }
        var names: [String] = []
        for rule in rules where !names.contains(rule.profile) { names.append(rule.profile) }
        let listing = try WatchListing(of: rules, in: guide, now: now, zone: ruleZone, tuners: tuners, index: index)
        profiles = names.map { Profile(name: $0, listing: listing.part(ofProfile: $0)) }
        let named = try Set(rules.compactMap(\.conditions.station)).compactMap { id in
            try guide.station(id).map { (id, $0.station.name) }
        }
        stationNames = Dictionary(named) { first, _ in first }
        let open = try guide.reminders().filter { $0.state == .failed || $0.failures > 0 && $0.state == .sending }
        undelivered = Dictionary(open.map { ($0.rule, 1) }, uniquingKeysWith: +)
        self.tuners = tuners
        self.now = now
        self.zone = zone
        self.ruleZone = ruleZone
    }
}

/// The HTML of the page of the watchlist.
package struct WatchHTML: Sendable {
    private let page: WatchPage
    private let frame: PageFrame
    private let clock: GuideClock

    package init(_ page: WatchPage, frame: PageFrame) {
        self.page = page
        self.frame = frame
        clock = frame.clock(in: page.zone)
    }

    /// The document in UTF-8.
    package var bytes: [UInt8] {
        frame.html { html in
            html.element("div", [.view("lede")]) { html in
                html.element("h1", text: html.texts("watchlist"))
                html.element("p", [.text("data-empty", page.profiles.isEmpty ? "" : nil)], text: summary)
            }
            if frame.acceptsRules {
                html.element("div", [.view("watch"), frame.watchAttribute]) { html in
                    html.element(
                        "button", [.text("type", "button"), .text("data-edit", "{}"), .flag("hidden")],
                        text: html.texts("newRule"))
                    html.element("p", [.text("role", "status")]) { _ in }
                }
            }
            writeReminders(&html)
            for profile in page.profiles { write(profile, &html) }
            if page.profiles.isEmpty {
                html.element(
                    "p", [.view("empty")], text: html.texts("remindHint", ["remindMe": html.texts("remindMe")]))
            }
            if frame.acceptsRules { writeForm(&html) }
        }
    }

    private var summary: String {
        let count = page.profiles.reduce(0) { $0 + $1.listing.airings.count }
        switch count {
        case 0 where page.profiles.isEmpty: return frame.texts("watchEmpty")
        case 0: return frame.texts("nothingComing", ["days": String(Watchlist.defaultDays)])
        default: return frame.texts("airingsSoon", count: count, ["days": String(Watchlist.defaultDays)])
        }
    }

    /// Writes the part for the reminders of the browser, which its script fills and shows.
    private func writeReminders(_ html: inout HTMLWriter) {
        html.element("section", [.id("reminders"), .view("reminders"), .flag("hidden")]) { html in
            html.element("h2", [.view("part")], text: html.texts("remindersHere"))
            html.element("p", [.view("note")], text: html.texts("remindersHereHint"))
            html.element("label") { html in
                html.text(html.texts("fieldMinutes"))
                html.element("select", [.id("reminder-minutes")]) { _ in }
            }
            html.element("ul", [.view("rules")]) { _ in }
        }
    }

    private func write(_ profile: WatchPage.Profile, _ html: inout HTMLWriter) {
        if page.profiles.count > 1 || profile.name != WatchRule.defaultProfile {
            html.element("h2", [.view("part"), .text("dir", "auto")], text: profile.name)
        }
        writeRules(profile, &html)
        writeConflicts(profile.listing, &html)
        guard !profile.listing.airings.isEmpty else { return }
        html.element("h2", [.view("part")], text: html.texts("coming"))
        html.element("ol", [.view("matches")]) { html in
            for watched in profile.listing.airings.prefix(WatchPage.maximumAirings) {
                html.lineBreak()
                let style = watched.airing.window.contains(page.now) ? "current" : "coming"
                html.element("li", [.view("match", style)]) { write(watched, profile.listing, &$0) }
            }
        }
        let more = profile.listing.airings.count - WatchPage.maximumAirings
        if more > 0 {
            html.element(
                "p", [.view("note")],
                text: html.texts("airingsMore", count: more))
        }
    }

    private func writeRules(_ profile: WatchPage.Profile, _ html: inout HTMLWriter) {
        html.element("ul", [.view("rules")]) { html in
            for rule in profile.listing.rules {
                let name = rule.name.percentEncoded
                html.element("li") { html in
                    html.guideText("strong", "name", rule.name)
                    let station = rule.conditions.station.flatMap { page.stationNames[$0] }
                    let isElsewhere = rule.conditions.times != nil && page.ruleZone.name != page.zone.name
                    html.guideText(
                        "span", "text",
                        rule.summary(stationName: station, in: html.texts)
                            + (isElsewhere ? " (\(html.texts("ruleTimesIn", ["zone": page.ruleZone.name])))" : "")
                            + " · " + html.texts("beforeStart", ["minutes": String(rule.minutesBefore)]))
                    if let failure = profile.listing.failures.first(where: { $0.rule.id == rule.id }) {
                        html.element("span", [.view("trouble-note")], text: "\(failure.error)")
                    }
                    if let count = page.undelivered[rule.id] {
                        html.element(
                            "span", [.view("trouble-note")], text: html.texts("remindersFailed", count: count))
                    }
                    for (suffix, label) in [(".ics", html.texts("calendar")), (".atom", html.texts("feed"))] {
                        html.element("a", [.url("href", frame.feedPath("/watch/\(name)\(suffix)"))]) { html in
                            html.text(label)
                            html.element("span", [.class("unseen")], text: ": \(rule.name)")
                        }
                    }
                    if frame.acceptsRules {
                        var json = JSONWriter()
                        json.write(rule)
                        html.element(
                            "button",
                            [
                                .text("type", "button"), .flag("hidden"),
                                .text("data-edit", String(decoding: json.takeBytes(), as: UTF8.self)),
                            ]
                        ) { html in
                            html.text(html.texts("edit"))
                            html.element("span", [.class("unseen")], text: ": \(rule.name)")
                        }
                        html.element(
                            "button",
                            [
                                .text("type", "button"), .flag("hidden"), .text("data-remove", rule.name),
                                .text("data-profile", rule.profile),
                            ]
                        ) { html in
                            html.text(html.texts("remove"))
                            html.element("span", [.class("unseen")], text: ": \(rule.name)")
                        }
                    }
                }
            }
        }
    }

    /// A field of the form for a rule.
    private struct Field {
        let name: String
        let label: StaticString
        var kind = "text"
        var hint: StaticString?
        /// The maximum length in characters, which bytes limit further.
        var length = WatchRule.maximumConditionLength

        static let all = [
            Field(
                name: "name", label: "fieldName", hint: "fieldNameHint",
                length: WatchRule.maximumNameLength),
            Field(name: "profile", label: "fieldProfile", length: WatchRule.maximumNameLength),
            Field(name: "title", label: "fieldTitle"),
            Field(
                name: "words", label: "fieldWords",
                hint: "fieldWordsHint"),
            Field(
                name: "any", label: "fieldAny", kind: "textarea", hint: "fieldAnyHint"),
            Field(
                name: "without", label: "fieldWithout", kind: "textarea",
                hint: "fieldWithoutHint"),
            Field(
                name: "pattern", label: "fieldPattern",
                hint: "fieldPatternHint",
                length: TextPattern.maximumLength),
            Field(name: "category", label: "fieldCategory"),
            Field(name: "station", label: "fieldStation", hint: "fieldStationHint"),
            Field(name: "between", label: "fieldBetween", hint: "fieldBetweenHint", length: 20),
            Field(name: "minutes", label: "fieldMinutes", kind: "number"),
            Field(name: "new", label: "fieldNew", kind: "checkbox"),
            Field(name: "once", label: "fieldOnce", kind: "checkbox"),
        ]
    }

    /// Writes the form for a rule, which `rules.js` fills and opens.
    private func writeForm(_ html: inout HTMLWriter) {
        html.element("dialog", [.id("rule"), .view("rule"), .text("aria-labelledby", "rule-heading")]) { html in
            html.element("form", [.text("method", "dialog"), .flag("novalidate")]) { html in
                html.element("h2", [.id("rule-heading")], text: html.texts("newRule"))
                html.element("div", [.view("fields")]) { html in
                    for field in Field.all { write(field, &html) }
                }
                html.element(
                    "ol",
                    [.id("rule-airings"), .text("aria-label", html.texts("airingsThatMatch")), .number("tabindex", 0)]
                ) { _ in }
                html.element("div", [.view("acts")]) { html in
                    html.element("p", [.id("rule-problem"), .view("trouble-note"), .text("role", "alert")]) { _ in }
                    html.element("p", [.id("rule-count"), .text("role", "status")]) { _ in }
                    html.button(html.texts("save"))
                    html.element("button", [.text("type", "button"), .id("rule-cancel")], text: html.texts("cancel"))
                }
            }
        }
    }

    private func write(_ field: Field, _ html: inout HTMLWriter) {
        let (id, note) = ("rule-\(field.name)", "rule-\(field.name)-note")
        html.element("div", [.class(field.kind == "checkbox" ? "check" : nil)]) { html in
            html.element("label", [.text("for", id)], text: html.texts(field.label))
            var attributes: [HTMLAttribute] = [.id(id), .text("name", field.name), .text("aria-describedby", note)]
            switch field.kind {
            case "textarea": html.element("textarea", attributes + [.number("rows", 2)]) { _ in }
            case "number":
                attributes += [.number("min", 0), .number("max", WatchRule.maximumMinutesBefore)]
                html.void("input", attributes + [.text("type", field.kind)])
            case "checkbox": html.void("input", attributes + [.text("type", field.kind)])
            default:
                let list = ["category", "station"].contains(field.name) ? id + "-list" : nil
                attributes += [
                    .text("type", field.kind), .number("maxlength", field.length), .text("autocomplete", "off"),
                    .text("list", list), .text("dir", "auto"),
                ]
                html.void("input", attributes)
                if let list { html.element("datalist", [.id(list)]) { _ in } }
            }
            let hint = field.hint.map { html.texts($0) } ?? ""
            html.element("small", [.id(note), .text("data-hint", hint)], text: hint)
        }
    }

    private func writeConflicts(_ listing: WatchListing, _ html: inout HTMLWriter) {
        guard listing.conflicts.count > 0 else { return }
        let titles = Dictionary(
            listing.airings.map { ($0.id, "\(frame.title(of: $0.airing)) (\($0.detail.stationName))") }
        ) { first, _ in first }
        html.element(
            "h2", [.view("part")], text: html.texts("conflictsWith", count: page.tuners))
        html.element("ul", [.view("conflicts")]) { html in
            for conflict in listing.conflicts.list {
                html.element("li") { html in
                    html.text(clock.day(page.zone.date(at: conflict.window.start), at: page.now) + ", ")
                    html.range(conflict.window, clock, seenFrom: page.zone.date(at: conflict.window.start))
                    html.text(": ")
                    html.guideText("span", "text", conflict.airings.compactMap { titles[$0] }.joined(separator: ", "))
                    let more = conflict.count - conflict.airings.count
                    if more > 0 { html.text(", " + html.texts("andMore", count: more)) }
                }
            }
            let more = listing.conflicts.count - listing.conflicts.list.count
            if more > 0 { html.element("li", text: html.texts("conflictsMore", count: more)) }
        }
    }

    private func write(_ watched: WatchedAiring, _ listing: WatchListing, _ html: inout HTMLWriter) {
        let airing = watched.airing
        html.airing(airing, clock, at: page.now, frame: frame) { html in
            html.guideText("strong", "title", frame.title(of: airing))
            if let line = AiringText(airing).secondLine { html.guideText("span", "second", line) }
            html.guideText("span", "station", watched.detail.stationName)
            if listing.rules.count > 1 {
                html.guideText("span", "station", watched.rules.map(\.name).joined(separator: ", "))
            }
            if listing.conflicts.airings.contains(watched.id) {
                html.element("span", [.view("trouble-note")], text: html.texts("conflict"))
            }
        }
    }
}
