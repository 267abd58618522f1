internal import EPGImport
import EPGJSON
internal import Glibc
internal import XMLTV

/// A JSON file whose records are parsed one by one, and copied verbatim.
final class SchedulesDirectBody: Sendable {
    let path: String
    let byteCount: Int64
    private let descriptor: Int32
    /// Keeps the temporary file; `nil` for a permanent file.
    private let file: TemporaryFile?

    /// Opens a file.
    ///
    /// - Throws: ``SystemFailure`` if the file cannot be opened.
    init(path: String, file: TemporaryFile? = nil) throws(SystemFailure) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure(code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw SystemFailure(code: code)
        }
        byteCount = Int64(status.st_size)
        self.path = path
        self.file = file
    }

    /// Opens a file; `nil` if it does not exist.
    convenience init?(atPath path: String) throws(SystemFailure) {
        do throws(SystemFailure) {
            try self.init(path: path)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Returns a scanner at the beginning of the file. Like the import, it accepts control characters in strings.
    func scanner() throws(SystemFailure) -> JSONScanner {
        do throws(SystemFault) {
            var scanner = JSONScanner(try FileSource(path: path))
            scanner.allowsControlCharacters = true
            return scanner
        } catch {
            throw SystemFailure(code: error.number)
        }
    }

    /// Returns a range of its bytes.
    ///
    /// - Throws: ``SystemFailure``; `EIO` if the file is shorter.
    func bytes(_ range: Range<Int>) throws(SystemFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress.map { $0 + done }, range.count - done,
                    off_t(range.lowerBound + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemFailure(code: count < 0 ? errno : EIO) }
            done += count
        }
        return bytes
    }
}

// MARK: - Parsing

extension SchedulesDirectBody {
    /// Returns the error for a response that the API does not specify.
    static func invalidResponse(_ detail: String) -> SchedulesDirectError {
        SchedulesDirectError(
            ServiceRefusal(
                problem: "cannot read the response of Schedules Direct: \(detail)",
                advice: "The next refresh tries again. If it fails too, report this.",
                kind: .badContent))
    }

    /// Parses the file. Invalid JSON is a failure of the service.
    func read<Result>(
        _ read: (inout JSONScanner) throws(JSONError) -> Result
    ) throws(SchedulesDirectError) -> Result {
        var scanner: JSONScanner
        do throws(SystemFailure) {
            scanner = try self.scanner()
        } catch {
            throw SchedulesDirectError(error)
        }
        do throws(JSONError) {
            guard try scanner.nextDocument() else { throw JSONError(reason: .empty) }
            return try read(&scanner)
        } catch {
            throw Self.invalidResponse(error.description)
        }
    }

    /// Parses a short response completely.
    func root() throws(SchedulesDirectError) -> JSONNode {
        try read { (json) throws(JSONError) in try json.readValue() }
    }

    /// Passes each object of an array, with its range, to `take`.
    func forEachRecord(_ take: (JSONNode, SchedulesDirectSlice) -> Void) throws(SchedulesDirectError) {
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

/// Writes a file that atomically replaces another one, and hashes it.
final class SchedulesDirectWriter {
    private let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var hasher = BodyHasher()
    private(set) var byteCount: Int64 = 0

    private static let bufferByteCount = 1 << 20

    /// The path of the unfinished file.
    private var draft: String { "\(path).new" }

    /// Creates the file, and its folder if it is missing.
    init(replacing path: String) throws(SystemFailure) {
        self.path = path
        let folder = Self.folder(of: path)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw SystemFailure(code: errno) }
        // The unfinished file of a killed process may have another owner or mode.
        guard unlink("\(path).new") == 0 || errno == ENOENT else { throw SystemFailure(code: errno) }
        let descriptor = open("\(path).new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure(code: errno) }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Appends bytes and hashes them.
    func write(_ bytes: some Collection<UInt8>) throws(SystemFailure) {
        buffer += bytes
        byteCount += Int64(bytes.count)
        if buffer.count >= Self.bufferByteCount { try flush() }
    }

    /// Returns the hash of the bytes so far. Call it once.
    func checksum() throws(SystemFailure) -> String {
        try flush()
        return hasher.finish()
    }

    /// Moves the file to its path. After a power failure, the path has either the old or the new file.
    func finish() throws(SystemFailure) {
        try flush()
        guard fsync(descriptor) == 0, rename(draft, path) == 0 else { throw SystemFailure(code: errno) }
        let folder = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw SystemFailure(code: errno) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw SystemFailure(code: errno) }
    }

    /// Removes the unfinished file.
    func discard() {
        // If this fails, the next run overwrites the file.
        _ = unlink(draft)
    }

    private func flush() throws(SystemFailure) {
        var done = 0
        let failure = buffer.withUnsafeBytes { bytes -> SystemFailure? in
            hasher.append(bytes)
            while done < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return SystemFailure(code: count < 0 ? errno : EIO) }
                done += count
            }
            return nil
        }
        if let failure { throw failure }
        buffer.removeAll(keepingCapacity: true)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
