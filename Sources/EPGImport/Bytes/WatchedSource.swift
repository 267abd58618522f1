internal import EPGFiles
internal import Glibc
package import XMLTV

/// Bytes that report how many were read, and whose reading can be canceled.
package struct WatchedSource<Base: ByteSource>: ByteSource {
    private var base: Base
    private let isCancelled: @Sendable () -> Bool
    private let progress: @Sendable (Int64) -> Void
    private var count: Int64 = 0

    /// - Parameters:
    ///   - isCancelled: Returns whether to fail with `ECANCELED`. Called before each read.
    ///   - progress: Receives the number of bytes after each read.
    package init(
        _ base: Base, isCancelled: @escaping @Sendable () -> Bool,
        progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) {
        self.base = base
        self.isCancelled = isCancelled
        self.progress = progress
    }

    package mutating func read(into buffer: inout [UInt8], at offset: Int, upTo limit: Int) throws(ByteFault) -> Int {
        if isCancelled() { throw .system(SystemFault(number: ECANCELED)) }
        let readCount = try base.read(into: &buffer, at: offset, upTo: limit)
        count += Int64(readCount)
        progress(count)
        return readCount
    }
}
