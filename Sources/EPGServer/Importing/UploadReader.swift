import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Synchronization

/// The settings of `/api/v1/import`.
package struct ImportSettings: Sendable {
    /// The token that clients must send; `nil` or empty to disable imports over HTTP.
    package var token: [UInt8]?
    /// The maximum size of a body in bytes, before decompression (default: 512 MiB).
    package var maximumSize = 512 << 20
    /// The folder for incomplete bodies.
    package var folder = "/var/tmp"
    /// The time in which at least ``minimumProgress`` bytes must arrive (default: 20 s).
    package var patience = Duration.seconds(20)
    /// In bytes (default: 16 KiB).
    package var minimumProgress = 16 << 10
    /// The maximum time for a body (default: 15 minutes).
    package var deadline = Duration.seconds(900)

    /// Creates the default settings.
    package init() {}
}

/// Reads the body of a request, within limits of size and time.
///
/// The iterator of a body exists only once and is not `Sendable`. It is used by one task at a time: first by the one
/// that reads the body, then by the one that sends the response. So sending the reader between them is safe.
final class UploadReader: @unchecked Sendable {
    private var chunks: RequestBody.AsyncIterator
    private let settings: ImportSettings
    private let received = Atomic<Int>(0)

    /// The number of bytes read.
    var count: Int { received.load(ordering: .relaxed) }

    init(_ body: RequestBody, settings: ImportSettings) {
        chunks = body.makeAsyncIterator()
        self.settings = settings
    }

    /// Writes the whole body to a file.
    ///
    /// - Parameter contentLength: The length that the client announced; `nil` for a chunked body.
    /// - Throws: ``Problem`` with status 413 for a body above the limit, 408 for one that arrives too slowly, or 400
    ///   for an incomplete one; ``SpoolError``.
    func read(into file: SpoolFile, contentLength: Int?) async throws {
        let tooLarge = Problem(
            .contentTooLarge,
            "The body exceeds the limit of \(settings.maximumSize) bytes. Compress it, or import it with epg.")
        if let contentLength, contentLength > settings.maximumSize { throw tooLarge }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while let chunk = try await self.chunks.next() {
                    let count = self.received.add(chunk.readableBytes, ordering: .relaxed).newValue
                    guard count <= self.settings.maximumSize else { throw tooLarge }
                    try await NIOThreadPool.singleton.runIfActive {
                        try chunk.withUnsafeReadableBytes { try file.append($0) }
                    }
                }
            }
            group.addTask { try await self.requireProgress() }
            do {
                try await group.next()
            } catch let error where error is Problem || error is SpoolError {
                throw error
            } catch {
                throw UploadReader.incomplete
            }
            group.cancelAll()
        }
        guard contentLength ?? file.count == file.count, !Task.isCancelled else { throw UploadReader.incomplete }
    }

    private static let incomplete = Problem(.badRequest, "The body is incomplete. Send it again.")

    /// Throws when the body arrives too slowly.
    private func requireProgress() async throws {
        var (before, elapsed) = (0, Duration.zero)
        while true {
            try await Task.sleep(for: settings.patience)
            elapsed += settings.patience
            let count = self.count
            guard count - before >= settings.minimumProgress, elapsed < settings.deadline else {
                throw Problem(.requestTimeout, "The body arrives too slowly. The server read \(count) bytes of it.")
            }
            before = count
        }
    }

    /// Discards up to 4 MiB of the rest, for up to two seconds, so that the client can read the response before the
    /// connection ends.
    func discardRest() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var count = 0
                do {
                    while count < 4 << 20, let chunk = try await self.chunks.next() { count += chunk.readableBytes }
                } catch {
                    // The client has gone.
                }
            }
            group.addTask {
                do { try await Task.sleep(for: .seconds(2)) } catch { return }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
