import EPGImport
import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird

/// Lineups: the numbers and groups of channels, and those that are hidden.
enum LineupScreens {
    static func lineups(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let lineups = try await controller.read(admin) { guide in
            try guide.lineups().compactMap { try guide.lineup(named: $0) }
        }
        return controller.page("Lineups", admin) { html in
            guard !lineups.isEmpty else {
                html.element("p") { html in
                    html.text("There is no lineup. ")
                    html.link("Add a playlist", to: "/admin/add")
                    html.text(".")
                }
                return
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

    private static func lineupPage(
        _ controller: AdminController, _ admin: AdminRequest, _ view: Form, problem: Problem? = nil
    ) async throws -> Response {
        let name = view["name"] ?? ""
        let words = String((view["q"] ?? "").prefix(200))
        let offset = min(max(0, view["offset"].flatMap { Int($0) } ?? 0), 1_000_000)
        let found = try await controller.read(admin) { guide -> (Lineup, [String?])? in
            guard let (lineup, matches) = try guide.lineup(named: name) else { return nil }
            let names = Dictionary(try guide.stations(inRows: 0..<Int.max).map { ($0.station.id, $0.station.name) }) {
                first, _ in first
            }
            return (lineup, matches.map { match in match.map { names[$0.station] ?? $0.station.rawValue } })
        }
        guard let (lineup, stations) = found else {
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
        return controller.page(name, admin, status: problem?.status ?? .ok) { html in
            html.alert(problem?.detail)
            html.paragraph(
                "The guide shows channels by their numbers, and those without a number in this order. Hidden channels are in no playlist and show no station. A new import of the playlist keeps your changes."
            )
            html.element(
                "form", [.class("a-inline"), .url("action", "/admin/lineup"), .text("aria-label", "Filter")]
            ) { html in
                html.hidden("name", name)
                html.field(
                    "Filter", name: "q", type: "search", value: words,
                    [.text("maxlength", "200"), .text("autocomplete", "off")])
                html.button("Show")
            }
            html.form("/admin/lineup", token) { html in
                html.hidden("name", name)
                html.hidden("q", words)
                html.hidden("offset", String(offset))
                // Enter in a field saves.
                html.button("Save", class: "a-main", [.text("name", "action"), .text("value", "save")])
                html.table(
                    "Channels", headings: ["Number", "Channel", "Groups", "Station", "Hidden"]
                ) { html in
                    for index in shown { write(lineup.channels[index], index, stations[index], &html) }
                }
                html.element("div", [.class("a-buttons")]) { html in
                    html.button("Save", class: "a-main", [.text("name", "action"), .text("value", "save")])
                    html.button(
                        "Number all channels from 1 in this order", [.text("name", "action"), .text("value", "number")])
                    html.button(
                        "Restore the numbers and groups of the playlist",
                        [.text("name", "action"), .text("value", "restore")])
                }
            }
            html.pager(offset: offset, limit: limit, count: shown.count, total: selected.count) {
                path(of: name, offset: $0, words: words)
            }
            html.element("details", [.class("a-remove")]) { html in
                html.element("summary", text: "Remove this lineup")
                html.paragraph("Its stations and your mappings stay.")
                html.form("/admin/lineup/remove", token) { html in
                    html.hidden("name", name)
                    html.button("Remove “\(name)”", class: "a-danger")
                }
            }
        }
    }

    private static func write(_ channel: Channel, _ index: Int, _ station: String?, _ html: inout HTMLWriter) {
        html.element("tr", [.class(channel.isEdited ? "a-edited" : nil)]) { html in
            html.element("td") { html in
                html.hidden("channel", String(index))
                // The list may change between the page and the form.
                html.hidden("key\(index)", channel.key)
                html.void(
                    "input",
                    [
                        .text("name", "number\(index)"), .text("value", channel.number?.description ?? ""),
                        .text("aria-label", "Number of \(channel.name)"), .text("maxlength", "30"), .text("size", "5"),
                        .text("data-number", "1"), .text("autocomplete", "off"),
                    ])
            }
            html.cell(channel.name)
            html.element("td") { html in
                html.void(
                    "input",
                    [
                        .text("name", "groups\(index)"), .text("value", channel.groups.joined(separator: "; ")),
                        .text("aria-label", "Groups of \(channel.name)"), .text("maxlength", "400"),
                        .text("size", "16"),
                        .text("autocomplete", "off"),
                    ])
            }
            html.cell(station ?? "–")
            html.element("td") { html in
                html.void(
                    "input",
                    [
                        .text("type", "checkbox"), .text("name", "hidden\(index)"), .text("value", "1"),
                        .flag("checked", channel.isHidden), .text("aria-label", "Hide \(channel.name)"),
                    ])
            }
        }
    }

    /// The values of one channel in a form.
    private struct Change: Sendable {
        let index: Int
        let key: String
        let number: ChannelNumber?
        let groups: [String]
        let isHidden: Bool

        init(_ index: Int, _ form: Form) throws(Problem) {
            self.index = index
            key = form["key\(index)"] ?? ""
            let text = (form["number\(index)"] ?? "").trimmingBlanks
            number = ChannelNumber(text)
            guard text.isEmpty || number != nil else {
                throw Problem(.unprocessableContent, "“\(text.prefix(30))” is not a channel number such as 7 or 7.1.")
            }
            groups = (form["groups\(index)"] ?? "").prefix(400).split(separator: ";").map { String($0).trimmingBlanks }
                .filter { !$0.isEmpty }
            isHidden = form["hidden\(index)"] == "1"
        }
    }

    static func change(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let name = admin.form["name"] ?? ""
        let action = admin.form["action"] ?? "save"
        admin.subject.set("\(name): \(action)")
        do {
            var changes: [Change] = []
            if action == "save" {
                for text in admin.form.values(of: "channel") {
                    if let index = Int(text) { changes.append(try Change(index, admin.form)) }
                }
            }
            let now = controller.service.now()
            try await controller.write(admin) { [changes] guide in
                guard var lineup = try guide.lineup(named: name)?.lineup else {
                    throw Problem.notFound("There is no lineup “\(name.prefix(80))”.")
                }
                switch action {
                case "number":
                    var number = 0
                    for index in lineup.channels.indices where !lineup.channels[index].isHidden {
                        number += 1
                        lineup.channels[index].setNumber(ChannelNumber(String(number)))
                    }
                case "restore": for index in lineup.channels.indices { lineup.channels[index].removeEdits() }
                default:
                    for change in changes {
                        guard lineup.channels.indices.contains(change.index),
                            lineup.channels[change.index].key == change.key
                        else { throw Problem(.conflict, "The lineup has changed. Reload the page and try again.") }
                        lineup.channels[change.index].setNumber(change.number)
                        lineup.channels[change.index].setGroups(change.groups)
                        lineup.channels[change.index].setHidden(change.isHidden)
                    }
                }
                _ = try guide.saveLineup(lineup, matcher: StationMatcher(), now: now)
                try admin.operations.updateDerivedListings(in: guide)
                try guide.refreshSearchIndex()
            }
            let offset = admin.form["offset"].flatMap { Int($0) } ?? 0
            return controller.redirect(
                to: path(of: name, offset: offset, words: admin.form["q"] ?? ""), admin, notice: "Saved.")
        } catch let problem as Problem where problem.status == .unprocessableContent {
            return try await lineupPage(controller, admin, admin.form, problem: problem)
        }
    }

    static func remove(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let name = admin.form["name"] ?? ""
        admin.subject.set(name)
        let now = controller.service.now()
        let isRemoved = try await controller.write(admin) { guide in
            guard try guide.removeLineup(named: name, now: now) else { return false }
            try admin.operations.updateDerivedListings(in: guide)
            try guide.refreshSearchIndex()
            return true
        }
        return controller.redirect(
            to: "/admin/lineups", admin,
            notice: isRemoved ? "Removed “\(name)”." : "There is no lineup “\(name)”.", isError: !isRemoved)
    }
}
