import Glibc

/// Writes what was asked for.
enum StandardOutput {
    /// Writes everything at once.
    ///
    /// - Throws: ``CommandFailure``: a quiet one where nobody reads any more, else ``CommandFailure/Code/inputOutput``.
    static func write(_ bytes: [UInt8]) throws(CommandFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(STDOUT_FILENO, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            if count >= 0 {
                written += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                // Somebody made the terminal non-blocking: wait until it takes more.
                var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                poll(&descriptor, 1, -1)
            case EPIPE: throw CommandFailure(.done, "")
            default:
                throw CommandFailure(
                    .inputOutput,
                    "The output can't be written (\(String(cString: strerror(errno)))). Make room, or send it elsewhere."
                )
            }
        }
    }

    static func write(_ text: String) throws(CommandFailure) {
        try write(Array(text.utf8))
    }
}

/// Says words about the work; nobody has to listen, so nothing fails.
enum StandardError {
    static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
