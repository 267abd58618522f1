internal import CCurl
internal import EPGFiles

/// Fetches URLs with libcurl: conditional requests, redirects, compressed transfers, and retries, within limits.
///
/// The body goes directly to a temporary file. Only http and https are allowed, and certificates are verified.
///
/// - **Redirects** are followed one by one, including those from https to http. The request's own headers go only to the
///   configured origin (scheme, host and port), and never again after a redirect to another origin.
/// - **Local addresses** are refused unless the request allows them or contains one; see ``AddressPermission``. The
///   check applies to the address that is about to be connected to.
/// - **Proxies** come from the environment; see ``EnvironmentProxy``. With a proxy, this process resolves host names
///   too and refuses forbidden addresses; it does not follow a redirect to a host that it cannot resolve.
/// - **Retries** after a transient failure resume an interrupted body if the server supports ranges and its strong
///   entity tag shows that the body has not changed; otherwise they start over.
package struct CurlFetcher: Fetcher {
    private let settings: CurlSettings

    /// Creates a fetcher. The first fetch loads libcurl.
    ///
    /// - Parameters:
    ///   - userAgent: The `User-Agent` header, such as `swift-epg/1.0`.
    ///   - limits: The time and size limits of a fetch.
    ///   - retries: The number of attempts, and the delays between them.
    ///   - temporaryFolder: The folder for bodies until their import; `nil` for `TMPDIR`, or `/var/tmp` without it.
    package init(
        userAgent: String, limits: FetchLimits = FetchLimits(), retries: RetryPolicy = RetryPolicy(),
        temporaryFolder: String? = nil
    ) {
        self.init(
            CurlSettings(userAgent: userAgent, limits: limits, retries: retries, temporaryFolder: temporaryFolder))
    }

    init(_ settings: CurlSettings) {
        self.settings = settings
    }

    /// Fetches the body of a URL, unless it is the one that the request describes.
    ///
    /// - Throws: ``FetchError``. The location must not be a file.
    package func fetch(_ request: FetchRequest) throws(FetchError) -> FetchResult {
        try fetch(request, watch: .none)
    }

    package func fetch(_ request: FetchRequest, watch: FetchObserver) throws(FetchError) -> FetchResult {
        guard case .url(let url) = request.location else {
            throw FetchError(location: "", reason: .malformedLocation)
        }
        let settings = settings.within(request)
        var attempts = 1
        do throws(CurlSession.Failure) {
            var session = try CurlSession(request, to: url, settings: settings, watch: watch)
            while true {
                do throws(CurlSession.Failure) {
                    return try session.attempt()
                } catch {
                    guard let delay = delay(after: attempts, error), delay < session.timeLeft else { throw error }
                    settings.clock.wait(delay, watch.isCancelled)
                    attempts += 1
                }
            }
        } catch {
            throw FetchError(
                location: url, reason: error.reason, attempts: attempts, retryAfter: error.retryAfter)
        }
    }

    /// Returns how long to wait before another attempt; `nil` if none can succeed.
    private func delay(after attempts: Int, _ failure: CurlSession.Failure) -> Duration? {
        guard failure.reason.isTransient else { return nil }
        return settings.retries.delay(
            afterAttempt: attempts, retryAfter: failure.retryAfter, random: settings.clock.random())
    }
}

/// One fetch of a URL with all its attempts. Keeps the partial body and the point at which to resume it.
private struct CurlSession {
    private let settings: CurlSettings
    private let request: FetchRequest
    private let watch: FetchObserver
    private let url: WebURL
    private let permission: AddressPermission
    private let deadline: Duration
    private var sink: BodySink
    private var resumed: ResumePoint?

    /// The reason that an attempt failed.
    struct Failure: Error {
        var reason: FetchError.Reason
        /// The server's `Retry-After` in seconds.
        var retryAfter: Int64?
    }

    /// Prepares a fetch. Sends nothing yet.
    init(_ request: FetchRequest, to url: String, settings: CurlSettings, watch: FetchObserver) throws(Failure) {
        self.watch = watch
        self.settings = settings
        self.request = request
        if let field = request.headers.first(where: { !$0.isAllowed }) {
            throw Failure(reason: .badHeader(field.name))
        }
        deadline = settings.clock.uptime() + .seconds(max(1, settings.limits.totalSeconds))
        do throws(SystemFault) {
            sink = try BodySink(folder: settings.temporaryFolder, byteLimit: settings.limits.byteCount)
        } catch {
            throw Failure(reason: .inputOutput(error.number))
        }
        do throws(CurlFailure) {
            self.url = try WebURL(url)
        } catch {
            throw Failure(reason: error.reason(limits: settings.limits))
        }
        permission = AddressPermission(
            configuredHost: request.isLocationTrusted ? self.url.host : "",
            allowsPrivateAddresses: request.allowsPrivateAddresses)
    }

    /// The remaining time; zero or negative if the time limit has expired.
    var timeLeft: Duration { deadline - settings.clock.uptime() }

    /// Makes one attempt and follows its redirects.
    mutating func attempt() throws(Failure) -> FetchResult {
        var target = url
        // After a redirect to another origin, servers choose the targets, not the configuration.
        var isConfigured = true
        for _ in 0...max(0, settings.limits.redirects) {
            let response = try send(target, isConfigured: isConfigured)
            guard [301, 302, 303, 307, 308].contains(response.headers.status), response.reason == nil,
                let location = response.headers.location
            else { return try result(of: response) }
            target = try redirect(from: target, to: location)
            isConfigured = isConfigured && target.origin == url.origin
        }
        throw Failure(reason: .tooManyRedirects(limit: settings.limits.redirects))
    }

    private mutating func send(_ target: WebURL, isConfigured: Bool) throws(Failure) -> CurlExchange.Response {
        if watch.isCancelled() { throw Failure(reason: .cancelled) }
        let time = timeLeft
        guard time > .zero else { throw Failure(reason: .timedOut(timeLimitMessage)) }
        let point = resumed?.url == target ? resumed : nil
        let ownLines = isConfigured ? request.headers.map(\.line) : []
        let exchangeRequest = CurlExchange.Request(
            url: target, isConfigured: isConfigured && request.isLocationTrusted,
            permission: isConfigured ? permission : .global,
            headerLines: ownLines + (point?.headerLines ?? conditions), resumed: point, time: time)
        do throws(CurlFailure) {
            let response = try CurlExchange(settings: settings, watch: watch).response(to: exchangeRequest, into: sink)
            sink = response.sink
            return response
        } catch {
            throw Failure(reason: error.reason(limits: settings.limits))
        }
    }

    private func redirect(from here: WebURL, to location: String) throws(Failure) -> WebURL {
        do throws(CurlFailure) {
            let target = try here.redirected(to: location)
            if ["http", "https"].contains(target.scheme) { return target }
        } catch {
            if error.isLibraryMissing { throw Failure(reason: error.reason(limits: settings.limits)) }
        }
        throw Failure(reason: .redirectRefused)
    }

    /// Interprets a response that is not a redirect, and keeps a partial body for the next attempt.
    private mutating func result(of response: CurlExchange.Response) throws(Failure) -> FetchResult {
        let isResumed = response.request.resumed != nil
        if let reason = response.reason {
            keepForResuming(response)
            throw Failure(reason: reason)
        }
        switch (response.headers.status, response.bodyClass) {
        case (_, .complete), (_, .remainder):
            return .body(try body(of: response))
        case (_, .pending):
            // The connection closed before the end of the headers.
            throw Failure(reason: .truncated)
        case (304, _) where !isResumed && !conditions.isEmpty:
            return .notModified
        case (206, _) where isResumed, (412, _) where isResumed, (416, _) where isResumed:
            resumed = nil
            throw Failure(reason: .wrongRange)
        case (let status, _):
            let retryAfter = response.headers.retryAfter.flatMap { [settings] value in
                RetryAfter.seconds(value, date: response.headers.date, now: settings.clock.now())
            }
            throw Failure(reason: .status(status), retryAfter: retryAfter)
        }
    }

    /// Keeps the point to resume at, if the rest of the body can be requested separately.
    private mutating func keepForResuming(_ response: CurlExchange.Response) {
        guard response.bodyClass == .complete || response.bodyClass == .remainder else { return }
        resumed = ResumePoint(
            after: response.headers, from: response.request.url, offset: sink.byteCount,
            earlier: response.request.resumed)
    }

    private mutating func body(of response: CurlExchange.Response) throws(Failure) -> FetchedBody {
        let headers = response.headers
        guard sink.byteCount > 0 else { throw Failure(reason: .empty) }
        let shape = sink.shape
        if shape.isWebPage { throw Failure(reason: .webPage(title: shape.pageTitle)) }
        if response.bodyClass == .remainder, sink.byteCount != headers.contentRange.map({ $0.last + 1 }) {
            resumed = nil
            throw Failure(reason: .wrongRange)
        }
        if headers.endsWithConnection, !shape.mayBeComplete {
            keepForResuming(response)
            throw Failure(reason: .truncated)
        }
        let earlier = response.bodyClass == .remainder ? response.request.resumed : nil
        return sink.body(
            entityTag: headers.entityTag, lastModified: headers.lastModified ?? earlier?.lastModified)
    }

    /// The headers of a conditional request (RFC 9110, 13.1.2 and 13.1.3).
    ///
    /// Sends both: a server that supports entity tags ignores the date. Omits values that are not valid in a header.
    private var conditions: [String] {
        let tag = request.entityTag.flatMap { ResponseHeaders.validValue($0.utf8) }
        let date = request.lastModified.flatMap { ResponseHeaders.validValue($0.utf8) }
        return [tag.map { "If-None-Match: \($0)" }, date.map { "If-Modified-Since: \($0)" }].compactMap { $0 }
    }

    private var timeLimitMessage: String { "more than \(settings.limits.totalSeconds) seconds in total" }
}

/// Configuration of a fetcher of URLs.
struct CurlSettings: Sendable {
    /// The `User-Agent` header, such as `swift-epg/1.0`.
    var userAgent: String
    var limits = FetchLimits()
    var retries = RetryPolicy()
    /// The folder for bodies until their import; `nil` for `TMPDIR`, or `/var/tmp` without it.
    var temporaryFolder: String?
    var clock = FetchClock.system
    var proxy = EnvironmentProxy()
    /// Classifies an address.
    var classify: @Sendable (IPAddress) -> AddressKind = { AddressKind($0) }
    /// Resolves a host. Used only with a proxy, which hides the address that it connects to.
    var resolve: @Sendable (String) -> [IPAddress] = { IPAddress.addresses(ofHost: $0) }
    /// Hosts with fixed addresses, as lines `host:port:address` (CURLOPT_RESOLVE).
    var resolvedHosts: [String] = []

    /// Returns the settings with the limits of a request.
    func within(_ request: FetchRequest) -> CurlSettings {
        var settings = self
        settings.limits = limits.within(request)
        return settings
    }
}
