package import EPGAccess
package import EPGModel
import HTTPTypes
package import Hummingbird
package import Logging
import NIOPosix
import Synchronization

/// A group of routes, which says who may use them. ``AccessMiddleware`` checks each request of a group before its handler runs.
package enum AccessGroup: Hashable, Sendable, CaseIterable {
    /// Everybody, also with `require-login`: probes, files of pages, and the log-in.
    case everybody
    /// Everybody; with `require-login`, a session, or a token: for reading in the header or the URL, and for the watchlist if the
    /// request changes a profile.
    case reading
    /// A token for metrics; if there is none, as for ``reading``.
    case metrics
    /// A token for imports.
    case imports
    /// The session of an administrator on a page of this service, or a token for the watchlist: changes of watch rules. Others are
    /// admitted with a refusal, because a profile may accept rules of everybody.
    case watchlist
    /// A session of any role, or a token for administration.
    case session
    /// The session of an administrator, or a token for administration.
    case administration

    /// Returns whether a token admits to the group.
    fileprivate func admits(_ token: AccessToken) -> Bool {
        let scopes: [AccessScope] =
            switch self {
            case .everybody, .reading: [.read]
            case .metrics: [.metrics, .administration]
            case .imports: [.imports, .administration]
            case .watchlist: [.watch, .administration]
            case .session, .administration: [.administration]
            }
        return scopes.contains(where: token.scopes.contains)
    }
}

/// The passwords and tokens of a service, and who needs them.
package struct AccessSettings: Sendable {
    /// The file with passwords and tokens.
    package var store: AccessStore
    /// The token of the one-time link that sets the first password; `nil` without such a link.
    package var startToken: String?
    /// Whether readers must log in or have a token.
    package var requiresLogin = false

    /// Creates settings for reading without a log-in.
    package init(_ store: AccessStore) {
        self.store = store
    }
}

/// What a client may do with its request.
package struct Admission: Sendable {
    /// The session of the request; `nil` without one.
    package var session: Session?
    /// The identifier of ``session``.
    package var sessionID: String?
    /// Whether the request has a token for administration instead of a session.
    package var isProgram = false
    /// The refusal unless the request is for a profile that accepts watch rules of viewers; `nil` for no condition.
    package var refusalWithoutProfile: Problem?
    /// Returns whether the session or the token is still valid; `nil` if the request needs neither.
    package var isStillValid: (@Sendable () async -> Bool)?
}

/// The reason why a request is refused.
package struct AccessRefusal: Error, Hashable {
    /// The response.
    package let problem: Problem
    var isOfWrongToken = false
    /// The seconds of the lockout that begins with a wrong token; `nil` if none does.
    var lockoutSeconds: Int?
    /// Whether a log-in would help.
    var suggestsLogin = false
}

/// The origin of a request according to its headers.
package enum RequestOrigin: Hashable, Sendable {
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
/// and administration count separately. Wrong tokens for reading, which pages of the guide may send, are not counted.
///
/// The lockout is for ``RequestClient/limitedAddress``. Clients without such an address, for example on a Unix socket, are never
/// locked out, because one of them would lock out all others.
package final class AccessControl: Sendable {
    /// `nil` for a service without passwords and tokens.
    package let settings: AccessSettings?
    /// The log-ins of browsers.
    package let sessions = SessionTable()
    /// The wrong tokens by the first group of each kind of token.
    private let guesses = Mutex<[AccessGroup: GuessTable]>([:])
    /// The public URL of the service without a trailing slash; `nil` if it is unknown.
    private let publicURL: String?
    private let tokenUse: @Sendable (_ path: String) -> TokenUse
    private let now: @Sendable () -> Instant
    private let logger: Logger

    /// - Parameters:
    ///   - tokenUse: Returns what a token in the URL of a path is.
    package init(
        _ settings: AccessSettings?, publicURL: String?, tokenUse: @escaping @Sendable (_ path: String) -> TokenUse,
        logger: Logger, now: @escaping @Sendable () -> Instant
    ) {
        self.settings = settings
        self.publicURL = publicURL
        self.tokenUse = tokenUse
        self.logger = logger
        self.now = now
    }

    // MARK: - Requests

    /// Decides whether a request may use a route of a group.
    ///
    /// - Throws: ``AccessRefusal``; ``Problem`` if the passwords and tokens cannot be read.
    func admit(_ request: Request, from client: RequestClient, to group: AccessGroup) async throws -> Admission {
        switch group {
        case .everybody: return Admission()
        case .reading: return try await admitReader(request)
        case .metrics:
            let records = try await records()
            guard records.tokens.contains(where: { $0.scopes.contains(.metrics) }) else {
                let token = BearerToken.text(in: request.headers[.authorization]).flatMap(records.token)
                return token.map(group.admits) ?? false ? Admission() : try await admitReader(request)
            }
            try check(request.headers[.authorization], from: client.limitedAddress, for: group, records)
            return Admission()
        case .imports:
            let records = try await records()
            guard records.tokens.contains(where: group.admits) else { throw Self.importsAreOff }
            try check(request.headers[.authorization], from: client.limitedAddress, for: group, records)
            return Admission()
        case .watchlist:
            let origin = origin(of: request)
            guard origin != .elsewhere else { throw Self.foreignOrigin }
            // A session needs more than a token: that a page of this service sent the request.
            if origin == .page, let session = try await session(of: request)?.session, session.role == .administrator {
                return Admission(session: session)
            }
            let records = try await records()
            do throws(AccessRefusal) {
                guard records.tokens.contains(where: group.admits) else { throw Self.watchlistNeedsLogin }
                try check(request.headers[.authorization], from: client.limitedAddress, for: group, records)
                return Admission()
            } catch {
                guard try await isReader(request, on: origin),
                    BearerToken.text(in: request.headers[.authorization]) == nil
                else { throw error }
                return Admission(refusalWithoutProfile: error.problem)
            }
        case .session, .administration: return try await admitAdministrator(request, from: client, to: group)
        }
    }

    /// Returns whether a request may change what belongs to readers.
    private func isReader(_ request: Request, on origin: RequestOrigin) async throws -> Bool {
        guard let settings, settings.requiresLogin else { return true }
        guard origin == .page else { return false }
        return try await session(of: request) != nil
    }

    private func admitReader(_ request: Request) async throws -> Admission {
        guard let settings, settings.requiresLogin else { return Admission() }
        if let (id, session) = try await session(of: request) {
            return Admission(session: session, sessionID: id) { [self] in await isValid { sessions.isValid(id, $0) } }
        }
        let records = try await records()
        let isReading = request.method == .get || request.method == .head
        let inURL = isReading && useOfToken(in: request) != .parameter ? request.queryToken : nil
        guard let text = BearerToken.text(in: request.headers[.authorization]) ?? inURL, let token = records.token(text)
        else { throw Self.readerIsUnknown }
        // Changes of profiles need more than a token for reading.
        guard (isReading ? AccessGroup.reading : .watchlist).admits(token) else {
            throw isReading ? Self.readerIsUnknown : AccessRefusal.otherToken
        }
        note(token)
        return Admission { [self] in await isValid { $0.token(text) != nil } }
    }

    private func admitAdministrator(
        _ request: Request, from client: RequestClient, to group: AccessGroup
    ) async throws -> Admission {
        let authorization = request.headers[.authorization]
        let records = try await records()
        let hasToken = records.tokens.contains(where: group.admits)
        if hasToken, BearerToken.text(in: authorization) != nil {
            try check(authorization, from: client.limitedAddress, for: group, records)
            return Admission(isProgram: true)
        }
        if group == .administration, !hasToken, records.administrator == nil { throw Self.administrationIsOff }
        guard let (id, session) = try await session(of: request), group == .session || session.role == .administrator
        else { throw Self.administratorIsUnknown }
        return Admission(session: session, sessionID: id)
    }

    /// Notes the use of a token, and perhaps stores it on another thread.
    private func note(_ token: AccessToken) {
        guard let store = settings?.store, store.use(token, at: now()) else { return }
        NIOThreadPool.singleton.submit { [logger] _ in
            do {
                try store.storeUses()
            } catch {
                logger.warning("the use of a token cannot be stored", metadata: ["reason": "\(error)"])
            }
        }
    }

    /// Returns whether the current passwords and tokens fulfill a condition; `false` if they cannot be read.
    private func isValid(_ condition: (AccessRecords) -> Bool) async -> Bool {
        do {
            return condition(try await records())
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
        _ authorization: String?, from client: ClientAddress?, for group: AccessGroup, _ records: AccessRecords,
        at now: ContinuousClock.Instant = .now
    ) throws(AccessRefusal) {
        let given = BearerToken.text(in: authorization)
        let known = given.flatMap(records.token)
        let isRight = known.map(group.admits) ?? false
        // One critical section for the whole decision: concurrent requests get no more guesses than successive ones.
        let kind: AccessGroup = group == .watchlist ? .imports : group == .session ? .administration : group
        let refusal: AccessRefusal? = guesses.withLock { guesses in
            if let client, let seconds = guesses[kind]?.lockoutSeconds(of: client, at: now) {
                return .lockedOut(seconds)
            }
            if isRight { return nil }
            guard given != nil else { return .withoutToken }
            // A token for something else is no guess.
            if known != nil { return .otherToken }
            return .wrongToken(
                lockoutSeconds: client.flatMap { guesses[kind, default: GuessTable()].add($0, at: now)?.wholeSeconds })
        }
        if let refusal { throw refusal }
        if let known { note(known) }
    }

    /// The number of addresses whose wrong tokens are remembered.
    var guessCount: Int { guesses.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    /// Returns the session of a request, and counts its use; `nil` without one.
    ///
    /// - Throws: ``Problem`` if passwords and tokens cannot be read.
    package func session(of request: Request) async throws -> (id: String, session: Session)? {
        guard settings != nil else { return nil }
        // The cookie of HTTP also reaches HTTPS, and anybody on the network could have set it. Without HTTPS, another service of the
        // host may have set the secure one.
        let names = usesTLS(request) ? [SessionCookie.secureName] : [SessionCookie.secureName, SessionCookie.name]
        let ids = names.compactMap { request.cookies[$0]?.value }
        guard !ids.isEmpty else { return nil }
        let records = try await records()
        return ids.lazy.compactMap { id in self.sessions.session(id, records).map { (id, $0) } }.first
    }

    /// Returns the current passwords and tokens; none without settings. Files are read on another thread.
    ///
    /// - Throws: ``Problem`` if they cannot be read.
    package func records() async throws -> AccessRecords {
        guard let store = settings?.store else { return AccessRecords() }
        if let records = store.knownRecords { return records }
        do {
            return try await NIOThreadPool.singleton.runIfActive { try store.records() }
        } catch let failure as AccessFailure {
            logger.error("passwords and tokens cannot be read", metadata: ["reason": "\(failure)"])
            throw Problem(
                .internalServerError, "The passwords and tokens of this service cannot be read. The log has the reason."
            )
        }
    }

    /// Returns what a token in the URL of a request is.
    func useOfToken(in request: Request) -> TokenUse { tokenUse(request.uri.path) }

    /// Returns the path of the log-in that then leads back to a request. The URL to return to has no token.
    func loginPath(for request: Request) -> String {
        "/login?next=\((request.head.path ?? "/").withoutTokenParameters.percentEncoded)"
    }

    // MARK: - Origins

    /// What to do if the service takes its own pages for pages of another site.
    package static let hostAdvice = "Behind a proxy, let it pass the Host header, or set public-url in epg.yml."

    /// Returns where a request comes from (Fetch Metadata; RFC 6454).
    package func origin(of request: Request) -> RequestOrigin {
        switch request.headers[named: "Sec-Fetch-Site"] {
        case "same-origin": return .page
        case "none": return .program
        case .some: return .elsewhere
        case nil: break
        }
        guard let origin = request.headers[.origin] else { return .program }
        if origin == publicURL { return .page }
        guard let start = origin.firstRange(of: "://")?.upperBound, let host = request.head.authority?.lowercased(),
            origin[start...].lowercased() == host
        else { return .elsewhere }
        return publicURL == nil || Self.isLocalName(host) ? .page : .elsewhere
    }

    /// Returns whether a host, with an optional port, is an address, or a name that no stranger can register.
    ///
    /// A stranger's name may lead to the address of this service (DNS rebinding), so that his pages send it as their own host.
    private static func isLocalName(_ host: String) -> Bool {
        if ClientAddress(parsing: host[...]) != nil { return true }
        let name = host.prefix { $0 != ":" }
        return !name.contains(".")
            || [".localhost", ".local", ".lan", ".home.arpa", ".internal"].contains(where: name.hasSuffix)
    }

    /// Returns whether a client sent a request by HTTPS: a proxy says so, or the public URL is one of HTTPS.
    package func usesTLS(_ request: Request) -> Bool {
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
            "Imports over HTTP are disabled because the service has no token for them. Add one on its host with `epg admin token add NAME --scope import`, or import the guide there."
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

    /// The refusal of all requests for administration without a password or token for it.
    package static let administrationIsOff = AccessRefusal(
        problem: Problem(
            .forbidden,
            "Administration in the browser is off, because it has no password. Open the one-time link that epgd prints when it starts without sources, or set a password on its host with `epg admin password`."
        ))
}
