import EPGAccess
import EPGImport
import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// The log-in, and administration in the browser: `/login`, `/logout` and `/admin`.
///
/// ``AdminRoute/all`` lists the routes, and ``respond(to:_:_:)`` checks each request before its handler runs.
final class AdminController: Sendable {
    let service: GuideService
    let importer: (any GuideImporting)?
    /// `nil` if the program does not support administration.
    let settings: AdministrationSettings?
    let sessions = SessionTable()
    let previews: PreviewTable
    private let limiter = LoginLimiter()
    private let start: StartLink?
    /// The check of the token of administrators; `nil` without one.
    private let gate: TokenGate?
    private let logger: Logger

    /// Hashes passwords. Each hash takes 32 MiB.
    private let hashing = RequestAdmission(
        RequestAdmission.Limits(running: 2, runningPerClient: 1, places: 16, placesPerClient: 4, retryAfter: 2))
    /// Changes the guide and the settings.
    private let work = RequestAdmission(
        RequestAdmission.Limits(running: 1, runningPerClient: 1, places: 64, placesPerClient: 32, retryAfter: 2))
    /// Reads the guide and the settings, while changes wait for other processes.
    private let readings = RequestAdmission(
        RequestAdmission.Limits(
            running: AdminController.concurrentReadings, runningPerClient: AdminController.concurrentReadings,
            places: 64, placesPerClient: 32, retryAfter: 2))

    /// The number of concurrent reads of the guide.
    static let concurrentReadings = 2
    /// How long a change waits for another process that writes.
    private static let longestWait = Duration.seconds(20)

    /// - Parameter stopping: Set when the service shuts down.
    init(
        _ settings: AdministrationSettings?, service: GuideService, importer: (any GuideImporting)?,
        imports: ImportSettings, stopping: Flag, logger: Logger
    ) {
        self.settings = settings
        self.service = service
        self.importer = importer
        self.logger = logger
        start = settings?.startToken.map { StartLink(token: $0) }
        gate = settings?.token.map { TokenGate($0) }
        previews = PreviewTable(settings: imports, stopping: stopping)
    }

    /// The threads, which the owner of the service starts and stops.
    var threads: [NIOThreadPool] { [hashing.threads, work.threads, readings.threads] + previews.threads }

    func addRoutes(to router: some RouterMethods<GuideRequestContext>) {
        for route in AdminRoute.all {
            let respond: @Sendable (Request, GuideRequestContext) async throws -> Response = {
                try await self.respond(to: $0, $1, route)
            }
            if route.method == .get {
                router.onRead(RouterPath(route.path), respond)
            } else {
                router.on(RouterPath(route.path), method: route.method, use: respond)
            }
        }
    }

    // MARK: - Checks

    /// Checks a request, runs its handler, and logs changes.
    private func respond(
        to request: Request, _ context: GuideRequestContext, _ route: AdminRoute
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
            return page(of: problem, shown, route)
        } catch is LoginRequired {
            let problem = Problem(
                .unauthorized, "You are not logged in, or your session is over. Log in at /login.")
            log(route, context, problem.status, problem: problem)
            guard route.method == .get else { throw problem }
            return Self.redirect(toLoginFrom: request)
        }
    }

    /// Writes a line to the log for each request that may change anything.
    private func log(
        _ route: AdminRoute, _ context: GuideRequestContext, _ status: HTTPResponse.Status, subject: String? = nil,
        problem: Problem? = nil
    ) {
        guard route.method == .post else { return }
        var metadata: Logger.Metadata = [
            "action": "\(route.path)", "client": "\(context.client.address)", "status": "\(status.code)",
        ]
        if let subject { metadata["subject"] = "\(subject)" }
        if let problem { metadata["reason"] = "\(problem.detail.withoutURLCredentials)" }
        logger.log(level: problem == nil ? .notice : .warning, "administration", metadata: metadata)
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

    private struct LoginRequired: Error {}

    private func checked(
        _ request: Request, _ context: GuideRequestContext, _ route: AdminRoute
    ) async throws -> AdminRequest {
        guard let settings else { throw Self.isOff }
        var admin = AdminRequest(request: request, context: context, settings: settings)
        admin.query = try Form(urlEncoded: Array((request.uri.query ?? "").utf8))
        admin.records = try await records(settings)
        admin.usesTLS = request.usesTLS || hasPublicTLS(request)
        if let id = admin.sessionID, let session = sessions.session(id, admin.records) { admin.session = session }
        let authorization = request.headers[.authorization]
        if route.access != .anyone, let gate, BearerToken.text(in: authorization) != nil {
            do throws(TokenRefusal) {
                try gate.admit(authorization, from: context.client.limitedAddress)
            } catch {
                throw error.problem
            }
            (admin.session, admin.isProgram) = (Session(.administrator, .token), true)
        }
        if route.access == .administrator {
            guard admin.isOn else { throw Self.isOff }
            guard admin.session?.role == .administrator else { throw LoginRequired() }
        } else if route.access == .session {
            guard admin.session != nil else { throw LoginRequired() }
        }
        return admin
    }

    /// Reads the form and the file in the body of a request, and checks that they come from a page of this service.
    private func readBody(of request: Request, _ route: AdminRoute, into admin: inout AdminRequest) async throws {
        guard route.method != .get else { return }
        // No page of another site can send a token that it does not know.
        if !admin.isProgram { try checkOrigin(of: request) }
        switch route.body {
        case .form:
            let body: ByteBuffer
            do {
                let limit = route.access == .anyone ? Form.maximumSizeOfLogin : Form.maximumSize
                body = try await request.body.collect(upTo: limit)
            } catch is NIOTooManyBytesError {
                throw Problem(.contentTooLarge, "The form is too large.")
            }
            admin.form = try Form(urlEncoded: body.readableBytesView)
            if route.access != .anyone { try checkToken(admin.form["form-token"], admin) }
        case .upload:
            (admin.form, admin.upload) = try await previews.spool(request, admin) { [admin] token in
                try self.checkToken(token, admin)
            }
        }
    }

    /// Returns the current passwords and tokens. Files are read on another thread.
    ///
    /// - Throws: ``Problem`` if they cannot be read.
    func records(_ settings: AdministrationSettings) async throws -> AccessRecords {
        if let records = settings.access.knownRecords { return records }
        do {
            return try await NIOThreadPool.singleton.runIfActive { try settings.access.records() }
        } catch let failure as AccessFailure {
            logger.error("passwords and tokens cannot be read", metadata: ["reason": "\(failure)"])
            throw Problem(
                .internalServerError, "The passwords and tokens of this service cannot be read. The log has the reason."
            )
        }
    }

    /// Returns the session of a request outside of administration; `nil` without one.
    ///
    /// - Throws: ``Problem`` if passwords and tokens cannot be read.
    private func session(of request: Request) async throws -> Session? {
        guard let settings else { return nil }
        let ids = [true, false].compactMap { AdminRequest.sessionID(in: request.headers, usesTLS: $0) }
        guard !ids.isEmpty else { return nil }
        let records = try await records(settings)
        return ids.lazy.compactMap { self.sessions.session($0, records) }.first
    }

    /// Returns whether a request has the session of an administrator. The caller checks its origin.
    ///
    /// - Throws: ``Problem`` if passwords and tokens cannot be read.
    func hasAdministratorSession(_ request: Request) async throws -> Bool {
        try await session(of: request)?.role == .administrator
    }

    /// Checks that a page of this service sent the request (Fetch Metadata; RFC 6454).
    private func checkOrigin(of request: Request) throws(Problem) {
        let isOwn =
            request.headers[named: "Sec-Fetch-Site"].map { $0 == "same-origin" }
            ?? (request.headers[.origin] != nil && service.isOfThisSite(request))
        guard isOwn else {
            throw Problem(
                .forbidden, "The request does not come from a page of this service. \(GuideService.hostAdvice)")
        }
    }

    /// Checks the token that each form of a session repeats.
    private func checkToken(_ token: String?, _ admin: AdminRequest) throws(Problem) {
        if admin.isProgram { return }
        let given = token ?? admin.request.headers[named: "X-CSRF-Token"] ?? ""
        guard let session = admin.session, given.equalsInConstantTime(session.formToken) else {
            throw Problem(.forbidden, "The form is out of date. Reload the page and send it again.")
        }
    }

    /// Whether the request is for the public URL of the service, which is one of HTTPS.
    private func hasPublicTLS(_ request: Request) -> Bool {
        guard let url = service.site.publicURL, url.hasPrefix("https://") else { return false }
        return url.dropFirst(8) == request.head.authority ?? ""
    }

    private static let isOff = Problem(
        .forbidden,
        "Administration in the browser is off, because it has no password. Open the one-time link that epgd prints when it starts without sources, or set a password on its host with `epg admin password`, or set admin.token-file in epg.yml."
    )

    // MARK: - Responses

    /// The policy of pages for administrators: nothing from other sites, and no inline styles.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

    /// The headers that differ from those of other pages. Without `Referrer-Policy: same-origin`, browsers would send
    /// `Origin: null` with forms (Fetch standard).
    private static func headers(of response: Response) -> HTTPFields {
        var headers = SecurityHeaders.headers(for: .html, artwork: .kept(publicURL: nil))
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
            if let notice = takeNotice(admin) { html.notice(notice) }
            html.element("h1", text: title)
            try content(&html)
        }
        return Document(page: bytes).response(status, to: admin.request)
    }

    static func redirect(to path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path, .cacheControl: Freshness.uncacheable.cacheControl])
    }

    /// Returns a redirection to the log-in, which then leads back. The URL to return to has no token.
    static func redirect(toLoginFrom request: Request) -> Response {
        redirect(to: "/login?next=\((request.head.path ?? "/").withoutTokenParameters.percentEncoded)")
    }

    /// Returns a redirection to a page that shows a message.
    func redirect(to path: String, _ admin: AdminRequest, notice: String, isError: Bool = false) -> Response {
        if let id = admin.sessionID {
            sessions.update(id) { $0.notice = Session.Notice(text: notice, isError: isError) }
        }
        return Self.redirect(to: path)
    }

    private func takeNotice(_ admin: AdminRequest) -> Session.Notice? {
        guard let id = admin.sessionID, let notice = admin.session?.notice else { return nil }
        sessions.update(id) { $0.notice = nil }
        return notice
    }

    // MARK: - Work

    /// Runs a change on the thread of changes.
    func run<Outcome: Sendable>(
        _ admin: AdminRequest, _ body: @escaping @Sendable () throws -> Outcome
    ) async throws -> Outcome {
        try await run(admin, on: work, body)
    }

    private func run<Outcome: Sendable>(
        _ admin: AdminRequest, on admission: RequestAdmission, _ body: @escaping @Sendable () throws -> Outcome
    ) async throws -> Outcome {
        try await admission.run(for: admin.context.client.limitedAddress) { _ in
            do {
                return try body()
            } catch let error as SettingRefusal {
                throw Problem(.unprocessableContent, "\(error)")
            } catch let refusal as ImportRefusal {
                throw Problem(refusal)
            } catch let error as StoreError {
                throw Problem(error)
            }
        }
    }

    /// Reads the guide. Does not wait for changes.
    func read<Outcome: Sendable>(
        _ admin: AdminRequest, _ body: @escaping @Sendable (any GuideReading) throws -> Outcome
    ) async throws -> Outcome {
        try await run(admin, on: readings) { [service] in try service.guide.read(within: .seconds(60), body) }
    }

    /// Reads the settings. Does not wait for changes.
    func readSettings(_ admin: AdminRequest) async throws -> AdministeredSettings {
        try await run(admin, on: readings) { try admin.operations.settings() }
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

    /// Changes passwords and tokens.
    func changeAccess<Outcome: Sendable>(
        _ admin: AdminRequest, _ body: @escaping @Sendable (inout AccessRecords) throws -> Outcome
    ) async throws -> Outcome {
        try await run(admin) { [logger] in
            do {
                return try admin.settings.access.change(body)
            } catch let failure as AccessFailure {
                logger.error("passwords and tokens cannot be changed", metadata: ["reason": "\(failure)"])
                throw Problem(
                    .serviceUnavailable, "The change cannot be stored. The log has the reason.", retryAfter: 60)
            }
        }
    }

    /// The clock of pages.
    var clock: AdminClock { AdminClock(zone: service.site.zone, now: service.now()) }

    /// Returns the time of the next scheduled refresh of a source; `nil` if there is none.
    func nextRefresh(of summary: SourceSummary) -> Instant? { service.nextRefresh?(summary) }

    // MARK: - Log-in

    /// Returns the role that a password or the token of administrators has; `nil` if it is wrong.
    func verify(
        _ password: String, _ admin: AdminRequest
    ) async throws -> (role: AccessRole, credential: Credential)? {
        let client = admin.context.client.limitedAddress
        let delay = try limiter.begin(from: client)
        var outcome = LoginLimiter.Outcome.unchecked
        defer { limiter.end(outcome, from: client) }
        if delay > .zero { try await Task.sleep(for: delay) }
        if admin.settings.token?.equals(password) ?? false {
            outcome = .right(forgetsGuesses: true)
            return (.administrator, .token)
        }
        let candidates = AccessRole.allCases.compactMap { role in admin.records[role].map { (role, $0) } }
        let found = try await hashing.run(for: client) { [logger] _ -> (role: AccessRole, credential: Credential)? in
            do {
                for (role, hash) in candidates {
                    if try hash.matches(password) { return (role, .password(hash)) }
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

    /// Hashes a new password, and stores it.
    ///
    /// - Parameter isFirst: Whether to refuse to replace a password.
    /// - Throws: ``Problem`` with status 422 for an invalid password, 403 for a second first one.
    func setPassword(
        _ password: String, of role: AccessRole, isFirst: Bool = false, _ admin: AdminRequest
    ) async throws -> PasswordHash {
        try await hashing.run(for: admin.context.client.limitedAddress) { [logger] _ in
            do {
                return try admin.settings.access.setPassword(password, of: role, isFirst: isFirst)
            } catch let failure as PasswordFailure {
                switch failure {
                case .exists: throw Self.linkIsOver
                case .length, .character, .shared:
                    throw Problem(.unprocessableContent, "The password is not accepted: \(failure).")
                case .library: throw Self.notStored(failure, logger)
                }
            } catch {
                throw Self.notStored(error, logger)
            }
        }
    }

    /// Hashes the new PIN of a profile.
    ///
    /// - Throws: ``Problem`` with status 422 for an invalid PIN.
    func hash(pin: String, _ admin: AdminRequest) async throws -> String {
        try await hashing.run(for: admin.context.client.limitedAddress) { [logger] _ in
            do throws(PasswordFailure) {
                return try PasswordHash(of: pin, lengths: PasswordHash.pinLengths).text
            } catch {
                if error.isOfPassword { throw Problem(.unprocessableContent, "The PIN is not accepted: \(error).") }
                throw Self.notStored(error, logger)
            }
        }
    }

    private static func notStored(_ error: any Error, _ logger: Logger) -> Problem {
        logger.error("a password or PIN cannot be stored", metadata: ["reason": "\(error)"])
        return Problem(.internalServerError, "The password or PIN cannot be stored. The log has the reason.")
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
        _ role: AccessRole, _ credential: Credential, _ admin: AdminRequest, to path: String
    ) -> Response {
        if let old = admin.sessionID { sessions.end(old) }
        let (id, _) = sessions.begin(role, credential)
        var response = Self.redirect(to: path)
        response.headers.append(
            HTTPField(name: .setCookie, value: admin.cookie(id, seconds: role.lifetime.components.seconds)))
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

    /// Returns whether a token is that of the link, which is still valid.
    func admits(_ token: String?, at now: ContinuousClock.Instant = .now) -> Bool {
        guard let token, !isUsed.isSet, now - begin < Self.lifetime else { return false }
        return SHA256.hexadecimal(of: token).equalsInConstantTime(digest)
    }

    func markUsed() { isUsed.set() }
}

/// A request that ``AdminController`` has checked.
struct AdminRequest: Sendable {
    let request: Request
    let context: GuideRequestContext
    let settings: AdministrationSettings
    var records = AccessRecords()
    var session: Session?
    /// The parameters of the URL.
    var query = Form()
    /// The fields of the body.
    var form = Form()
    /// The file in the body.
    var upload: PreviewTable.Upload?
    /// Whether the client sent the request by HTTPS.
    var usesTLS = false
    /// Whether the request has the token of administrators instead of a session.
    var isProgram = false
    /// What the request changes, for the audit log.
    let subject = AuditSubject()

    var operations: any GuideAdministration { settings.operations }

    /// Whether administrators can log in.
    var isOn: Bool { records.administrator != nil || settings.token != nil }

    /// The identifier of a session that the client claims to have.
    var sessionID: String? { Self.sessionID(in: request.headers, usesTLS: usesTLS) }

    /// Returns the identifier of a session in the cookies of a request.
    static func sessionID(in headers: HTTPFields, usesTLS: Bool) -> String? {
        let name = cookieName(usesTLS: usesTLS)
        for header in headers[values: .cookie] {
            for part in header.split(separator: ";") {
                let sides = part.split(separator: "=", maxSplits: 1)
                if sides.count == 2, sides[0].drop(while: { $0 == " " }) == name { return String(sides[1]) }
            }
        }
        return nil
    }

    /// The header that sets the cookie of a session.
    func cookie(_ id: String, seconds: Int64) -> String {
        "\(Self.cookieName(usesTLS: usesTLS))=\(id); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
            + (usesTLS ? "; Secure" : "")
    }

    /// Browsers accept a name with this prefix only from HTTPS and for the whole host (RFC 6265bis, 4.1.3.2).
    private static func cookieName(usesTLS: Bool) -> String { usesTLS ? "__Host-epg" : "epg-session" }
}

/// What a request changes, which its handler finds out.
final class AuditSubject: Sendable {
    private let state = Mutex<String?>(nil)

    /// At most 200 characters.
    var text: String? { state.withLock { $0 } }

    func set(_ text: String) { state.withLock { $0 = String(text.prefix(200)) } }
}

extension Request {
    /// Whether the client, as a proxy reports, sent the request by HTTPS. A client that claims it only affects its own response
    /// and cookie.
    var usesTLS: Bool { headers[named: "X-Forwarded-Proto"]?.lowercased() == "https" }
}

extension Problem {
    /// The problem for an error of the store during a change.
    init(_ error: StoreError) {
        switch error {
        case .busy, .refreshing:
            self.init(
                .serviceUnavailable, "Another process is writing to the guide. Try again in a moment.", retryAfter: 10)
        default: self.init(.serviceUnavailable, "\(error)", retryAfter: 60)
        }
    }

    /// The problem for a guide that cannot be imported or read.
    init(_ refusal: ImportRefusal) {
        switch refusal {
        case .busy:
            self.init(
                .serviceUnavailable, "Another process is writing to the guide. Try again in a moment.", retryAfter: 10)
        case .refused(let detail), .tooLarge(let detail), .unavailable(let detail), .failed(let detail):
            self.init(.unprocessableContent, detail)
        case .badParameter(let name, let detail): self.init(.unprocessableContent, "\(name): \(detail)")
        }
    }
}
