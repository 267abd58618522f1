import Glibc

/// Whether files are there.
enum FilePresence {
    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    /// Removes a file; nothing where it isn't there.
    static func remove(_ path: String) {
        unlink(path)
    }
}
