public import EPGFiles

/// A source of bytes that arrive in pieces.
public protocol ByteSource {
    /// Reads at least one and at most `count` bytes into a buffer, starting at `offset`.
    ///
    /// - Returns: The number of bytes, or 0 at the end.
    /// - Throws: ``ByteFault``.
    /// - Precondition: `count > 0`, and the buffer holds at least `offset + count` bytes.
    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int
}

/// An error of a ``ByteSource``.
public enum ByteFault: Error, Hashable, Sendable {
    /// The operating system reported an error.
    case system(SystemFault)
    /// The compressed data is damaged: the format, and the decompressor's error message.
    case damaged(format: String, detail: String)
    /// The compressed data ends too early.
    case truncated(format: String)
    /// The decompressed data exceeds a limit: the error message that names it.
    case tooLarge(String)
    /// The archive contains no guide: the error message, which describes its content.
    case noGuide(String)
}

extension ByteFault: CustomStringConvertible {
    /// The error message, such as "reading failed: Is a directory".
    public var description: String {
        switch self {
        case .system(let fault): "reading failed: \(fault)"
        case .damaged(let format, let detail): "damaged data (\(format)): \(detail)"
        case .truncated(let format): "truncated data (\(format))"
        case .tooLarge(let limit): limit
        case .noGuide(let content): content
        }
    }
}

/// A source that reads a file or standard input. It closes the file when its last copy is released.
public struct FileSource: ByteSource {
    private let file: OpenFile

    /// Opens a file.
    ///
    /// - Throws: ``SystemFault`` with the `errno`.
    public init(path: String) throws(SystemFault) {
        file = try OpenFile(reading: path)
    }

    /// Opens a regular file and starts reading at a byte offset.
    package init(path: String, from offset: Int) throws(SystemFault) {
        try self.init(path: path)
        try file.seek(to: offset)
    }

    /// Standard input.
    public static var standardInput: FileSource { FileSource(.standardInput) }

    private init(_ file: OpenFile) {
        self.file = file
    }

    public mutating func read(
        into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(ByteFault) -> Int {
        do throws(SystemFault) {
            return try file.read(into: &buffer, at: offset, upTo: count)
        } catch {
            throw .system(error)
        }
    }
}

/// A source of bytes that a closure or an array supplies.
public struct ChunkSource: ByteSource {
    private let nextChunk: () -> [UInt8]?
    private var chunk: [UInt8] = []
    private var used = 0

    /// Creates a source that calls `nextChunk` when it has delivered the previous chunk. `nil` ends the source.
    public init(_ nextChunk: @escaping () -> [UInt8]?) {
        self.nextChunk = nextChunk
    }

    /// Creates a source of the given bytes.
    public init(_ bytes: [UInt8]) {
        var rest: [UInt8]? = bytes
        self.init {
            defer { rest = nil }
            return rest
        }
    }

    public mutating func read(
        into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(ByteFault) -> Int {
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
