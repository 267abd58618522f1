internal import Glibc

/// Writes a file beside the one that it is to replace, and hashes it.
final class SchedulesDirectWriter {
    private let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var hasher = BodyHasher()
    private(set) var byteCount: Int64 = 0

    private static let bufferByteCount = 1 << 20

    /// The name under which it is written; what a run that was killed left there goes.
    private var draft: String { "\(path).new" }

    /// Opens the file, and makes its folder where it is missing.
    init(replacing path: String) throws(SystemFailure) {
        self.path = path
        let folder = Self.folder(of: path)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw SystemFailure(code: errno) }
        // What a run that was killed left there may have another owner or mode.
        guard unlink("\(path).new") == 0 || errno == ENOENT else { throw SystemFailure(code: errno) }
        let descriptor = open("\(path).new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure(code: errno) }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Appends bytes, which count for the hash.
    func write(_ bytes: some Collection<UInt8>) throws(SystemFailure) {
        buffer += bytes
        byteCount += Int64(bytes.count)
        if buffer.count >= Self.bufferByteCount { try flush() }
    }

    /// The hash of what was written so far; what follows doesn't count for it.
    func checksum() throws(SystemFailure) -> String {
        try flush()
        return hasher.finish()
    }

    /// Puts the file into its place, so that after a power cut there is the old one or the new one.
    func finish() throws(SystemFailure) {
        try flush()
        guard fsync(descriptor) == 0, rename(draft, path) == 0 else { throw SystemFailure(code: errno) }
        let folder = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw SystemFailure(code: errno) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw SystemFailure(code: errno) }
    }

    /// Takes the file away again.
    func discard() {
        // A draft that stays is overwritten by the next run.
        _ = unlink(draft)
    }

    private func flush() throws(SystemFailure) {
        var done = 0
        let failure = buffer.withUnsafeBytes { bytes -> SystemFailure? in
            hasher.append(bytes)
            while done < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return SystemFailure(code: count < 0 ? errno : EIO) }
                done += count
            }
            return nil
        }
        if let failure { throw failure }
        buffer.removeAll(keepingCapacity: true)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
