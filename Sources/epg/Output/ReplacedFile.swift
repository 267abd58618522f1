import EPGProgram
import Glibc

/// An output file that replaces an existing file only when it is complete.
///
/// The bytes go to an unnamed file in the same folder, which disappears if the process is killed. File systems without
/// unnamed files get a temporary file, which deinitialization removes. ``replace()`` flushes the bytes to the disk and
/// gives the file its name; without it, the old file stays. Special files such as `/dev/null` or a named pipe are
/// written to directly.
final class ReplacedFile {
    private let path: String
    private enum Stage {
        /// Writing directly to the named file, or done.
        case named
        case unnamed
        case temporary(String)
    }

    private var stage = Stage.named
    private let descriptor: Int32

    /// Starts a file.
    ///
    /// Follows symbolic links. Does not replace a file without write permission. The new file gets the mode of the old
    /// one, and its owner if permitted.
    /// - Throws: ``CommandFailure``, usually ``CommandFailure/Code/cannotCreate``.
    init(at path: String) throws(CommandFailure) {
        var old = stat()
        let isThere = stat(path, &old) == 0
        guard !isThere || old.st_mode & S_IFMT != S_IFDIR else {
            throw CommandFailure(.cannotCreate, "\(path) is a folder. Give the path of a file.")
        }
        guard !isThere || access(path, W_OK) == 0 else {
            throw Self.failure(path, "write", .cannotCreate)
        }
        guard !isThere || old.st_mode & S_IFMT == S_IFREG else {
            self.path = path
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Self.failure(path, "open", .cannotCreate) }
            return
        }
        self.path = Self.resolved(path)
        let unnamed = open(Self.folder(of: self.path), Self.unnamedFileFlag | O_WRONLY | O_CLOEXEC, 0o600)
        if unnamed >= 0, access(Self.descriptorPath(of: unnamed), F_OK) == 0 {
            descriptor = unnamed
            stage = .unnamed
        } else {
            if unnamed >= 0 { close(unnamed) }
            var template = Array("\(Self.folder(of: self.path))/.epg-XXXXXX".utf8CString)
            descriptor = mkstemp(&template)
            guard descriptor >= 0 else { throw Self.failure(path, "create", .cannotCreate) }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            stage = .temporary(template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" })
        }
        // Only root can change the owner; otherwise the new file belongs to the caller.
        if isThere { _ = fchown(descriptor, old.st_uid, old.st_gid) }
        guard fchmod(descriptor, isThere ? old.st_mode & 0o7777 : Self.defaultMode) == 0 else {
            throw Self.failure(path, "set the mode of", .cannotCreate)
        }
    }

    deinit {
        close(descriptor)
        if case .temporary(let name) = stage { unlink(name) }
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
                // The reader of the named pipe has closed it.
                throw CommandFailure(.success, "")
            } else if errno != EINTR {
                throw Self.failure(path, "write", .inputOutput)
            }
        }
    }

    /// Replaces the old file with the complete one.
    func replace() throws(CommandFailure) {
        if case .named = stage { return }
        guard fsync(descriptor) == 0 else { throw Self.failure(path, "write", .inputOutput) }
        while case .unnamed = stage {
            // linkat(2) does not replace an existing file, so link under a temporary name and rename.
            let name = "\(Self.folder(of: path))/.epg-\(getpid())-\(UInt32.random(in: 0 ... .max))"
            if linkat(AT_FDCWD, Self.descriptorPath(of: descriptor), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 {
                stage = .temporary(name)
            } else if errno != EEXIST {
                throw Self.failure(path, "write", .inputOutput)
            }
        }
        guard case .temporary(let name) = stage, rename(name, path) == 0 else {
            throw Self.failure(path, "write", .inputOutput)
        }
        stage = .named
        // Flush the folder, which makes the new name durable. Not every file system supports it.
        let folder = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    // MARK: - Private

    /// `O_TMPFILE`, which the Glibc module does not import (Linux, `asm-generic/fcntl.h`).
    private static let unnamedFileFlag = 0o20000000 | O_DIRECTORY

    /// A path of an open file, named or not.
    private static func descriptorPath(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    /// The default mode of a new file.
    private static var defaultMode: mode_t {
        let mask = umask(0)
        umask(mask)
        return 0o666 & ~mask
    }

    /// The path with symbolic links resolved.
    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The failure of an operation, described by `errno`.
    private static func failure(_ path: String, _ operation: String, _ code: ExitStatus) -> CommandFailure {
        let reason = String(cString: strerror(errno))
        return CommandFailure(code, "Cannot \(operation) \(path): \(reason). No file was replaced.")
    }
}
