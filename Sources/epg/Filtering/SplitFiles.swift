import Glibc

/// Many files that take the places of others when all of them are complete.
///
/// The bytes go to temporary files in the same folders; no file stays open, for there may be more of them than a process
/// may open. What was begun and not completed goes with this value.
final class SplitFiles {
    /// The temporary files by the paths that they are for.
    private var temporaries: [String: String] = [:]

    deinit {
        for temporary in temporaries.values { unlink(temporary) }
    }

    /// Puts bytes at the end of a file; its folder has to be there.
    func append(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        let descriptor = try open(path)
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw SplitFiles.failure(path, "can't be written", .inputOutput)
            }
        }
    }

    /// Gives all files their names.
    func replaceAll() throws(CommandFailure) {
        for (path, temporary) in temporaries.sorted(by: { $0.key < $1.key }) {
            guard rename(temporary, path) == 0 else {
                throw SplitFiles.failure(path, "can't be made", .cannotCreate)
            }
            temporaries[path] = nil
        }
    }

    private func open(_ path: String) throws(CommandFailure) -> Int32 {
        if let temporary = temporaries[path] {
            let descriptor = Glibc.open(temporary, O_WRONLY | O_APPEND | O_CLOEXEC)
            guard descriptor >= 0 else { throw SplitFiles.failure(path, "can't be written", .inputOutput) }
            return descriptor
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        var template = (folder + ".epg-XXXXXX").utf8CString.map { $0 }
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SplitFiles.failure(path, "can't be made", .cannotCreate) }
        temporaries[path] = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var old = stat()
        let mask = umask(0)
        umask(mask)
        guard fchmod(descriptor, stat(path, &old) == 0 ? old.st_mode & 0o7777 : 0o666 & ~mask) == 0 else {
            close(descriptor)
            throw SplitFiles.failure(path, "can't be given its mode", .cannotCreate)
        }
        return descriptor
    }

    /// The failure that `errno` tells of.
    private static func failure(_ path: String, _ what: String, _ code: CommandFailure.Code) -> CommandFailure {
        let reason = String(cString: strerror(errno))
        return CommandFailure(code, "\(path) \(what) (\(reason)). Name files in a folder that is there and has room.")
    }
}
