import EPGCalendar
import EPGHTTP
import EPGImport
import EPGModel
import EPGRender
import EPGServer
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
        /// Whether all channels of the page are selected.
        var selectsAll = false
        static let limit = 40

        init(_ form: Form) {
            lineup = form["lineup"].flatMap { $0.isEmpty ? nil : $0 }
            selection = form["show"].flatMap(Selection.init) ?? .unmatched
            words = String((form["q"] ?? "").prefix(200))
            offset = min(max(0, form["offset"].flatMap { Int($0) } ?? 0), 1_000_000)
            selectsAll = form["select"] == "all"
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

        /// Whether the page lists channels without a station.
        var showsUnmatched: Bool { selection == .unmatched || selection == .all }

        /// The fields that a form repeats to keep the view.
        func writeFields(_ html: inout HTMLWriter) {
            html.hidden("show", selection.rawValue)
            html.hidden("lineup", lineup ?? "")
            html.hidden("q", words)
        }

        static func isUnmatched(_ match: ChannelMatch?) -> Bool { match == nil || match?.rule == .derived }

        func selects(_ channel: Channel, _ match: ChannelMatch?, isMapped: Bool) -> Bool {
            if channel.isHidden { return false }
            switch selection {
            case .unmatched: guard Self.isUnmatched(match) else { return false }
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
        /// The last change of the session that can be undone.
        var undo: (number: Int, change: AdminChange)?
        /// What the stations of the rows show at the moment.
        var onNow: [StationID: Airing] = [:]
    }

    private static func content(
        of guide: any GuideReading, _ view: View, _ changes: AdminChanges, at now: Instant
    ) throws -> Content {
        var content = Content(lineups: try guide.lineups())
        content.undo = try changes.lastValid(in: guide)
        let stationRows = try guide.stations(inRows: 0..<Int.max)
        let all = stationRows.map(\.station)
        let stations = all.filter { $0.derivation == nil }
        let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
        let mappings = try guide.mappings()
        for name in content.lineups where view.lineup == nil || view.lineup == name {
            guard let (lineup, matches) = try guide.lineup(named: name) else { continue }
            let channels = zip(lineup.channels, matches)
            content.channels += channels.count { !$0.0.isHidden }
            content.unmatched += channels.count { !$0.isHidden && View.isUnmatched($1) }
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
        var wanted: Set<StationID> = []
        for row in content.rows {
            wanted.formUnion(row.explanation.suggestions.map(\.station))
            if let shown = row.shown { wanted.insert(shown.id) }
        }
        let rows = stationRows.filter { wanted.contains($0.station.id) }
        let details = try guide.details(at: now, inRows: rows.map(\.row))
        for (index, row) in rows.enumerated() { content.onNow[row.station.id] = details[index]?.airing }
        return content
    }

    static func matching(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let view = View(admin.query)
        let changes = admin.session?.changes ?? AdminChanges()
        let clock = controller.clock
        let content = try await controller.read(admin) { guide in
            try Self.content(of: guide, view, changes, at: clock.now)
        }
        let token = admin.session?.formToken ?? ""
        return controller.page("Channel matching", admin) { html in
            guard !content.lineups.isEmpty else {
                html.nothing(
                    "There is no lineup. The channels of a playlist are matched here.",
                    action: ("Add a playlist", "/admin/add"))
                return
            }
            html.element("p") { html in
                html.text(
                    "\(content.channels - content.unmatched) of \(Wording.count(content.channels, "channel")) show a station."
                )
                guard content.unmatched > 0 else { return }
                html.text(" If there is none for a channel, hide it in its ")
                html.link("lineup", to: "/admin/lineups")
                html.text(".")
            }
            writeFilter(view, content, &html)
            if let undo = content.undo { html.undoButton(undo, back: view.path(), token) }
            if content.unmatched > 0, view.showsUnmatched { writeBulkForm(view, &html) }
            html.element("p", [.class("a-keys"), .flag("hidden")]) { html in
                html.text(
                    "Keys: J and K or the arrow keys move, Enter accepts the first suggestion, 2 to 5 another suggestion, O names another station, X selects, U undoes, / filters."
                )
            }
            guard !content.rows.isEmpty else {
                html.nothing(view.words.isEmpty ? "No channel is left here." : "No channel matches the filter.")
                return
            }
            html.form("/admin/matching/selected", token, [.id("selection")]) { html in
                html.hidden("back", view.path())
                html.selection("Selected channels", all: view.path() + "&select=all") { html in
                    html.button("Accept first suggestions", [.text("name", "action"), .text("value", "accept")])
                    html.button("Hide in lineups", [.text("name", "action"), .text("value", "hide")])
                    if view.selection != .unmatched {
                        html.button("Remove mappings", [.text("name", "action"), .text("value", "remove")])
                    }
                }
            }
            html.element("ol", [.class("a-matches"), .number("start", view.offset + 1)]) { html in
                for (index, row) in content.rows.enumerated() {
                    write(row, index, view, content.onNow, clock.zone, token, &html)
                }
            }
            html.pager(
                offset: view.offset, limit: View.limit, count: content.rows.count, total: content.total
            ) { view.path(offset: $0) }
        }
    }

    /// Writes the form that leads to the clear suggestions above a score.
    private static func writeBulkForm(_ view: View, _ html: inout HTMLWriter) {
        html.element("form", [.class("a-inline"), .url("action", "/admin/matching/accept")]) { html in
            view.writeFields(&html)
            html.field(
                "Minimum score", name: "score", type: "number", value: "0.90",
                [.text("min", "0.5"), .text("max", "1"), .text("step", "0.01"), .flag("required")])
            html.button("Review clear suggestions")
        }
    }

    private static func writeFilter(_ view: View, _ content: Content, _ html: inout HTMLWriter) {
        html.element(
            "form", [.class("a-inline"), .url("action", "/admin/matching"), .text("aria-label", "Filter")]
        ) { html in
            html.select(
                "Channels", name: "show", options: Selection.allCases.map { ($0.rawValue, $0.label) },
                selected: view.selection.rawValue)
            if content.lineups.count > 1 {
                html.select(
                    "Lineup", name: "lineup", options: [("", "All")] + content.lineups.map { ($0, $0) },
                    selected: view.lineup ?? "")
            }
            html.field(
                "Filter", name: "q", type: "search", value: view.words,
                [.text("maxlength", "200"), .text("data-filter", "1"), .text("autocomplete", "off")])
            html.button("Show")
        }
    }

    private static func write(
        _ row: Row, _ index: Int, _ view: View, _ onNow: [StationID: Airing], _ zone: Zone, _ token: String,
        _ html: inout HTMLWriter
    ) {
        let (explanation, channel) = (row.explanation, row.explanation.channel)
        let back = view.path() + "#m\(index)"
        html.element("li", [.id("m\(index)"), .number("tabindex", -1)]) { html in
            html.element("div", [.class("a-title")]) { html in
                html.selectionBox(
                    "Select \(channel.name)", name: "row", value: String(index), form: "selection",
                    isChecked: view.selectsAll)
                html.element("h2", [.text("dir", "auto")]) { html in
                    if let number = channel.number {
                        html.element("span", [.class("a-number")], text: "\(number) ")
                    }
                    html.text(channel.name)
                }
                html.element("span", [.class("a-detail")]) { html in
                    html.text(
                        [channel.guideID.map { "tvg-id \($0)" }, row.lineup].compactMap(\.self)
                            .joined(separator: " · "))
                }
            }
            // The list may change between the page and the form.
            writeHidden("key\(index)", explanation.key, &html)
            writeHidden("lineup\(index)", row.lineup, &html)
            if let first = explanation.suggestions.first {
                writeHidden("station\(index)", first.station.rawValue, &html)
            }
            html.element("p", text: reason(row))
            if let shown = row.shown { writeOnNow(onNow[shown.id], zone, &html) }
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
                            html.element("span", [.class("a-station")]) { html in
                                html.element("span", [.text("dir", "auto")], text: suggestion.name)
                                writeOnNow(onNow[suggestion.station], zone, &html)
                            }
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
                        html.button("Remove your mapping", [.text("name", "action"), .text("value", "remove")])
                    }
                }
            }
        }
    }

    /// Writes a hidden field of the form for selected channels.
    private static func writeHidden(_ name: String, _ value: String, _ html: inout HTMLWriter) {
        html.void(
            "input",
            [.text("type", "hidden"), .text("name", name), .text("value", value), .text("form", "selection")])
    }

    /// Writes what a station shows at the moment, from which users see whether two stations are the same.
    private static func writeOnNow(_ airing: Airing?, _ zone: Zone, _ html: inout HTMLWriter) {
        html.element("span", [.class("a-on-now"), .text("dir", "auto")]) { html in
            guard let airing else { return html.text("Nothing on now") }
            let times = "\(zone.timeLabel(at: airing.window.start))–\(zone.timeLabel(at: airing.window.end))"
            html.text("On now: \(airing.shownTitle), \(times)")
        }
    }

    private static func reason(_ row: Row) -> String {
        if let mapped = row.mapped, row.shown == nil { return "Your mapping to \(mapped), which is not in the guide." }
        if let shown = row.shown, let rule = row.rule {
            let text = "Shows \(shown.name), by \(rule.label)."
            guard row.explanation.isDoubtful, let basis = row.explanation.basis else { return text }
            return text + " This is doubtful: \(basis.contradictionText)."
        }
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
        let isRemoval = admin.form["action"] == "remove"
        admin.subject.set(key)
        let back = back(admin.form)
        do {
            let known = try admin.form.text("station", maximumLength: 2000)
            let other = try admin.form.text("other")
            guard isRemoval || known != nil || other != nil else {
                throw Problem(.unprocessableContent, "Enter the identifier or the name of a station.")
            }
            let (name, change) = try await controller.write(admin) { guide in
                var station: Station?
                if !isRemoval {
                    let wanted = other ?? known ?? ""
                    station = other == nil ? try guide.station(StationID(wanted))?.station : try find(wanted, in: guide)
                    guard let station else {
                        throw Problem(.unprocessableContent, "There is no station “\(wanted.prefix(80))” any more.")
                    }
                    guard station.derivation == nil else {
                        throw Problem(.unprocessableContent, "“\(station.name)” has only derived listings.")
                    }
                }
                let change = try setMappings(
                    [key: station?.id], label: "Undo: the mapping of “\(key.prefix(60))”", controller, admin, in: guide)
                return (station?.name, change)
            }
            return done(
                name.map { "“\(key)” now shows \($0)." }
                    ?? "The mapping of “\(key)” is removed; the rules apply again.",
                change, back, controller, admin)
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
        _ mappings: [String: StationID?], label: String, _ controller: AdminController, _ admin: AdminRequest,
        in guide: any GuideWriting
    ) throws -> MappingChange {
        let before = try MappingChange.mappings(of: mappings.keys, in: guide)
        try guide.setMappings(mappings, matcher: StationMatcher(), now: controller.service.now())
        try updateDependents(admin, in: guide)
        let after = try MappingChange.mappings(of: mappings.keys, in: guide)
        return MappingChange(label: label, before: before, after: after)
    }

    private static func updateDependents(_ admin: AdminRequest, in guide: any GuideWriting) throws {
        try admin.operations.updateDerivedListings(in: guide)
        try guide.refreshSearchIndex()
    }

    /// Keeps a change for undoing it, and returns to a page with a message.
    private static func done(
        _ text: String, _ change: MappingChange, _ path: String, _ controller: AdminController, _ admin: AdminRequest
    ) -> Response {
        controller.redirect(
            to: path, admin, notice: text, undoing: change.before == change.after ? nil : .mappings(change))
    }

    // MARK: - Selected channels

    /// A selected channel, with the first suggestion that the page showed for it.
    private struct SelectedRow: Sendable {
        let key: String
        let lineup: String
        let station: StationID?
    }

    private static func selectedRows(_ form: Form) throws(Problem) -> [SelectedRow] {
        let rows = form.values(of: "row").compactMap { row in
            form["key\(row)"].map {
                SelectedRow(
                    key: $0, lineup: form["lineup\(row)"] ?? "", station: form["station\(row)"].map { StationID($0) })
            }
        }
        guard !rows.isEmpty else { throw Problem(.unprocessableContent, "Select at least one channel.") }
        return rows
    }

    /// Accepts the first suggestions of selected channels, removes their mappings, or hides them.
    static func changeSelected(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let back = back(admin.form)
        let action = admin.form["action"] ?? ""
        do {
            let rows = try selectedRows(admin.form)
            admin.subject.set("\(action) of \(Wording.count(rows.count, "channel"))")
            switch action {
            case "accept", "remove": return try await map(rows, isRemoval: action == "remove", back, controller, admin)
            case "hide": return try await hide(rows, back, controller, admin)
            default: throw Problem(.unprocessableContent, "Choose what to do with the selected channels.")
            }
        } catch let problem as Problem where problem.status == .unprocessableContent {
            return controller.redirect(to: back, admin, notice: problem.detail, isError: true)
        }
    }

    private static func map(
        _ rows: [SelectedRow], isRemoval: Bool, _ back: String, _ controller: AdminController, _ admin: AdminRequest
    ) async throws -> Response {
        var mappings: [String: StationID?] = [:]
        for row in rows where isRemoval || row.station != nil {
            mappings[row.key] = .some(isRemoval ? nil : row.station)
        }
        guard !mappings.isEmpty else {
            throw Problem(.unprocessableContent, "None of the selected channels has a suggestion.")
        }
        let change = try await controller.write(admin) { [mappings] guide in
            for case let station? in mappings.values where try guide.station(station) == nil {
                throw Problem(.unprocessableContent, "There is no station “\(station.rawValue.prefix(80))” any more.")
            }
            return try setMappings(
                mappings, label: "Undo: the mapping of \(Wording.count(mappings.count, "channel"))", controller, admin,
                in: guide)
        }
        let count = change.keys.count
        return done(
            isRemoval
                ? "Removed \(Wording.count(count, "mapping")). The rules apply again."
                : "Mapped \(Wording.count(count, "channel")).", change, back, controller, admin)
    }

    private static func hide(
        _ rows: [SelectedRow], _ back: String, _ controller: AdminController, _ admin: AdminRequest
    ) async throws -> Response {
        let now = controller.service.now()
        let keys = Dictionary(grouping: rows, by: \.lineup).mapValues { Set($0.map(\.key)) }
        let changes = try await controller.write(admin) { guide in
            let changes = try keys.sorted { $0.key < $1.key }.compactMap { name, keys in
                try LineupScreens.change(name, in: guide, now) { lineup in
                    for index in lineup.channels.indices where keys.contains(lineup.channels[index].key) {
                        lineup.channels[index].setHidden(true)
                    }
                }
            }
            try updateDependents(admin, in: guide)
            return changes
        }
        return controller.redirect(
            to: back, admin, notice: "Hid \(Wording.count(rows.count, "channel")).",
            undoing: changes.count == 1 ? .lineup(changes[0]) : nil)
    }

    // MARK: - Accepting suggestions

    /// Returns the clear suggestions above a score for the channels of a view that have no station.
    private static func suggestions(
        of guide: any GuideReading, _ view: View, above minimum: Double
    ) throws -> AcceptedSuggestions {
        let stations = try guide.stations(inRows: 0..<Int.max).map(\.station).filter { $0.derivation == nil }
        let mappings = try guide.mappings()
        var explanations: [MatchExplanation] = []
        for name in try guide.lineups() where view.lineup == nil || view.lineup == name {
            guard let (lineup, matches) = try guide.lineup(named: name) else { continue }
            let explainer = MatchExplainer(channels: lineup.channels, stations: stations, mappings: mappings)
            for (channel, match) in zip(lineup.channels, matches) where View.isUnmatched(match) {
                if view.selects(channel, match, isMapped: mappings[channel.key] != nil) {
                    explanations.append(explainer.explain(channel))
                }
            }
        }
        return AcceptedSuggestions(of: explanations, above: minimum)
    }

    private static func minimum(_ form: Form) throws(Problem) -> Double {
        guard let minimum = Double(form["score"] ?? "0.9"), (0.5...1).contains(minimum) else {
            throw Problem(.unprocessableContent, "The score must be a number from 0.5 to 1.")
        }
        return minimum
    }

    /// The number of suggestions that the page before the acceptance lists.
    private static let listedSuggestions = 500

    /// Shows the suggestions that ``accept(_:_:)`` accepts.
    static func review(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let minimum = try minimum(admin.query)
        let view = View(admin.query)
        let found = try await controller.read(admin) { try suggestions(of: $0, view, above: minimum).mappings }
        let channels = found.reduce(0) { $0 + $1.count }
        return controller.page("Accept suggestions", admin) { html in
            guard !found.isEmpty else {
                html.paragraph(
                    "None of these channels has a clear suggestion with a score of at least \(minimum).")
                html.element("p") { $0.link("Channel matching", to: view.path()) }
                return
            }
            html.paragraph(
                "\(Wording.count(channels, "channel")) of this view \(channels == 1 ? "has" : "have") a clear suggestion with a score of at least \(minimum)."
            )
            html.element("div", [.class("a-buttons")]) { html in
                html.form("/admin/matching/accept", admin.session?.formToken ?? "") { html in
                    view.writeFields(&html)
                    html.hidden("score", String(minimum))
                    html.hidden("count", String(found.count))
                    html.button("Map \(Wording.count(channels, "channel"))", class: "primary")
                }
                html.link("Cancel", to: view.path())
            }
            html.table("Suggestions", headings: ["Channel", "Station", "Score", "Reasons"]) { html in
                for mapping in found.prefix(listedSuggestions) {
                    html.element("tr") { html in
                        html.cell(mapping.name)
                        html.cell(mapping.suggestion.stationText)
                        html.cell(mapping.suggestion.scoreText, class: "a-number")
                        html.cell(mapping.suggestion.evidenceText)
                    }
                }
            }
            if found.count > listedSuggestions {
                html.paragraph("\(found.count - listedSuggestions) more suggestions are not listed.")
            }
        }
    }

    /// Accepts the suggestions that ``review(_:_:)`` has shown.
    static func accept(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let minimum = try minimum(admin.form)
        let view = View(admin.form)
        let shown = Int(admin.form["count"] ?? "")
        let (count, change) = try await controller.write(admin) { guide -> (Int, MappingChange?) in
            let accepted = try suggestions(of: guide, view, above: minimum)
            guard !accepted.mappings.isEmpty, accepted.mappings.count == shown else { return (0, nil) }
            let count = accepted.mappings.reduce(0) { $0 + $1.count }
            return (
                count,
                try setMappings(
                    accepted.stations, label: "Undo: the mapping of \(Wording.count(count, "channel"))", controller,
                    admin,
                    in: guide)
            )
        }
        admin.subject.set("\(change?.after.count ?? 0) mappings above \(minimum)")
        guard let change else {
            return controller.redirect(
                to: view.path(), admin, notice: "The suggestions have changed in the meantime. Review them again.",
                isError: true)
        }
        return done("Mapped \(Wording.count(count, "channel")).", change, view.path(), controller, admin)
    }
}
