import Glibc
import Synchronization

/// An unnamed file that the system removes when the last reader closes it or the process ends.
///
/// One task may write. Any number may read what has been written.
package final class SpoolFile: Sendable {
    private let descriptor: Int32
    private let folder: SpoolFolder
    private let size = Atomic<Int>(0)

    fileprivate init(_ descriptor: Int32, in folder: SpoolFolder) {
        self.descriptor = descriptor
        self.folder = folder
    }

    deinit {
        close(descriptor)
        folder.release(count)
    }

    /// The number of bytes written.
    package var count: Int { size.load(ordering: .acquiring) }

    /// Appends bytes.
    ///
    /// - Throws: ``SpoolError``. Bytes written before remain and count.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(SpoolError) {
        try folder.reserve(bytes.count)
        var written = 0
        defer {
            size.add(written, ordering: .releasing)
            folder.release(bytes.count - written)
        }
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let step = pwrite(descriptor, rest.baseAddress, rest.count, off_t(count + written))
            if step < 0, errno == EINTR { continue }
            guard step > 0 else { throw SpoolError(errno) }
            written += step
        }
    }

    /// Appends bytes.
    ///
    /// - Throws: ``SpoolError``. Bytes written before remain and count.
    package func append(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try append($0) }
    }

    /// Reads at least one byte, and at most as many as the buffer holds, at an offset.
    ///
    /// - Returns: The number of bytes, or 0 at the end.
    /// - Throws: ``SpoolError``.
    package func read(into buffer: UnsafeMutableRawBufferPointer, from offset: Int) throws(SpoolError) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SpoolError(errno) }
            return count
        }
    }
}

extension SpoolFile {
    /// Returns at least one and at most `limit` bytes at an offset, or none at the end.
    ///
    /// - Throws: ``SpoolError``.
    package func bytes(from offset: Int, maximumCount limit: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: limit) { room, count in
            count = try read(into: UnsafeMutableRawBufferPointer(room), from: offset)
        }
    }
}

/// A folder of spool files whose total size is limited.
package final class SpoolFolder: Sendable {
    private let path: String
    /// The maximum number of bytes in all open files.
    private let capacity: Int
    private let used = Mutex(0)

    /// - Parameters:
    ///   - path: The path of an existing folder.
    ///   - capacity: The maximum number of bytes in all open files.
    package init(path: String, capacity: Int) {
        self.path = path
        self.capacity = capacity
    }

    /// Creates an empty file with mode 0600.
    ///
    /// - Throws: ``SpoolError`` with the `errno`.
    package func makeFile() throws(SpoolError) -> SpoolFile {
        var name = Array((path + "/epgd-XXXXXX").utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw SpoolError(errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(name)
        return SpoolFile(descriptor, in: self)
    }

    fileprivate func reserve(_ count: Int) throws(SpoolError) {
        let isReserved = used.withLock { used in
            guard used + count <= capacity else { return false }
            used += count
            return true
        }
        guard isReserved else { throw .noRoom }
    }

    fileprivate func release(_ count: Int) {
        used.withLock { $0 -= count }
    }
}

/// The reason why a spool file can't be written or read.
package enum SpoolError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The spool files have reached their maximum size.
    case noRoom
    /// The system call failed with this `errno`.
    case system(Int32)

    init(_ number: Int32) {
        self = .system(number)
    }

    package var description: String {
        switch self {
        case .noRoom: "the spool files have reached their maximum size"
        case .system(let number): "cannot use a spool file: \(String(cString: strerror(number)))"
        }
    }
}
