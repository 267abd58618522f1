import Glibc

/// A file that takes another one's place when it is complete, and not before.
///
/// The bytes go to a file in the same folder that has no name yet, so that nothing is left of it where the process is
/// killed; where the file system knows no such files, to a temporary one, which goes with this value. ``replace()`` brings
/// the bytes to the disk and gives them the name; without it the old file stays as it was. What isn't a plain file, such as
/// `/dev/null` or a named pipe, is written to as it is.
final class ReplacedFile {
    private let path: String
    private enum Stage {
        /// The file that has the name is written to, or the new one has it already.
        case named
        case unnamed
        case temporary(String)
    }

    private var stage = Stage.named
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
        let unnamed = open(Self.folder(of: self.path), Self.withoutName | O_WRONLY | O_CLOEXEC, 0o600)
        if unnamed >= 0, access(Self.ownPath(of: unnamed), F_OK) == 0 {
            descriptor = unnamed
            stage = .unnamed
        } else {
            if unnamed >= 0 { close(unnamed) }
            var template = Array("\(Self.folder(of: self.path))/.epg-XXXXXX".utf8CString)
            descriptor = mkstemp(&template)
            guard descriptor >= 0 else { throw Self.failure(path, "can't be made", .cannotCreate) }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            stage = .temporary(template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" })
        }
        // Who isn't root can't give a file away; it is then the caller's, as one made anew would be.
        if isThere { _ = fchown(descriptor, old.st_uid, old.st_gid) }
        guard fchmod(descriptor, isThere ? old.st_mode & 0o7777 : Self.usualMode) == 0 else {
            throw Self.failure(path, "can't be given its mode", .cannotCreate)
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
                // Who read the named pipe has gone.
                throw CommandFailure(.done, "")
            } else if errno != EINTR {
                throw Self.failure(path, "can't be written", .inputOutput)
            }
        }
    }

    /// Gives the complete file its name.
    func replace() throws(CommandFailure) {
        if case .named = stage { return }
        guard fsync(descriptor) == 0 else { throw Self.failure(path, "can't be written", .inputOutput) }
        while case .unnamed = stage {
            // A link never takes the place of a file, as a rename does.
            let name = "\(Self.folder(of: path))/.epg-\(getpid())-\(UInt32.random(in: 0 ... .max))"
            if linkat(AT_FDCWD, Self.ownPath(of: descriptor), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 {
                stage = .temporary(name)
            } else if errno != EEXIST {
                throw Self.failure(path, "can't be written", .inputOutput)
            }
        }
        guard case .temporary(let name) = stage, rename(name, path) == 0 else {
            throw Self.failure(path, "can't be written", .inputOutput)
        }
        stage = .named
        // The new name reaches the disk with its folder; not every file system lets folders be synchronised.
        let folder = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    // MARK: - Private

    /// `O_TMPFILE`, which Swift doesn't import (Linux, `asm-generic/fcntl.h`).
    private static let withoutName = 0o20000000 | O_DIRECTORY

    /// A path that leads to an open file, whether or not it has a name.
    private static func ownPath(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

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
