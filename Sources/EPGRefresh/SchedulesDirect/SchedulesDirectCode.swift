/// The error codes of Schedules Direct (API 20141201, table of error codes).
enum SchedulesDirectCode {
    static let offline: Int64 = 3000
    static let tokenExpired: Int64 = 4006
    static let noLineup: Int64 = 4102
    private static let lineupQueued: Int64 = 2107
    private static let programQueued: Int64 = 6001
    private static let scheduleQueued: Int64 = 7100

    /// Returns whether the service is still generating the response.
    static func isQueued(_ code: Int64) -> Bool { [lineupQueued, programQueued, scheduleQueued].contains(code) }

    /// Returns the seconds to wait before another login, if an immediate one would fail too or lock the account;
    /// otherwise 0.
    static func loginDelaySeconds(_ code: Int64) -> Int64 {
        switch code {
        case offline: 1800
        // The same credentials would be refused again, and eventually lock the account.
        case 4001...4003, 4005, 4007, 4008: 900
        case 4004: 900
        case 4009, 4010: 6 * 3600
        default: 0
        }
    }

    /// Describes an error code.
    ///
    /// - Parameter message: The service's message, which is shown for unknown codes.
    static func refusal(_ code: Int64, message: String) -> ServiceRefusal {
        let (problem, advice, kind) = description(of: code, shortened(message))
        return ServiceRefusal(
            code: code, problem: "\(problem) (Schedules Direct, code \(code))", advice: advice, kind: kind)
    }

    private static func description(of code: Int64, _ message: String) -> (String, String, RefreshFailure.Kind) {
        switch code {
        case 1003, 1005:
            ("the service does not support this program", "Install the newest version.", .configuration)
        case 1000..<2000, 2000..<2100:
            ("the service rejected the request: \(message)", report, .unavailable)
        case 2106: ("the lineup was deleted", otherLineup, .configuration)
        case lineupQueued:
            ("the service is still generating the lineup", "The next refresh tries again.", .unavailable)
        case 2100..<2200: ("the lineup is unavailable: \(message)", otherLineup, .configuration)
        case offline:
            (
                "the service is down for maintenance", "Refresh again after 30 minutes.",
                .unavailable
            )
        case 4001:
            ("the subscription has expired", "Renew it at schedulesdirect.org.", .configuration)
        case 4002, 4003:
            (
                "the user name or the password is wrong",
                "Correct them in the settings of the source. Repeated failures lock the account.",
                .configuration
            )
        case 4004:
            (
                "the account is locked after too many wrong passwords", "Correct the password and wait 15 minutes.",
                .configuration
            )
        case 4005:
            (
                "the account is not allowed to use the service", "Contact support at schedulesdirect.org.",
                .configuration
            )
        case tokenExpired:
            (
                "the service refuses every token, even a new one", "The next refresh tries again.",
                .unavailable
            )
        case 4007:
            ("the service has blocked this program", "Install the newest version.", .configuration)
        case 4008:
            ("the account is inactive", "Log in once at schedulesdirect.org.", .configuration)
        case 4009:
            (
                "too many logins in 24 hours",
                "Refresh less often, and find out what else uses the account. Logins work again after 24 hours.",
                .unavailable
            )
        case 4010:
            (
                "the account is used from too many IP addresses",
                "Find out what else uses the account. It is available again after 24 hours.",
                .unavailable
            )
        case noLineup: ("the account has no lineup", otherLineup, .configuration)
        default: ("the service reports an error: \(message)", report, .unavailable)
        }
    }

    private static let otherLineup =
        "Check the account's lineups at schedulesdirect.org, and those in the settings of the source."
    private static let report = "The next refresh tries again. If it fails too, report this."

    /// Returns a server's message as one line of limited length.
    private static func shortened(_ message: String) -> String {
        message.isEmpty ? "no reason given" : String(message.singleLine.prefix(200))
    }
}

/// An error that a service with its own API reports.
package struct ServiceRefusal: Error, Hashable, Sendable {
    /// The service's error code; `nil` if it has none.
    package let code: Int64?
    /// The problem, as a clause.
    package let problem: String
    /// What to do, as a sentence.
    package let advice: String
    /// The kind of the failure.
    package let kind: RefreshFailure.Kind

    /// Creates an error from its message.
    package init(code: Int64? = nil, problem: String, advice: String, kind: RefreshFailure.Kind) {
        self.code = code
        self.problem = problem
        self.advice = advice
        self.kind = kind
    }
}
