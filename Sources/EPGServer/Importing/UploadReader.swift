import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Reads what a client sends, with limits, and can pass over the rest of it afterwards.
///
/// The sequence of a body's pieces can be begun only once and isn't `Sendable`; it is only ever asked by one task at a time:
/// first by the one that reads, then by the one that sends the answer. So this may be sent between them.
final class UploadReader: @unchecked Sendable {
    private var pieces: RequestBody.AsyncIterator
    private let settings: ImportSettings
    private let received = Atomic<Int>(0)

    /// Bytes of the body that were read.
    var count: Int { received.load(ordering: .relaxed) }

    init(_ body: RequestBody, settings: ImportSettings) {
        pieces = body.makeAsyncIterator()
        self.settings = settings
    }

    /// Puts the whole body down.
    ///
    /// - Parameter announced: The length that the client announced; `nil` for chunks.
    /// - Throws: ``Problem``: 413 for too many bytes, 408 for too slow ones, 400 for a body that ends early.
    func read(into file: SpoolFile, announced: Int?) async throws {
        let tooLarge = Problem(
            .contentTooLarge,
            "The guide has more than the \(settings.greatestSize) bytes that may be sent; pack it, or import it with epg."
        )
        if let announced, announced > settings.greatestSize { throw tooLarge }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                while let piece = try await self.pieces.next() {
                    let count = self.received.add(piece.readableBytes, ordering: .relaxed).newValue
                    guard count <= self.settings.greatestSize else { throw tooLarge }
                    try piece.withUnsafeReadableBytes { try file.append($0) }
                }
                return true
            }
            group.addTask { try await self.watch() }
            do {
                _ = try await group.next()
            } catch let problem as Problem {
                throw problem
            } catch let error as SpoolError {
                throw error
            } catch {
                throw Problem(.badRequest, "The body ended before all of it was sent.")
            }
            group.cancelAll()
        }
        guard announced ?? file.count == file.count, !Task.isCancelled else {
            throw Problem(.badRequest, "The body ended before all of it was sent.")
        }
    }

    /// Throws when too little came for too long.
    private func watch() async throws -> Bool {
        var (before, elapsed) = (0, Duration.zero)
        while true {
            try await Task.sleep(for: settings.patience)
            elapsed += settings.patience
            let count = received.load(ordering: .relaxed)
            guard count - before >= settings.leastProgress, elapsed < settings.deadline else {
                throw Problem(.requestTimeout, "The body comes too slowly; it was given up after \(count) bytes.")
            }
            before = count
        }
    }

    /// Takes a little of what is still coming, so that the client reads the answer before the connection ends.
    func passOverRest() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var count = 0
                do {
                    while count < 4 << 20, let piece = try await self.pieces.next() { count += piece.readableBytes }
                } catch {
                    // The client has gone; there is nothing left to pass over.
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
