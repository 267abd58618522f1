/// Carries requests to the service, whatever becomes of them.
protocol SchedulesDirectTransport: Sendable {
    /// Asks once; blocks until the answer is there. Redirects are followed.
    ///
    /// - Throws: ``SchedulesDirectTrouble`` where no answer came; an answer with an error is an answer.
    func send(_ request: SchedulesDirectRequest) throws(SchedulesDirectTrouble) -> SchedulesDirectAnswer
}

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

    init(_ reason: FetchError.Reason, retryAfter: Int64? = nil) {
        self.reason = reason
        self.retryAfter = retryAfter
    }

    init(_ refusal: ServiceRefusal) { self.init(.service(refusal)) }

    init(_ failure: SystemFailure) { self.init(.inputOutput(failure.code)) }

    /// The number of the service for it; `nil` where the service didn't answer so.
    var code: Int64? {
        if case .service(let refusal) = reason { refusal.code } else { nil }
    }

    /// Whether another attempt may end better.
    var isTransient: Bool {
        switch reason {
        case .status(let status): status == 429 || (500...599).contains(status)
        case .unknownHost, .cannotConnect, .timedOut, .cutShort, .transfer: true
        default: false
        }
    }
}
