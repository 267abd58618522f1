/// Bytes that come piece by piece.
public protocol ByteSource {
    /// Puts bytes into a buffer, from an offset on: at least one and at most `count`, or none at the end.
    ///
    /// - Precondition: `count > 0`, and the buffer is at least `offset + count` long.
    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int
}

/// Why bytes can't be had.
public enum ByteFault: Error, Hashable, Sendable {
    /// The system couldn't read them.
    case system(SystemFault)
    /// They are compressed, and what unpacks them can't go on: the format, and what is wrong in words.
    case damaged(format: String, detail: String)
    /// They are compressed, and end too early.
    case cutOff(format: String)
    /// Unpacked, they are more than is allowed; which limit, in words.
    case tooLarge(String)
    /// They are an archive, and nothing in it is a guide; what there is, in words.
    case noGuide(String)

    /// What is wrong, such as "it can't be read: Is a directory".
    public var words: String {
        switch self {
        case .system(let fault): "it can't be read: \(fault.words)"
        case .damaged(let format, let detail): "it is damaged (\(format)): \(detail)"
        case .cutOff(let format): "it was cut off (\(format))"
        case .tooLarge(let limit): limit
        case .noGuide(let content): content
        }
    }
}

/// The bytes of a file or of standard input.
public struct FileSource: ByteSource {
    private let file: OpenFile

    /// Opens a file.
    public init(path: String) throws(SystemFault) {
        file = OpenFile(try FileDescriptor(opening: path))
    }

    /// Opens a regular file to read from a byte of it on.
    package init(path: String, from offset: Int) throws(SystemFault) {
        try self.init(path: path)
        try file.descriptor.seek(to: offset)
    }

    /// Standard input.
    public static var standardInput: FileSource { FileSource(OpenFile(.standardInput)) }

    private init(_ file: OpenFile) {
        self.file = file
    }

    public mutating func read(
        into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(ByteFault) -> Int {
        do throws(SystemFault) {
            return try buffer.read(from: file.descriptor.number, at: offset, upTo: count)
        } catch {
            throw .system(error)
        }
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
