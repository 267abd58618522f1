import EPGFiles
import HTTPTypes
package import Hummingbird
package import Logging
package import NIOCore
import NIOPosix

/// Receives bodies of requests that are too large for memory into files, which vanish with their last reference.
///
/// It limits size, time and room. ``RequestHandler`` ends the connection if a body arrives too slowly, or the service shuts down.
package struct BodySpool: Sendable {
    /// The maximum size of a file in bytes.
    private let maximumSize: Int
    /// The maximum time from the arrival of a request to the end of its body.
    private let deadline: Duration
    private let folder: SpoolFolder
    private let logger: Logger

    package init(_ settings: UploadSettings, logger: Logger) {
        maximumSize = settings.maximumSize
        deadline = settings.deadline
        folder = SpoolFolder(path: settings.folder, capacity: 2 * settings.maximumSize + (1 << 20))
        self.logger = logger
    }

    /// Creates an empty file.
    ///
    /// - Throws: ``Problem`` with status 503.
    package func makeFile() async throws -> SpoolFile {
        try await onThread { [folder] in try folder.makeFile() }
    }

    /// Appends bytes to a file.
    ///
    /// - Throws: ``Problem`` with status 413 above the limit, 503 without room.
    package func append(_ bytes: ByteBuffer, to file: SpoolFile) async throws {
        guard file.count + bytes.readableBytes <= maximumSize else { throw tooLarge }
        try await onThread { try unsafe bytes.withUnsafeReadableBytes { try unsafe file.append($0) } }
    }

    /// Receives a body in pieces.
    ///
    /// - Parameters:
    ///   - arrival: The arrival of the request.
    ///   - extra: The bytes that the body may have besides a file.
    ///   - take: Takes the next piece.
    /// - Throws: ``Problem`` with status 413 for a body above the limit, 408 for one that does not end before the deadline, 400 for
    ///   an incomplete one, if the client leaves or the connection ends; errors of `take` that are a ``Problem``.
    package func receive(
        _ request: Request, since arrival: ContinuousClock.Instant, extra: Int = 0,
        _ take: (ByteBuffer) async throws -> Void
    ) async throws {
        let length = request.headers[.contentLength].flatMap { Int($0) }
        let limit = maximumSize + extra
        guard length ?? 0 <= limit else { throw tooLarge }
        let end = arrival.advanced(by: deadline)
        do {
            var count = 0
            for try await chunk in request.body {
                count += chunk.readableBytes
                guard count <= limit else { throw tooLarge }
                guard ContinuousClock.now < end else {
                    throw Problem(
                        .requestTimeout, "The upload took longer than \(deadline.components.seconds) s. \(Self.advice)")
                }
                try await take(chunk)
            }
            guard length ?? count == count, !Task.isCancelled else { throw Self.incomplete }
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Self.incomplete
        }
    }

    package static let incomplete = Problem(.badRequest, "The upload is incomplete. Send it again.")

    private static let advice = "Compress it, or import it on the host of the service."

    private var tooLarge: Problem {
        Problem(.contentTooLarge, "The upload exceeds the limit of \(maximumSize) bytes. \(Self.advice)")
    }

    private func onThread<Outcome: Sendable>(_ body: @escaping @Sendable () throws -> Outcome) async throws -> Outcome {
        do {
            return try await NIOThreadPool.singleton.runIfActive(body)
        } catch let error as SpoolError {
            logger.log(
                level: error == .noRoom ? .notice : .error, "upload cannot be stored",
                metadata: ["reason": "\(error)"])
            throw Problem(
                .serviceUnavailable, "There is not enough spool space for the upload. Try again later.", retryAfter: 60)
        }
    }
}

/// The settings of uploads. ``ConnectionLimits`` sets the lowest speed of a body.
package struct UploadSettings: Sendable {
    /// The maximum size of a body in bytes, before decompression (default: 512 MiB).
    package var maximumSize = 512 << 20
    /// The folder for incomplete bodies.
    package var folder = "/var/tmp"
    /// The maximum time from the arrival of a request to the end of its body (default: 15 minutes).
    package var deadline = Duration.seconds(900)

    /// Creates the default settings.
    package init() {}
}
