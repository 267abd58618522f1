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
    /// The `User-Agent` header, such as `swift-epg/1.0`.
    let userAgent: String
    var limits: FetchLimits
    var retries: RetryPolicy
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
        self.userAgent = userAgent
        self.limits = limits
        self.retries = retries
        self.temporaryFolder = temporaryFolder
    }

    /// Fetches the body of a URL, unless the request describes the current body.
    ///
    /// - Throws: ``FetchError``. The location must not be a file.
    package func fetch(_ request: FetchRequest, watch: FetchObserver) throws(FetchError) -> FetchResult {
        guard case .url(let url) = request.location else { throw FetchError(reason: .malformedLocation) }
        var fetcher = self
        fetcher.limits = limits.within(request)
        do throws(FetchError) {
            if let field = request.headers.first(where: { !$0.isAllowed }) {
                throw FetchError(reason: .badHeader(field.name))
            }
            let sink = try BodySink(folder: temporaryFolder, byteLimit: limits.byteCount)
            var message = WebRequest(
                try WebURL(url), allowsPrivateAddresses: request.allowsPrivateAddresses,
                isConfigured: request.isLocationTrusted, watch: watch, deadline: fetcher.deadline)
            message.ownHeaderLines = request.headers.map(\.line)
            message.headerLines = CurlFetcher.conditions(of: request)
            message.followsRedirect = { _, _ in true }
            return try fetcher.retrying(message) { () throws(FetchError) in
                let response = try fetcher.send(message, into: sink)
                return try CurlFetcher.result(of: response, in: sink, resumed: &message.resumed)
            }
        } catch {
            throw error.located(at: url)
        }
    }

    /// The headers of a conditional request (RFC 9110, 13.1.2 and 13.1.3).
    ///
    /// Sends both: a server that supports entity tags ignores the date. Omits values that are not valid in a header.
    private static func conditions(of request: FetchRequest) -> [String] {
        let tag = request.entityTag.flatMap { ResponseHeaders.validValue($0.utf8) }
        let date = request.lastModified.flatMap { ResponseHeaders.validValue($0.utf8) }
        return [tag.map { "If-None-Match: \($0)" }, date.map { "If-Modified-Since: \($0)" }].compactMap { $0 }
    }

    /// Interprets a response that is not a redirect.
    ///
    /// - Parameter resumed: The point at which the next attempt resumes the body. Updated if the rest of it can be requested.
    private static func result(
        of response: WebResponse, in sink: BodySink, resumed: inout ResumePoint?
    ) throws(FetchError) -> FetchResult {
        let isBody = response.bodyClass == .complete || response.bodyClass == .remainder
        let earlier = response.request.resumed
        func resume() {
            resumed = ResumePoint(
                after: response.headers, from: response.request.url, offset: sink.byteCount, earlier: earlier)
        }
        if let reason = response.reason {
            if isBody { resume() }
            throw FetchError(reason: reason)
        }
        let headers = response.headers
        guard isBody else {
            // The connection closed before the end of the headers.
            if response.bodyClass == .pending { throw FetchError(reason: .truncated) }
            if headers.status == 304, earlier == nil, !response.request.headerLines.isEmpty { return .notModified }
            if earlier != nil, [206, 412, 416].contains(headers.status) {
                resumed = nil
                throw FetchError(reason: .wrongRange)
            }
            throw FetchError(reason: .status(headers.status), retryAfter: response.retryAfter)
        }
        try sink.requireGuide()
        let isRemainder = response.bodyClass == .remainder
        if isRemainder, sink.byteCount != headers.contentRange.map({ $0.last + 1 }) {
            resumed = nil
            throw FetchError(reason: .wrongRange)
        }
        if headers.endsWithConnection, !sink.shape.mayBeComplete {
            resume()
            throw FetchError(reason: .truncated)
        }
        return .body(
            sink.body(
                entityTag: headers.entityTag,
                lastModified: headers.lastModified ?? (isRemainder ? earlier?.lastModified : nil)))
    }
}

// MARK: - Requests

/// A request over HTTP, and which redirects of its responses to follow.
struct WebRequest {
    /// The URL of the caller; after a redirect, its target.
    fileprivate(set) var url: WebURL
    /// Whether the URL has the configured origin, as opposed to a guide's or a redirect's.
    fileprivate(set) var isConfigured: Bool
    /// Whether a server redirected to the URL.
    fileprivate(set) var isRedirect = false
    fileprivate(set) var permission: AddressPermission
    /// Header lines for the origin of the URL. They are not sent to other origins that it redirects to.
    var ownHeaderLines: [String] = []
    /// Header lines in addition to libcurl's own. The headers of a range replace them.
    var headerLines: [String] = []
    /// The point at which the body of an earlier response is resumed. Ignored for other URLs.
    var resumed: ResumePoint?
    /// The body of a POST request; `nil` for GET.
    var body: String?
    /// Whether to receive the body of error responses, which describes the error.
    var acceptsAnyStatus = false
    /// Returns whether to follow a redirect to http or https; `nil` to return the redirect as the response.
    var followsRedirect: ((_ from: WebURL, _ to: WebURL) -> Bool)?
    var watch: FetchObserver
    /// The uptime at which the time limit expires.
    var deadline: Duration

    /// - Parameters:
    ///   - allowsPrivateAddresses: Whether the host may resolve to an address of this machine or its network.
    ///   - isConfigured: Whether the configuration names the URL, rather than a guide.
    init(
        _ url: WebURL, allowsPrivateAddresses: Bool, isConfigured: Bool = true, watch: FetchObserver, deadline: Duration
    ) {
        self.url = url
        self.isConfigured = isConfigured
        permission = AddressPermission(
            configuredHost: isConfigured ? url.host : "", allowsPrivateAddresses: allowsPrivateAddresses)
        self.watch = watch
        self.deadline = deadline
    }
}

/// A response over HTTP, which may be incomplete.
struct WebResponse {
    /// How the headers classify the body.
    enum BodyClass {
        /// The headers are not complete yet.
        case pending
        /// The complete body.
        case complete
        /// The requested range.
        case remainder
        /// A body that is not wanted. The transfer stops here.
        case unwanted
    }

    /// The request to the last URL.
    let request: WebRequest
    var headers = ResponseHeaders()
    var bodyClass = BodyClass.pending
    /// The server's `Retry-After` in seconds.
    var retryAfter: Int64?
    /// The reason that the response is incomplete; `nil` for a complete one.
    var reason: FetchError.Reason?

    init(request: WebRequest) { self.request = request }
}

extension CurlFetcher {
    /// The uptime at which a request that begins now reaches the time limit.
    var deadline: Duration { clock.uptime() + .seconds(max(1, limits.totalSeconds)) }

    /// Sends a request once, and follows redirects. Blocks until the last response is complete or has failed.
    ///
    /// - Parameter sink: Receives the body; contains the beginning of a resumed one.
    /// - Throws: ``FetchError`` without a location if there is no response, or if a redirect must not be followed.
    func send(_ request: WebRequest, into sink: BodySink) throws(FetchError) -> WebResponse {
        var request = request
        let (resumed, origin) = (request.resumed, request.url.origin)
        for _ in 0...max(0, limits.redirects) {
            if request.watch.isCancelled() { throw FetchError(reason: .cancelled) }
            let time = request.deadline - clock.uptime()
            guard time > .zero else {
                throw FetchError(reason: .timedOut("more than \(limits.totalSeconds) seconds in total"))
            }
            request.resumed = resumed?.url == request.url ? resumed : nil
            let response = try CurlTransfer(request, into: sink, self).perform(within: time)
            guard let follows = request.followsRedirect, response.reason == nil,
                [301, 302, 303, 307, 308].contains(response.headers.status), let location = response.headers.location
            else { return response }
            guard let target = try? request.url.redirected(to: location), ["http", "https"].contains(target.scheme),
                follows(request.url, target)
            else { throw FetchError(reason: .redirectRefused) }
            request.url = target
            if target.origin != origin {
                // From here on, servers choose the targets, not the configuration.
                (request.isConfigured, request.isRedirect) = (false, true)
                (request.permission, request.ownHeaderLines) = (.global, [])
            }
        }
        throw FetchError(reason: .tooManyRedirects(limit: limits.redirects))
    }

    /// Repeats an attempt after transient failures, within the time limit of a request.
    func retrying<Result>(
        _ request: WebRequest, _ attempt: () throws(FetchError) -> Result
    ) throws(FetchError) -> Result {
        var attempts = 1
        while true {
            do throws(FetchError) {
                return try attempt()
            } catch {
                let delay = retries.delay(
                    afterAttempt: attempts, retryAfter: error.retryAfter, random: clock.random())
                guard error.reason.isTransient, let delay, delay < request.deadline - clock.uptime() else {
                    throw error.after(attempts: attempts)
                }
                clock.wait(delay, request.watch.isCancelled)
                attempts += 1
            }
        }
    }
}
