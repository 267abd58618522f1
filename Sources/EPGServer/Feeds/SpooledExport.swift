import EPGFiles
package import EPGHTTP
import EPGImport
import EPGModel
import Synchronization
package import XMLTV

/// An export of a guide in spool files, plain and compressed.
struct SpooledExport: Sendable {
    /// The version of the guide that it contains.
    let version: GuideVersion
    /// The export without compression.
    let plain: SpoolFile
    /// The export compressed with gzip.
    let compressed: SpoolFile

    /// Writes an export to new files.
    ///
    /// - Parameter write: Writes the export to a sink.
    /// - Throws: ``SpoolError``, or what `write` throws.
    init(
        of version: GuideVersion, in folder: SpoolFolder, _ write: (@escaping ExportSink) throws -> Void
    ) throws {
        let plain = try folder.makeFile()
        let compressed = try folder.makeFile()
        let compressor = try GzipFile { try compressed.append($0) }
        try write { bytes in
            try plain.append(bytes)
            try compressor.write(bytes)
        }
        try compressor.finish()
        (self.version, self.plain, self.compressed) = (version, plain, compressed)
    }

    /// The number of bytes of both files.
    fileprivate var size: Int { plain.count + compressed.count }
}

/// A cache of exports of a guide, limited in number and size.
///
/// The cache removes exports of earlier versions first, then the least recently used ones. A removed file remains until
/// its last reader has closed it.
final class SpooledExports: Sendable {
    private let maximumCount: Int
    /// The maximum number of bytes of all exports.
    private let capacity: Int
    /// The most recently used export is the last one.
    private let exports = Mutex<[(key: String, export: SpooledExport)]>([])

    /// - Parameters:
    ///   - maximumCount: The maximum number of exports, at least 1.
    ///   - capacity: The maximum number of bytes of all exports. One export may be larger.
    init(maximumCount: Int, capacity: Int) {
        self.maximumCount = max(1, maximumCount)
        self.capacity = capacity
    }

    /// Returns the export of a version with a key, and marks it as used; `nil` if there is none.
    func export(for key: String, at version: GuideVersion) -> SpooledExport? {
        exports.withLock { exports in
            guard let index = exports.firstIndex(where: { $0.key == key && $0.export.version == version }) else {
                return nil
            }
            let entry = exports.remove(at: index)
            exports.append(entry)
            return entry.export
        }
    }

    /// Keeps an export, and removes exports of earlier versions.
    func insert(_ export: SpooledExport, for key: String) {
        let version = export.version
        exports.withLock { exports in
            exports.removeAll { entry in
                let other = entry.export.version
                return other == version ? entry.key == key : other.generation <= version.generation
            }
            exports.append((key, export))
        }
        makeRoom(for: 0)
    }

    /// Removes the least recently used exports until `count` more fit.
    func makeRoom(for count: Int) {
        exports.withLock { exports in
            while exports.count + count > maximumCount
                || exports.count > 1 && exports.reduce(0, { $0 + $1.export.size }) > capacity
            {
                guard !exports.isEmpty else { return }
                exports.removeFirst()
            }
        }
    }

    /// Removes all exports. A file that is still being sent remains until its last reader has closed it.
    func removeAll() { exports.withLock { $0.removeAll() } }
}

extension SpoolFile {
    /// The bytes of the file, from its beginning.
    package var source: some ByteSource { SpoolSource(self) }
}

/// The bytes of a spool file.
private struct SpoolSource: ByteSource {
    private let file: SpoolFile
    private var position = 0

    init(_ file: SpoolFile) {
        self.file = file
    }

    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
        let start = position
        let outcome = buffer.withUnsafeMutableBytes { room -> Result<Int, SpoolError> in
            let target = UnsafeMutableRawBufferPointer(rebasing: room[offset..<offset + count])
            return Result { () throws(SpoolError) in try file.read(into: target, from: start) }
        }
        switch outcome {
        case .success(let readCount):
            position += readCount
            return readCount
        case .failure(.system(let fault)): throw .system(fault)
        case .failure(.noRoom): throw .truncated(format: "body")
        }
    }
}
