import EPGImport
import EPGJSON
import Synchronization
import TestSupport
import XMLTV

/// A local server with the API of Schedules Direct and a fictional guide.
final class FakeSchedulesDirect: Sendable {
    struct Airing: Sendable {
        var program: String
        /// Start time, such as `2026-03-28T20:00:00Z`.
        var start: String
        var seconds = 3600
    }

    /// The state of the service, which tests change between refreshes.
    struct ServiceState: Sendable {
        var username = "viewer@example.org"
        /// The SHA-1 of `secret`, calculated with sha1sum(1).
        var passwordHash = "e5e9fa1ba31ecd1ae84f75caaa474f3a663f05f4"
        /// Lineups with their modification times and stations, in order.
        var lineups = [(id: "ZZZ-TEST-X", modified: "2026-03-01T00:00:00Z", stations: ["101", "102"])]
        var deletedLineups: [String] = []
        /// Airings by station and day.
        var days: [String: [String: [Airing]]] = [:]
        /// Titles of programs by identifier.
        var titles: [String: String] = [:]
        /// Number of times that a day of a station, such as `101 2026-03-28`, is reported as queued.
        var queuedDays: [String: Int] = [:]
        var queuedPrograms: [String: Int] = [:]
        /// Error codes that replace a day or a program.
        var dayErrorCodes: [String: Int] = [:]
        var programErrorCodes: [String: Int] = [:]
        /// Replies to the next requests for a path.
        var nextReplies: [String: [ServiceReply]] = [:]
        var isCompressed = false
        var status = "Online"
        /// The valid tokens. The name of a new token contains the number of logins.
        var tokens: Set<String> = []
        var loginCount = 0
    }

    let server: LoopbackServer
    private let state: StateBox

    init(_ change: (inout ServiceState) -> Void = { _ in }) throws {
        var first = ServiceState.standard
        change(&first)
        let state = StateBox(first)
        self.state = state
        server = try LoopbackServer { request in
            state.value.withLock { FakeSchedulesDirect.reply(to: request, &$0).bytes }
        }
    }

    deinit { server.stop() }

    func change(_ change: (inout ServiceState) -> Void) { state.value.withLock { change(&$0) } }

    var loginCount: Int { state.value.withLock { $0.loginCount } }
    var url: String { server.url("/20141201") }

    /// Returns the method and path of each request since the last call.
    func takeRequests() -> [String] { takeRequestsWithBodies().map { "\($0.method) \($0.path.dropFirst(9))" } }

    func takeRequestsWithBodies() -> [LoopbackServer.Request] {
        defer { server.forgetRequests() }
        return server.requests
    }

    private final class StateBox: Sendable {
        let value: Mutex<ServiceState>
        init(_ state: ServiceState) { value = Mutex(state) }
    }
}

extension FakeSchedulesDirect.ServiceState {
    /// The initial state: two stations, two days and three programs.
    static var standard: FakeSchedulesDirect.ServiceState {
        var state = FakeSchedulesDirect.ServiceState()
        state.days = [
            "101": [
                "2026-03-28": [.init(program: "EP000000010001", start: "2026-03-28T20:00:00Z")],
                "2026-03-29": [.init(program: "EP000000010002", start: "2026-03-29T20:00:00Z")],
            ],
            "102": [
                "2026-03-28": [.init(program: "MV000000020000", start: "2026-03-28T19:00:00Z", seconds: 7200)],
                "2026-03-29": [.init(program: "EP000000010001", start: "2026-03-29T21:00:00Z")],
            ],
        ]
        state.titles = [
            "EP000000010001": "Harbour, first part", "EP000000010002": "Harbour, second part",
            "MV000000020000": "The Long Field",
        ]
        return state
    }

    /// Returns text that changes with the program, like an MD5 hash.
    func hash(ofProgram id: String) -> String { "c-\(titles[id] ?? "none")" }

    func hash(ofDay airings: [FakeSchedulesDirect.Airing]) -> String {
        "d-" + airings.map { "\($0.program)\($0.start)\($0.seconds)\(hash(ofProgram: $0.program))" }.joined()
    }
}

extension FakeSchedulesDirect {
    private static func reply(to request: LoopbackServer.Request, _ state: inout ServiceState) -> ServiceReply {
        let path = String(request.path.dropFirst("/20141201".count))
        if let replies = state.nextReplies[path], let reply = replies.first {
            state.nextReplies[path] = Array(replies.dropFirst())
            return reply
        }
        if path == "/token" { return logIn(request, &state) }
        guard let token = request.headers["token"], state.tokens.contains(token) else {
            return error(4006, "TOKEN_EXPIRED", status: 403)
        }
        let body: String? =
            switch path {
            case "/status": status(state)
            case "/lineups": lineups(state)
            case "/schedules/md5": scheduleHashes(request, state)
            case "/schedules": schedules(request, &state)
            case "/programs": programs(request, &state)
            default: lineup(path, state)
            }
        guard let body else { return error(2102, "UNKNOWN_LINEUP", status: 400) }
        return ServiceReply(body: body, isCompressed: state.isCompressed)
    }

    /// Returns an error response of the service.
    static func error(_ code: Int, _ response: String, status: Int = 400, message: String = "") -> ServiceReply {
        ServiceReply(
            status: status,
            body: """
                {"response":"\(response)","code":\(code),"serverID":"fake","message":"\(message)",\
                "datetime":"2026-03-28T12:00:00Z"}
                """)
    }

    private static func logIn(_ request: LoopbackServer.Request, _ state: inout ServiceState) -> ServiceReply {
        state.loginCount += 1
        let node = json(request.body)
        guard node?["username"]?.string == state.username, node?["password"]?.string == state.passwordHash else {
            return error(4003, "INVALID_USER", message: "Invalid user.")
        }
        state.tokens.insert("token\(state.loginCount)")
        return ServiceReply(
            body: "{\"code\":0,\"message\":\"OK\",\"serverID\":\"fake\",\"token\":\"token\(state.loginCount)\"}")
    }

    private static func status(_ state: ServiceState) -> String {
        let lineups = state.lineups.map { "{\"lineup\":\"\($0.id)\",\"modified\":\"\($0.modified)\"}" }
        return """
            {"account":{"expires":"2030-01-01T00:00:00Z"},"lineups":[\(lineups.joined(separator: ","))],\
            "systemStatus":[{"status":"\(state.status)","message":"Made up."}],"serverID":"fake","code":0}
            """
    }

    private static func lineups(_ state: ServiceState) -> String {
        let lineups =
            state.lineups.map { "{\"lineup\":\"\($0.id)\",\"name\":\"Test\"}" }
            + state.deletedLineups.map { "{\"lineup\":\"\($0)\",\"isDeleted\":true}" }
        return "{\"code\":0,\"serverID\":\"fake\",\"lineups\":[\(lineups.joined(separator: ","))]}"
    }

    private static func lineup(_ path: String, _ state: ServiceState) -> String? {
        guard let lineup = state.lineups.first(where: { path == "/lineups/\($0.id)" }) else { return nil }
        let map = lineup.stations.map { "{\"stationID\":\"\($0)\",\"channel\":\"\($0.dropFirst())\"}" }
        let stations = lineup.stations.map {
            "{\"stationID\":\"\($0)\",\"name\":\"Station \($0)\",\"callsign\":\"T\($0)\"}"
        }
        return """
            {"map":[\(map.joined(separator: ","))],"stations":[\(stations.joined(separator: ","))],\
            "metadata":{"lineup":"\(lineup.id)","modified":"\(lineup.modified)","transport":"Cable"}}
            """
    }

    private static func scheduleHashes(_ request: LoopbackServer.Request, _ state: ServiceState) -> String {
        let stations = (json(request.body)?.elements.compactMap { $0["stationID"]?.text } ?? []).map { station in
            // The service sends an empty array for a station without days.
            guard let days = state.days[station] else { return "\"\(station)\":[]" }
            let list = days.sorted { $0.key < $1.key }.map { day, airings in
                "\"\(day)\":{\"code\":0,\"message\":\"OK\",\"md5\":\"\(state.hash(ofDay: airings))\"}"
            }
            return "\"\(station)\":{\(list.joined(separator: ","))}"
        }
        return "{\(stations.joined(separator: ","))}"
    }

    private static func schedules(_ request: LoopbackServer.Request, _ state: inout ServiceState) -> String {
        var records: [String] = []
        for stationRequest in json(request.body)?.elements ?? [] {
            let station = stationRequest["stationID"]?.text ?? ""
            for day in stationRequest["date"]?.elements.compactMap(\.text) ?? [] {
                let key = "\(station) \(day)"
                if let count = state.queuedDays[key], count > 0 {
                    state.queuedDays[key] = count - 1
                    records.append(
                        """
                        {"response":"SCHEDULE_QUEUED","code":7100,"message":"Queued.","stationID":"\(station)",\
                        "metadata":{"startDate":"\(day)"},"retryTime":"2026-03-28T12:10:00Z"}
                        """)
                } else if let code = state.dayErrorCodes[key] {
                    records.append(
                        """
                        {"stationID":"\(station)","code":\(code),"response":"REFUSED","requestedDate":"\(day)",\
                        "message":"Refused for a test."}
                        """)
                } else if let airings = state.days[station]?[day] {
                    let list = airings.map { airing in
                        """
                        {"programID":"\(airing.program)","airDateTime":"\(airing.start)",\
                        "duration":\(airing.seconds),"md5":"\(state.hash(ofProgram: airing.program))"}
                        """
                    }
                    records.append(
                        """
                        { "stationID":"\(station)","programs":[\(list.joined(separator: ","))],\
                        "metadata":{"md5":"\(state.hash(ofDay: airings))","startDate":"\(day)"}}
                        """)
                }
            }
        }
        return "[\(records.joined(separator: ",\n"))]"
    }

    private static func programs(_ request: LoopbackServer.Request, _ state: inout ServiceState) -> String {
        var records: [String] = []
        for id in json(request.body)?.elements.compactMap(\.text) ?? [] {
            if let count = state.queuedPrograms[id], count > 0 {
                state.queuedPrograms[id] = count - 1
                records.append(
                    "{\"response\":\"PROGRAMID_QUEUED\",\"code\":6001,\"message\":\"Fetching programID:\(id) Retry.\"}")
            } else if let code = state.programErrorCodes[id] {
                records.append(
                    "{\"response\":\"INVALID_PROGRAMID\",\"code\":\(code),\"message\":\"Invalid programID:\(id)\"}")
            } else if let title = state.titles[id] {
                records.append(
                    """
                    {"programID":"\(id)","titles":[{"title120":"\(title)"}],\
                    "descriptions":{"description100":[{"descriptionLanguage":"en","description":"About it."}]},\
                    "md5":"\(state.hash(ofProgram: id))"}
                    """)
            }
        }
        return "[\(records.joined(separator: ","))]"
    }

    /// Parses JSON text.
    static func json(_ text: String) -> JSONNode? {
        var scanner = JSONScanner(ChunkSource(Array(text.utf8)))
        do {
            return try scanner.nextDocument() ? try scanner.readValue() : nil
        } catch {
            return nil
        }
    }
}

/// A response of the service, which tests can change.
struct ServiceReply: Sendable {
    var status = 200
    var headers: [String] = []
    var body: String
    /// Sends the body compressed with gzip.
    var isCompressed = false
    /// Closes the connection without a response.
    var closesConnection = false

    /// The bytes of the response.
    var bytes: LoopbackServer.Reply {
        if closesConnection { return LoopbackServer.Reply(bytes: []) }
        let content = isCompressed ? GzipStore.encode(Array(body.utf8)) : Array(body.utf8)
        let encoding = isCompressed ? ["Content-Encoding: gzip"] : []
        return .status("\(status) Made up", headers: encoding + headers, body: content)
    }
}
