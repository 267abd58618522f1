import EPGModel
import HTTPTypes
import Logging
import Synchronization

/// Takes imports in, one at a time.
final class ImportDesk: Sendable {
    let settings: ImportSettings
    private let importer: (any GuideImporting)?
    private let gate: TokenGate?
    private let folder: SpoolFolder
    private let isTaken = Atomic(false)
    let logger: Logger

    init(_ importer: (any GuideImporting)?, settings: ImportSettings, logger: Logger) {
        self.importer = importer
        self.settings = settings
        self.logger = logger
        gate = settings.token.flatMap { $0.isEmpty ? nil : TokenGate(BearerToken($0)) }
        folder = SpoolFolder(path: settings.folder, capacity: settings.greatestSize + (1 << 20))
    }

    /// Makes sure that a client may import.
    ///
    /// - Parameters:
    ///   - authorization: The header of that name.
    ///   - client: The address that limits count; `nil` for a client that isn't limited.
    /// - Throws: ``Problem``: 403 where nobody may; ``TokenRefusal``.
    func admit(_ authorization: String?, from client: PeerAddress?) throws {
        guard importer != nil, let gate else {
            throw Problem(
                .forbidden, "Nothing can be imported over HTTP here: the service has no token. Import with epg instead."
            )
        }
        try gate.admit(authorization, from: client)
    }

    /// Puts a body down and imports it.
    ///
    /// - Parameter announced: The length of the body; `nil` for chunks.
    /// - Throws: ``Problem``; the guide then is as it was.
    func take(_ upload: UploadReader, announced: Int?, as order: ImportOrder) async throws -> ImportReply {
        guard let importer, !isTaken.exchange(true, ordering: .acquiring) else { throw ImportDesk.busy }
        defer { isTaken.store(false, ordering: .releasing) }
        do {
            let file = try folder.makeFile()
            try await upload.read(into: file, announced: announced)
            return try await OwnThread.run { try importer.take(file, as: order) }
        } catch let refusal as ImportRefusal {
            throw problem(of: refusal)
        } catch let error as SpoolError {
            logger.error("an import can't be put down", metadata: ["reason": "\(error)"])
            throw Problem(.serviceUnavailable, "There is no room for the body just now.", retryAfter: 60)
        }
    }

    private static let busy = Problem(
        .serviceUnavailable, "Somebody else is writing to the guide; send it again in a while.", retryAfter: 10)

    private func problem(of refusal: ImportRefusal) -> Problem {
        switch refusal {
        case .busy: return ImportDesk.busy
        case .refused(let sentence): return Problem(.unprocessableContent, sentence)
        case .tooLarge(let sentence): return Problem(.contentTooLarge, sentence)
        case .badParameter(let name, let why): return .badParameter(name, why)
        case .failed(let reason):
            logger.error("an import failed", metadata: ["reason": "\(reason)"])
            return Problem(.internalServerError, "The guide can't be stored just now; it is as it was.", retryAfter: 60)
        }
    }
}
