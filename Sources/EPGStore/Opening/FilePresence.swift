import Glibc

/// Whether files are there.
enum FilePresence {
    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }
}
