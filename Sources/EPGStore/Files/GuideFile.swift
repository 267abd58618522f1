import Glibc

/// The file of a guide.
enum GuideFile {
    static var systemError: String { String(cString: strerror(errno)) }

    /// The mode of a new guide: URLs of sources and addresses of streams may hold credentials. SQLite gives the log the
    /// same mode; a change of it (`chmod`) stays.
    static let mode: mode_t = 0o600

    /// The file that a path leads to over symbolic links, even one that isn't there yet.
    ///
    /// SQLite keeps the log beside that file, so the locks and the search index are there too, whatever the guide is called.
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

    /// What the names of the files beside a database add to its name.
    static let companions = [
        "-wal", "-shm", "-journal", "-search", "-search-wal", "-search-shm", "-search-journal", ".lock", ".refresh",
    ]

    /// Whether a path leads to the guide itself, or to one of the files beside it.
    static func isOwn(_ other: String, ofGuide path: String) -> Bool {
        let (other, guide) = (target(of: other), target(of: path))
        let identity = FileStatus(path: other)?.identity
        return ([""] + companions).contains { suffix in
            other == guide + suffix || identity != nil && FileStatus(path: guide + suffix)?.identity == identity
        }
    }

    /// Whether a database has a write-ahead log, by its header (sqlite.org/fileformat.html, 1.3.3). A guide that is filled for the
    /// first time has none yet.
    static func keepsLog(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        defer { close(descriptor) }
        var version: UInt8 = 0
        return pread(descriptor, &version, 1, 19) == 1 && version == 2
    }

    /// Makes an empty file where there is none. What fails here fails again, with a reason, when SQLite opens the file.
    static func make(at path: String) { close(open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)) }
}

/// What the system says of a file, over symbolic links.
struct FileStatus {
    /// Which file stands at a path: another one, renamed to it, has another identity.
    struct Identity: Hashable {
        let device: dev_t
        let file: ino_t
    }

    private let status: stat

    /// `nil` where there is none.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.status = status
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    var identity: Identity { Identity(device: status.st_dev, file: status.st_ino) }
    /// When it was last written to, since 1970: the time of the last change of its inode, which nobody can set back.
    var changed: Duration { .seconds(status.st_ctim.tv_sec) + .nanoseconds(status.st_ctim.tv_nsec) }
    var size: Int { Int(status.st_size) }
    var mode: mode_t { status.st_mode & 0o7777 }
    var user: uid_t { status.st_uid }
    var group: gid_t { status.st_gid }
    var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
    /// Whether it is a file of bytes, and no pipe, device or folder.
    var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }
}

/// The files of a guide, and when they were last written to, by whomever.
struct GuideFiles: Equatable {
    /// Which files they are, whatever is written to them.
    let identity: [FileStatus.Identity?]
    private let changed: [Duration?]

    /// `nil` where there is no guide.
    init?(path: String) {
        guard let guide = FileStatus(path: path) else { return nil }
        let searchIndex = FileStatus(path: SearchIndex.path(ofGuide: path))
        identity = [guide.identity, searchIndex?.identity]
        changed = [guide.changed, searchIndex?.changed]
    }
}
