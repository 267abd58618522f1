import EPGModel
import GRDBSQLite
import Glibc

/// A database in a folder where nothing can be made, such as one on a read-only medium.
///
/// In WAL mode SQLite needs the log and its index (`-wal`, `-shm`) even to read. A database that was copied without them
/// to where they can't be made is opened as one that nobody changes (`immutable`, sqlite.org/uri.html): a writer would
/// have made them, and leaves them there.
enum SealedDatabase {
    /// What SQLite is to open for reading: the path, or for a sealed database a URI that says so.
    ///
    /// - Parameter isWritable: Whether files can be made in a folder.
    /// - Throws: ``StoreError/inaccessible(path:detail:)`` where the log holds what isn't in the database yet,
    ///   ``StoreError/notFound(path:)`` where the guide is being filled for the first time.
    static func name(
        for path: String, isWritable: (_ folder: String) -> Bool = { access($0, W_OK) == 0 }
    ) throws(StoreError) -> String {
        let target = GuideFile.target(of: path)
        let log = FileStatus(path: target + "-wal")?.size
        guard log == nil || !FileStatus.exists(target + "-shm"), !isWritable(BackupFile.folder(of: target)) else {
            return path
        }
        guard (log ?? 0) == 0 else {
            throw .inaccessible(
                path: path,
                detail: "what was written last stands in \(target)-wal still, and that can't be read without writing "
                    + "beside it; copy all of them to a folder that can be written to")
        }
        if FileStatus(path: target + "-journal")?.size ?? 0 > 0 { throw .notFound(path: path) }
        // Without this option SQLite takes a URI for the name of a file.
        return sqlite3_compileoption_used("USE_URI") != 0 ? uri(path) : path
    }

    private static func uri(_ path: String) -> String {
        let escaped = path.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"):
                String(UnicodeScalar(byte))
            default: "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }
        }
        // Two slashes at the beginning would name a computer.
        return (path.hasPrefix("/") ? "file://" : "file:") + escaped.joined() + "?immutable=1"
    }
}
