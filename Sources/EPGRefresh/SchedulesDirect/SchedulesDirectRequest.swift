/// What the service is asked.
struct SchedulesDirectRequest: Sendable {
    /// Below the address of the API, such as `/lineups`.
    var path: String
    /// JSON to post; `nil` gets.
    var body: String?
    var token: String?
}

/// What the service answered.
struct SchedulesDirectAnswer: Sendable {
    /// The HTTP status of the last response.
    var status: Int
    /// Seconds that the server asks to be left alone for.
    var retryAfter: Int64?
    var body: SchedulesDirectBody
}

/// Why the service can't be had.
struct SchedulesDirectTrouble: Error, Hashable {
    var reason: FetchError.Reason
    /// Seconds that the server asks to be left alone for.
    var retryAfter: Int64?
    /// How often it was asked.
    var attempts = 1

    init(_ reason: FetchError.Reason, retryAfter: Int64? = nil) {
        self.reason = reason
        self.retryAfter = retryAfter
    }

    init(_ refusal: ServiceRefusal) { self.init(.service(refusal)) }

    init(_ failure: SystemFailure) { self.init(.inputOutput(failure.code)) }

    /// What the service says; `nil` where the trouble is another one.
    var refusal: ServiceRefusal? {
        if case .service(let refusal) = reason { refusal } else { nil }
    }

    /// The number of the service for it; `nil` where the service didn't answer so.
    var code: Int64? { refusal?.code }
}
