import EPGProgram
import Glibc

/// A set of output files that replace existing ones when all of them are complete.
///
/// Writes to temporary files in the same folders. No file stays open, because there may be more files than a process
/// may open. Deinitialization removes incomplete files.
final class SplitFiles {
    /// The paths of the temporary files by output path.
    private var temporaries: [String: String] = [:]

    deinit {
        for temporary in temporaries.values { unlink(temporary) }
    }

    /// Appends bytes to a file. Its folder must exist.
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
                throw SplitFiles.failure(path, "write", .inputOutput)
            }
        }
    }

    /// Replaces all output files.
    func replaceAll() throws(CommandFailure) {
        for (path, temporary) in temporaries.sorted(by: { $0.key < $1.key }) {
            guard rename(temporary, path) == 0 else {
                throw SplitFiles.failure(path, "create", .cannotCreate)
            }
            temporaries[path] = nil
        }
    }

    private func open(_ path: String) throws(CommandFailure) -> Int32 {
        if let temporary = temporaries[path] {
            let descriptor = Glibc.open(temporary, O_WRONLY | O_APPEND | O_CLOEXEC)
            guard descriptor >= 0 else { throw SplitFiles.failure(path, "write", .inputOutput) }
            return descriptor
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        var template = (folder + ".epg-XXXXXX").utf8CString.map { $0 }
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SplitFiles.failure(path, "create", .cannotCreate) }
        temporaries[path] = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var old = stat()
        let mask = umask(0)
        umask(mask)
        guard fchmod(descriptor, stat(path, &old) == 0 ? old.st_mode & 0o7777 : 0o666 & ~mask) == 0 else {
            close(descriptor)
            throw SplitFiles.failure(path, "set the mode of", .cannotCreate)
        }
        return descriptor
    }

    /// The failure of an operation, described by `errno`.
    private static func failure(_ path: String, _ operation: String, _ code: ExitStatus) -> CommandFailure {
        let reason = String(cString: strerror(errno))
        return CommandFailure(code, "Cannot \(operation) \(path): \(reason). Its folder must exist and have space.")
    }
}
