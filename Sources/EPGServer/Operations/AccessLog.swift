import HTTPTypes
import Logging
import Synchronization

/// A line for each request.
struct AccessLog: Sendable {
    let logger: Logger
    let level: Logger.Level

    /// Whether lines are written at all; where not, a request needs no number.
    var isOn: Bool { level >= logger.logLevel }

    func record(_ request: HTTPRequest, id: RequestID, peer: String, status: Int, duration: Duration) {
        guard isOn else { return }
        logger.log(
            level: level, "request",
            metadata: [
                "id": "\(id)", "peer": "\(peer)", "method": "\(request.method.rawValue)",
                "path": "\((request.path ?? "").prefix(300))", "status": "\(status)",
                "ms": "\(Double(duration / .microseconds(1)) .rounded() / 1000)",
            ])
    }
}

/// What names a request in logs and in the answers that tell of a failure; no two of one process are alike.
struct RequestID: Hashable, Sendable, CustomStringConvertible {
    private static let last = Atomic<UInt64>(0)
    /// Tells processes apart.
    private static let process = UInt32.random(in: 0...UInt32.max)

    private let number: UInt64

    /// The next one.
    init() {
        number = RequestID.last.add(1, ordering: .relaxed).newValue
    }

    var description: String { String(RequestID.process, radix: 36) + "-" + String(number, radix: 36) }
}
