import EPGJSON

internal import EPGImport
internal import Glibc
internal import XMLTV

/// JSON in a file, of which records are read one by one, and copied as they stand.
final class SchedulesDirectBody: Sendable {
    let path: String
    let byteCount: Int64
    private let descriptor: Int32
    /// Holds the temporary file; `nil` for a file that has a name.
    private let file: TemporaryFile?

    /// Opens a file.
    ///
    /// - Throws: ``SystemFailure`` where that can't be done.
    init(path: String, file: TemporaryFile? = nil) throws(SystemFailure) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure(code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw SystemFailure(code: code)
        }
        byteCount = Int64(status.st_size)
        self.path = path
        self.file = file
    }

    /// Opens a file, where there is one.
    convenience init?(atPath path: String) throws(SystemFailure) {
        do throws(SystemFailure) {
            try self.init(path: path)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
    }

    deinit { close(descriptor) }

    /// A scanner from the beginning on, which takes control characters in texts as the import does.
    func scanner() throws(SystemFailure) -> JSONScanner {
        do throws(SystemFault) {
            var scanner = JSONScanner(try FileSource(path: path))
            scanner.takesControls = true
            return scanner
        } catch {
            throw SystemFailure(code: error.number)
        }
    }

    /// Some of its bytes.
    ///
    /// - Throws: ``SystemFailure``; `EIO` where it has less.
    func bytes(_ range: Range<Int>) throws(SystemFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress.map { $0 + done }, range.count - done,
                    off_t(range.lowerBound + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemFailure(code: count < 0 ? errno : EIO) }
            done += count
        }
        return bytes
    }
}
