internal import Glibc

/// Looks at a guide in a file: reads it once for its hash, and leaves it where it is.
package struct FileFetcher: Sendable {
    /// The largest file, in bytes.
    private let byteLimit: Int64

    package init(limits: FetchLimits = FetchLimits()) {
        byteLimit = limits.byteCount
    }

    /// The file as a body.
    ///
    /// A file that is written while it is read gets a hash that the next refresh doesn't find again, so it is then
    /// imported once more.
    /// - Complexity: O(n) in the bytes of the file, of which it holds one chunk.
    package func fetch(path: String) throws(FetchError) -> FetchedBody {
        do throws(Failure) {
            return try read(path)
        } catch {
            throw FetchError(location: path, reason: error.reason)
        }
    }

    private struct Failure: Error {
        let reason: FetchError.Reason
    }

    private func read(_ path: String) throws(Failure) -> FetchedBody {
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Failure(reason: .cannotOpen(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(reason: .inputOutput(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(reason: .notRegularFile) }

        var hasher = BodyHasher()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(reason: .inputOutput(errno)) }
            guard count > 0 else { break }
            buffer.withUnsafeBytes { hasher.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            guard hasher.byteCount <= byteLimit else { throw Failure(reason: .tooLarge(limit: byteLimit)) }
        }
        let byteCount = hasher.byteCount
        guard byteCount > 0 else { throw Failure(reason: .empty) }
        return FetchedBody(path: path, byteCount: byteCount, hash: hasher.finish())
    }
}
