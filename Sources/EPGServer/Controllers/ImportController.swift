import EPGImport
import EPGJSON
import EPGModel
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix

/// `/api/v1/import`: imports guides and playlists that clients send.
struct ImportController: Sendable {
    static let path = "/api/v1/import"

    private let importer: (any GuideImporting)?
    private let service: GuideService
    private let settings: ImportSettings
    private let gate: TokenGate?
    private let folder: SpoolFolder
    /// One import runs at a time, and none waits.
    private let admission = RequestAdmission(
        RequestAdmission.Limits(running: 1, runningPerClient: 1, places: 1, placesPerClient: 1, retryAfter: 10))
    private let logger: Logger

    /// - Parameter importer: `nil` to disable imports.
    init(_ importer: (any GuideImporting)?, service: GuideService, settings: ImportSettings, logger: Logger) {
        self.importer = importer
        self.service = service
        self.settings = settings
        self.logger = logger
        gate = settings.token.flatMap { $0.isEmpty ? nil : TokenGate(BearerToken($0)) }
        folder = SpoolFolder(path: settings.folder, capacity: 2 * settings.maximumSize + (1 << 20))
    }

    /// The thread that imports, which the owner of the service starts and stops.
    var threads: NIOThreadPool { admission.threads }

    func addRoutes(to router: some RouterMethods<GuideRequestContext>) {
        router.on(RouterPath(ImportController.path), method: .post) { try await response(to: $0, $1) }
    }

    private func response(to request: Request, _ context: GuideRequestContext) async throws -> Response {
        let upload = UploadReader(request.body, settings: settings)
        var audit = ImportAudit(context)
        do {
            let importer = try importer(for: request, context)
            var parameters = try service.parameters(of: request, context)
            let order = try ImportOrder(&parameters, now: service.now())
            audit.order = order
            _ = try parameters.finish()
            let contentLength = request.headers[.contentLength].flatMap { Int($0) }
            let reply = try await importUpload(upload, contentLength: contentLength, with: importer, as: order)
            audit.record(.success(reply), bytes: upload.count, to: logger)
            let document = Document(json: reply)
            var headers: HTTPFields = [
                .contentType: document.mediaType.value, .cacheControl: Freshness.uncacheable.cacheControl,
            ]
            headers[named: "X-Request-Id"] = context.id
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: document.bytes))
        } catch let refusal as TokenRefusal {
            if case .wrong(let seconds) = refusal { audit.lockoutSeconds = seconds }
            audit.record(.failure(refusal.problem), bytes: upload.count, to: logger)
            return response(of: refusal.problem, context, discarding: upload)
        } catch let problem as Problem {
            audit.record(.failure(problem), bytes: upload.count, to: logger)
            return response(of: problem, context, discarding: upload)
        } catch {
            // ``ErrorMiddleware`` logs the reason.
            audit.record(.failure(.guideUnavailable), bytes: upload.count, to: logger)
            throw error
        }
    }

    /// Returns the importer if the client may import.
    ///
    /// - Throws: ``Problem`` with status 403 if imports are disabled; ``TokenRefusal``.
    private func importer(for request: Request, _ context: GuideRequestContext) throws -> any GuideImporting {
        guard let importer, let gate else {
            throw Problem(
                .forbidden,
                "Imports over HTTP are disabled because the service has no token. Import with epg instead.")
        }
        try gate.admit(request.headers[.authorization], from: context.client.limitedAddress)
        return importer
    }

    /// Reads the body to a file, and imports it.
    ///
    /// - Throws: ``Problem``. The guide is unchanged then.
    private func importUpload(
        _ upload: UploadReader, contentLength: Int?, with importer: any GuideImporting, as order: ImportOrder
    ) async throws -> ImportReply {
        // Rejected before the client sends the whole body.
        guard admission.counts.running == 0 else { throw ImportController.busy }
        let file: SpoolFile
        do {
            file = try await NIOThreadPool.singleton.runIfActive { [folder] in try folder.makeFile() }
            try await upload.read(into: file, contentLength: contentLength)
        } catch let error as SpoolError {
            logger.log(
                level: error == .noRoom ? .notice : .error, "upload cannot be stored",
                metadata: ["reason": "\(error)"])
            throw Problem(
                .serviceUnavailable, "There is not enough spool space for the body. Try again later.", retryAfter: 60)
        }
        do {
            return try await admission.run(for: nil) { [service] _ in
                let reply = try importer.importBody(file, as: order)
                // The response must not precede the new guide.
                service.watch.look()
                return reply
            }
        } catch is Problem {
            // Another upload came first.
            throw ImportController.busy
        } catch let refusal as ImportRefusal {
            throw problem(of: refusal)
        }
    }

    private static let busy = Problem(
        .serviceUnavailable, "Another process or client writes to the guide. Try again later.", retryAfter: 10)

    private func problem(of refusal: ImportRefusal) -> Problem {
        switch refusal {
        case .busy: return ImportController.busy
        case .refused(let detail): return Problem(.unprocessableContent, detail)
        case .tooLarge(let detail): return Problem(.contentTooLarge, detail)
        case .badParameter(let name, let detail): return .badParameter(name, detail)
        case .failed(let reason):
            logger.error("import failed", metadata: ["reason": "\(reason)"])
            return Problem(
                .internalServerError, "The guide cannot be stored. The current guide is unchanged.", retryAfter: 60)
        }
    }

    /// A response that may precede the end of the body. The connection ends after it, so that the rest need not be
    /// read.
    private func response(
        of problem: Problem, _ context: GuideRequestContext, discarding upload: UploadReader
    ) -> Response {
        let document = Document(.problem) { $0.write(problem) }
        var headers = problem.headers
        headers[.connection] = "close"
        headers[named: "X-Request-Id"] = context.id
        return Response(
            status: problem.status, headers: headers,
            body: ResponseBody(contentLength: document.bytes.readableBytes) { writer in
                try await writer.write(document.bytes)
                try await writer.finish(nil)
                await upload.discardRest()
                throw ConnectionEnds()
            })
    }
}

/// The line in the log for one import over HTTP: the client, the size, the source or lineup, and the outcome.
///
/// It never contains credentials. Names of sources may be URLs, which are logged without user name and password.
private struct ImportAudit {
    private let id: String
    private let client: RequestClient
    /// Set as soon as the parameters are read.
    var order: ImportOrder?
    /// The seconds of the lockout that a wrong token caused.
    var lockoutSeconds: Int?

    init(_ context: GuideRequestContext) {
        id = context.id
        client = context.client
    }

    /// Logs the outcome: an import at level info, any other at level notice.
    ///
    /// Requests of locked-out clients are logged at level debug, so that they cannot fill the log. Their address
    /// already has a line with `lockout-seconds`.
    func record(_ outcome: Result<ImportReply, Problem>, bytes: Int, to logger: Logger) {
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
            ]
        case .success(.lineup(let outcome, let name)):
            metadata = ["lineup": "\(name)", "channels": "\(outcome.channels)", "unmatched": "\(outcome.unmatched)"]
        case .failure(let problem):
            status = problem.status
            level = status == .tooManyRequests ? .debug : .notice
            metadata = ["title": "\(status.reasonPhrase)"]
            if let order {
                metadata[order.lineup == nil ? "source" : "lineup"] = "\(order.lineup ?? order.source)"
            }
            if let lockoutSeconds { metadata["lockout-seconds"] = "\(lockoutSeconds)" }
            // The operator cannot find out later what the importer rejected.
            if [.unprocessableContent, .contentTooLarge].contains(status) {
                metadata["reason"] = "\(problem.detail.withoutURLCredentials)"
            }
        }
        metadata["id"] = "\(id)"
        metadata["client"] = "\(client.address)"
        metadata["bytes"] = "\(bytes)"
        metadata["status"] = "\(status.code)"
        metadata["ms"] = "\((ContinuousClock.now - client.arrival) / .milliseconds(1))"
        logger.log(level: level, "import over HTTP", metadata: metadata)
    }
}
