import Glibc

/// The file of a guide.
enum GuideFile {
    /// The mode of a new guide: URLs of sources and addresses of streams may hold credentials. SQLite gives the log the
    /// same mode; a change of it (`chmod`) stays.
    static let mode: mode_t = 0o600

    /// Makes an empty file where there is none, which SQLite takes for a new database. What fails here fails again, with
    /// a reason, when SQLite opens the file.
    static func make(at path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        if descriptor >= 0 { close(descriptor) }
    }
}
