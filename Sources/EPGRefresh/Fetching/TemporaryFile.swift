internal import Glibc

/// A file that nobody else can read and that is gone with this value, even where the process is killed.
///
/// It is made with mode 0600 and loses its name at once; ``path`` leads to it through `/proc`. Where there is no
/// `/proc`, it keeps its name until the value goes.
final class TemporaryFile: Sendable {
    /// The path under which this process can open the file.
    let path: String
    private let descriptor: Int32
    /// The name in the folder, where it still has one.
    private let name: String?

    /// Makes an empty file.
    ///
    /// - Throws: ``SystemFailure`` where the folder can't take one.
    init(inFolder folder: String) throws(SystemFailure) {
        var template = Array("\(folder)/swift-epg-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SystemFailure(code: errno) }
        // A failure would only let a program that is started meanwhile inherit the file.
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

    /// Appends bytes, all of them.
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

    /// Throws away what was written.
    func empty() throws(SystemFailure) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw SystemFailure(code: errno)
        }
    }

    /// The folder for temporary files: `TMPDIR`, else `/var/tmp`, which is on a disk where `/tmp` may be memory.
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
