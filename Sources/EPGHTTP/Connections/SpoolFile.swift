package import EPGFiles
import Synchronization

/// An unnamed file that the system removes when the last reader closes it or the process ends.
///
/// One task may write. Any number may read what has been written.
package final class SpoolFile: Sendable {
    private let file: OpenFile
    /// The folder that counts the bytes; `nil` for a file of another owner.
    private let folder: SpoolFolder?
    private let size = Atomic<Int>(0)

    fileprivate init(_ file: OpenFile, in folder: SpoolFolder) {
        self.file = file
        self.folder = folder
    }

    /// Opens a complete file for reading. It stays readable when its owner removes it.
    package init(reading path: String) throws(SystemFault) {
        file = try OpenFile(reading: path)
        folder = nil
        size.store(try file.status.size, ordering: .releasing)
    }

    deinit {
        folder?.release(count)
    }

    /// The number of bytes written.
    package var count: Int { size.load(ordering: .acquiring) }

    /// Appends bytes.
    ///
    /// - Throws: ``SpoolError``. Bytes written before remain and count.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(SpoolError) {
        try folder?.reserve(bytes.count)
        var written = 0
        defer {
            size.add(written, ordering: .releasing)
            folder?.release(bytes.count - written)
        }
        while written < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
            let place = count + written
            written += try SpoolError.translating { () throws(SystemFault) in try unsafe file.write(rest, at: place) }
        }
    }

    /// Appends bytes.
    ///
    /// - Throws: ``SpoolError``. Bytes written before remain and count.
    package func append(_ bytes: [UInt8]) throws {
        try unsafe bytes.withUnsafeBytes { try unsafe append($0) }
    }

    /// Reads at least one byte, and at most as many as the buffer holds, at an offset.
    ///
    /// - Returns: The number of bytes, or 0 at the end.
    /// - Throws: ``SpoolError``.
    package func read(into buffer: UnsafeMutableRawBufferPointer, from offset: Int) throws(SpoolError) -> Int {
        try SpoolError.translating { () throws(SystemFault) in try unsafe file.read(into: buffer, from: offset) }
    }
}

extension SpoolFile {
    /// Returns at least one and at most `limit` bytes at an offset, or none at the end.
    ///
    /// - Throws: ``SpoolError``.
    package func bytes(from offset: Int, maximumCount limit: Int) throws -> [UInt8] {
        try unsafe [UInt8](unsafeUninitializedCapacity: limit) { room, count in
            count = try unsafe read(into: UnsafeMutableRawBufferPointer(room), from: offset)
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
    /// - Throws: ``SpoolError``.
    package func makeFile() throws(SpoolError) -> SpoolFile {
        let path = path
        let temporary = try SpoolError.translating { () throws(SystemFault) in try TemporaryFile(inFolder: path) }
        return SpoolFile(temporary.file, in: self)
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
    /// A system call failed.
    case system(SystemFault)

    fileprivate static func translating<Result>(
        _ body: () throws(SystemFault) -> Result
    ) throws(SpoolError) -> Result {
        do throws(SystemFault) {
            return try body()
        } catch {
            throw .system(error)
        }
    }

    package var description: String {
        switch self {
        case .noRoom: "the spool files have reached their maximum size"
        case .system(let fault): "cannot use a spool file: \(fault)"
        }
    }
}
