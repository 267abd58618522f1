/// The numbers by which Schedules Direct says what is wrong (API 20141201, table of error codes).
enum SchedulesDirectCode {
    static let offline: Int64 = 3000
    static let tokenExpired: Int64 = 4006
    static let lineupQueued: Int64 = 2107
    static let contentQueued: Int64 = 6001
    static let scheduleQueued: Int64 = 7100

    /// Whether what was asked for is being made, so that it is there later.
    static func isQueued(_ code: Int64) -> Bool { [lineupQueued, contentQueued, scheduleQueued].contains(code) }

    /// Seconds for which the service isn't asked for a token again, as each such request makes things worse; 0 where it
    /// may be asked at once.
    static func holdSeconds(_ code: Int64) -> Int64 {
        switch code {
        case offline: 1800
        // The same name and password would be refused again, and lock the account out.
        case 4001...4003, 4005, 4007, 4008: 900
        case 4004: 900
        case 4009, 4010: 6 * 3600
        default: 0
        }
    }

    /// What a number means.
    ///
    /// - Parameter message: The service's own words, which are shown where the number isn't known.
    static func refusal(_ code: Int64, message: String) -> ServiceRefusal {
        let (problem, advice, exitCode) = words(code, shortened(message))
        return ServiceRefusal(
            code: code, problem: "\(problem) (Schedules Direct, code \(code))", advice: advice, exitCode: exitCode)
    }

    private static func words(_ code: Int64, _ message: String) -> (String, String, Int32) {
        switch code {
        case 1003, 1005:
            ("the service doesn't know this program", "Take its newest version.", RefreshFailure.configuration)
        case 1000..<2000, 2000..<2100:
            ("the service doesn't understand the request: \(message)", report, RefreshFailure.unavailable)
        case 2106: ("the lineup was deleted", otherLineup, RefreshFailure.configuration)
        case lineupQueued:
            ("the lineup is still being made", "The next refresh tries again.", RefreshFailure.unavailable)
        case 2100..<2200: ("the lineup can't be had: \(message)", otherLineup, RefreshFailure.configuration)
        case offline:
            (
                "the service is down for maintenance", "It wants to be left alone for 30 minutes; refresh after that.",
                RefreshFailure.unavailable
            )
        case 4001:
            ("the subscription has run out", "Renew it at schedulesdirect.org.", RefreshFailure.configuration)
        case 4002, 4003:
            (
                "the user name or the password is wrong", "Correct them in epg.yml; wrong ones lock the account out.",
                RefreshFailure.configuration
            )
        case 4004:
            (
                "the account is locked after too many wrong passwords", "Correct the password and wait 15 minutes.",
                RefreshFailure.configuration
            )
        case 4005:
            ("the account may not use the service", "Ask support at schedulesdirect.org.", RefreshFailure.configuration)
        case tokenExpired:
            (
                "the service takes no token, not even a new one", "The next refresh tries again.",
                RefreshFailure.unavailable
            )
        case 4007:
            ("the service has shut this program out", "Take its newest version.", RefreshFailure.configuration)
        case 4008:
            ("the account isn't active", "Log in once at schedulesdirect.org.", RefreshFailure.configuration)
        case 4009:
            (
                "the account logged in too often in 24 hours",
                "Refresh less often, and see what else uses the account; it is free again after 24 hours.",
                RefreshFailure.unavailable
            )
        case 4010:
            (
                "the account is used from too many addresses",
                "See what else uses it; it is free again after 24 hours.",
                RefreshFailure.unavailable
            )
        case 4102: ("the account has no lineup", otherLineup, RefreshFailure.configuration)
        default: ("the service refuses: \(message)", report, RefreshFailure.unavailable)
        }
    }

    private static let otherLineup = "See to the account's lineups at schedulesdirect.org, and to those in epg.yml."
    private static let report = "The next refresh tries again; if it fails too, report it."

    /// Words of a server for people: one line, not too long.
    private static func shortened(_ message: String) -> String {
        let text = message.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : String($0) }.joined()
        return text.isEmpty ? "it doesn't say why" : String(text.prefix(200))
    }
}
