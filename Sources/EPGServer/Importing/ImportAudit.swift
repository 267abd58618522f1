import EPGImport
import EPGModel
import HTTPTypes
import Logging

/// Who sent a request, for the log and for limits.
struct Requester: Sendable {
    /// The number of the request.
    let id: RequestID
    /// The address that the log names: the peer's, or the one that a trusted proxy names.
    let client: PeerAddress
    /// The address that limits count; `nil` for a client that isn't limited.
    let asker: PeerAddress?
}

/// The line of the log for one import over HTTP: who sent it, how much, for which source or lineup, and what became of it.
///
/// It never contains credentials: sources are often called by their URLs, which are shown without user and password.
struct ImportAudit {
    let requester: Requester
    private let began = ContinuousClock.now
    /// Set as soon as the parameters are read.
    var order: ImportOrder?
    /// Seconds of the lockout that a wrong token brought about.
    var lockoutSeconds: Int?

    init(_ requester: Requester) {
        self.requester = requester
    }

    /// Logs a guide or a playlist that was imported, at the level info.
    func record(_ reply: ImportReply, bytes: Int, to logger: Logger) {
        var metadata = metadata(bytes: bytes, status: .ok)
        switch reply {
        case .guide(let outcome, let source):
            metadata["source"] = "\(source)"
            metadata["read"] = "\(outcome.report.programmesRead)"
            metadata["inserted"] = "\(outcome.airings.inserted)"
            metadata["changed"] = "\(outcome.airings.changed + outcome.airings.moved)"
            metadata["removed"] = "\(outcome.airings.removed)"
            metadata["unchanged"] = "\(outcome.airingsUnchanged)"
        case .lineup(let outcome, let name):
            metadata["lineup"] = "\(name)"
            metadata["channels"] = "\(outcome.channels)"
            metadata["unmatched"] = "\(outcome.unmatched)"
        }
        logger.info("import over HTTP", metadata: metadata)
    }

    /// Logs an import that was refused or failed, at the level notice.
    ///
    /// What a locked-out client sends is logged at the level debug: its address has its line with `lockout-seconds`, and
    /// must not be able to fill the log.
    func record(_ problem: Problem, bytes: Int, to logger: Logger) {
        var metadata = metadata(bytes: bytes, status: problem.status)
        metadata["title"] = "\(problem.status.reasonPhrase)"
        if let order {
            let name = order.lineup ?? order.source
            metadata[order.lineup == nil ? "source" : "lineup"] = "\(name)"
        }
        if let lockoutSeconds { metadata["lockout-seconds"] = "\(lockoutSeconds)" }
        // What the importer says of a guide, which nobody else can look up later.
        if [.unprocessableContent, .contentTooLarge].contains(problem.status) {
            metadata["reason"] = "\(problem.detail.withoutURLCredentials)"
        }
        logger.log(
            level: problem.status == .tooManyRequests ? .debug : .notice, "import over HTTP", metadata: metadata)
    }

    private func metadata(bytes: Int, status: HTTPResponse.Status) -> Logger.Metadata {
        [
            "id": "\(requester.id)", "client": "\(requester.client)", "bytes": "\(bytes)", "status": "\(status.code)",
            "ms": "\((ContinuousClock.now - began) / .milliseconds(1))",
        ]
    }
}
