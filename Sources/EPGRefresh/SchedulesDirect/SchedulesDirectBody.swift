internal import EPGFiles
internal import EPGImport
import EPGJSON
internal import Glibc
internal import XMLTV

/// A JSON file whose records are parsed one by one, and copied verbatim.
final class SchedulesDirectBody: Sendable {
    let path: String
    let byteCount: Int64
    private let file: OpenFile
    /// Keeps the temporary file; `nil` for a permanent file.
    private let temporary: TemporaryFile?

    private init(path: String, file: OpenFile, temporary: TemporaryFile?) throws(SystemFault) {
        self.path = path
        self.file = file
        self.temporary = temporary
        byteCount = Int64(try file.status.size)
    }

    /// Opens a file.
    ///
    /// - Throws: ``SystemFault`` if the file cannot be opened.
    convenience init(path: String) throws(SystemFault) {
        try self.init(path: path, file: try OpenFile(reading: path), temporary: nil)
    }

    /// Takes over a complete file.
    ///
    /// - Throws: ``SystemFault`` if the file cannot be read.
    convenience init(_ temporary: TemporaryFile) throws(SystemFault) {
        try self.init(path: temporary.path, file: temporary.file, temporary: temporary)
    }

    /// Opens a file; `nil` if it does not exist.
    convenience init?(atPath path: String) throws(SystemFault) {
        do throws(SystemFault) {
            try self.init(path: path)
        } catch {
            if error.number == ENOENT || error.number == ENOTDIR { return nil }
            throw error
        }
    }

    /// Returns a scanner at the beginning of the file. Like the import, it accepts control characters in strings.
    func scanner() throws(SystemFault) -> JSONScanner {
        var scanner = JSONScanner(try FileSource(path: path))
        scanner.allowsControlCharacters = true
        return scanner
    }

    /// Returns a range of its bytes.
    ///
    /// - Throws: ``SystemFault``; `EIO` if the file is shorter.
    func bytes(_ range: Range<Int>) throws(SystemFault) -> [UInt8] { try file.bytes(in: range) }
}

// MARK: - Parsing

extension SchedulesDirectBody {
    /// Returns the error for a response that the API does not specify.
    static func invalidResponse(_ detail: String) -> FetchError {
        FetchError(
            ServiceRefusal(
                problem: "cannot read the response of Schedules Direct: \(detail)",
                advice: "The next refresh tries again. If it fails too, report this.",
                kind: .badContent))
    }

    /// Parses the file. Invalid JSON is a failure of the service.
    func read<Result>(
        _ read: (inout JSONScanner) throws(JSONError) -> Result
    ) throws(FetchError) -> Result {
        var scanner = try FetchError.converting { () throws(SystemFault) in try self.scanner() }
        do throws(JSONError) {
            guard try scanner.nextDocument() else { throw JSONError(reason: .empty) }
            return try read(&scanner)
        } catch {
            throw Self.invalidResponse(error.description)
        }
    }

    /// Parses a short response completely.
    func root() throws(FetchError) -> JSONNode {
        try read { (json) throws(JSONError) in try json.readValue() }
    }

    /// Passes each object of an array, with its range, to `take`.
    func forEachRecord(_ take: (JSONNode, SchedulesDirectSlice) -> Void) throws(FetchError) {
        try read { (json) throws(JSONError) in
            try json.enterArray()
            while try json.nextElement() {
                let node = try json.readValue()
                guard node.kind == .object else { continue }
                take(node, SchedulesDirectSlice(self, afterBraceOf: node, end: json.offset))
            }
        }
    }
}

/// The range of a record in a file, from after its opening brace to its end.
struct SchedulesDirectSlice {
    let body: SchedulesDirectBody
    let range: Range<Int>

    init(_ body: SchedulesDirectBody, range: Range<Int>) {
        self.body = body
        self.range = range
    }

    /// Returns the range of an object that was just parsed.
    ///
    /// - Parameter end: The offset of the scanner after the object.
    init(_ body: SchedulesDirectBody, afterBraceOf node: JSONNode, end: Int) {
        self.init(body, range: end - node.recordBytes.count + 1..<end)
    }
}

/// Writes a file that atomically replaces another file, and hashes it.
final class SchedulesDirectWriter {
    private let file: ReplacedFile
    private var buffer: [UInt8] = []
    private var hasher = BodyHasher()
    private(set) var byteCount: Int64 = 0

    private static let bufferByteCount = 1 << 20

    /// Creates the file, and its folder if it is missing.
    init(replacing path: String) throws(SystemFault) {
        guard mkdir(FilePath.folder(of: path), 0o700) == 0 || errno == EEXIST else { throw .last }
        file = try Self.converting { () throws(ReplacedFile.Failure) in
            try ReplacedFile(at: path, permissions: .ownerOnly)
        }
    }

    /// Appends bytes and hashes them.
    func write(_ bytes: some Collection<UInt8>) throws(SystemFault) {
        buffer += bytes
        byteCount += Int64(bytes.count)
        if buffer.count >= Self.bufferByteCount { try flush() }
    }

    /// Returns the hash of the bytes so far. Call it once.
    func checksum() throws(SystemFault) -> String {
        try flush()
        return hasher.finish()
    }

    /// Moves the file to its path. After a power failure, the path has either the old or the new file.
    func finish() throws(SystemFault) {
        try flush()
        try Self.converting { () throws(ReplacedFile.Failure) in try file.replace() }
    }

    private func flush() throws(SystemFault) {
        buffer.withUnsafeBytes { hasher.append($0) }
        try Self.converting { () throws(ReplacedFile.Failure) in try file.write(buffer) }
        buffer.removeAll(keepingCapacity: true)
    }

    private static func converting<Result>(
        _ body: () throws(ReplacedFile.Failure) -> Result
    ) throws(SystemFault) -> Result {
        do throws(ReplacedFile.Failure) {
            return try body()
        } catch {
            throw error.fault
        }
    }
}
