import Glibc

/// The file of a guide.
enum GuideFile {
    /// The mode of a new guide: URLs of sources and addresses of streams may hold credentials. SQLite gives the log the
    /// same mode; a change of it (`chmod`) stays.
    static let mode: mode_t = 0o600

    /// The file that a path leads to over symbolic links, even one that isn't there yet.
    ///
    /// SQLite keeps the log beside that file, so the locks and the search index are there too: whichever name a process
    /// opens the guide by, it finds the same ones.
    static func target(of path: String) -> String {
        var path = path
        // As many links as the kernel follows.
        for _ in 0..<40 {
            var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &bytes, bytes.count)
            guard count > 0 else { break }
            let link = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
            path = link.hasPrefix("/") ? link : folder + link
        }
        return path
    }

    /// Whether a path leads to the guide itself, or to one of the files beside it.
    static func isOwn(_ other: String, ofGuide path: String) -> Bool {
        let (other, guide) = (target(of: other), target(of: path))
        let identity = FileIdentity(path: other)
        return [
            "", "-wal", "-shm", "-journal", "-search", "-search-wal", "-search-shm", "-search-journal", ".lock",
            ".refresh",
        ].contains { suffix in
            other == guide + suffix || identity.map { FileIdentity(path: guide + suffix) == $0 } ?? false
        }
    }

    /// Makes an empty file where there is none, which SQLite takes for a new database. What fails here fails again, with
    /// a reason, when SQLite opens the file.
    static func make(at path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        if descriptor >= 0 { close(descriptor) }
    }
}
