internal import EPGFiles
internal import EPGImport
import EPGJSON
internal import EPGModel

/// Sends authenticated requests: logs in if needed, retries transient failures, and recognizes error responses.
struct SchedulesDirectClient {
    let transport: SchedulesDirectTransport
    let tokens: SchedulesDirectTokens
    let key: SchedulesDirectTokens.Key

    private var clock: FetchClock { transport.settings.clock }

    /// Maximum size of an error response in bytes. Real ones have a few hundred bytes.
    private static let refusalByteLimit: Int64 = 64 << 10
    /// Lifetime of a token in seconds if the service does not specify it: a day, less a minute.
    private static let tokenSeconds: Int64 = 86_340

    /// Sends a request that needs a token, and returns the response.
    ///
    /// - Parameter body: JSON to post; `nil` for GET.
    /// - Throws: ``SchedulesDirectError``. Its `code` is set if the service reported an error.
    func send(_ path: String, body: String? = nil) throws(SchedulesDirectError) -> SchedulesDirectBody {
        var isRenewed = false
        while true {
            let known = try tokens.token(for: key, clock)
            let token = if let known { known } else { try logIn() }
            do throws(SchedulesDirectError) {
                return try exchange(SchedulesDirectRequest(path: path, body: body, token: token))
            } catch {
                if let refusal = error.refusal { try tokens.record(refusal, for: key, clock) }
                guard error.code == SchedulesDirectCode.tokenExpired, !isRenewed else { throw error }
                try tokens.remove(token, for: key, clock)
                isRenewed = true
            }
        }
    }

    /// Requests a token and caches it.
    private func logIn() throws(SchedulesDirectError) -> String {
        var body: [UInt8] = Array("{\"username\":".utf8)
        JSONText.append(quoted: key.username, to: &body)
        body += Array(",\"password\":\"\(key.passwordHash)\"}".utf8)
        let request = SchedulesDirectRequest(path: "/token", body: String(decoding: body, as: UTF8.self))
        do throws(SchedulesDirectError) {
            let node = try exchange(request).root()
            guard let text = node["token"]?.string, !text.isEmpty, text.utf8.count <= 1024,
                text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { throw SchedulesDirectBody.invalidResponse("it contains no token") }
            var seconds = Self.tokenSeconds
            if let end = node["tokenExpires"]?.integer {
                // Use the server's clock, because that of this machine may be wrong.
                let now = node["serverTime"]?.integer ?? clock.now().secondsSince1970
                let (life, overflow) = end.subtractingReportingOverflow(now)
                // At least a minute, to avoid a login per request. An expired token is refused and then renewed.
                seconds = overflow ? 60 : min(seconds, max(life, 120) - 60)
            }
            try tokens.store(text, forSeconds: seconds, key, clock)
            return text
        } catch {
            if let refusal = error.refusal { try tokens.record(refusal, for: key, clock) }
            throw error
        }
    }

    /// Sends a request and retries it after transient failures.
    private func exchange(_ request: SchedulesDirectRequest) throws(SchedulesDirectError) -> SchedulesDirectBody {
        var attempts = 1
        while true {
            do throws(SchedulesDirectError) {
                return try attempt(request)
            } catch {
                let delay = transport.settings.retries.delay(
                    afterAttempt: attempts, retryAfter: error.retryAfter, random: clock.random())
                guard error.reason.isTransient, let delay, delay < transport.timeLeft else {
                    var failure = error
                    failure.attempts = attempts
                    throw failure
                }
                wait(delay)
                attempts += 1
            }
        }
    }

    /// Waits before another request, or until the fetch is canceled.
    func wait(_ duration: Duration) {
        clock.wait(duration, transport.watch.isCancelled)
    }

    private func attempt(_ request: SchedulesDirectRequest) throws(SchedulesDirectError) -> SchedulesDirectBody {
        let response = try transport.send(request)
        let isRefusal = !(200...299).contains(response.status)
        if response.body.byteCount <= Self.refusalByteLimit, let refusal = refusal(in: response.body) {
            throw SchedulesDirectError(refusal)
        }
        if isRefusal { throw SchedulesDirectError(.status(response.status), retryAfter: response.retryAfter) }
        guard response.body.byteCount > 0 else { throw SchedulesDirectError(.empty) }
        return response.body
    }

    /// Parses an error response; `nil` for any other response, including those of gateways.
    private func refusal(in body: SchedulesDirectBody) -> ServiceRefusal? {
        do throws(SchedulesDirectError) {
            let node = try body.root()
            guard let code = node["code"]?.integer, code != 0 else { return nil }
            return SchedulesDirectCode.refusal(
                code, message: node["message"]?.string ?? node["response"]?.string ?? "")
        } catch {
            // Probably the error page of a gateway. Its status is more helpful.
            return nil
        }
    }
}

/// The endpoints of the API with typed results.
struct SchedulesDirectAPI {
    let client: SchedulesDirectClient
    let limits: SchedulesDirectLimits

    /// Returns when each lineup of the account was last modified.
    ///
    /// - Throws: An `offline` error if the service reports that it is offline.
    func lineupMarks() throws(SchedulesDirectError) -> [String: String] {
        let node = try client.send("/status").root()
        for status in node["systemStatus"]?.elements ?? [] {
            guard let word = status["status"]?.string, word.lowercased() == "offline" else { continue }
            throw SchedulesDirectError(
                SchedulesDirectCode.refusal(SchedulesDirectCode.offline, message: status["message"]?.string ?? ""))
        }
        var marks: [String: String] = [:]
        for lineup in node["lineups"]?.elements ?? [] {
            if let id = lineup.lineupID { marks[id] = lineup["modified"]?.text ?? "" }
        }
        return marks
    }

    /// Returns the identifiers of the lineups of the account that are not deleted, in the service's order.
    func lineups() throws(SchedulesDirectError) -> [String] {
        SchedulesDirectRecords.unique([try offers().map(\.id)])
    }

    /// Returns the lineups of the account that are not deleted, in the service's order. Empty for a new account.
    func offers() throws(SchedulesDirectError) -> [SchedulesDirectOffer] {
        let node: JSONNode
        do throws(SchedulesDirectError) {
            node = try client.send("/lineups").root()
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
    func lineup(_ id: String, mark: String) throws(SchedulesDirectError) -> SchedulesDirectLineup {
        let body = try client.send("/lineups/\(id.percentEncoded)")
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
    func dayMarks(of stations: [String]) throws(SchedulesDirectError) -> [String: [String: String?]] {
        var marks: [String: [String: String?]] = [:]
        for batch in stations.batches(of: limits.stations) {
            var json: [UInt8] = []
            json.appendList(batch, "[", "]") { json, station in
                json += Array("{\"stationID\":".utf8)
                JSONText.append(quoted: station, to: &json)
                json.append(UInt8(ascii: "}"))
            }
            let body = try client.send("/schedules/md5", body: String(decoding: json, as: UTF8.self))
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
    ) throws(SchedulesDirectError) {
        var stations: [String] = []
        var byStation: [String: [String]] = [:]
        for day in days {
            if byStation[day.station] == nil { stations.append(day.station) }
            byStation[day.station, default: []].append(day.day)
        }
        var json: [UInt8] = []
        json.appendList(stations, "[", "]") { json, station in
            json += Array("{\"stationID\":".utf8)
            JSONText.append(quoted: station, to: &json)
            json += Array(",\"date\":".utf8)
            json.appendList(byStation[station] ?? [], "[", "]}") { JSONText.append(quoted: $1, to: &$0) }
        }
        try client.send("/schedules", body: String(decoding: json, as: UTF8.self)).forEachRecord(take)
    }

    /// Fetches programs, and passes each record of the response to `take`.
    func programs(
        _ ids: [String], _ take: (JSONNode, SchedulesDirectSlice) -> Void
    ) throws(SchedulesDirectError) {
        var json: [UInt8] = []
        json.appendList(ids, "[", "]") { JSONText.append(quoted: $1, to: &$0) }
        try client.send("/programs", body: String(decoding: json, as: UTF8.self)).forEachRecord(take)
    }

    /// Fetches records in batches, and retries those that the service is still generating.
    ///
    /// - Parameters:
    ///   - keys: The keys of the records.
    ///   - count: Maximum size of a batch.
    ///   - take: Fetches a batch, and returns the keys that the service is still generating.
    /// - Returns: The keys that were still missing after the last retry.
    func fetch<Key>(
        _ keys: [Key], inBatchesOf count: Int, _ take: ([Key]) throws(SchedulesDirectError) -> [Key]
    ) throws(SchedulesDirectError) -> [Key] {
        var requested = keys
        for round in 0...limits.queueRounds where !requested.isEmpty {
            if round > 0 { client.wait(.seconds(limits.queueSeconds)) }
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

/// A request to the service.
struct SchedulesDirectRequest: Sendable {
    /// The path below the URL of the API, such as `/lineups`.
    var path: String
    /// JSON to post; `nil` for GET.
    var body: String?
    var token: String?
}

/// A response of the service.
struct SchedulesDirectResponse: Sendable {
    /// The HTTP status code of the last response.
    var status: Int
    /// The server's `Retry-After` in seconds.
    var retryAfter: Int64?
    var body: SchedulesDirectBody
}

/// The failure of a request to the service.
struct SchedulesDirectError: Error, Hashable {
    var reason: FetchError.Reason
    /// The server's `Retry-After` in seconds.
    var retryAfter: Int64?
    /// Number of attempts.
    var attempts = 1

    init(_ reason: FetchError.Reason, retryAfter: Int64? = nil) {
        self.reason = reason
        self.retryAfter = retryAfter
    }

    init(_ refusal: ServiceRefusal) { self.init(.service(refusal)) }

    init(_ fault: SystemFault) { self.init(.inputOutput(fault.number)) }

    /// The error that the service reported; `nil` for other failures.
    var refusal: ServiceRefusal? {
        if case .service(let refusal) = reason { refusal } else { nil }
    }

    /// The service's error code; `nil` if it did not report one.
    var code: Int64? { refusal?.code }
}
