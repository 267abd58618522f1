/// A body as it arrives: in a temporary file, with its hash, its beginning and its end.
struct BodySink {
    let file: TemporaryFile
    private(set) var hasher = BodyHasher()
    /// The first bytes, at most ``sampleByteCount``.
    private var beginning: [UInt8] = []
    /// The last bytes, at most ``sampleByteCount``.
    private var end: [UInt8] = []
    private let byteLimit: Int64

    /// Bytes that are kept of the beginning and of the end.
    private static let sampleByteCount = 4096

    /// An empty body that may get so many bytes.
    init(folder: String?, byteLimit: Int64) throws(SystemFailure) {
        file = try TemporaryFile(inFolder: folder ?? TemporaryFile.standardFolder())
        self.byteLimit = byteLimit
    }

    var byteCount: Int64 { hasher.byteCount }

    /// What its beginning and its end tell.
    var shape: BodyShape { BodyShape(beginning: beginning, end: end) }

    /// Appends bytes.
    ///
    /// - Throws: ``BodySink/Failure`` where the body gets too large or the file can't take them.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        guard Int64(bytes.count) <= byteLimit - byteCount else { throw Failure(reason: .tooLarge(limit: byteLimit)) }
        do throws(SystemFailure) {
            try file.write(bytes)
        } catch {
            throw Failure(reason: .inputOutput(error.code))
        }
        hasher.append(bytes)
        beginning += bytes.prefix(BodySink.sampleByteCount - beginning.count)
        let last = bytes.suffix(BodySink.sampleByteCount)
        end.removeFirst(max(0, end.count + last.count - BodySink.sampleByteCount))
        end.append(contentsOf: last)
    }

    /// Throws the body away, for another one.
    mutating func empty() throws(Failure) {
        do throws(SystemFailure) {
            try file.empty()
        } catch {
            throw Failure(reason: .inputOutput(error.code))
        }
        hasher = BodyHasher()
        beginning = []
        end = []
    }

    /// The body as a result.
    func body(entityTag: String? = nil, lastModified: String? = nil) -> FetchedBody {
        FetchedBody(
            file: file, byteCount: byteCount, hash: hasher.finish(), entityTag: entityTag, lastModified: lastModified)
    }

    /// Why a body can't grow.
    struct Failure: Error {
        let reason: FetchError.Reason
    }
}
