import EPGHTTP
import EPGImport
import EPGModel
import EPGRender
import EPGServer
import HTTPTypes
import Hummingbird

/// Lineups: the order, the numbers and the groups of channels, and those that are hidden.
enum LineupScreens {
    static func lineups(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let lineups = try await controller.read(admin) { guide in
            try guide.lineups().compactMap { try guide.lineup(named: $0) }
        }
        return controller.page("Lineups", admin) { html in
            guard !lineups.isEmpty else {
                return html.nothing("There is no lineup.", action: ("Add a playlist", "/admin/add"))
            }
            html.table("Lineups", headings: ["Name", "Channels", "With a station", "Hidden", "Changed"]) { html in
                for (lineup, matches) in lineups {
                    html.element("tr") { html in
                        html.element("td") { $0.link(lineup.name, to: path(of: lineup.name)) }
                        for count in [
                            lineup.channels.count, matches.count { $0 != nil },
                            lineup.channels.count(where: \.isHidden),
                            lineup.channels.count(where: \.isEdited),
                        ] {
                            html.cell(String(count), class: "a-number")
                        }
                    }
                }
            }
        }
    }

    private static func path(of name: String, offset: Int = 0, words: String = "") -> String {
        "/admin/lineup?name=\(name.percentEncoded)" + (words.isEmpty ? "" : "&q=\(words.percentEncoded)")
            + (offset > 0 ? "&offset=\(offset)" : "")
    }

    /// The number of channels per page.
    private static let limit = 100

    static func lineup(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        try await lineupPage(controller, admin, admin.query)
    }

    /// - Parameter problem: The problem of a form, whose values the page shows again.
    private static func lineupPage(
        _ controller: AdminController, _ admin: AdminRequest, _ view: Form, problem: Problem? = nil
    ) async throws -> Response {
        let name = view["name"] ?? ""
        let words = String((view["q"] ?? "").prefix(200))
        let offset = min(max(0, view["offset"].flatMap { Int($0) } ?? 0), 1_000_000)
        let changes = admin.session?.changes ?? AdminChanges()
        let found = try await controller.read(admin) {
            guide -> (Lineup, [String?], isOfSource: Bool, undo: (number: Int, change: AdminChange)?)? in
            guard let (lineup, matches) = try guide.lineup(named: name) else { return nil }
            let names = Dictionary(try guide.stations(inRows: 0..<Int.max).map { ($0.station.id, $0.station.name) }) {
                first, _ in first
            }
            let isOfSource = try guide.isPlaylistOfSource(name)
            let undo = try changes.lastValid(in: guide) { change in
                if case .lineup(let change) = change { change.after.name == name } else { false }
            }
            return (
                lineup, matches.map { match in match.map { names[$0.station] ?? $0.station.rawValue } }, isOfSource,
                undo
            )
        }
        guard let (lineup, stations, isOfSource, undo) = found else {
            throw Problem.notFound("There is no lineup “\(name.prefix(80))”.")
        }
        let token = admin.session?.formToken ?? ""
        let wanted = words.lowercased().split(separator: " ")
        let selected = lineup.channels.indices.filter { index in
            let channel = lineup.channels[index]
            let text = ([channel.name, channel.number?.description ?? ""] + channel.groups).joined(separator: " ")
                .lowercased()
            return wanted.allSatisfy { text.contains($0) }
        }
        let shown = selected.dropFirst(offset).prefix(limit)
        let fieldsOfRows = Set(shown.flatMap { ["number\($0)", "groups\($0)"] })
        return controller.page(name, admin, status: problem?.status ?? .ok) { html in
            html.alert(problem, exceptOf: fieldsOfRows)
            html.paragraph(
                lineup.isReordered
                    ? "The guide and playlists have your order. Hidden channels are in neither. A new import of the playlist keeps your changes."
                    : "The guide shows channels by their numbers, and those without a number in this order. After you move a channel, the guide has this order. Hidden channels are neither in the guide’s rows of this lineup nor in playlists. A new import of the playlist keeps your changes."
            )
            html.element("p", [.class("a-keys"), .flag("hidden")]) { html in
                html.text("Move a channel with its buttons, with Alt and an arrow key, or by dragging it.")
            }
            html.element(
                "form", [.class("a-inline"), .url("action", "/admin/lineup"), .text("aria-label", "Filter")]
            ) { html in
                html.hidden("name", name)
                html.field(
                    "Filter", name: "q", type: "search", value: words,
                    [.text("maxlength", "200"), .text("autocomplete", "off")])
                html.button("Show")
            }
            if let undo { html.undoButton(undo, back: path(of: name, offset: offset, words: words), token) }
            guard !shown.isEmpty else { return html.nothing("No channel matches the filter.") }
            html.form("/admin/lineup", token, class: "a-lineup") { html in
                html.hidden("name", name)
                html.hidden("q", words)
                html.hidden("offset", String(offset))
                // Enter in a field saves.
                html.button("Save", class: "primary", [.text("name", "action"), .text("value", "save")])
                html.selection(
                    "Selected channels", all: path(of: name, offset: offset, words: words) + "&select=all"
                ) { html in
                    html.button("Hide", [.text("name", "action"), .text("value", "hide")])
                    html.button("Show", [.text("name", "action"), .text("value", "show")])
                    html.button("Move to the top", [.text("name", "action"), .text("value", "top")])
                }
                html.table(
                    "Channels", headings: ["Number", "Channel", "Groups", "Station", "Hidden", "Order"]
                ) { html in
                    for place in shown.indices {
                        let index = selected[place]
                        let values = RowValues(lineup.channels[index], index, problem == nil ? nil : admin.form)
                        let places: (above: Int?, own: Int, below: Int?) = (
                            place > 0 ? selected[place - 1] : nil, index,
                            place + 1 < selected.count ? selected[place + 1] : nil
                        )
                        write(
                            values, lineup.channels[index], places, stations[index],
                            isSelected: view["select"] == "all", problem, &html)
                    }
                }
                html.element("div", [.class("a-buttons")]) { html in
                    html.button("Save", class: "primary", [.text("name", "action"), .text("value", "save")])
                    html.button(
                        "Number all channels from 1 in this order", [.text("name", "action"), .text("value", "number")])
                    html.button(
                        "Restore the order, numbers and groups of the playlist",
                        [.text("name", "action"), .text("value", "restore")])
                }
            }
            html.pager(offset: offset, limit: limit, count: shown.count, total: selected.count) {
                path(of: name, offset: $0, words: words)
            }
            html.heading("Update")
            if isOfSource {
                html.element("p") { html in
                    html.text("It is the playlist of a source, which updates it: ")
                    html.link(name, to: "/admin/source?name=\(name.percentEncoded)")
                    html.text(". To remove it, remove the source.")
                }
                return
            }
            html.element("p") { html in
                html.text(
                    "The service does not download playlists again. To update this one, ")
                html.link("add it again", to: "/admin/add")
                html.text(" with the same name.")
            }
            html.element("details", [.class("a-remove")]) { html in
                html.element("summary", text: "Remove this lineup")
                html.paragraph("Its stations and your mappings stay.")
                html.form("/admin/lineup/remove", token) { html in
                    html.hidden("name", name)
                    html.button("Remove “\(name)”", class: "danger")
                }
            }
        }
    }

    /// The values of the inputs of a row: from a refused form, or else from the channel.
    private struct RowValues {
        var number: String
        var groups: String
        var isHidden: Bool

        /// - Parameter form: The refused form; `nil` without one.
        init(_ channel: Channel, _ index: Int, _ form: Form?) {
            number = channel.number?.description ?? ""
            groups = channel.groups.joined(separator: "; ")
            isHidden = channel.isHidden
            guard let form, form["key\(index)"] == channel.key else { return }
            number = form["number\(index)"] ?? number
            groups = form["groups\(index)"] ?? groups
            isHidden = form["hidden\(index)"] == "1"
        }
    }

    private static func write(
        _ values: RowValues, _ channel: Channel, _ places: (above: Int?, own: Int, below: Int?), _ station: String?,
        isSelected: Bool, _ problem: Problem?, _ html: inout HTMLWriter
    ) {
        let index = places.own
        html.element(
            "tr",
            [
                .id("c\(index)"), .class(channel.isEdited ? "a-edited" : nil), .number("data-place", index),
                .text("draggable", "true"), .number("tabindex", -1),
            ]
        ) { html in
            html.element("td", [.class("a-picked")]) { html in
                html.selectionBox(
                    "Select \(channel.name)", name: "selected", value: String(index), isChecked: isSelected)
                html.hidden("channel", String(index))
                // The list may change between the page and the form.
                html.hidden("key\(index)", channel.key)
                html.input(
                    "Number of \(channel.name)", name: "number\(index)", value: values.number, problem: problem,
                    [.text("size", "5"), .text("data-number", "1"), .text("autocomplete", "off")])
            }
            html.cell(channel.name)
            html.element("td") { html in
                html.input(
                    "Groups of \(channel.name)", name: "groups\(index)", value: values.groups, problem: problem,
                    [.text("size", "16"), .text("autocomplete", "off")])
            }
            html.cell(station ?? "–")
            html.element("td") { html in
                html.void(
                    "input",
                    [
                        .text("type", "checkbox"), .text("name", "hidden\(index)"), .text("value", "1"),
                        .flag("checked", values.isHidden), .text("aria-label", "Hide \(channel.name)"),
                    ])
            }
            html.element("td", [.class("a-moves")]) { $0.moves(channel.name, places) }
        }
    }

    /// The values of one channel in a form.
    private struct Change: Sendable {
        let index: Int
        let key: String
        let number: ChannelNumber?
        let groups: [String]
        let isHidden: Bool

        /// The maximum size of the text of groups in bytes.
        private static let maximumGroups = 4000

        init(_ index: Int, _ form: Form) throws(Problem) {
            self.index = index
            key = form["key\(index)"] ?? ""
            let text = (form["number\(index)"] ?? "").trimmingBlanks
            number = ChannelNumber(text)
            guard text.isEmpty || number != nil else {
                throw Problem(
                    .unprocessableContent, "“\(text.prefix(30))” is not a channel number such as 7 or 7.1.",
                    parameter: "number\(index)")
            }
            let groups = form["groups\(index)"] ?? ""
            guard groups.utf8.count <= Self.maximumGroups else {
                throw Problem(
                    .unprocessableContent,
                    "The groups “\(groups.prefix(40))…” have more than \(Self.maximumGroups) bytes.",
                    parameter: "groups\(index)")
            }
            self.groups = Self.groups(groups)
            isHidden = form["hidden\(index)"] == "1"
        }

        private static func groups(_ text: String) -> [String] {
            text.split(separator: ";").map { String($0).trimmingBlanks }.filter { !$0.isEmpty }
        }

        func apply(to channel: inout Channel) {
            if channel.number != number { channel.setNumber(number) }
            // Groups that the form cannot express stay as they are unless they are edited.
            if groups != Self.groups(channel.groups.joined(separator: "; ")) { channel.setGroups(groups) }
            channel.setHidden(isHidden)
        }
    }

    static func change(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let name = admin.form["name"] ?? ""
        let action = admin.form["action"] ?? "save"
        let move = RowMove(action)
        admin.subject.set("\(name): \(action)")
        do {
            // A button that moves a channel saves the other edits of the page, too.
            var changes: [Change] = []
            for text in admin.form.values(of: "channel") {
                if let index = Int(text) { changes.append(try Change(index, admin.form)) }
            }
            let selected = Set(admin.form.values(of: "selected").compactMap { Int($0) })
            if ["hide", "show", "top"].contains(action), selected.isEmpty {
                throw Problem(.unprocessableContent, "Select at least one channel.")
            }
            let now = controller.service.now()
            let change = try await controller.write(admin) { [changes] guide -> LineupChange in
                let hasChanged = Problem(.conflict, "The lineup has changed. Reload the page and try again.")
                let change = try Self.change(name, in: guide, now) { lineup in
                    for change in changes where action != "restore" {
                        guard lineup.channels.indices.contains(change.index),
                            lineup.channels[change.index].key == change.key
                        else { throw hasChanged }
                        change.apply(to: &lineup.channels[change.index])
                    }
                    guard selected.allSatisfy(lineup.channels.indices.contains) else { throw hasChanged }
                    if let move {
                        guard lineup.move(move.from, to: move.to) else { throw hasChanged }
                    }
                    apply(action, to: selected, in: &lineup)
                }
                guard let change else { throw Problem.notFound("There is no lineup “\(name.prefix(80))”.") }
                try admin.operations.updateDerivedListings(in: guide)
                try guide.refreshSearchIndex()
                return change
            }
            let words = admin.form["q"] ?? ""
            var offset = admin.form["offset"].flatMap { Int($0) } ?? 0
            // Without a filter, the page follows the channel.
            if let move, words.isEmpty { offset = move.to / limit * limit }
            return controller.redirect(
                to: path(of: name, offset: offset, words: words) + (move.map { "#c\($0.to)" } ?? ""), admin,
                notice: notice(of: action, selected.count, isMove: move != nil),
                undoing: change.before == change.after ? nil : .lineup(change))
        } catch let problem as Problem where [.unprocessableContent, .conflict].contains(problem.status) {
            return try await lineupPage(controller, admin, admin.form, problem: problem)
        }
    }

    private static func notice(of action: String, _ count: Int, isMove: Bool) -> String {
        switch action {
        case "hide": "Saved. \(Wording.count(count, "channel")) hidden."
        case "show": "Saved. \(Wording.count(count, "channel")) shown."
        case "top": "Saved. \(Wording.count(count, "channel")) moved to the top."
        default: isMove ? "Moved, and saved." : "Saved."
        }
    }

    /// Changes a lineup; returns `nil` if it does not exist.
    static func change(
        _ name: String, in guide: any GuideWriting, _ now: Instant, _ body: (inout Lineup) throws -> Void
    ) throws -> LineupChange? {
        guard let before = try guide.lineup(named: name)?.lineup else { return nil }
        var lineup = before
        try body(&lineup)
        _ = try guide.saveLineup(lineup, matcher: StationMatcher(), now: now)
        return LineupChange(before: before, after: try guide.lineup(named: name)?.lineup ?? lineup)
    }

    /// Applies an action for a whole lineup, or for its selected channels.
    private static func apply(_ action: String, to selected: Set<Int>, in lineup: inout Lineup) {
        switch action {
        case "number":
            var number = 0
            for index in lineup.channels.indices where !lineup.channels[index].isHidden {
                number += 1
                lineup.channels[index].setNumber(ChannelNumber(String(number)))
            }
        case "restore": lineup.removeEdits()
        case "hide", "show": for index in selected { lineup.channels[index].setHidden(action == "hide") }
        case "top": for (place, index) in selected.sorted().enumerated() { _ = lineup.move(index, to: place) }
        default: break
        }
    }

    static func remove(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let name = admin.form["name"] ?? ""
        admin.subject.set(name)
        let now = controller.service.now()
        let isRemoved = try await controller.write(admin) { guide in
            // The page has no button for it.
            guard try !guide.isPlaylistOfSource(name) else { return false }
            guard try guide.removeLineup(named: name, now: now) else { return false }
            try admin.operations.updateDerivedListings(in: guide)
            try guide.refreshSearchIndex()
            return true
        }
        return controller.redirect(
            to: "/admin/lineups", admin,
            notice: isRemoved
                ? "Removed “\(name)”."
                : "There is no lineup “\(name)”, or it is the playlist of a source. Remove the source instead.",
            isError: !isRemoved)
    }
}

extension GuideReading {
    /// Returns whether a lineup is the playlist of a source, which would be without a lineup if it was removed alone.
    fileprivate func isPlaylistOfSource(_ lineup: String) throws -> Bool {
        try sourceRecords().contains { $0.source.name == lineup && $0.kind == .playlist }
    }
}
