import Glibc
import NIOCore
import Synchronization

/// Bytes on the disk that no name leads to: they are gone when the last reader is, or with the process.
///
/// One writes at a time; any number may read what was written.
package final class SpoolFile: Sendable {
    private let descriptor: Int32
    private let folder: SpoolFolder
    private let size = Atomic<Int>(0)

    init(_ descriptor: Int32, in folder: SpoolFolder) {
        self.descriptor = descriptor
        self.folder = folder
    }

    deinit {
        close(descriptor)
        folder.release(count)
    }

    /// How many bytes were written.
    package var count: Int { size.load(ordering: .acquiring) }

    /// Writes bytes behind the others.
    ///
    /// - Throws: ``SpoolError``. What was written of them stands, and is counted.
    func append(_ bytes: UnsafeRawBufferPointer) throws(SpoolError) {
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

    func append(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try append($0) }
    }

    /// Reads bytes from a place on: at least one and at most so many, none at the end.
    ///
    /// - Throws: ``SpoolError``.
    package func read(into buffer: UnsafeMutableRawBufferPointer, from place: Int) throws(SpoolError) -> Int {
        while true {
            let got = pread(descriptor, buffer.baseAddress, buffer.count, off_t(place))
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw SpoolError(errno) }
            return got
        }
    }

    /// Some bytes from a place on, at most so many.
    func bytes(from place: Int, atMost limit: Int) throws -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: limit)
        try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: limit) { room in
            try read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<limit]), from: place)
        }
        return buffer
    }
}
