import EPGCalendar
package import EPGHTTP
package import EPGImport
import EPGJSON
package import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird
package import Logging

/// `/api/v1/import`: imports guides and playlists that clients send.
struct ImportController: Sendable {
    static let path = "/api/v1/import"

    private let importer: (any GuideImporting)?
    private let service: GuideService
    private let spool: BodySpool
    /// Set when the service shuts down.
    private let stopping: Flag
    private let logger: Logger

    /// - Parameter importer: `nil` if the program cannot import.
    init(
        _ importer: (any GuideImporting)?, service: GuideService, settings: UploadSettings, stopping: Flag,
        logger: Logger
    ) {
        self.importer = importer
        self.service = service
        self.stopping = stopping
        self.logger = logger
        spool = BodySpool(settings, logger: logger)
    }

    func addRoutes(to router: AccessRouter) {
        router[.imports].on(RouterPath(ImportController.path), method: .post) { try await response(to: $0, $1) }
    }

    private func response(to request: Request, _ context: ServiceRequestContext) async throws -> Response {
        var audit = ImportAudit(context: context)
        var response: Response
        do {
            let reply = try await reply(to: request, context, &audit)
            audit.record(.success(reply), to: logger)
            response = Document.object { reply.writeMembers(to: &$0) }.response(to: request)
        } catch let problem as Problem {
            audit.record(.failure(problem), to: logger)
            response = problem.response(to: request)
        } catch {
            // ``ErrorMiddleware`` logs the reason.
            audit.record(.failure(Problem(unhandled: error)), to: logger)
            throw error
        }
        response.headers[named: "X-Request-Id"] = context.requestID
        return response
    }

    /// Reads the body to a file, and imports it.
    ///
    /// - Throws: ``Problem``, with status 403 if imports are disabled. The guide is unchanged then.
    private func reply(
        to request: Request, _ context: ServiceRequestContext, _ audit: inout ImportAudit
    ) async throws -> ImportReply {
        guard let importer else { throw Problem(.forbidden, "This service cannot import guides.") }
        var parameters = try service.parameters(of: request, context)
        let importRequest = try ImportRequest(&parameters, now: service.now())
        audit.importRequest = importRequest
        _ = try parameters.finish()
        // Reject before the client sends the whole body.
        guard service.executor[.imports].isIdle else { throw Problem(ImportRefusal.busy) }
        let file = try await spool.makeFile()
        defer { audit.byteCount = file.count }
        try await spool.receive(request, since: context.client.arrival) { try await spool.append($0, to: file) }
        do {
            let reply = try await service.executor[.imports].run(for: nil) { [service, stopping] cancellation in
                let reply = try importer.importBody(
                    file, as: importRequest, waiting: .never,
                    isCancelled: { cancellation.isSet || stopping.isSet }, progress: { _ in })
                // The response must not precede the new guide.
                service.watch.refresh()
                return reply
            }
            if case .guide(let outcome, _) = reply {
                // A standby that is far behind does not change the success.
                try? await service.awaitGeneration(outcome.generation)
            }
            return reply
        } catch is Problem {
            // Another upload came first.
            throw Problem(ImportRefusal.busy)
        } catch let refusal as ImportRefusal {
            refusal.log(to: logger)
            throw Problem(refusal)
        }
    }
}

extension ImportRequest {
    /// Reads the parameters, which correspond to the options of `epg import`.
    init(_ parameters: inout ParameterReader, now: Instant) throws(Problem) {
        self.init(source: try parameters.text("source") ?? "default", now: now)
        format = try parameters.value(
            "format", maximumLength: 20,
            expected: "one of \(ImportFormat.allCases.map(\.rawValue).joined(separator: ", "))"
        ) { ImportFormat(rawValue: $0) }
        lineup = try parameters.text("lineup")
        for (parameter, name) in [("source", source), ("lineup", lineup ?? "")] where name.hasURLCredentials {
            throw .badParameter(parameter, "the name is public and must not contain a user name or password.")
        }
        timeZone = try parameters.text("timeZone", maximumLength: 64)
        if let timeZone, ZoneCache.shared.zone(named: timeZone) == nil {
            throw .badParameter("timeZone", "there is no zone “\(timeZone)”. Use an IANA name such as Europe/London.")
        }
        let maximumShift = 10 * 366 * 86_400
        let shift = try parameters.integer("shift", default: 0, in: -maximumShift...maximumShift)
        self.shift = shift == 0 ? nil : Int64(shift)
        options.encoding = try parameters.text("encoding", maximumLength: 64)
        options.acceptsTruncation = try parameters.flag("partial")
        options.isStrict = try parameters.flag("strict")
        guard !options.isStrict || !options.acceptsTruncation else {
            throw .badParameter("strict", "strict=1 rejects truncated files, and partial=1 accepts them. Use only one.")
        }
        options.stations = try parameters.stationPatterns()
        options.window = try parameters.days()
    }
}

extension ImportReply {
    /// Writes the members that `epg import --json` writes: `file`, `source` and `outcome` of a guide; `file`, `lineup`,
    /// `channels`, `matched`, `unmatched` and `changedGuide` of a playlist.
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("file", "request body")
        switch self {
        case .guide(let outcome, let source):
            json.member("source", source)
            json.member("outcome", outcome)
        case .lineup(let outcome, let name):
            json.member("lineup", name)
            outcome.writeMembers(to: &json)
        }
    }
}

/// The line in the log for one import over HTTP: the client, the size, the source or lineup, and the outcome.
///
/// It never contains credentials. Names of sources may be URLs, which are logged without user name and password.
private struct ImportAudit {
    let context: ServiceRequestContext
    /// The bytes of the body that were read.
    var byteCount = 0
    /// Set as soon as the parameters are read.
    var importRequest: ImportRequest?

    /// Logs the outcome: an import at level info, any other at level notice.
    ///
    /// Requests of locked-out clients are logged at level debug, so that they cannot fill the log. Their address
    /// already has a line with `lockout-seconds`.
    func record(_ outcome: Result<ImportReply, Problem>, to logger: Logger) {
        var metadata: Logger.Metadata
        var level = Logger.Level.info
        var status = HTTPResponse.Status.ok
        switch outcome {
        case .success(.guide(let outcome, let source)):
            metadata = [
                "source": "\(source)", "read": "\(outcome.report.programmesRead)",
                "inserted": "\(outcome.airings.inserted)",
                "changed": "\(outcome.airings.changed + outcome.airings.moved)",
                "removed": "\(outcome.airings.removed)", "unchanged": "\(outcome.airingsUnchanged)",
                "completed": "\(outcome.completed.values.reduce(0) { $0 + $1.airings })",
            ]
        case .success(.lineup(let outcome, let name)):
            metadata = ["lineup": "\(name)", "channels": "\(outcome.channels)", "unmatched": "\(outcome.unmatched)"]
        case .failure(let problem):
            status = problem.status
            level = status == .tooManyRequests ? .debug : .notice
            metadata = ["title": "\(status.reasonPhrase)"]
            if let importRequest {
                metadata[importRequest.lineup == nil ? "source" : "lineup"] =
                    "\(importRequest.lineup ?? importRequest.source)"
            }
            // Without this line, the operator could not find out what the importer rejected.
            if [.unprocessableContent, .contentTooLarge].contains(status) {
                metadata["reason"] = "\(problem.detail.withoutURLCredentials)"
            }
        }
        metadata["id"] = "\(context.requestID)"
        metadata["client"] = "\(context.client.address)"
        metadata["bytes"] = "\(byteCount)"
        metadata["status"] = "\(status.code)"
        metadata["ms"] = "\((ContinuousClock.now - context.client.arrival) / .milliseconds(1))"
        logger.log(level: level, "import over HTTP", metadata: metadata)
    }
}

/// An importer of guides and playlists.
package protocol GuideImporting: Sendable {
    /// Imports an uploaded or downloaded file after detecting its format. Blocks the thread.
    ///
    /// - Parameters:
    ///   - wait: How long to wait for another process that writes.
    ///   - isCancelled: Returns whether to cancel the import. Called often.
    ///   - progress: Receives the number of bytes read so far.
    /// - Throws: ``ImportRefusal``. The guide is unchanged then.
    func importBody(
        _ body: SpoolFile, as request: ImportRequest, waiting wait: LockWait,
        isCancelled: @escaping @Sendable () -> Bool, progress: @escaping @Sendable (Int64) -> Void
    ) throws -> ImportReply
}

/// The outcome of an import.
package enum ImportReply: Sendable {
    case guide(ImportOutcome, source: String)
    case lineup(LineupOutcome, name: String)
}

/// The reason why nothing was imported.
package enum ImportRefusal: Error, Hashable, Sendable {
    /// Another process writes to the guide.
    case busy
    /// The service ends.
    case stopping
    /// The body is not a guide or is malformed. The text is for the client.
    case refused(String)
    /// The body exceeds a limit of imports. The text is for the client.
    case tooLarge(String)
    /// A parameter is invalid: its name and the problem. The text is for the client.
    case badParameter(String, String)
    /// No server of the database accepts changes now. The text is for the log.
    case unavailable(String)
    /// The store failed. The text is for the log.
    case failed(String)
}

extension ImportRefusal {
    /// Logs the reason that is not for the client.
    package func log(to logger: Logger) {
        switch self {
        case .unavailable(let reason): logger.warning("import failed", metadata: ["reason": "\(reason)"])
        case .failed(let reason): logger.error("import failed", metadata: ["reason": "\(reason)"])
        case .busy, .stopping, .refused, .tooLarge, .badParameter: break
        }
    }
}

extension Problem {
    package init(_ refusal: ImportRefusal) {
        switch refusal {
        case .busy:
            self.init(
                .serviceUnavailable, "Another process or client is writing to the guide. Try again later.",
                retryAfter: 10)
        case .stopping:
            self.init(
                .serviceUnavailable, "The service is ending. The current guide is unchanged. Try again in a moment.",
                retryAfter: 10)
        case .refused(let detail): self.init(.unprocessableContent, detail)
        case .tooLarge(let detail): self.init(.contentTooLarge, detail)
        case .badParameter(let name, let detail): self = .badParameter(name, detail)
        case .unavailable:
            self.init(
                .serviceUnavailable,
                "The primary of the database is not available, so nothing can be imported. The current guide is unchanged.",
                retryAfter: 10)
        case .failed:
            self.init(
                .serviceUnavailable, "The guide cannot be stored. The current guide is unchanged.", retryAfter: 60)
        }
    }
}
