import EPGAccess
package import EPGHTTP
import EPGImport
import EPGModel
import EPGRender
package import EPGServer
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// The log-in, and administration in the browser: `/login`, `/logout` and `/admin`.
///
/// ``AdminRoute/all`` lists the routes with their groups. Beyond what ``AccessControl`` requires, a request that changes anything
/// must come from a page of this service, unless it has a token for administration.
package final class AdminController: RouteController {
    let service: GuideService
    let importer: (any GuideImporting)?
    let access: AccessControl
    private let operations: (any GuideAdministration)?
    let previews: PreviewTable
    private let limiter = LoginLimiter()
    private let start: StartLink?
    private let stopping: Flag
    private let logger: Logger

    /// How long a change waits for another process that writes.
    private static let longestWait = Duration.seconds(20)

    /// Creates the pages of administrators.
    ///
    /// - Parameters:
    ///   - operations: `nil` for a service without administration.
    ///   - imports: The limits of uploads.
    package init(_ operations: (any GuideAdministration)?, imports: UploadSettings, of parts: ServiceParts) {
        access = parts.access
        self.operations = operations
        service = parts.guide
        importer = parts.importer
        logger = parts.logger
        stopping = parts.stopping
        start = access.settings?.startToken.map { StartLink(token: $0) }
        previews = PreviewTable(
            settings: imports, executor: service.executor, stopping: parts.stopping, logger: logger)
    }

    package func owns(_ path: String) -> Bool { AdminRoute.owns(path) }

    package func addRoutes(to router: AccessRouter) {
        for route in AdminRoute.all {
            let respond: @Sendable (Request, ServiceRequestContext) async throws -> Response = {
                try await self.respond(to: $0, $1, route)
            }
            if route.method == .get {
                router[route.group].onRead(RouterPath(route.path), respond)
            } else {
                router[route.group].on(RouterPath(route.path), method: route.method, use: respond)
            }
        }
    }

    // MARK: - Checks

    /// Checks a request, runs its handler, and logs changes.
    private func respond(
        to request: Request, _ context: ServiceRequestContext, _ route: AdminRoute
    ) async throws -> Response {
        var shown: AdminRequest?
        do {
            var admin = try await checked(request, context, route)
            shown = admin
            try await readBody(of: request, route, into: &admin)
            var response = try await route.respond(self, admin)
            log(route, context, response.status, subject: admin.subject.text)
            for header in Self.headers(of: response) { response.headers[header.name] = header.value }
            return response
        } catch let problem as Problem {
            log(route, context, problem.status, subject: shown?.subject.text, problem: problem)
            guard let shown, AcceptedValues(request.headers[.accept]).namesHTML else { throw problem }
            if route.body == .upload, problem.status == .unprocessableContent {
                var response = try await PreviewScreens.addPage(self, shown, problem: problem)
                for header in Self.headers(of: response) { response.headers[header.name] = header.value }
                return response
            }
            return page(of: problem, shown, route)
        }
    }

    /// Writes a line to the log for each request that may change anything.
    private func log(
        _ route: AdminRoute, _ context: ServiceRequestContext, _ status: HTTPResponse.Status, subject: String? = nil,
        problem: Problem? = nil
    ) {
        guard route.method == .post else { return }
        var metadata: Logger.Metadata = [
            "action": "\(route.path)", "client": "\(context.client.address)", "status": "\(status.code)",
        ]
        if let subject { metadata["subject"] = "\(subject)" }
        if let problem { metadata["reason"] = "\(problem.detail.withoutURLCredentials)" }
        // Strangers could fill the log with refused log-ins.
        let isCheap = route.group == .everybody && status.code < 500
        logger.log(
            level: problem == nil ? .notice : isCheap ? .debug : .warning, "administration", metadata: metadata)
    }

    /// Returns the page of a problem.
    private func page(of problem: Problem, _ admin: AdminRequest, _ route: AdminRoute) -> Response {
        var response =
            route.path == "/login"
            ? AccessScreens.loginPage(self, admin, problem: problem)
            : page(problem.status.reasonPhrase, admin, status: problem.status) { html in
                html.alert(problem.detail)
                html.element("p") { html in
                    let isPreview = ["/admin/add", "/admin/preview"].contains(where: route.path.hasPrefix)
                    html.link(isPreview ? "Add a source" : "Overview", to: isPreview ? "/admin/add" : "/admin")
                }
            }
        for header in Self.headers(of: response) { response.headers[header.name] = header.value }
        if let seconds = problem.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    private func checked(
        _ request: Request, _ context: ServiceRequestContext, _ route: AdminRoute
    ) async throws -> AdminRequest {
        guard let settings = access.settings, let operations else { throw AccessControl.administrationIsOff.problem }
        var admin = AdminRequest(request: request, context: context, settings: settings, operations: operations)
        admin.query = try Form(urlEncoded: Array((request.uri.query ?? "").utf8), labels: AdminRequest.labels)
        admin.records = try await access.records()
        admin.usesTLS = access.usesTLS(request)
        if let admission = context.admission {
            (admin.session, admin.sessionID) = (admission.session, admission.sessionID)
            admin.isProgram = admission.isProgram
        } else if let (id, session) = try await access.session(of: request) {
            (admin.session, admin.sessionID) = (session, id)
        }
        return admin
    }

    /// Reads the form and the file in the body of a request, and checks that they come from a page of this service.
    private func readBody(of request: Request, _ route: AdminRoute, into admin: inout AdminRequest) async throws {
        guard route.method != .get else { return }
        // No page of another site can send a token that it does not know.
        guard admin.isProgram || access.origin(of: request) == .page else {
            throw Problem(
                .forbidden, "The request does not come from a page of this service. \(AccessControl.hostAdvice)")
        }
        switch route.body {
        case .form:
            let body: ByteBuffer
            do {
                let limit = route.group == .everybody ? Form.maximumSizeOfLogin : Form.maximumSize
                body = try await request.body.collect(upTo: limit)
            } catch is NIOTooManyBytesError {
                throw Problem(.contentTooLarge, "The form is too large.")
            }
            admin.form = try Form(urlEncoded: body.readableBytesView, labels: AdminRequest.labels)
            if route.group != .everybody { try checkToken(admin.form["form-token"], admin) }
        case .upload:
            (admin.form, admin.upload) = try await previews.spool(request, admin) { [admin] token in
                try self.checkToken(token, admin)
            }
        }
    }

    /// Checks the token that each form of a session repeats.
    private func checkToken(_ token: String?, _ admin: AdminRequest) throws(Problem) {
        if admin.isProgram { return }
        guard let session = admin.session, (token ?? "").equalsInConstantTime(session.formToken) else {
            throw Problem(.forbidden, "The form is out of date. Reload the page and send it again.")
        }
    }

    // MARK: - Responses

    /// The policy of pages for administrators: nothing from other sites, and no inline styles.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

    /// The headers that differ from other pages' headers. Without `Referrer-Policy: same-origin`, browsers would send
    /// `Origin: null` with forms (Fetch standard).
    private static func headers(of response: Response) -> HTTPFields {
        var headers = SecurityHeaders.headers(for: .html, pictures: .service)
        headers[.contentSecurityPolicy] = policy
        headers[named: "Referrer-Policy"] = "same-origin"
        headers[named: "Cross-Origin-Resource-Policy"] = "same-origin"
        headers[.cacheControl] = Freshness.uncacheable.cacheControl
        return headers
    }

    /// Returns a page with the navigation of administrators, and the notice of the session.
    ///
    /// - Parameter isProgressing: Whether the page shows work in progress. Browsers without scripts then load it again every two
    ///   seconds.
    func page(
        _ title: String, _ admin: AdminRequest, status: HTTPResponse.Status = .ok, isProgressing: Bool = false,
        _ content: (inout HTMLWriter) throws -> Void
    ) rethrows -> Response {
        var frame = PageFrame(title: title, site: service.site.title, files: .admin)
        frame.kind = "admin"
        frame.reloadSeconds = isProgressing ? 2 : nil
        let bytes = try frame.html { html in
            if let session = admin.session, session.role == .administrator {
                html.adminNavigation(path: admin.request.uri.path, formToken: session.formToken)
            }
            if let notice = takeNotice(admin) {
                html.notice(notice, back: admin.request.uri.string, formToken: admin.session?.formToken ?? "")
            }
            html.element("h1", text: title)
            try content(&html)
        }
        return Document(page: bytes).response(status, to: admin.request)
    }

    /// Returns a redirection to a page that shows a message.
    ///
    /// - Parameter change: A change that the page offers to undo; `nil` for none.
    func redirect(
        to path: String, _ admin: AdminRequest, notice: String, isError: Bool = false,
        undoing change: AdminChange? = nil
    ) -> Response {
        if let id = admin.sessionID {
            access.sessions.update(id) { session in
                let number = change.map { session.changes.append($0) }
                session.notice = Session.Notice(text: notice, isError: isError, undo: number)
            }
        }
        return Response.seeOther(path)
    }

    private func takeNotice(_ admin: AdminRequest) -> Session.Notice? {
        guard let id = admin.sessionID, let notice = admin.session?.notice else { return nil }
        access.sessions.update(id) { $0.notice = nil }
        return notice
    }

    // MARK: - Work

    /// Runs a change on the thread of changes.
    func run<Outcome: Sendable>(
        _ admin: AdminRequest, _ body: @escaping @Sendable () throws -> Outcome
    ) async throws -> Outcome {
        try await run(admin, as: .administration, body)
    }

    private func run<Outcome: Sendable>(
        _ admin: AdminRequest, as work: WorkClass, _ body: @escaping @Sendable () throws -> Outcome
    ) async throws -> Outcome {
        try await service.executor[work].run(for: admin.context.client.limitedAddress) { [logger] _ in
            do {
                return try body()
            } catch let error as SettingRefusal {
                throw Problem(.unprocessableContent, "\(error)")
            } catch let error as StoreError {
                throw Problem(error)
            } catch let failure as AccessFailure {
                logger.error("passwords and tokens cannot be changed", metadata: ["reason": "\(failure)"])
                throw Problem(
                    .serviceUnavailable, "The change cannot be stored. The log has the reason.", retryAfter: 60)
            }
        }
    }

    /// Reads the guide. Does not wait for changes.
    func read<Outcome: Sendable>(
        _ admin: AdminRequest, _ body: @escaping @Sendable (any GuideReading) throws -> Outcome
    ) async throws -> Outcome {
        try await run(admin, as: .administrationReads) { [service] in try service.guide.read(within: .seconds(60), body)
        }
    }

    /// Reads the settings. Does not wait for changes.
    func readSettings(_ admin: AdminRequest) async throws -> AdministeredSettings {
        try await run(admin, as: .administrationReads) { try admin.operations.settings() }
    }

    /// Changes the guide, and makes the change visible to all requests.
    func write<Outcome: Sendable>(
        _ admin: AdminRequest, _ body: @escaping @Sendable (any GuideWriting) throws -> Outcome
    ) async throws -> Outcome {
        try await run(admin) { [service] in
            let end = ContinuousClock.now + Self.longestWait
            let outcome = try service.guide.write(waiting: .until { ContinuousClock.now > end }, body)
            service.watch.refresh()
            return outcome
        }
    }

    /// Changes settings, which then take effect.
    ///
    /// - Parameter values: See ``GuideAdministration/changeSettings(_:in:)``.
    func changeSettings(_ values: [String: String?], _ admin: AdminRequest) async throws {
        let operations = admin.operations
        try await write(admin) { try operations.changeSettings(values, in: $0) }
        try await run(admin) { [service] in
            try operations.useSettings()
            service.watch.refresh()
        }
    }

    /// Changes passwords and tokens.
    func changeAccess<Outcome: Sendable>(
        _ admin: AdminRequest, _ body: @escaping @Sendable (inout AccessRecords) throws -> Outcome
    ) async throws -> Outcome {
        try await run(admin) { try admin.settings.store.change(body) }
    }

    /// The clock of pages.
    var clock: AdminClock { AdminClock(zone: service.site.zone, now: service.now()) }

    /// Returns the time of the next scheduled refresh of a source; `nil` if there is none.
    func nextRefresh(of summary: SourceSummary) -> Instant? { service.nextRefresh?(summary) }

    // MARK: - Log-in

    /// Returns the role that a password has, and its hash; `nil` if it is wrong.
    func verify(
        _ password: String, _ admin: AdminRequest
    ) async throws -> (role: AccessRole, hash: PasswordHash)? {
        let client = admin.context.client.limitedAddress
        let (delay, isKnownAddress) = try limiter.begin(from: client)
        var outcome = LoginLimiter.Outcome.unchecked
        defer { limiter.end(outcome, from: client) }
        let isKnown = isKnownAddress || admin.session?.role == .administrator
        if !isKnown { try await wait(for: delay) }
        let candidates = AccessRole.allCases.compactMap { role in admin.records[role].map { (role, $0) } }
        let found = try await service.executor[.hashing].run(for: client, isKnown: isKnown) {
            [logger] _ -> (role: AccessRole, hash: PasswordHash)? in
            do {
                for (role, hash) in candidates {
                    if try hash.matches(password) { return (role, hash) }
                }
                return nil
            } catch {
                logger.error("a password cannot be checked", metadata: ["reason": "\(error)"])
                throw Problem(.internalServerError, "The password cannot be checked. The log has the reason.")
            }
        }
        outcome = found.map { .right(forgetsGuesses: $0.role == .administrator) } ?? .wrong
        return found
    }

    /// Waits, but not longer than the service runs.
    ///
    /// - Throws: ``Problem`` with status 503 when the service shuts down.
    private func wait(for delay: Duration) async throws {
        let end = ContinuousClock.now + delay
        while ContinuousClock.now < end {
            guard !stopping.isSet else {
                throw Problem(.serviceUnavailable, "The service is ending. Try again in a moment.", retryAfter: 10)
            }
            try await Task.sleep(for: min(.milliseconds(200), end - .now))
        }
    }

    /// Hashes a new password, and stores it.
    ///
    /// - Parameter isFirst: Whether to refuse to replace a password.
    /// - Throws: ``Problem`` with status 422 for an invalid password, 403 for a second first one.
    func setPassword(
        _ password: String, of role: AccessRole, isFirst: Bool = false, _ admin: AdminRequest
    ) async throws -> PasswordHash {
        try await service.executor[.hashing].run(
            for: admin.context.client.limitedAddress, isKnown: admin.session != nil
        ) { [logger] _ in
            do {
                return try admin.settings.store.setPassword(password, of: role, isFirst: isFirst)
            } catch let failure as PasswordFailure {
                switch failure {
                case .exists: throw Self.linkIsOver
                case .length, .character, .shared:
                    throw Problem(
                        .unprocessableContent, "The password is not accepted: \(failure).", parameter: "password")
                case .library: throw Self.notStored(failure, logger)
                }
            } catch {
                throw Self.notStored(error, logger)
            }
        }
    }

    private static func notStored(_ error: any Error, _ logger: Logger) -> Problem {
        logger.error("a password cannot be stored", metadata: ["reason": "\(error)"])
        return Problem(.internalServerError, "The password cannot be stored. The log has the reason.")
    }

    /// The one-time link, if its token is right and it is neither used nor too old.
    func startLink(token: String?, _ admin: AdminRequest) throws(Problem) -> StartLink {
        guard let start, admin.records.administrator == nil, start.admits(token) else {
            throw Self.linkIsOver
        }
        return start
    }

    private static let linkIsOver = Problem(
        .forbidden,
        "The link was used, or it is older than \(StartLink.lifetime.components.seconds / 60) minutes. Restart the service for a new one, or run `epg admin password`."
    )

    /// Begins a session, and returns a redirection that sets its cookie.
    func logIn(
        _ role: AccessRole, _ password: PasswordHash, _ admin: AdminRequest, to path: String
    ) -> Response {
        if let old = admin.sessionID { access.sessions.end(old) }
        let (id, _) = access.sessions.begin(role, password)
        var response = Response.seeOther(path)
        response.headers.append(
            HTTPField(name: .setCookie, value: admin.cookie(id, seconds: Int(role.lifetime.components.seconds))))
        return response
    }
}

/// The link that sets the first password, which is valid once and for 15 minutes.
final class StartLink: Sendable {
    private let digest: String
    private let begin = ContinuousClock.now
    private let isUsed = Flag()
    static let lifetime = Duration.seconds(900)

    init(token: String) {
        digest = SHA256.hexadecimal(of: token)
    }

    /// Returns whether `token` matches the start link, which is still valid.
    func admits(_ token: String?, at now: ContinuousClock.Instant = .now) -> Bool {
        guard let token, !isUsed.isSet, now - begin < Self.lifetime else { return false }
        return SHA256.hexadecimal(of: token).equalsInConstantTime(digest)
    }

    func markUsed() { isUsed.set() }
}

/// A request that ``AdminController`` has checked.
struct AdminRequest: Sendable {
    /// The names of fields in messages, if they differ.
    static let labels = [
        "url": "URL", "location": "URL", "username": "user name", "server": "URL of the server",
        "interval": "time between two downloads", "zone": "time zone", "stations": "list of stations",
        "other": "identifier of the station", "age": "maximum age", "categories": "list of hidden categories",
    ]

    let request: Request
    let context: ServiceRequestContext
    let settings: AccessSettings
    let operations: any GuideAdministration
    var records = AccessRecords()
    var session: Session?
    /// The identifier of ``session``.
    var sessionID: String?
    /// The parameters of the URL.
    var query = Form()
    /// The fields of the body.
    var form = Form()
    /// The file in the body.
    var upload: PreviewTable.Upload?
    /// Whether the client sent the request by HTTPS.
    var usesTLS = false
    /// Whether the request has a token for administration instead of a session.
    var isProgram = false
    /// What the request changes, for the audit log.
    let subject = AuditSubject()

    /// Whether administrators can log in.
    var isOn: Bool { records.administrator != nil }

    /// The header that sets the cookie of a session.
    func cookie(_ id: String, seconds: Int) -> String {
        let name = usesTLS ? SessionCookie.secureName : SessionCookie.name
        return Cookie(name: name, value: id, maxAge: seconds, path: "/", secure: usesTLS, sameSite: .strict).description
    }
}

/// What a request changes, which its handler finds out.
final class AuditSubject: Sendable {
    private let state = Mutex<String?>(nil)

    /// At most 200 bytes, without credentials of URLs.
    var text: String? { state.withLock { $0 } }

    func set(_ text: String) {
        state.withLock { $0 = String(decoding: text.withoutURLCredentials.utf8.prefix(200), as: UTF8.self) }
    }
}
