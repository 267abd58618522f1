import Glibc

/// Whether files are there.
enum FilePresence {
    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Removes a file; nothing where it isn't there.
    static func remove(_ path: String) {
        unlink(path)
    }
}
