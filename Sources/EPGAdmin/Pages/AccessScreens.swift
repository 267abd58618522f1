import EPGAccess
import EPGHTTP
import EPGModel
import EPGRender
import EPGServer
import HTTPTypes
import Hummingbird

/// The log-in, passwords and tokens.
enum AccessScreens {
    // MARK: - Log-in

    static func login(_ controller: AdminController, _ admin: AdminRequest) -> Response {
        let next = place(admin.query["next"])
        if let session = admin.session, session.role == .administrator || !next.hasPrefix("/admin") {
            return .seeOther(next)
        }
        return loginPage(controller, admin, next: next)
    }

    private static func loginPage(
        _ controller: AdminController, _ admin: AdminRequest, next: String, problem: Problem? = nil
    ) -> Response {
        let isOn = admin.isOn || admin.records.reader != nil
        return controller.page(isOn ? "Log in" : "Set a password first", admin, status: problem?.status ?? .ok) {
            html in
            html.alert(problem, exceptOf: isOn ? ["password"] : [])
            guard isOn else { return writeFirstSteps(&html) }
            html.form("/login", "", class: "a-form") { html in
                html.hidden("next", next)
                html.field(
                    "Password", name: "password", type: "password", problem: problem,
                    [
                        .text("autocomplete", "current-password"), .flag("required"),
                        .flag("autofocus", problem?.parameter != "password"),
                        .number("maxlength", PasswordHash.lengths.upperBound),
                    ])
                html.button("Log in", class: "primary")
            }
        }
    }

    /// Writes how the first administrator gets a password.
    private static func writeFirstSteps(_ html: inout HTMLWriter) {
        html.paragraph(
            "Only the person who runs this service can set it up. This service has no password yet, so prove it in one of these ways:"
        )
        html.heading("Open the link that epgd printed")
        html.paragraph(
            "When epgd starts without sources, it prints a link that is valid once, and for 15 minutes. It is in the terminal or in the log of the service. Restart epgd for a new link."
        )
        writeCommands("journalctl -u epgd\ndocker logs epgd", &html)
        html.heading("Or set a password on the machine of the service")
        html.paragraph("Then reload this page, and log in.")
        writeCommands("epg admin password", &html)
    }

    private static func writeCommands(_ text: String, _ html: inout HTMLWriter) {
        html.element("pre") { $0.element("code", text: text) }
    }

    /// The log-in with the reason why it cannot be tried now.
    static func loginPage(
        _ controller: AdminController, _ admin: AdminRequest, problem: Problem
    ) -> Response {
        loginPage(controller, admin, next: place(admin.form["next"]), problem: problem)
    }

    static func logIn(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let next = place(admin.form["next"])
        guard let (role, hash) = try await controller.verify(admin.form["password"] ?? "", admin) else {
            admin.subject.set("wrong password")
            return loginPage(
                controller, admin, next: next,
                problem: Problem(.forbidden, "The password is wrong.", parameter: "password"))
        }
        admin.subject.set("\(role)")
        let target = role == .reader && next.hasPrefix("/admin") ? "/" : next
        return controller.logIn(role, hash, admin, to: target)
    }

    static func logOut(_ controller: AdminController, _ admin: AdminRequest) -> Response {
        if let id = admin.sessionID { controller.access.sessions.end(id) }
        var response = Response.seeOther("/login")
        response.headers.append(HTTPField(name: .setCookie, value: admin.cookie("", seconds: 0)))
        // The browser's cache of pages that needed the log-in (W3C Clear Site Data). "storage" would delete the settings of the
        // guide page, too; the service worker stores no response for one client only.
        response.headers[named: "Clear-Site-Data"] = "\"cache\""
        return response
    }

    /// Returns the path to show after the log-in, which must be one of this service. It has no token.
    private static func place(_ text: String?) -> String {
        guard let text, text.utf8.count <= 2000, text.hasPrefix("/"), !text.hasPrefix("/login"),
            let link = PageLink(text.withoutTokenParameters)
        else { return "/admin" }
        return link.text
    }

    // MARK: - First password

    static func start(_ controller: AdminController, _ admin: AdminRequest) throws -> Response {
        let token = admin.query["token"]
        _ = try controller.startLink(token: token, admin)
        return startPage(controller, admin, token: token ?? "")
    }

    private static func startPage(
        _ controller: AdminController, _ admin: AdminRequest, token: String, problem: Problem? = nil
    ) -> Response {
        controller.page("Welcome", admin, status: problem == nil ? .ok : .unprocessableContent) { html in
            html.alert(problem, exceptOf: passwordFields)
            html.paragraph(
                "Choose the password of the administrator. Afterwards, this page helps you add a guide. The password protects administration only; everybody who can reach this service can read the guide."
            )
            html.form("/admin/start", "", class: "a-form") { html in
                html.hidden("token", token)
                writePasswordFields(problem, &html)
                html.button("Set the password", class: "primary")
            }
        }
    }

    private static let passwordFields: Set<String> = ["password", "repeated", "current"]

    private static func writePasswordFields(_ problem: Problem?, _ html: inout HTMLWriter) {
        let lengths = PasswordHash.lengths
        let attributes: [HTMLAttribute] = [
            .text("autocomplete", "new-password"), .flag("required"), .number("minlength", lengths.lowerBound),
            .number("maxlength", lengths.upperBound),
        ]
        html.field(
            "New password", name: "password", type: "password",
            hint: "At least \(lengths.lowerBound) characters, such as four random words.", problem: problem, attributes)
        html.field("Repeat the password", name: "repeated", type: "password", problem: problem, attributes)
    }

    /// Returns the new password of a form.
    private static func newPassword(_ admin: AdminRequest) throws(Problem) -> String {
        let password = admin.form["password"] ?? ""
        guard password == admin.form["repeated"] else {
            throw Problem(
                .unprocessableContent, "The two passwords differ. Enter the same password twice.", parameter: "repeated"
            )
        }
        return password
    }

    static func setFirstPassword(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let token = admin.form["token"]
        let link = try controller.startLink(token: token, admin)
        do {
            let hash = try await controller.setPassword(
                try newPassword(admin), of: .administrator, isFirst: true, admin)
            link.markUsed()
            return controller.logIn(.administrator, hash, admin, to: "/admin")
        } catch let problem as Problem where problem.status == .unprocessableContent {
            return startPage(controller, admin, token: token ?? "", problem: problem)
        }
    }

    // MARK: - Access

    static func access(_ controller: AdminController, _ admin: AdminRequest) -> Response {
        accessPage(controller, admin)
    }

    private static func accessPage(
        _ controller: AdminController, _ admin: AdminRequest, problem: Problem? = nil,
        newToken: (token: AccessToken, text: String)? = nil
    ) -> Response {
        let clock = AdminClock(zone: controller.service.site.zone, now: controller.service.now())
        let token = admin.session?.formToken ?? ""
        // The page has several forms with the same fields.
        let role = AccessRole(rawValue: admin.form["role"] ?? "")
        let isOfToken = admin.request.uri.path == "/admin/access/token"
        func flaw(of form: AccessRole?) -> Problem? { (isOfToken ? nil : role) == form ? problem : nil }
        let fields = isOfToken ? ["name"] : role == nil ? [] : passwordFields
        return controller.page("Access", admin, status: problem?.status ?? .ok) { html in
            html.alert(problem, exceptOf: fields)
            if let newToken {
                html.element("div", [.class("a-notice"), .text("role", "status")]) { html in
                    html.paragraph("The token “\(newToken.token.name)”. Copy it now: it is not shown again.")
                    html.element("p") { $0.element("code", [.class("a-secret")], text: newToken.text) }
                    if newToken.token.scopes.contains(.read) {
                        html.paragraph("A feed with it: \(feedURL(controller, admin))?token=\(newToken.text)")
                    }
                }
            }
            html.heading("Administrator’s password")
            html.paragraph("A new password ends all sessions of administrators with the old one.")
            html.form("/admin/access/password", token, class: "a-form") { html in
                html.hidden("role", AccessRole.administrator.rawValue)
                html.field(
                    "Current password", name: "current", type: "password", problem: flaw(of: .administrator),
                    [
                        .text("autocomplete", "current-password"), .flag("required"),
                        .number("maxlength", PasswordHash.lengths.upperBound),
                    ])
                writePasswordFields(flaw(of: .administrator), &html)
                html.button("Change the password")
            }
            html.heading("Readers")
            html.paragraph(
                admin.settings.requiresLogin
                    ? "Readers must log in, or have a token (require-login in epg.yml)."
                    : "Everybody who can reach this service can read the guide. To require a log-in, set “require-login: true” in epg.yml and restart the service."
            )
            html.form("/admin/access/password", token, class: "a-form") { html in
                html.hidden("role", AccessRole.reader.rawValue)
                html.paragraph(
                    admin.records.reader == nil
                        ? "Readers have no password of their own; they log in with the administrator's password."
                        : "Readers have a password of their own. A new one ends their sessions.")
                html.field(
                    "Administrator’s password", name: "current", type: "password", problem: flaw(of: .reader),
                    [
                        .text("autocomplete", "current-password"), .flag("required"),
                        .number("maxlength", PasswordHash.lengths.upperBound),
                    ])
                writePasswordFields(flaw(of: .reader), &html)
                html.button("Set the readers’ password")
            }
            html.heading("Tokens for programs")
            html.paragraph(
                "Players and recorders read feeds with a token in the URL or in the header Authorization, which is only needed if readers must log in. Other programs send theirs in the header."
            )
            if admin.records.tokens.isEmpty {
                html.nothing("There are no tokens.")
            } else {
                html.form("/admin/access/token/revoke", token, [.id("selection")]) { html in
                    html.selection("Selected tokens", all: "/admin/access?select=all") { html in
                        html.button("Revoke selected", class: "danger")
                    }
                }
                html.table("Tokens", headings: ["Name", "Admits to", "Created", "Last use", ""]) { html in
                    for entry in admin.records.tokens {
                        html.element("tr") { html in
                            html.element("td", [.class("a-named")]) { html in
                                html.selectionBox(
                                    "Select \(entry.name)", name: "name", value: entry.name, form: "selection",
                                    isChecked: admin.query["select"] == "all")
                                html.element("span", [.text("dir", "auto")], text: entry.name)
                            }
                            html.cell(
                                AccessScope.allCases.filter(entry.scopes.contains).map(\.label).joined(separator: ", "))
                            html.cell(clock.text(entry.created))
                            html.cell(entry.used.map(clock.text) ?? "never")
                            html.element("td") { html in
                                html.form("/admin/access/token/revoke", token) { html in
                                    html.hidden("name", entry.name)
                                    html.button(
                                        "Revoke", class: "danger", [.text("aria-label", "Revoke \(entry.name)")])
                                }
                            }
                        }
                    }
                }
            }
            html.form("/admin/access/token", token, class: "a-form") { html in
                html.field(
                    "Name of the new token", name: "name",
                    value: isOfToken && problem != nil ? admin.form["name"] : nil,
                    hint: "Such as the program that uses it.", problem: isOfToken ? problem : nil,
                    [.flag("required"), .text("maxlength", "64"), .text("autocomplete", "off")])
                for scope in AccessScope.allCases {
                    let isChosen = isOfToken && problem != nil ? admin.form[scope.rawValue] != nil : scope == .read
                    html.checkbox(scope.label, name: scope.rawValue, isOn: isChosen)
                }
                html.button("Add a token")
            }
        }
    }

    private static func feedURL(_ controller: AdminController, _ admin: AdminRequest) -> String {
        let host = admin.request.head.authority ?? "localhost"
        return (controller.service.site.publicURL ?? "\(admin.usesTLS ? "https" : "http")://\(host)") + "/xmltv.xml"
    }

    static func changePassword(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        do {
            guard let role = AccessRole(rawValue: admin.form["role"] ?? "") else {
                throw Problem(.unprocessableContent, "The field “role” is invalid.")
            }
            admin.subject.set("\(role)")
            let password = try newPassword(admin)
            guard try await controller.verify(admin.form["current"] ?? "", admin)?.role == .administrator else {
                throw Problem(.unprocessableContent, "The current password is wrong.", parameter: "current")
            }
            let hash = try await controller.setPassword(password, of: role, admin)
            if role == .administrator, admin.session != nil {
                return controller.logIn(role, hash, admin, to: "/admin/access")
            }
            return controller.redirect(
                to: "/admin/access", admin,
                notice: role == .reader ? "Readers have a new password." : "Administrators have a new password.")
        } catch let problem as Problem where problem.status == .unprocessableContent {
            return accessPage(controller, admin, problem: problem)
        }
    }

    static func addToken(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        do {
            let name = try admin.form.requiredText("name", maximumLength: 64)
            admin.subject.set(name)
            guard AccessToken.isName(name) else {
                throw Problem(.unprocessableContent, "The name of the token is invalid.", parameter: "name")
            }
            let scopes = Set(AccessScope.allCases.filter { admin.form[$0.rawValue] != nil })
            guard !scopes.isEmpty else {
                throw Problem(.unprocessableContent, "Choose what the token admits to.")
            }
            let now = controller.service.now()
            let new = try await controller.changeAccess(admin) { records in
                guard records.tokens.count < AccessToken.maximumCount else {
                    throw Problem(.unprocessableContent, "There are too many tokens. Revoke one first.")
                }
                guard !records.tokens.contains(where: { $0.name == name }) else {
                    throw Problem(.unprocessableContent, "There is already a token “\(name)”.", parameter: "name")
                }
                let new = AccessToken.make(named: name, for: scopes, at: now)
                records.tokens.append(new.token)
                return new
            }
            var updated = admin
            updated.records = try await controller.access.records()
            return accessPage(controller, updated, newToken: new)
        } catch let problem as Problem where problem.status == .unprocessableContent {
            return accessPage(controller, admin, problem: problem)
        }
    }

    static func revokeToken(_ controller: AdminController, _ admin: AdminRequest) async throws -> Response {
        let names = admin.form.values(of: "name")
        admin.subject.set(names.joined(separator: ", "))
        guard !names.isEmpty else {
            return controller.redirect(
                to: "/admin/access", admin, notice: "Select at least one token.", isError: true)
        }
        let count = try await controller.changeAccess(admin) { records in
            let count = records.tokens.count
            records.tokens.removeAll { names.contains($0.name) }
            return count - records.tokens.count
        }
        let notice =
            switch count {
            case 0: "There is no token “\(names[0])”."
            case 1: "The token “\(names[0])” is revoked."
            default: "\(count) tokens are revoked."
            }
        return controller.redirect(to: "/admin/access", admin, notice: notice, isError: count == 0)
    }
}

extension AccessScope {
    /// What the token may do, for pages.
    fileprivate var label: String {
        switch self {
        case .read: "Read the guide"
        case .watch: "Change the watchlist"
        case .imports: "Send guides and playlists"
        case .metrics: "Read /metrics, which then needs a token"
        case .administration: "Administer"
        }
    }
}
