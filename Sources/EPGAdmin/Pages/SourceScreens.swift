import EPGAccess
import EPGCalendar
import EPGHTTP
import EPGImport
import EPGModel
import EPGRender
import EPGServer
import HTTPTypes
import Hummingbird
import XMLTV

/// The overview, the sources with their health, and the changes of the guide.
enum SourceScreens {
    /// The state of the guide that the overview shows.
    private struct Overview: Sendable {
        /// The last change of the order of the sources.
        var undo: (number: Int, change: AdminChange)?
        var sources: [SourceSummary]
        var stations: Int
        /// The counts do not include hidden channels, which show no station.
        var lineups: [(name: String, channels: Int, matched: Int)]
    }

    static func overview(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let changes = admin.session?.changes ?? AdminChanges()
        let overview = try await controller.read(admin) { guide in
            Overview(
                undo: try changes.lastValid(in: guide) { if case .order = $0 { true } else { false } },
                sources: try guide.sources(), stations: try guide.stationCount(),
                lineups: try guide.lineups().compactMap { name in
                    try guide.lineup(named: name).map { lineup, matches in
                        let shown = zip(lineup.channels, matches).filter { !$0.0.isHidden }
                        return (name, shown.count, shown.count { $0.1 != nil })
                    }
                })
        }
        let (settings, problem) = try await settings(controller, admin)
        let clock = controller.clock
        let token = admin.session?.formToken ?? ""
        let isEmpty = overview.sources.isEmpty && overview.lineups.isEmpty
        return controller.page(isEmpty ? "Set up the guide" : "Overview", admin) { html in
            html.alert(problem)
            writeSteps(overview, settings, &html)
            guard !isEmpty else { return }
            html.element("div", [.class("a-head")]) { html in
                html.heading("Sources")
                html.form("/admin/refresh", token) { $0.button("Refresh all that are due") }
                html.link("Progress", to: "/admin/refresh")
            }
            if let undo = overview.undo { html.undoButton(undo, back: "/admin", token) }
            if overview.sources.isEmpty {
                html.nothing("There is no guide yet.", action: ("Add a guide", "/admin/add"))
            } else {
                writeSources(
                    overview.sources, settings, clock, controller, token, isSelected: admin.query["select"] == "all",
                    &html)
            }
            html.heading("Lineups")
            if overview.lineups.isEmpty {
                html.nothing(
                    "There is no lineup. The guide shows the channels of a playlist in its order, with its numbers.",
                    action: ("Add a playlist", "/admin/add"))
            } else {
                html.element("ul", [.class("a-list")]) { html in
                    for lineup in overview.lineups {
                        html.element("li") { html in
                            html.link(lineup.name, to: "/admin/lineup?name=\(lineup.name.percentEncoded)")
                            html.text(": \(lineup.matched) of \(Wording.count(lineup.channels, "channel")) matched")
                        }
                    }
                }
            }
        }
    }

    /// Returns the settings, or the reason why they cannot be read.
    static func settings(
        _ controller: AdminController, _ admin: AdminRequest
    ) async throws -> (settings: AdministeredSettings, problem: String?) {
        do {
            return (try await controller.readSettings(admin), nil)
        } catch let problem as Problem where problem.status == .unprocessableContent {
            return (
                AdministeredSettings(),
                "The settings cannot be read, so that refreshes fail: \(admin.operations.redacted(problem.detail))"
            )
        }
    }

    /// Writes what to do next in a new guide.
    private static func writeSteps(_ overview: Overview, _ settings: AdministeredSettings, _ html: inout HTMLWriter) {
        let unmatched = overview.lineups.reduce(0) { $0 + $1.channels - $1.matched }
        let schedule = settings.entries.first { $0.key == "refresh" }?.value
        let hasListings = overview.sources.contains { $0.airings > 0 }
        let steps: [(isDone: Bool, text: String, path: String)] = [
            (hasListings, "Add a guide, from a URL, a file or Schedules Direct", "/admin/add"),
            (!overview.lineups.isEmpty, "Add a playlist, if you have one", "/admin/add"),
            (
                !overview.lineups.isEmpty && unmatched == 0,
                unmatched > 0
                    ? "Match \(Wording.count(unmatched, "channel")) with a station, or hide \(unmatched == 1 ? "it" : "them")"
                    : "Match the channels",
                "/admin/matching"
            ),
            (schedule != nil, "Choose when the service refreshes the guide", "/admin/settings"),
        ]
        // A guide without a playlist is complete, too.
        guard !hasListings || schedule == nil || unmatched > 0 else { return }
        let next = steps.first { !$0.isDone }
        html.element("ol", [.class("a-steps")]) { html in
            for step in steps {
                html.element("li", [.class(step.isDone ? "a-done" : nil)]) { html in
                    let isNext = step.text == next?.text
                    html.element(
                        "a", [.class(isNext ? "button" : nil, isNext ? "primary" : nil), .url("href", step.path)],
                        text: step.text)
                    if step.isDone { html.mark(.good, "done") }
                }
            }
        }
        if hasListings { html.element("p") { $0.link("Show the guide", to: "/") } }
    }

    private static func writeSources(
        _ sources: [SourceSummary], _ settings: AdministeredSettings, _ clock: AdminClock,
        _ controller: AdminController, _ token: String, isSelected: Bool, _ html: inout HTMLWriter
    ) {
        // The highest priority is shown first, in the order of the form below.
        let sorted = sources.sorted {
            ($1.source.priority, $0.source.name) < ($0.source.priority, $1.source.name)
        }
        if sorted.count(where: { $0.source.name != Derivation.source.name }) > 1 {
            html.paragraph(
                "If several sources have a station, the first one in this list is shown. Move a source with its buttons, with Alt and an arrow key, or by dragging it."
            )
        }
        if sorted.contains(where: { $0.source.location != nil }) {
            html.form("/admin/refresh", token, [.id("selection")]) { html in
                html.hidden("selects", "1")
                html.selection("Selected sources", all: "/admin?select=all") { html in
                    html.button("Refresh selected")
                }
            }
        }
        html.form("/admin/priorities", token) { html in
            for summary in sorted { html.hidden("name", summary.source.name) }
            writeTable(sorted, settings, clock, controller, isSelected: isSelected, &html)
        }
    }

    private static func writeTable(
        _ sorted: [SourceSummary], _ settings: AdministeredSettings, _ clock: AdminClock,
        _ controller: AdminController, isSelected: Bool, _ html: inout HTMLWriter
    ) {
        // Derived listings always come last.
        let lastPlace = sorted.lastIndex { $0.source.name != Derivation.source.name } ?? 0
        html.table("Sources", headings: ["Source", "Holds", "Last success", "Next refresh", "State", "Priority"]) {
            html in
            for (index, summary) in sorted.enumerated() {
                let (source, state) = (summary.source, summary.state)
                let isConfigured = source.isConfigured || settings.sources.contains(source.name)
                let isMovable = !isConfigured && source.name != Derivation.source.name
                html.element(
                    "tr",
                    [
                        .id("s\(index)"), .text("data-name", isMovable ? source.name : nil),
                        .number("data-place", index),
                        .text("draggable", isMovable ? "true" : nil), .text("tabindex", isMovable ? "-1" : nil),
                    ]
                ) { html in
                    html.element("td", [.class("a-named")]) { html in
                        if source.location != nil {
                            html.selectionBox(
                                "Select \(source.name)", name: "source", value: source.name, form: "selection",
                                isChecked: isSelected)
                        }
                        html.link(source.name, to: "/admin/source?name=\(source.name.percentEncoded)")
                        if isConfigured { html.element("small", text: " in epg.yml") }
                    }
                    html.cell(holdings(of: summary, clock))
                    html.cell(state.lastSuccess.map(clock.text) ?? "never")
                    html.cell(controller.nextRefresh(of: summary).map(clock.zone.fullLabel) ?? "–")
                    html.element("td") { writeHealth(of: summary, clock, &$0) }
                    html.element("td", [.class("a-moves")]) { html in
                        let isDerived = source.name == Derivation.source.name
                        html.element("span", text: isDerived ? "lowest" : String(source.priority))
                        guard isMovable else { return }
                        html.moves(
                            source.name,
                            (index > 0 ? index - 1 : nil, index, index < lastPlace ? index + 1 : nil))
                    }
                }
            }
        }
    }

    private static func holdings(of summary: SourceSummary, _ clock: AdminClock) -> String {
        if let channels = summary.channels {
            return "\(Wording.count(channels.all, "channel")), \(channels.matched) matched"
        }
        guard summary.airings > 0 else { return "nothing" }
        let counts = "\(Wording.count(summary.airings, "airing")) on \(Wording.count(summary.stations, "station"))"
        return counts + (summary.end.map { ", until \(clock.zone.dayLabel(at: $0))" } ?? "")
    }

    private static func writeHealth(of summary: SourceSummary, _ clock: AdminClock, _ html: inout HTMLWriter) {
        if summary.state.lastError != nil {
            html.mark(.error, "failing (\(Wording.count(summary.state.failures, "failure")))")
        } else if let end = summary.end, end <= clock.now {
            html.mark(.error, "all airings are over")
        } else if summary.state.lastSuccess == nil, summary.source.location != nil {
            html.mark(.waiting, "not fetched yet")
        } else {
            html.mark(.good, "healthy")
        }
    }

    // MARK: - One source

    private struct Detail: Sendable {
        var summary: SourceSummary
        var imports: [ImportSummary]
        var findings: [GuidePreview.Finding]
        /// The changes of the channels of a playlist.
        var changes: [LoggedChannelChange]
    }

    /// The number of changed channels that the page lists.
    private static let listedChannelChanges = 200

    /// The number of diagnostics that are read for the page.
    private static let maximumDiagnostics = 200_000

    private static func detail(
        named name: String, _ controller: AdminController, _ admin: AdminRequest
    ) async throws -> Detail {
        try await controller.read(admin) { guide in
            guard let summary = try guide.sources().first(where: { $0.source.name == name }) else {
                throw Problem.notFound("There is no source “\(name.prefix(80))”.")
            }
            let imports = try guide.imports(ofSource: name, limit: 20)
            var preview = GuidePreview(.guide(GuidePreview.Listings()))
            if let last = imports.first {
                var count = 0
                try guide.diagnostics(ofImport: last.id) { diagnostic in
                    preview.add(diagnostic)
                    count += 1
                    return count < maximumDiagnostics
                }
            }
            let changes =
                summary.channels == nil
                ? [] : try guide.channelChanges(ofLineup: name, limit: listedChannelChanges + 1)
            return Detail(summary: summary, imports: imports, findings: preview.findings, changes: changes)
        }
    }

    static func source(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        try await sourcePage(controller, admin, name: admin.query["name"] ?? "")
    }

    private static func sourcePage(
        _ controller: AdminController, _ admin: AdminRequest, name: String, problem: Problem? = nil
    ) async throws -> Response {
        let fields: Set = ["location", "interval", "zone", "shift", "encoding", "stations", "groups"]
        let detail = try await detail(named: name, controller, admin)
        let (settings, failure) = try await settings(controller, admin)
        let (summary, source, state) = (detail.summary, detail.summary.source, detail.summary.state)
        let clock = controller.clock
        let token = admin.session?.formToken ?? ""
        let isConfigured = source.isConfigured || settings.sources.contains(name)
        let isDerived = name == Derivation.source.name
        return controller.page(name, admin, status: problem?.status ?? .ok) { html in
            html.alert(problem, exceptOf: isConfigured || isDerived ? [] : fields)
            html.alert(failure)
            html.element("p") { writeHealth(of: summary, clock, &$0) }
            html.facts([
                (
                    "From",
                    source.location.map(admin.operations.displayable) ?? (isDerived ? "other listings" : "uploads")
                ),
                ("Account", source.account?.username),
                ("Holds", holdings(of: summary, clock)),
                ("Last success", state.lastSuccess.map(clock.text) ?? "never"),
                ("Last attempt", state.lastAttempt.map(clock.text)),
                ("Next refresh", controller.nextRefresh(of: summary).map(clock.text)),
                ("Duration of the last refresh", state.lastDuration.map { Wording.duration($0.components.seconds) }),
                ("Failures so far", state.failures > 0 ? String(state.failures) : nil),
                ("Last error", state.lastError.map(admin.operations.redacted)),
            ])
            if source.location != nil || isConfigured {
                html.element("div", [.class("a-buttons")]) { html in
                    html.form("/admin/refresh", token) { html in
                        html.hidden("name", name)
                        html.button("Refresh now", class: "primary")
                    }
                    if state.lastError != nil {
                        html.form("/admin/refresh", token) { html in
                            html.hidden("name", name)
                            html.hidden("force", "1")
                            html.button("Refresh, and accept a much smaller guide")
                        }
                    }
                }
            }
            let isPlaylist = summary.channels != nil
            if isPlaylist {
                html.element("p") { $0.link("Its channels", to: "/admin/lineup?name=\(name.percentEncoded)") }
                write(detail.changes, clock, &html)
            }
            writeFindings(
                detail.findings, clock.zone, title: "Problems in the last \(isPlaylist ? "playlist" : "guide")", &html)
            writeImports(detail.imports, clock, &html)
            html.heading("Settings")
            if isConfigured {
                html.paragraph("\(settings.path ?? "epg.yml") defines this source. Change and remove it there.")
            } else if isDerived {
                html.paragraph("The service derives these listings from playlists and other listings.")
            } else {
                writeForm(
                    source, isPlaylist: isPlaylist, token, admin.form["name"] == nil ? nil : admin.form, problem,
                    clock, &html)
                guard source.playlist == nil else {
                    return html.paragraph(
                        "The playlist “\(source.playlist ?? "")” names this guide. To remove the guide, change the settings of the playlist, or remove the playlist."
                    )
                }
                html.element("details", [.class("a-remove")]) { html in
                    html.element("summary", text: "Remove this source")
                    html.paragraph(
                        isPlaylist
                            ? "Its lineup and the guides that were added because the playlist names them are removed, too. Mappings and favorites stay."
                            : "Its listings are removed, too. Mappings and lineups stay.")
                    html.form("/admin/source/remove", token) { html in
                        html.hidden("name", name)
                        html.button(
                            "Remove “\(name)” and its \(isPlaylist ? "lineup" : "listings")", class: "danger")
                    }
                }
            }
        }
    }

    /// Writes the channels that new versions of a playlist added, removed or renamed.
    private static func write(_ changes: [LoggedChannelChange], _ clock: AdminClock, _ html: inout HTMLWriter) {
        html.heading("Changed channels")
        guard !changes.isEmpty else { return html.nothing("None in the last week.") }
        html.table("Changed channels", headings: ["When", "Before", "After"]) { html in
            for logged in changes.prefix(listedChannelChanges) {
                html.element("tr") { html in
                    html.cell(clock.text(logged.at))
                    html.cell(logged.change.before ?? "–")
                    html.cell(logged.change.after ?? "removed")
                }
            }
        }
        if changes.count > listedChannelChanges { html.paragraph("More channels changed.") }
    }

    /// Writes the problems of a guide, grouped by rule, with examples.
    static func writeFindings(
        _ findings: [GuidePreview.Finding], _ zone: Zone, title: String, _ html: inout HTMLWriter
    ) {
        html.heading(title)
        guard !findings.isEmpty else { return html.nothing("None.") }
        for finding in findings {
            html.element("details", [.class("a-finding")]) { html in
                html.element("summary") { html in
                    switch finding.severity {
                    case .error: html.mark(.error, "Error")
                    case .warning: html.mark(.warning, "Warning")
                    case .note: html.mark(.note, "Note")
                    }
                    html.text(" \(finding.count) × \(finding.keyword.meaning) (\(finding.keyword.rawValue))")
                }
                html.element("ul") { html in
                    for example in finding.examples {
                        let text = DiagnosticText(example, file: "", zone: zone, hints: [:])
                        html.element(
                            "li", [.text("dir", "auto")],
                            text: (example.line > 0 ? "Line \(example.line): " : "") + text.sentence)
                    }
                }
            }
        }
    }

    private static func writeImports(_ imports: [ImportSummary], _ clock: AdminClock, _ html: inout HTMLWriter) {
        html.heading("Imports")
        guard !imports.isEmpty else { return html.nothing("None yet.") }
        html.table("Imports", headings: ["When", "Read", "Dropped", "Inserted", "Changed", "Removed"]) { html in
            for summary in imports {
                html.element("tr") { html in
                    html.cell(clock.text(summary.at))
                    for count in [summary.read, summary.dropped, summary.inserted, summary.changed, summary.removed] {
                        html.cell(String(count), class: "a-number")
                    }
                }
            }
        }
    }

    /// - Parameter form: The entered values; `nil` for the source's values.
    private static func writeForm(
        _ source: Source, isPlaylist: Bool, _ token: String, _ form: Form?, _ problem: Problem?, _ clock: AdminClock,
        _ html: inout HTMLWriter
    ) {
        func value(_ name: String, _ stored: String?) -> String? { form.map { $0[name] ?? "" } ?? stored }
        html.form("/admin/source", token, class: "a-form") { html in
            html.hidden("name", source.name)
            if source.location != nil, source.account == nil {
                html.field(
                    "New URL", name: "location", value: problem == nil ? nil : form?["location"],
                    hint: "Leave it blank to keep the current one, which may contain a key and is not shown.",
                    problem: problem,
                    [.text("autocomplete", "off"), .text("maxlength", "2000")])
            }
            if source.location != nil {
                html.field(
                    "Minimum time between two downloads", name: "interval",
                    value: value("interval", source.interval.map(SourceFields.text(ofInterval:))),
                    hint: "Such as 6h or 1d; blank for every refresh.", problem: problem)
            }
            if isPlaylist {
                html.hidden("playlist", "1")
                if source.account == nil {
                    html.checkbox(
                        "Add the guides that the playlist names (x-tvg-url) as sources", name: "follow-guides",
                        isOn: form.map { $0["follow-guides"] != nil } ?? source.followsGuides)
                }
                html.field(
                    "Encoding", name: "encoding", value: value("encoding", source.encoding),
                    hint: "Such as windows-1251; blank to detect it.", problem: problem)
                return html.button("Save")
            }
            html.zoneField(
                "Time zone of times without one", value: value("zone", source.timeZone),
                hint: "A city such as London or New York; blank for UTC.", problem: problem, now: clock.now)
            html.field(
                "Shift in seconds", name: "shift", type: "number", value: value("shift", String(source.shift)),
                hint: "Is added to all times.", problem: problem)
            html.field(
                "Encoding", name: "encoding", value: value("encoding", source.encoding),
                hint: "Such as windows-1251; blank to detect it.", problem: problem)
            html.field(
                "Stations", name: "stations", value: value("stations", source.stations.joined(separator: " ")),
                hint: "Patterns of identifiers with * and ?, separated by spaces; blank for all.", problem: problem)
            html.field(
                "For channels in groups", name: "groups", value: value("groups", source.groups.joined(separator: "; ")),
                hint: "Groups of playlists with * and ?, separated by semicolons; blank for all channels.",
                problem: problem)
            html.checkbox(
                "Complete missing texts and pictures with other sources, and theirs with this source",
                name: "completes",
                isOn: form.map { $0["completes"] == "1" } ?? source.completes)
            html.button("Save")
        }
    }

    static func change(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let name = admin.form["name"] ?? ""
        admin.subject.set(name)
        do {
            let fields = try SourceFields(admin.form)
            try await refuseConfigured(name, controller, admin)
            let now = controller.service.now()
            let operations = admin.operations
            if let location = fields.location {
                try await controller.run(admin) { try operations.checkLocation(location) }
            }
            let isDownloaded = try await controller.write(admin) { guide in
                guard var source = try guide.sourceRecords().first(where: { $0.source.name == name })?.source else {
                    throw Problem.notFound("There is no source “\(name.prefix(80))”.")
                }
                let followed = source.followsGuides
                fields.apply(to: &source)
                try guide.save(source, now: now)
                if followed, !source.followsGuides {
                    // The guides are sources of their own now.
                    for var other in try guide.sourceRecords().map(\.source)
                    where other.playlist == name && other.account == nil {
                        other.playlist = nil
                        try guide.save(other, now: now)
                    }
                }
                try operations.updateDerivedListings(in: guide)
                try guide.refreshSearchIndex()
                return source.location != nil
            }
            return controller.redirect(
                to: "/admin/source?name=\(name.percentEncoded)", admin,
                notice: isDownloaded
                    ? "Saved. The next refresh reads the source with these settings."
                    : "Saved. The next file that you add with the name “\(name)” is read with these settings.")
        } catch let problem as Problem where problem.status == .unprocessableContent {
            return try await sourcePage(controller, admin, name: name, problem: problem)
        }
    }

    /// - Throws: ``Problem`` if the settings file defines the source.
    static func refuseConfigured(_ name: String, _ controller: AdminController, _ admin: AdminRequest) async throws {
        let settings = try await controller.readSettings(admin)
        guard !settings.sources.contains(name) else {
            throw Problem(.conflict, "\(settings.path ?? "epg.yml") defines the source “\(name)”. Change it there.")
        }
        guard name != Derivation.source.name else {
            throw Problem(.conflict, "“\(name)” is the source of derived listings.")
        }
    }

    static func remove(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let name = admin.form["name"] ?? ""
        admin.subject.set(name)
        try await refuseConfigured(name, controller, admin)
        let now = controller.service.now()
        let operations = admin.operations
        let (isRemoved, sources) = try await controller.write(admin) { guide in
            let sources = try guide.sourceRecords().map(\.source)
            guard try guide.removeSource(named: name, matcher: StationMatcher(), now: now) else {
                return (false, sources)
            }
            try operations.updateDerivedListings(in: guide)
            try guide.refreshSearchIndex()
            return (true, sources)
        }
        if isRemoved, let source = sources.first(where: { $0.name == name }) {
            let others = sources.filter { $0.name != name && $0.playlist != name }
            try await controller.run(admin) { try operations.removeFiles(of: source, besides: others) }
        }
        return controller.redirect(
            to: "/admin", admin,
            notice: isRemoved ? "Removed “\(name)”." : "There is no source “\(name)”.", isError: !isRemoved)
    }

    // MARK: - Priorities

    /// Sets priorities so that the sources have an order. Sources of epg.yml keep theirs.
    static func setPriorities(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        var names = admin.form.values(of: "name")
        let move = admin.form["action"].flatMap { RowMove($0) }
        if admin.form["action"] != nil {
            guard let move, move.apply(to: &names) else {
                throw Problem(.unprocessableContent, "There is no such place.")
            }
        }
        let configured = try await controller.readSettings(admin).sources
        let now = controller.service.now()
        admin.subject.set(names.joined(separator: ", "))
        let change = try await controller.write(admin) { [names] guide -> OrderChange in
            let before = try OrderChange.priorities(in: guide)
            let sources = try guide.sourceRecords().map(\.source)
            for source in SourceOrder(names).priorities(of: sources, keeping: configured) {
                try guide.save(source, now: now)
            }
            try guide.refreshSearchIndex()
            return OrderChange(before: before, after: try OrderChange.priorities(in: guide))
        }
        return controller.redirect(
            to: "/admin" + (move.map { "#s\($0.to)" } ?? ""), admin, notice: "The order of the sources has changed.",
            undoing: change.before == change.after ? nil : .order(change))
    }

    // MARK: - Changes

    static func changes(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let ranges: [(name: String, label: String, seconds: Int64)] = [
            ("hour", "Last hour", 3600), ("day", "Last day", 86_400), ("week", "Last week", 7 * 86_400),
        ]
        let range = ranges.first { $0.name == admin.query["range"] } ?? ranges[1]
        let clock = controller.clock
        let start = clock.now.advanced(by: -range.seconds)
        if let station = admin.query["station"] {
            return try await changes(of: StationID(station), since: start, range.name, controller, admin)
        }
        let found = try await controller.read(admin) { guide -> (GuideChanges, [StationID: String])? in
            guard let changes = try guide.changes(since: .instant(start), of: nil) else { return nil }
            let rows = try guide.stations(inRows: 0..<Int.max)
            return (changes, Dictionary(rows.map { ($0.station.id, $0.station.name) }) { first, _ in first })
        }
        return controller.page("Changes", admin) { html in
            html.element("nav", [.class("a-nav"), .text("aria-label", "Period")]) { html in
                for entry in ranges {
                    html.element(
                        "a",
                        [
                            .url("href", "/admin/changes?range=\(entry.name)"),
                            .text("aria-current", entry.name == range.name ? "page" : nil),
                        ], text: entry.label)
                }
            }
            guard let (changes, names) = found, changes.since != changes.generation else {
                html.nothing("The guide did not change.")
                return
            }
            html.paragraph(
                "Generations \(changes.since.rawValue + 1) to \(changes.generation)"
                    + (changes.from.map { ", from \(clock.zone.fullLabel(at: $0))" } ?? "") + ".")
            if !changes.isComplete { html.paragraph("The log does not go back further.") }
            if changes.changesStations {
                html.paragraph("Stations were added, removed or reordered, or have a new description or number.")
            }
            guard !changes.stations.isEmpty else { return html.nothing("No airing changed.") }
            html.table("Changed schedules", headings: ["Station", "New", "Removed", "Moved", "Changed"]) { html in
                for station in changes.stations.prefix(1000) {
                    html.element("tr") { html in
                        html.element("td", [.text("dir", "auto")]) { html in
                            html.link(
                                names[station.station] ?? station.station.rawValue,
                                to:
                                    "/admin/changes?range=\(range.name)&station=\(station.station.rawValue.percentEncoded)"
                            )
                        }
                        switch station.extent {
                        case .whole:
                            html.element("td", [.text("colspan", "4")], text: "any part of the schedule")
                        case .airings(let airings):
                            for kind in [AiringChange.Kind.inserted, .removed, .moved, .changed] {
                                html.cell(String(airings.count { $0.kind == kind }), class: "a-number")
                            }
                        }
                    }
                }
            }
            if changes.stations.count > 1000 {
                html.paragraph("\(changes.stations.count - 1000) more stations changed.")
            }
        }
    }

    /// The number of changes of a station that the page lists.
    private static let listedChanges = 500

    private struct ListedChange: Sendable {
        var change: AiringChange
        /// `nil` for an airing that is no longer stored.
        var title: String?
    }

    /// Shows the changed airings of a station with their titles.
    private static func changes(
        of station: StationID, since start: Instant, _ range: String, _ controller: AdminController,
        _ admin: AdminRequest
    ) async throws -> Response {
        let found = try await controller.read(admin) { guide -> (String, [ListedChange]?, Int)? in
            guard let row = try guide.station(station) else { return nil }
            let changes = try guide.changes(since: .instant(start), of: station)?.stations.first
            guard let changes else { return (row.station.name, [], 0) }
            guard case .airings(let airings) = changes.extent else { return (row.station.name, nil, 0) }
            let listed = try airings.prefix(listedChanges).map { change in
                ListedChange(change: change, title: try guide.airing(change.id)?.airing.shownTitle)
            }
            return (row.station.name, listed, airings.count)
        }
        guard let (name, changes, count) = found else {
            throw Problem.notFound("There is no station “\(station.rawValue.prefix(80))”.")
        }
        let zone = controller.clock.zone
        return controller.page("Changes of \(name)", admin) { html in
            html.element("div", [.class("a-buttons")]) { html in
                html.link("All changes", to: "/admin/changes?range=\(range)")
                html.link("The schedule", to: "/stations/\(station.rawValue.percentEncoded)")
            }
            guard let changes else { return html.paragraph("Any part of the schedule may have changed.") }
            guard !changes.isEmpty else { return html.nothing("No airing changed.") }
            html.table("Changed airings", headings: ["Change", "Before", "After", "Title"]) { html in
                for listed in changes {
                    html.element("tr") { html in
                        html.cell(label(listed.change.kind))
                        for window in [listed.change.before, listed.change.after] {
                            html.cell(
                                window.map { "\(zone.fullLabel(at: $0.start)) – \(zone.timeLabel(at: $0.end))" } ?? "–")
                        }
                        html.cell(listed.title ?? "no longer stored")
                    }
                }
            }
            if count > changes.count { html.paragraph("\(count - changes.count) more airings changed.") }
        }
    }

    private static func label(_ kind: AiringChange.Kind) -> String {
        switch kind {
        case .inserted: "new"
        case .removed: "removed"
        case .moved: "moved"
        case .changed: "changed"
        }
    }
}
