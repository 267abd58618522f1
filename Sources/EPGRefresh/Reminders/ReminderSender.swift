internal import EPGFiles
package import EPGModel

/// Sends reminders to their targets.
package protocol ReminderSending: Sendable {
    /// Sends a reminder once. Blocks until the target has confirmed it.
    ///
    /// - Throws: ``ReminderFailure``. The target may have received the reminder nevertheless.
    func send(_ message: ReminderMessage, to target: ReminderTarget) throws(ReminderFailure)
}

/// The reason why a target did not confirm a reminder. It contains no URL and no secret.
package struct ReminderFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason without a period.
    package let description: String
    /// The seconds that the target asks to wait; `nil` if it does not.
    package let retryAfter: Int64?
    /// Whether other reminders would fail, too, because the target is unreachable or overloaded.
    package let isOfTarget: Bool

    package init(_ description: String, retryAfter: Int64? = nil, isOfTarget: Bool = false) {
        self.description = description
        self.retryAfter = retryAfter
        self.isOfTarget = isOfTarget
    }
}

/// Sends reminders over HTTP, or to programs without a shell.
///
/// HTTP requests follow the rules of fetches: the same permissions of addresses, proxies and certificates; see ``CurlFetcher``.
/// Redirects are not followed, so that the headers with secrets and the body go only to the configured URL.
package struct ReminderSender: ReminderSending {
    private let web: CurlFetcher
    private let privateHosts: Set<String>
    private let secret: @Sendable (Secret) throws -> String
    private let isCancelled: @Sendable () -> Bool

    /// Seconds for a request or a program without a time limit of its own.
    package static let standardTimeLimit = 20

    /// - Parameters:
    ///   - userAgent: The `User-Agent` header, such as `swift-epg/1.0`.
    ///   - privateHosts: Hosts, in lowercase, that may have private, loopback or link-local addresses.
    ///   - secret: Reads a secret of a target.
    ///   - isCancelled: Returns whether to cancel the request or the program.
    package init(
        userAgent: String, privateHosts: Set<String>, secret: @escaping @Sendable (Secret) throws -> String,
        isCancelled: @escaping @Sendable () -> Bool
    ) {
        let limits = FetchLimits(
            connectSeconds: 10, silenceSeconds: Self.standardTimeLimit, totalSeconds: Self.standardTimeLimit,
            byteCount: 1 << 20, redirects: 0)
        self.init(
            CurlFetcher(userAgent: userAgent, limits: limits), privateHosts: privateHosts, secret: secret,
            isCancelled: isCancelled)
    }

    init(
        _ web: CurlFetcher, privateHosts: Set<String> = [], secret: @escaping @Sendable (Secret) throws -> String,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.web = web
        self.privateHosts = privateHosts
        self.secret = secret
        self.isCancelled = isCancelled
    }

    package func send(_ message: ReminderMessage, to target: ReminderTarget) throws(ReminderFailure) {
        switch target.kind {
        case .webhook:
            try post(
                String(decoding: message.json, as: UTF8.self),
                [HeaderField(name: "Content-Type", value: "application/json")],
                message, to: target)
        case .ntfy:
            var headers = [
                HeaderField(name: "Content-Type", value: "text/plain; charset=utf-8"),
                HeaderField(name: "Title", value: message.title.headerText),
                HeaderField(name: "Priority", value: "default"), HeaderField(name: "Tags", value: "tv"),
            ]
            if let url = message.url { headers.append(HeaderField(name: "Click", value: url)) }
            try post(message.text, headers, message, to: target)
        case .command: try run(message, target)
        }
    }

    // MARK: - HTTP

    private func post(
        _ body: String, _ headers: [HeaderField], _ message: ReminderMessage, to target: ReminderTarget
    ) throws(ReminderFailure) {
        let own = try self.headers(of: target)
        // The settings may replace the headers that describe the message, such as the priority.
        let names = Set(own.map { $0.name.lowercased() })
        let all = headers.filter { !names.contains($0.name.lowercased()) } + own
        guard all.allSatisfy({ $0.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else {
            throw ReminderFailure("a header has control characters")
        }
        // Do not wait for "100 Continue".
        let lines = all.map(\.line) + ["Idempotency-Key: \(message.key)", "Expect:"]
        let seconds = target.settings.timeLimit ?? Self.standardTimeLimit
        var web = web
        // A server may be silent until it responds.
        web.limits.silenceSeconds = seconds
        let response: WebResponse
        do throws(FetchError) {
            let sink = try BodySink(folder: web.temporaryFolder, byteLimit: web.limits.byteCount)
            let url = try WebURL(target.settings.source.location ?? "")
            var request = WebRequest(
                url, allowsPrivateAddresses: privateHosts.contains(url.host),
                watch: FetchObserver(isCancelled: isCancelled), deadline: web.clock.uptime() + .seconds(seconds))
            request.headerLines = lines
            request.body = body
            request.acceptsAnyStatus = true
            response = try web.send(request, into: sink)
        } catch {
            throw ReminderFailure(Self.problem(error.reason), isOfTarget: true)
        }
        let status = response.headers.status
        // The status confirms the reminder, regardless of the body.
        if (200...299).contains(status) { return }
        if status == 0 { throw ReminderFailure(Self.problem(response.reason ?? .truncated), isOfTarget: true) }
        let redirect = (300...399).contains(status) ? ", and redirects are not followed" : ""
        throw ReminderFailure(
            "the server responded with status \(status)\(redirect)", retryAfter: response.retryAfter,
            isOfTarget: status == 408 || status == 429 || status >= 500)
    }

    private func headers(of target: ReminderTarget) throws(ReminderFailure) -> [HeaderField] {
        do {
            var headers = try target.settings.headers.map { HeaderField(name: $0.name, value: try secret($0.value)) }
            if let token = target.settings.token { headers.append(.bearer(try secret(token))) }
            return headers
        } catch {
            throw ReminderFailure("a secret is not available: \(error)", isOfTarget: true)
        }
    }

    /// Returns the reason in words for reminders. Messages of libcurl are left out, because they may quote the URL.
    private static func problem(_ reason: FetchError.Reason) -> String {
        switch reason {
        case .malformedLocation, .unsupportedScheme: "the URL is invalid"
        case .refusedAddress(_, let kind, _):
            "its host has \(kind); only hosts in private-hosts may have one"
        case .unknownHost: "the host name cannot be resolved"
        case .cannotConnect: "the server does not accept connections"
        case .insecure, .noTLS: "no secure connection is possible"
        case .timedOut: "the server was too slow"
        case .truncated: "the server closed the connection"
        case .cancelled: "the program was interrupted"
        case .libraryMissing: "libcurl cannot be loaded"
        case .inputOutput: "cannot write a temporary file"
        default: "the request failed"
        }
    }

    // MARK: - Programs

    private func run(_ message: ReminderMessage, _ target: ReminderTarget) throws(ReminderFailure) {
        let process: ChildProcess
        do {
            var own = try target.settings.environment.reduce(into: [:]) { $0[$1.name] = try secret($1.value) }
            own["EPG_REMINDER_KEY"] = message.key
            process = try ChildProcess(
                target.settings.command, environment: CommandEnvironment.variables(own: own), input: message.json)
        } catch let fault as SystemFault {
            throw ReminderFailure("cannot run the program (\(fault))", isOfTarget: true)
        } catch {
            throw ReminderFailure("a secret is not available: \(error)", isOfTarget: true)
        }
        let seconds = target.settings.timeLimit ?? Self.standardTimeLimit
        let deadline = web.clock.uptime() + .seconds(seconds)
        var errors = OutputTail()
        let hasEnded = process.read {
            web.clock.uptime() < deadline && !isCancelled()
        } errors: {
            errors.append($0)
        } output: { _ in
        }
        guard hasEnded else {
            process.end()
            throw ReminderFailure("the program did not finish within \(seconds) seconds", isOfTarget: true)
        }
        guard let termination = process.finish() else { return }
        let output = errors.text
        throw ReminderFailure("the program \(termination)" + (output.isEmpty ? "" : " and wrote: \(output)"))
    }
}

extension String {
    /// The text as the value of a header: encoded words in base64 (RFC 2047), which ntfy decodes, unless it is printable ASCII.
    fileprivate var headerText: String {
        let text = singleLine.prefix(150)
        guard !text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) || text.hasPrefix("=?") else { return String(text) }
        var words: [String] = []
        var part: [UInt8] = []
        // An encoded word has at most 75 characters (RFC 2047, 2), which are 45 bytes.
        for character in text {
            if part.count + character.utf8.count > 45, !part.isEmpty {
                words.append(part.encodedWord)
                part = []
            }
            part += Array(character.utf8)
        }
        return (words + [part.encodedWord]).joined(separator: " ")
    }
}

extension [UInt8] {
    fileprivate var encodedWord: String { "=?UTF-8?B?\(String(decoding: base64, as: UTF8.self))?=" }
}
