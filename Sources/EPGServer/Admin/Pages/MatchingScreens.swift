import EPGImport
import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird

/// The stations that channels show: suggestions, decisions, and undoing them.
enum MatchingScreens {
    /// The channels that the page lists.
    private enum Selection: String, CaseIterable {
        case unmatched, mapped, matched, all

        var label: String {
            switch self {
            case .unmatched: "Without a station"
            case .mapped: "Mapped by you"
            case .matched: "With a station"
            case .all: "All"
            }
        }
    }

    /// What the page shows, from its URL.
    private struct View {
        var lineup: String?
        var selection = Selection.unmatched
        var words = ""
        var offset = 0
        static let limit = 40

        init(_ form: Form) {
            lineup = form["lineup"].flatMap { $0.isEmpty ? nil : $0 }
            selection = form["show"].flatMap(Selection.init) ?? .unmatched
            words = String((form["q"] ?? "").prefix(200))
            offset = min(max(0, form["offset"].flatMap { Int($0) } ?? 0), 1_000_000)
        }

        func path(offset: Int? = nil) -> String {
            var pairs = [("show", selection.rawValue)]
            if let lineup { pairs.append(("lineup", lineup)) }
            if !words.isEmpty { pairs.append(("q", words)) }
            if let offset = offset ?? (self.offset > 0 ? self.offset : nil), offset > 0 {
                pairs.append(("offset", String(offset)))
            }
            return "/admin/matching?" + pairs.map { "\($0.0)=\($0.1.percentEncoded)" }.joined(separator: "&")
        }

        func selects(_ channel: Channel, _ match: ChannelMatch?, isMapped: Bool) -> Bool {
            if channel.isHidden { return false }
            switch selection {
            case .unmatched: guard match == nil || match?.rule == .derived else { return false }
            case .mapped: guard isMapped else { return false }
            case .matched: guard match != nil, match?.rule != .derived else { return false }
            case .all: break
            }
            let wanted = words.lowercased().split(separator: " ")
            let text = [channel.name, channel.guideID ?? "", channel.number?.description ?? ""]
                .joined(separator: " ").lowercased()
            return wanted.allSatisfy { text.contains($0) }
        }
    }

    private struct Row: Sendable {
        var lineup: String
        var explanation: MatchExplanation
        /// The station that the channel shows; `nil` without one.
        var shown: Station?
        /// The rule that found it; `nil` without a station of a feed.
        var rule: ChannelMatchRule?
        /// The station of the user's mapping.
        var mapped: StationID?
    }

    private struct Content: Sendable {
        var lineups: [String] = []
        var rows: [Row] = []
        var total = 0
        var channels = 0
        var unmatched = 0
    }

    private static func content(of guide: any GuideReading, _ view: View) throws -> Content {
        var content = Content(lineups: try guide.lineups())
        let all = try guide.stations(inRows: 0..<Int.max).map(\.station)
        let stations = all.filter { $0.derivation == nil }
        let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
        let mappings = try guide.mappings()
        for name in content.lineups where view.lineup == nil || view.lineup == name {
            guard let (lineup, matches) = try guide.lineup(named: name) else { continue }
            let channels = zip(lineup.channels, matches)
            content.channels += channels.count { !$0.0.isHidden }
            content.unmatched += channels.count { !$0.isHidden && ($1 == nil || $1?.rule == .derived) }
            let selected = channels.filter { view.selects($0, $1, isMapped: mappings[$0.key] != nil) }
            let range = max(0, view.offset - content.total)..<max(0, view.offset - content.total + View.limit)
            let shown = selected.enumerated().filter {
                range.contains($0.offset) && content.rows.count + $0.offset - range.lowerBound < View.limit
            }.map(\.element)
            content.total += selected.count
            guard !shown.isEmpty else { continue }
            let explainer = MatchExplainer(channels: lineup.channels, stations: stations, mappings: mappings)
            content.rows += shown.map { channel, match in
                Row(
                    lineup: name, explanation: explainer.explain(channel), shown: match.flatMap { byID[$0.station] },
                    rule: match?.rule == .derived ? nil : match?.rule, mapped: mappings[channel.key])
            }
        }
        return content
    }

    static func matching(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let view = View(admin.query)
        let content = try await controller.read(admin) { guide in try Self.content(of: guide, view) }
        let token = admin.session?.formToken ?? ""
        return controller.page("Channel matching", admin) { html in
            guard !content.lineups.isEmpty else {
                html.element("p") { html in
                    html.text("There is no lineup. ")
                    html.link("Add a playlist", to: "/admin/add")
                    html.text(" first.")
                }
                return
            }
            html.paragraph(
                "\(content.channels - content.unmatched) of \(Wording.count(content.channels, "channel")) show a station."
            )
            writeFilter(view, content, &html)
            if content.unmatched > 0 {
                html.form("/admin/matching/accept", token, class: "a-inline") { html in
                    html.hidden("back", view.path())
                    html.hidden("lineup", view.lineup ?? "")
                    html.field(
                        "Accept all clear suggestions with a score of at least", name: "score", type: "number",
                        value: "0.90",
                        [.text("min", "0.5"), .text("max", "1"), .text("step", "0.01"), .flag("required")])
                    html.button("Accept them")
                }
            }
            html.element("p", [.class("a-keys"), .flag("hidden")]) { html in
                html.text(
                    "Keys: J and K or the arrow keys move, Enter accepts the first suggestion, 2 to 5 another one, O names another station, U undoes, / filters."
                )
            }
            guard !content.rows.isEmpty else {
                html.paragraph(view.words.isEmpty ? "No channel is left here." : "No channel matches the filter.")
                return
            }
            html.element("ol", [.class("a-matches"), .number("start", view.offset + 1)]) { html in
                for (index, row) in content.rows.enumerated() { write(row, index, view, token, &html) }
            }
            html.pager(
                offset: view.offset, limit: View.limit, count: content.rows.count, total: content.total
            ) { view.path(offset: $0) }
        }
    }

    private static func writeFilter(_ view: View, _ content: Content, _ html: inout HTMLWriter) {
        html.element(
            "form", [.class("a-inline"), .url("action", "/admin/matching"), .text("aria-label", "Filter")]
        ) { html in
            html.element("label", [.class("a-field")]) { html in
                html.element("span", text: "Channels")
                html.element("select", [.text("name", "show")]) { html in
                    for selection in Selection.allCases {
                        html.element(
                            "option",
                            [.text("value", selection.rawValue), .flag("selected", selection == view.selection)],
                            text: selection.label)
                    }
                }
            }
            if content.lineups.count > 1 {
                html.element("label", [.class("a-field")]) { html in
                    html.element("span", text: "Lineup")
                    html.element("select", [.text("name", "lineup")]) { html in
                        html.element("option", [.text("value", "")], text: "All")
                        for name in content.lineups {
                            html.element(
                                "option", [.text("value", name), .flag("selected", name == view.lineup)], text: name)
                        }
                    }
                }
            }
            html.field(
                "Filter", name: "q", type: "search", value: view.words,
                [.text("maxlength", "200"), .text("data-filter", "1"), .text("autocomplete", "off")])
            html.button("Show")
        }
    }

    private static func write(_ row: Row, _ index: Int, _ view: View, _ token: String, _ html: inout HTMLWriter) {
        let (explanation, channel) = (row.explanation, row.explanation.channel)
        let back = view.path() + "#m\(index)"
        html.element("li", [.id("m\(index)"), .number("tabindex", -1)]) { html in
            html.element("h2", [.text("dir", "auto")]) { html in
                if let number = channel.number { html.element("span", [.class("a-number")], text: "\(number) ") }
                html.text(channel.name)
            }
            html.element("p", [.class("a-detail")]) { html in
                html.text(
                    [channel.guideID.map { "tvg-id \($0)" }, row.lineup].compactMap(\.self).joined(separator: " · "))
            }
            html.element("p", text: reason(row))
            if !explanation.suggestions.isEmpty {
                html.form("/admin/matching", token, class: "a-suggestions") { html in
                    html.hidden("key", explanation.key)
                    html.hidden("back", back)
                    for suggestion in explanation.suggestions {
                        html.element(
                            "button",
                            [
                                .text("type", "submit"), .text("name", "station"),
                                .text("value", suggestion.station.rawValue),
                                .class("a-suggestion", suggestion.isContradicted ? "a-contradicted" : nil),
                            ]
                        ) { html in
                            html.element("span", [.class("a-score")], text: suggestion.scoreText)
                            html.element("span", [.class("a-station"), .text("dir", "auto")], text: suggestion.name)
                            html.element("span", [.class("a-detail"), .text("dir", "auto")]) { html in
                                html.text(
                                    (suggestion.name == suggestion.station.rawValue ? "" : "\(suggestion.station). ")
                                        + suggestion.evidenceText)
                            }
                        }
                    }
                }
            }
            html.element("div", [.class("a-inline")]) { html in
                html.form("/admin/matching", token, class: "a-inline") { html in
                    html.hidden("key", explanation.key)
                    html.hidden("back", back)
                    html.field(
                        "Another station", name: "other",
                        [
                            .flag("required"), .text("maxlength", "200"), .text("autocomplete", "off"),
                            .text("placeholder", "identifier or name"), .text("data-other", "1"),
                        ])
                    html.button("Map")
                }
                if row.mapped != nil {
                    html.form("/admin/matching", token) { html in
                        html.hidden("key", explanation.key)
                        html.hidden("back", back)
                        html.button("Remove your mapping")
                    }
                }
            }
        }
    }

    private static func reason(_ row: Row) -> String {
        if let mapped = row.mapped, row.shown == nil { return "Your mapping to \(mapped), which is not in the guide." }
        if let shown = row.shown, let rule = row.rule { return "Shows \(shown.name), by \(rule.label)." }
        let derived = row.shown == nil ? "" : " It shows derived listings."
        switch row.explanation.outcome {
        case .ambiguous(let rule): return "Several stations match by \(rule.label).\(derived)"
        default:
            return (row.explanation.suggestions.isEmpty ? "No station is similar." : "Similar stations:") + derived
        }
    }

    // MARK: - Changes

    /// The page to return to, which must be this one.
    private static func back(_ form: Form) -> String {
        guard let text = form["back"], text.utf8.count <= 2000,
            text == "/admin/matching" || text.hasPrefix("/admin/matching?"), let link = PageLink(text)
        else { return "/admin/matching" }
        return link.text
    }

    /// Maps a channel to a station, or removes its mapping.
    static func map(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let key = try admin.form.requiredText("key", maximumLength: 2000)
        let wanted = try admin.form.text("other") ?? admin.form.text("station", maximumLength: 2000)
        admin.subject.set(key)
        let back = back(admin.form)
        let isKnown = admin.form["station"] != nil
        do {
            let (name, former) = try await controller.write(admin) { guide -> (String?, [String: String?]) in
                let former = try guide.mappings()[key]
                var station: Station?
                if let wanted {
                    station = isKnown ? try guide.station(StationID(wanted))?.station : try find(wanted, in: guide)
                    guard let station else {
                        throw Problem(.unprocessableContent, "There is no station “\(wanted.prefix(80))” any more.")
                    }
                    guard station.derivation == nil else {
                        throw Problem(.unprocessableContent, "“\(station.name)” has only derived listings.")
                    }
                }
                try setMappings([key: station?.id], controller, admin, in: guide)
                return (station?.name, [key: former?.rawValue])
            }
            note(
                name.map { "“\(key)” now shows \($0)." }
                    ?? "The mapping of “\(key)” is removed; the rules apply again.",
                former, controller, admin)
            return AdminController.redirect(to: back)
        } catch let problem as Problem where problem.status == .unprocessableContent {
            return controller.redirect(to: back, admin, notice: problem.detail, isError: true)
        }
    }

    private static func find(_ text: String, in guide: any GuideReading) throws -> Station {
        func list(_ rows: [StationRow]) -> String {
            rows.map { "\($0.station.id) (\($0.station.name))" }.joined(separator: ", ")
        }
        switch try StationFinder.find(text, in: guide) {
        case .one(let row): return row.station
        case .several(let rows):
            throw Problem(
                .unprocessableContent, "“\(text)” is the name of several stations: \(list(rows)). Use an identifier.")
        case .none(let nearest):
            throw Problem(
                .unprocessableContent,
                "There is no station “\(text)”." + (nearest.isEmpty ? "" : " Did you mean \(list(nearest))?"))
        }
    }

    /// Changes mappings, and the listings that depend on them.
    private static func setMappings(
        _ mappings: [String: StationID?], _ controller: AdminController, _ admin: AdminRequest,
        in guide: any GuideWriting
    ) throws {
        try guide.setMappings(mappings, matcher: StationMatcher(), now: controller.service.now())
        try admin.operations.updateDerivedListings(in: guide)
        try guide.refreshSearchIndex()
    }

    /// Shows a message with a button that restores former mappings.
    private static func note(
        _ text: String, _ former: [String: String?], _ controller: AdminController, _ admin: AdminRequest
    ) {
        guard let id = admin.sessionID else { return }
        controller.sessions.update(id) { session in
            session.notice = Session.Notice(text: text, undo: former.isEmpty ? nil : "Undo")
            session.formerMappings = former
        }
    }

    /// Accepts the clear suggestions of all channels above a score.
    static func accept(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        guard let minimum = Double(admin.form["score"] ?? ""), (0.5...1).contains(minimum) else {
            throw Problem(.unprocessableContent, "The score must be a number from 0.5 to 1.")
        }
        let view = View(admin.form)
        let count = try await controller.write(admin) { guide -> [String: String?] in
            let stations = try guide.stations(inRows: 0..<Int.max).map(\.station).filter { $0.derivation == nil }
            let mappings = try guide.mappings()
            var explanations: [MatchExplanation] = []
            for name in try guide.lineups() where view.lineup == nil || view.lineup == name {
                guard let (lineup, matches) = try guide.lineup(named: name) else { continue }
                let explainer = MatchExplainer(channels: lineup.channels, stations: stations, mappings: mappings)
                for (channel, match) in zip(lineup.channels, matches) where !channel.isHidden {
                    if match == nil || match?.rule == .derived { explanations.append(explainer.explain(channel)) }
                }
            }
            let accepted = AcceptedSuggestions(of: explanations, above: minimum).stations
            guard !accepted.isEmpty else { return [:] }
            try setMappings(accepted, controller, admin, in: guide)
            return accepted.mapValues { _ in nil }
        }
        admin.subject.set("\(count.count) mappings above \(minimum)")
        note(
            count.isEmpty
                ? "No channel has a clear suggestion with a score of at least \(minimum)."
                : "Mapped \(Wording.count(count.count, "channel")).", count, controller, admin)
        return AdminController.redirect(to: back(admin.form))
    }

    /// Restores the mappings before the last change of the session.
    static func undo(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let former = admin.session?.formerMappings ?? [:]
        guard !former.isEmpty else {
            return controller.redirect(to: "/admin/matching", admin, notice: "There is nothing to undo.", isError: true)
        }
        admin.subject.set(former.keys.sorted().prefix(10).joined(separator: ", "))
        try await controller.write(admin) { guide in
            try setMappings(former.mapValues { $0.map { StationID($0) } }, controller, admin, in: guide)
        }
        if let id = admin.sessionID { controller.sessions.update(id) { $0.formerMappings = [:] } }
        return controller.redirect(
            to: "/admin/matching", admin, notice: "Undone: \(Wording.count(former.count, "mapping")) restored.")
    }
}
