package import EPGModel
import Synchronization

/// An export of a guide in spool files, plain and compressed.
package struct SpooledExport: Sendable {
    /// The version of the guide that it contains.
    package let version: GuideVersion
    /// The export without compression.
    package let plain: SpoolFile
    /// The export compressed with gzip.
    package let compressed: SpoolFile

    /// Writes an export to new files.
    ///
    /// - Parameter write: Writes the export to a sink.
    /// - Throws: ``SpoolError``, or what `write` throws.
    package init(
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
package final class SpooledExports: Sendable {
    private let maximumCount: Int
    /// The maximum number of bytes of all exports.
    private let capacity: Int
    /// The most recently used export is the last one.
    private let exports = Mutex<[(key: String, export: SpooledExport)]>([])

    /// - Parameters:
    ///   - maximumCount: The maximum number of exports, at least 1.
    ///   - capacity: The maximum number of bytes of all exports. One export may be larger.
    package init(maximumCount: Int, capacity: Int) {
        self.maximumCount = max(1, maximumCount)
        self.capacity = capacity
    }

    /// Returns the export of a version with a key, and marks it as used; `nil` if there is none.
    package func export(for key: String, at version: GuideVersion) -> SpooledExport? {
        exports.withLock { exports in
            guard let index = exports.firstIndex(where: { $0.key == key && $0.export.version == version }) else {
                return nil
            }
            let entry = exports.remove(at: index)
            exports.append(entry)
            return entry.export
        }
    }

    /// Keeps an export, and removes those of earlier versions.
    package func insert(_ export: SpooledExport, for key: String) {
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
    package func makeRoom(for count: Int) {
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
    package func removeAll() { exports.withLock { $0.removeAll() } }
}
