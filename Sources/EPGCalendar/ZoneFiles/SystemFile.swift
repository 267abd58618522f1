#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Access to files without Foundation, which would take most of the run time of a command to load. Contains all unsafe
/// code of the module.
package enum SystemFile {
    /// The outcome of reading a file.
    package enum Outcome {
        /// The bytes of the file, up to the limit.
        case bytes([UInt8])
        /// The file does not exist, or is not a regular file.
        case missing
        /// The system call failed with this `errno`.
        case failed(Int32)
    }

    /// Reads a regular file.
    ///
    /// - Parameter limit: The maximum number of bytes to read. The rest of a larger file is ignored.
    package static func content(ofFile path: String, limit: Int) -> Outcome {
        // With O_NONBLOCK, opening a pipe does not wait for a writer.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let number = errno
            return [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(number) ? .missing : .failed(number)
        }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return .failed(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .missing }

        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while bytes.count < limit {
            let wanted = min(chunk.count, limit - bytes.count)
            // Safe: `wanted` is at most the size of the buffer, and read(2) writes at most `wanted` bytes.
            let readCount = unsafe chunk.withUnsafeMutableBytes { buffer in
                unsafe read(descriptor, buffer.baseAddress, wanted)
            }
            if readCount < 0, errno == EINTR { continue }
            guard readCount >= 0 else { return .failed(errno) }
            if readCount == 0 { break }
            bytes.append(contentsOf: chunk.prefix(readCount))
        }
        return .bytes(bytes)
    }

    /// Returns the size of a file in bytes; `nil` if it does not exist.
    ///
    /// Does not open the file, because closing it would release SQLite's locks.
    package static func size(ofFile path: String) -> Int? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Returns the target of a symbolic link; `nil` if there is none.
    static func destination(ofLink path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        // Safe: readlink(2) writes at most as many characters as the size of the buffer.
        let count = unsafe buffer.withUnsafeMutableBufferPointer { characters in
            guard let start = characters.baseAddress else { return -1 }
            return unsafe readlink(path, start, characters.count)
        }
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns an environment variable; `nil` if it is not set.
    ///
    /// No part of this project changes the environment, so the text is valid while it is copied.
    static func environmentVariable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
