import EPGRefresh
import Logging

/// What a refresh ended with, as far as the service has to know.
protocol RefreshOutcome: Sendable {
    /// Whether something failed for a reason that may be over in a while.
    var mayPass: Bool { get }

    /// Tells in one entry of the log how it went.
    func log(to logger: Logger)
}

extension RefreshReport: RefreshOutcome {
    var mayPass: Bool { failures.contains(where: \.mayPass) }
}
