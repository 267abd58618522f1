internal import CCurl
internal import EPGFiles
internal import Synchronization

/// Sends requests to the service with libcurl, one at a time, with the same rules as every fetch for addresses,
/// proxies, time and size limits.
///
/// Redirects are followed one by one, with the same method and body, and only to hosts that may receive the token; see
/// ``SchedulesDirectURL/redirected(to:)``.
struct SchedulesDirectTransport: Sendable {
    let base: SchedulesDirectURL
    /// The settings. The service requires a user agent with a name and a version.
    let settings: CurlSettings
    /// Whether the host may resolve to a private address.
    private let allowsPrivateAddresses: Bool
    let watch: FetchObserver
    /// The uptime at which the time limit expires.
    private let deadline: Duration
    private let tally = ByteTally()

    init(
        _ base: SchedulesDirectURL, settings: CurlSettings, allowsPrivateAddresses: Bool, watch: FetchObserver
    ) {
        self.base = base
        self.settings = settings
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.watch = watch
        deadline = settings.clock.uptime() + .seconds(max(1, settings.limits.totalSeconds))
    }

    /// The remaining time; zero or negative if the time limit has expired.
    var timeLeft: Duration { deadline - settings.clock.uptime() }

    /// Sends a request once and follows redirects. Blocks until the response is complete.
    ///
    /// - Throws: ``SchedulesDirectError`` if there is no response. Error responses are returned.
    func send(_ request: SchedulesDirectRequest) throws(SchedulesDirectError) -> SchedulesDirectResponse {
        var target = base.appending(request.path)
        // After a redirect to another origin, servers choose the targets, not the configuration.
        var isConfigured = true
        for _ in 0...max(0, settings.limits.redirects) {
            let response = try response(to: request, at: target, isConfigured: isConfigured)
            guard [301, 302, 303, 307, 308].contains(response.headers.status), let location = response.headers.location
            else { return try self.response(of: response) }
            guard let next = target.redirected(to: location) else { throw SchedulesDirectError(.redirectRefused) }
            isConfigured = isConfigured && next.isOfOrigin(of: base)
            target = next
        }
        throw SchedulesDirectError(.tooManyRedirects(limit: settings.limits.redirects))
    }

    private func response(
        to request: SchedulesDirectRequest, at target: SchedulesDirectURL, isConfigured: Bool
    ) throws(SchedulesDirectError) -> CurlExchange.Response {
        if watch.isCancelled() { throw SchedulesDirectError(.cancelled) }
        let time = timeLeft
        guard time > .zero else {
            throw SchedulesDirectError(.timedOut("more than \(settings.limits.totalSeconds) seconds in total"))
        }
        let sink: BodySink
        do throws(SystemFault) {
            sink = try BodySink(folder: settings.temporaryFolder, byteLimit: settings.limits.byteCount)
        } catch {
            throw SchedulesDirectError(error)
        }
        let response: CurlExchange.Response
        do throws(CurlFailure) {
            let url = try WebURL(target.text)
            let permission =
                isConfigured
                ? AddressPermission(configuredHost: url.host, allowsPrivateAddresses: allowsPrivateAddresses)
                : .global
            let exchangeRequest = CurlExchange.Request(
                url: url, isConfigured: isConfigured, permission: permission, headerLines: lines(of: request),
                body: request.body, acceptsAnyStatus: true, time: time)
            response = try CurlExchange(settings: settings, watch: tally.next(watch)).response(
                to: exchangeRequest, into: sink)
        } catch {
            throw SchedulesDirectError(error.reason(limits: settings.limits))
        }
        if let reason = response.reason { throw SchedulesDirectError(reason) }
        guard response.bodyClass == .complete else { throw SchedulesDirectError(.truncated) }
        return response
    }

    private func lines(of request: SchedulesDirectRequest) -> [String] {
        var lines = ["Accept: application/json"]
        // Do not wait for "100 Continue".
        if request.body != nil { lines += ["Content-Type: application/json", "Expect:"] }
        if let token = request.token { lines.append("token: \(token)") }
        return lines
    }

    private func response(of response: CurlExchange.Response) throws(SchedulesDirectError) -> SchedulesDirectResponse {
        let retryAfter = response.headers.retryAfter.flatMap {
            RetryAfter.seconds($0, date: response.headers.date, now: settings.clock.now())
        }
        do throws(SystemFault) {
            let file = response.sink.file
            let body = try SchedulesDirectBody(path: file.path, file: file)
            return SchedulesDirectResponse(status: response.headers.status, retryAfter: retryAfter, body: body)
        } catch {
            throw SchedulesDirectError(error)
        }
    }
}

/// Adds up the progress of all responses of a fetch.
private final class ByteTally: Sendable {
    /// Bytes of the earlier responses, and of the current one.
    private let counts = Mutex<(earlier: Int64, now: Int64)>((0, 0))

    /// Returns a watch for the next response that reports the sum of all responses.
    func next(_ watch: FetchObserver) -> FetchObserver {
        counts.withLock { $0 = ($0.earlier + $0.now, 0) }
        return FetchObserver(
            progress: { step in
                let sum = self.counts.withLock { counts in
                    counts.now = step.byteCount
                    return counts.earlier + counts.now
                }
                watch.progress(FetchProgress(byteCount: sum, total: nil))
            }, isCancelled: watch.isCancelled)
    }
}

/// A URL of the service, which may receive the token.
///
/// The parser is strict, so that libcurl cannot interpret the URL differently: no user, no escapes in the host, no
/// blanks.
struct SchedulesDirectURL: Hashable, Sendable {
    /// `http` or `https`.
    let scheme: String
    /// The host in lowercase.
    let host: String
    /// The port in digits; empty for the default of the scheme.
    let port: String
    /// The path with the query; empty, or begins with a slash.
    let path: String

    var text: String { "\(scheme)://\(host)\(port.isEmpty ? "" : ":\(port)")\(path)" }

    /// Parses an absolute URL; `nil` for anything else.
    init?(_ text: String) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x5C }),
            let colon = text.firstRange(of: "://")
        else { return nil }
        let rest = text[colon.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        let parts = authority.lowercased().split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), !parts[0].isEmpty,
            parts[0].utf8.allSatisfy({ SchedulesDirectURL.hostBytes.contains($0) }),
            parts.count == 1 || (!parts[1].isEmpty && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) })
        else { return nil }
        scheme = text[..<colon.lowerBound].lowercased()
        guard ["http", "https"].contains(scheme) else { return nil }
        host = String(parts[0])
        port = parts.count == 2 ? String(parts[1]) : ""
        let path = rest[authority.endIndex...].prefix { $0 != "#" }
        self.path = path.hasPrefix("?") ? "/\(path)" : String(path)
    }

    private init(_ base: SchedulesDirectURL, path: String) {
        (scheme, host, port, self.path) = (base.scheme, base.host, base.port, path)
    }

    /// Returns whether another URL has the same scheme, host and port (RFC 6454).
    func isOfOrigin(of other: SchedulesDirectURL) -> Bool {
        (scheme, host, port) == (other.scheme, other.host, other.port)
    }

    /// Returns a URL with a path appended.
    func appending(_ path: String) -> SchedulesDirectURL {
        SchedulesDirectURL(self, path: (self.path.hasSuffix("/") ? String(self.path.dropLast()) : self.path) + path)
    }

    /// Returns the target of a redirect if it may receive the token; otherwise `nil`.
    ///
    /// Allowed are the same host, except from https to http, and, between hosts of the service, any https URL.
    func redirected(to location: String) -> SchedulesDirectURL? {
        if location.hasPrefix("/"), !location.hasPrefix("//") {
            return SchedulesDirectURL(SchedulesDirectURL(self, path: "").text + location)
        }
        guard let target = SchedulesDirectURL(location) else { return nil }
        if target.host == host { return target.scheme == "https" || scheme == "http" ? target : nil }
        return isOfService && target.isOfService && target.scheme == "https" ? target : nil
    }

    /// Whether the host belongs to Schedules Direct. Other domains have no such rule, because `a.co.uk` and `b.co.uk`
    /// are unrelated.
    private var isOfService: Bool { host.hasSuffix(".schedulesdirect.org") }

    private static let hostBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789.-".utf8)
}
