import Glibc
import XMLTV

/// A guide that a person named: a file, or standard input.
struct GuideInput: Sendable {
    /// What it is called in messages.
    let name: String
    /// `nil` for standard input.
    private let path: String?
    /// The number of bytes, where it is known beforehand.
    let byteCount: Int64?

    /// Looks whether the guide is there.
    ///
    /// - Parameter text: A path, or `-`.
    /// - Throws: ``CommandFailure/Code/noInput`` where there is no such file, or a folder.
    init(_ text: String) throws(CommandFailure) {
        guard text != "-" else {
            name = "standard input"
            path = nil
            byteCount = nil
            return
        }
        var status = stat()
        guard stat(text, &status) == 0, access(text, R_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(.noInput, "\(text) can't be opened (\(reason)). Give the path of a guide.")
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw CommandFailure(.noInput, "\(text) is a folder. Give the path of a guide.")
        }
        name = text
        path = text
        byteCount = status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }

    /// Opens the guide for reading, with its progress shown.
    func open() throws(CommandFailure) -> ProgressSource<FileSource> {
        let source: FileSource
        if let path {
            do throws(SystemFault) {
                source = try FileSource(path: path)
            } catch {
                throw CommandFailure(.noInput, "\(name) can't be opened (\(error.words)). Give the path of a guide.")
            }
        } else {
            source = .standardInput
        }
        return ProgressSource(source, progress: Progress(of: name, total: byteCount))
    }
}
