/// Why bytes can't be packed.
package enum PackingError: Error, CustomStringConvertible, Sendable {
    case noLibrary
    case noMemory

    package var description: String {
        switch self {
        case .noLibrary: "packing with gzip needs libz.so.1; install it (Debian: apt-get install zlib1g)"
        case .noMemory: "there is no memory left to pack with gzip"
        }
    }
}

/// A gzip file that is written piece by piece.
///
/// The same bytes give the same file wherever the same zlib is at work: neither a name nor a time is in it.
package final class GzipFile {
    private let compressor: Compressor
    private let output: ([UInt8]) throws -> Void
    private var room = [UInt8](repeating: 0, count: 64 << 10)
    private var isFinished = false

    /// A file whose bytes go to a function, in pieces of 64 KiB at most.
    ///
    /// - Parameter level: 1 (fast) to 9 (small); gzip's own default is 6.
    /// - Throws: ``PackingError``.
    package init(level: Int = 6, to output: @escaping ([UInt8]) throws -> Void) throws {
        compressor = try Compressor(level: level)
        self.output = output
    }

    /// Packs bytes behind those that came before.
    ///
    /// - Precondition: ``finish()`` wasn't called.
    /// - Throws: What the function throws that takes the file.
    package func write(_ bytes: [UInt8]) throws {
        precondition(!isFinished, "a gzip file was written to after its end")
        _ = try pack(bytes, 0..<bytes.count, finishing: false)
    }

    /// Packs a piece of bytes behind those that came before; as ``write(_:)-([UInt8])``.
    package func write(_ bytes: ArraySlice<UInt8>) throws {
        try write(Array(bytes))
    }

    /// Writes what is still held, and the checksum.
    ///
    /// Calls after the first do nothing. Without this call the file is cut off.
    /// - Throws: What the function throws that takes the file.
    package func finish() throws {
        guard !isFinished else { return }
        isFinished = true
        while try !pack([], 0..<0, finishing: true) {}
    }

    /// Packs a range, and hands on what has come together.
    ///
    /// - Returns: Whether the file is at its end.
    private func pack(_ bytes: [UInt8], _ range: Range<Int>, finishing: Bool) throws -> Bool {
        var rest = range
        while true {
            let step = compressor.pack(bytes, rest, to: &room, finishing: finishing)
            rest = rest.lowerBound + step.consumed..<rest.upperBound
            if step.produced > 0 { try output(Array(room[0..<step.produced])) }
            if step.isAtEnd { return true }
            if rest.isEmpty, step.produced < room.count { return false }
        }
    }
}
