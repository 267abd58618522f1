import Glibc

/// A file that takes another one's place when it is complete, and not before.
///
/// The bytes go to a temporary file in the same folder. ``replace()`` brings them to the disk and gives them the name;
/// without it the old file stays as it was and the temporary one goes with this value. What isn't a plain file, such as
/// `/dev/null` or a named pipe, is written to as it is.
final class ReplacedFile {
    private let path: String
    /// `nil` where the file is written to directly, or has its name already.
    private var temporary: String?
    private let descriptor: Int32

    /// Begins a file.
    ///
    /// A symbolic link is followed. A file that may not be written to isn't replaced either; the new one gets the mode of
    /// the old one, and its owner where that may be given away.
    /// - Throws: ``CommandFailure``, mostly ``CommandFailure/Code/cannotCreate``.
    init(at path: String) throws(CommandFailure) {
        var old = stat()
        let isThere = stat(path, &old) == 0
        guard !isThere || old.st_mode & S_IFMT != S_IFDIR else {
            throw CommandFailure(.cannotCreate, "\(path) is a folder. Name a file in it.")
        }
        guard !isThere || access(path, W_OK) == 0 else {
            throw Self.failure(path, "can't be written", .cannotCreate)
        }
        guard !isThere || old.st_mode & S_IFMT == S_IFREG else {
            self.path = path
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Self.failure(path, "can't be opened", .cannotCreate) }
            return
        }
        self.path = Self.resolved(path)
        var template = (Self.folder(of: self.path) + "/.epg-XXXXXX").utf8CString.map { $0 }
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Self.failure(path, "can't be made", .cannotCreate) }
        temporary = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
        // Who isn't root can't give a file away; it is then the caller's, as one made anew would be.
        if isThere { _ = fchown(descriptor, old.st_uid, old.st_gid) }
        guard fchmod(descriptor, isThere ? old.st_mode & 0o7777 : Self.usualMode) == 0 else {
            throw Self.failure(path, "can't be given its mode", .cannotCreate)
        }
    }

    deinit {
        close(descriptor)
        if let temporary { unlink(temporary) }
    }

    /// Appends bytes.
    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno == EPIPE {
                // Who read the named pipe has gone.
                throw CommandFailure(.done, "")
            } else if errno != EINTR {
                throw Self.failure(path, "can't be written", .inputOutput)
            }
        }
    }

    /// Gives the complete file its name.
    func replace() throws(CommandFailure) {
        guard let temporary else { return }
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else {
            throw Self.failure(path, "can't be written", .inputOutput)
        }
        self.temporary = nil
        // The new name reaches the disk with its folder; not every file system lets folders be synchronised.
        let folder = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    // MARK: - Private

    /// What a new file would get.
    private static var usualMode: mode_t {
        let mask = umask(0)
        umask(mask)
        return 0o666 & ~mask
    }

    /// The file that a symbolic link leads to.
    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The failure that `errno` tells of.
    private static func failure(_ path: String, _ what: String, _ code: CommandFailure.Code) -> CommandFailure {
        let reason = String(cString: strerror(errno))
        return CommandFailure(code, "\(path) \(what): \(reason). Nothing was replaced; write to another place.")
    }
}
