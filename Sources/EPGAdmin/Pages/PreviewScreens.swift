import EPGAccess
import EPGCalendar
import EPGHTTP
import EPGImport
import EPGModel
import EPGRender
import EPGServer
import HTTPTypes
import Hummingbird

/// Adding guides and playlists, with a preview.
enum PreviewScreens {
    static func add(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        try await addPage(controller, admin)
    }

    /// - Parameter problem: The problem of a form, which its field shows.
    static func addPage(
        _ controller: AdminController, _ admin: AdminRequest, problem: Problem? = nil
    ) async throws -> Response {
        let token = admin.session?.formToken ?? ""
        let (_, failure) = try await SourceScreens.settings(controller, admin)
        let waiting = controller.previews.waiting
        return controller.page("Add a guide or a playlist", admin, status: problem?.status ?? .ok) { html in
            html.alert(problem, exceptOf: ["url", "file", "server", "username", "account-password"])
            html.alert(failure)
            if !waiting.isEmpty {
                html.heading("Not added yet")
                html.form("/admin/preview/discard", token, [.id("selection")]) { html in
                    html.selection("Selected previews", all: "/admin/add?select=all") { html in
                        html.button("Discard selected")
                    }
                }
                html.element("ul", [.class("a-list")]) { html in
                    for entry in waiting { html.element("li") { write(entry, admin, token, &$0) } }
                }
            }
            html.paragraph(
                "Guides are XMLTV or JSON, playlists are M3U, compressed or not. You see what a file holds before it is added."
            )
            html.heading("From a URL")
            html.form("/admin/add/url", token, class: "a-form") { html in
                html.field(
                    "URL", name: "url", value: admin.form["url"],
                    hint: "Such as example.com/guide.xml. The service downloads it again at each refresh.",
                    problem: problem,
                    [
                        .flag("required"), .text("maxlength", "2000"), .text("autocomplete", "off"),
                        .text("inputmode", "url"), .text("autocapitalize", "none"), .text("spellcheck", "false"),
                    ])
                html.button("Preview", class: "primary")
            }
            html.heading("From a file")
            html.form("/admin/add/file", token, class: "a-form", sendsFile: true) { html in
                html.field("File", name: "file", type: "file", problem: problem, [.flag("required")])
                html.button("Preview", class: "primary")
            }
            html.heading("From an IPTV account (Xtream)")
            writeAccountForm(.xtreamPlaylist, admin, token, problem, &html)
            html.heading("From Schedules Direct")
            writeAccountForm(.schedulesDirect, admin, token, problem, &html)
            html.heading("From a command")
            html.paragraph(
                "Commands are defined in epg.yml on the host of the service; “epg config example” prints examples.")
        }
    }

    private static func writeAccountForm(
        _ service: SourceAccount.Service, _ admin: AdminRequest, _ token: String, _ problem: Problem?,
        _ html: inout HTMLWriter
    ) {
        let isXtream = service == .xtreamPlaylist
        let form = admin.form["service"] == service.rawValue ? admin.form : nil
        let problem = form == nil ? nil : problem
        html.form("/admin/add/account", token, class: "a-form") { html in
            html.hidden("service", service.rawValue)
            if isXtream {
                html.field(
                    "Server", name: "server", type: "url", value: form?["server"],
                    hint: "The URL that the provider gives you, such as http://provider.example:8080.",
                    problem: problem,
                    [
                        .flag("required"), .text("maxlength", "2000"), .text("autocomplete", "off"),
                        .text("placeholder", "http://"),
                    ])
            }
            html.field(
                "User name", name: "username", value: form?["username"],
                hint: isXtream
                    ? nil : "Of an account at schedulesdirect.org, which has a subscription and at least one lineup.",
                problem: problem,
                [.flag("required"), .text("maxlength", "200"), .text("autocomplete", "off")])
            html.field(
                "Password of the account", name: "account-password", type: "password",
                hint: "Is stored in a file beside the database that only the service can read.",
                problem: problem,
                [.flag("required"), .text("maxlength", "200"), .text("autocomplete", "off")])
            if !isXtream {
                html.field(
                    "Another server with the same API", name: "server", type: "url", value: form?["server"],
                    hint: "Blank for Schedules Direct itself.", problem: problem,
                    [.text("maxlength", "2000"), .text("autocomplete", "off"), .text("placeholder", "https://")])
            }
            html.button(isXtream ? "Preview" : "Show its lineups", class: "primary")
        }
    }

    private static func name(of entry: PreviewTable.Entry, _ admin: AdminRequest) -> String {
        switch entry.origin {
        case .upload(let name): name.isEmpty ? "The file" : name
        case .url(let url, _): admin.operations.displayable(entry.download?.location ?? url)
        case .account(let account):
            account.service == .schedulesDirect
                ? "Schedules Direct, \(account.username)"
                : "\(account.username) at \(admin.operations.displayable(account.url ?? ""))"
        }
    }

    /// Writes a preview in the list of those that are neither added nor discarded.
    private static func write(
        _ entry: PreviewTable.Entry, _ admin: AdminRequest, _ token: String, _ html: inout HTMLWriter
    ) {
        let name = name(of: entry, admin)
        html.element("div", [.class("a-buttons")]) { html in
            html.selectionBox(
                "Select \(name)", name: "id", value: entry.id, form: "selection",
                isChecked: admin.query["select"] == "all")
            html.link(name, to: "/admin/preview?id=\(entry.id)")
            if case .importing = entry.state { return html.text("is being added") }
            if case .failed = entry.state { html.text("failed") }
            html.form("/admin/preview/discard", token) { html in
                html.hidden("id", entry.id)
                html.button("Discard", class: "quiet", [.text("aria-label", "Discard \(name)")])
            }
        }
    }

    static func previewAccount(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        do throws(Problem) {
            let username = try admin.form.requiredText("username")
            admin.subject.set(username)
            guard let password = admin.form["account-password"], !password.isEmpty, password.utf8.count <= 200,
                !password.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }),
                password == password.trimmingBlanks
            else {
                throw Problem(
                    .unprocessableContent,
                    "Enter a password without control characters and without blanks around it, at most 200 bytes.",
                    parameter: "account-password")
            }
            let isXtream = admin.form["service"] == SourceAccount.Service.xtreamPlaylist.rawValue
            let server =
                try isXtream
                ? admin.form.requiredText("server", maximumLength: 2000)
                : admin.form.text("server", maximumLength: 2000)
            if let server { try SourceFields.checkURL(server, field: "server") }
            let account = AccountLogIn(
                isXtream ? .xtreamPlaylist : .schedulesDirect, username: username, password: password, url: server)
            let entry = try controller.previews.begin(
                .account(account), zone: controller.service.site.zone.name, admin.operations)
            return .seeOther("/admin/preview?id=\(entry.id)")
        } catch {
            guard error.status == .unprocessableContent else { throw error }
            return try await addPage(controller, admin, problem: error)
        }
    }

    static func previewURL(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        do throws(Problem) {
            let text = try admin.form.requiredText("url", maximumLength: 2000)
            admin.subject.set(admin.operations.displayable(text))
            let (url, other) = try SourceFields.completedURL(text, field: "url")
            let entry = try controller.previews.begin(
                .url(url, orElse: other), zone: controller.service.site.zone.name, admin.operations)
            return .seeOther("/admin/preview?id=\(entry.id)")
        } catch {
            guard error.status == .unprocessableContent else { throw error }
            return try await addPage(controller, admin, problem: error)
        }
    }

    static func previewFile(_ controller: AdminController, _ admin: AdminRequest) throws -> Response {
        guard let upload = admin.upload else { throw Problem(.unprocessableContent, "Choose a file.") }
        admin.subject.set(upload.name)
        let entry = try controller.previews.begin(
            .upload(upload.name), file: upload.file, zone: controller.service.site.zone.name, admin.operations)
        return .seeOther("/admin/preview?id=\(entry.id)")
    }

    private static func entry(
        _ id: String?, _ controller: AdminController
    ) throws(Problem) -> PreviewTable.Entry {
        guard let entry = controller.previews.entry(id) else {
            throw .notFound("The preview was added or discarded, or it is older than 15 minutes.")
        }
        return entry
    }

    static func preview(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let entry = try entry(admin.query["id"], controller)
        if case .added(let name) = entry.state {
            let hasUnmatched = try await controller.read(admin) { guide in
                try guide.lineup(named: name)?.matches.contains { $0 == nil } ?? false
            }
            let path = hasUnmatched ? "/admin/matching?lineup=" : "/admin/source?name="
            return controller.redirect(to: path + name.percentEncoded, admin, notice: "Added “\(name)”.")
        }
        return try await previewPage(entry, controller, admin)
    }

    private static func previewPage(
        _ entry: PreviewTable.Entry, _ controller: AdminController, _ admin: AdminRequest, problem: Problem? = nil
    ) async throws -> Response {
        let token = admin.session?.formToken ?? ""
        let state = entry.state
        let name = name(of: entry, admin)
        let isRunning = state.isRunning
        let failure = isRunning || problem != nil ? nil : entry.failure
        let form = admin.form["id"] == nil ? entry.draft : admin.form
        let matched = try await matchedCount(of: entry, in: state, controller, admin)
        let suggested = try await suggestedName(for: entry, state, controller, admin)
        let schedule = entry.isRepeatable && !isRunning ? try await missingSchedule(controller, admin) : nil
        return controller.page("Preview", admin, status: problem?.status ?? .ok, isProgressing: isRunning) { html in
            html.alert(failure)
            html.alert(problem, exceptOf: fieldsOfPreview)
            html.element("p", [.class("a-origin"), .text("dir", "auto")], text: name)
            html.element(
                "div", [.id("progress"), .text("role", "status"), .text("data-poll", isRunning ? "1" : nil)]
            ) { html in
                switch state {
                case .fetching(0, _): html.paragraph("Waiting for the download …")
                case .fetching(let count, let total):
                    html.paragraph(
                        "Downloading: \(Wording.bytes(count))" + (total > 0 ? " of \(Wording.bytes(total))" : "") + " …"
                    )
                case .reading: html.paragraph("Reading …")
                case .importing(let count, let total):
                    let percent = total > 0 ? min(100, count * 100 / total) : 0
                    html.paragraph(
                        percent < 100
                            ? "Adding: \(Wording.bytes(count)) of \(Wording.bytes(total)) read …" : "Adding: storing …")
                    html.element(
                        "progress",
                        [.number("max", 100), .number("value", percent), .text("aria-label", "Import")],
                        text: "\(percent) %")
                    html.paragraph("You can leave this page. The import continues.")
                case .ready, .lineups: html.paragraph("Nothing is added yet.")
                case .added: html.paragraph("It is added.")
                case .failed(let reason, _):
                    html.element("div", [.class("a-notice", "a-error")]) { $0.paragraph(reason) }
                }
            }
            if case .ready(let read) = state {
                if case .url(let url, orElse: let other?) = entry.origin, read.download?.location == other {
                    html.paragraph(
                        "\(admin.operations.displayable(url)) cannot be reached. The preview uses \(admin.operations.displayable(other)), whose downloads are not encrypted."
                    )
                }
                write(read.preview, matched: matched, controller.clock, &html)
                html.heading("Add it")
                let values = FormValues(form: form, problem: problem)
                writeForm(read, entry, suggested, schedule, token, values, controller.clock, &html)
            } else if case .lineups(let offers) = state {
                write(offers, entry, schedule, token, FormValues(form: form, problem: problem), &html)
            }
            switch state {
            case .importing, .ready: return
            case .failed(_, let privateHost) where entry.isRepeatable:
                html.form("/admin/preview/retry", token, class: "a-form") { html in
                    html.hidden("id", entry.id)
                    if let privateHost {
                        html.checkbox(
                            "Allow the host \(privateHost), which is in your network or on this machine, for guides and their pictures",
                            name: "allows-host")
                    }
                    html.button("Try again", class: "primary")
                }
            default: break
            }
            html.form("/admin/preview/discard", token) { html in
                html.hidden("id", entry.id)
                html.button("Discard")
            }
        }
    }

    /// The fields of the forms of a preview that show their problems themselves.
    private static let fieldsOfPreview: Set<String> = ["name", "zone", "interval", "schedule", "refresh"]

    /// What the user has entered; nothing before.
    private struct FormValues {
        let form: Form?
        let problem: Problem?
    }

    /// Returns a function that writes the choice of a refresh schedule; `nil` if the service has a schedule.
    private static func missingSchedule(
        _ controller: AdminController, _ admin: AdminRequest
    ) async throws -> (@Sendable (FormValues, inout HTMLWriter) -> Void)? {
        let (settings, _) = try await SourceScreens.settings(controller, admin)
        guard let entry = settings.entries.first(where: { $0.key == "refresh" }), entry.value == nil,
            !entry.isOverridden
        else { return nil }
        return { values, html in
            let choice = values.form?["schedule"].flatMap(ScheduleChoice.init) ?? .suggested
            html.scheduleFields(
                "Refresh the guide", choice, custom: values.form?["refresh"],
                hint: "The service downloads all sources on this schedule. The settings change it.",
                help: entry.hint, problem: values.problem)
        }
    }

    /// Stores the schedule that the form of a preview chooses, if the service has none.
    private static func storeSchedule(_ controller: AdminController, _ admin: AdminRequest) async throws {
        guard admin.form["schedule"] != nil, try await missingSchedule(controller, admin) != nil,
            let expression = try ScheduleChoice.expression(in: admin.form, former: nil)
        else { return }
        if let reason = admin.operations.problems(ofSettings: ["refresh": expression])["refresh"] {
            throw Problem(.unprocessableContent, reason, parameter: "refresh")
        }
        try await controller.changeSettings(["refresh": expression], admin)
    }

    /// Writes the lineups of an account, of which the user chooses.
    private static func write(
        _ offers: [SchedulesDirectOffer], _ entry: PreviewTable.Entry,
        _ schedule: ((FormValues, inout HTMLWriter) -> Void)?, _ token: String, _ values: FormValues,
        _ html: inout HTMLWriter
    ) {
        let form = values.form
        guard !offers.isEmpty else {
            return html.alert(
                "The account has no lineup. Add one at schedulesdirect.org, discard this preview, and try again.")
        }
        html.form("/admin/preview/accept", token, class: "a-form") { html in
            html.hidden("id", entry.id)
            html.element("fieldset") { html in
                html.element("legend", text: "Lineups")
                for offer in offers {
                    let isChosen = form.map { $0.values(of: "lineup").contains(offer.id) } ?? true
                    html.element("label", [.class("a-check")]) { html in
                        html.void(
                            "input",
                            [
                                .text("type", "checkbox"), .text("name", "lineup"), .text("value", offer.id),
                                .flag("checked", isChosen),
                            ])
                        html.element("span", [.text("dir", "auto")]) { html in
                            html.text(offer.name ?? offer.id)
                            html.element(
                                "small",
                                text: " "
                                    + [offer.id, offer.transport, offer.location].compactMap(\.self)
                                    .joined(separator: " · "))
                        }
                    }
                }
            }
            html.field(
                "Name", name: "name", value: form?["name"] ?? suggestedName(entry.origin), problem: values.problem,
                [.flag("required"), .text("maxlength", "64"), .text("autocomplete", "off")])
            schedule?(values, &html)
            html.button("Add", class: "primary")
        }
    }

    /// Returns the number of channels of a playlist that would show a station; `nil` for a guide.
    private static func matchedCount(
        of entry: PreviewTable.Entry, in state: PreviewTable.Entry.State, _ controller: AdminController,
        _ admin: AdminRequest
    ) async throws -> Int? {
        guard case .ready(let read) = state, case .playlist(let lineup) = read.preview.content else { return nil }
        return try await controller.read(admin) { guide in
            try entry.matchedCount(at: try guide.generation()) {
                let stations = try guide.stations(inRows: 0..<Int.max).map(\.station).filter { $0.derivation == nil }
                let matches = StationMatcher().matches(
                    of: lineup.channels, among: stations, mappings: try guide.mappings())
                return matches.count { $0 != nil }
            }
        }
    }

    private static func write(
        _ preview: GuidePreview, matched: Int?, _ clock: AdminClock, _ html: inout HTMLWriter
    ) {
        switch preview.content {
        case .guide(let listings):
            html.facts([
                ("Kind", "a guide"),
                ("Stations", String(listings.stations)),
                ("Airings", "\(listings.airings) of \(Wording.count(listings.programmes, "programme"))"),
                ("From", listings.span.map { clock.text($0.start) }),
                ("Until", listings.span.map { clock.text($0.end) }),
                (
                    "First stations",
                    listings.stationNames.isEmpty
                        ? nil
                        : listings.stationNames.joined(separator: ", ")
                            + (listings.stations > listings.stationNames.count ? ", …" : "")
                ),
            ])
            if let span = listings.span, span.end <= clock.now {
                html.alert("All airings in this guide are over. It is out of date.")
            } else if listings.airings == 0 {
                html.alert("This guide has no airings.")
            }
        case .playlist(let lineup):
            var groups: [String] = []
            for group in lineup.channels.flatMap(\.groups) where !groups.contains(group) && groups.count < 30 {
                groups.append(group)
            }
            html.facts([
                ("Kind", "a playlist"),
                ("Channels", String(lineup.channels.count)),
                ("With a station of the guide", matched.map(String.init)),
                ("First channels", lineup.channels.prefix(20).map(\.name).joined(separator: ", ")),
                ("Groups", groups.isEmpty ? nil : groups.joined(separator: ", ")),
                ("Guides it names", lineup.guideURLs.isEmpty ? nil : String(lineup.guideURLs.count)),
            ])
        }
        SourceScreens.writeFindings(preview.findings, clock.zone, title: "Problems", &html)
    }

    private static func writeForm(
        _ read: PreviewTable.ReadFile, _ entry: PreviewTable.Entry, _ suggested: (name: String, isTaken: Bool),
        _ schedule: ((FormValues, inout HTMLWriter) -> Void)?, _ token: String, _ values: FormValues,
        _ clock: AdminClock, _ html: inout HTMLWriter
    ) {
        let (preview, form, problem) = (read.preview, values.form, values.problem)
        html.form("/admin/preview/accept", token, class: "a-form") { html in
            html.hidden("id", entry.id)
            html.field(
                "Name", name: "name", value: form?["name"] ?? suggested.name,
                hint: suggested.isTaken
                    ? "“\(suggested.name)” exists. Adding this replaces it; choose another name to keep both."
                    : "A guide or playlist with the same name is replaced.",
                problem: problem, [.flag("required"), .text("maxlength", "64"), .text("autocomplete", "off")])
            if preview.lacksZones, case .guide(let listings) = preview.content {
                html.zoneField(
                    "Time zone of the guide", value: problem == nil ? read.zone : form?["zone"],
                    hint:
                        "A city such as London or New York, or UTC. Choose the zone in which the times below are right.",
                    problem: problem, now: clock.now)
                writeTimes(of: listings, clock, &html)
            }
            schedule?(values, &html)
            if entry.isRepeatable {
                html.field(
                    "Minimum time between two downloads", name: "interval", value: form?["interval"],
                    hint: "Such as 6h or 1d; blank for every refresh.", problem: problem)
            }
            if case .playlist(let lineup) = preview.content, case .url = entry.origin, !lineup.guideURLs.isEmpty {
                html.checkbox(
                    lineup.guideURLs.count == 1
                        ? "Add the guide that the playlist names, too"
                        : "Add the \(lineup.guideURLs.count) guides that the playlist names, too",
                    name: "follow-guides", isOn: form.map { $0["follow-guides"] != nil } ?? true)
            }
            html.element("div", [.class("a-buttons")]) { html in
                html.button("Add", class: "primary")
                if preview.lacksZones {
                    html.button("Show the times in this zone", [.text("name", "action"), .text("value", "zone")])
                }
                html.button(
                    "Discard", class: "quiet", [.url("formaction", "/admin/preview/discard"), .flag("formnovalidate")])
            }
        }
    }

    /// Writes the first airings of a guide whose times have no zone, from which users see whether a zone is right.
    private static func writeTimes(
        of listings: GuidePreview.Listings, _ clock: AdminClock, _ html: inout HTMLWriter
    ) {
        guard !listings.examples.isEmpty else { return }
        html.table("Times in this zone", headings: ["Station", "Programme", "Starts"]) { html in
            for example in listings.examples {
                html.element("tr") { html in
                    html.cell(example.station)
                    html.cell(example.title)
                    html.cell(clock.zone.fullLabel(at: example.window.start))
                }
            }
        }
    }

    /// Returns the name that the form of a preview suggests, and whether a guide or playlist has it.
    ///
    /// A guide from another URL gets a free name. A file with the name of a former one probably replaces it.
    private static func suggestedName(
        for entry: PreviewTable.Entry, _ state: PreviewTable.Entry.State, _ controller: AdminController,
        _ admin: AdminRequest
    ) async throws -> (name: String, isTaken: Bool) {
        let place = suggestedName(entry.origin)
        guard case .ready(let read) = state else { return (place, false) }
        let name = read.preview.name ?? place
        return try await controller.read(admin) { guide in
            let sources = try guide.sourceRecords().map(\.source)
            var taken = Set(sources.map(\.name))
            if case .playlist = read.preview.content, !entry.isRepeatable { taken = Set(try guide.lineups()) }
            guard entry.isRepeatable else {
                return taken.contains(place) ? (place, true) : (name, taken.contains(name))
            }
            let url: String? =
                switch entry.origin {
                case .url(let url, _): read.download?.location ?? url
                case .account(let account): account.url
                case .upload: nil
                }
            if let same = sources.first(where: { $0.location == url }) { return (same.name, true) }
            let free = (2...1000).lazy.map { "\(name) \($0)" }.first { !taken.contains($0) }
            return (taken.contains(name) ? free ?? name : name, false)
        }
    }

    /// Returns a name derived from the name of the file or the host.
    private static func suggestedName(_ origin: PreviewTable.Entry.Origin) -> String {
        switch origin {
        case .account(let account):
            return account.service == .schedulesDirect
                ? "Schedules Direct" : suggestedName(.url(account.url ?? ""))
        case .upload(let name): return String(name.split(separator: ".").first ?? "guide")
        case .url(let url, _):
            let rest = url.split(separator: "://", maxSplits: 1).last ?? ""
            let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.split(separator: "@").last ?? "guide"
            return String(host.prefix { $0 != ":" })
        }
    }

    static func accept(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let entry = try entry(admin.form["id"], controller)
        let content: GuidePreview.Content?
        switch entry.state {
        case .ready(let read): content = read.preview.content
        case .lineups: content = nil
        default: throw Problem(.conflict, "The preview is not complete yet, or is being added.")
        }
        do {
            if admin.form["action"] == "zone" {
                admin.subject.set("the zone of a preview")
                let zone = try SourceFields.zone(admin.form)
                try controller.previews.readAgain(entry, zone: zone, draft: admin.form, admin.operations)
                return .seeOther("/admin/preview?id=\(entry.id)")
            }
            let name = try admin.form.requiredText("name", maximumLength: 64)
            admin.subject.set(name)
            guard !name.hasURLCredentials else {
                throw Problem(
                    .unprocessableContent, "The name must not contain a password: names are public.", parameter: "name")
            }
            let path: String
            switch (content, entry.origin) {
            case (.playlist(let playlist), .upload):
                let lineup = Lineup(name: name, attributes: playlist.attributes, channels: playlist.channels)
                path = try await save(lineup, controller, admin)
            case (nil, .account(let account)): path = try await save(account, named: name, controller, admin)
            case (.guide, .account): throw Problem(.unprocessableContent, "The server sent a guide, not a playlist.")
            case (_, .url), (_, .upload), (.playlist, .account):
                try await beginImport(of: entry, named: name, controller, admin)
                return .seeOther("/admin/preview?id=\(entry.id)")
            }
            controller.previews.discard(entry)
            return controller.redirect(to: path, admin, notice: "Added “\(name)”.")
        } catch let problem as Problem where problem.status == .unprocessableContent {
            return try await previewPage(entry, controller, admin, problem: problem)
        }
    }

    private static func save(
        _ lineup: Lineup, _ controller: AdminController, _ admin: AdminRequest
    ) async throws -> String {
        let now = controller.service.now()
        let operations = admin.operations
        let outcome = try await controller.write(admin) { guide in
            let outcome = try guide.replaceLineup(lineup, from: nil, matcher: StationMatcher(), now: now)
            try operations.updateDerivedListings(in: guide)
            try guide.refreshSearchIndex()
            return outcome
        }
        return outcome.unmatched > 0
            ? "/admin/matching?lineup=\(lineup.name.percentEncoded)"
            : "/admin/lineup?name=\(lineup.name.percentEncoded)"
    }

    /// Adds an account, and stores its password.
    private static func save(
        _ account: AccountLogIn, named name: String, _ controller: AdminController, _ admin: AdminRequest
    ) async throws -> String {
        let lineups = admin.form.values(of: "lineup")
        guard !lineups.isEmpty, lineups.allSatisfy({ $0.utf8.count <= 200 }) else {
            throw Problem(.unprocessableContent, "Choose at least one lineup.")
        }
        try await SourceScreens.refuseConfigured(name, controller, admin)
        try await storeSchedule(controller, admin)
        let (now, password) = (controller.service.now(), account.password)
        let source = Source(
            name: name, location: account.url ?? SchedulesDirectSettings.defaultURL,
            account: SourceAccount(username: account.username, lineups: lineups))
        try await controller.write(admin) { guide in
            let known = try guide.sourceRecords().first { $0.source.name == name }?.source
            // The account itself may have another password or other lineups.
            guard known == nil || known?.account != nil else {
                throw Problem(
                    .unprocessableContent, "There is already a source “\(name)”. Choose another name.",
                    parameter: "name")
            }
            if let account = AccountName(of: source) {
                try admin.settings.store.change { $0.accounts[account] = password }
            }
            try guide.save(source, now: now)
            // Another user of the same source leaves no password behind.
            if let known, AccountName(of: known) != AccountName(of: source) {
                try admin.settings.store.forgetAccount(of: known, besides: guide.sourceRecords().map(\.source))
            }
        }
        admin.operations.requestRefresh(of: [name], isForced: false)
        return "/admin/refresh"
    }

    /// Imports a previewed guide while the browser shows the progress.
    private static func beginImport(
        of entry: PreviewTable.Entry, named name: String, _ controller: AdminController, _ admin: AdminRequest
    ) async throws {
        try await SourceScreens.refuseConfigured(name, controller, admin)
        guard let importer = controller.importer else {
            throw Problem(.conflict, "This service does not import guides.")
        }
        let fields = try SourceFields(admin.form)
        var request = ImportRequest(source: name, now: controller.service.now())
        request.timeZone = fields.timeZone
        request.interval = fields.interval
        request.followsGuides = admin.form["follow-guides"] != nil
        if case .account(let account) = entry.origin {
            request.account = SourceAccount(account.service, username: account.username)
        }
        let known = try await controller.read(admin) { try $0.sourceRecords() }.first { $0.source.name == name }
        let kind: SourceKind =
            if case .ready(let read) = entry.state, case .playlist = read.preview.content {
                .playlist
            } else {
                .guide
            }
        if let former = known?.kind, former != kind {
            throw Problem(
                .unprocessableContent,
                former == .guide
                    ? "There is already a guide “\(name)”. Choose another name."
                    : "There is already a playlist “\(name)”. Choose another name.", parameter: "name")
        }
        try await storeSchedule(controller, admin)
        if case .account(let account) = entry.origin,
            let accountName = AccountName(of: Source(name: name, location: account.url, account: request.account))
        {
            let store = admin.settings.store
            try await controller.run(admin) { try store.change { $0.accounts[accountName] = account.password } }
        }
        let former = known?.source
        try controller.previews.beginImport(
            of: entry, as: request, replacing: former, importer, controller.service, admin.operations)
    }

    /// Fetches a URL or the lineups of an account again after a failure, perhaps from a host that the administrator allows.
    static func retry(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let failed = try entry(admin.form["id"], controller)
        admin.subject.set(name(of: failed, admin))
        guard case .failed(_, let privateHost) = failed.state, failed.isRepeatable else {
            throw Problem(.conflict, "The preview has not failed, or its file must be uploaded again.")
        }
        if let privateHost, admin.form["allows-host"] != nil {
            let settings = try await controller.readSettings(admin)
            guard let hosts = settings.entries.first(where: { $0.key == "private-hosts" }), !hosts.isOverridden else {
                throw Problem(
                    .conflict,
                    "\(settings.path ?? "epg.yml"), a variable or an option sets private-hosts. Add the host \(privateHost) there."
                )
            }
            let value = [hosts.value, privateHost].compactMap(\.self).joined(separator: ", ")
            try await controller.changeSettings(["private-hosts": value], admin)
        }
        let entry = try controller.previews.begin(
            failed.origin, zone: controller.service.site.zone.name, replacing: failed, admin.operations)
        return .seeOther("/admin/preview?id=\(entry.id)")
    }

    static func discard(_ controller: AdminController, _ admin: AdminRequest) throws -> Response {
        let ids = admin.form.values(of: "id")
        for entry in ids.compactMap(controller.previews.entry) {
            if case .importing = entry.state { throw Problem(.conflict, "The guide is being added.") }
            controller.previews.discard(entry)
        }
        switch ids.count {
        case 0:
            return controller.redirect(
                to: "/admin/add", admin, notice: "Select at least one preview.", isError: true)
        case 1:
            return controller.redirect(
                to: "/admin/add", admin, notice: "The preview is discarded; nothing was added.")
        default:
            return controller.redirect(
                to: "/admin/add", admin, notice: "The previews are discarded; nothing was added.")
        }
    }
}
