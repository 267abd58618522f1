internal import Glibc

/// A private file that is deleted with this object, even if the process is killed.
///
/// The file has mode 0600 and is unlinked immediately; ``path`` refers to it through `/proc`. Without `/proc`, the file
/// is unlinked when the object is released.
final class TemporaryFile: Sendable {
    /// The path at which this process can open the file.
    let path: String
    private let descriptor: Int32
    /// The path to unlink later; `nil` if the file is already unlinked.
    private let name: String?

    /// Creates an empty file.
    ///
    /// - Throws: ``SystemFailure`` if the folder is not writable.
    init(inFolder folder: String) throws(SystemFailure) {
        var template = Array("\(folder)/swift-epg-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SystemFailure(code: errno) }
        // A failure would only let a child process inherit the file.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let ownPath = "/proc/self/fd/\(descriptor)"
        if access(ownPath, R_OK) == 0, unlink(template) == 0 {
            path = ownPath
            name = nil
        } else {
            path = template.withUnsafeBufferPointer { buffer in
                String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
            name = path
        }
    }

    deinit {
        close(descriptor)
        if let name { unlink(name) }
    }

    /// Appends all bytes.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw SystemFailure(code: count < 0 ? errno : EIO)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Truncates the file.
    func empty() throws(SystemFailure) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw SystemFailure(code: errno)
        }
    }

    /// The folder for temporary files: `TMPDIR`, or `/var/tmp`, because `/tmp` may be in memory.
    static func standardFolder() -> String {
        guard let value = getenv("TMPDIR"), value.pointee != 0 else { return "/var/tmp" }
        return String(cString: value)
    }
}

/// A failed system call.
struct SystemFailure: Error, Hashable {
    /// The `errno`.
    let code: Int32
}
