/// Bytes that come piece by piece.
public protocol ByteSource {
    /// Puts bytes into a buffer, from an offset on: at least one and at most `count`, or none at the end.
    ///
    /// - Precondition: `count > 0`, and the buffer is at least `offset + count` long.
    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(SystemFault) -> Int
}

/// The bytes of a file or of standard input.
public struct FileSource: ByteSource {
    private let file: OpenFile

    /// Opens a file.
    public init(path: String) throws(SystemFault) {
        file = OpenFile(try FileDescriptor(opening: path))
    }

    /// Standard input.
    public static var standardInput: FileSource { FileSource(OpenFile(.standardInput)) }

    private init(_ file: OpenFile) {
        self.file = file
    }

    public mutating func read(
        into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(SystemFault) -> Int {
        try buffer.read(from: file.descriptor.number, at: offset, upTo: count)
    }

    /// Closes the file when the last copy of the source goes.
    private final class OpenFile {
        let descriptor: FileDescriptor

        init(_ descriptor: consuming FileDescriptor) {
            self.descriptor = descriptor
        }
    }
}

/// Bytes that somebody hands in, chunk by chunk.
public struct ChunkSource: ByteSource {
    private let nextChunk: () -> [UInt8]?
    private var chunk: [UInt8] = []
    private var used = 0

    /// A source that asks for a chunk when the last is used up; `nil` ends it.
    public init(_ nextChunk: @escaping () -> [UInt8]?) {
        self.nextChunk = nextChunk
    }

    /// A source of bytes that are all there.
    public init(_ bytes: [UInt8]) {
        var rest: [UInt8]? = bytes
        self.init {
            defer { rest = nil }
            return rest
        }
    }

    public mutating func read(
        into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(SystemFault) -> Int {
        while used == chunk.count {
            guard let next = nextChunk() else { return 0 }
            chunk = next
            used = 0
        }
        let taken = min(count, chunk.count - used)
        buffer.replaceSubrange(offset..<offset + taken, with: chunk[used..<used + taken])
        used += taken
        return taken
    }
}
