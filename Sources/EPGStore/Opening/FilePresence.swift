import Glibc

/// Size, mode and owner of a file.
struct FileStatus {
    let size: Int
    /// The permissions.
    let mode: mode_t
    let user: uid_t
    let group: gid_t

    /// `nil` where there is none.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (size, mode, user, group) = (Int(status.st_size), status.st_mode & 0o7777, status.st_uid, status.st_gid)
    }
}

/// Whether files are there.
enum FilePresence {
    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether it is a file of bytes, and no pipe, device or folder.
    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Removes a file; nothing where it isn't there.
    static func remove(_ path: String) {
        unlink(path)
    }
}
