import EPGAccess
import EPGModel
import HTTPTypes
import Hummingbird
import Logging
import NIOPosix
import Synchronization

/// A group of routes, which says who may use them. ``AccessMiddleware`` checks each request of a group before its handler runs.
enum AccessGroup: Hashable, Sendable, CaseIterable {
    /// Everybody, also with `require-login`: probes, files of pages, and the log-in.
    case everybody
    /// Everybody; with `require-login`, a session, or a token for reading in the header or the URL.
    case reading
    /// The token of metrics; without one, as for ``reading``.
    case metrics
    /// The token of imports.
    case imports
    /// The session of an administrator on a page of this service, or the token of imports: changes of watch rules.
    case watchlist
    /// A session of any role.
    case session
    /// The session of an administrator, or the token of administrators.
    case administration
}

/// What a client may do with its request.
struct Admission: Sendable {
    /// The session, or one for this request alone if it has the token of administrators.
    var session: Session?
    /// The identifier of the session; `nil` with a token.
    var sessionID: String?
    /// Whether the request has the token of administrators instead of a session.
    var isProgram = false
    /// Returns whether the session or the token is still valid; `nil` if the request needs neither.
    var isStillValid: (@Sendable () async -> Bool)?
}

/// The reason why a request is refused.
struct AccessRefusal: Error, Hashable {
    let problem: Problem
    var isOfWrongToken = false
    /// The seconds of the lockout that begins with a wrong token; `nil` if none does.
    var lockoutSeconds: Int?
    /// Whether a log-in would help.
    var suggestsLogin = false
}

/// The origin of a request according to its headers.
enum RequestOrigin: Hashable, Sendable {
    /// A page of this service.
    case page
    /// A program that is not a browser, or a user who entered the URL.
    case program
    /// A page of another site.
    case elsewhere
}

/// The passwords, sessions and tokens of a service, and the only place that decides which requests they admit.
///
/// Five wrong tokens from one address within a minute lock the address out; see ``GuessTable``. A request without a token is not
/// a guess, also if a proxy or a browser adds a header `Authorization` with another scheme, such as `Basic`. A locked-out address
/// is refused even with the right token. Otherwise, the response would reveal a right guess. Imports with the watchlist, metrics,
/// and administration count separately. Tokens for reading are random, so wrong ones are not counted.
///
/// The lockout is for ``RequestClient/limitedAddress``. Clients without such an address, for example on a Unix socket, are never
/// locked out, because one of them would lock out all others.
final class AccessControl: Sendable {
    /// A token of the settings with its groups. The token of administrators also admits to imports, the watchlist and metrics if
    /// these have a token.
    struct Token: Sendable {
        let token: BearerToken
        let groups: Set<AccessGroup>

        /// Creates a token; `nil` if the settings have none, or an empty one.
        init?(_ bytes: [UInt8]?, for groups: Set<AccessGroup>) {
            guard let bytes, !bytes.isEmpty else { return nil }
            (token, self.groups) = (BearerToken(bytes), groups)
        }
    }

    /// `nil` if the program does not support administration and log-ins.
    let settings: AdministrationSettings?
    let sessions = SessionTable()
    private let tokens: [Token]
    /// The wrong tokens by the first group of each kind of token.
    private let guesses = Mutex<[AccessGroup: GuessTable]>([:])
    /// The public URL of the service without a trailing slash; `nil` if it is unknown.
    private let publicURL: String?
    private let now: @Sendable () -> Instant
    private let logger: Logger

    init(
        _ settings: AdministrationSettings?, tokens: [Token], publicURL: String?, logger: Logger,
        now: @escaping @Sendable () -> Instant
    ) {
        self.settings = settings
        self.tokens = tokens + [Token(settings?.token, for: [.administration, .session])].compactMap(\.self)
        self.publicURL = publicURL
        self.logger = logger
        self.now = now
    }

    /// Whether a token of the settings admits to a group.
    func hasToken(for group: AccessGroup) -> Bool { tokens.contains { $0.groups.contains(group) } }

    // MARK: - Requests

    /// Decides whether a request may use a route of a group.
    ///
    /// - Throws: ``AccessRefusal``; ``Problem`` if the passwords and tokens cannot be read.
    func admit(_ request: Request, from client: RequestClient, to group: AccessGroup) async throws -> Admission {
        switch group {
        case .everybody: return Admission()
        case .reading: return try await admitReader(request)
        case .metrics where !hasToken(for: .metrics): return try await admitReader(request)
        case .metrics:
            try check(request.headers[.authorization], from: client.limitedAddress, for: group)
            return Admission()
        case .imports:
            guard hasToken(for: group) else { throw Self.importsAreOff }
            try check(request.headers[.authorization], from: client.limitedAddress, for: group)
            return Admission()
        case .watchlist:
            let origin = origin(of: request)
            guard origin != .elsewhere else { throw Self.foreignOrigin }
            // A session needs more than a token: that a page of this service sent the request.
            if origin == .page, let session = try await session(of: request)?.session, session.role == .administrator {
                return Admission(session: session)
            }
            guard hasToken(for: group) else { throw Self.watchlistNeedsLogin }
            try check(request.headers[.authorization], from: client.limitedAddress, for: group)
            return Admission()
        case .session, .administration: return try await admitAdministrator(request, from: client, to: group)
        }
    }

    private func admitReader(_ request: Request) async throws -> Admission {
        guard let settings, settings.requiresLogin else { return Admission() }
        if let (id, session) = try await session(of: request) {
            return Admission(session: session, sessionID: id) { [self] in await isValid { sessions.isValid(id, $0) } }
        }
        let records = try await records(settings)
        // Not the token of administrators: here, wrong tokens are not counted.
        guard let token = BearerToken.text(in: request.headers[.authorization]) ?? request.queryToken,
            let isDue = settings.access.use(token: token, of: records, at: now())
        else { throw Self.readerIsUnknown }
        if isDue { storeUses(settings.access) }
        return Admission { [self] in await isValid { $0.index(ofToken: token) != nil } }
    }

    private func admitAdministrator(
        _ request: Request, from client: RequestClient, to group: AccessGroup
    ) async throws -> Admission {
        guard let settings else { throw Self.administrationIsOff }
        let authorization = request.headers[.authorization]
        if settings.token != nil, BearerToken.text(in: authorization) != nil {
            try check(authorization, from: client.limitedAddress, for: group)
            return Admission(session: Session(.administrator, .token), isProgram: true)
        }
        if group == .administration, settings.token == nil, try await records(settings).administrator == nil {
            throw Self.administrationIsOff
        }
        guard let (id, session) = try await session(of: request), group == .session || session.role == .administrator
        else { throw Self.administratorIsUnknown }
        return Admission(session: session, sessionID: id)
    }

    /// Stores the use of tokens on another thread.
    private func storeUses(_ access: AccessStore) {
        NIOThreadPool.singleton.submit { [logger] _ in
            do {
                try access.storeUses()
            } catch {
                logger.warning("the use of a token cannot be stored", metadata: ["reason": "\(error)"])
            }
        }
    }

    /// Returns whether the current passwords and tokens fulfill a condition; `false` if they cannot be read.
    private func isValid(_ condition: (AccessRecords) -> Bool) async -> Bool {
        guard let settings else { return false }
        do {
            return condition(try await records(settings))
        } catch {
            return false
        }
    }

    // MARK: - Credentials

    /// Checks the token of a request, and counts a wrong one.
    ///
    /// - Parameters:
    ///   - authorization: The header `Authorization`.
    ///   - client: The address that limits count; `nil` for a client that is not limited.
    func check(
        _ authorization: String?, from client: ClientAddress?, for group: AccessGroup,
        at now: ContinuousClock.Instant = .now
    ) throws(AccessRefusal) {
        let given = BearerToken.text(in: authorization)
        let known = given.map { text in tokens.filter { $0.token.equals(text) } } ?? []
        let isRight = known.contains { $0.groups.contains(group) || $0.groups.contains(.administration) }
        // One critical section for the whole decision: concurrent requests get no more guesses than successive ones.
        let kind: AccessGroup = group == .watchlist ? .imports : group == .session ? .administration : group
        let refusal: AccessRefusal? = guesses.withLock { guesses in
            if let client, let seconds = guesses[kind]?.lockoutSeconds(of: client, at: now) {
                return .lockedOut(seconds)
            }
            if isRight { return nil }
            guard given != nil else { return .withoutToken }
            // A token for something else is no guess.
            if !known.isEmpty { return .otherToken }
            return .wrongToken(
                lockoutSeconds: client.flatMap { guesses[kind, default: GuessTable()].add($0, at: now)?.wholeSeconds })
        }
        if let refusal { throw refusal }
    }

    /// The number of addresses whose wrong tokens are remembered.
    var guessCount: Int { guesses.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    /// Returns the session of a request, and counts its use; `nil` without one.
    ///
    /// - Throws: ``Problem`` if passwords and tokens cannot be read.
    func session(of request: Request) async throws -> (id: String, session: Session)? {
        guard let settings else { return nil }
        // The cookie of HTTP also reaches HTTPS, and anybody on the network could have set it. Without HTTPS, another service of the
        // host may have set the secure one.
        let names = usesTLS(request) ? [SessionCookie.secureName] : [SessionCookie.secureName, SessionCookie.name]
        let ids = names.compactMap { request.cookies[$0]?.value }
        guard !ids.isEmpty else { return nil }
        let records = try await records(settings)
        return ids.lazy.compactMap { id in self.sessions.session(id, records).map { (id, $0) } }.first
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

    // MARK: - Origins

    /// What to do if the service takes its own pages for pages of another site.
    static let hostAdvice = "Behind a proxy, let it pass the Host header, or set public-url in epg.yml."

    /// Returns where a request comes from (Fetch Metadata; RFC 6454).
    func origin(of request: Request) -> RequestOrigin {
        switch request.headers[named: "Sec-Fetch-Site"] {
        case "same-origin": return .page
        case "none": return .program
        case .some: return .elsewhere
        case nil: break
        }
        guard let origin = request.headers[.origin] else { return .program }
        if origin == publicURL { return .page }
        guard let start = origin.firstRange(of: "://")?.upperBound, let host = request.head.authority else {
            return .elsewhere
        }
        return origin[start...].lowercased() == host.lowercased() ? .page : .elsewhere
    }

    /// Returns whether a client sent a request by HTTPS: a proxy says so, or the public URL is one of HTTPS.
    func usesTLS(_ request: Request) -> Bool {
        if request.usesTLS { return true }
        guard let publicURL, publicURL.hasPrefix("https://") else { return false }
        return publicURL.dropFirst(8) == request.head.authority ?? ""
    }
}

// MARK: - Refusals

extension AccessRefusal {
    private static func unauthorized(_ detail: String, _ error: String = "") -> Problem {
        var problem = Problem(.unauthorized, detail)
        problem.challenge = "Bearer realm=\"epg\"" + error
        return problem
    }

    static let withoutToken = AccessRefusal(
        problem: unauthorized("This URL requires a token. Send Authorization: Bearer TOKEN."))

    static let otherToken = AccessRefusal(
        problem: Problem(.forbidden, "The token is valid for other URLs of this service, but not for this one."))

    static func wrongToken(lockoutSeconds: Int?) -> AccessRefusal {
        AccessRefusal(
            problem: unauthorized("The token is wrong.", ", error=\"invalid_token\""), isOfWrongToken: true,
            lockoutSeconds: lockoutSeconds)
    }

    static func lockedOut(_ seconds: Int) -> AccessRefusal {
        AccessRefusal(
            problem: Problem(
                .tooManyRequests, "Your address sent too many wrong tokens. Try again in \(seconds) s.",
                retryAfter: seconds))
    }

    fileprivate static let readerIsUnknown = AccessRefusal(
        problem: unauthorized("This guide requires a log-in (/login) or a token: Authorization: Bearer TOKEN."),
        suggestsLogin: true)
}

extension AccessControl {
    private static let importsAreOff = AccessRefusal(
        problem: Problem(
            .forbidden,
            "Imports over HTTP are disabled because the service has no token. Import the guide on the host of the service."
        ))

    private static let foreignOrigin = AccessRefusal(
        problem: Problem(.forbidden, "Pages of other sites cannot change the watchlist. \(hostAdvice)"))

    private static let watchlistNeedsLogin = AccessRefusal(
        problem: Problem(
            .forbidden,
            "Log in as an administrator at /login to change the watchlist, or use epg watch on the host of the service."
        ))

    private static let readerIsUnknown = AccessRefusal.readerIsUnknown

    private static let administratorIsUnknown = AccessRefusal(
        problem: Problem(.unauthorized, "You are not logged in, or your session is over. Log in at /login."),
        suggestsLogin: true)

    static let administrationIsOff = AccessRefusal(
        problem: Problem(
            .forbidden,
            "Administration in the browser is off, because it has no password. Open the one-time link that epgd prints when it starts without sources, or set a password on its host with `epg admin password`, or set admin.token-file in epg.yml."
        ))
}
