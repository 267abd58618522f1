internal import EPGFiles
internal import EPGImport
import EPGJSON
internal import EPGModel
internal import Synchronization

/// Sends requests to the service, one at a time, with the same rules as every fetch for addresses, proxies, time and size
/// limits: logs in if needed, retries transient failures, and recognizes error responses.
///
/// Redirects keep the method, the body and the token; see ``mayRedirect(from:to:)``.
struct SchedulesDirectClient {
    /// The web. The service requires a user agent with a name and a version.
    let web: CurlFetcher
    /// The URL of the API without a slash at its end.
    let base: String
    /// Whether the host may resolve to a private address.
    let allowsPrivateAddresses: Bool
    let watch: FetchObserver
    /// The uptime at which the time limit expires.
    let deadline: Duration
    let tokens: SchedulesDirectTokens
    let key: SchedulesDirectTokens.Key
    let limits: SchedulesDirectLimits
    private let tally = ByteTally()

    /// Maximum size of an error response in bytes. Real ones have a few hundred bytes.
    private static let refusalByteLimit: Int64 = 64 << 10
    /// Lifetime of a token in seconds if the service does not specify it: a day, less a minute.
    private static let tokenSeconds: Int64 = 86_340

    /// Creates a client for a fetch.
    ///
    /// - Parameters:
    ///   - request: The fetch, with the URL of the API as the location.
    ///   - account: The account to log in with.
    /// - Throws: ``FetchError`` without a location if the URL is malformed.
    init(
        _ request: FetchRequest, _ account: SchedulesDirectAccount, tokens: SchedulesDirectTokens, web: CurlFetcher,
        limits: SchedulesDirectLimits, watch: FetchObserver
    ) throws(FetchError) {
        guard case .url(let location) = request.location else { throw FetchError(reason: .malformedLocation) }
        let url = try WebURL(location).text
        base = url.hasSuffix("/") ? String(url.dropLast()) : url
        allowsPrivateAddresses = request.allowsPrivateAddresses
        self.watch = watch
        self.tokens = tokens
        self.limits = limits
        var web = web
        web.limits = web.limits.within(request)
        self.web = web
        deadline = web.deadline
        key = SchedulesDirectTokens.Key(
            url: base, username: account.username, passwordHash: SHA1.hexadecimal(of: account.password))
    }

    /// Sends a request that needs a token, and returns the response.
    ///
    /// - Parameters:
    ///   - path: The path below the URL of the API, such as `/lineups`.
    ///   - body: JSON to post; `nil` for GET.
    /// - Throws: ``FetchError`` without a location. Its `code` is set if the service reported an error.
    func send(_ path: String, body: String? = nil) throws(FetchError) -> SchedulesDirectBody {
        var isRenewed = false
        while true {
            let known = try tokens.token(for: key, web.clock)
            let token = if let known { known } else { try logIn() }
            do throws(FetchError) {
                return try exchange(path, body: body, token: token)
            } catch {
                if let refusal = error.refusal { try tokens.record(refusal, for: key, web.clock) }
                guard error.code == SchedulesDirectCode.tokenExpired, !isRenewed else { throw error }
                try tokens.remove(token, for: key, web.clock)
                isRenewed = true
            }
        }
    }

    /// Requests a token and caches it.
    private func logIn() throws(FetchError) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("username", key.username)
            json.member("password", key.passwordHash)
        }
        do throws(FetchError) {
            let node = try exchange("/token", body: json.text).root()
            guard let text = node["token"]?.string, !text.isEmpty, text.utf8.count <= 1024,
                text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { throw SchedulesDirectBody.invalidResponse("it contains no token") }
            var seconds = Self.tokenSeconds
            if let end = node["tokenExpires"]?.integer {
                // Use the server's clock, because this machine's clock may be wrong.
                let now = node["serverTime"]?.integer ?? web.clock.now().secondsSince1970
                let (life, overflow) = end.subtractingReportingOverflow(now)
                // At least a minute, to avoid a login per request. An expired token is refused and then renewed.
                seconds = overflow ? 60 : min(seconds, max(life, 120) - 60)
            }
            try tokens.store(text, forSeconds: seconds, key, web.clock)
            return text
        } catch {
            if let refusal = error.refusal { try tokens.record(refusal, for: key, web.clock) }
            throw error
        }
    }

    /// Sends a request and retries it after transient failures.
    private func exchange(
        _ path: String, body: String?, token: String? = nil
    ) throws(FetchError) -> SchedulesDirectBody {
        var request = WebRequest(
            try WebURL(base + path), allowsPrivateAddresses: allowsPrivateAddresses, watch: watch, deadline: deadline)
        request.headerLines = ["Accept: application/json"]
        // Do not wait for "100 Continue".
        if body != nil { request.headerLines += ["Content-Type: application/json", "Expect:"] }
        if let token { request.headerLines.append("token: \(token)") }
        request.body = body
        request.acceptsAnyStatus = true
        request.followsRedirect = Self.mayRedirect
        return try web.retrying(request) { () throws(FetchError) in
            request.watch = tally.next(watch)
            return try attempt(request)
        }
    }

    private func attempt(_ request: WebRequest) throws(FetchError) -> SchedulesDirectBody {
        let sink = try BodySink(folder: web.temporaryFolder, byteLimit: web.limits.byteCount)
        let response = try web.send(request, into: sink)
        if let reason = response.reason { throw FetchError(reason: reason) }
        guard response.bodyClass == .complete else { throw FetchError(reason: .truncated) }
        let body = try FetchError.converting { () throws(SystemFault) in
            try SchedulesDirectBody(sink.file)
        }
        if body.byteCount <= Self.refusalByteLimit, let refusal = refusal(in: body) { throw FetchError(refusal) }
        let status = response.headers.status
        guard (200...299).contains(status) else {
            throw FetchError(reason: .status(status), retryAfter: response.retryAfter)
        }
        guard body.byteCount > 0 else { throw FetchError(reason: .empty) }
        return body
    }

    /// Parses an error response; `nil` for any other response, including responses of gateways.
    private func refusal(in body: SchedulesDirectBody) -> ServiceRefusal? {
        // An invalid one is probably the error page of a gateway. Its status is more helpful.
        guard let node = try? body.root(), let code = node["code"]?.integer, code != 0 else { return nil }
        return SchedulesDirectCode.refusal(
            code, message: node["message"]?.string ?? node["response"]?.string ?? "")
    }

    /// Returns whether the target of a redirect may receive the token.
    ///
    /// Allowed are the same host, except from https to http, and, between hosts of the service, any https URL. Other domains
    /// have no such rule, because `a.co.uk` and `b.co.uk` are unrelated.
    static func mayRedirect(from url: WebURL, to target: WebURL) -> Bool {
        if target.host == url.host { return target.scheme == "https" || url.scheme == "http" }
        return target.scheme == "https" && [url, target].allSatisfy { $0.host.hasSuffix(".schedulesdirect.org") }
    }
}

extension FetchError {
    /// The error that the service reported; `nil` for other failures.
    fileprivate var refusal: ServiceRefusal? {
        if case .service(let refusal) = reason { refusal } else { nil }
    }

    /// The service's error code; `nil` if it did not report one.
    fileprivate var code: Int64? { refusal?.code }
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
                    counts.now = max(counts.now, step.byteCount)
                    return counts.earlier + counts.now
                }
                watch.progress(FetchProgress(byteCount: sum, total: nil))
            }, isCancelled: watch.isCancelled)
    }
}

// MARK: - Endpoints

extension SchedulesDirectClient {
    /// Returns when each lineup of the account was last modified.
    ///
    /// - Throws: An `offline` error if the service reports that it is offline.
    func lineupMarks() throws(FetchError) -> [String: String] {
        let node = try send("/status").root()
        for status in node["systemStatus"]?.elements ?? [] {
            guard let word = status["status"]?.string, word.lowercased() == "offline" else { continue }
            throw FetchError(
                SchedulesDirectCode.refusal(SchedulesDirectCode.offline, message: status["message"]?.string ?? ""))
        }
        var marks: [String: String] = [:]
        for lineup in node["lineups"]?.elements ?? [] {
            if let id = lineup.lineupID { marks[id] = lineup["modified"]?.text ?? "" }
        }
        return marks
    }

    /// Returns the identifiers of the lineups of the account that are not deleted, in the service's order.
    func lineups() throws(FetchError) -> [String] {
        SchedulesDirectRecords.unique([try offers().map(\.id)])
    }

    /// Returns the lineups of the account that are not deleted, in the service's order. Empty for a new account.
    func offers() throws(FetchError) -> [SchedulesDirectOffer] {
        let node: JSONNode
        do throws(FetchError) {
            node = try send("/lineups").root()
        } catch {
            guard error.code == SchedulesDirectCode.noLineup else { throw error }
            return []
        }
        return (node["lineups"]?.elements ?? []).compactMap { lineup in
            guard let id = lineup.lineupID, lineup["isDeleted"]?.bool != true else { return nil }
            return SchedulesDirectOffer(
                id: id, name: lineup["name"]?.string, transport: lineup["transport"]?.string,
                location: lineup["location"]?.string)
        }
    }

    /// Returns one lineup with its stations.
    func lineup(_ id: String, mark: String) throws(FetchError) -> SchedulesDirectLineup {
        let body = try send("/lineups/\(id.percentEncoded)")
        return try body.read { (json) throws(JSONError) in
            let node = try json.readValue()
            guard node.kind == .object, node["map"] != nil || node["stations"] != nil else {
                throw JSONError(reason: .notAGuide(found: "no stations in a lineup"))
            }
            let lists = [node["map"], node["stations"]].map { list in
                // Some lineups group the map by modulation.
                let records = (list?.elements ?? []) + (list?.members.flatMap(\.value.elements) ?? [])
                return records.compactMap { $0["stationID"]?.text }
            }
            return SchedulesDirectLineup(
                id: id, mark: mark, stations: SchedulesDirectRecords.unique(lists),
                slice: SchedulesDirectSlice(body, afterBraceOf: node, end: json.offset))
        }
    }

    /// Returns the MD5 of each day of each station; `nil` for a day that the service cannot deliver. Stations that the
    /// service does not mention are missing.
    func dayMarks(of stations: [String]) throws(FetchError) -> [String: [String: String?]] {
        var marks: [String: [String: String?]] = [:]
        for batch in stations.batches(of: limits.stations) {
            var json = JSONWriter()
            json.array { json in
                for station in batch { json.object { $0.member("stationID", station) } }
            }
            let body = try send("/schedules/md5", body: json.text)
            try body.read { (json) throws(JSONError) in
                try json.enterObject()
                while let station = try json.nextKey() {
                    var days: [String: String?] = [:]
                    // A station without days has an empty array.
                    for (day, value) in try json.readValue().members {
                        let isValid = (value["code"]?.integer ?? 0) == 0
                        days[day] = .some(isValid ? value["md5"]?.text ?? value["hash"]?.text : nil)
                    }
                    if !days.isEmpty { marks[station] = days }
                }
            }
        }
        return marks
    }

    /// Fetches the schedules of days, and passes each record of the response to `take`.
    func schedules(
        _ days: [StationDay], _ take: (JSONNode, SchedulesDirectSlice) -> Void
    ) throws(FetchError) {
        var stations: [String] = []
        var byStation: [String: [String]] = [:]
        for day in days {
            if byStation[day.station] == nil { stations.append(day.station) }
            byStation[day.station, default: []].append(day.day)
        }
        var json = JSONWriter()
        json.array { json in
            for station in stations {
                json.object { json in
                    json.member("stationID", station)
                    json.member("date", byStation[station] ?? [])
                }
            }
        }
        try send("/schedules", body: json.text).forEachRecord(take)
    }

    /// Fetches programs, and passes each record of the response to `take`.
    func programs(
        _ ids: [String], _ take: (JSONNode, SchedulesDirectSlice) -> Void
    ) throws(FetchError) {
        var json = JSONWriter()
        json.write(ids)
        try send("/programs", body: json.text).forEachRecord(take)
    }

    /// Fetches records in batches, and retries those that the service is still generating.
    ///
    /// - Parameters:
    ///   - keys: The keys of the records.
    ///   - count: Maximum size of a batch.
    ///   - take: Fetches a batch, and returns the keys that the service is still generating.
    /// - Returns: The keys that were still missing after the last retry.
    func fetch<Key>(
        _ keys: [Key], inBatchesOf count: Int, _ take: ([Key]) throws(FetchError) -> [Key]
    ) throws(FetchError) -> [Key] {
        var requested = keys
        for round in 0...limits.queueRounds where !requested.isEmpty {
            if round > 0 { web.clock.wait(.seconds(limits.queueSeconds), watch.isCancelled) }
            var queued: [Key] = []
            for batch in requested.batches(of: count) { queued += try take(batch) }
            requested = queued
        }
        return requested
    }
}

extension JSONNode {
    /// The identifier of a lineup. Older responses use another key.
    fileprivate var lineupID: String? {
        let id = self["lineup"]?.string ?? self["lineupID"]?.string
        return id?.isEmpty == true ? nil : id
    }
}

extension Array {
    /// Splits the array into parts of at most `count` elements.
    fileprivate func batches(of count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min($0 + count, self.count)]) }
    }
}
